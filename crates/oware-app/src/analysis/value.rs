//! The value of a move, and how it is known.

use std::cmp::Ordering;

use oware_rules::{Ending, House, Move, Side};
use oware_search::{Bound, Chances, Score, chances};

use crate::knowledge::Basis;

/// How the value of a move is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Known {
    /// The move ends the game for good, and the rules say who gets what.
    Ending,
    /// Endgame tables: exact.
    Exact(Basis),
    /// Endgame tables: right if loops are split evenly, which is not certain by these rules.
    IfEven,
    /// A search that came to the end of every line that matters; a position that comes back
    /// counts in it as a loop at once. No guess is in it, but it is not called proven.
    Complete {
        /// Plies looked ahead, the move itself counted.
        depth: u32,
        /// Whether it may rest on endgame tables that split loops evenly, which is not certain
        /// by these rules.
        if_even: bool,
    },
    /// A search, with a guess where it stopped.
    Search {
        /// Plies looked ahead, the move itself counted.
        depth: u32,
    },
}

impl Known {
    /// Plies looked ahead; `None` where there was no search.
    #[must_use]
    pub const fn depth(self) -> Option<u32> {
        match self {
            Known::Complete { depth, .. } | Known::Search { depth } => Some(depth),
            Known::Ending | Known::Exact(_) | Known::IfEven => None,
        }
    }
}

/// What a move is worth to the player who makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveValue {
    /// The move.
    pub mv: Move,
    /// The house it lifts.
    pub house: House,
    /// Seeds that it captures.
    pub captured: u8,
    /// The end of the game, if the move brings it.
    pub ending: Option<Ending>,
    /// What the mover ends ahead, played on to the last seed.
    pub score: Score,
    /// Whether `score` is the value, or the value is at least or at most this.
    pub bound: Bound,
    /// How it is known.
    pub known: Known,
    /// Seeds that the mover ends ahead at least, proven whatever becomes of loops.
    pub least: Option<i8>,
    /// The same at most.
    pub most: Option<i8>,
    /// What is proven of the result for the mover: greater for a win, equal for a draw, less
    /// for a loss.
    pub proven: Option<Ordering>,
    /// Whether a position of this game that comes back might stand in the way of what tables
    /// say. Nothing is called proven then.
    pub past: bool,
    /// How likely each result is for the mover. Certain where it is proven or searched to the
    /// end, else estimated from the value.
    pub chances: Chances,
    /// The line expected, beginning with the move, no further than the end of the game.
    pub line: Vec<House>,
}

/// A result that is certain.
pub(super) const fn certain(result: Ordering) -> Chances {
    match result {
        Ordering::Greater => Chances { win: 1000, draw: 0, loss: 0 },
        Ordering::Equal => Chances { win: 0, draw: 1000, loss: 0 },
        Ordering::Less => Chances { win: 0, draw: 0, loss: 1000 },
    }
}

/// What an end is for a player: greater for a win, equal for a draw, less for a loss.
pub(super) fn result_for(ending: &Ending, side: Side) -> Ordering {
    match ending.winner {
        None => Ordering::Equal,
        Some(winner) if winner == side => Ordering::Greater,
        Some(_) => Ordering::Less,
    }
}

/// The seeds that a player ends ahead by the score of an end. Halves cancel: both players have
/// one or neither has.
pub(super) fn ahead(ending: &Ending, side: Side) -> i32 {
    let halves = |side| i32::from(ending.score.of(side).halves());
    (halves(side) - halves(side.other())) / 2
}

impl MoveValue {
    /// The chances that follow from what is known, with so many seeds in the houses before the
    /// move.
    pub(super) fn estimate(&self, seeds: u8) -> Chances {
        if let Some(result) = self.proven {
            return certain(result);
        }
        let sign = self.score.hundredths().cmp(&0);
        let settled = match (self.known, self.bound) {
            (Known::Complete { if_even: true, .. }, _) => false,
            (Known::Complete { .. }, Bound::Exact) => true,
            (Known::Complete { .. }, Bound::Lower) => sign == Ordering::Greater,
            (Known::Complete { .. }, Bound::Upper) => sign == Ordering::Less,
            _ => false,
        };
        if settled { certain(sign) } else { chances(self.score, seeds) }
    }

    /// The value for a side, whoever moved.
    #[must_use]
    pub fn score_for(&self, side: Side) -> Score {
        if self.house.side() == side { self.score } else { -self.score }
    }

    /// The chances for a side, whoever moved.
    #[must_use]
    pub fn chances_for(&self, side: Side) -> Chances {
        let Chances { win, draw, loss } = self.chances;
        match self.house.side() == side {
            true => self.chances,
            false => Chances { win: loss, draw, loss: win },
        }
    }
}
