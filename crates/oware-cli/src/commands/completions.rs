//! `oware completions`.

use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::output::print;

const EXAMPLES: &str = "\
Examples:
  oware completions bash > ~/.local/share/bash-completion/completions/oware
  oware completions zsh > ~/.zfunc/_oware
  oware completions fish > ~/.config/fish/completions/oware.fish";

/// Arguments of `oware completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell that shall complete
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "oware", &mut script);
    print(&String::from_utf8(script)?)?;
    Ok(ExitCode::SUCCESS)
}
