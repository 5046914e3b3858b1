//! The first pass over a layer: how many alternatives each board has, and its captures in order.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;

use oware_rules::{Feeding, Stuck};
use oware_tables::Convention;
use oware_tables::rows::rows_with;

use crate::buckets::{Buckets, Sorted};
use crate::captures::{Best, Lookup, capture};
use crate::frontier::lanes;
use crate::halves::crossing_seeds;
use crate::rounds::lock;
use crate::solve::Target;
use crate::space::GROUP;
use crate::spill::Spill;
use crate::state::{Planes, Side, biased};
use crate::tables::{CrossTable, RowMoves};

/// A board where the mover has no legal move, in mover order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stalled {
    /// What the sharing out pays.
    pub(crate) value: i8,
    /// The mover's row number.
    pub(crate) mover: u32,
    /// The rank of the opponent's row.
    pub(crate) opponent: u32,
}

/// What a pass over best captures does with them.
pub(crate) struct FirstPass<'a> {
    pub(crate) lookup: &'a Lookup<'a>,
    pub(crate) best: &'a Best,
    pub(crate) target: Target,
    pub(crate) convention: Convention,
    /// By place: the thresholds, from high to low.
    pub(crate) thresholds: &'a [i8],
    /// Where counters are stored, by the pass that does that.
    pub(crate) planes: Option<&'a Planes>,
}

/// What one worker keeps.
#[derive(Default)]
pub(crate) struct Buffers {
    /// Best captures of a group of rows, row after row.
    best: Vec<u8>,
    counters: Vec<[u64; 3]>,
    stalled: Vec<Stalled>,
}

impl FirstPass<'_> {
    /// Goes through all owned groups. Returns the captures in order, and the boards without a
    /// move, by value, if counters were wanted.
    pub(crate) fn run(&self, spill: Spill) -> io::Result<(Buckets, Vec<Stalled>)> {
        let Lookup { shape, own, threads, .. } = *self.lookup;
        let widths = own.widths_of_groups(shape);
        let stalled = Mutex::new(Vec::new());
        let buckets = Buckets::fill(
            &widths,
            self.thresholds.len(),
            spill,
            threads,
            Buffers::default,
            |place, sorted, buffers| self.group(own.groups[place], sorted, buffers),
            |mut buffers| lock(&stalled).append(&mut buffers.stalled),
        )?;
        let mut stalled = stalled.into_inner().unwrap_or_default();
        stalled.sort_unstable();
        Ok((buckets, stalled))
    }

    fn group(&self, group: usize, sorted: &mut Sorted, buffers: &mut Buffers) {
        let Lookup { tables, shape, .. } = *self.lookup;
        let rows = shape.groups[group];
        let opponent = shape.seeds - rows.total;
        let width = rows_with(opponent);
        buffers.best.clear();
        for lane in 0..rows.rows {
            let row = group * GROUP + lane;
            let boards = self.best.row(row, width);
            buffers.best.extend(boards.iter().map(|byte| byte.load(Relaxed)));
            let moves = &tables.moves[row];
            with_slam_ends(self.lookup, row, opponent, &mut buffers.best[lane * width..]);
            if let Some(planes) = self.planes {
                buffers.counters.clear();
                buffers.counters.resize(width.div_ceil(64), [0; 3]);
                self.count(moves, opponent, &mut buffers.counters);
                self.finish_row(row, rows.total, lane, planes, buffers);
            }
        }
        self.sort(&buffers.best, width, rows.rows, sorted);
    }

    /// Counts the legal moves without capture of each board of a row.
    fn count(&self, moves: &RowMoves, opponent: usize, counters: &mut [[u64; 3]]) {
        for (_, crossing) in moves.each() {
            if crossing > 0 {
                let table: &CrossTable = self.lookup.tables.crossing(crossing, opponent);
                counters.iter_mut().zip(&table.quiet).for_each(|(c, &quiet)| add(c, quiet));
            } else if opponent > 0 || moves.passes_empty {
                counters.iter_mut().for_each(|c| add(c, u64::MAX));
            }
        }
    }

    /// Adds the best capture to the alternatives, finds the boards without a move, and stores
    /// the counters.
    fn finish_row(
        &self,
        row: usize,
        total: usize,
        lane: usize,
        planes: &Planes,
        buffers: &mut Buffers,
    ) {
        let Lookup { tables, shape, own, .. } = *self.lookup;
        let opponent = shape.seeds - total;
        let width = rows_with(opponent);
        let best = &buffers.best[lane * width..(lane + 1) * width];
        let start = own.row_word(shape, row);
        let value = match tables.rules().stuck {
            Stuck::OwnRows => total as i8 - opponent as i8,
            Stuck::OpponentTakesAll => -(shape.seeds as i8),
        };
        for (word, counter) in buffers.counters.iter_mut().enumerate() {
            let boards = &best[word * 64..width.min(word * 64 + 64)];
            let exist = u64::MAX >> (64 - boards.len());
            counter.iter_mut().for_each(|plane| *plane &= exist);
            let captures = not_zero(boards);
            add(counter, captures);
            let stalled = exist & !(counter[0] | counter[1] | counter[2]);
            counter[0] |= stalled;
            for bit in lanes(stalled) {
                let opponent = (word * 64 + bit) as u32;
                buffers.stalled.push(Stalled { value, mover: row as u32, opponent });
            }
            planes.set(start + word, *counter, exist);
        }
    }

    /// Puts the captures of a group in order: by opponent's rows, for each by mover's rows.
    fn sort(&self, best: &[u8], width: usize, rows: usize, sorted: &mut Sorted) {
        let places = self.places();
        // A square at a time, so that reading down the columns stays within the nearest cache.
        for first in (0..width).step_by(64) {
            for column in first..width.min(first + 64) {
                for lane in 0..rows {
                    let byte = best[lane * width + column];
                    for (side, threshold) in places[usize::from(byte)].iter().flatten() {
                        sorted.add(usize::from(*threshold), *side, column * GROUP + lane);
                    }
                }
            }
        }
    }

    /// By best capture: at which threshold, by its place, it counts, and for which side.
    fn places(&self) -> Vec<[Option<(Side, u8)>; 2]> {
        let place = |threshold: i8| {
            self.thresholds.iter().position(|&t| t == threshold).map(|place| place as u8)
        };
        let of = |byte: u8| {
            let Some(value) = capture(byte) else { return [None; 2] };
            let [won, lost] = self.target.sides(self.convention);
            let won = won.then(|| place(value)).flatten().map(|at| (Side::Won, at));
            let lost =
                lost.then(|| place(value.wrapping_neg())).flatten().map(|at| (Side::Lost, at));
            [won, lost]
        };
        (0..=u8::MAX).map(of).collect()
    }
}

