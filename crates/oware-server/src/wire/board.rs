//! Positions, moves and their traces: what a board needs to show a game without knowing rules.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A player's seat. South moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Houses `A` to `F`.
    South,
    /// Houses `a` to `f`.
    North,
}

/// One step of a move, in the order in which hands would do it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum Step {
    /// A house is lifted.
    Lift {
        /// `A`..`F`, `a`..`f`.
        house: String,
        /// The seeds in hand.
        seeds: u8,
    },
    /// The sowing comes round to the house of origin and leaves it out.
    Skip {
        /// The house of origin.
        house: String,
    },
    /// One seed falls.
    Sow {
        /// Where.
        house: String,
        /// What the house then holds.
        now: u8,
    },
    /// A house is captured.
    Capture {
        /// The house.
        house: String,
        /// Its seeds.
        seeds: u8,
        /// Whose store they go to.
        to: Side,
    },
    /// A house of the chain stays, because of the grand-slam clause.
    Spare {
        /// The house.
        house: String,
        /// Its seeds.
        seeds: u8,
    },
    /// Seeds left on the board go to a store: the rest after a grand slam, or the sharing out.
    Collect {
        /// The house.
        house: String,
        /// Its seeds.
        seeds: u8,
        /// Whose store they go to.
        to: Side,
    },
}

/// A house that was emptied by a capture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Captured {
    /// The house.
    pub house: String,
    /// 2 or 3.
    pub seeds: u8,
}

/// What a move does, told step by step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Trace {
    /// The house that is lifted.
    pub house: String,
    /// Who moves.
    pub side: Side,
    /// How many seeds it held.
    pub lifted: u8,
    /// Where the last seed falls.
    pub last: String,
    /// How often the sowing came round to the house of origin and left it out.
    pub laps: u8,
    /// Seeds captured.
    pub captured: u8,
    /// Seeds handed to the opponent by a grand slam.
    pub given: u8,
    /// What came of a grand slam, where it is one: `nothing_captured`, `opponent_took_rest`,
    /// `kept`, `captured_all`.
    pub grand_slam: Option<String>,
    /// The houses captured, the last seed's first.
    pub captures: Vec<Captured>,
    /// The steps of the move.
    pub steps: Vec<Step>,
    /// The sharing out of what is left, where the move ends the game; not part of `houses` and
    /// `stores`.
    pub sharing: Vec<Step>,
    /// Seeds in the houses after the move, `A`..`F` then `a`..`f`.
    #[schema(min_items = 12, max_items = 12)]
    pub houses: Vec<u8>,
    /// Seeds in the stores after it, South's first.
    pub stores: [u8; 2],
    /// The reason of the end, where the move ends the game.
    pub ends: Option<String>,
}

/// A house of the player to move that may not be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Forbidden {
    /// The house.
    pub house: String,
    /// Why: `empty`, `must_feed`, `grand_slam`, `leaves_no_seed`.
    pub reason: String,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Ending {
    /// Why, by the names of docs/RULES.md (`majority`, `no_move`, `repetition`, ...), or
    /// `aborted`.
    pub reason: String,
    /// Final seeds, South's first; may have halves.
    pub score: [f64; 2],
    /// Who won; none for a draw or an aborted game.
    pub winner: Option<Side>,
}

/// Everything a board shows of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PositionView {
    /// The position in the notation of docs/FORMATS.md.
    pub position: String,
    /// Seeds in the houses, `A`..`F` then `a`..`f`. Where the game is over and its rest was
    /// shared out, they are empty and `stores` holds everything (halves rounded down).
    #[schema(min_items = 12, max_items = 12)]
    pub houses: Vec<u8>,
    /// Seeds in the stores, South's first.
    pub stores: [u8; 2],
    /// Whose turn it is.
    pub to_move: Side,
    /// The legal moves, from the mover's left; none when the game is over.
    pub legal: Vec<Trace>,
    /// The mover's other houses, with the reason.
    pub forbidden: Vec<Forbidden>,
    /// How often this position has occurred since the last capture, this time included.
    pub occurrences: u16,
    /// Plies since the last capture.
    pub capture_free: u32,
    /// The end, if the game is over.
    pub ending: Option<Ending>,
}

/// One ply that was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlyView {
    /// 1 for the first move of the game.
    pub ply: u32,
    /// What it did.
    pub trace: Trace,
    /// When the server took it; 0 outside games of the site.
    pub played_at: i64,
    /// What the mover's clock took for it, after lag compensation; none without a clock.
    pub spent_ms: Option<i64>,
}

/// `POST /api/v1/position`: what a sequence of moves leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionRequest {
    /// A preset's name, or fields (`abapa,repetition=2`), as `--rules`; `abapa` if left out.
    #[serde(default)]
    pub rules: Option<String>,
    /// Where to begin, in any position notation of docs/FORMATS.md; the start if left out.
    #[serde(default)]
    pub start: Option<String>,
    /// Moves from there, such as `FfBc`; at most 1,000.
    #[serde(default)]
    pub moves: String,
}

/// The answer to [`PositionRequest`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PositionAnswer {
    /// The rules, by their identifier.
    pub rules: String,
    /// The position before the first move.
    pub start: PositionView,
    /// The moves.
    pub plies: Vec<PlyView>,
    /// The position after the last one.
    pub state: PositionView,
}

/// One set of rules that can be chosen (`GET /api/v1/rules`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PresetView {
    /// The name, such as `abapa`.
    pub name: String,
    /// A short English summary; pages have texts of their own by name.
    pub summary: String,
    /// The fields of docs/RULES.md and their values.
    pub fields: Vec<(String, String)>,
}
