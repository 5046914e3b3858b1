//! `oware book export`: a book in forms that others read.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use oware_app::Book;
use oware_app::book::{BookMove, Mark};
use oware_notation::{StatedMove, ogn};
use oware_rules::{Board, Game, House, Move, SowingBoard};

use super::SourceArgs;
use super::words::{letters, mark, side_after};
use crate::output::{print, write_file};

const EXAMPLES: &str = "\
Formats
  text  a line for each board, in the order in which they came into the book: the moves that lead to
        it (- for the start), the twelve houses seen by the player to move, and each move with its
        value and what the check said of it, best first, with tabs between
  ogn   one game record: the main line is the best by the book, other moves are variations, each
        board at the place where it first came into the book

Examples:
  oware book export --format text
  oware book export --book my.owb --format ogn --output my.ogn";

/// Arguments of `oware book export`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// The form to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Format,
    /// Write to a file, whole or not at all, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Lines of boards
    Text,
    /// A game record with variations
    Ogn,
}

pub(crate) fn run(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let book = args.source.read()?;
    let text = match args.format {
        Format::Text => lines(&book),
        Format::Ogn => ogn::write(&record(&book)),
    };
    match &args.output {
        Some(path) => write_file(path, text.as_bytes())?,
        None => print(&text)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn lines(book: &Book) -> String {
    let mut text = String::new();
    for (number, entry) in book.entries().iter().enumerate() {
        let way = book.way_to(number);
        let mover = side_after(way.len());
        text += if way.is_empty() { "-" } else { "" };
        text += &letters(side_after(0), &way);
        text.push('\t');
        text += &entry.board.houses().map(|seeds| seeds.to_string()).join("-");
        for known in book.moves(number) {
            let _ = write!(text, "\t{} {}", House::of(mover, known.mv).letter(), known.value);
            if known.mark != Mark::Unchecked {
                let _ = write!(text, " {}", mark(known.mark));
            }
        }
        text.push('\n');
    }
    text
}

fn record(book: &Book) -> ogn::Record {
    let game = Game::new(book.recipe().rules);
    let mut record = ogn::Record::from_game(&game, Vec::new());
    let comment = "an opening book; numbers are seeds still to come for who plays the move";
    if !book.entries().is_empty() {
        record.line = line(book, 0, 0, None, 0);
    }
    record.line.comments.insert(0, comment.to_owned());
    record
}

/// The best line from an entry, or that which begins with another move; with variations, which
/// are nested no deeper than records may have them.
fn line(book: &Book, entry: usize, ply: usize, first: Option<BookMove>, depth: usize) -> ogn::Line {
    let mut line = ogn::Line::default();
    let (mut at, mut ply, mut first) = (Some(entry), ply, first);
    while let Some(entry) = at {
        let board = book.entries()[entry].board;
        let mut moves = book.moves(entry).into_iter();
        let is_variation = first.is_some();
        let Some(best) = first.take().or_else(|| moves.next()) else { break };
        let mut said = annotated(book, board, ply, &best);
        if !is_variation && depth + 1 < ogn::MAX_NESTING {
            let others = moves.filter(|other| child(book, entry, other.mv).is_some());
            said.notes.extend(others.map(|other| {
                ogn::Note::Variation(self::line(book, entry, ply, Some(other), depth + 1))
            }));
        }
        line.plies.push(said);
        at = child(book, entry, best.mv);
        ply += 1;
    }
    line
}

fn annotated(book: &Book, board: Board, ply: usize, known: &BookMove) -> ogn::Ply {
    let house = House::of(side_after(ply), known.mv);
    let captured = board.sow(known.mv, &book.recipe().rules).captured;
    let mut said = ogn::Ply::from(StatedMove { house, captured: Some(captured) });
    said.notes.push(ogn::Note::Comment(known.value.to_string()));
    said
}

/// The entry that was first reached by this move; so that each board has one place.
fn child(book: &Book, entry: usize, mv: Move) -> Option<usize> {
    let next = book.moves(entry).into_iter().find(|known| known.mv == mv)?.leads_to?;
    (book.entries()[next].from == Some((entry as u32, mv))).then_some(next)
}
