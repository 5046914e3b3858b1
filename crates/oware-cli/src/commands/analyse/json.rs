//! The analysis of a position or a game as a JSON object in a line; see docs/FORMATS.md.

use std::cmp::Ordering;

use oware_app::analysis::{
    Bound, Chances, GameAnalysis, Known, Label, MoveValue, PlyAnalysis, PositionAnalysis, Score,
    Work,
};
use oware_app::knowledge::Basis;
use oware_notation::{MoveStyle, Record, StatedMove, write_moves};
use oware_rules::{Game, House, Side};
use serde::Serialize;

use super::asked::AskedGame;
use super::{How, PROGRAM};

#[derive(Serialize)]
struct JsonPosition {
    engine: String,
    rules: String,
    position: String,
    mover: String,
    over: Option<&'static str>,
    limits: JsonLimits,
    legal: usize,
    stopped: bool,
    work: JsonWork,
    moves: Vec<JsonMove>,
}

#[derive(Serialize)]
struct JsonLimits {
    depth: Option<u32>,
    nodes: Option<u64>,
    seconds: Option<f64>,
    threads: usize,
    hash_mib: usize,
    tables_in_memory: Option<u8>,
}

#[derive(Serialize)]
struct JsonWork {
    nodes: u64,
    table_hits: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct JsonMove {
    #[serde(rename = "move")]
    house: String,
    captured: u8,
    value: f64,
    bound: &'static str,
    source: &'static str,
    convention: Option<&'static str>,
    depth: Option<u32>,
    proven: Option<&'static str>,
    least: Option<i8>,
    most: Option<i8>,
    past: bool,
    ends: Option<&'static str>,
    wdl: [u16; 3],
    line: String,
}

#[derive(Serialize)]
struct JsonPoint {
    south: f64,
    wdl: [u16; 3],
}

#[derive(Serialize)]
struct JsonPly {
    ply: usize,
    side: String,
    legal: usize,
    played: JsonMove,
    best: Vec<JsonMove>,
    lost: f64,
    given_away: f64,
    label: &'static str,
    after: JsonPoint,
}

#[derive(Serialize)]
struct JsonPlayer<'a> {
    name: Option<&'a str>,
    moves: usize,
    choices: usize,
    labels: serde_json::Map<String, serde_json::Value>,
    lost_a_move: Option<f64>,
    accuracy: Option<f64>,
}

#[derive(Serialize)]
struct JsonGame<'a> {
    engine: String,
    file: &'a str,
    game: Option<usize>,
    rules: String,
    start: String,
    over: Option<&'static str>,
    result: Option<String>,
    limits: JsonLimits,
    plies: usize,
    analysed: usize,
    stopped: bool,
    work: JsonWork,
    south: JsonPlayer<'a>,
    north: JsonPlayer<'a>,
    before: Option<JsonPoint>,
    moves: Vec<JsonPly>,
}

#[derive(Serialize)]
struct JsonFault<'a> {
    error: &'a str,
    file: &'a str,
    game: Option<usize>,
}

/// What is known of the moves of a position.
pub(super) fn position(
    game: &Game,
    found: &PositionAnalysis,
    how: &How<'_>,
) -> serde_json::Result<String> {
    object(&JsonPosition {
        engine: engine(),
        rules: game.rules().id(),
        position: found.position.to_string(),
        mover: found.position.to_move().to_string(),
        over: found.ending.map(|ending| ending.reason.name()),
        limits: limits(how),
        legal: found.legal,
        stopped: found.stopped,
        work: work(found.work),
        moves: found.moves.iter().map(value).collect(),
    })
}

/// What is known of a game.
pub(super) fn game(
    asked: &AskedGame,
    record: &Record,
    game: &Game,
    found: &GameAnalysis,
    how: &How<'_>,
) -> serde_json::Result<String> {
    let mut points = found.points();
    let before = points.next().map(|found| point(found.south, found.chances));
    let moves = found.plies.iter().map(ply).collect();
    object(&JsonGame {
        engine: engine(),
        file: &asked.file,
        game: asked.number,
        rules: game.rules().id(),
        start: game.start().to_string(),
        over: game.ending().map(|ending| ending.reason.name()),
        result: game.ending().map(|ending| ending.score.to_string()),
        limits: limits(how),
        plies: found.length,
        analysed: found.plies.len(),
        stopped: found.stopped,
        work: work(found.work),
        south: player(record, found, Side::South),
        north: player(record, found, Side::North),
        before,
        moves,
    })
}

