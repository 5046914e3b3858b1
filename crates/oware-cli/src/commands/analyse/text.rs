//! The analysis of a position, for people.

use std::fmt::Write as _;

use oware_app::analysis::{MoveValue, PositionAnalysis, words};
use oware_notation::{MoveStyle, StatedMove, write_moves};
use oware_rules::{Game, House, SowingBoard};

use super::How;
use crate::commands::words as game_words;

/// A line goes on for this many moves where people read it.
const LINE: usize = 16;

/// What is known of the moves of a position.
pub(super) fn position(game: &Game, found: &PositionAnalysis, how: &How<'_>) -> String {
    let mut out = header(game);
    if let Some(ending) = &found.ending {
        let _ = writeln!(out, "The game is over: {}.", game_words::ending(ending, game.rules()));
        return out;
    }
    let _ = writeln!(out, "{}; {}\n", how.sentence(), work(found.work.nodes, found.work.elapsed));
    out += &table(&found.moves);
    if found.moves.len() < found.legal {
        let _ = writeln!(out, "  ({} of {} moves)", found.moves.len(), found.legal);
    }
    out.push('\n');
    out += &legend(&words::legend(&found.moves, game.rules()));
    out
}

fn header(game: &Game) -> String {
    let position = game.position();
    let houses = position.board().houses().map(|seeds| seeds.to_string());
    let (own, other) = houses.split_at(houses.len() / 2);
    let seeds = position.board().total();
    let [south, north] = position.stores();
    format!(
        "{} | {}: {} to move, {seeds} seeds, stores {south}-{north} (South first), {}\n",
        own.join(" "),
        other.join(" "),
        position.to_move(),
        game.rules()
    )
}

/// Positions looked at, and how long it took.
pub(super) fn work(nodes: u64, elapsed: std::time::Duration) -> String {
    format!("{nodes} positions in {:.1} s", elapsed.as_secs_f64())
}

/// A table of moves: what they are worth, how that is known, what it means for the result.
fn table(moves: &[MoveValue]) -> String {
    let known: Vec<String> = moves.iter().map(known).collect();
    let wide = known.iter().map(String::len).chain([15]).max().unwrap_or(15);
    let mut out = format!(
        "  {:<5} {:>9}  {:<wide$}  {:>5} {:>5} {:>5}  line\n",
        "move", "value", "how it is known", "win", "draw", "loss"
    );
    for (value, known) in moves.iter().zip(known) {
        let chances = value.chances;
        let share = |part: u16| format!("{:.1}", f64::from(part) / 10.0);
        let _ = writeln!(
            out,
            "  {:<5} {:>9}  {known:<wide$}  {:>5} {:>5} {:>5}  {}",
            stated(value),
            words::value(value),
            share(chances.win),
            share(chances.draw),
            share(chances.loss),
            line(&value.line)
        );
    }
    out
}

/// How a value is known, and what is proven.
pub(super) fn known(value: &MoveValue) -> String {
    match words::proven(value) {
        Some(proven) => format!("{}; {proven}", words::known(value)),
        None => words::known(value),
    }
}

/// The move with what it captures.
pub(super) fn stated(value: &MoveValue) -> String {
    let captured = Some(value.captured).filter(|&captured| captured > 0);
    StatedMove { house: value.house, captured }.to_string()
}

/// The beginning of a line, as letters that `--moves` takes.
pub(super) fn line(line: &[House]) -> String {
    let moves: Vec<StatedMove> = line.iter().take(LINE).map(|&house| house.into()).collect();
    write_moves(&moves, MoveStyle::Joined)
}

/// Sentences on what the values mean, broken to lines of fewer than 80 characters.
pub(super) fn legend(sentences: &[String]) -> String {
    let mut out = String::new();
    for sentence in sentences {
        let mut column = 0;
        for word in sentence.split(' ') {
            let wide = word.chars().count();
            let gap = match column {
                0 => "",
                _ if column + 1 + wide < 80 => " ",
                _ => "\n  ",
            };
            column = if gap == "\n  " { 2 + wide } else { column + gap.len() + wide };
            out.push_str(gap);
            out.push_str(word);
        }
        out.push('\n');
    }
    out
}
