//! The transposition table of the `check` mode: a value is taken only where nothing at all that it
//! may depend on is different.

use std::collections::HashMap;

use oware_rules::Board;

use crate::Bound;
use crate::past::Past;
use crate::worker::Frame;

/// Entries kept before the table begins again from nothing.
const MOST: usize = 1 << 21;

/// What a value depends on: the board, the boards since the last capture in any order, those of
/// the game told from those of the tree, and the depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CheckKey {
    board: Board,
    tree: u128,
    game: u128,
    quiet: u32,
    depth: i32,
}

/// Values by [`CheckKey`].
#[derive(Default)]
pub(crate) struct CheckTable {
    entries: HashMap<CheckKey, (i32, Bound)>,
}

impl CheckKey {
    /// The key of the last of these frames.
    pub(crate) fn of(frames: &[Frame], past: &Past, depth: i32) -> CheckKey {
        let frame = frames[frames.len() - 1];
        let before = frames.len() - 1;
        let in_tree = (frame.quiet as usize).min(before);
        let parity = |i: usize| i.is_multiple_of(2);
        let tree = &frames[before - in_tree..before];
        let tree = tree.iter().rev().enumerate().map(|(i, f)| mark(f.board, parity(i)));
        let reaches_game = frame.quiet as usize > before;
        let game = past.boards.iter().rev().enumerate();
        let game = game.filter(|_| reaches_game).map(|(i, &board)| mark(board, parity(i + before)));
        CheckKey {
            board: frame.board,
            tree: tree.fold(0, u128::wrapping_add),
            game: game.fold(0, u128::wrapping_add),
            quiet: frame.quiet,
            depth,
        }
    }
}

impl CheckTable {
    pub(crate) fn get(&self, key: &CheckKey) -> Option<(i32, Bound)> {
        self.entries.get(key).copied()
    }

    pub(crate) fn put(&mut self, key: CheckKey, value: i32, bound: Bound) {
        if self.entries.len() >= MOST {
            self.entries.clear();
        }
        self.entries.insert(key, (value, bound));
    }
}

/// A number for a board and whose move it was; sums of such numbers stand for sets of boards.
fn mark(board: Board, same_mover: bool) -> u128 {
    let [mover, opponent] = board.rows();
    let word = u128::from(mover) << 64 | u128::from(opponent) << 1 | u128::from(same_mover);
    let word = (word ^ word >> 61).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    let word = (word ^ word >> 67).wrapping_mul(0xd6e8_feb8_6659_fd93_a5a3_5642_1d8f_4e2b);
    word ^ word >> 64
}
