//! Boards found in one round, as bits in opponent order.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use oware_tables::rows::rows_with;

use crate::bits::prefetch;
use crate::own::Own;
use crate::space::{GROUP, RowSpace};
use crate::state::{OutOfMemory, Shape, Side, summary_shift, zeroed};

/// Marks are kept this many times over, so that few workers need no locked instructions.
const MOST_STRIPES: usize = 4;

/// One bit for each of many things, set by several workers.
///
/// With few workers each has words of its own, and a reader joins them; a plain store then does,
/// where a locked instruction would wait for all loads before it.
pub(crate) struct Marks {
    /// Stripe after stripe.
    words: Vec<AtomicU64>,
    length: usize,
    stripes: usize,
    shared: bool,
}

impl Marks {
    pub(crate) fn new(length: usize, workers: usize) -> Result<Marks, OutOfMemory> {
        let stripes = workers.clamp(1, MOST_STRIPES);
        let shared = workers > MOST_STRIPES;
        Ok(Marks { words: zeroed(length * stripes)?, length, stripes, shared })
    }

    fn bytes_for(length: usize, workers: usize) -> u64 {
        (length * workers.clamp(1, MOST_STRIPES) * 8) as u64
    }

    /// Sets bits; returns whether this worker had none in the word.
    #[inline]
    pub(crate) fn set(&self, worker: usize, word: usize, bits: u64) -> bool {
        let stripe = if self.shared { worker % self.stripes } else { worker };
        let slot = &self.words[stripe * self.length + word];
        let before = slot.load(Relaxed);
        if before & bits != bits {
            if self.shared {
                slot.fetch_or(bits, Relaxed);
            } else {
                slot.store(before | bits, Relaxed);
            }
        }
        before == 0
    }

    #[inline]
    pub(crate) fn get(&self, word: usize) -> u64 {
        let mut bits = self.words[word].load(Relaxed);
        for stripe in 1..self.stripes {
            bits |= self.words[stripe * self.length + word].load(Relaxed);
        }
        bits
    }

    #[inline]
    pub(crate) fn clear(&self, word: usize) {
        for stripe in 0..self.stripes {
            self.words[stripe * self.length + word].store(0, Relaxed);
        }
    }
}

/// Where the runs of opponent's rows stand in a frontier.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// By the total of the opponent's row: words of a run.
    words: Vec<usize>,
    /// By that total: the first word of its runs, where every row has one.
    base: Vec<usize>,
    /// By that total: how far a word number goes down to make the number of a summary bit.
    shift: Vec<u32>,
    /// By row, where only some have a run: its first word.
    starts: Option<Vec<u64>>,
    all: usize,
}

impl Layout {
    /// Every opponent's row, with the columns of the groups that a part owns.
    pub(crate) fn columns(shape: &Shape, own: &Own) -> Layout {
        let words = (0..=shape.seeds).map(|total| own.widths[shape.seeds - total]).collect();
        let mut layout = Layout::of_words(words);
        for total in 0..=shape.seeds {
            layout.base.push(layout.all);
            layout.all += rows_with(total) * layout.words[total];
        }
        layout
    }

    /// Some opponent's rows, with all columns.
    pub(crate) fn rows(shape: &Shape, space: &RowSpace, wanted: impl Fn(usize) -> bool) -> Layout {
        let words = (0..=shape.seeds).map(|total| shape.words(total)).collect();
        let mut layout = Layout::of_words(words);
        layout.base = vec![0; shape.seeds + 1];
        let mut starts = vec![u64::MAX; space.end(shape.seeds)];
        for group in 0..shape.groups.len() {
            for row in (group * GROUP..).take(shape.groups[group].rows) {
                if wanted(row) {
                    starts[row] = layout.all as u64;
                    layout.all += layout.words[shape.groups[group].total];
                }
            }
        }
        layout.starts = Some(starts);
        layout
    }

    fn of_words(words: Vec<usize>) -> Layout {
        let shift = words.iter().map(|&words| summary_shift(words)).collect();
        Layout { words, base: Vec::new(), shift, starts: None, all: 0 }
    }

    /// Words of all runs.
    pub(crate) fn all_words(&self) -> usize {
        self.all
    }

    /// Whether a row has a run.
    #[inline]
    pub(crate) fn has(&self, row: usize) -> bool {
        self.starts.as_ref().is_none_or(|starts| starts[row] != u64::MAX)
    }

    /// The run of the first row of a total, whether or not that row has one.
    pub(crate) fn first(&self, space: &RowSpace, total: usize) -> Run {
        Run {
            row: space.base(total),
            start: self.base[total],
            shift: self.shift[total],
            words: self.words[total],
        }
    }

    /// The run of a row, from that of the first row of its total.
    #[inline(always)]
    pub(crate) fn run(&self, first: Run, row: usize) -> Run {
        let start = match &self.starts {
            None => first.start + (row - first.row) * first.words,
            Some(starts) => starts[row] as usize,
        };
        Run { row, start, ..first }
    }
}

