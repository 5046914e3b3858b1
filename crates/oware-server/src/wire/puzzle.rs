//! Endgame puzzles.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{PlyView, PositionView, ResultOf};

/// What the solver is to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PuzzleGoal {
    /// To win: every other move does not.
    Win,
    /// To draw: every other move loses.
    Draw,
}

/// Which puzzles (`GET /api/v1/puzzles`); all that is left out does not matter.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PuzzleQuery {
    /// 1 (easy) to 5.
    #[serde(default)]
    pub difficulty: Option<u8>,
    /// One of the themes.
    #[serde(default)]
    pub theme: Option<String>,
    /// `win` or `draw`.
    #[serde(default)]
    pub goal: Option<PuzzleGoal>,
}

/// A line of the list of puzzles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PuzzleSummary {
    /// Its name, which stays.
    pub id: String,
    /// Where it begins, in our notation. South solves it, under the rules of abapa.
    pub position: String,
    /// What is to be reached.
    pub goal: PuzzleGoal,
    /// 1 (easy) to 5.
    pub difficulty: u8,
    /// What it is about: `capture`, `quiet`, `temptation`, `sacrifice`, `feed`, `starve`,
    /// `grand_slam`, `escape`, `long`. Telling it gives something away.
    pub themes: Vec<String>,
    /// Moves that are to be found.
    pub moves: u8,
}

/// A puzzle (`GET /api/v1/puzzles/{id}`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PuzzleView {
    /// What it is.
    #[serde(flatten)]
    pub puzzle: PuzzleSummary,
    /// The position.
    pub state: PositionView,
}

/// `POST /api/v1/puzzles/{id}/attempts`: a move is tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleAttempt {
    /// The solver's moves so far, such as `EB`; the last is the one that is tried. Those before
    /// are the solution's.
    pub moves: String,
}

/// Whether it was right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PuzzleVerdict {
    /// Whether it is the move of the solution, which is the only one that reaches the goal.
    pub right: bool,
    /// Whether the puzzle is solved by it.
    pub solved: bool,
    /// What the move does.
    pub ply: PlyView,
    /// The position after it.
    pub state: PositionView,
    /// After a right move: the answer. After a wrong one: how it is refuted by best play, first
    /// the answer.
    pub line: Vec<PlyView>,
    /// The position after the line.
    pub after: PositionView,
    /// What a wrong move leads to at best.
    pub result: Option<ResultOf>,
    /// How far ahead the solver then ends at most, in seeds.
    pub most: Option<i8>,
}

/// The whole solution (`GET /api/v1/puzzles/{id}/solution`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PuzzleSolution {
    /// The moves of both sides.
    pub plies: Vec<PlyView>,
    /// The position after them.
    pub state: PositionView,
}
