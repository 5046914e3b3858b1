//! Where the symbols of a layer are taken from, a tile at a time.

use super::Tile;

/// The symbols of a layer: one for each board, in the order of the index.
pub trait Symbols: Sync {
    /// The symbols of a tile. A source that cannot read them gives some others and remembers why;
    /// whoever asks it must look at that before the result is used.
    fn tile(&self, tile: &Tile) -> Vec<u8>;
}

/// Bytes in memory from which symbols are counted: a byte plus `shift`, modulo 256.
#[derive(Clone, Copy, Debug)]
pub struct Shifted<'a> {
    /// One byte for each board.
    pub bytes: &'a [u8],
    /// What is added.
    pub shift: u8,
}

impl Symbols for Shifted<'_> {
    fn tile(&self, tile: &Tile) -> Vec<u8> {
        shifted(tile.cut(self.bytes), self.shift)
    }
}

/// Bytes made into symbols.
pub(crate) fn shifted(mut bytes: Vec<u8>, shift: u8) -> Vec<u8> {
    bytes.iter_mut().for_each(|byte| *byte = byte.wrapping_add(shift));
    bytes
}
