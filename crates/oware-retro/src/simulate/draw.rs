//! Which opponent's rows and boards of a layer are looked at: all, or a sample.

use oware_tables::layer::rows;
use oware_tables::rows::{rows_of, rows_with};
use oware_tables::{Layer, Row};

/// A small generator (splitmix64, by Steele, Lea and Flood, 2014).
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u64
    }
}

/// A row as the opponent's, and some mover's rows against it.
pub(crate) struct Drawn<'a> {
    pub(crate) row: Row,
    pub(crate) total: usize,
    /// For how many boards with this row or like it this one stands.
    pub(crate) boards: f64,
    /// The mover's rows, each for as many boards.
    pub(crate) columns: &'a [Row],
}

/// Calls `visit` for all boards of a layer, or for `sample` of them: one from each of as many
/// stretches of the index of equal length.
pub(crate) fn draw(seeds: usize, sample: Option<u64>, seed: u64, mut visit: impl FnMut(Drawn<'_>)) {
    let layer = Layer::new(seeds);
    match sample.filter(|&sample| sample < layer.size()) {
        None => {
            for mover in 0..=seeds {
                let columns: Vec<Row> = rows_of(mover).collect();
                let boards = rows_with(mover) as f64;
                for row in rows_of(seeds - mover) {
                    let total = seeds - mover;
                    visit(Drawn { row, total, boards, columns: &columns });
                }
            }
        }
        Some(sample) => {
            let mut random = Random(seed ^ (seeds as u64) << 56);
            let boards = layer.size() as f64 / sample as f64;
            let start = |number: u64| {
                (u128::from(layer.size()) * u128::from(number) / u128::from(sample)) as u64
            };
            for number in 0..sample {
                let (first, end) = (start(number), start(number + 1));
                let Some(houses) = layer.board(first + random.below(end - first)) else { continue };
                let (mover, row) = rows(&houses);
                let total = row.iter().map(|&seeds| usize::from(seeds)).sum();
                visit(Drawn { row, total, boards, columns: &[mover] });
            }
        }
    }
}
