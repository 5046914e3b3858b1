//! What an analysis finds, as the wire tells it.

use std::cmp::Ordering;

use oware_app::analysis::{
    Bound, GameAnalysis, Known, MoveValue, PlayerReport, PlyAnalysis, Point,
};
use oware_app::knowledge::Basis;
use oware_rules::House;

use crate::view;
use crate::wire::{
    BoundOf, GameReport, KnownBy, MoveValueView, PlayerReportView, PointView, ReportPly, ResultOf,
};

/// Houses as letters.
pub(super) fn letters<'a>(houses: impl IntoIterator<Item = &'a House>) -> String {
    houses.into_iter().map(|house| house.letter()).collect()
}

/// A proven result.
fn result(proven: Ordering) -> ResultOf {
    match proven {
        Ordering::Greater => ResultOf::Win,
        Ordering::Equal => ResultOf::Draw,
        Ordering::Less => ResultOf::Loss,
    }
}

fn known(known: Known) -> KnownBy {
    match known {
        Known::Ending => KnownBy::Ending,
        Known::Exact(Basis::AnyLoop | Basis::EvenLoops) => KnownBy::Exact,
        Known::IfEven => KnownBy::IfEven,
        Known::Complete { if_even: false, .. } => KnownBy::Complete,
        Known::Complete { if_even: true, .. } => KnownBy::CompleteIfEven,
        Known::Search { .. } => KnownBy::Search,
    }
}

/// A move with its value.
pub(super) fn move_value(value: &MoveValue) -> MoveValueView {
    MoveValueView {
        house: value.house.to_string(),
        captured: value.captured,
        value: value.score.seeds(),
        bound: match value.bound {
            Bound::Exact => BoundOf::Exact,
            Bound::Lower => BoundOf::Lower,
            Bound::Upper => BoundOf::Upper,
        },
        known: known(value.known),
        depth: value.known.depth(),
        proven: value.proven.map(result),
        least: value.least,
        most: value.most,
        past: value.past,
        chances: [value.chances.win, value.chances.draw, value.chances.loss],
        line: letters(&value.line),
    }
}

fn point(point: Point) -> PointView {
    let chances = point.chances;
    PointView { south: point.south.seeds(), chances: [chances.win, chances.draw, chances.loss] }
}

fn ply(ply: &PlyAnalysis, after: Point) -> ReportPly {
    ReportPly {
        ply: ply.number as u32,
        side: view::side(ply.side),
        forced: ply.is_forced(),
        played: move_value(&ply.played),
        best: move_value(ply.best()),
        lost: ply.lost.seeds(),
        label: ply.label.name().to_owned(),
        point: point(after),
    }
}

fn player(report: &PlayerReport) -> PlayerReportView {
    PlayerReportView {
        moves: report.moves as u32,
        choices: report.choices as u32,
        counts: report.counts.map(|count| count as u32),
        lost: report.lost.seeds(),
        accuracy: report.accuracy(),
    }
}

/// A game that was looked at.
pub(super) fn game(found: &GameAnalysis) -> GameReport {
    // The first point is that of the start, if it was found out.
    let after = found.points().skip(usize::from(found.start.is_some()));
    GameReport {
        start: found.start.map(point),
        plies: found.plies.iter().zip(after).map(|(one, after)| ply(one, after)).collect(),
        players: [player(&found.players[0]), player(&found.players[1])],
        nodes: found.work.nodes,
        elapsed_ms: found.work.elapsed.as_millis() as u64,
    }
}
