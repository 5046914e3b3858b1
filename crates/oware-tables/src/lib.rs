//! Endgame tables of Oware: layers, their index, files, and probing.
//!
//! A table says, for every board with n seeds, what the player to move gets from there on under
//! best play, seen against what the opponent gets ([`Convention`] says what endless play counts),
//! or how many plies lie before the next conversion.
//!
//! - [`rows`], [`layer`]: the index of a board in its layer, in both directions, to 48 seeds;
//! - [`convention`]: the three conventions and the kinds of tables;
//! - [`codec`]: compression in tiles that are decoded one by one;
//! - [`header`], [`file`](mod@file), [`write`](mod@write): one table file, `docs/TABLES.md`;
//! - [`together`]: one table file, written by several programs;
//! - [`manifest`]: the list of the tables of one set of rules, chained by hashes;
//! - [`positioned`]: reading and writing at a place of a file;
//! - [`set`]: a directory of tables, and what it knows about a board.

mod ahead;
mod cache;
pub mod codec;
pub mod convention;
mod count;
mod error;
pub mod file;
pub mod header;
pub mod layer;
pub mod manifest;
mod places;
pub mod positioned;
pub mod rows;
pub mod set;
mod strips;
pub mod together;
pub mod write;

pub use cache::{CacheCounts, TileCache};
pub use convention::{Convention, Kind, NO_DISTANCE, ParseConventionError, Quantity};
pub use error::{Subject, TableError};
pub use file::TableFile;
pub use header::{Counts, Mode, VERSION};
pub use layer::{Houses, Layer};
pub use manifest::Manifest;
pub use rows::{MOST_SEEDS, Row};
pub use set::TableSet;
pub use write::{Written, write_table};
