//! Layers: all boards with the same number of seeds, and their index.
//!
//! Layer n holds the C(n+11, 11) boards of n seeds, seen by the player to move. A board is
//! (a; b), a the mover's row and b the opponent's. Boards with k seeds in the mover's row make
//! block k; the blocks stand in rising order of k. Within a block the index runs over the
//! opponent's rows by rank and, for each, over the mover's rows by rank:
//!
//! ```text
//! index(a; b) = base[k] + rank(b) * rows_with(k) + rank(a)
//! ```
//!
//! So one opponent's row is one contiguous run, and the boards that the moves of one mover's row
//! lead to lie in few such runs.

use oware_rules::{HOUSES, ROW};

use crate::rows::{MOST_SEEDS, Row, rank, row_at, rows_with};

/// A board as twelve houses: 0..=5 the mover's from his left, 6..=11 the opponent's.
pub type Houses = [u8; HOUSES];

/// The index of one layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    seeds: usize,
    /// `base[k]`: index of the first board of block k; the last entry is the size.
    base: Vec<u64>,
}

impl Layer {
    /// The layer of the boards with `seeds` seeds.
    ///
    /// # Panics
    /// Above [`MOST_SEEDS`].
    #[must_use]
    pub fn new(seeds: usize) -> Layer {
        assert!(seeds <= MOST_SEEDS, "{seeds} seeds");
        let mut base = Vec::with_capacity(seeds + 2);
        let mut next = 0;
        base.push(next);
        for mover in 0..=seeds {
            next += rows_with(mover) as u64 * rows_with(seeds - mover) as u64;
            base.push(next);
        }
        Layer { seeds, base }
    }

    /// Seeds on each board.
    #[must_use]
    pub fn seeds(&self) -> usize {
        self.seeds
    }

    /// Number of boards: C(seeds+11, 11).
    #[must_use]
    pub fn size(&self) -> u64 {
        self.base[self.seeds + 1]
    }

    /// Index of the first board whose mover has `mover` seeds; for `seeds + 1` the size.
    #[inline]
    #[must_use]
    pub fn base(&self, mover: usize) -> u64 {
        self.base[mover]
    }

    /// Where the run of one opponent's row starts: the boards with `mover` seeds in the mover's
    /// row and the opponent's row of this rank. The run is `rows_with(mover)` long.
    #[inline]
    #[must_use]
    pub fn run(&self, mover: usize, opponent_rank: usize) -> u64 {
        self.base[mover] + opponent_rank as u64 * rows_with(mover) as u64
    }

    /// The index of a board, or `None` when it is not of this layer.
    #[must_use]
    pub fn index(&self, houses: &Houses) -> Option<u64> {
        let (mover, opponent) = rows(houses);
        let mine: usize = mover.iter().map(|&seeds| usize::from(seeds)).sum();
        let all: usize = houses.iter().map(|&seeds| usize::from(seeds)).sum();
        (all == self.seeds).then(|| self.run(mine, rank(&opponent)) + rank(&mover) as u64)
    }

    /// The board with this index, or `None` beyond the last.
    #[must_use]
    pub fn board(&self, index: u64) -> Option<Houses> {
        if index >= self.size() {
            return None;
        }
        let mover = self.base.partition_point(|&base| base <= index) - 1;
        let within = index - self.base[mover];
        let length = rows_with(mover) as u64;
        let opponent = row_at(self.seeds - mover, (within / length) as usize);
        Some(joined(&row_at(mover, (within % length) as usize), &opponent))
    }

    /// Every board in the order of the index.
    pub fn boards(&self) -> impl Iterator<Item = Houses> + use<> {
        use crate::rows::rows_of;
        let seeds = self.seeds;
        (0..=seeds).flat_map(move |mover| {
            rows_of(seeds - mover)
                .flat_map(move |opponent| rows_of(mover).map(move |row| joined(&row, &opponent)))
        })
    }
}

/// The mover's and the opponent's row of a board.
#[must_use]
pub fn rows(houses: &Houses) -> (Row, Row) {
    let mut mover = [0; ROW];
    let mut opponent = [0; ROW];
    mover.copy_from_slice(&houses[..ROW]);
    opponent.copy_from_slice(&houses[ROW..]);
    (mover, opponent)
}

/// The board with these two rows.
#[must_use]
pub fn joined(mover: &Row, opponent: &Row) -> Houses {
    let mut houses = [0; HOUSES];
    houses[..ROW].copy_from_slice(mover);
    houses[ROW..].copy_from_slice(opponent);
    houses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_counts_every_board_once_and_in_order() {
        for seeds in 0..=9 {
            let layer = Layer::new(seeds);
            let mut count = 0;
            for (number, houses) in layer.boards().enumerate() {
                assert_eq!(layer.index(&houses), Some(number as u64), "{houses:?}");
                assert_eq!(layer.board(number as u64), Some(houses));
                count += 1;
            }
            assert_eq!(count, layer.size());
            assert_eq!(layer.board(count), None);
        }
    }

    #[test]
    fn the_largest_layers_go_there_and_back() {
        for seeds in [24, 37, 47, 48] {
            let layer = Layer::new(seeds);
            let step = layer.size() / 1009 + 1;
            for index in (0..layer.size()).step_by(step as usize).chain([layer.size() - 1]) {
                let houses = layer.board(index).unwrap();
                assert_eq!(layer.index(&houses), Some(index), "{houses:?}");
            }
        }
        assert_eq!(Layer::new(48).size(), 279_871_768_995);
        assert_eq!(Layer::new(20).size(), 84_672_315);
    }

    #[test]
    fn a_board_of_another_layer_has_no_index() {
        assert_eq!(Layer::new(3).index(&[1; 12]), None);
        assert_eq!(Layer::new(12).index(&[255; 12]), None);
    }
}
