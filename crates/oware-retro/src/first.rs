//! The first pass over a layer: captures, and how many alternatives each board has.
//!
//! It goes by mover's rows. All boards that a move of the row leads to by a capture of c seeds
//! lie in one run of layer n - c, so lower layers are read in whole runs, and only here.

use std::io;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use oware_rules::{Feeding, Stuck};
use oware_tables::rows::rows_with;
use oware_tables::{Convention, Layer};

use crate::frontier::lanes;
use crate::halves::crossing_seeds;
use crate::space::GROUP;
use crate::state::{NO_CAPTURE, Planes, Shape, biased};
use crate::storage::LowerLayers;
use crate::tables::{CrossTable, MoveTables, RowMoves};

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

/// What the first pass reads, and where it writes.
pub(crate) struct FirstPass<'a> {
    pub(crate) tables: &'a MoveTables,
    pub(crate) lower: &'a dyn LowerLayers,
    pub(crate) conventions: &'a [Convention],
    /// The layers up to this one.
    pub(crate) layers: &'a [Layer],
    pub(crate) shape: &'a Shape,
    pub(crate) planes: &'a Planes,
    /// Codes in opponent order, one array for each convention.
    pub(crate) codes: Vec<&'a [AtomicU8]>,
}

/// Buffers of one worker.
#[derive(Default)]
pub(crate) struct Buffers {
    /// Best captures of a group of rows, for each convention.
    best: [Vec<u8>; 2],
    counters: Vec<[u64; 3]>,
    pub(crate) stalled: Vec<Stalled>,
}

impl FirstPass<'_> {
    /// Looks at all boards of one group of mover's rows.
    pub(crate) fn group(&self, group: usize, buffers: &mut Buffers) -> io::Result<()> {
        let rows = self.shape.groups[group];
        let opponent = self.shape.seeds - rows.total;
        let width = rows_with(opponent);
        for best in &mut buffers.best[..self.codes.len()] {
            best.clear();
            best.resize(width * rows.rows, NO_CAPTURE);
        }
        for lane in 0..rows.rows {
            let row = group * GROUP + lane;
            let moves = &self.tables.moves[row];
            buffers.counters.clear();
            buffers.counters.resize(width.div_ceil(64), [0; 3]);
            let range = lane * width..(lane + 1) * width;
            for (which, convention) in self.conventions.iter().enumerate() {
                let best = &mut buffers.best[which][range.clone()];
                self.captures(moves, opponent, *convention, best)?;
            }
            self.count(moves, opponent, &mut buffers.counters);
            self.finish_row(row, rows.total, rows.first_rank + lane, lane, buffers);
        }
        for (which, codes) in self.codes.iter().enumerate() {
            let start = self.layers[self.shape.seeds].base(rows.total) as usize + rows.first_rank;
            let block = Transposed { codes, start, stride: rows_with(rows.total) };
            block.write(&buffers.best[which], width, rows.rows);
        }
        Ok(())
    }

    /// The best capture of each board of a row, as a biased value.
    fn captures(
        &self,
        moves: &RowMoves,
        opponent: usize,
        convention: Convention,
        best: &mut [u8],
    ) -> io::Result<()> {
        let seeds = self.shape.seeds;
        for (after, crossing) in moves.each().filter(|&(_, crossing)| crossing > 0) {
            let table = self.tables.crossing(crossing, opponent);
            let mine = seeds - opponent - crossing_seeds(crossing);
            let rank = after - self.tables.space.base(mine);
            for captures in &table.captures {
                let captured = usize::from(captures.captured);
                let left = seeds - captured;
                // After the turn the opponent moves; the mover's row is the opponent's.
                let length = rows_with(left - mine);
                let start = self.layers[left].run(left - mine, rank);
                let run = self.lower.run(convention.after_a_move(), left, start, length)?;
                let values = run.get(..length).ok_or_else(|| io::Error::other("short run"))?;
                let pays = biased(captures.captured as i8);
                for &(before, after) in &captures.ranks {
                    if captures.empties && !self.all_empty(moves, opponent, before as usize) {
                        continue;
                    }
                    let value = pays.wrapping_sub(values[after as usize] as u8);
                    let slot = &mut best[before as usize];
                    *slot = (*slot).max(value);
                }
            }
            for &before in &table.slam_ends {
                let taken = opponent + crossing_seeds(crossing);
                let value = biased(2 * taken as i8 - seeds as i8);
                if self.tables.rules().feeding == Feeding::WhenEmpty
                    || self.all_empty(moves, opponent, before as usize)
                {
                    let slot = &mut best[before as usize];
                    *slot = (*slot).max(value);
                }
            }
        }
        Ok(())
    }

    /// Whether no legal move of the row leaves this opponent's row a seed.
    #[cold]
    fn all_empty(&self, moves: &RowMoves, opponent: usize, rank: usize) -> bool {
        moves.each().all(|(_, crossing)| match crossing {
            0 => opponent == 0,
            _ => {
                let leaves = &self.tables.crossing(crossing, opponent).leaves;
                leaves[rank / 64] >> (rank % 64) & 1 == 0
            }
        })
    }

    /// Counts the legal moves without capture of each board of a row.
    fn count(&self, moves: &RowMoves, opponent: usize, counters: &mut [[u64; 3]]) {
        for (_, crossing) in moves.each() {
            if crossing > 0 {
                let table: &CrossTable = self.tables.crossing(crossing, opponent);
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
        rank: usize,
        lane: usize,
        buffers: &mut Buffers,
    ) {
        let opponent = self.shape.seeds - total;
        let width = rows_with(opponent);
        let best = &buffers.best[0][lane * width..(lane + 1) * width];
        let start = self.shape.run(total, rank);
        let value = match self.tables.rules().stuck {
            Stuck::OwnRows => total as i8 - opponent as i8,
            Stuck::OpponentTakesAll => -(self.shape.seeds as i8),
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
            self.planes.set(start + word, *counter, exist);
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

/// A matrix that is written column by column.
struct Transposed<'a> {
    codes: &'a [AtomicU8],
    start: usize,
    stride: usize,
}

impl Transposed<'_> {
    /// Writes `rows` rows of `width` bytes as columns, doubled into open codes.
    fn write(&self, rows_of_bytes: &[u8], width: usize, rows: usize) {
        for column in 0..width {
            let start = self.start + column * self.stride;
            let slots = &self.codes[start..start + rows];
            let bytes = rows_of_bytes[column..].iter().step_by(width);
            for (slot, &byte) in slots.iter().zip(bytes) {
                slot.store(byte << 1, Relaxed);
            }
        }
    }
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
