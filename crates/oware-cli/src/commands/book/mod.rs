//! `oware book`: opening books, built, checked, looked into and written out.

mod build;
mod check;
mod export;
mod show;
mod stats;
mod words;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::anyhow;
use oware_app::Book;
use oware_rules::Rules;

const EXAMPLES: &str = "\
A book says for boards of the opening what each move is worth: the seeds that the player to move
still takes, less those that his opponent still takes. It is built by the program's own search, and
what it plays is checked by a deeper one. One for abapa is part of the program.

Examples:
  oware book show
  oware book show --moves FfBe
  oware book stats
  oware book build --output my.owb --nodes 100000 --expansions 500
  oware book check --book my.owb --nodes 2000000
  oware book export --format ogn --output book.ogn";

/// Arguments of `oware book`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

/// What to do with books.
#[derive(Debug, clap::Subcommand)]
enum BookCommand {
    /// Build a book, or go on with one
    Build(build::BuildArgs),
    /// Say what a book holds of a position
    Show(show::ShowArgs),
    /// Look at every move a book would play by a deeper search
    Check(check::CheckArgs),
    /// Say how large a book is and how it was built
    Stats(stats::StatsArgs),
    /// Write a book as text or as a game record
    Export(export::ExportArgs),
}

pub(crate) fn run(args: &BookArgs) -> anyhow::Result<ExitCode> {
    match &args.command {
        BookCommand::Build(args) => build::run(args),
        BookCommand::Show(args) => show::run(args),
        BookCommand::Check(args) => check::run(args),
        BookCommand::Stats(args) => stats::run(args),
        BookCommand::Export(args) => export::run(args),
    }
}

/// Which book is meant.
#[derive(Debug, clap::Args)]
struct SourceArgs {
    /// A book [default: the one that is part of the program]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
}

impl SourceArgs {
    /// The book, for a game under some rules.
    fn open(&self, rules: &Rules) -> anyhow::Result<Arc<Book>> {
        match &self.book {
            Some(path) => Ok(Book::open(path, rules)?),
            None => Book::built_in(rules).ok_or_else(|| {
                anyhow!(
                    "no book for the rules {rules} is part of the program; one is built by \
                     `oware book build --rules {rules} --output FILE`, and read by --book FILE"
                )
            }),
        }
    }

    /// The book with the rules it was built for.
    fn read(&self) -> anyhow::Result<Book> {
        match &self.book {
            Some(path) => Ok(Book::read(path)?),
            None => Ok((*self.open(&Rules::ABAPA)?).clone()),
        }
    }

    fn name(&self) -> String {
        self.book.as_deref().map_or("built in".to_owned(), |path: &Path| path.display().to_string())
    }
}

/// As many threads as there are processors, if none were asked for.
fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}
