//! Opponents that try to spoil what is proven.

use oware_app::Knowledge;
use oware_rules::{Board, Game, Move, Side, SowingBoard};
use oware_tables::{Convention, TableError};

use super::positions;
use crate::random::Random;

/// A kind of opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Adversary {
    /// Any move.
    Random,
    /// The greatest capture.
    Greedy,
    /// The best move by the even tables.
    Even,
    /// Back to a board that was there before, if that does not lose at once; else the move that
    /// is best for him when endless play counts for him.
    Loops,
    /// One of the others at each move.
    Mixed,
}

impl Adversary {
    /// All of them.
    pub(crate) const ALL: [Adversary; 5] =
        [Adversary::Random, Adversary::Greedy, Adversary::Even, Adversary::Loops, Adversary::Mixed];

    /// What to call it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Adversary::Random => "random",
            Adversary::Greedy => "greedy",
            Adversary::Even => "even tables",
            Adversary::Loops => "seeks loops",
            Adversary::Mixed => "mixed",
        }
    }

    /// A move in a game that is not over.
    pub(crate) fn choose(
        self,
        game: &Game,
        tables: &Knowledge,
        random: &mut Random,
    ) -> Result<Move, TableError> {
        let board = game.position().board();
        match self {
            Adversary::Random => Ok(greatest(game, random, |_| 0)),
            Adversary::Greedy => {
                Ok(greatest(game, random, |mv| game.position().outcome(mv).captured.into()))
            }
            Adversary::Even => {
                let best = tables.best(board, Convention::Even)?;
                let values = values(tables, board, Convention::Even)?;
                Ok(best.map_or_else(|| greatest(game, random, &values), |best| best.mv))
            }
            Adversary::Loops => {
                let high = values(tables, board, Convention::High)?;
                let low = values(tables, board, Convention::Low)?;
                Ok(greatest(game, random, |mv| 10_000 * back(game, mv) + 100 * high(mv) + low(mv)))
            }
            Adversary::Mixed => {
                let kind = Adversary::ALL[random.below(Adversary::ALL.len() - 1)];
                kind.choose(game, tables, random)
            }
        }
    }
}

/// How often the board after a move was there before since the last capture; 0 where the move
/// ends the game and loses it.
fn back(game: &Game, mv: Move) -> i32 {
    let mut next = game.clone();
    if next.play_quick(mv).is_err() {
        return 0;
    }
    let mover: Side = game.position().to_move();
    let loses = next.ending().is_some_and(|ending| ending.winner == Some(mover.other()));
    if loses { 0 } else { i32::from(next.occurrences()) - 1 }
}

/// The values of the moves by tables; 0 where there is none.
fn values(
    tables: &Knowledge,
    board: Board,
    convention: Convention,
) -> Result<impl Fn(Move) -> i32 + use<>, TableError> {
    let values = tables.move_values(board, convention)?;
    Ok(move |mv| {
        let value = values.iter().find(|(other, _)| *other == mv).and_then(|(_, value)| *value);
        value.map_or(0, i32::from)
    })
}

/// A legal move of the greatest worth, any of equal ones.
fn greatest(game: &Game, random: &mut Random, worth: impl Fn(Move) -> i32) -> Move {
    let legal = game.legal_moves();
    let most = legal.iter().map(&worth).max();
    let best = legal.iter().filter(|&mv| Some(worth(mv)) == most).collect();
    positions::pick(random, best).expect("a game that is not over has a legal move")
}

/// Seeds captured by a move of a board, its mover's gain.
pub(super) fn gain(board: Board, mv: Move, rules: &oware_rules::Rules) -> (i32, Board) {
    let sown = board.sow(mv, rules);
    (i32::from(sown.captured) - i32::from(sown.given), sown.board)
}
