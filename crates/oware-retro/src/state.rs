//! The state of a layer while it is solved.
//!
//! Two orders are in use. In *opponent order*, that of the tables, a run of boards shares the
//! opponent's row: the bits of the frontiers stand in it. In *mover order* a run shares the
//! mover's row: counters stand in it as bit planes, 64 boards a word. The boards that one mover's
//! row leads to lie in few runs of opponent order, so following a run of new boards backwards
//! touches whole runs of mover order.
//!
//! Nothing else is held: three bits a board for the counters and four for the frontiers. What
//! captures pay and what was decided is written down and read in order.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use oware_tables::rows::rows_with;

use crate::bits::prefetch;
use crate::shared::wish_large_pages;
use crate::space::{GROUP, RowSpace};

/// Added to a value so that it is at least 1.
const OFFSET: i8 = 49;
/// The byte of a board without a capture.
pub(crate) const NO_CAPTURE: u8 = 0;

/// A best capture or a value as 1..=97.
#[inline]
pub(crate) fn biased(value: i8) -> u8 {
    (value + OFFSET) as u8
}

/// The value that [`biased`] made a byte of.
#[inline]
pub(crate) fn unbiased(byte: u8) -> i8 {
    (byte as i8).wrapping_sub(OFFSET)
}

/// What a threshold finds of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The mover forces the threshold or more.
    Won = 0,
    /// The opponent does.
    Lost = 1,
}

/// Sizes and places of one layer.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) seeds: usize,
    /// By the total of the row that a run shares: words of the other rows' bits.
    words: Vec<usize>,
    /// By that total: the first word of its runs.
    base: Vec<usize>,
    /// Groups of 64 rows.
    pub(crate) groups: Vec<Group>,
}

/// Up to 64 rows of one total, in either order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) total: usize,
    pub(crate) first_rank: usize,
    pub(crate) rows: usize,
}

/// How far a word number goes down to make the number of a bit in one word for `words` of them.
pub(crate) fn summary_shift(words: usize) -> u32 {
    words.div_ceil(64).next_power_of_two().trailing_zeros()
}

impl Shape {
    pub(crate) fn new(seeds: usize, space: &RowSpace) -> Shape {
        let mut shape = Shape { seeds, words: Vec::new(), base: vec![0], groups: Vec::new() };
        for total in 0..=seeds {
            let words = rows_with(seeds - total).div_ceil(64);
            shape.words.push(words);
            shape.base.push(shape.base[total] + rows_with(total) * words);
            for first_rank in (0..rows_with(total)).step_by(GROUP) {
                let rows = GROUP.min(rows_with(total) - first_rank);
                shape.groups.push(Group { total, first_rank, rows });
            }
        }
        debug_assert_eq!(shape.groups.len() * GROUP, space.end(seeds));
        shape
    }

    /// Words of a run shared by a row of this total.
    #[inline]
    pub(crate) fn words(&self, total: usize) -> usize {
        self.words[total]
    }

    /// Boards in a run shared by a row of this total.
    #[inline]
    pub(crate) fn width(&self, total: usize) -> usize {
        rows_with(self.seeds - total)
    }

    /// Rows of this total.
    pub(crate) fn rows(&self, total: usize) -> usize {
        rows_with(total)
    }

    /// Words of all runs.
    pub(crate) fn all_words(&self) -> usize {
        self.base[self.seeds + 1]
    }
}

/// The system has no more memory to give.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutOfMemory {
    /// Bytes that were asked for.
    pub(crate) bytes: u64,
}

/// Zeros in large pages if there are such.
pub(crate) fn zeroed<T: bytemuck::Zeroable>(length: usize) -> Result<Vec<T>, OutOfMemory> {
    let bytes = (length * size_of::<T>()) as u64;
    let mut zeros = bytemuck::try_zeroed_vec(length).map_err(|()| OutOfMemory { bytes })?;
    wish_large_pages(&mut zeros);
    Ok(zeros)
}

/// How many open alternatives each board has, in mover order.
///
/// Alternatives are the legal moves without capture, and one more for the best capture, if there
/// is one. At most six, so three bit planes hold the number. When both bounds are solved, a
/// fourth plane says which boards are not yet won: a board is then decided twice.
pub(crate) struct Planes {
    planes: Vec<AtomicU64>,
    bounds: bool,
}

