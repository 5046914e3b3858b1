//! Analysis, reports, endgame tables and conversions.
//!
//! A value is in seeds: what a player ends ahead, his store less his opponent's, if both play on
//! to the last seed. None stands without the way it is known.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{PositionView, Side};

/// `POST /api/v1/analysis`: what the moves of a position are worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    /// As in [`super::PositionRequest`].
    #[serde(default)]
    pub rules: Option<String>,
    /// As in [`super::PositionRequest`].
    #[serde(default)]
    pub start: Option<String>,
    /// Moves from there; the position after them is analysed.
    #[serde(default)]
    pub moves: String,
    /// How many of the best moves are valued, 1 to 6; 3 if left out.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 6)]
    pub lines: Option<u8>,
    /// How long, 50 to 30,000 ms; 5,000 if left out. Shorter when others wait.
    #[serde(default)]
    #[schema(minimum = 50, maximum = 30_000)]
    pub milliseconds: Option<u32>,
}

/// How the value of a move is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum KnownBy {
    /// The move ends the game, and the rules say who gets what.
    Ending,
    /// Endgame tables, whatever becomes of loops (or: the rules split loops as the tables do).
    Exact,
    /// Endgame tables: right if loops are split evenly, which is not certain by these rules.
    IfEven,
    /// A search to the end of every line that matters, without a guess; loops count at the first
    /// return of a position.
    Complete,
    /// The same, resting on tables that split loops evenly.
    CompleteIfEven,
    /// A search with a guess where it stopped.
    Search,
}

/// Whether a value is what was found, or the true one is above or below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BoundOf {
    /// The value.
    Exact,
    /// At least this.
    Lower,
    /// At most this.
    Upper,
}

/// A result for the player it is said of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResultOf {
    /// He ends with more seeds.
    Win,
    /// Both end with the same.
    Draw,
    /// He ends with fewer.
    Loss,
}

/// A move with what it is worth to the player who makes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MoveValueView {
    /// The house.
    pub house: String,
    /// Seeds it captures.
    pub captured: u8,
    /// What the mover ends ahead, in seeds.
    pub value: f64,
    /// Whether it is more or less in truth.
    pub bound: BoundOf,
    /// How it is known.
    pub known: KnownBy,
    /// Plies looked ahead, where there was a search.
    pub depth: Option<u32>,
    /// What is proven of the result for the mover.
    pub proven: Option<ResultOf>,
    /// Seeds the mover ends ahead at least, proven whatever becomes of loops.
    pub least: Option<i8>,
    /// The same at most.
    pub most: Option<i8>,
    /// Whether an earlier position of the game that comes back may stand in the way.
    pub past: bool,
    /// Chances of a win, a draw and a loss for the mover, in thousandths.
    pub chances: [u16; 3],
    /// The line expected, this move first.
    pub line: String,
}

/// One line of the answer to [`AnalysisRequest`] (`application/x-ndjson`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AnalysisEvent {
    /// What endgame tables say, where they reach.
    Tables(Box<ProbeAnswer>),
    /// A depth is done.
    Depth {
        /// Plies.
        depth: u32,
        /// The best moves, best first.
        moves: Vec<MoveValueView>,
        /// Positions looked at.
        nodes: u64,
        /// Time spent.
        elapsed_ms: u64,
    },
    /// It is over: these are the last values.
    Done {
        /// The best moves, best first; none if the game is over.
        moves: Vec<MoveValueView>,
        /// Positions looked at.
        nodes: u64,
        /// Time spent.
        elapsed_ms: u64,
    },
    /// It failed.
    Failed {
        /// Why.
        fault: super::Fault,
    },
}

/// How thoroughly a game is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// 20,000 positions a ply.
    Quick,
    /// 100,000.
    #[default]
    Normal,
    /// 400,000.
    Deep,
}

