//! The guess at the horizon: what the shape of the rows is worth, in hundredths of a seed.
//!
//! The weights are round numbers by hand, after what is commonly said of the game: houses of one
//! or two seeds are targets, a house that laps the board is a threat. They were not tuned.

use oware_rules::{Board, ROW, SowingBoard};

use crate::Score;

/// A house that the opponent may fill to two or three.
const TARGET: i32 = -10;
/// A house with enough seeds to go round the board.
const LAPPER: i32 = 30;
/// A house that gives no move.
const IDLE: i32 = -4;

fn row(seeds: &[u8]) -> i32 {
    seeds
        .iter()
        .map(|seeds| match seeds {
            0 => IDLE,
            1 | 2 => TARGET,
            3..=11 => 0,
            _ => LAPPER,
        })
        .sum()
}

/// An estimate of what the mover will still take more than the opponent.
#[must_use]
pub fn estimate(board: Board) -> Score {
    let houses = board.houses();
    Score(row(&houses[..ROW]) - row(&houses[ROW..]))
}
