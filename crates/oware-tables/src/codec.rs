//! Compression of a layer, one symbol a board, in tiles that are decoded one by one.
//!
//! A layer is cut into tiles ([`Geometry`]) of at most 192 boards (1024 in archives): some
//! opponent's rows by some mover's rows of one block, in the order of the index. Each tile is coded
//! by itself with static rANS (Duda, "Asymmetric numeral systems", 2013), so that a reader needs
//! one tile and what the whole file shares, the [`Model`]: a set of distributions, and a map that
//! chooses one of them for a board from its neighbours that are already known (the same mover's row
//! under the previous opponent's row, the previous mover's row under the same opponent's row, and
//! others) and from what the board itself tells ([`Features`]). In archive mode the value of the
//! mover's best capture, which follows from the layers below, is known to both sides and used too.
//!
//! Everything that decides bytes is integer arithmetic: the same layer gives the same model and
//! the same tiles everywhere.

mod bits;
mod cluster;
mod context;
mod features;
mod geometry;
mod line;
mod maps;
mod model;
mod rans;
mod symbols;
#[cfg(test)]
mod tests;
mod train;

use std::fmt;

pub use features::Features;
pub use geometry::{Geometry, Strip, Tile, TileSize};
pub use model::Model;
pub(crate) use symbols::shifted;
pub use symbols::{Shifted, Symbols};

/// The best capture of a board on which the mover can capture nothing, see [`Model::train`].
pub const NO_CAPTURE: i8 = i8::MIN;

/// Why bytes cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodecError {
    /// The bytes are no model.
    Model,
    /// A tile was decoded to its end and the coder is not in the state in which it has to end.
    Damaged,
    /// The model wants the best captures (it was trained with them) and they are not given, or
    /// the other way round, or they are not one for each board.
    Side,
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CodecError::Model => f.write_str("the bytes are no compression model"),
            CodecError::Damaged => f.write_str("the compressed bytes of a tile are damaged"),
            CodecError::Side => {
                f.write_str("best captures do not go with the model or with the tile")
            }
        }
    }
}

impl std::error::Error for CodecError {}
