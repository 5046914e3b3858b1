//! What a book holds of one board.

use oware_rules::{Board, Move};
use oware_search::{DEEPEST, Score};

/// What a deeper search said of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mark {
    /// It was not asked.
    #[default]
    Unchecked,
    /// The move costs no more than the book allows: it may be played.
    Kept,
    /// It costs more: it is not played, and counts for nothing in the value of the board.
    Refused,
}

/// A move with what a search found of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Valued {
    /// The move.
    pub mv: Move,
    /// What the mover still takes more than his opponent, by the search.
    pub found: Score,
    /// Plies looked ahead, the move counted; at most [`DEEPEST`].
    pub depth: u8,
    /// What a deeper search said.
    pub mark: Mark,
}

/// A board with its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The board, as its mover sees it.
    pub board: Board,
    /// The number of the entry it was first reached from, and by which move; `None` for the
    /// start.
    pub from: Option<(u32, Move)>,
    /// Every legal move, from the mover's left.
    pub moves: Vec<Valued>,
}

impl Entry {
    /// The move with its value.
    pub(super) fn get(&self, mv: Move) -> Option<&Valued> {
        self.moves.iter().find(|valued| valued.mv == mv)
    }

    /// Sets the mark of a move.
    pub(super) fn set_mark(&mut self, mv: Move, mark: Mark) {
        if let Some(valued) = self.moves.iter_mut().find(|valued| valued.mv == mv) {
            valued.mark = mark;
        }
    }
}

/// The greatest depth a file may state.
pub(super) const MOST_DEPTH: u8 = DEEPEST as u8;