/// The boards found in one round: a bit for each board that is newly won and one for each that
/// is newly lost; for each row which of its words have bits; for each group which rows have.
pub(crate) struct Frontier {
    pub(crate) layout: Layout,
    /// By total: the run of its first row.
    first: Vec<Run>,
    /// Won and lost boards in turn, word by word.
    bits: Vec<AtomicU64>,
    summary: Marks,
    rows: Marks,
}

/// The run of one opponent's row: its number, and where its words are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) row: usize,
    pub(crate) start: usize,
    shift: u32,
    pub(crate) words: usize,
}

impl Run {
    /// Calls `visit` with the words that a summary says to have bits, by number within the run.
    #[inline(always)]
    pub(crate) fn marked(self, summary: u64, mut visit: impl FnMut(usize)) {
        if self.shift == 0 {
            lanes(summary).for_each(visit);
            return;
        }
        for mark in lanes(summary) {
            let first = mark << self.shift;
            (first..(first + (1 << self.shift)).min(self.words)).for_each(&mut visit);
        }
    }

    /// The first of these words, where there is a mark.
    #[inline(always)]
    pub(crate) fn first_marked(self, summary: u64) -> usize {
        (summary.trailing_zeros() as usize) << self.shift
    }
}

impl Frontier {
    pub(crate) fn new(
        layout: Layout,
        shape: &Shape,
        space: &RowSpace,
        workers: usize,
    ) -> Result<Frontier, OutOfMemory> {
        Ok(Frontier {
            bits: zeroed(2 * layout.all_words())?,
            first: (0..=shape.seeds).map(|total| layout.first(space, total)).collect(),
            layout,
            summary: Marks::new(shape.groups.len() * GROUP, workers)?,
            rows: Marks::new(shape.groups.len(), workers)?,
        })
    }

    /// Bytes of a frontier of so many words.
    pub(crate) fn bytes_for(words: u64, groups: usize, workers: usize) -> u64 {
        16 * words + Marks::bytes_for(groups * (GROUP + 1), workers)
    }

    /// The run of a row of a total.
    #[inline(always)]
    pub(crate) fn run(&self, total: usize, row: usize) -> Run {
        self.layout.run(self.first[total], row)
    }

    /// Adds boards of one word of a run. Nobody else may write that word in this round.
    #[inline]
    pub(crate) fn add(&self, worker: usize, side: Side, run: Run, word: usize, boards: u64) {
        let slot = &self.bits[2 * (run.start + word) + side as usize];
        let before = slot.load(Relaxed);
        slot.store(before | boards, Relaxed);
        if before == 0 && self.summary.set(worker, run.row, 1 << (word >> run.shift)) {
            self.rows.set(worker, run.row / GROUP, 1 << (run.row % GROUP));
        }
    }

    /// The rows of a group that have boards.
    #[inline]
    pub(crate) fn rows(&self, group: usize) -> u64 {
        self.rows.get(group)
    }

    /// Which words of a row have boards.
    #[inline]
    pub(crate) fn summary(&self, row: usize) -> u64 {
        self.summary.get(row)
    }

    /// The won and the lost boards of a word of a run.
    #[inline]
    pub(crate) fn boards(&self, run_start: usize, word: usize) -> [u64; 2] {
        let place = 2 * (run_start + word);
        [self.bits[place].load(Relaxed), self.bits[place + 1].load(Relaxed)]
    }

    /// Says that the boards of a word will be asked for or added to soon.
    #[inline(always)]
    pub(crate) fn expect(&self, run_start: usize, word: usize) {
        if let Some(boards) = self.bits.get(2 * (run_start + word)) {
            prefetch(boards);
        }
    }

    /// Takes all boards of a run away.
    pub(crate) fn clear(&self, run: Run) {
        run.marked(self.summary(run.row), |word| {
            let place = 2 * (run.start + word);
            self.bits[place].store(0, Relaxed);
            self.bits[place + 1].store(0, Relaxed);
        });
        self.summary.clear(run.row);
    }

    /// Forgets which rows of a group have boards, after they were cleared.
    pub(crate) fn clear_group(&self, group: usize) {
        self.rows.clear(group);
    }
}

/// The places of the set bits.
#[inline]
pub(crate) fn lanes(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let lane = bits.trailing_zeros() as usize;
        bits &= bits - 1;
        Some(lane)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_few_and_of_many_workers_are_joined() {
        for workers in [1, 2, 4, 9] {
            let marks = Marks::new(3, workers).unwrap();
            for worker in 0..workers {
                marks.set(worker, 1, 1 << worker);
                marks.set(worker, 1, 1 << worker);
            }
            assert_eq!([0, 1, 2].map(|word| marks.get(word)), [0, (1 << workers) - 1, 0]);
            marks.clear(1);
            assert_eq!(marks.get(1), 0);
        }
    }
}
