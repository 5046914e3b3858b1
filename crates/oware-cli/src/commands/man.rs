//! `oware man`.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;
use clap_mangen::Man;

use crate::cli::Cli;
use crate::output::{print, write_file};

const EXAMPLES: &str = "\
Examples:
  oware man | man -l -                         read the page of oware itself
  oware man --dir ~/.local/share/man/man1      install the pages of all commands";

/// Arguments of `oware man`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ManArgs {
    /// Write a page for oware and one for each command into this directory
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

pub(crate) fn run(args: &ManArgs) -> anyhow::Result<ExitCode> {
    // Building hands the full names and the global arguments down to the commands.
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let Some(dir) = &args.dir else {
        print(&page(&command)?)?;
        return Ok(ExitCode::SUCCESS);
    };
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    write_file(&dir.join("oware.1"), page(&command)?.as_bytes())?;
    for sub in command.get_subcommands() {
        let name = format!("oware-{}", sub.get_name());
        let text = page(&sub.clone().display_name(name.clone()))?;
        write_file(&dir.join(name + ".1"), text.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn page(command: &clap::Command) -> anyhow::Result<String> {
    let mut text = Vec::new();
    Man::new(command.clone()).render(&mut text)?;
    Ok(String::from_utf8(text)?)
}