/// A game that cannot be analysed.
pub(super) fn fault(asked: &AskedGame, why: &str) -> serde_json::Result<String> {
    object(&JsonFault { error: why, file: &asked.file, game: asked.number })
}

fn object(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}

fn engine() -> String {
    format!("oware {PROGRAM}")
}

fn limits(how: &How<'_>) -> JsonLimits {
    JsonLimits {
        depth: how.effort.depth,
        nodes: how.effort.nodes,
        seconds: how.effort.time.map(|time| time.as_secs_f64()),
        threads: how.args.threads(),
        hash_mib: how.args.hash(),
        tables_in_memory: how.in_memory,
    }
}

fn work(work: Work) -> JsonWork {
    JsonWork { nodes: work.nodes, table_hits: work.table_hits, seconds: work.elapsed.as_secs_f64() }
}

fn wdl(chances: Chances) -> [u16; 3] {
    [chances.win, chances.draw, chances.loss]
}

fn point(south: Score, chances: Chances) -> JsonPoint {
    JsonPoint { south: south.seeds(), wdl: wdl(chances) }
}

fn value(value: &MoveValue) -> JsonMove {
    let (source, convention) = match value.known {
        Known::Ending => ("ending", None),
        Known::Exact(Basis::AnyLoop) => ("table", Some("any")),
        Known::Exact(Basis::EvenLoops) => ("table", Some("even_by_rules")),
        Known::IfEven => ("table", Some("even")),
        Known::Complete { if_even: true, .. } => ("complete", Some("even")),
        Known::Complete { .. } => ("complete", Some("first_return")),
        Known::Search { .. } => ("search", Some("first_return")),
    };
    JsonMove {
        house: value.house.to_string(),
        captured: value.captured,
        value: value.score.seeds(),
        bound: match value.bound {
            Bound::Exact => "exact",
            Bound::Lower => "lower",
            Bound::Upper => "upper",
        },
        source,
        convention,
        depth: value.known.depth(),
        proven: value.proven.map(|result| match result {
            Ordering::Greater => "win",
            Ordering::Equal => "draw",
            Ordering::Less => "loss",
        }),
        least: value.least,
        most: value.most,
        past: value.past,
        ends: value.ending.map(|ending| ending.reason.name()),
        wdl: wdl(value.chances),
        line: letters(&value.line),
    }
}

fn letters(line: &[House]) -> String {
    let moves: Vec<StatedMove> = line.iter().map(|&house| house.into()).collect();
    write_moves(&moves, MoveStyle::Joined)
}

fn ply(ply: &PlyAnalysis) -> JsonPly {
    let played = &ply.played;
    JsonPly {
        ply: ply.number,
        side: ply.side.to_string(),
        legal: ply.legal,
        played: value(played),
        best: ply.best.iter().map(value).collect(),
        lost: ply.lost.seeds(),
        given_away: rounded(ply.given_away, 1e4),
        label: ply.label.name(),
        after: point(played.score_for(Side::South), played.chances_for(Side::South)),
    }
}

/// A fraction without digits that nobody believes.
fn rounded(number: f64, steps: f64) -> f64 {
    (number * steps).round() / steps
}

fn player<'a>(record: &'a Record, found: &GameAnalysis, side: Side) -> JsonPlayer<'a> {
    let report = &found.players[side.index()];
    let count = |label: Label| (label.name().to_owned(), report.count(label).into());
    JsonPlayer {
        name: record.tag(&side.to_string()),
        moves: report.moves,
        choices: report.choices,
        labels: Label::ALL.map(count).into_iter().collect(),
        lost_a_move: report.mean_lost().map(|lost| rounded(lost, 1e4)),
        accuracy: report.accuracy().map(|share| rounded(share, 100.0)),
    }
}
