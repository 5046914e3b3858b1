//! When a search ends, and what it looks at.

use std::time::Duration;

use oware_rules::MoveSet;

/// No line is followed further than this many plies.
pub const DEEPEST: u32 = 120;

/// When a search ends. Without any limit it goes on until it is told to stop, or has looked
/// [`DEEPEST`] plies ahead. Of several limits the first that is met counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies.
    pub depth: Option<u32>,
    /// Positions. With one thread the same number gives the same result on every machine.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub time: Option<Duration>,
    /// The mover's clock, of which the search takes a share.
    pub clock: Option<Clock>,
    /// Only these moves are looked at; `None` for all. Those that are not legal are ignored.
    pub moves: Option<MoveSet>,
    /// How many of the best moves get a line of their own; 0 counts as 1.
    pub lines: usize,
}

/// A player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What is left.
    pub remaining: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves until more time is added; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl Limits {
    /// A number of positions.
    #[must_use]
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// A number of plies.
    #[must_use]
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// A time for the move.
    #[must_use]
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }
}
