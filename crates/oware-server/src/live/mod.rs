//! Games that are being played: the [`Hub`] holds them in memory while somebody looks at them
//! or something is due, and is the only door through which anything happens in them.
//!
//! A command goes through one lock of its game: decide, write, commit, apply, tell. What is
//! acknowledged or shown has been committed; what could not be written has changed nothing.

mod commit;
mod computer;
mod create;
mod door;
mod faces;
mod hub;
mod line;
mod lobby;
mod presence;
mod restart;
mod secrets;
mod table;
mod timers;
mod writer;

pub use hub::{Hub, Settings, Tables, Who};
pub use line::{Goodbye, Line, Sent};
pub use writer::Writer;
