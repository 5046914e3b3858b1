//! Row numbers: every row of at most n seeds has one, in groups of 64 that share a total.
//!
//! Rows stand by total and then by rank; each total starts at a multiple of 64. A group of 64
//! is what one worker owns at a time: the bits of one word that stands for 64 rows are then
//! written by nobody else.

use oware_tables::rows::rows_with;

/// Rows in a group, the bits of a word.
pub(crate) const GROUP: usize = 64;

/// The numbering of all rows with at most some number of seeds.
#[derive(Clone, Debug)]
pub(crate) struct RowSpace {
    base: Vec<u32>,
}

impl RowSpace {
    pub(crate) fn new(seeds: usize) -> RowSpace {
        let mut base = vec![0];
        for total in 0..=seeds {
            base.push(base[total] + rows_with(total).next_multiple_of(GROUP) as u32);
        }
        RowSpace { base }
    }

    /// The number of the row of rank 0 and this total.
    #[inline]
    pub(crate) fn base(&self, total: usize) -> usize {
        self.base[total] as usize
    }

    /// One more than the highest number of a row with at most `seeds` seeds.
    pub(crate) fn end(&self, seeds: usize) -> usize {
        self.base[seeds + 1] as usize
    }
}
