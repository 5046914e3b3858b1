//! Analysis: what each move of a position is worth and how that is known, and what the moves of
//! a game cost.
//!
//! Values are seeds: what the player who moves is expected to end ahead, his store less his
//! opponent's, when both play on to the last seed. Under the rule that 25 seeds win the sign of
//! that is the result too. No value stands without [`Known`], which says where it is from.

mod accuracy;
mod annotate;
mod game;
mod graph;
mod position;
mod svg;
mod tables;
mod value;
pub mod words;

pub use accuracy::{
    EXPECTED_STEPS, HALVING, Label, PlayerReport, SEED_STEPS, SETTLED, expected, move_accuracy,
};
pub use annotate::{ANNOTATOR_TAG, MARK, annotate, strip};
pub use game::{GameAnalysis, PlyAnalysis, Point};
pub use graph::{GraphStyle, graph};
pub use oware_search::{
    Bound, Chances, Control, HashError, MOST_HASH_MIB, MOST_THREADS, Options, Score,
};
pub use position::{Analyst, Effort, PositionAnalysis, Work};
pub use svg::{Caption, svg};
pub use tables::Tables;
pub use value::{Known, MoveValue};
