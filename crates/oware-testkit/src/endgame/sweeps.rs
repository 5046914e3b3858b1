//! The values of a layer by forward sweeps over all of its boards until nothing changes.
//!
//! The equation "value = best of payoff and minus the value after the move" has many solutions,
//! because boards on a cycle can hold each other up. Which one the sweeps reach is decided by
//! their start. After T synchronous sweeps a board has the value of the game that is cut off after
//! T plies, where the board reached then counts its start value.

use super::moves::Layer;
use super::{Convention, Values};

/// The values of a layer under the three conventions.
pub(super) fn values(layer: &Layer) -> Values {
    let even = even(layer);
    let (low, high) = low_and_high(layer);
    Values { even, low, high }
}

/// Endless play counts 0: the sweeps start from 0.
///
/// Why this is right: after T sweeps a board has a value of at least t > 0 exactly if the mover
/// can force a payoff of at least t within T plies, for a game that is cut off gives him only 0;
/// likewise for the opponent. What can be forced within T plies can be forced within T + 1, so
/// values above 0 only grow and values below 0 only fall, and the sweeps come to rest. In a finite
/// graph everything that can be forced can be forced within a bounded number of plies; what is
/// still 0 then are the boards where neither side can force more than endless play gives.
fn even(layer: &Layer) -> Vec<i8> {
    let mut values = start(layer, 0);
    loop {
        let next = sweep(layer, Convention::Even, &values);
        if next == values {
            return values;
        }
        values = next;
    }
}

/// Endless play counts -n (low) or +n (high) for the player to move: the sweeps of the pair start
/// from there.
///
/// Why this is right: follow one person. A board with this person to move is worth `low` to him,
/// a board with the other to move is worth `-high` to him, and endless play gives him nothing: -n.
/// Both sides of
///
/// ```text
/// low(p)   = max over moves of captured + (-high(q))
/// -high(p) = min over moves of low(q) - captured
/// ```
///
/// grow with the numbers on the right, and every payoff is at least -n, the start. So the sweeps
/// only ever raise `low` and `-high`, come to rest, and rest at the least solution. It is the
/// value: after T sweeps the person has t > -n exactly if he can force at least t within T plies,
/// as a game that is cut off gives him -n; and whatever can be forced can be forced within a
/// bounded number of plies. From any other start a cycle could claim a payoff that never comes.
fn low_and_high(layer: &Layer) -> (Vec<i8>, Vec<i8>) {
    let all = layer.seeds as i8;
    let mut low = start(layer, -all);
    let mut high = start(layer, all);
    loop {
        let next_low = sweep(layer, Convention::Low, &high);
        let next_high = sweep(layer, Convention::High, &low);
        if next_low == low && next_high == high {
            return (low, high);
        }
        low = next_low;
        high = next_high;
    }
}

/// The values before the first sweep: `endless`, or what is shared out where no move is legal.
fn start(layer: &Layer, endless: i8) -> Vec<i8> {
    layer.ended.iter().map(|ended| ended.unwrap_or(endless)).collect()
}

/// One sweep: the new value of every board from the old values of the boards after its moves.
fn sweep(layer: &Layer, convention: Convention, after_move: &[i8]) -> Vec<i8> {
    let conversion = layer.conversion.get(convention);
    let mut values = Vec::with_capacity(layer.len());
    for (board, (ended, payoff)) in layer.ended.iter().zip(conversion).enumerate() {
        let mut best = *ended.max(payoff);
        for successor in layer.successors(board) {
            best = best.max(Some(-after_move[*successor]));
        }
        values.push(best.expect("a board has a move, or it is an end"));
    }
    values
}
