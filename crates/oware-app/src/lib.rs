//! Use cases for every front end, on plain data: nothing here prints, reads arguments, or knows
//! a wire format.

mod computer;
pub mod knowledge;

pub use computer::{Choice, Computer, Level, Source, hint};
pub use knowledge::Knowledge;

mod perft;
mod query;
mod record;

pub use perft::{MAX_PERFT_DEPTH, PerftMode, perft_divide, perft_total};
pub use query::{MoveOutcome, PositionView, score_seen_by};
pub use record::{GameResult, MAX_PLIES, MovesFault, play_moves};

mod table;

pub use table::{OfferAnswer, Player, Table, Turn};
