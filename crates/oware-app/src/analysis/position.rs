//! Every move of a position with its value.

use std::time::{Duration, Instant};

use oware_rules::{Ending, Game, House, LoopSplit, Move, MoveSet, Position, Rules, SowingBoard};
use oware_search::{Control, Engine, HashError, Limits, Line, Options, Report, Score, Source};
use oware_tables::TableError;

use super::tables::{Tables, look};
use super::value::{Known, MoveValue};

/// How much is done for a position. Of several limits the first that is met counts; without any
/// a search goes on until it is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Plies looked ahead.
    pub depth: Option<u32>,
    /// Positions looked at. With one thread the same number gives the same on every machine.
    pub nodes: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
}

/// What an analysis took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Positions looked at by searches.
    pub nodes: u64,
    /// Values that searches took from endgame tables.
    pub table_hits: u64,
    /// Time spent.
    pub elapsed: Duration,
}

impl Work {
    /// Adds what something more took.
    pub(super) fn add(&mut self, other: Work) {
        self.nodes += other.nodes;
        self.table_hits += other.table_hits;
        self.elapsed += other.elapsed;
    }
}

/// What is known of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionAnalysis {
    /// The position.
    pub position: Position,
    /// Why the game is over, if it is; then there are no moves.
    pub ending: Option<Ending>,
    /// How many legal moves there are.
    pub legal: usize,
    /// The moves with their values, best first: all of them, or as many as were asked for.
    pub moves: Vec<MoveValue>,
    /// What it took.
    pub work: Work,
    /// Whether it was stopped before it was done.
    pub stopped: bool,
}

/// Analyses positions and games, with an engine and endgame tables.
pub struct Analyst {
    engine: Engine,
    tables: Option<Tables>,
}

impl Analyst {
    /// One without tables.
    ///
    /// # Errors
    /// When there is no memory for the transposition table.
    pub fn new(options: Options) -> Result<Analyst, HashError> {
        Ok(Analyst { engine: Engine::new(options)?, tables: None })
    }

    /// Takes endgame tables, which must be of the rules of the games to be analysed, or lays
    /// them aside; forgets every search so far.
    pub fn set_tables(&mut self, tables: Option<Tables>) {
        let leaves = tables.as_ref().and_then(|tables| tables.leaves.clone());
        self.engine.set_endgame(leaves.map(|leaves| leaves as _));
        self.tables = tables;
    }

    /// Forgets every search so far, so that the next analysis does not depend on it.
    pub fn clear(&mut self) {
        self.engine.clear();
    }

    /// Values the moves of a game's present position: the best `lines` of them, at least one,
    /// or all if there are fewer. A stopped analysis has those that were valued so far.
    ///
    /// # Errors
    /// When an endgame table cannot be read or is damaged.
    pub fn position(
        &mut self,
        game: &Game,
        effort: &Effort,
        lines: usize,
        control: &Control,
    ) -> Result<PositionAnalysis, TableError> {
        self.position_by_depths(game, effort, lines, control, &mut |_, _| {})
    }

    /// The same, and tells `on_depth` the values after each depth that the search finished, with
    /// what it took so far. Where nothing has to be searched it is not called.
    ///
    /// # Errors
    /// When an endgame table cannot be read or is damaged.
    pub fn position_by_depths(
        &mut self,
        game: &Game,
        effort: &Effort,
        lines: usize,
        control: &Control,
        on_depth: &mut dyn FnMut(&[MoveValue], Work),
    ) -> Result<PositionAnalysis, TableError> {
        let mut game = game.clone();
        let legal = game.legal_moves();
        let (moves, work) =
            self.values_by_depths(&mut game, legal, lines, effort, control, on_depth)?;
        Ok(PositionAnalysis {
            position: *game.position(),
            ending: game.ending(),
            legal: legal.len(),
            moves,
            work,
            stopped: control.is_stopped(),
        })
    }

    /// The values of the best `lines` of some legal moves, best first.
    pub(super) fn values(
        &mut self,
        game: &mut Game,
        moves: MoveSet,
        lines: usize,
        effort: &Effort,
        control: &Control,
    ) -> Result<(Vec<MoveValue>, Work), TableError> {
        self.values_by_depths(game, moves, lines, effort, control, &mut |_, _| {})
    }

