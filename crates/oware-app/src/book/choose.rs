//! Playing by a book.

use std::iter;

use oware_rules::{Board, Game, Move};

use super::{Book, Mark};
use crate::Opening;
use crate::draw::draw;

impl Book {
    /// The same book, played with variety: among the moves within its margin of the best, a
    /// number drawn from the seed and the game so far decides. Without that the best is played.
    #[must_use]
    pub fn with_variety(mut self, seed: u64) -> Book {
        self.variety = Some(seed);
        self
    }

    /// The moves that may be played in an entry: of those within the margin, the ones that were
    /// checked. Without variety no more than one.
    #[must_use]
    pub fn choices(&self, entry: usize) -> Vec<Move> {
        if entry >= self.entries.len() {
            return Vec::new();
        }
        let margin = if self.variety.is_some() { i32::from(self.recipe.margin) } else { 0 };
        let kept = self.playable(entry, margin).filter(|&(_, mark)| mark == Mark::Kept);
        kept.map(|(mv, _)| mv).take(if self.variety.is_some() { 6 } else { 1 }).collect()
    }
}

impl Opening for Book {
    /// The book's move. None where the rules are others, the board is not in the book, its best
    /// move was not checked, or the move would bring back a board of this game: values are those
    /// of games without a past, and a search looks at it.
    fn choose(&self, game: &Game, board: Board) -> Option<Move> {
        if !self.serves(game.rules()) || game.is_over() {
            return None;
        }
        let choices = self.choices(self.find(board)?);
        let number = match self.variety {
            Some(seed) => {
                let moves = game.plies().iter().map(|ply| ply.mv.index() as u64);
                draw(0, iter::once(seed).chain(moves)) % choices.len().max(1) as u64
            }
            None => 0,
        };
        let mv = choices.get(number as usize).copied()?;
        let mut after = game.clone();
        after.play_quick(mv).ok()?;
        (after.occurrences() == 1).then_some(mv)
    }
}
