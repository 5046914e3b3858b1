//! Boards found in one round, as bits in opponent order.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::space::GROUP;
use crate::state::{Shape, Side, zeroed};

/// The boards found in one round: a bit for each board that is newly won and one for each that
/// is newly lost; for each row which of its words have bits; for each group which rows have.
pub(crate) struct Frontier {
    bits: [Vec<AtomicU64>; 2],
    summary: [Vec<AtomicU64>; 2],
    rows: Vec<AtomicU64>,
}

/// The run of one opponent's row: its number, its total, and where its words start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) row: usize,
    pub(crate) start: usize,
    pub(crate) shift: u32,
    pub(crate) words: usize,
}

impl Run {
    #[inline]
    pub(crate) fn new(shape: &Shape, row: usize, total: usize, rank: usize) -> Run {
        let start = shape.run(total, rank);
        Run { row, start, shift: shape.shift(total), words: shape.words(total) }
    }

    /// The words that a summary says to have bits, as ranges of word numbers within the run.
    #[inline]
    fn parts(self, summary: u64) -> impl Iterator<Item = std::ops::Range<usize>> {
        let mut left = summary;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let first = (left.trailing_zeros() as usize) << self.shift;
            left &= left - 1;
            Some(first..(first + (1 << self.shift)).min(self.words))
        })
    }
}

impl Frontier {
    pub(crate) fn new(shape: &Shape) -> Frontier {
        let words = || zeroed(shape.all_words());
        let rows = || zeroed(shape.groups.len() * GROUP);
        Frontier {
            bits: [words(), words()],
            summary: [rows(), rows()],
            rows: zeroed(shape.groups.len()),
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        let sizes = self.bits.iter().chain(&self.summary).chain([&self.rows]);
        sizes.map(|words| size_of_val(&words[..]) as u64).sum()
    }

    /// Adds boards of one word of a run. Nobody else may write that word in this round.
    #[inline]
    pub(crate) fn add(&self, side: Side, run: Run, word: usize, boards: u64) {
        let slot = &self.bits[side as usize][run.start + word];
        let before = slot.load(Relaxed);
        slot.store(before | boards, Relaxed);
        if before == 0 {
            let summary = &self.summary[side as usize][run.row];
            if summary.fetch_or(1 << (word >> run.shift), Relaxed) == 0 {
                self.rows[run.row / GROUP].fetch_or(1 << (run.row % GROUP), Relaxed);
            }
        }
    }

    /// The rows of a group that have boards.
    #[inline]
    pub(crate) fn rows(&self, group: usize) -> u64 {
        self.rows[group].load(Relaxed)
    }

    #[inline]
    pub(crate) fn summary(&self, side: Side, row: usize) -> u64 {
        self.summary[side as usize][row].load(Relaxed)
    }

    /// Calls `found` with each word of a run that has boards, and its number in the run.
    #[inline(always)]
    pub(crate) fn each(
        &self,
        side: Side,
        run: Run,
        summary: u64,
        mut found: impl FnMut(usize, u64),
    ) {
        for part in run.parts(summary) {
            for word in part {
                let boards = self.bits[side as usize][run.start + word].load(Relaxed);
                if boards != 0 {
                    found(word, boards);
                }
            }
        }
    }

    /// Takes all boards of a run away.
    pub(crate) fn clear(&self, run: Run) {
        for side in 0..2 {
            let summary = self.summary[side][run.row].load(Relaxed);
            self.summary[side][run.row].store(0, Relaxed);
            for part in run.parts(summary) {
                for word in part {
                    self.bits[side][run.start + word].store(0, Relaxed);
                }
            }
        }
    }

    /// Forgets which rows of a group have boards, after they were cleared.
    pub(crate) fn clear_group(&self, group: usize) {
        self.rows[group].store(0, Relaxed);
    }
}
