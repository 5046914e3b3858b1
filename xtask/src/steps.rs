//! The steps of the commands, each a program that is run and timed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::{deps, tidy};

/// Runs a program in the workspace's folder and fails if it fails.
fn execute(
    root: &Path,
    program: &str,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> Result<()> {
    let shown = format!("{program} {}", arguments.join(" "));
    let status = Command::new(program)
        .args(arguments)
        .envs(variables.iter().copied())
        .current_dir(root)
        .status()
        .with_context(|| format!("cannot start {shown}"))?;
    ensure!(status.success(), "`{shown}` failed ({status})");
    Ok(())
}

fn cargo(root: &Path, arguments: &[&str]) -> Result<()> {
    execute(root, env!("CARGO"), arguments, &[])
}

/// Whether a program answers to these arguments.
fn answers(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// `cargo xtask run`.
pub(crate) fn play(root: &Path, arguments: &[&str]) -> Result<()> {
    let fixed = ["run", "--quiet", "--release", "--package", "oware-cli", "--", "play"];
    cargo(root, &[&fixed[..], arguments].concat())
}

/// `cargo xtask test`: every test and every example in the documentation.
pub(crate) fn test(root: &Path) -> Result<()> {
    if answers(env!("CARGO"), &["nextest", "--version"]) {
        cargo(root, &["nextest", "run", "--workspace", "--no-fail-fast"])?;
        return cargo(root, &["test", "--workspace", "--doc"]);
    }
    println!("cargo-nextest is not installed: using cargo test");
    cargo(root, &["test", "--workspace", "--no-fail-fast"])
}

/// `cargo xtask fuzz`.
pub(crate) fn fuzz(root: &Path, seconds: &str, target: Option<&str>) -> Result<()> {
    ensure!(seconds.parse::<u32>().is_ok(), "SECONDS is {seconds:?}, expected a whole number");
    if !answers(env!("CARGO"), &["fuzz", "--version"]) {
        bail!("cargo-fuzz is not installed: cargo install cargo-fuzz");
    }
    let mut targets: Vec<String> = std::fs::read_dir(root.join("fuzz/fuzz_targets"))?
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()))
        .filter(|name| target.is_none_or(|wanted| wanted == name))
        .collect();
    targets.sort();
    ensure!(!targets.is_empty(), "TARGET is {target:?}, expected a file of fuzz/fuzz_targets");
    // The instrumentation needs nightly options; a stable compiler takes them on this word.
    let unstable = [("RUSTC_BOOTSTRAP", "1")];
    for name in targets {
        let time = format!("-max_total_time={seconds}");
        execute(root, env!("CARGO"), &["fuzz", "run", &name, "--", &time], &unstable)?;
    }
    Ok(())
}

struct Clock {
    rows: Vec<(&'static str, Duration)>,
}

impl Clock {
    fn step(&mut self, name: &'static str, step: impl FnOnce() -> Result<()>) -> Result<()> {
        println!("== {name}");
        let start = Instant::now();
        let result = step().with_context(|| format!("step {name:?} failed"));
        self.rows.push((name, start.elapsed()));
        result
    }
}

/// `cargo xtask ci`.
pub(crate) fn ci(root: &Path, long: bool) -> Result<()> {
    let mut clock = Clock { rows: Vec::new() };
    let outcome = ci_steps(root, long, &mut clock);
    println!("\n{:<24} seconds", "step");
    for (name, time) in &clock.rows {
        println!("{name:<24} {:>7.1}", time.as_secs_f64());
    }
    outcome
}

fn ci_steps(root: &Path, long: bool, clock: &mut Clock) -> Result<()> {
    clock.step("format", || cargo(root, &["fmt", "--all", "--check"]))?;
    clock.step("tidy", || tidy::check(root))?;
    clock.step("dependencies", || deps::check(root))?;
    clock.step("clippy", || {
        cargo(root, &["clippy", "--workspace", "--all-targets", "--locked", "--", "-Dwarnings"])
    })?;
    clock.step("docs", || {
        let arguments = ["doc", "--workspace", "--no-deps", "--document-private-items"];
        execute(root, env!("CARGO"), &arguments, &[("RUSTDOCFLAGS", "-Dwarnings")])
    })?;
    clock.step("wasm32", || wasm(root))?;
    clock
        .step("release build", || cargo(root, &["build", "--release", "--package", "oware-cli"]))?;
    if long {
        clock.step("oracle, a million moves", || {
            let arguments = ["test", "--release", "--package", "oware-rules", "--test", "oracle"];
            execute(root, env!("CARGO"), &arguments, &[("OWARE_ORACLE_MOVES", "1000000")])
        })?;
    }
    clock.step("test", || test(root))
}

/// The rules, notation and search must build for the browser.
fn wasm(root: &Path) -> Result<()> {
    const TARGET: &str = "wasm32-unknown-unknown";
    let output =
        Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    let installed = output
        .is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir());
    if !installed {
        println!("not checked: the target {TARGET} is not installed (rustup target add {TARGET})");
        return Ok(());
    }
    cargo(
        root,
        &[
            "check",
            "--target",
            TARGET,
            "-p",
            "oware-rules",
            "-p",
            "oware-notation",
            "-p",
            "oware-search",
        ],
    )
}