/// Raises the best captures of a row by captures of everything the opponent has that end the game:
/// they lead to no lower layer but pay at once.
pub(crate) fn with_slam_ends(lookup: &Lookup<'_>, row: usize, opponent: usize, best: &mut [u8]) {
    let Lookup { tables, shape, .. } = *lookup;
    for (_, crossing) in tables.moves[row].each().filter(|&(_, crossing)| crossing > 0) {
        for &before in &tables.crossing(crossing, opponent).slam_ends {
            let taken = opponent + crossing_seeds(crossing);
            let value = biased(2 * taken as i8 - shape.seeds as i8);
            if tables.rules().feeding == Feeding::WhenEmpty
                || lookup.all_empty(row, opponent, before as usize)
            {
                let slot = &mut best[before as usize];
                *slot = (*slot).max(value);
            }
        }
    }
}

/// Adds one to the counters of some of 64 boards.
#[inline]
fn add(counter: &mut [u64; 3], boards: u64) {
    let carry = counter[0] & boards;
    counter[0] ^= boards;
    let further = counter[1] & carry;
    counter[1] ^= carry;
    counter[2] ^= further;
}

/// Which of up to 64 bytes are not 0.
fn not_zero(bytes: &[u8]) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let mut bits = 0;
    for (eight, chunk) in bytes.chunks(8).enumerate() {
        let mut padded = [0; 8];
        padded[..chunk.len()].copy_from_slice(chunk);
        let word = u64::from_le_bytes(padded);
        let flags = (((word & LOW) + LOW) | word) & !LOW;
        bits |= ((flags >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * eight);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_zero_are_found() {
        for place in 0..64 {
            let mut bytes = [0; 64];
            bytes[place] = 1 + place as u8 * 4;
            assert_eq!(not_zero(&bytes), 1 << place);
            assert_eq!(not_zero(&bytes[..place]), 0);
        }
        assert_eq!(not_zero(&[255; 64]), u64::MAX);
        assert_eq!(not_zero(&[1; 13]), 0x1fff);
    }
}
