//! Position strings: the canonical one and those of other systems.

mod read;
mod write;

use std::fmt;
use std::str::FromStr;

use oware_rules::{HOUSES, Position, Rules, Setup, SetupError, Side};

pub use read::read_position;
pub use write::write_position;

/// The forms of position strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PositionFormat {
    /// `4-4-4-4-4-4-4-4-4-4-4-4-0-0-S`: A..F, a..f, South's store, North's store, turn.
    Canonical,
    /// `0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4`: player, stores, A..F and a..f.
    OpenSpiel,
    /// `4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1`: f..a, A..F, stores, turn, move number.
    PlayStrategy,
    /// `4 4 4 4 4 4 4 4 4 4 4 4`: the mover's houses, the opponent's. No stores, no turn.
    TwelveNumbers,
}

impl PositionFormat {
    /// Every form.
    pub const ALL: [PositionFormat; 4] = [
        PositionFormat::Canonical,
        PositionFormat::OpenSpiel,
        PositionFormat::PlayStrategy,
        PositionFormat::TwelveNumbers,
    ];

    /// The name: `canonical`, `openspiel`, `playstrategy` or `twelve`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PositionFormat::Canonical => "canonical",
            PositionFormat::OpenSpiel => "openspiel",
            PositionFormat::PlayStrategy => "playstrategy",
            PositionFormat::TwelveNumbers => "twelve",
        }
    }
}

impl fmt::Display for PositionFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for PositionFormat {
    /// What was expected.
    type Err = String;

    fn from_str(text: &str) -> Result<PositionFormat, String> {
        PositionFormat::ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| {
            format!("expected one of {}", PositionFormat::ALL.map(PositionFormat::name).join(", "))
        })
    }
}

/// What a position string says, each number from 0 to 48. The sum is looked at by
/// [`resolve`](PositionText::resolve), when everything is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PositionText {
    /// The form it was written in.
    pub format: PositionFormat,
    /// Seeds in A..F, a..f where the turn is known, else from the mover's first house on.
    pub houses: [u8; HOUSES],
    /// South's and North's store; the mover's and the opponent's where the turn is not known.
    pub stores: Option<[u8; 2]>,
    /// Who moves next, if the text says so.
    pub to_move: Option<Side>,
}

impl PositionText {
    /// Makes a position of it. A text without a turn is seen by South, who moves.
    ///
    /// `scores` are the stores of the mover and the opponent, from outside the text: needed
    /// where the text has none, and to be the same where it has.
    ///
    /// # Errors
    /// [`PositionError`] when there are no stores, two that differ, or not 48 seeds in all.
    pub fn resolve(self, scores: Option<[u8; 2]>, rules: Rules) -> Result<Position, PositionError> {
        let mover = self.to_move.unwrap_or(Side::South);
        let given = scores.map(|[own, other]| match mover {
            Side::South => [own, other],
            Side::North => [other, own],
        });
        let stores = match (self.stores, given) {
            (Some(text), Some(given)) if text != given => {
                return Err(PositionError::ScoresDiffer { text, given });
            }
            (Some(stores), _) | (None, Some(stores)) => stores,
            (None, None) => return Err(PositionError::ScoresMissing),
        };
        let setup = Setup { houses: self.houses, stores, to_move: mover };
        Ok(Position::new(setup, rules)?)
    }
}

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// There is nothing to read.
    #[error("empty position, expected a string such as 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S")]
    Empty,
    /// Nothing like a position.
    #[error(
        "{found} is not a position of a known form, expected a string such as \
         4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
    )]
    Unknown {
        /// What was given, quoted.
        found: String,
    },
    /// Fourteen numbers: houses and stores in one row, as Kalah programs write them.
    #[error(
        "14 numbers without a turn are a Kalah board, another game: expected 12 houses, or \
         12 houses, two stores and the turn (4-4-4-4-4-4-4-4-4-4-4-4-0-0-S)"
    )]
    Kalah,
    /// Too many or too few parts.
    #[error("found {found} {what}, expected {expected}")]
    Count {
        /// How many there are.
        found: usize,
        /// Of what.
        what: &'static str,
        /// What was expected.
        expected: &'static str,
    },
    /// A part that is not what should stand there.
    #[error("{field} is {found}, expected {expected}")]
    Field {
        /// Which part, such as `house b` or `turn`.
        field: String,
        /// What stands there, quoted.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// The seeds do not add up to 48.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// Neither the text nor the caller says what the stores hold.
    #[error("the position has no stores: expected the scores of mover and opponent beside it")]
    ScoresMissing,
    /// The text and the caller say different things.
    #[error(
        "the position says {}-{} in South's and North's store, the scores given say {}-{}",
        text[0], text[1], given[0], given[1]
    )]
    ScoresDiffer {
        /// The stores in the text, South's first.
        text: [u8; 2],
        /// The stores given beside it, South's first.
        given: [u8; 2],
    },
}

impl PositionError {
    /// The field at fault, for programs: `position`, `scores`, or a part of the text such as
    /// `house b`, `South's store`, `turn`.
    #[must_use]
    pub fn field(&self) -> &str {
        match self {
            PositionError::Field { field, .. } => field,
            PositionError::ScoresMissing | PositionError::ScoresDiffer { .. } => "scores",
            _ => "position",
        }
    }
}
