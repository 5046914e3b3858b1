//! The engine: what lasts from one search to the next, and the search itself.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use oware_rules::{Board, Game, Move, MoveSet, Rules, SowingBoard};

use crate::past::Past;
use crate::root::Root;
use crate::time::Deadline;
use crate::tt::Table;
use crate::worker::{Shared, Worker, gain};
use crate::{Control, DEEPEST, Endgame, Limits, Parts, Report};

/// The largest transposition table, in MiB.
pub const MOST_HASH_MIB: usize = 65_536;
/// The largest number of threads.
pub const MOST_THREADS: usize = 256;

/// How an engine is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Size of the transposition table in MiB, 1 to [`MOST_HASH_MIB`].
    pub hash_mib: usize,
    /// Threads of a search, 1 to [`MOST_THREADS`].
    pub threads: usize,
    /// Whether to search for checking: nothing is cut off but by alpha and beta, and the
    /// transposition table is asked only where the whole capture-free history is the same.
    pub check: bool,
    /// Which parts of the search are at work.
    pub parts: Parts,
}

impl Options {
    fn in_range(self) -> Options {
        Options {
            hash_mib: self.hash_mib.clamp(1, MOST_HASH_MIB),
            threads: self.threads.clamp(1, MOST_THREADS),
            ..self
        }
    }
}

impl Default for Options {
    /// 16 MiB, one thread, every part.
    fn default() -> Options {
        Options { hash_mib: 16, threads: 1, check: false, parts: Parts::ALL }
    }
}

/// There is no memory for a transposition table of this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashError {
    /// The size asked for, in MiB.
    pub mib: usize,
}

impl fmt::Display for HashError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no memory for a transposition table of {} MiB", self.mib)
    }
}

impl std::error::Error for HashError {}

/// An engine with its transposition table, which later searches profit from.
pub struct Engine {
    options: Options,
    table: Table,
    /// The rules of the games whose boards the transposition table holds.
    rules: Option<Rules>,
    endgame: Option<Arc<dyn Endgame>>,
}

impl Engine {
    /// An engine without endgame tables. Options out of range are brought into it.
    ///
    /// # Errors
    /// When there is no memory for the transposition table.
    pub fn new(options: Options) -> Result<Engine, HashError> {
        let options = options.in_range();
        let table = Table::new(options.hash_mib)?;
        Ok(Engine { options, table, rules: None, endgame: None })
    }

    /// How it was made.
    #[must_use]
    pub fn options(&self) -> Options {
        self.options
    }

    /// Changes the options; a transposition table of another size begins empty. On an error the
    /// engine is as it was.
    ///
    /// # Errors
    /// When there is no memory for the transposition table.
    pub fn set_options(&mut self, options: Options) -> Result<(), HashError> {
        let options = options.in_range();
        if options.hash_mib != self.options.hash_mib {
            self.table = Table::new(options.hash_mib)?;
        } else if options.parts != self.options.parts {
            self.table.clear();
        }
        self.options = options;
        Ok(())
    }

    /// Takes endgame tables, or lays them aside; the transposition table is then cleared. They
    /// must be of the table rules of the games to be searched.
    pub fn set_endgame(&mut self, endgame: Option<Arc<dyn Endgame>>) {
        self.endgame = endgame;
        self.clear();
    }

    /// Forgets every search so far.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Searches the game's present position, one ply deeper each time, and tells `on_depth` of
    /// each depth finished. A game that is over by its stores is searched as if it went on.
    ///
    /// There is a best move in the report whenever there is a legal one among those to be looked
    /// at, however soon the search was stopped.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        on_depth: &mut dyn FnMut(&Report),
    ) -> Report {
        let rules = *game.rules();
        if self.rules != Some(rules) {
            self.table.clear();
            self.rules = Some(rules);
        }
        self.table.grow_older();
        let board = game.position().board();
        let past = Past::of(game);
        let endgame = self.endgame.as_deref();
        let (legal, of_tables, known_to) = at_root(board, &rules, endgame, limits);
        let shared = Shared {
            rules,
            parts: self.options.parts,
            check: self.options.check,
            table: &self.table,
            endgame,
            known_to,
            control,
            deadline: Deadline::new(limits, control),
            most_nodes: limits.nodes,
            over: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        };
        let root = Root {
            stores: 100 * i32::from(game.position().lead()),
            legal,
            lines: limits.lines,
            depth: limits.depth.unwrap_or(DEEPEST),
            of_tables,
        };
        thread::scope(|scope| {
            for index in 1..self.options.threads {
                let (shared, past, root) = (&shared, &past, &root);
                scope.spawn(move || {
                    let mut worker = Worker::new(shared, past, board);
                    worker.deepen(root, 1 + index as u32 % 2, &mut |_| {});
                });
            }
            let mut worker = Worker::new(&shared, &past, board);
            let report = worker.deepen(&root, 1, on_depth);
            shared.over.store(true, Ordering::Relaxed);
            report
        })
    }
}

/// The moves to be looked at, what tables say of each (nothing if they do not know the board),
/// and up to how many seeds they are asked below.
///
/// Where they know the root and one line is asked for, only moves that keep its value are looked
/// at, and the tables are asked only after a capture, so that the search finds a way there.
fn at_root(
    board: Board,
    rules: &Rules,
    endgame: Option<&dyn Endgame>,
    limits: &Limits,
) -> (MoveSet, Vec<(Move, i32)>, i32) {
    let legal = board.legal(rules);
    let legal = limits.moves.map_or(legal, |asked| MoveSet::from_bits(legal.bits() & asked.bits()));
    let Some(endgame) = endgame else { return (legal, Vec::new(), -1) };
    let known_to = i32::from(endgame.most_seeds());
    let here = i32::from(board.total());
    if here > known_to {
        return (legal, Vec::new(), known_to);
    }
    let value = |mv| {
        let sown = board.sow(mv, rules);
        let after = match sown.ends_by_slam(rules) {
            true => 0,
            false => 100 * i32::from(endgame.value(sown.board)?),
        };
        Some((mv, gain(&sown) - after))
    };
    let values: Vec<(Move, i32)> = legal.iter().filter_map(value).collect();
    if limits.lines > 1 || values.len() < legal.len() {
        return (legal, values, known_to);
    }
    let best = values.iter().map(|&(_, value)| value).max();
    let keep = values.iter().filter(|&&(_, value)| Some(value) == best).map(|&(mv, _)| mv);
    (keep.collect(), values, here - 1)
}
