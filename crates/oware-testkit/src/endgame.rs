//! Endgame tables once more, plain and slow: something to compare a fast solver with.
//!
//! Layer by layer (all boards with 0, 1, 2, ... seeds) the value and the distance of every board
//! are found under the three conventions for endless play. The moves come from the oracle of this
//! crate, the order of the boards is its own, and the methods are not those of a fast solver:
//! values by forward sweeps over whole layers until nothing changes, distances by levels from the
//! finished values, and for a cross-check values by sets of thresholds. No board is ever taken
//! back a move.
//!
//! A board is 12 houses seen by the player to move, his own first. Its value is the seeds he still
//! takes minus the seeds the opponent still takes, both playing for the difference to the last
//! seed: nothing stops at 25, stores play no part, and what is shared out at the end counts. Of
//! the rules only `grand_slam`, `feeding` and `stuck` matter.
//!
//! # Where the text leaves something open
//!
//! 1. A board without a legal move whose value nobody has to force (a draw in the even table, -n
//!    in the low one, +n in the high one) has no distance, rather than distance 0.
//! 2. A grand slam that captures nothing is no conversion, unless it ends the game.
//! 3. A successor of a board in the low table is looked up in the high table, and the other way
//!    round: there the player who has to force the value is still the same person.

mod index;
mod levels;
mod moves;
mod sweeps;
mod thresholds;

use crate::oracle::OracleRules;
use index::rank;
use moves::Layer;

pub use index::{Boards, boards};

/// What endless play counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Convention {
    /// The seeds left are split evenly: 0 from there on.
    Even,
    /// All seeds left count for the opponent of the player to move at the board looked up.
    Low,
    /// All seeds left count for the player to move at the board looked up.
    High,
}

impl Convention {
    /// Every convention.
    pub const ALL: [Self; 3] = [Self::Even, Self::Low, Self::High];

    /// The name: `even`, `low` or `high`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Even => "even",
            Self::Low => "low",
            Self::High => "high",
        }
    }

    /// The convention in whose table the board after a move is looked up: endless play still
    /// counts for the same person, but the other one is to move.
    pub fn after_move(self) -> Self {
        match self {
            Self::Even => Self::Even,
            Self::Low => Self::High,
            Self::High => Self::Low,
        }
    }

    /// Who has to force the value `value` of a board of `seeds` seeds against endless play; nobody
    /// if endless play gives it anyway.
    pub fn forcing_side(self, value: i8, seeds: usize) -> Option<ForcingSide> {
        let all = seeds as i32;
        let value = i32::from(value);
        match self {
            Self::Even if value > 0 => Some(ForcingSide::Mover),
            Self::Even if value < 0 => Some(ForcingSide::Opponent),
            Self::Low if value > -all => Some(ForcingSide::Mover),
            Self::High if value < all => Some(ForcingSide::Opponent),
            _ => None,
        }
    }
}

/// The side that has to bring the play to an end to get what the value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ForcingSide {
    /// The player to move at the board.
    Mover,
    /// His opponent.
    Opponent,
}

/// One item for each convention.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct PerConvention<T> {
    even: T,
    low: T,
    high: T,
}

impl<T> PerConvention<T> {
    /// The item of this convention.
    fn get(&self, convention: Convention) -> &T {
        match convention {
            Convention::Even => &self.even,
            Convention::Low => &self.low,
            Convention::High => &self.high,
        }
    }

    /// The item of this convention, to be changed.
    fn get_mut(&mut self, convention: Convention) -> &mut T {
        match convention {
            Convention::Even => &mut self.even,
            Convention::Low => &mut self.low,
            Convention::High => &mut self.high,
        }
    }
}

/// The values of a layer in the order of [`boards`].
type Values = PerConvention<Vec<i8>>;

/// The distances of a layer in the order of [`boards`].
type Distances = PerConvention<Vec<Option<u16>>>;

/// The values and distances of all boards up to a number of seeds under some rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OracleTables {
    /// By number of seeds.
    values: Vec<Values>,
    /// By number of seeds.
    distances: Vec<Distances>,
}

impl OracleTables {
    /// Solves all boards of 0 to `seeds` seeds, the values by sweeps.
    ///
    /// Takes seconds at 9 seeds; each seed more doubles that.
    ///
    /// # Panics
    ///
    /// If `seeds` is above 48.
    pub fn solve(rules: &OracleRules, seeds: usize) -> Self {
        Self::solve_with(rules, seeds, sweeps::values)
    }

    /// The same tables with the values found in another way, much slower: for each threshold the
    /// set of boards where a side can force at least that much.
    ///
    /// # Panics
    ///
    /// If `seeds` is above 48.
    pub fn solve_by_thresholds(rules: &OracleRules, seeds: usize) -> Self {
        Self::solve_with(rules, seeds, thresholds::values)
    }

    /// Solves layer by layer with the given method for the values of one layer.
    fn solve_with(rules: &OracleRules, seeds: usize, method: fn(&Layer) -> Values) -> Self {
        let mut tables = Self { values: Vec::new(), distances: Vec::new() };
        for layer_seeds in 0..=seeds {
            let layer = Layer::new(rules, layer_seeds, &tables.values);
            let values = method(&layer);
            tables.distances.push(levels::distances(&layer, &values));
            tables.values.push(values);
        }
        tables
    }

    /// The largest number of seeds.
    pub fn seeds(&self) -> usize {
        self.values.len() - 1
    }

    /// The value of a board for the player to move, from -n to n for n seeds.
    ///
    /// # Panics
    ///
    /// If the board holds more seeds than [`Self::seeds`].
    pub fn value(&self, convention: Convention, houses: &[u8; 12]) -> i8 {
        self.values[seeds_of(houses)].get(convention)[rank(houses)]
    }

    /// The number of plies to the next conversion (a capture, or a move that ends the game) when
    /// the side that has to force the value goes there as fast as it can while it keeps the value,
    /// and the other side holds out as long as it can while it keeps the value. 0 if the board has
    /// no legal move; `None` if nobody has to force the value.
    ///
    /// # Panics
    ///
    /// If the board holds more seeds than [`Self::seeds`].
    pub fn distance(&self, convention: Convention, houses: &[u8; 12]) -> Option<u16> {
        self.distances[seeds_of(houses)].get(convention)[rank(houses)]
    }

    /// The values of all boards of `seeds` seeds, in the order of [`boards`].
    ///
    /// # Panics
    ///
    /// If `seeds` is above [`Self::seeds`].
    pub fn layer_values(&self, convention: Convention, seeds: usize) -> &[i8] {
        self.values[seeds].get(convention)
    }

    /// The distances of all boards of `seeds` seeds, in the order of [`boards`].
    ///
    /// # Panics
    ///
    /// If `seeds` is above [`Self::seeds`].
    pub fn layer_distances(&self, convention: Convention, seeds: usize) -> &[Option<u16>] {
        self.distances[seeds].get(convention)
    }
}

/// The number of seeds on a board.
fn seeds_of(houses: &[u8; 12]) -> usize {
    houses.iter().map(|seeds| usize::from(*seeds)).sum()
}
