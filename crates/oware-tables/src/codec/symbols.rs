//! Where the symbols of a layer are taken from, a tile at a time.

use super::Tile;

/// The symbols of a layer: one for each board, in the order of the index.
pub trait Symbols: Sync {
    /// How often each symbol occurs.
    fn counts(&self) -> [u64; 256];

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
    fn counts(&self) -> [u64; 256] {
        let mut counts = [0u64; 256];
        for &byte in self.bytes {
            counts[usize::from(byte.wrapping_add(self.shift))] += 1;
        }
        counts
    }

    fn tile(&self, tile: &Tile) -> Vec<u8> {
        let mut symbols = tile.cut(self.bytes);
        symbols.iter_mut().for_each(|symbol| *symbol = symbol.wrapping_add(self.shift));
        symbols
    }
}
