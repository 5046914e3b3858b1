//! What endgame tables advise in a game: a move that is forced, or moves to choose among.

use oware_rules::{Game, LoopSplit, Move, MoveSet};
use oware_tables::{Convention, TableError};

use super::{Knowledge, TableMove};

/// Plies without a capture during which a player who cannot lose may look for more. No position
/// comes back within so many plies, so that nothing stands in the way of going the sure way after
/// them.
const FREE_PLIES: u32 = 12;

/// What to do by the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// Play this: it keeps what is sure, and makes progress.
    Play(TableMove),
    /// Play one of these: any other gives away what is sure.
    OneOf(MoveSet),
    /// Nothing: a search knows more.
    Nothing,
}

impl Advice {
    /// What tables advise in a game; nothing where there are none, or they cannot be read.
    pub(crate) fn of(tables: Option<&Knowledge>, game: &Game) -> Advice {
        tables.and_then(|tables| tables.advise(game).ok()).unwrap_or(Advice::Nothing)
    }
}

impl Knowledge {
    /// What the tables advise in a game that is not over.
    ///
    /// A win that is sure whatever becomes of loops is kept by the move that makes progress. A
    /// draw that is sure is kept too, but for some plies without captures by moves that try for
    /// more: that of the even value, or whichever a search prefers; not so where the second
    /// occurrence of a position ends the game. Else the even value is kept, with progress where it
    /// is forced; where it is 0, and loops are split evenly by the rules, by any move that keeps
    /// it.
    ///
    /// # Errors
    /// When a table cannot be read or is damaged.
    pub fn advise(&self, game: &Game) -> Result<Advice, TableError> {
        if game.is_over() {
            return Ok(Advice::Nothing);
        }
        let position = game.position();
        let (board, rules, lead) = (position.board(), position.rules(), position.lead());
        match self.least(position)? {
            Some(1..) => {
                if let Some(best) = self.best(board, Convention::Low)? {
                    return Ok(Advice::Play(best));
                }
            }
            Some(0) => {
                let waits = rules.repetition.is_none_or(|times| times.get() > 2);
                if (!waits || game.capture_free() >= FREE_PLIES)
                    && let Some(best) = self.best(board, Convention::Low)?
                {
                    return Ok(Advice::Play(best));
                }
                let values = self.move_values(board, Convention::Low)?;
                let keep = |&(mv, after): &(Move, Option<i8>)| {
                    after.is_some_and(|after| lead + after >= 0).then_some(mv)
                };
                let keep: MoveSet = values.iter().filter_map(keep).collect();
                let even = self.best(board, Convention::Even)?;
                return Ok(match even {
                    Some(best) if keep.contains(best.mv) => Advice::Play(best),
                    _ => one_of(keep),
                });
            }
            _ => {}
        }
        if let Some(best) = self.best(board, Convention::Even)? {
            return Ok(Advice::Play(best));
        }
        let even_loops = rules.loop_split == LoopSplit::Even;
        if even_loops && self.value(Convention::Even, board)? == Some(0) {
            let values = self.move_values(board, Convention::Even)?;
            let keep = values.iter().filter(|(_, after)| *after == Some(0)).map(|&(mv, _)| mv);
            return Ok(one_of(keep.collect()));
        }
        Ok(Advice::Nothing)
    }
}

fn one_of(moves: MoveSet) -> Advice {
    if moves.is_empty() { Advice::Nothing } else { Advice::OneOf(moves) }
}
