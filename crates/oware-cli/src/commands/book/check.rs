//! `oware book check`: every move that a book would play, by a deeper search.

use std::path::PathBuf;
use std::process::ExitCode;

use oware_app::Book;
use oware_app::book::{BuildProgress, ExamineJob, Examined, Mark, examine};
use oware_rules::House;
use serde_json::json;

use super::SourceArgs;
use super::build::Teller;
use super::words::{Amount, letters, side_after};
use crate::commands::tables::stop_flag;
use crate::output::{Usage, complain, print, write_file};

const EXAMPLES: &str = "\
Looked at are the boards that come up when one player plays by the book and the other plays
anything in it. A line is written for each move that costs more than it may, with what is better.
With --prune the book is written with what this check found in place of earlier ones: such moves
are refused.

With --json each line has moves (the way to the board), move, loss (in seeds) and better; the last
one has checked and refused.

Examples:
  oware book check --nodes 4000000
  oware book check --book my.owb --nodes 2000000 --most-loss 0.5 --prune";

/// Arguments of `oware book check`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// Positions looked at to check a move [default: four times those of the book's own check]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Moves may cost this many seeds against the best [default: as the book was built]
    #[arg(long, value_name = "SEEDS")]
    most_loss: Option<Amount>,
    /// Refuse the moves that cost more, and write the book
    #[arg(long)]
    prune: bool,
    /// Where to write the book with --prune [default: over the one that is read]
    #[arg(long, short, value_name = "FILE", requires = "prune")]
    output: Option<PathBuf>,
    /// Threads [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Write JSON lines
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let output = args.output.as_ref().or(args.source.book.as_ref());
    if args.prune && output.is_none() {
        let what = "--prune needs --output FILE or --book FILE: a book to write to";
        return Err(Usage(what.into()).into());
    }
    let book = args.source.read()?;
    let recipe = *book.recipe();
    let nodes = args.nodes.unwrap_or(4 * recipe.check_nodes.max(recipe.nodes));
    let book = book.to_be_checked(nodes, args.most_loss.map_or(recipe.most_loss, |most| most.0));
    let stop = stop_flag()?;
    let mut teller = Teller::new(false);
    let mut unread = None;
    let mut counts = [0, 0];
    let (book, whole) = examine(ExamineJob {
        book,
        threads: super::threads(args.threads),
        stop: &stop,
        tell: &mut |progress: &BuildProgress<'_>| {
            teller.tell(progress);
            for found in progress.examined {
                counts[0] += 1;
                if found.mark == Mark::Refused {
                    counts[1] += 1;
                    teller.clear();
                    // The work goes on; that nobody could read of it is told at the end.
                    let printed = print(&line(progress.book, found, args.json));
                    unread = unread.take().or(printed.err());
                }
            }
        },
    })?;
    teller.clear();
    if let Some(error) = unread {
        return Err(error.into());
    }
    if !whole {
        complain(&"stopped before every move was checked; nothing is written");
        return Ok(ExitCode::from(130));
    }
    print(&total(&book, counts, args.json))?;
    if let Some(output) = output.filter(|_| args.prune) {
        write_file(output, &book.to_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn line(book: &Book, found: &Examined, json: bool) -> String {
    let way = book.way_to(found.entry);
    let mover = side_after(way.len());
    let moves = letters(side_after(0), &way);
    let [mv, better] = [found.mv, found.best].map(|mv| House::of(mover, mv).letter());
    let loss = found.loss;
    if json {
        let move_ = mv.to_string();
        let line = json!({"moves": moves, "move": move_, "loss": loss.seeds(),
            "better": better.to_string()});
        return format!("{line}\n");
    }
    let after = if moves.is_empty() { "at the start".to_owned() } else { format!("after {moves}") };
    format!("{after}: {mv} costs {:.2} seeds against {better}\n", loss.seeds())
}

fn total(book: &Book, [checked, refused]: [usize; 2], json: bool) -> String {
    if json {
        return format!("{}\n", json!({"checked": checked, "refused": refused}));
    }
    let recipe = book.recipe();
    format!(
        "{checked} moves checked with {} positions each, {refused} cost more than {} seeds\n",
        recipe.check_nodes,
        Amount(recipe.most_loss)
    )
}
