//! What tables say, in words: no number without what endless play counts in it.

use oware_app::knowledge::{Basis, Claim, Past};
use oware_rules::Side;
use oware_tables::Convention;

/// What endless play counts in a value, as a label beside it.
pub(crate) const fn convention(convention: Convention) -> &'static str {
    match convention {
        Convention::Even => "if loops are split evenly",
        Convention::Low => "if loops count for the opponent (at least)",
        Convention::High => "if loops count for the player to move (at most)",
    }
}

/// A value with its sign.
pub(crate) fn signed(value: i8) -> String {
    if value == 0 { "0".to_owned() } else { format!("{value:+}") }
}

/// What may be said of a position, for a player to move.
pub(crate) fn claim(claim: Claim, mover: Side, past: Past) -> String {
    let other = mover.other();
    let (text, proven) = match claim {
        Claim::Exact { ahead, basis } => {
            let loops = match basis {
                Basis::AnyLoop => "whatever becomes of loops",
                Basis::EvenLoops => "since these rules split loops evenly",
            };
            let winner = if ahead > 0 { mover } else { other };
            let text = match ahead.unsigned_abs() {
                0 => format!("proven: a draw, {loops}"),
                by => format!("proven: {winner} wins, by {} at the last seed, {loops}", seeds(by)),
            };
            (text, true)
        }
        Claim::Win { least } => (win(mover, least), true),
        Claim::Loss { least } => (win(other, least), true),
        Claim::IfEven { ahead } => {
            let leader = if ahead > 0 { mover } else { other };
            let text = match ahead.unsigned_abs() {
                0 => "not proven: both end with the same if loops are split evenly".to_owned(),
                by => format!(
                    "not proven: {leader} ends {} ahead if loops are split evenly",
                    seeds(by)
                ),
            };
            (text, false)
        }
        Claim::Unknown => ("nothing is known".to_owned(), false),
    };
    match past {
        Past::InTheWay if proven => text + " (unless an earlier position comes back)",
        _ => text,
    }
}

fn win(side: Side, least: i8) -> String {
    let by = seeds(least.unsigned_abs());
    format!("proven: {side} wins, by {by} or more at the last seed, whatever becomes of loops")
}

fn seeds(number: u8) -> String {
    crate::play::words::seeds(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_its_condition() {
        let exact = |ahead, basis| claim(Claim::Exact { ahead, basis }, Side::North, Past::Clear);
        assert_eq!(exact(0, Basis::AnyLoop), "proven: a draw, whatever becomes of loops");
        assert_eq!(
            exact(-1, Basis::EvenLoops),
            "proven: South wins, by 1 seed at the last seed, since these rules split loops evenly"
        );
        let loss = claim(Claim::Loss { least: 3 }, Side::South, Past::InTheWay);
        assert_eq!(
            loss,
            "proven: North wins, by 3 seeds or more at the last seed, whatever becomes of loops \
             (unless an earlier position comes back)"
        );
        let even = claim(Claim::IfEven { ahead: 2 }, Side::South, Past::InTheWay);
        assert_eq!(even, "not proven: South ends 2 seeds ahead if loops are split evenly");
    }
}
