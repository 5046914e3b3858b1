//! The rules of Oware (Abapa, Awari, Warri ...) on 12 houses and 48 seeds, exactly, in every
//! variant of `docs/RULES.md`.
//!
//! * [`Rules`] says which game is played: a small `Copy` value of independent fields, with the
//!   presets by name. Everything that depends on a variant asks this value.
//! * [`Board`] is twelve houses seen by the player to move. It is the fast one, for search and
//!   tables; [`ReferenceBoard`] is the plain one, kept as oracle. Both are [`SowingBoard`]s and
//!   pass the same suite.
//! * [`Position`] is what people mean: South and North, stores, who is to move, under which
//!   rules. It is built only through a checked door, [`Position::new`].
//! * [`Game`] adds the history: repetition, undo, offers, resignation.
//!
//! ```
//! use oware_rules::{Game, House, Rules};
//!
//! let mut game = Game::new(Rules::ABAPA);
//! let report = game.play_house("F".parse::<House>().unwrap()).unwrap();
//! assert_eq!(report.last.to_string(), "d");
//! assert_eq!(game.position().to_string(), "4-4-4-4-4-0-5-5-5-5-4-4-0-0-N");
//! ```
//!
//! The crate does no input or output, starts no threads, and depends on nothing but `std`.

mod board;
mod ending;
mod game;
mod halves;
mod house;
mod moves;
mod perft;
mod position;
mod reference;
mod report;
pub mod row;
mod rules;
mod rules_text;
mod sowing;

pub use board::Board;
pub use ending::{Ending, FinalScore, HalfSeeds, Reason};
pub use game::{Game, GameError, MatchEnd, OfferKind, PlyRecord};
pub use halves::HalvesPerft;
pub use house::{House, ParseHouseError, Seeds, Side};
pub use moves::{Move, MoveSet, MoveSetIter};
pub use perft::{
    PerftCounts, divide, perft, perft_board, perft_board_visiting, perft_detailed, perft_visiting,
};
pub use position::{Outcome, PlayError, Position, Setup, SetupError};
pub use reference::ReferenceBoard;
pub use report::{CapturedHouse, GrandSlamOutcome, MoveReport, Step};
pub use rules::{
    CaptureFreeLimit, Feeding, GrandSlam, LoopSplit, PRESETS, Preset, Repetition, Rules, Stuck,
};
pub use rules_text::{RulesError, TableRules};
pub use sowing::{BoardError, SowingBoard, Sown};

/// Seeds in a game: four in each of the twelve houses.
pub const TOTAL_SEEDS: u8 = 48;
/// Houses on the board.
pub const HOUSES: usize = 12;
/// Houses in a row, which is also the greatest number of moves in a position.
pub const ROW: usize = 6;
/// A store with this many seeds has won: more than half of [`TOTAL_SEEDS`].
pub const MAJORITY: u8 = TOTAL_SEEDS / 2 + 1;
