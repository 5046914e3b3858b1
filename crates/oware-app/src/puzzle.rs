//! Endgame puzzles: positions in which exactly one move keeps the result that is there to be had,
//! proven by endgame tables whatever becomes of loops.
//!
//! The stores are set so that the value of the board is just enough: the best move wins by two
//! seeds (or just draws), and because values of the same board differ by two at least, every
//! other move misses. So "which move is best" is the same as "which move wins", and nobody has
//! to be told about seeds beyond the goal.

mod line;
mod look;
mod theme;

use oware_rules::{Board, House, Position, Rules, Setup, Side, SowingBoard};
use oware_tables::TableError;

use crate::Knowledge;

pub use line::{Refutation, Standing, standings};
pub use look::{DEEPEST, depth_needed};
pub use theme::Theme;

/// Rules of all puzzles.
pub const PUZZLE_RULES: Rules = Rules::ABAPA;

/// Moves of the solver in a puzzle, at most.
pub const LONGEST: usize = 6;

/// What the solver is to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// 25 seeds or more.
    Win,
    /// 24 seeds each: every other move loses.
    Draw,
}

impl Goal {
    /// Both.
    pub const ALL: [Goal; 2] = [Goal::Win, Goal::Draw];

    /// `win` or `draw`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Goal::Win => "win",
            Goal::Draw => "draw",
        }
    }

    /// The smallest final difference of the stores that reaches it, in seeds.
    #[must_use]
    pub const fn needed(self) -> i8 {
        match self {
            Goal::Win => 1,
            Goal::Draw => 0,
        }
    }
}

/// One move of the solver, and what the others would come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverMove {
    /// The only move that keeps the goal.
    pub house: House,
    /// The best answer; `None` after the last move of the puzzle.
    pub reply: Option<House>,
    /// Every other legal move, from the mover's left.
    pub wrong: Vec<Refutation>,
}

/// A puzzle. South solves it.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// Where it begins.
    pub position: Position,
    /// What is to be reached.
    pub goal: Goal,
    /// The moves of the solver, 1 to [`LONGEST`].
    pub moves: Vec<SolverMove>,
    /// What it is about, in the order of [`Theme::ALL`].
    pub themes: Vec<Theme>,
    /// Plies that a plain look-ahead counting captures needs to find the first move; `None` where
    /// [`DEEPEST`] is not enough.
    pub depth: Option<u32>,
    /// 1 (easy) to 5.
    pub difficulty: u8,
}

impl Puzzle {
    /// Makes a puzzle of a board, if it is one: its value is proven, one move keeps it, and
    /// there is something to choose. Tables must reach up to the seeds of the board, by the
    /// conventions low and high.
    ///
    /// # Errors
    /// When a table cannot be read or is damaged.
    pub fn compose(
        board: Board,
        goal: Goal,
        knowledge: &Knowledge,
    ) -> Result<Option<Puzzle>, TableError> {
        let Some(position) = set_stores(board, goal, knowledge)? else { return Ok(None) };
        let moves = line::solve(position, goal, knowledge)?;
        let Some(first) = moves.first() else { return Ok(None) };
        let themes = theme::of(&position, &moves);
        // Of two moves one can be guessed, unless there are not more by the rules of feeding or
        // it takes more than one.
        let few = [Theme::Feed, Theme::Starve].iter().any(|theme| themes.contains(theme));
        if position.legal_moves().len() < if few || moves.len() > 1 { 2 } else { 3 } {
            return Ok(None);
        }
        let depth = depth_needed(board, first.house.as_move(), &PUZZLE_RULES);
        let difficulty = difficulty(depth, &themes, &moves);
        Ok(Some(Puzzle { position, goal, moves, themes, depth, difficulty }))
    }

    /// The whole solution: the solver's moves and the answers between them.
    #[must_use]
    pub fn solution(&self) -> Vec<House> {
        self.moves.iter().flat_map(|step| [Some(step.house), step.reply]).flatten().collect()
    }
}

/// Sets the stores so that the value of a board just reaches the goal. `None` where the value is
/// not proven.
fn set_stores(
    board: Board,
    goal: Goal,
    knowledge: &Knowledge,
) -> Result<Option<Position>, TableError> {
    let facts = knowledge.facts(board)?;
    let conventions = [oware_tables::Convention::Low, oware_tables::Convention::High];
    let [Some(low), Some(high)] = conventions.map(|convention| facts.value(convention)) else {
        return Ok(None);
    };
    if low != high {
        return Ok(None);
    }
    // Stores and houses are 48 seeds, an even number, so that the final difference is even.
    let lead = 2 * goal.needed() - low;
    let in_stores = 48 - board.total() as i8;
    let stores = [(in_stores + lead) / 2, (in_stores - lead) / 2];
    if stores.iter().any(|store| !(0..=24).contains(store)) || (in_stores + lead) % 2 != 0 {
        return Ok(None);
    }
    let stores = stores.map(|store| store as u8);
    let setup = Setup::from_mover(board.houses(), stores, Side::South);
    let position = Position::new(setup, PUZZLE_RULES).ok();
    Ok(position.filter(|position| position.ending().is_none()))
}

/// How hard a puzzle is, 1 to 5: how far one must look, for how many moves, and how many other
/// moves look as good at first sight.
fn difficulty(depth: Option<u32>, themes: &[Theme], moves: &[SolverMove]) -> u8 {
    let tempting = moves.first().map_or(0, |first| {
        first.wrong.iter().filter(|wrong| wrong.captured >= first_capture(themes)).count()
    });
    let hidden = [Theme::Quiet, Theme::Sacrifice, Theme::Temptation];
    let hidden = themes.iter().filter(|theme| hidden.contains(theme)).count();
    let points = depth.unwrap_or(DEEPEST + 2) as usize
        + 2 * (moves.len() - 1)
        + hidden
        + usize::from(tempting > 2);
    match points {
        0..=2 => 1,
        3..=5 => 2,
        6..=9 => 3,
        10..=13 => 4,
        _ => 5,
    }
}

/// Seeds from which another move tempts: any capture, where the solution is to capture.
fn first_capture(themes: &[Theme]) -> u8 {
    if themes.contains(&Theme::Capture) { 1 } else { 0 }
}
