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
    /// What that search found, and how many plies it looked ahead; `None` where it was not asked.
    pub checked: Option<(Score, u8)>,
}

impl Valued {
    /// What is known of the move where it leads out of the book: by the deeper search, if there
    /// was one.
    pub(super) fn value(&self) -> Score {
        self.checked.map_or(self.found, |(value, _)| value)
    }

    /// The move as the first search left it.
    pub(super) fn unmarked(self) -> Valued {
        Valued { mark: Mark::Unchecked, checked: None, ..self }
    }
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

    /// Says what a deeper search found of a move.
    pub(super) fn check(&mut self, mv: Move, mark: Mark, found: (Score, u8)) {
        if let Some(valued) = self.moves.iter_mut().find(|valued| valued.mv == mv) {
            (valued.mark, valued.checked) = (mark, Some(found));
        }
    }
}

/// The greatest depth a file may state.
pub(super) const MOST_DEPTH: u8 = DEEPEST as u8;
