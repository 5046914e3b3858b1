//! The analysis of a game, for people: every ply, the faults, the players, the graph.

use std::fmt::Write as _;

use oware_app::analysis::{Chances, GameAnalysis, GraphStyle, Label, PlyAnalysis, graph, words};
use oware_notation::Record;
use oware_rules::{Game, Side};

use super::How;
use super::asked::AskedGame;
use super::text::{known, legend, line, stated, work};
use crate::commands::replay;

/// Lines of the graph above zero, and below.
const GRAPH_HEIGHT: usize = 5;
/// The width where there is no terminal to ask.
const USUAL_WIDTH: usize = 80;
/// The widest that a graph is drawn.
const WIDEST: usize = 200;

/// What is known of a game.
pub(super) fn game(
    asked: &AskedGame,
    record: &Record,
    game: &Game,
    found: &GameAnalysis,
    how: &How<'_>,
) -> String {
    let mut out = format!("{}: {}\n", asked.place(), replay::summary(record, game));
    let _ = writeln!(out, "{}; {}", how.sentence(), work(found.work.nodes, found.work.elapsed));
    if found.stopped {
        let _ = writeln!(out, "Stopped after {} of {} plies.", found.plies.len(), found.length);
    }
    if let Some(start) = found.start.filter(|_| found.plies.is_empty()) {
        let _ = writeln!(out, "No moves; South is expected to end {} ahead.", start.south);
    }
    if found.plies.is_empty() {
        return out;
    }
    out.push('\n');
    out += &plies(&found.plies);
    out += &faults(&found.plies);
    out += &players(record, found);
    let style = GraphStyle { width: width(), height: GRAPH_HEIGHT, ascii: how.args.ascii };
    out += "\nSeeds that South is expected to end ahead, after each ply\n";
    for row in graph(found, &style) {
        out += &row;
        out.push('\n');
    }
    out += "I, M, B: inaccuracy, mistake, blunder of South; i, m, b: of North\n\n";
    let values = found.plies.iter().flat_map(|ply| [&ply.played, ply.best()]);
    out += &legend(&words::legend(values, game.rules()));
    out
}

/// A line for each ply.
fn plies(plies: &[PlyAnalysis]) -> String {
    let mut out = format!(
        "{:>5} {:<5} {:>7} {:>11}  {:<5} {:>7} {:>6}  {:<10}  how it is known\n",
        "ply", "move", "value", "w/d/l %", "best", "value", "lost", "label"
    );
    for ply in plies {
        let label = if ply.is_forced() { "only move" } else { ply.label.name() };
        let _ = writeln!(
            out,
            "{:>5} {:<5} {:>7} {:>11}  {:<5} {:>7} {:>6.2}  {label:<10}  {}",
            ply.number,
            stated(&ply.played),
            words::value(&ply.played),
            percent(ply.played.chances),
            stated(ply.best()),
            words::value(ply.best()),
            ply.lost.seeds(),
            known(&ply.played)
        );
    }
    out
}

/// Chances in percent, which add up to 100: `61/9/30`.
fn percent(chances: Chances) -> String {
    let part = |thousandths: u16| (thousandths + 5) / 10;
    let (win, loss) = (part(chances.win), part(chances.loss));
    format!("{win}/{}/{loss}", 100_u16.saturating_sub(win + loss))
}

/// What was wrong and what was better.
fn faults(plies: &[PlyAnalysis]) -> String {
    let mut out = String::new();
    for ply in plies {
        let Some(fault) = words::fault(ply) else { continue };
        if out.is_empty() {
            out += "\nWhat was better\n";
        }
        let best = ply.best();
        let _ = writeln!(
            out,
            "{:>5} {} ({}): {fault}\n      {}  {}  {}",
            ply.number,
            stated(&ply.played),
            ply.side,
            words::value(best),
            known(best),
            line(&best.line)
        );
    }
    out
}

fn players(record: &Record, found: &GameAnalysis) -> String {
    let mut out = format!("\n{:<24}", "");
    for label in Label::ALL {
        let _ = write!(out, " {:>10}", label.name());
    }
    out += "  seeds lost a move  accuracy\n";
    for side in Side::BOTH {
        let player = &found.players[side.index()];
        let name = record.tag(&side.to_string()).unwrap_or("?");
        let name: String = format!("{side} {name}").chars().take(24).collect();
        let _ = write!(out, "{name:<24}");
        for label in Label::ALL {
            let _ = write!(out, " {:>10}", player.count(label));
        }
        let lost = player.mean_lost().map_or("-".to_owned(), |lost| format!("{lost:.2}"));
        let accuracy = player.accuracy().map_or("-".to_owned(), |share| format!("{share:.1}"));
        let _ = writeln!(out, "  {lost:>17}  {accuracy:>8}");
    }
    out
}

/// Characters in a line of the terminal: what it says, else what `COLUMNS` says.
fn width() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let asked = || crossterm::terminal::size().ok().map(|(columns, _)| usize::from(columns));
    told.or_else(asked).unwrap_or(USUAL_WIDTH).clamp(40, WIDEST)
}
