//! Reading a table in the order of its index, a strip at a time.

use crate::codec::Strip;
use crate::error::TableError;
use crate::file::TableFile;
use crate::header::Mode;

impl TableFile {
    /// Number of strips, of which [`strip`](Self::strip) reads one.
    #[must_use]
    pub fn strips(&self) -> usize {
        self.geometry().strip_count()
    }

    /// Reads one strip: consecutive opponent's rows with all their boards. Their bytes, in index
    /// order, replace what `bytes` holds. A strip of small tiles has at most 12 opponent's rows,
    /// unless it is as small as one tile.
    ///
    /// # Errors
    /// When the file cannot be read, a tile is damaged, or the table is an archive, of which no
    /// part can be read by itself.
    ///
    /// # Panics
    /// When there is no such strip.
    pub fn strip(&self, number: usize, bytes: &mut Vec<u8>) -> Result<Strip, TableError> {
        if self.header().mode == Mode::Archive {
            return Err(TableError::Archive { path: self.path().to_owned() });
        }
        let strip = self.geometry().strip(number);
        bytes.clear();
        bytes.resize(strip.len(), 0);
        let mut symbols = Vec::new();
        self.decode_tiles(
            strip.first_tile,
            strip.tiles,
            &mut |tile, found| {
                for (row, found) in found.chunks(tile.mover_rows).enumerate() {
                    let start = row * strip.width + tile.first_mover_rank;
                    let slots = &mut bytes[start..start + found.len()];
                    slots.iter_mut().zip(found).for_each(|(slot, &symbol)| {
                        *slot = self.byte_of(symbol);
                    });
                }
            },
            &mut symbols,
        )?;
        Ok(strip)
    }
}
