//! How often each value or distance occurs.

use crate::{Counts, NO_DISTANCE, Quantity};

/// Counts bytes that come piece by piece.
pub(crate) struct Counter {
    /// Four arrays, so that equal neighbours do not wait for each other.
    counts: [[u64; 256]; 4],
}

impl Default for Counter {
    fn default() -> Counter {
        Counter { counts: [[0; 256]; 4] }
    }
}

impl Counter {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(4);
        for four in &mut chunks {
            for (counts, &byte) in self.counts.iter_mut().zip(four) {
                counts[usize::from(byte)] += 1;
            }
        }
        for &byte in chunks.remainder() {
            self.counts[0][usize::from(byte)] += 1;
        }
    }

    /// How often each byte occurred.
    pub(crate) fn bytes(&self) -> [u64; 256] {
        std::array::from_fn(|byte| self.counts.iter().map(|counts| counts[byte]).sum())
    }

    /// The same of the symbols that are the bytes plus `shift`, modulo 256.
    pub(crate) fn symbols(&self, shift: u8) -> [u64; 256] {
        let mut counts = self.bytes();
        counts.rotate_right(usize::from(shift));
        counts
    }

    /// The same by value or distance.
    pub(crate) fn counts(&self, quantity: Quantity) -> Counts {
        let bytes = self.bytes();
        let entry = |byte: u8| {
            let value = match quantity {
                Quantity::Value => Some(i16::from(byte as i8)),
                Quantity::Distance => (byte != NO_DISTANCE).then_some(i16::from(byte)),
            };
            (value, bytes[usize::from(byte)])
        };
        let mut entries: Counts = (0..=255).map(entry).filter(|&(_, count)| count > 0).collect();
        entries.sort_unstable();
        entries
    }
}

/// How often each value or distance occurs among all bytes.
pub(crate) fn count(quantity: Quantity, bytes: &[u8]) -> Counts {
    let mut counter = Counter::default();
    counter.add(bytes);
    counter.counts(quantity)
}
