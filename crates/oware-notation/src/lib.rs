//! Texts of Oware: position strings, move text, game records (OGN), converters.
//!
//! Everything here is specified in `docs/FORMATS.md`. Readers take whatever they are given and
//! answer with a value or with an error that names the place and what was expected there; they
//! never panic. Writers are total and have one canonical form each.
//!
//! ```
//! use oware_notation::{PositionFormat, ogn, read_moves, read_position, write_position};
//! use oware_rules::Rules;
//!
//! let text = "0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4";
//! let position = read_position(text).unwrap().resolve(None, Rules::ABAPA).unwrap();
//! assert_eq!(
//!     write_position(&position, PositionFormat::Canonical),
//!     "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
//! );
//! assert_eq!(read_moves("1. F f 2. D").unwrap().len(), 3);
//!
//! let record = ogn::parse("[South \"Ama\"]\n\n1. F f 2. D *").unwrap();
//! let game = ogn::replay(&record).unwrap();
//! assert_eq!(game.plies().len(), 3);
//! ```

pub mod laws;
mod moves;
pub mod ogn;
mod position;
mod text;

pub use moves::{MoveStyle, MoveTextError, StatedMove, read_moves, read_stated_moves, write_moves};
pub use ogn::{OgnError, Record, ReplayError, Tag};
pub use position::{PositionError, PositionFormat, PositionText, read_position, write_position};