    fn values_by_depths(
        &mut self,
        game: &mut Game,
        moves: MoveSet,
        lines: usize,
        effort: &Effort,
        control: &Control,
        on_depth: &mut dyn FnMut(&[MoveValue], Work),
    ) -> Result<(Vec<MoveValue>, Work), TableError> {
        let begun = Instant::now();
        let (mut known, mut open) = (Vec::new(), Vec::new());
        for mv in moves {
            let knowledge = self.tables.as_ref().map(|tables| &tables.knowledge);
            let (value, is_known) = look(game, mv, knowledge)?;
            if is_known { known.push(value) } else { open.push(value) }
        }
        let mut work = Work::default();
        let wanted = lines.max(1);
        if !open.is_empty() {
            let report = self.search(game, &open, wanted, effort, control, &mut |report, found| {
                let work = Work {
                    nodes: report.nodes,
                    table_hits: report.table_hits,
                    elapsed: begun.elapsed(),
                };
                on_depth(&sorted(&known, found, wanted), work);
            });
            (work.nodes, work.table_hits) = (report.nodes, report.table_hits);
            let found = take_lines(game, &open, &report, self.rests_on_even(game.rules()));
            known = sorted(&known, found, wanted);
        } else {
            known = sorted(&known, Vec::new(), wanted);
        }
        work.elapsed = begun.elapsed();
        Ok((known, work))
    }

    /// Searches the moves of which nothing else gives a value, and tells what was found of them
    /// at each depth.
    fn search(
        &mut self,
        game: &Game,
        open: &[MoveValue],
        wanted: usize,
        effort: &Effort,
        control: &Control,
        on_depth: &mut dyn FnMut(&Report, Vec<MoveValue>),
    ) -> Report {
        let moves: MoveSet = open.iter().map(|value| value.mv).collect();
        let limits = Limits {
            depth: effort.depth,
            nodes: effort.nodes,
            time: effort.time,
            moves: (moves != game.legal_moves()).then_some(moves),
            lines: wanted.min(open.len()),
            ..Limits::default()
        };
        let if_even = self.rests_on_even(game.rules());
        let mut again = game.clone();
        self.engine.search(game, &limits, control, &mut |report| {
            on_depth(report, take_lines(&mut again, open, report, if_even));
        })
    }

    /// Whether searches ask tables whose loops are not shared as the rules do.
    fn rests_on_even(&self, rules: &Rules) -> bool {
        self.tables.as_ref().is_some_and(|tables| tables.leaves.is_some())
            && (rules.loop_split != LoopSplit::Even || rules.capture_free_limit.is_some())
    }
}

/// The best of the moves that are known and those that were searched, best first.
fn sorted(known: &[MoveValue], found: Vec<MoveValue>, wanted: usize) -> Vec<MoveValue> {
    let mut all = known.to_vec();
    all.extend(found);
    // Equal moves: a proven one first, then from the mover's right, whose seeds reach the
    // opponent soonest.
    all.sort_by_key(|value| {
        std::cmp::Reverse((value.score, value.proven.is_some(), value.mv.index()))
    });
    all.truncate(wanted);
    all
}

/// Takes over what a search found of the moves that it was asked about.
fn take_lines(
    game: &mut Game,
    open: &[MoveValue],
    report: &Report,
    if_even: bool,
) -> Vec<MoveValue> {
    let mut found = Vec::new();
    for line in &report.lines {
        if let Some(value) = open.iter().find(|value| value.mv == line.mv) {
            found.push(take_line(game, value.clone(), line, if_even));
        }
    }
    found
}

/// Takes over what a search found of a move, held to what tables prove of it.
fn take_line(game: &mut Game, mut value: MoveValue, line: &Line, if_even: bool) -> MoveValue {
    let least = value.least.map_or(i32::MIN, |least| 100 * i32::from(least));
    let most = value.most.map_or(i32::MAX, |most| 100 * i32::from(most));
    let score = line.score.hundredths().min(most).max(least);
    value.score = Score::of_hundredths(score);
    value.bound = line.bound;
    value.known = match line.source {
        Source::Table => Known::IfEven,
        Source::Bound => Known::Complete { depth: line.depth, if_even },
        Source::Search => Known::Search { depth: line.depth },
    };
    value.line = playable(game, &line.moves);
    value.chances = value.estimate(game.position().board().total());
    value
}

/// A line as far as it can be played: searches go on behind the end of a game.
fn playable(game: &mut Game, moves: &[Move]) -> Vec<House> {
    let mut line = Vec::new();
    for &mv in moves {
        let house = House::of(game.position().to_move(), mv);
        if game.play_quick(mv).is_err() {
            break;
        }
        line.push(house);
    }
    for _ in &line {
        game.undo();
    }
    line
}
