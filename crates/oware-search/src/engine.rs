//! The engine: what lasts from one search to the next, and the search itself.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use oware_rules::Game;

use crate::{Bound, Control, Endgame, Limits, Line, Report, Source, plain};

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
}

impl Default for Options {
    /// 16 MiB, one thread.
    fn default() -> Options {
        Options { hash_mib: 16, threads: 1, check: false }
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
    endgame: Option<Arc<dyn Endgame>>,
}

impl Engine {
    /// An engine without endgame tables. Options out of range are brought into it.
    ///
    /// # Errors
    /// When there is no memory for the transposition table.
    pub fn new(options: Options) -> Result<Engine, HashError> {
        Ok(Engine { options, endgame: None })
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
        self.options = options;
        Ok(())
    }

    /// Takes endgame tables, or lays them aside; the transposition table is then cleared. They
    /// must be of the table rules of the games to be searched.
    pub fn set_endgame(&mut self, endgame: Option<Arc<dyn Endgame>>) {
        self.endgame = endgame;
    }

    /// Forgets every search so far.
    pub fn clear(&mut self) {}

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
        let begun = Instant::now();
        let plain =
            plain::Limits { depth: limits.depth, nodes: limits.nodes, ..Default::default() };
        let stop = std::sync::atomic::AtomicBool::new(control.is_stopped());
        let convert = |report: &plain::Report| Report {
            lines: report
                .best
                .map(|mv| Line {
                    mv,
                    score: report.score,
                    bound: Bound::Exact,
                    source: Source::Search,
                    depth: report.depth,
                    moves: if report.line.is_empty() { vec![mv] } else { report.line.clone() },
                })
                .into_iter()
                .collect(),
            depth: report.depth,
            selective_depth: report.depth,
            nodes: report.nodes,
            elapsed: begun.elapsed(),
            ..Report::default()
        };
        let mut tell = |report: &plain::Report| on_depth(&convert(report));
        let report = plain::search(game, plain, &stop, &mut tell);
        convert(&report)
    }
}
