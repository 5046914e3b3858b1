//! What a search has found.

use std::time::Duration;

use oware_rules::Move;

use crate::Score;

/// What a score says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The value found.
    Exact,
    /// At least this.
    Lower,
    /// At most this.
    Upper,
}

/// How a score arose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// Endgame tables: the value under best play, endless play being shared evenly.
    Table,
    /// The search reached the end of every line that matters, by the rules or by tables: the
    /// value holds under the search's reading of loops, and no guess is in it.
    Bound,
    /// A guess is in it.
    Search,
}

/// One move with what is expected of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The move.
    pub mv: Move,
    /// The expected final difference of the stores, for the player who plays the move.
    pub score: Score,
    /// Whether the score is the value found, or a bound.
    pub bound: Bound,
    /// How the score arose.
    pub source: Source,
    /// Plies looked ahead, this move counted.
    pub depth: u32,
    /// The line expected, beginning with the move; sides alternate.
    pub moves: Vec<Move>,
}

/// What a search has found so far, or in the end.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Report {
    /// The best moves, best first, as many as were asked for; empty if there is no legal move
    /// among those to be looked at.
    pub lines: Vec<Line>,
    /// Plies looked ahead, by the last depth that was finished.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub selective_depth: u32,
    /// Positions seen.
    pub nodes: u64,
    /// Values taken from endgame tables.
    pub table_hits: u64,
    /// How much of the transposition table is in use, in thousandths.
    pub hash_full: u32,
    /// Time spent.
    pub elapsed: Duration,
}

impl Report {
    /// The best move; `None` if there is none.
    #[must_use]
    pub fn best(&self) -> Option<Move> {
        self.lines.first().map(|line| line.mv)
    }

    /// The score of the best move, 0 if there is none.
    #[must_use]
    pub fn score(&self) -> Score {
        self.lines.first().map_or(Score::default(), |line| line.score)
    }

    /// Positions a second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 { (self.nodes as f64 / seconds) as u64 } else { 0 }
    }
}
