//! Style as a check: what a reader of the tree should never meet.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

/// A source file longer than this holds two rooms.
const MOST_LINES: usize = 900;
/// A line of Rust longer than this does not fit two files side by side.
const MOST_COLUMNS: usize = 100;

/// Words that no source may hold, written in two parts so that this file does not hold them.
const BANNED: [(&str, &str); 6] = [
    ("todo", "!("),
    ("unimplemented", "!("),
    ("dbg", "!("),
    ("#[", "ignore"),
    ("FIX", "ME"),
    ("test.", "skip"),
];

/// Folders and hosts of one machine or one registry.
const MACHINE: [(&str, &str); 6] = [
    ("/wo", "rk/"),
    ("/ro", "ot/"),
    ("/ho", "me/"),
    ("crates", ".io/"),
    ("registry.npm", "js"),
    ("pypi", ".org"),
];

/// The files git knows or would know.
fn files(root: &Path) -> Result<Vec<String>> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .context("cannot start git")?;
    ensure!(output.status.success(), "git ls-files failed");
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}

/// Everything that is wrong with one file.
pub(crate) fn problems(path: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let at = |line: usize, what: &str| format!("{path}:{}: {what}", line + 1);
    let source = path.ends_with(".rs") || path.ends_with(".py");
    for (number, line) in text.lines().enumerate() {
        if path.ends_with(".rs") && line.chars().count() > MOST_COLUMNS {
            found.push(at(number, "longer than 100 columns"));
        }
        let has = |(front, back): &(&str, &str)| line.contains(&format!("{front}{back}"));
        for (front, back) in BANNED.iter().filter(|word| source && has(word)) {
            found.push(at(number, &format!("{front}{back} may not stand in a source")));
        }
        for (front, back) in MACHINE.iter().filter(|word| has(word)) {
            found.push(at(number, &format!("{front}{back} belongs to one machine or registry")));
        }
    }
    if source && text.lines().count() > MOST_LINES {
        found.push(format!("{path}: longer than {MOST_LINES} lines"));
    }
    if path.ends_with(".rs") && path.contains("/src/") && !text.starts_with("//!") {
        found.push(format!("{path}: does not begin by saying what it is (//!)"));
    }
    found
}

/// Documents nobody can find from the first three.
fn unreachable_documents(root: &Path, files: &[String]) -> Result<Vec<String>> {
    let mut entrances = String::new();
    for name in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        entrances += &fs::read_to_string(root.join(name)).with_context(|| name.to_owned())?;
    }
    let hidden = |path: &&String| {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        path.starts_with("docs/")
            && !entrances.contains(path.as_str())
            && (folder == "docs" || !entrances.contains(folder))
    };
    let documents = files.iter().filter(hidden);
    Ok(documents
        .map(|path| format!("{path}: not named in README, ARCHITECTURE or CONTRIBUTING"))
        .collect())
}

/// Checks every file of the tree; data and lock files are left out.
pub(crate) fn check(root: &Path) -> Result<()> {
    let files = files(root)?;
    let mut found = unreachable_documents(root, &files)?;
    for path in &files {
        if path.starts_with("testdata/")
            || path.starts_with("fuzz/corpus/")
            || path.ends_with(".lock")
        {
            continue;
        }
        // A file that was deleted and not yet committed, or bytes that are not text.
        let Ok(text) = fs::read_to_string(root.join(path)) else { continue };
        found.extend(problems(path, &text));
    }
    if found.is_empty() {
        return Ok(());
    }
    bail!("{}", found.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::{check, problems};

    #[test]
    fn the_tree_is_tidy() {
        check(&crate::root()).unwrap();
    }

    #[test]
    fn faults_are_found() {
        let long = "x".repeat(101);
        let found = |text: &str| problems("crates/a/src/b.rs", &format!("//! B.\n{text}\n")).len();
        assert_eq!(found("fn fine() {}"), 0);
        assert_eq!(found(&long), 1);
        assert_eq!(found(concat!("todo", "!()")), 1);
        assert_eq!(found(concat!("// see /ho", "me/me/notes")), 1);
        assert_eq!(found(&"\n".repeat(1000)), 1);
        assert_eq!(problems("crates/a/src/b.rs", "fn b() {}\n").len(), 1);
        assert_eq!(problems("README.md", &long).len(), 0);
    }
}
