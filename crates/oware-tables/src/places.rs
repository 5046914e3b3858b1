//! Where the tiles of a file stand, in about a byte a tile.

/// Tiles between two whole offsets; in between lengths are added up.
const STRIDE: usize = 64;
/// Stands for a length that is not below it, which is looked up by the number of the tile.
const LONG: u8 = u8::MAX;
/// Bytes of a tile's checksum, which follows the tile.
const SUM: u64 = 4;

/// Where each tile of a file starts, and its length.
///
/// Layer 31 has 22 million tiles. The two bytes that the file has for the length of each would be
/// the most that an open table takes; nearly all lengths fit into one.
#[derive(Debug)]
pub(crate) struct Places {
    /// Where every `STRIDE`th tile starts.
    starts: Vec<u64>,
    lengths: Lengths,
}

#[derive(Debug)]
enum Lengths {
    /// Below [`LONG`], but for those listed by number.
    Bytes(Vec<u8>, Vec<(usize, u16)>),
    /// As the file has them: tiles of archives are longer.
    Words(Vec<u16>),
}

impl Places {
    /// The places of tiles of these lengths, the first of which starts at `first`.
    pub(crate) fn new(first: u64, tiles: Vec<u16>) -> Places {
        let mut next = first;
        let mut starts = Vec::with_capacity(tiles.len().div_ceil(STRIDE));
        for stride in tiles.chunks(STRIDE) {
            starts.push(next);
            next += stride.iter().map(|&length| u64::from(length) + SUM).sum::<u64>();
        }
        let is_long = |length: &u16| *length >= u16::from(LONG);
        let long = tiles.iter().filter(|length| is_long(length)).count();
        // With more of them the list would take more than the second bytes.
        let lengths = if long * size_of::<(usize, u16)>() > tiles.len() / 2 {
            Lengths::Words(tiles)
        } else {
            let bytes = tiles.iter().map(|&length| length.min(u16::from(LONG)) as u8).collect();
            let numbered = tiles.iter().copied().enumerate();
            Lengths::Bytes(bytes, numbered.filter(|(_, length)| is_long(length)).collect())
        };
        Places { starts, lengths }
    }

    /// Where a tile starts in the file, and its length without its checksum.
    ///
    /// # Panics
    /// When there is no such tile.
    pub(crate) fn of(&self, number: usize) -> (u64, usize) {
        let first = number / STRIDE * STRIDE;
        let before: u64 = match &self.lengths {
            Lengths::Bytes(bytes, long) if long.is_empty() => {
                bytes[first..number].iter().map(|&length| u64::from(length)).sum()
            }
            _ => (first..number).map(|tile| u64::from(self.length(tile))).sum(),
        };
        let start = self.starts[number / STRIDE] + before + SUM * (number - first) as u64;
        (start, usize::from(self.length(number)))
    }

    fn length(&self, number: usize) -> u16 {
        match &self.lengths {
            Lengths::Words(words) => words[number],
            Lengths::Bytes(bytes, _) if bytes[number] < LONG => u16::from(bytes[number]),
            Lengths::Bytes(_, long) => {
                let place = long.partition_point(|&(tile, _)| tile < number);
                long[place].1
            }
        }
    }

    /// Bytes of memory taken.
    pub(crate) fn bytes(&self) -> usize {
        let lengths = match &self.lengths {
            Lengths::Words(words) => 2 * words.capacity(),
            Lengths::Bytes(bytes, long) => {
                bytes.capacity() + long.capacity() * size_of::<(usize, u16)>()
            }
        };
        lengths + self.starts.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use oware_testkit::TestRng;

    use super::*;

    #[test]
    fn tiles_are_where_their_lengths_put_them() {
        let mut rng = TestRng::from_env("tiles_are_where_their_lengths_put_them");
        for round in 0..60 {
            let long = rng.below(4);
            let length = |rng: &mut TestRng| match rng.below(100) < long || round % 10 == 9 {
                true => rng.between(250, 2000) as u16,
                false => rng.below(255) as u16,
            };
            let count = rng.below(700);
            let tiles: Vec<u16> = (0..count).map(|_| length(&mut rng)).collect();
            let places = Places::new(1000, tiles.clone());
            assert!(places.bytes() <= 2 * count + count / 8 + 8);
            let mut next = 1000;
            for (number, length) in tiles.into_iter().enumerate() {
                assert_eq!(places.of(number), (next, usize::from(length)), "tile {number}");
                next += u64::from(length) + SUM;
            }
        }
    }
}
