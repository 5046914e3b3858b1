//! The words of the board: sides, houses, seeds.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};
use std::str::FromStr;

use crate::{HOUSES, Move, ROW};

/// A player, named by where he sits. South owns A..F, North owns a..f.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Owner of A..F; begins a game from the start position.
    South,
    /// Owner of a..f.
    North,
}

impl Side {
    /// Both sides, South first.
    pub const BOTH: [Side; 2] = [Side::South, Side::North];

    /// The player opposite.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::South => Side::North,
            Side::North => Side::South,
        }
    }

    /// 0 for South, 1 for North: where arrays of two keep this player's entry.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `S` or `N`, as position strings write it.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Side::South => 'S',
            Side::North => 'N',
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::South => "South",
            Side::North => "North",
        })
    }
}

/// One of the twelve houses, numbered in sowing order: A..F are 0..5, a..f are 6..11.
///
/// On a [`Board`](crate::Board), which is seen by the player to move, 0..5 are his own houses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct House(u8);

impl House {
    /// The house with this number, if there is one (0..=11).
    #[must_use]
    pub const fn new(index: usize) -> Option<House> {
        if index < HOUSES { Some(House(index as u8)) } else { None }
    }

    /// The house that `side` lifts when he plays `mv`.
    #[must_use]
    pub const fn of(side: Side, mv: Move) -> House {
        House((side.index() * ROW + mv.index()) as u8)
    }

    /// 0..=11.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The player whose row this house is in.
    #[must_use]
    pub const fn side(self) -> Side {
        if self.0 < ROW as u8 { Side::South } else { Side::North }
    }

    /// The move that lifts this house, whoever's it is.
    #[must_use]
    pub const fn as_move(self) -> Move {
        Move::wrapping(self.index())
    }

    /// The next house in sowing order.
    #[must_use]
    pub const fn next(self) -> House {
        House((self.0 + 1) % HOUSES as u8)
    }

    /// The letter of the house: `A`..`F` for South's, `a`..`f` for North's.
    #[must_use]
    pub const fn letter(self) -> char {
        b"ABCDEFabcdef"[self.0 as usize] as char
    }

    /// The house seen from the other side of the board (A and a, F and f).
    #[must_use]
    pub const fn opposite_seat(self) -> House {
        House((self.0 + ROW as u8) % HOUSES as u8)
    }

    /// All twelve, in sowing order from A.
    pub fn all() -> impl Iterator<Item = House> {
        (0..HOUSES as u8).map(House)
    }
}

impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A text that is not the letter of a house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseHouseError(pub String);

impl fmt::Display for ParseHouseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a house: expected A to F (South) or a to f (North)", self.0)
    }
}

impl std::error::Error for ParseHouseError {}

impl TryFrom<char> for House {
    type Error = ParseHouseError;

    fn try_from(letter: char) -> Result<House, ParseHouseError> {
        match letter {
            'A'..='F' => Ok(House(letter as u8 - b'A')),
            'a'..='f' => Ok(House(letter as u8 - b'a' + ROW as u8)),
            _ => Err(ParseHouseError(letter.to_string())),
        }
    }
}

impl FromStr for House {
    type Err = ParseHouseError;

    fn from_str(text: &str) -> Result<House, ParseHouseError> {
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => House::try_from(letter),
            _ => Err(ParseHouseError(text.chars().take(20).collect())),
        }
    }
}

/// A number of seeds, 0..=48.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seeds(pub u8);

impl Seeds {
    /// The number itself.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Seeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Add for Seeds {
    type Output = Seeds;

    fn add(self, other: Seeds) -> Seeds {
        Seeds(self.0 + other.0)
    }
}

impl AddAssign for Seeds {
    fn add_assign(&mut self, other: Seeds) {
        self.0 += other.0;
    }
}

impl Sum for Seeds {
    fn sum<I: Iterator<Item = Seeds>>(iter: I) -> Seeds {
        iter.fold(Seeds(0), Add::add)
    }
}
