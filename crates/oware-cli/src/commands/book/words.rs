//! Moves, ways and amounts of seeds as books tell them.

use std::fmt;
use std::str::FromStr;

use oware_app::book::Mark;
use oware_rules::{House, Move, Side};

/// The letters of a line of moves that begins with a side.
pub(super) fn letters(first: Side, moves: &[Move]) -> String {
    let sides = [first, first.other()].into_iter().cycle();
    sides.zip(moves).map(|(side, &mv)| House::of(side, mv).letter()).collect()
}

/// The side to move after so many plies from the start of a game.
pub(super) fn side_after(plies: usize) -> Side {
    Side::BOTH[plies % 2]
}

/// The name of a mark.
pub(super) const fn mark(mark: Mark) -> &'static str {
    match mark {
        Mark::Unchecked => "-",
        Mark::Kept => "kept",
        Mark::Refused => "refused",
    }
}

/// An amount of seeds, in hundredths; as text with a point and up to two decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Amount(pub(super) u16);

impl FromStr for Amount {
    type Err = String;

    fn from_str(text: &str) -> Result<Amount, String> {
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let number = |text: &str| text.parse::<u16>().ok().filter(|_| digits(text));
        let hundredths = || {
            let part = number(part)? * if part.len() == 1 { 10 } else { 1 };
            number(whole)?.checked_mul(100)?.checked_add(part)
        };
        hundredths().filter(|&n| n <= 4800 && part.len() <= 2).map(Amount).ok_or_else(|| {
            "expected seeds from 0 to 48 with up to two decimals, such as 0.25".to_owned()
        })
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_seeds() {
        for (text, hundredths) in [("0", 0), ("0.1", 10), ("0.25", 25), ("3.07", 307), ("48", 4800)]
        {
            assert_eq!(text.parse(), Ok(Amount(hundredths)), "{text}");
        }
        assert_eq!(Amount(307).to_string(), "3.07");
        for wrong in ["", ".", "1.", ".5", "-1", "0.125", "48.01", "0.65530", "70000", "1e3", "0,5"]
        {
            assert!(wrong.parse::<Amount>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn sides_alternate() {
        let moves = [5, 5, 0].map(|house| Move::new(house).unwrap());
        assert_eq!(letters(side_after(0), &moves), "FfA");
        assert_eq!(letters(side_after(3), &moves), "fFa");
    }
}
