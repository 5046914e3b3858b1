//! Oware game notation: whole games as text, with tags, comments and variations.
//!
//! The language is specified in `docs/FORMATS.md`. [`parse`] reads one game, [`parse_all`] and
//! [`games`] files of several; [`write()`] has one canonical form, and `parse(write(x)) == x` for
//! every record that is [normal](Record::normalized), as all parsed ones are. Reading looks at
//! the text alone: whether the moves are legal and the result is theirs is asked by [`replay`],
//! and for the variations by [`verify_variations`].

mod error;
mod parse;
mod record;
mod replay;
mod write;

pub use error::{OgnError, OgnErrorKind};
pub use parse::{Games, MAX_MOVES, MAX_NESTING, decode, games, parse, parse_all};
pub use record::{GameResult, Line, Note, Ply, Record, Suffix, Tag, TagNameError};
pub use replay::{
    Branch, ReplayError, ReplayProblem, replay, replay_under, rules_of, start_of, verify_variations,
};
pub use write::{write, write_all};
