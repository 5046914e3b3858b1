//! Labels: what boards are worth, from tables where they reach, else by looking ahead.

use oware_rules::{Board, SowingBoard};
use oware_search::Endgame;

use crate::ahead::{Ahead, Until};
use crate::sample::Sample;

/// The value of a board from tables; `None` where they do not reach.
pub(crate) fn exact(endgame: &dyn Endgame, board: Board) -> Option<i16> {
    let seeds = board.total();
    if seeds > endgame.most_seeds() {
        return None;
    }
    endgame.value(board).map(|value| i16::from(value) * 100)
}

/// The value of a board by a search of this many plies.
pub(crate) fn ahead<G: Fn(Board) -> i32>(
    search: &mut Ahead<'_, G>,
    sample: &Sample,
    depth: u32,
) -> i16 {
    let until = Until { depth, ..Until::default() };
    search.search(sample.board(), until).1 as i16
}
