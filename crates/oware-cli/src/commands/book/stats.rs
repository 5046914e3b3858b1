//! `oware book stats`: how large a book is, and how it was built.

use std::fmt::Write as _;
use std::process::ExitCode;

use oware_app::Book;
use oware_app::book::{Mark, Recipe};
use serde_json::json;

use super::SourceArgs;
use super::words::{Amount, letters, side_after};
use crate::output::print;

const EXAMPLES: &str = "\
With --json one object: rules, boards, moves, kept, refused, bytes, value (of the start, in seeds),
line, plies (boards by the number of moves from the start), and build: the command that builds it.

Examples:
  oware book stats
  oware book stats --book my.owb --json";

/// Arguments of `oware book stats`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &StatsArgs) -> anyhow::Result<ExitCode> {
    let book = args.source.read()?;
    let plies = plies(&book);
    let [moves, kept, refused] = counts(&book);
    let (boards, bytes) = (book.entries().len(), book.to_bytes().len());
    let line = letters(side_after(0), &book.line(0));
    let (rules, build) = (book.recipe().rules.id(), command(book.recipe(), boards));
    let value = book.value(0).unwrap_or_default();
    if args.json {
        let object = json!({
            "rules": rules, "boards": boards, "moves": moves, "kept": kept, "refused": refused,
            "bytes": bytes, "value": value.seeds(), "line": line, "plies": plies, "build": build,
        });
        print(&format!("{object}\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!(
        "book     {}\nrules    {rules}\nboards   {boards} with {moves} moves, {bytes} bytes\n\
         checked  {kept} moves kept, {refused} refused\nvalue    {value} for South at the start\n\
         line     {line}\nbuilt by {build}\n\nplies   boards\n",
        args.source.name()
    );
    for (ply, boards) in plies.iter().enumerate() {
        let _ = writeln!(text, "{ply:>5} {boards:>8}");
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Boards by the number of moves by which they were first reached.
fn plies(book: &Book) -> Vec<usize> {
    let mut plies: Vec<usize> = Vec::new();
    let mut counts = Vec::new();
    for entry in book.entries() {
        let ply = entry.from.map_or(0, |(from, _)| plies[from as usize] + 1);
        plies.push(ply);
        counts.resize(counts.len().max(ply + 1), 0);
        counts[ply] += 1;
    }
    counts
}

/// All moves, those kept, those refused.
fn counts(book: &Book) -> [usize; 3] {
    let moves = || book.entries().iter().flat_map(|entry| &entry.moves);
    let of = |mark| moves().filter(|valued| valued.mark == mark).count();
    [moves().count(), of(Mark::Kept), of(Mark::Refused)]
}

/// The command that builds a book of this kind.
fn command(recipe: &Recipe, boards: usize) -> String {
    let Recipe { rules, nodes, own_weight, other_weight, check_nodes, margin, most_loss } = recipe;
    format!(
        "oware book build --rules {rules} --nodes {nodes} --expansions {boards} \
         --check-nodes {check_nodes} --margin {} --most-loss {} --own-weight {own_weight} \
         --other-weight {other_weight} --output FILE",
        Amount(*margin),
        Amount(*most_loss)
    )
}
