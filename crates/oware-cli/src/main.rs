//! The binary `oware`.
//!
//! Every command is a function from its arguments to an exit code. Faults come up here: a closed
//! pipe is no fault, bad usage is 2, everything else is 1.

mod cli;
mod commands;
mod output;
mod play;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use cli::{Cli, Command};
use output::{Usage, complain, is_closed_pipe};

fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Play(args) => play::run(&args),
        Command::Serve(args) => commands::serve::run(args),
        Command::Analyse(args) => commands::analyse::run(&args),
        Command::Moves(args) => commands::moves::run(&args),
        Command::Replay(args) => commands::replay::run(&args),
        Command::Perft(args) => commands::perft::run(&args),
        Command::Convert(args) => commands::convert::run(&args),
        Command::Tables(args) => commands::tables::run(&args),
        Command::Engine(args) => commands::engine::run(&args),
        Command::Match(args) => commands::matches::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
        Command::Book(args) => commands::book::run(&args),
        Command::Rules(args) => commands::rules::run(&args),
        Command::Completions(args) => commands::completions::run(&args),
        Command::Man(args) => commands::man::run(&args),
    }
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => match error.downcast_ref::<Usage>() {
            Some(usage) => {
                let error = Cli::command().error(clap::error::ErrorKind::ValueValidation, usage);
                let _ = error.print();
                ExitCode::from(2)
            }
            None => {
                complain(&format_args!("{error:#}"));
                ExitCode::FAILURE
            }
        },
    }
}
