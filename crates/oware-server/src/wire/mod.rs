//! What goes over the wire, in JSON: the types of the public API and of the socket, with their
//! meaning. Inner types never serialise; they are turned into these at the edge.
//!
//! Names are `snake_case`. Times are milliseconds of the server's clock since 1970 (`*_at`) or
//! lengths in milliseconds (`*_ms`). Seeds are numbers; final scores may have halves.

mod board;
mod frame;
mod game;
mod people;
mod puzzle;
mod study;

pub use board::*;
pub use frame::*;
pub use game::*;
pub use people::*;
pub use puzzle::*;
pub use study::*;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A refusal, over HTTP (as the body, with a status of 400 or above) and over the socket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Fault {
    /// What went wrong, for programs: `bad_field`, `bad_json`, `not_found`, `not_yours`,
    /// `not_your_turn`, `illegal_move`, `stale`, `game_over`, `no_offer`, `too_many`,
    /// `not_signed_in`, `forbidden`, `taken`, `too_large`, `busy`, `restarting`, `internal`.
    pub code: String,
    /// The field at fault, where it is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub field: Option<String>,
    /// What went wrong and what was expected, for people, in English. Pages show a text of
    /// their own by `code`.
    pub message: String,
}
