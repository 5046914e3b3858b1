//! The engine protocol: the UCI dialect of Oware programs, as `docs/PROTOCOL.md` specifies it.
//!
//! A [`Session`] takes [`Event`]s (lines of input, and its end) and hands lines of output to a
//! callback; it knows neither standard input nor a process. [`Command`] is what a line says, and
//! can be written again, so that both ends of the protocol speak through the same type.

mod choice;
mod command;
mod go;
mod input;
pub mod laws;
mod reply;
mod running;
mod session;
mod settings;
mod worker;

pub use command::{Command, CommandError};
pub use go::{Go, MOST_MILLISECONDS};
pub use input::{MAX_LINE, event_of, read_event};
pub use session::{Event, Lost, Output, Session, Setup};
pub use settings::{Change, SettingError, Settings};

/// The longest piece of foreign text that a message repeats, in characters.
const SHOWN: usize = 40;

/// A short piece of a foreign text in quotes, with nothing in it that could break a line.
fn shown(text: &str) -> String {
    let short: String = text.chars().take(SHOWN).collect();
    let more = if text.chars().nth(SHOWN).is_some() { "..." } else { "" };
    format!("{short:?}{more}")
}
