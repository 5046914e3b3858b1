//! What endless play counts, and which table is meant.

use std::fmt;
use std::str::FromStr;

/// What endless play counts, for the player to move at the board that is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Convention {
    /// The seeds that go round are split evenly: 0 from there on.
    Even,
    /// Minus the number of seeds: whoever moves later, the mover of this board pays.
    Low,
    /// Plus the number of seeds: the mover of this board gains.
    High,
}

impl Convention {
    /// All three.
    pub const ALL: [Convention; 3] = [Convention::Even, Convention::Low, Convention::High];

    /// As in commands and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Convention::Even => "even",
            Convention::Low => "low",
            Convention::High => "high",
        }
    }

    /// Under which convention the board after a move is looked up: the endless play that the
    /// one player pays for is the one that the other gains by.
    #[must_use]
    pub const fn after_a_move(self) -> Convention {
        match self {
            Convention::Even => Convention::Even,
            Convention::Low => Convention::High,
            Convention::High => Convention::Low,
        }
    }

    /// The value of a board of `seeds` seeds that nobody can force to anything else.
    #[must_use]
    pub const fn endless(self, seeds: usize) -> i8 {
        match self {
            Convention::Even => 0,
            Convention::Low => -(seeds as i8),
            Convention::High => seeds as i8,
        }
    }
}

impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no convention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseConventionError(pub String);

impl fmt::Display for ParseConventionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "convention {:?}: expected even, low or high", self.0)
    }
}

impl std::error::Error for ParseConventionError {}

impl FromStr for Convention {
    type Err = ParseConventionError;

    fn from_str(text: &str) -> Result<Convention, ParseConventionError> {
        Convention::ALL
            .into_iter()
            .find(|convention| convention.name() == text)
            .ok_or_else(|| ParseConventionError(text.to_owned()))
    }
}

/// What the bytes of a table say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Quantity {
    /// The value in seeds, from -n to n: see [`Convention`].
    Value,
    /// Plies to the next conversion (a capture or the end) where the value is forced.
    Distance,
}

/// The byte of a distance table where nothing is forced. Distances are below it.
pub const NO_DISTANCE: u8 = u8::MAX;

/// One kind of table: a convention, and values or distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind {
    /// What endless play counts.
    pub convention: Convention,
    /// Values or distances.
    pub quantity: Quantity,
}

impl Kind {
    /// The values of a convention.
    #[must_use]
    pub const fn value(convention: Convention) -> Kind {
        Kind { convention, quantity: Quantity::Value }
    }

    /// The distances of a convention.
    #[must_use]
    pub const fn distance(convention: Convention) -> Kind {
        Kind { convention, quantity: Quantity::Distance }
    }

    /// As in file names: `even`, `even-distance`, ...
    #[must_use]
    pub const fn name(self) -> &'static str {
        match (self.convention, self.quantity) {
            (convention, Quantity::Value) => convention.name(),
            (Convention::Even, Quantity::Distance) => "even-distance",
            (Convention::Low, Quantity::Distance) => "low-distance",
            (Convention::High, Quantity::Distance) => "high-distance",
        }
    }

    /// Every kind, values before distances.
    pub fn all() -> impl Iterator<Item = Kind> {
        let values = Convention::ALL.into_iter().map(Kind::value);
        values.chain(Convention::ALL.into_iter().map(Kind::distance))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
