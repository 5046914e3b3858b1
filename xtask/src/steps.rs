//! The commands that people use every day: the site, the tests, the fuzz targets.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::process::{cargo, cargo_has, cargo_with};
use crate::web::Web;
use crate::{deps, needs};

/// The binary `oware` of a profile, built with the pages in it.
fn build_binary(root: &Path, pages: &str, release: bool) -> Result<PathBuf> {
    let mut arguments = vec!["build", "--quiet", "--locked", "--package", "oware-cli"];
    if release {
        arguments.push("--release");
    }
    cargo_with(root, &arguments, &[("OWARE_PAGES", pages)])?;
    let folder = deps::workspace(root, deps::Depth::Workspace)?.target_directory;
    let profile = if release { "release" } else { "debug" };
    let name = format!("oware{}", std::env::consts::EXE_SUFFIX);
    Ok(folder.join(profile).join(name).into())
}

/// `cargo xtask run`: builds the pages and the binary, and becomes the site.
pub(crate) fn serve(root: &Path, arguments: &[&str]) -> Result<()> {
    let pages = Web::set_up(root)?.build()?;
    let binary = build_binary(root, &pages, true)?;
    let mut site = Command::new(&binary);
    site.arg("serve").args(arguments);
    hand_over(&mut site).with_context(|| format!("cannot run {}", binary.display()))
}

/// `cargo xtask web`: the pages alone.
pub(crate) fn web(root: &Path, arguments: &[&str]) -> Result<()> {
    let web = Web::set_up(root)?;
    match arguments {
        [] => web.build().map(|_| ()),
        [script @ ("e2e" | "measure" | "shots"), rest @ ..] => {
            in_a_browser(root, &web, script, rest)
        }
        ["test", rest @ ..] => web.tests("test", rest, &[]),
        [script, rest @ ..] => web.script(script, rest, &[]),
    }
}

/// What is wrong with the pages' sources: types, format, unused texts, and their own tests.
pub(crate) fn web_tests(web: &Web) -> Result<()> {
    web.script("check", &[], &[])?;
    web.tests("test", &[], &[])
}

/// The tests that use the site in a browser.
pub(crate) fn browser_tests(root: &Path, web: &Web) -> Result<()> {
    in_a_browser(root, web, "e2e", &[])
}

/// A script that needs the binary and a browser, and is told where they are.
fn in_a_browser(root: &Path, web: &Web, script: &str, arguments: &[&str]) -> Result<()> {
    let pages = web.build()?;
    let binary = build_binary(root, &pages, false)?;
    let browser = needs::browser()?;
    let variables = [
        ("OWARE_BIN", binary.to_string_lossy().into_owned()),
        ("OWARE_BROWSER", browser.to_string_lossy().into_owned()),
    ];
    let variables: Vec<(&str, &str)> =
        variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    match script {
        "e2e" => web.tests(script, arguments, &variables),
        _ => web.script(script, arguments, &variables),
    }
}

/// Puts the site in our place, so that signals and the terminal reach it and nobody else.
#[cfg(unix)]
fn hand_over(site: &mut Command) -> Result<()> {
    use std::os::unix::process::CommandExt;
    Err(site.exec().into())
}

/// Runs the site and ends as it ends.
#[cfg(not(unix))]
fn hand_over(site: &mut Command) -> Result<()> {
    let status = site.status()?;
    std::process::exit(status.code().unwrap_or(1))
}

/// `cargo xtask test`: every test and every example in the documentation.
pub(crate) fn test(root: &Path, arguments: &[&str]) -> Result<()> {
    let selection = Selection::read(arguments)?;
    tests(root, &selection)?;
    if !selection.rest.is_empty() {
        println!("the other tests: not run, for only some were asked for");
        return Ok(());
    }
    doc_tests(root, &selection)?;
    if selection.packages.is_empty() {
        let web = Web::set_up(root)?;
        web_tests(&web)?;
        browser_tests(root, &web)?;
    }
    Ok(())
}

/// What of the tests is asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection<'a> {
    /// Crates; none are all of them.
    packages: Vec<&'a str>,
    /// What the runner shall make of the rest: names of tests, options.
    rest: Vec<&'a str>,
}

