//! `cargo xtask ci`: every check, each with its name and its time.

use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::process::{cargo, cargo_with, target_is_installed};
use crate::steps::{self, Selection};
use crate::web::Web;
use crate::{deps, mpi, tidy};

/// How a step ended.
enum Outcome {
    Passed,
    /// Not done, and why not.
    Skipped(String),
    /// And what was said of it.
    Failed(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Passed => f.write_str("passed"),
            Outcome::Skipped(why) => write!(f, "SKIPPED: {why}"),
            Outcome::Failed(_) => f.write_str("FAILED"),
        }
    }
}

/// What was done so far.
#[derive(Default)]
struct Log {
    rows: Vec<(&'static str, Duration, Outcome)>,
}

impl Log {
    /// Does a step. A failure is told at once, and the next step is done all the same, so that
    /// one run shows everything that is wrong.
    fn step(&mut self, name: &'static str, step: impl FnOnce() -> Result<()>) {
        self.step_if_possible(name, || step().map(|()| None));
    }

    /// As [`step`](Self::step), for one that may answer why it cannot be done here.
    fn step_if_possible(
        &mut self,
        name: &'static str,
        step: impl FnOnce() -> Result<Option<String>>,
    ) {
        println!("== {name}");
        let start = Instant::now();
        let result = step();
        let time = start.elapsed();
        let outcome = match result {
            Ok(None) => Outcome::Passed,
            Ok(Some(why)) => Outcome::Skipped(why),
            Err(error) => {
                let why = format!("{error:#}");
                eprintln!("{why}");
                Outcome::Failed(why)
            }
        };
        println!("== {name}: {outcome}, {:.1} s", time.as_secs_f64());
        self.rows.push((name, time, outcome));
    }

    /// The table of all steps.
    fn table(&self) -> String {
        let mut table = format!("{:<22} {:>8}  result\n", "step", "seconds");
        for (name, time, outcome) in &self.rows {
            table += &format!("{name:<22} {:>8.1}  {outcome}\n", time.as_secs_f64());
        }
        let total: Duration = self.rows.iter().map(|(_, time, _)| *time).sum();
        table + &format!("{:<22} {:>8.1}\n", "total", total.as_secs_f64())
    }

    /// The steps that failed, each with what was said of it.
    fn failed(&self) -> Vec<String> {
        let failed = self.rows.iter().filter_map(|(name, _, outcome)| match outcome {
            Outcome::Failed(why) => Some(format!("{name}: {}", why.trim_end())),
            _ => None,
        });
        failed.collect()
    }
}

/// Runs every check; `long` adds the ones that take minutes. What failed is told once more at the
/// very end, so that the tail of a log is enough.
pub(crate) fn run(root: &Path, long: bool) -> Result<()> {
    let mut log = Log::default();
    steps(root, long, &mut log);
    print!("\n{}", log.table());
    match log.failed()[..] {
        [] => Ok(()),
        ref failed => bail!("failed:\n{}", failed.join("\n")),
    }
}

/// The steps, those that find most in the least time first.
fn steps(root: &Path, long: bool, log: &mut Log) {
    log.step("format", || cargo(root, &["fmt", "--all", "--check"]));
    log.step("tidy", || tidy::check(root));
    log.step("dependencies", || deps::check(root));
    log.step_if_possible("fuzz manifest", || fuzz_manifest(root));
    log.step("clippy", || {
        cargo(root, &["clippy", "--workspace", "--all-targets", "--locked", "--", "-Dwarnings"])
    });
    log.step("docs", || {
        let arguments = ["doc", "--workspace", "--no-deps", "--locked"];
        cargo_with(root, &arguments, &[("RUSTDOCFLAGS", "-Dwarnings")])
    });
    log.step_if_possible("wasm32", || wasm(root));
    log.step("tests", || steps::tests(root, &Selection::default()));
    log.step("doc tests", || steps::doc_tests(root, &Selection::default()));
    log.step_if_possible("MPI", || {
        mpi::check(root, &mpi::Settings { layers: mpi::LAYERS, install: true })
    });
    log.step("web tests", || steps::web_tests(&Web::set_up(root)?));
    log.step("browser tests", || steps::browser_tests(root, &Web::set_up(root)?));
    if long {
        log.step("oracle, 1000000 moves", || {
            let arguments =
                ["test", "--release", "--locked", "--package", "oware-rules", "--test", "oracle"];
            cargo_with(root, &arguments, &[("OWARE_ORACLE_MOVES", "1000000")])
        });
    }
}

/// The rules must build for the browser.
fn wasm(root: &Path) -> Result<Option<String>> {
    const TARGET: &str = "wasm32-unknown-unknown";
    if !target_is_installed(TARGET) {
        return Ok(Some(format!("the target is missing, `rustup target add {TARGET}` brings it")));
    }
    cargo(root, &["check", "--locked", "--target", TARGET, "--package", "oware-rules"])?;
    Ok(None)
}

/// The fuzz targets are a workspace of their own, which needs tools of its own to build; here
/// its manifest at least must be readable.
fn fuzz_manifest(root: &Path) -> Result<Option<String>> {
    Ok(deps::fuzz_workspace(root)?.is_none().then(|| "there is no fuzz/Cargo.toml".into()))
}

#[cfg(test)]
mod tests {
    use super::Log;
    use anyhow::bail;

    #[test]
    fn a_failure_is_kept_and_the_next_step_is_done() {
        let mut log = Log::default();
        log.step("first", || bail!("broken"));
        log.step_if_possible("second", || Ok(Some("no tool".into())));
        log.step("third", || Ok(()));
        assert_eq!(log.failed(), ["first: broken"]);
        let table = log.table();
        assert!(table.contains("FAILED") && table.contains("SKIPPED: no tool"), "{table}");
        assert_eq!(table.lines().count(), 5);
    }
}