impl Planes {
    pub(crate) fn new(words: usize, bounds: bool) -> Result<Planes, OutOfMemory> {
        let per_word = if bounds { 4 } else { 3 };
        Ok(Planes { planes: zeroed(words * per_word)?, bounds })
    }

    pub(crate) fn bytes_for(words: u64, bounds: bool) -> u64 {
        words * if bounds { 4 } else { 3 } * 8
    }

    /// All counters, for a checkpoint.
    pub(crate) fn words(&self) -> &[AtomicU64] {
        &self.planes
    }

    #[inline]
    fn at(&self, word: usize) -> &[AtomicU64] {
        if self.bounds {
            &self.planes[word * 4..word * 4 + 4]
        } else {
            &self.planes[word * 3..word * 3 + 3]
        }
    }

    /// Says that the counters of 64 boards will be asked for soon.
    #[inline(always)]
    pub(crate) fn expect(&self, word: usize) {
        if let Some(planes) = self.planes.get(word * if self.bounds { 4 } else { 3 }) {
            prefetch(planes);
        }
    }

    /// Sets the counters of 64 boards, and says which of them exist.
    pub(crate) fn set(&self, word: usize, counters: [u64; 3], open: u64) {
        let planes = self.at(word);
        for (plane, bits) in planes.iter().zip(counters.into_iter().chain([open])) {
            plane.store(bits, Relaxed);
        }
    }

    /// What one more way to this side's end decides among some boards of a word: a move that wins,
    /// or an alternative that is refuted. Returns the boards that are new on the side.
    #[inline]
    pub(crate) fn decide(&self, side: Side, word: usize, boards: u64) -> u64 {
        match side {
            Side::Won => self.win(word, boards),
            Side::Lost => self.refute(word, boards),
        }
    }

    /// Marks those of `boards` won that may be, and returns them.
    #[inline]
    fn win(&self, word: usize, boards: u64) -> u64 {
        let planes = self.at(word);
        if let [_, _, _, open] = planes {
            let before = open.load(Relaxed);
            let won = boards & before;
            if won != 0 {
                open.store(before & !won, Relaxed);
            }
            return won;
        }
        let [a, b, c] = [0, 1, 2].map(|plane: usize| planes[plane].load(Relaxed));
        let won = boards & (a | b | c);
        if won != 0 {
            planes[0].store(a & !won, Relaxed);
            planes[1].store(b & !won, Relaxed);
            planes[2].store(c & !won, Relaxed);
        }
        won
    }

    /// Takes one alternative from each open board of `boards`; returns those that have none left.
    #[inline]
    fn refute(&self, word: usize, boards: u64) -> u64 {
        let planes = self.at(word);
        let [a, b, c] = [0, 1, 2].map(|plane: usize| planes[plane].load(Relaxed));
        let fewer = boards & (a | b | c);
        if fewer == 0 {
            return 0;
        }
        let borrow = fewer & !a;
        let further = borrow & !b;
        let [a, b, c] = [a ^ fewer, b ^ borrow, c ^ further];
        planes[0].store(a, Relaxed);
        planes[1].store(b, Relaxed);
        planes[2].store(c, Relaxed);
        fewer & !(a | b | c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_bytes_above_none() {
        for value in -48..=48 {
            assert_eq!(unbiased(biased(value)), value);
            assert_ne!(biased(value), NO_CAPTURE);
        }
    }

    #[test]
    fn counters_count_down_side_by_side() {
        let planes = Planes::new(1, false).unwrap();
        // Boards 0..=5 have 1..=6 alternatives.
        planes.set(0, [0b01_0101, 0b10_0110, 0b11_1000], u64::MAX);
        for round in 0..6 {
            assert_eq!(planes.refute(0, u64::MAX), 1 << round);
        }
        assert_eq!(planes.refute(0, u64::MAX), 0);
        planes.set(0, [1, 2, 4], u64::MAX);
        assert_eq!(planes.win(0, 0b110), 0b110);
        assert_eq!(planes.refute(0, u64::MAX), 1);
        assert_eq!(planes.win(0, u64::MAX), 0);
    }
}
