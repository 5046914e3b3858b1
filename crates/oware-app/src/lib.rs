//! Use cases for every front end, on plain data: nothing here prints, reads arguments, or knows
//! a wire format (but the lines of [`protocol`]).

pub mod analysis;
pub mod bench;
pub mod book;
mod computer;
mod draw;
mod endgame;
mod human;
pub mod knowledge;
mod level;
pub mod matches;
pub mod protocol;
pub mod puzzle;
mod thinker;

pub use book::Book;
pub use computer::{Choice, Computer, Source, hint};
pub use endgame::InMemory;
pub use knowledge::Knowledge;
pub use level::Level;
pub use oware_search::Control;
pub use thinker::{Opening, Origin, Thinker, Thought};

mod perft;
mod query;
mod record;

pub use perft::{MAX_PERFT_DEPTH, PerftMode, perft_divide, perft_total};
pub use query::{MoveOutcome, PositionView, score_seen_by};
pub use record::{GameResult, MAX_PLIES, MovesFault, play_moves};

mod table;

pub use table::{OfferAnswer, Player, Table, Turn};
