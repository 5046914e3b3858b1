//! Style as a check: what a reader of the tree should never meet.

mod links;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// A source file longer than this should be looked at ...
const MANY_LINES: usize = 600;
/// ... and one longer than this holds two rooms.
const MOST_LINES: usize = 900;
/// A line of Rust longer than this does not fit two files side by side.
const MOST_COLUMNS: usize = 100;

/// What no source may hold, in two parts so that this file does not hold it: work left undone,
/// tests that are not run.
const BANNED: [(&str, &str); 6] = [
    ("todo", "!("),
    ("unimplemented", "!("),
    ("dbg", "!("),
    ("#[", "ignore"),
    ("FIX", "ME"),
    ("TO", "DO"),
];

/// Folders of one machine, in two parts. Only whole paths count: these may also be the middle of
/// a relative path or of an address.
const MACHINE: [(&str, &str); 5] =
    [("/wo", "rk/"), ("/ro", "ot/"), ("/ho", "me/"), ("/Us", "ers/"), ("C:\\Us", "ers")];

/// Hosts of package registries: which one is used is a matter of each machine.
const REGISTRIES: [(&str, &str); 5] = [
    ("crates", ".io/"),
    ("index.crates", ".io"),
    ("registry.npm", "js"),
    ("pypi", ".org"),
    ("pythonhosted", ".org"),
];

/// What was found: `refused` fails the check, `noted` is only told.
#[derive(Debug, Default, PartialEq, Eq)]
struct Findings {
    refused: Vec<String>,
    noted: Vec<String>,
}

/// The files git knows or would know. Where git does not answer (an unpacked archive, a clone of
/// somebody else's) they are all files but those of builds.
fn files(root: &Path) -> Result<Vec<String>> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output();
    let mut files = Vec::new();
    match output {
        Ok(output) if output.status.success() => {
            let names = String::from_utf8(output.stdout).context("a name that is not UTF-8")?;
            let names = names.split('\0').filter(|name| !name.is_empty());
            // A file that was deleted and not yet committed is still listed.
            files.extend(names.filter(|name| root.join(name).is_file()).map(str::to_owned));
        }
        _ => walk(root, root, &mut files)?,
    }
    files.sort();
    files.dedup();
    Ok(files)
}

fn walk(root: &Path, folder: &Path, files: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path: PathBuf = entry.path();
        let name = entry.file_name();
        if entry.file_type()?.is_dir() {
            // What git would leave out.
            if ![".git", "target", "node_modules", "dist"].iter().any(|other| name == *other) {
                walk(root, &path, files)?;
            }
        } else if let Some(name) = path.strip_prefix(root)?.to_str() {
            files.push(name.replace('\\', "/"));
        }
    }
    Ok(())
}

/// Whether a line holds a text where a path would begin.
fn has_path(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        before.is_none_or(|c| !(c.is_alphanumeric() || "_-.~/*}".contains(c)))
    })
}

fn is_source(path: &str) -> bool {
    [".rs", ".py", ".ts", ".svelte", ".sh"].iter().any(|ending| path.ends_with(ending))
}

/// Tests and generated files may be long.
fn may_be_long(path: &str, text: &str) -> bool {
    let generated = concat!("@", "generated");
    path.contains("/tests/")
        || path.ends_with("/tests.rs")
        || text.lines().take(5).any(|line| line.contains(generated))
}

/// Everything that is wrong with one file.
fn look_at(path: &str, text: &str, findings: &mut Findings) {
    let source = is_source(path);
    for (number, line) in text.lines().enumerate() {
        let mut refuse = |what: &str| {
            findings.refused.push(format!("{path}:{}: {what}", number + 1));
        };
        if path.ends_with(".rs") && line.chars().count() > MOST_COLUMNS {
            refuse("longer than 100 columns");
        }
        for (front, back) in BANNED {
            if source && line.contains(&format!("{front}{back}")) {
                refuse(&format!("{front}{back} may not stand in a source"));
            }
        }
        for (front, back) in MACHINE {
            if has_path(line, &format!("{front}{back}")) {
                refuse(&format!("{front}{back} is a folder of one machine"));
            }
        }
        for (front, back) in REGISTRIES {
            if line.contains(&format!("{front}{back}")) {
                refuse(&format!("{front}{back} is the host of a registry"));
            }
        }
    }
    let lines = text.lines().count();
    if source && lines > MANY_LINES && !may_be_long(path, text) {
        let what = format!("{path}: {lines} lines, at most {MOST_LINES} and better {MANY_LINES}");
        if lines > MOST_LINES { &mut findings.refused } else { &mut findings.noted }.push(what);
    }
    if path.ends_with(".rs") && path.contains("/src/") && !text.starts_with("//!") {
        findings.refused.push(format!("{path}: does not begin by saying what it is (//!)"));
    }
}