/// `POST /api/v1/report`: what the moves of a game cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportRequest {
    /// As in [`super::PositionRequest`].
    #[serde(default)]
    pub rules: Option<String>,
    /// As in [`super::PositionRequest`].
    #[serde(default)]
    pub start: Option<String>,
    /// The game; at most 400 plies.
    pub moves: String,
    /// How thoroughly.
    #[serde(default)]
    pub effort: Effort,
}

/// One line of the answer to [`ReportRequest`] (`application/x-ndjson`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ReportEvent {
    /// How far it is.
    Progress {
        /// Plies done.
        done: u32,
        /// Of how many.
        of: u32,
    },
    /// The report.
    Done(Box<GameReport>),
    /// It failed.
    Failed {
        /// Why.
        fault: super::Fault,
    },
}

/// How a game stood at one time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PointView {
    /// What South is expected to end ahead.
    pub south: f64,
    /// South's chances of a win, a draw and a loss, in thousandths.
    pub chances: [u16; 3],
}

/// A ply with what it cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReportPly {
    /// Its number, from 1.
    pub ply: u32,
    /// Who moved.
    pub side: Side,
    /// Whether there was only one legal move.
    pub forced: bool,
    /// The move played.
    pub played: MoveValueView,
    /// The best move (the one played, if none is better).
    pub best: MoveValueView,
    /// Seeds lost beside the best move.
    pub lost: f64,
    /// `best`, `good`, `inaccuracy`, `mistake`, `blunder`.
    pub label: String,
    /// How the game stood after it.
    pub point: PointView,
}

/// What the moves of a player were like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayerReportView {
    /// Moves.
    pub moves: u32,
    /// Moves with something to choose; all below is of these.
    pub choices: u32,
    /// How many were `best`, `good`, `inaccuracy`, `mistake`, `blunder`.
    pub counts: [u32; 5],
    /// Seeds lost in all.
    pub lost: f64,
    /// 0 to 100; none if there was no choice.
    pub accuracy: Option<f64>,
}

/// A game that was looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GameReport {
    /// How it stood at the start.
    pub start: Option<PointView>,
    /// The plies.
    pub plies: Vec<ReportPly>,
    /// South and North.
    pub players: [PlayerReportView; 2],
    /// Positions looked at.
    pub nodes: u64,
    /// Time spent.
    pub elapsed_ms: u64,
}

/// `POST /api/v1/probe`: what endgame tables say of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProbeRequest {
    /// As in [`super::PositionRequest`].
    #[serde(default)]
    pub rules: Option<String>,
    /// As in [`super::PositionRequest`].
    #[serde(default)]
    pub start: Option<String>,
    /// Moves from there; the position after them is looked up.
    #[serde(default)]
    pub moves: String,
}

/// A value by each convention: what endless play counts in it. None where a table is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct Values {
    /// Endless play is split evenly.
    pub even: Option<i8>,
    /// Endless play counts against the mover: the least he can be sure of.
    pub low: Option<i8>,
    /// Endless play counts for the mover: the most he can hope for.
    pub high: Option<i8>,
}

/// What follows from the tables for the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "claim", rename_all = "snake_case")]
pub enum ClaimView {
    /// Proven: the mover ends this far ahead.
    Exact {
        /// Seeds; below 0 behind.
        ahead: i8,
        /// Whether that rests on the rules splitting loops evenly, as the tables do.
        even_loops: bool,
    },
    /// Proven: the mover wins by this many seeds or more.
    Win {
        /// Seeds.
        least: i8,
    },
    /// Proven: the mover loses by this many seeds or more.
    Loss {
        /// Seeds.
        least: i8,
    },
    /// Not proven: the mover ends this far ahead if loops are split evenly.
    IfEven {
        /// Seeds.
        ahead: i8,
    },
    /// The tables say nothing.
    Unknown,
}

/// What tables say of one move: what the mover still takes beyond the opponent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TableMoveView {
    /// The house.
    pub house: String,
    /// Seeds it captures.
    pub captured: u8,
    /// The values of playing it.
    pub values: Values,
}

