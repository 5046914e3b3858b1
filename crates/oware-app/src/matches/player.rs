//! Who plays: one door for engines that are built in and for programs that speak the protocol.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use oware_rules::{Game, Move};
use oware_search::{Control, Score};

use super::Budget;

/// Tells everything that thinks in a match to end.
#[derive(Debug, Default)]
pub struct Stop {
    control: Control,
    flag: AtomicBool,
}

impl Stop {
    /// Not stopped.
    #[must_use]
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Ends every search.
    pub fn stop(&self) {
        self.control.stop();
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether it was told to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// For the engine.
    pub(super) fn control(&self) -> &Control {
        &self.control
    }

    /// For the plain search.
    pub(super) fn flag(&self) -> &AtomicBool {
        &self.flag
    }
}

/// A move that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// What the player may spend.
    pub budget: &'a Budget,
    /// What is left on the clocks of South and North, where they have one.
    pub clocks: [Option<Duration>; 2],
    /// What each move adds to the clocks of South and North.
    pub increments: [Duration; 2],
    /// How late the answer may be.
    pub margin: Duration,
    /// Told when the match is to end.
    pub stop: &'a Stop,
}

/// A move that is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move. Whether it is legal is for the runner to see.
    pub mv: Move,
    /// What the player expects: the final difference of the stores, for him; `None` where he
    /// does not say, or did not search.
    pub score: Option<Score>,
    /// Plies looked ahead; 0 where he does not say, or did not search.
    pub depth: u32,
    /// Positions seen; 0 where he does not say, or did not search.
    pub nodes: u64,
}

/// Why a player gave no move that can be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerFault {
    /// The match was told to end while he thought.
    Stopped,
    /// Something that is no move, or no legal one: what he said.
    Illegal(String),
    /// His time was over before he answered.
    Late,
    /// He did not answer at all.
    Silent,
    /// His program ended, or cannot be started: why, in words.
    Died(String),
}

/// A player of a match.
pub trait Player: Send {
    /// A new game begins: nothing of earlier ones may show. `pair` is the number of the pair of
    /// games, from 0.
    ///
    /// # Errors
    /// A program that does not answer or does not run.
    fn new_game(&mut self, pair: usize, stop: &Stop) -> Result<(), PlayerFault>;

    /// Finds a move for the side to move; the game is not over.
    ///
    /// # Errors
    /// When there is none that can be played.
    fn choose(&mut self, game: &Game, ask: &Ask<'_>) -> Result<Answer, PlayerFault>;

    /// How often its program had to be started again.
    fn restarts(&self) -> u32 {
        0
    }
}
