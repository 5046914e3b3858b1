//! The project's automation: `cargo xtask run`, `test`, `ci`, and the checks behind them.
#![allow(clippy::print_stdout, clippy::print_stderr)] // a tool for the terminal

mod deps;
mod openspiel;
mod steps;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
usage: cargo xtask COMMAND

  run [ARGS...]              build, and open a game in the terminal; ARGS go to `oware play`
  test                       run every test
  ci [--long]                what .ci/run runs: format, lints, docs, checks, tests
  fuzz [SECONDS] [TARGET]    run the fuzz targets (needs cargo-fuzz), 60 seconds each
  openspiel [GAMES] [SEED]   compare random games with OpenSpiel's oware (needs Python)
";

/// The workspace's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in a folder").to_owned()
}

fn run(arguments: &[String]) -> Result<()> {
    let rest: Vec<&str> = arguments.iter().skip(1).map(String::as_str).collect();
    match arguments.first().map(String::as_str) {
        Some("run") => steps::play(&root(), &rest),
        Some("test") if rest.is_empty() => steps::test(&root()),
        Some("ci") if matches!(rest[..], [] | ["--long"]) => steps::ci(&root(), !rest.is_empty()),
        Some("fuzz") if rest.len() <= 2 => {
            let seconds = rest.first().copied().unwrap_or("60");
            steps::fuzz(&root(), seconds, rest.get(1).copied())
        }
        Some("openspiel") if rest.len() <= 2 => {
            let games = rest.first().copied().unwrap_or("10000");
            openspiel::compare(&root(), games, rest.get(1).copied().unwrap_or("1"))
        }
        _ => bail!("{USAGE}"),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