/// The answer to [`ProbeRequest`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProbeAnswer {
    /// The position, in our notation.
    pub position: String,
    /// Seeds in the houses.
    pub seeds: u8,
    /// The layer up to which there are tables for these rules; none if there is none.
    pub layers: Option<u8>,
    /// What the mover still takes beyond the opponent, stores left out.
    pub values: Values,
    /// Plies to the next capture or the end, by each convention, where something is forced.
    pub distance: Values,
    /// The mover's store less the opponent's.
    pub lead: i8,
    /// What follows for the result.
    #[serde(flatten)]
    pub claim: ClaimView,
    /// Whether an earlier position of the game that comes back may stand in the way.
    pub past: bool,
    /// The legal moves, from the mover's left.
    pub moves: Vec<TableMoveView>,
    /// Best play, as far as it is forced, at most 24 plies.
    pub line: String,
}

/// The tables of some rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TableSetView {
    /// The fields of the rules that decide values.
    pub rules: String,
    /// Presets with these rules.
    pub presets: Vec<String>,
    /// The highest layer that is there with all lower ones, by convention.
    pub layers: Values,
}

/// `GET /api/v1/tables`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TablesView {
    /// Whether some are being built.
    pub building: bool,
    /// What is there.
    pub sets: Vec<TableSetView>,
}

/// One move of a tree. Nodes stand in an order in which parents come first; among the children
/// of one node the first is the main line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeNode {
    /// The node before, by its place in the list from 1; 0 for the start.
    pub parent: u32,
    /// The house played.
    pub house: String,
    /// What is said about it; at most 2,000 characters.
    #[serde(default)]
    pub comment: String,
    /// `!`, `?`, `!!`, `??`, `!?`, `?!` or nothing.
    #[serde(default)]
    pub mark: String,
}

/// A game with variations and comments.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Tree {
    /// The rules; `abapa` if left out.
    #[serde(default)]
    pub rules: Option<String>,
    /// The first position, in any notation; the start if left out.
    #[serde(default)]
    pub start: Option<String>,
    /// Tags such as `South`, `North`, `Event`, `Date`, with their values.
    #[serde(default)]
    pub tags: Vec<(String, String)>,
    /// What is said before the first move.
    #[serde(default)]
    pub comment: String,
    /// The moves, at most 3,000.
    #[serde(default)]
    pub nodes: Vec<TreeNode>,
}

/// What is converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConvertAction {
    /// A text becomes a tree: a position in any notation, moves, or a game record (OGN).
    Read,
    /// A tree becomes texts.
    Write,
}

/// `POST /api/v1/convert`: reads or writes any format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConvertRequest {
    /// Which.
    pub action: ConvertAction,
    /// To read: the text, at most 200,000 bytes.
    #[serde(default)]
    pub text: Option<String>,
    /// To read: rules where the text names none.
    #[serde(default)]
    pub rules: Option<String>,
    /// To write: the tree.
    #[serde(default)]
    pub tree: Option<Tree>,
    /// To write: the node whose position is written, by its place from 1; the start for 0.
    #[serde(default)]
    pub at: u32,
}

/// The answer to [`ConvertRequest`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ConvertAnswer {
    /// What was read.
    Tree {
        /// What the text was: `position`, `moves` or `record`.
        form: String,
        /// The tree, rules and start filled in.
        tree: Tree,
        /// The first position.
        state: Box<PositionView>,
        /// What in the record does not fit the rules though its moves do, such as its result.
        fault: Option<String>,
    },
    /// What was written.
    Texts {
        /// The whole tree as a game record.
        ogn: String,
        /// The way to the node asked for, as letters.
        moves: String,
        /// The position there: `canonical`, `openspiel`, `playstrategy`, `twelve`.
        positions: Vec<(String, String)>,
    },
}
