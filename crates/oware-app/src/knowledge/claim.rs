//! What may be said of a result because of table values, and when.
//!
//! Let s be the mover's store less the opponent's. Whatever rule ends a loop, it gives each
//! player something between nothing and all of the seeds that go round, so s + low is the least
//! and s + high the most that the mover ends with under best play: s + low > 0 proves a win,
//! s + high < 0 a loss, and low = high the difference itself. Where the rules split loops evenly
//! the even value is the difference itself. A limit on plies without a capture can cut off what
//! would have been forced, so under it nothing is proven. All else is the even value, with its
//! condition.

use std::cmp::Ordering;

use oware_rules::{Game, LoopSplit, Position, Rules};
use oware_tables::Convention;

use super::Facts;

/// Why a difference is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basis {
    /// Low and high agree: loops do not matter.
    AnyLoop,
    /// The rules split loops evenly, as the even value does.
    EvenLoops,
}

/// What may be said of a position. Numbers are the final difference of the stores in seeds if
/// the game is played to the last seed; its sign is also the result under the rule of 25.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// Proven: the mover ends this far ahead (behind, below 0; a draw at 0).
    Exact {
        /// Seeds ahead.
        ahead: i8,
        /// What it rests on.
        basis: Basis,
    },
    /// Proven: the mover wins by this many seeds or more, whatever becomes of loops.
    Win {
        /// Seeds, 1 or more.
        least: i8,
    },
    /// Proven: the opponent wins by this many seeds or more, whatever becomes of loops.
    Loss {
        /// Seeds, 1 or more.
        least: i8,
    },
    /// Not proven: the mover ends this far ahead if loops are split evenly.
    IfEven {
        /// Seeds ahead.
        ahead: i8,
    },
    /// The tables that are here say nothing.
    Unknown,
}

impl Claim {
    /// What follows from table values under some rules, where the mover's store is `lead` seeds
    /// ahead (-48..=48), for a game whose past is not in the way ([`Past`]).
    #[must_use]
    pub fn of(facts: &Facts, rules: &Rules, lead: i8) -> Claim {
        let [even, low, high] =
            Convention::ALL.map(|convention| facts.value(convention).map(|value| lead + value));
        let if_even = even.map_or(Claim::Unknown, |ahead| Claim::IfEven { ahead });
        if rules.capture_free_limit.is_some() {
            return if_even;
        }
        if let (Some(low), Some(high)) = (low, high)
            && low == high
        {
            return Claim::Exact { ahead: low, basis: Basis::AnyLoop };
        }
        if let (Some(ahead), LoopSplit::Even) = (even, rules.loop_split) {
            return Claim::Exact { ahead, basis: Basis::EvenLoops };
        }
        match (low, high) {
            (Some(least @ 1..), _) => Claim::Win { least },
            (_, Some(most @ ..=-1)) => Claim::Loss { least: -most },
            _ => if_even,
        }
    }

    /// What is proven of the result for the mover: greater for a win, equal for a draw, less for
    /// a loss.
    #[must_use]
    pub fn proven(self) -> Option<Ordering> {
        match self {
            Claim::Exact { ahead, .. } => Some(ahead.cmp(&0)),
            Claim::Win { .. } => Some(Ordering::Greater),
            Claim::Loss { .. } => Some(Ordering::Less),
            Claim::IfEven { .. } | Claim::Unknown => None,
        }
    }
}

/// What is proven of a position without a past, for the mover; of one that ends the game, what
/// came of it.
#[must_use]
pub fn proven_result(position: &Position, facts: &Facts) -> Option<Ordering> {
    match position.ending() {
        Some(ending) => Some(match ending.winner {
            None => Ordering::Equal,
            Some(side) if side == position.to_move() => Ordering::Greater,
            Some(_) => Ordering::Less,
        }),
        None => Claim::of(facts, position.rules(), position.lead()).proven(),
    }
}

/// Whether the past of a game can matter for a claim.
///
/// What is forced is forced without coming back to any position, so a loop can end the game on
/// the way only at a position that, since the last capture, was there before: as often as the
/// rules allow, less once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Past {
    /// It cannot.
    Clear,
    /// An earlier position that comes back would end the game.
    InTheWay,
}

impl Past {
    /// Looks at the plies since the last capture.
    #[must_use]
    pub fn of(game: &Game) -> Past {
        let Some(repetition) = game.rules().repetition else { return Past::Clear };
        let plies = game.plies().len();
        let quiet = usize::try_from(game.capture_free()).unwrap_or(plies).min(plies);
        let earlier: Vec<&Position> =
            (plies - quiet..plies).filter_map(|ply| game.position_at(ply)).collect();
        let in_the_way = earlier.iter().any(|position| {
            let times = earlier.iter().filter(|other| *other == position).count();
            *position != game.position() && times + 1 >= usize::from(repetition.get())
        });
        if in_the_way { Past::InTheWay } else { Past::Clear }
    }
}
