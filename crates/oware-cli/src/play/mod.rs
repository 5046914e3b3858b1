//! `oware play`: a game in the terminal, on the full screen or in plain lines.

mod args;
mod board;
mod line;
mod screen;
mod session;
pub(crate) mod words;

use std::io::{IsTerminal, stdin, stdout};
use std::process::ExitCode;

pub(crate) use args::PlayArgs;

/// Plays. Plain lines are used where they are asked for or nothing else can be shown.
pub(crate) fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if args.line || dumb || !stdin().is_terminal() || !stdout().is_terminal() {
        line::run(args)?;
    } else {
        screen::run(args)?;
    }
    Ok(ExitCode::SUCCESS)
}
