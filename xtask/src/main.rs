//! The project's automation: `cargo xtask run`, `test`, `ci`, and the checks behind them.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool for the terminal")]

mod ci;
mod deps;
mod mpi;
mod needs;
mod openspiel;
mod process;
mod steps;
mod tidy;
mod web;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  run [ARGS...]              build, and start the site on http://127.0.0.1:8080;
                             ARGS go to `oware serve`
  test [ARGS...]             run every test; ARGS go to the runner of the Rust tests, and
                             leave out the others: -p CRATE, or a part of a test's name
  web [SCRIPT [ARGS...]]     bring the pages' tools, build the pages, run a script of
                             web/package.json: check, format, test, e2e, measure,
                             shots DIR, dev, codegen
  ci [--long]                what .ci/run runs: format, checks, lints, docs, tests;
                             --long adds a million random moves against the oracle
  mpi [--layers N]           exchanges and builds of tables to layer N (9) over Open MPI and
                             MPICH, where they are installed, with up to 8 ranks
  fuzz [SECONDS] [TARGET]    run the fuzz targets (needs cargo-fuzz), 60 seconds each
  openspiel [GAMES] [SEED]   compare random games with OpenSpiel's oware (needs Python);
                             10000 games with seed 1

The exit status is 0 if all went well, 2 for a wrong command line, 1 otherwise.
";

/// The exit status for a wrong command line.
const BAD_USAGE: u8 = 2;

/// The workspace's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in a folder").to_owned()
}

/// A command line that was understood.
#[derive(Debug, PartialEq, Eq)]
enum Command<'a> {
    Run(&'a [&'a str]),
    Test(&'a [&'a str]),
    Web(&'a [&'a str]),
    Ci { long: bool },
    Mpi { layers: &'a str },
    Fuzz { seconds: u32, target: Option<&'a str> },
    OpenSpiel { games: &'a str, seed: &'a str },
    Help,
}

/// Reads a command line; an error says what was expected.
fn read<'a>(arguments: &'a [&'a str]) -> Result<Command<'a>, String> {
    let Some((&name, rest)) = arguments.split_first() else {
        return Err("a command is missing".into());
    };
    let at_most = |count: usize| match rest.get(count) {
        Some(extra) => Err(format!("{name}: unexpected argument {extra:?}")),
        None => Ok(()),
    };
    let number = |place: usize, field: &str, default: &'a str, least: u32| {
        let text = rest.get(place).copied().unwrap_or(default);
        match text.parse::<u32>() {
            Ok(value) if value >= least => Ok((text, value)),
            _ => Err(format!(
                "{name}: {field} is {text:?}, expected a whole number from {least} to {}",
                u32::MAX
            )),
        }
    };
    match name {
        "run" => Ok(Command::Run(rest)),
        "test" => Ok(Command::Test(rest)),
        "web" => Ok(Command::Web(rest)),
        "ci" => match rest {
            [] => Ok(Command::Ci { long: false }),
            ["--long"] => Ok(Command::Ci { long: true }),
            [extra, ..] => Err(format!("ci: unexpected argument {extra:?}, expected --long")),
        },
        "mpi" => match rest {
            [] => Ok(Command::Mpi { layers: mpi::LAYERS }),
            ["--layers", layers] if layers.parse().is_ok_and(|n: u8| (4..=48).contains(&n)) => {
                Ok(Command::Mpi { layers })
            }
            _ => Err("mpi: expected nothing, or --layers and a number from 4 to 48".into()),
        },
        "fuzz" => {
            at_most(2)?;
            let (_, seconds) = number(0, "SECONDS", "60", 1)?;
            Ok(Command::Fuzz { seconds, target: rest.get(1).copied() })
        }
        "openspiel" => {
            at_most(2)?;
            let (games, _) = number(0, "GAMES", "10000", 1)?;
            let (seed, _) = number(1, "SEED", "1", 0)?;
            Ok(Command::OpenSpiel { games, seed })
        }
        "help" | "--help" | "-h" => Ok(Command::Help),
        _ => Err(format!("unknown command {name:?}")),
    }
}

fn execute(command: &Command<'_>) -> Result<()> {
    let root = root();
    match *command {
        Command::Run(arguments) => steps::serve(&root, arguments),
        Command::Test(arguments) => steps::test(&root, arguments),
        Command::Web(arguments) => steps::web(&root, arguments),
        Command::Ci { long } => ci::run(&root, long),
        Command::Mpi { layers } => {
            let skipped = mpi::check(&root, &mpi::Settings { layers, install: false })?;
            skipped.map_or(Ok(()), |why| Err(anyhow::anyhow!("{why}")))
        }
        Command::Fuzz { seconds, target } => steps::fuzz(&root, seconds, target),
        Command::OpenSpiel { games, seed } => openspiel::compare(&root, games, seed),
        Command::Help => {
            print!("{USAGE}");
            Ok(())
        }
    }
}

fn main() -> ExitCode {
    let mut arguments = Vec::new();
    for argument in std::env::args_os().skip(1) {
        match argument.into_string() {
            Ok(argument) => arguments.push(argument),
            Err(argument) => {
                eprintln!("error: argument {} is not UTF-8", argument.display());
                return ExitCode::from(BAD_USAGE);
            }
        }
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let command = match read(&arguments) {
        Ok(command) => command,
        Err(message) => {
            eprint!("error: {message}\n\n{USAGE}");
            return ExitCode::from(BAD_USAGE);
        }
    };
    match execute(&command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Command, read};

    #[test]
    fn command_lines_are_read() {
        assert_eq!(read(&["run", "--ascii"]), Ok(Command::Run(&["--ascii"])));
        assert_eq!(read(&["ci"]), Ok(Command::Ci { long: false }));
        assert_eq!(read(&["mpi"]), Ok(Command::Mpi { layers: "9" }));
        assert_eq!(read(&["mpi", "--layers", "16"]), Ok(Command::Mpi { layers: "16" }));
        assert_eq!(read(&["fuzz"]), Ok(Command::Fuzz { seconds: 60, target: None }));
        assert_eq!(
            read(&["fuzz", "5", "ogn"]),
            Ok(Command::Fuzz { seconds: 5, target: Some("ogn") })
        );
        assert_eq!(read(&["openspiel", "50"]), Ok(Command::OpenSpiel { games: "50", seed: "1" }));
    }

    #[test]
    fn wrong_command_lines_are_refused() {
        for wrong in [
            &[][..],
            &["tests"],
            &["ci", "--short"],
            &["ci", "--long", "--long"],
            &["mpi", "--layers"],
            &["mpi", "--layers", "49"],
            &["mpi", "16"],
            &["fuzz", "soon"],
            &["fuzz", "0"],
            &["fuzz", "-1"],
            &["fuzz", "1", "a", "b"],
            &["openspiel", "10", "seed"],
        ] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }
}