/// Reference data without a checksum, and checksums without data. That the sums are right is a
/// test of `oware-testkit`.
fn unguarded(files: &[String], sums: &str) -> Vec<String> {
    let listed: BTreeSet<String> = sums
        .lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(_, name)| format!("testdata/{name}"))
        .collect();
    let present: BTreeSet<String> =
        files.iter().filter(|path| path.starts_with("testdata/cases/")).cloned().collect();
    let missing = present.difference(&listed);
    let stale = listed.difference(&present);
    missing
        .map(|path| format!("{path}: testdata/SHA256SUMS has no checksum of it"))
        .chain(stale.map(|path| format!("testdata/SHA256SUMS: {path} does not exist")))
        .collect()
}

fn look_at_all(root: &Path) -> Result<Findings> {
    let files = files(root)?;
    let mut findings = Findings::default();
    let mut pages = Vec::new();
    for path in &files {
        // What a fuzzer came upon is not written by anybody.
        if path.starts_with("fuzz/corpus/") {
            continue;
        }
        let bytes = fs::read(root.join(path)).with_context(|| format!("cannot read {path}"))?;
        let text = String::from_utf8_lossy(&bytes);
        look_at(path, &text, &mut findings);
        if path.ends_with(".md") {
            pages.push((path.clone(), text.into_owned()));
        }
    }
    let sums = fs::read_to_string(root.join("testdata/SHA256SUMS"))
        .context("cannot read testdata/SHA256SUMS")?;
    findings.refused.extend(unguarded(&files, &sums));
    findings.refused.extend(links::problems(&files, &pages));
    Ok(findings)
}

/// Checks every file of the tree.
pub(crate) fn check(root: &Path) -> Result<()> {
    let findings = look_at_all(root)?;
    for note in &findings.noted {
        println!("note: {note}");
    }
    ensure!(findings.refused.is_empty(), "{}", findings.refused.join("\n"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_tidy() {
        assert_eq!(look_at_all(&crate::root()).unwrap().refused, Vec::<String>::new());
    }

    #[test]
    fn both_ways_of_finding_files_agree_on_sources() {
        let root = crate::root().join("xtask");
        let mut walked = Vec::new();
        walk(&root, &root, &mut walked).unwrap();
        walked.sort();
        assert!(walked.contains(&"src/tidy/links.rs".to_owned()), "{walked:?}");
        assert_eq!(files(&root).unwrap(), walked);
    }

    fn found(path: &str, text: &str) -> usize {
        let mut findings = Findings::default();
        look_at(path, text, &mut findings);
        findings.refused.len()
    }

    #[test]
    fn faults_are_found() {
        let rust = |text: &str| found("crates/a/src/b.rs", &format!("//! B.\n{text}\n"));
        assert_eq!(rust("fn fine() {}"), 0);
        assert_eq!(rust(&"x".repeat(100)), 0);
        assert_eq!(rust(&"x".repeat(101)), 1);
        for (front, back) in BANNED {
            assert_eq!(rust(&format!("    {front}{back}")), 1, "{front}{back}");
        }
        assert_eq!(rust("mod todo;"), 0);
        assert_eq!(found("crates/a/src/b.rs", "fn b() {}\n"), 1);
        assert_eq!(found("README.md", &"x".repeat(101)), 0);
    }

    #[test]
    fn machines_and_registries_are_found_in_every_file() {
        for (front, back) in MACHINE.into_iter().chain(REGISTRIES) {
            assert_eq!(
                found("testdata/a.jsonl", &format!("at {front}{back}x")).min(1),
                1,
                "{front}"
            );
        }
        assert_eq!(found("a.md", concat!("crates/wo", "rk/x, ~/wo", "rk/, a.b/ho", "me/")), 0);
        assert_eq!(found("a.md", concat!("(/wo", "rk/x)")), 1);
    }

    #[test]
    fn long_files_are_noted_then_refused() {
        let of_length = |path: &str, lines: usize, head: &str| {
            let mut findings = Findings::default();
            look_at(path, &format!("//! {head}\n{}", "\n".repeat(lines - 1)), &mut findings);
            (findings.refused.len(), findings.noted.len())
        };
        assert_eq!(of_length("crates/a/src/b.rs", 600, ""), (0, 0));
        assert_eq!(of_length("crates/a/src/b.rs", 900, ""), (0, 1));
        assert_eq!(of_length("crates/a/src/b.rs", 901, ""), (1, 0));
        assert_eq!(of_length("crates/a/tests/b.rs", 901, ""), (0, 0));
        assert_eq!(of_length("crates/a/src/b/tests.rs", 901, ""), (0, 0));
        assert_eq!(of_length("crates/a/src/b.rs", 901, concat!("@", "generated")), (0, 0));
    }

    #[test]
    fn data_and_checksums_are_compared() {
        let files = ["testdata/README.md", "testdata/cases/a"].map(str::to_owned);
        assert_eq!(unguarded(&files, "12ab  cases/a\n"), Vec::<String>::new());
        assert_eq!(unguarded(&files, "12ab  cases/b\n").len(), 2);
    }
}
