//! The state of a layer while it is solved.
//!
//! Two orders are in use. In *opponent order*, that of the tables, a run of boards shares the
//! opponent's row: one code byte a board stands in it, and the bits of the frontier. In *mover
//! order* a run shares the mover's row: counters stand in it as bit planes, 64 boards a word.
//! The boards that one mover's row leads to lie in few runs of opponent order, so following a
//! run of new boards backwards touches whole runs of mover order.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use oware_tables::rows::rows_with;

use crate::bits::prefetch;
use crate::shared::wish_large_pages;
use crate::space::{GROUP, RowSpace};

/// Added to a value so that it is at least 1.
const OFFSET: i8 = 49;
/// The code of a board without a capture that nobody has decided yet.
pub(crate) const NO_CAPTURE: u8 = 0;

/// A best capture or a value as 1..=97.
#[inline]
pub(crate) fn biased(value: i8) -> u8 {
    (value + OFFSET) as u8
}

/// The code of an open board whose best capture pays `value`.
#[inline]
pub(crate) fn open_code(value: i8) -> u8 {
    biased(value) << 1
}

/// The code of a board whose value is known.
#[inline]
pub(crate) fn decided_code(value: i8) -> u8 {
    open_code(value) | 1
}

/// The value a code stands for, where an open board is worth `endless`.
#[inline]
pub(crate) fn value_of_code(code: u8, endless: i8) -> i8 {
    if code & 1 == 1 { (code >> 1) as i8 - OFFSET } else { endless }
}

/// Numbers of boards that are won at a threshold, or lost.
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
    /// By that total: how far a word number goes down to make the number of a summary bit.
    shift: Vec<u32>,
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
        let mut shape = Shape {
            seeds,
            words: Vec::new(),
            base: vec![0],
            shift: Vec::new(),
            groups: Vec::new(),
        };
        for total in 0..=seeds {
            let words = rows_with(seeds - total).div_ceil(64);
            shape.words.push(words);
            shape.shift.push(summary_shift(words));
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

    /// The first word of the run of a row.
    #[inline]
    pub(crate) fn run(&self, total: usize, rank: usize) -> usize {
        self.base[total] + rank * self.words[total]
    }

    #[inline]
    pub(crate) fn shift(&self, total: usize) -> u32 {
        self.shift[total]
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
    pub(crate) fn new(shape: &Shape, bounds: bool) -> Result<Planes, OutOfMemory> {
        let per_word = if bounds { 4 } else { 3 };
        Ok(Planes { planes: zeroed(shape.all_words() * per_word)?, bounds })
    }

    pub(crate) fn bytes_for(shape: &Shape, bounds: bool) -> u64 {
        shape.all_words() as u64 * if bounds { 4 } else { 3 } * 8
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
    fn codes_tell_open_from_decided() {
        for value in -48..=48 {
            assert_eq!(value_of_code(decided_code(value), 0), value);
            assert_eq!(value_of_code(open_code(value), 7), 7);
            assert_ne!(open_code(value), NO_CAPTURE);
        }
        assert_eq!(value_of_code(NO_CAPTURE, -3), -3);
    }

    #[test]
    fn counters_count_down_side_by_side() {
        let shape = Shape::new(0, &RowSpace::new(0));
        let planes = Planes::new(&shape, false).unwrap();
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
