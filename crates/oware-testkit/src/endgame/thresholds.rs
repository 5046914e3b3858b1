//! The values of a layer by another method than sweeps: sets of boards for each threshold.
//!
//! For each t: the boards where the mover can force a payoff of at least t in finitely many plies,
//! and the boards where his opponent can. The value is the largest t that can be forced.

use super::moves::Layer;
use super::{Convention, Values};

/// Where at least one threshold can be forced.
struct Forced {
    /// Whether the mover can.
    by_mover: Vec<bool>,
    /// Whether the opponent of the mover can.
    by_opponent: Vec<bool>,
}

/// The values of a layer under the three conventions.
pub(super) fn values(layer: &Layer) -> Values {
    let all = layer.seeds as i8;
    let size = layer.len();
    let mut values = Values { even: vec![0; size], low: vec![-all; size], high: vec![all; size] };
    // Ascending, so that the largest threshold is the one that stays. What endless play gives
    // anyway is the value before the first.
    for threshold in 1 - all..=all {
        let forced = forced(layer, Convention::Low, threshold);
        put(&mut values.low, &forced.by_mover, threshold);
        put(&mut values.high, &forced.by_opponent, -threshold);
    }
    for threshold in 1..=all {
        let forced = forced(layer, Convention::Even, threshold);
        put(&mut values.even, &forced.by_mover, threshold);
        put(&mut values.even, &forced.by_opponent, -threshold);
    }
    values
}

/// Sets the value of the boards of a set.
fn put(values: &mut [i8], set: &[bool], new: i8) {
    for (value, is_in) in values.iter_mut().zip(set) {
        if *is_in {
            *value = new;
        }
    }
}

/// The least sets that hold with each other: a board is in the mover's if a move gets there, and
/// in the opponent's if every move does.
///
/// `convention` is that of the boards where the side that forces is to move.
fn forced(layer: &Layer, convention: Convention, threshold: i8) -> Forced {
    let mover_payoff = layer.conversion.get(convention);
    let opponent_payoff = layer.conversion.get(convention.after_move());
    let mut sets =
        Forced { by_mover: vec![false; layer.len()], by_opponent: vec![false; layer.len()] };
    loop {
        let mut has_grown = false;
        for board in 0..layer.len() {
            let successors = layer.successors(board);
            let (mover_can, opponent_can) = match layer.ended[board] {
                Some(shared) => (shared >= threshold, shared <= -threshold),
                None => (
                    mover_payoff[board].is_some_and(|payoff| payoff >= threshold)
                        || successors.iter().any(|next| sets.by_opponent[*next]),
                    opponent_payoff[board].is_none_or(|payoff| payoff <= -threshold)
                        && successors.iter().all(|next| sets.by_mover[*next]),
                ),
            };
            has_grown |= mover_can && !sets.by_mover[board];
            has_grown |= opponent_can && !sets.by_opponent[board];
            sets.by_mover[board] |= mover_can;
            sets.by_opponent[board] |= opponent_can;
        }
        if !has_grown {
            return sets;
        }
    }
}
