//! The solution of a puzzle and the refutations of all other moves, by tables.

use oware_rules::{Board, Game, House, LoopSplit, Move, Position, SowingBoard};
use oware_tables::{Convention, TableError};

use super::{Goal, LONGEST, SolverMove};
use crate::Knowledge;
use crate::knowledge::SurveyedMove;

/// Plies of a refutation, at most.
const REFUTATION: usize = 7;

/// What is proven of a move: the least and the most that its mover still takes beyond the
/// opponent, in seeds, whatever becomes of loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The move.
    pub mv: Move,
    /// At least this.
    pub low: i8,
    /// At most this.
    pub high: i8,
}

/// A move that misses the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The move.
    pub house: House,
    /// Seeds it captures.
    pub captured: u8,
    /// How far ahead the solver ends at most after it: 0 for a draw, below 0 for a loss.
    pub most: i8,
    /// What follows by best play, the opponent's answer first; empty where the move ends the
    /// game.
    pub line: Vec<House>,
}

/// What is proven of each legal move of a board; `None` where a table is missing.
///
/// # Errors
/// When a table cannot be read or is damaged.
pub fn standings(knowledge: &Knowledge, board: Board) -> Result<Option<Vec<Standing>>, TableError> {
    let standing = |surveyed: &SurveyedMove| {
        let (low, high) = (surveyed.value(Convention::Low)?, surveyed.value(Convention::High)?);
        Some(Standing { mv: surveyed.mv, low, high })
    };
    Ok(knowledge
        .survey(board, &[Convention::Low, Convention::High])?
        .moves
        .iter()
        .map(standing)
        .collect())
}

/// The only move that keeps the goal in a position of the solver, if every other one is proven
/// to miss it.
fn only_move(
    position: &Position,
    goal: Goal,
    knowledge: &Knowledge,
) -> Result<Option<Move>, TableError> {
    let Some(moves) = standings(knowledge, position.board())? else { return Ok(None) };
    let (lead, needed) = (position.lead(), goal.needed());
    let kept: Vec<_> = moves.iter().filter(|standing| lead + standing.low >= needed).collect();
    let missed = moves.iter().filter(|standing| lead + standing.high < needed).count();
    Ok(match kept[..] {
        [only] if missed + 1 == moves.len() => Some(only.mv),
        _ => None,
    })
}

/// The solver's moves from a position on, as long as there is only one that keeps the goal, and
/// up to the last of them where there was a choice. Empty where the first is not such a move.
pub(super) fn solve(
    start: Position,
    goal: Goal,
    knowledge: &Knowledge,
) -> Result<Vec<SolverMove>, TableError> {
    let mut game = Game::from_position(start);
    let mut moves: Vec<SolverMove> = Vec::new();
    while moves.len() < LONGEST && !game.is_over() {
        let position = *game.position();
        let Some(only) = only_move(&position, goal, knowledge)? else { break };
        let wrong = refute_all(&game, only, knowledge)?;
        let house = House::of(position.to_move(), only);
        moves.push(SolverMove { house, reply: None, wrong });
        game.play_quick(only).expect("tables have legal moves");
        if game.is_over() {
            break;
        }
        let Some(reply) = hardest(&game, goal, knowledge)? else { break };
        let house = House::of(game.position().to_move(), reply);
        moves.last_mut().expect("one was pushed").reply = Some(house);
        game.play_quick(reply).expect("tables have legal moves");
    }
    while moves.last().is_some_and(|last| last.wrong.is_empty()) {
        moves.pop();
    }
    if let Some(last) = moves.last_mut() {
        last.reply = None;
    }
    Ok(moves)
}

/// The opponent's answer that asks most of the solver: the best by value, then the one that
/// leaves an only move, then the one that puts off the next conversion longest.
fn hardest(game: &Game, goal: Goal, knowledge: &Knowledge) -> Result<Option<Move>, TableError> {
    let position = game.position();
    let Some(moves) = standings(knowledge, position.board())? else { return Ok(None) };
    let mut best = None;
    for Standing { mv, low, high } in moves {
        let after = position.play_unchecked(mv);
        let asks = after.ending().is_none() && only_move(&after, goal, knowledge)?.is_some();
        let facts = knowledge.facts(after.board())?;
        let distance = facts.distance(Convention::Low).unwrap_or(0);
        let rank = (high, low, asks, distance);
        if best.is_none_or(|(first, _)| rank > first) {
            best = Some((rank, mv));
        }
    }
    Ok(best.map(|(_, mv)| mv))
}

fn refute_all(
    game: &Game,
    only: Move,
    knowledge: &Knowledge,
) -> Result<Vec<Refutation>, TableError> {
    let position = *game.position();
    let moves = standings(knowledge, position.board())?.unwrap_or_default();
    let mut wrong = Vec::new();
    for Standing { mv, high, .. } in moves.into_iter().filter(|standing| standing.mv != only) {
        let mut after = game.clone();
        after.play_quick(mv).expect("tables have legal moves");
        let captured = position.board().sow(mv, position.rules()).captured;
        let house = House::of(position.to_move(), mv);
        let most = position.lead() + high;
        let line = best_play(after, knowledge)?;
        wrong.push(Refutation { house, captured, most, line });
    }
    Ok(wrong)
}

/// How the game goes on when both play for the most that is sure.
fn best_play(mut game: Game, knowledge: &Knowledge) -> Result<Vec<House>, TableError> {
    debug_assert_eq!(game.rules().loop_split, LoopSplit::OwnRows);
    let mut line = Vec::new();
    while line.len() < REFUTATION && !game.is_over() {
        let board = game.position().board();
        let mv = match knowledge.best(board, Convention::Low)? {
            Some(best) => Some(best.mv),
            None => standings(knowledge, board)?
                .and_then(|moves| moves.into_iter().max_by_key(|s| (s.low, s.high)))
                .map(|standing| standing.mv),
        };
        let Some(mv) = mv else { break };
        line.push(House::of(game.position().to_move(), mv));
        game.play_quick(mv).expect("tables have legal moves");
    }
    Ok(line)
}
