//! Searches for a book: many boards at once, each by one thread, so that what is found does not
//! depend on how many threads there are.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use oware_rules::{Board, Game, MoveSet, Position, Rules, Setup, Side, SowingBoard, TOTAL_SEEDS};
use oware_search::{Control, Engine, HashError, Limits, Options, Report};

use super::{Recipe, Valued};

/// The largest transposition table of a thread, in MiB.
const MOST_HASH_MIB: u64 = 16;

/// Size of each thread's transposition table, for searches of so many positions. It has a part
/// in what is found, and so it follows from them: room for every position, up to a limit.
fn hash_mib(nodes: u64) -> usize {
    nodes.div_ceil(1 << 14).clamp(1, MOST_HASH_MIB).next_power_of_two() as usize
}

/// One engine for each thread.
pub(super) struct Study {
    engines: Vec<Engine>,
}

impl Study {
    /// Made for searches of so many positions.
    pub(super) fn new(threads: usize, nodes: u64) -> Result<Study, HashError> {
        let engine = |_| {
            let options = Options { hash_mib: hash_mib(nodes), threads: 1, ..Options::default() };
            Engine::new(options)
        };
        Ok(Study { engines: (0..threads.max(1)).map(engine).collect::<Result<_, _>>()? })
    }

    /// Answers to all jobs, in their order; `None` if it was told to stop before the last.
    pub(super) fn all<J: Sync, A: Send>(
        &mut self,
        jobs: &[J],
        stop: &AtomicBool,
        answer: impl Fn(&mut Searcher<'_>, &J) -> A + Sync,
    ) -> Option<Vec<A>> {
        let next = AtomicUsize::new(0);
        let answers: Vec<Mutex<Option<A>>> = jobs.iter().map(|_| Mutex::new(None)).collect();
        let work = |engine: &mut Engine| {
            let mut searcher = Searcher { engine, stop };
            while !stop.load(Ordering::Relaxed) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(job) = jobs.get(number) else { break };
                let found = answer(&mut searcher, job);
                // What a search found that was told to stop is not what it would have found.
                if !stop.load(Ordering::Relaxed) {
                    *answers[number].lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
                }
            }
        };
        thread::scope(|scope| {
            for engine in self.engines.iter_mut().take(jobs.len()) {
                scope.spawn(|| work(engine));
            }
        });
        answers
            .into_iter()
            .map(|a| a.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect()
    }
}

/// What answers one job after the other.
pub(super) struct Searcher<'a> {
    engine: &'a mut Engine,
    stop: &'a AtomicBool,
}

impl Searcher<'_> {
    /// The values of these moves of a board, best first.
    ///
    /// All searches of a job share a transposition table that is empty at its beginning; `first`
    /// says that this is it.
    pub(super) fn search(
        &mut self,
        board: Board,
        rules: &Rules,
        asked: Asked,
        first: bool,
    ) -> Vec<Valued> {
        if first {
            self.engine.clear();
        }
        let Some((game, ahead)) = game_at(board, rules) else { return Vec::new() };
        let Asked { moves, lines, nodes } = asked;
        let limits = Limits { nodes: Some(nodes), moves: Some(moves), lines, ..Limits::default() };
        let control = Control::new();
        let report = self.engine.search(&game, &limits, &control, &mut |_| {
            if self.stop.load(Ordering::Relaxed) {
                control.stop();
            }
        });
        values(&report, ahead)
    }

    /// Every move of a board with its value, from the mover's left.
    pub(super) fn value(&mut self, board: Board, recipe: &Recipe) -> Vec<Valued> {
        let moves = board.legal(&recipe.rules);
        let asked = Asked { moves, lines: moves.len(), nodes: recipe.nodes };
        let mut values = self.search(board, &recipe.rules, asked, true);
        values.sort_by_key(|valued| valued.mv);
        values
    }
}

/// What to search.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    pub(super) moves: MoveSet,
    pub(super) lines: usize,
    pub(super) nodes: u64,
}

/// A game without a past that stands at a board, what is not on it being shared out as evenly as
/// it can be; and the hundredths by which the mover's store is ahead.
fn game_at(board: Board, rules: &Rules) -> Option<(Game, i32)> {
    let taken = TOTAL_SEEDS - board.mover_total() - board.opponent_total();
    let stores = [taken / 2, taken - taken / 2];
    let setup = Setup::from_mover(board.houses(), stores, Side::South);
    let position = Position::new(setup, *rules).ok()?;
    Some((Game::from_position(position), -100 * i32::from(taken % 2)))
}

fn values(report: &Report, ahead: i32) -> Vec<Valued> {
    let valued = |line: &oware_search::Line| Valued {
        mv: line.mv,
        found: oware_search::Score::of_hundredths(line.score.hundredths() - ahead),
        depth: line.depth as u8,
        mark: super::Mark::Unchecked,
        checked: None,
    };
    report.lines.iter().map(valued).collect()
}
