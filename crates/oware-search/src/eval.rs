//! The guess at the horizon.

use oware_rules::{Board, SowingBoard};

use crate::{Score, plain};

/// What the mover will still take more than his opponent, guessed from the board alone: never
/// more than there is.
#[must_use]
pub fn evaluate(board: Board) -> Score {
    let all = 100 * i32::from(board.mover_total() + board.opponent_total());
    Score(guess(board).clamp(-all, all))
}

/// The guess in hundredths of a seed, as it comes.
#[inline]
pub(crate) fn guess(board: Board) -> i32 {
    plain::by_hand(board).0
}
