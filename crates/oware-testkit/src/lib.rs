//! Test support for Oware: the reference cases and a second, independent reading of the rules.
//!
//! This crate is a development dependency only. It knows none of the other crates of the project,
//! so that a mistake in one of them cannot be repeated here by sharing its code.
//!
//! - [`oracle`]: all of the rules, written as plainly as possible, on plain arrays;
//! - [`cases`]: typed loaders for the files in `testdata/`;
//! - [`endgame`]: values and distances of all boards with few seeds, by plain forward sweeps;
//! - [`random`]: a small seeded generator with random positions and rules.

pub mod cases;
pub mod endgame;
pub mod oracle;
pub mod random;

pub use oracle::{
    OracleFeeding, OracleGame, OracleGrandSlam, OracleLoopSplit, OracleMove, OraclePosition,
    OracleRules, OracleStuck,
};
pub use random::TestRng;
