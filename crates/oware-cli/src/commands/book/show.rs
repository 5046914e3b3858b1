//! `oware book show`: what a book holds of a position.

use std::fmt::Write as _;
use std::process::ExitCode;

use anyhow::bail;
use oware_app::book::{BookMove, Mark};
use oware_app::{Book, Opening, play_moves};
use oware_rules::{Game, House};
use serde_json::{Value, json};

use super::SourceArgs;
use super::words::{letters, mark};
use crate::commands::position::PositionArgs;
use crate::output::print;

const EXAMPLES: &str = "\
For each move: what the player to move still takes more than his opponent, by the book; what that
is less than by the best; the same as the search found it that valued the board, and how many plies
it looked ahead; what the deeper search said of the move, with its value and plies; the line that
both would play on. A * is before the move that the program plays. Stores are no part of a book.

With --json one object: rules, houses (seen by the player to move), play (the move played, or
null), value, and moves: an object with value, loss, found, depth, check, checked,
checked_depth and line for each, under
its letter. Outside the book value and moves are null.

Examples:
  oware book show
  oware book show --moves FfBe
  oware book show --book awari.owb --rules awari --json";

/// Arguments of `oware book show`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    position: PositionArgs,
    /// Moves to play first, such as FfBe
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    let start = args.position.resolve()?;
    let book = args.source.open(&args.position.rules)?;
    let game = match play_moves(start, &args.moves) {
        Ok(game) => game,
        Err(fault) => match fault.ply {
            Some(ply) => bail!("--moves: ply {ply}: {fault}"),
            None => bail!("--moves: {fault}"),
        },
    };
    let entry = book.find(game.position().board());
    print(&match args.json {
        true => format!("{}\n", object(&book, &game, entry)),
        false => text(&book, &game, entry),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The line that both would play, beginning with a move.
fn line_after(book: &Book, game: &Game, known: &BookMove) -> String {
    let mut line = vec![known.mv];
    line.extend(known.leads_to.map_or(Vec::new(), |next| book.line(next)));
    letters(game.position().to_move(), &line)
}

fn text(book: &Book, game: &Game, entry: Option<usize>) -> String {
    let position = game.position();
    let mover = position.to_move();
    let mut text = format!("{position}\n");
    let Some((entry, value)) = entry.and_then(|entry| Some((entry, book.value(entry)?))) else {
        return text + "not in the book\n";
    };
    let plays = book.choose(game, position.board());
    let _ = writeln!(text, "{mover} to move, {value} seeds still to come by the book\n");
    text += "  move  value   loss   by search    by a deeper one   line\n";
    for known in book.moves(entry) {
        let star = if plays == Some(known.mv) { '*' } else { ' ' };
        let loss = if known.mark == Mark::Refused {
            "-".to_owned()
        } else {
            format!("{:.2}", known.loss.seeds())
        };
        let checked = known
            .checked
            .map_or(String::new(), |(value, depth)| format!("{:>6} {depth:>3}", value.to_string()));
        let _ = writeln!(
            text,
            "{star} {:<4} {:>6} {loss:>6} {:>6} {:>4}  {:<7} {checked:<10} {}",
            House::of(mover, known.mv).letter(),
            known.value.to_string(),
            known.found.to_string(),
            known.depth,
            mark(known.mark),
            line_after(book, game, &known)
        );
    }
    text
}

fn object(book: &Book, game: &Game, entry: Option<usize>) -> Value {
    let position = game.position();
    let letter = |mv| House::of(position.to_move(), mv).letter().to_string();
    let moves = entry.map(|entry| {
        let object = |known: &BookMove| {
            json!({
                "value": known.value.seeds(),
                "loss": (known.mark != Mark::Refused).then(|| known.loss.seeds()),
                "found": known.found.seeds(),
                "depth": known.depth,
                "check": (known.mark != Mark::Unchecked).then(|| mark(known.mark)),
                "checked": known.checked.map(|(value, _)| value.seeds()),
                "checked_depth": known.checked.map(|(_, depth)| depth),
                "line": line_after(book, game, known),
            })
        };
        let moves = book.moves(entry);
        Value::Object(moves.iter().map(|known| (letter(known.mv), object(known))).collect())
    });
    json!({
        "rules": game.rules().id(),
        "houses": oware_rules::SowingBoard::houses(position.board()),
        "play": book.choose(game, position.board()).map(letter),
        "value": entry.and_then(|entry| book.value(entry)).map(oware_app::analysis::Score::seeds),
        "moves": moves,
    })
}