impl<'a> Selection<'a> {
    fn read(arguments: &[&'a str]) -> Result<Selection<'a>> {
        let mut selection = Selection::default();
        let mut arguments = arguments.iter().copied();
        while let Some(argument) = arguments.next() {
            if matches!(argument, "-p" | "--package") {
                let name = arguments.next().with_context(|| format!("{argument}: no crate"))?;
                selection.packages.push(name);
            } else if let Some(name) = argument.strip_prefix("--package=") {
                selection.packages.push(name);
            } else {
                selection.rest.push(argument);
                if argument == "--" {
                    selection.rest.extend(arguments.by_ref());
                }
            }
        }
        Ok(selection)
    }

    /// The options for cargo that say which crates.
    fn crates(&self) -> Vec<&'a str> {
        if self.packages.is_empty() {
            return vec!["--workspace"];
        }
        self.packages.iter().flat_map(|name| ["--package", name]).collect()
    }
}

/// All tests but the examples in the documentation.
pub(crate) fn tests(root: &Path, selection: &Selection<'_>) -> Result<()> {
    let names = ["oware-server", "oware-siege"];
    if selection.packages.is_empty() || names.iter().any(|name| selection.packages.contains(name)) {
        needs::postgresql()?;
    }
    let runner = if cargo_has("nextest") {
        vec!["nextest", "run", "--locked"]
    } else {
        println!("cargo-nextest is not installed: using cargo test");
        // The kinds of targets are named, since that alone leaves out the examples in the
        // documentation, which follow. `--tests` has those inside libraries and binaries too.
        vec!["test", "--locked", "--no-fail-fast", "--tests", "--examples"]
    };
    cargo(root, &[runner, selection.crates(), selection.rest.clone()].concat())
}

/// The examples in the documentation, which only cargo itself can run.
pub(crate) fn doc_tests(root: &Path, selection: &Selection<'_>) -> Result<()> {
    let metadata = deps::workspace(root, deps::Depth::Workspace)?;
    let has_library = |name: &str| {
        let packages = metadata.workspace_packages();
        packages.iter().any(|package| {
            package.name.as_str() == name
                && package.targets.iter().any(cargo_metadata::Target::is_lib)
        })
    };
    let wanted = selection.packages.iter().copied().filter(|name| has_library(name));
    let libraries = Selection { packages: wanted.collect(), rest: Vec::new() };
    if libraries.packages.is_empty() && !selection.packages.is_empty() {
        return Ok(());
    }
    cargo(root, &[vec!["test", "--locked", "--doc"], libraries.crates()].concat())
}

/// `cargo xtask fuzz`.
pub(crate) fn fuzz(root: &Path, seconds: u32, target: Option<&str>) -> Result<()> {
    let mut targets = fuzz_targets(root)?;
    if let Some(wanted) = target {
        ensure!(
            targets.iter().any(|name| name == wanted),
            "TARGET is {wanted:?}, expected one of {}",
            targets.join(", ")
        );
        targets.retain(|name| name == wanted);
    }
    if !cargo_has("fuzz") {
        bail!("cargo-fuzz is not installed; `cargo install cargo-fuzz --locked` brings it");
    }
    // The instrumentation needs options of the nightly compiler; the stable one takes them when
    // this variable is set.
    let unstable = [("RUSTC_BOOTSTRAP", "1")];
    let time = format!("-max_total_time={seconds}");
    for name in &targets {
        println!("== fuzz {name}, {seconds} s");
        cargo_with(root, &["fuzz", "run", name, "--", &time], &unstable)?;
    }
    Ok(())
}

/// The names of the fuzz targets: the sources in `fuzz/fuzz_targets`.
fn fuzz_targets(root: &Path) -> Result<Vec<String>> {
    let folder = root.join("fuzz").join("fuzz_targets");
    let mut names = Vec::new();
    let entries = fs::read_dir(&folder)
        .with_context(|| format!("no fuzz targets: cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.extension() == Some(OsStr::new("rs"))
            && let Some(name) = path.file_stem().and_then(OsStr::to_str)
        {
            names.push(name.to_owned());
        }
    }
    ensure!(!names.is_empty(), "no fuzz targets in {}", folder.display());
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::Selection;

    #[test]
    fn crates_and_names_are_told_apart() {
        let read = |arguments: &[&'static str]| Selection::read(arguments).unwrap();
        assert_eq!(read(&[]).crates(), ["--workspace"]);
        let selection = read(&["-p", "a", "name", "--package=b", "--", "-p", "c"]);
        assert_eq!(selection.crates(), ["--package", "a", "--package", "b"]);
        assert_eq!(selection.rest, ["name", "--", "-p", "c"]);
        assert!(Selection::read(&["-p"]).is_err());
    }
}
