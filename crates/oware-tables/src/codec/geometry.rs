//! How a layer is cut into tiles.

use crate::layer::Layer;
use crate::rows::rows_with;

/// The size of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileSize {
    /// Of tiles that are decoded one by one, so that a board is found in microseconds.
    Small,
    /// Of tiles that are read all together: fewer bytes for all of them.
    Large,
}

impl TileSize {
    /// Opponent's and mover's rows of a tile where neither side of the block is short.
    const fn rows(self) -> [usize; 2] {
        match self {
            TileSize::Small => [12, 16],
            TileSize::Large => [32, 32],
        }
    }

    /// Boards in a tile, at most.
    #[must_use]
    pub const fn boards(self) -> usize {
        let [opponent, mover] = self.rows();
        opponent * mover
    }
}

/// A part of a block: consecutive opponent's rows by consecutive mover's rows.
///
/// The boards of a tile are numbered as in the layer: opponent's row by opponent's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Seeds in the mover's row.
    pub mover_total: usize,
    /// Seeds in the opponent's row.
    pub opponent_total: usize,
    /// Rank of the first opponent's row.
    pub first_opponent_rank: usize,
    /// Number of opponent's rows.
    pub opponent_rows: usize,
    /// Rank of the first mover's row.
    pub first_mover_rank: usize,
    /// Number of mover's rows.
    pub mover_rows: usize,
    /// Index in the layer of the first board.
    pub first_index: u64,
}

impl Tile {
    /// Number of boards.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.opponent_rows * self.mover_rows
    }

    /// Whether there is no board, which no tile of a [`Geometry`] is.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What belongs to the tile, out of what there is one of for each board of the layer.
    ///
    /// # Panics
    /// When the layer is too short.
    #[must_use]
    pub fn cut<T: Copy>(&self, layer: &[T]) -> Vec<T> {
        let mut all = Vec::with_capacity(self.len());
        for run in self.runs() {
            all.extend_from_slice(&layer[run as usize..run as usize + self.mover_rows]);
        }
        all
    }

    /// Index in the layer of the first board of each of the tile's opponent's rows; the others of
    /// that row follow it.
    pub fn runs(&self) -> impl Iterator<Item = u64> + use<> {
        let (first, stride) = (self.first_index, rows_with(self.mover_total) as u64);
        (0..self.opponent_rows as u64).map(move |row| first + row * stride)
    }
}

/// Consecutive opponent's rows of a block with all its mover's rows: a row of tiles. Its boards
/// are consecutive in the index, opponent's row by opponent's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strip {
    /// Seeds in the mover's row.
    pub mover_total: usize,
    /// Seeds in the opponent's row.
    pub opponent_total: usize,
    /// Rank of the first opponent's row.
    pub first_opponent_rank: usize,
    /// Number of opponent's rows.
    pub opponent_rows: usize,
    /// Boards of each opponent's row.
    pub width: usize,
    /// Index in the layer of the first board.
    pub first_index: u64,
    /// Number of the first tile.
    pub first_tile: usize,
    /// Number of tiles.
    pub tiles: usize,
}

impl Strip {
    /// Number of boards.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.opponent_rows * self.width
    }

    /// Whether there is no board, which no strip of a [`Geometry`] is.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The tiles of one block.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// Number of the first tile.
    first: usize,
    /// Opponent's rows and mover's rows.
    rows: [usize; 2],
    /// Tiles along the opponent's rows and along the mover's rows.
    tiles: [usize; 2],
}

impl Block {
    fn new(first: usize, rows: [usize; 2], size: TileSize) -> Block {
        let tiles = [0, 1].map(|side| {
            let other = rows[1 - side];
            let short = other < size.rows()[1 - side];
            let most = if short { size.boards() / other } else { size.rows()[side] };
            rows[side].div_ceil(most)
        });
        Block { first, rows, tiles }
    }

    fn count(&self) -> usize {
        self.tiles[0] * self.tiles[1]
    }

    /// First row of part `part` of the side (0 opponent's, 1 mover's): parts differ by one row
    /// at most.
    fn start(&self, side: usize, part: usize) -> usize {
        part * self.rows[side] / self.tiles[side]
    }

    /// In which part a row lies, the largest whose start is not above it.
    fn part(&self, side: usize, row: usize) -> usize {
        ((row + 1) * self.tiles[side] - 1) / self.rows[side]
    }
}

/// The tiles of a layer, numbered from 0 by mover's total, opponent's rows and mover's rows.
#[derive(Clone, Debug)]
pub struct Geometry {
    layer: Layer,
    blocks: Vec<Block>,
    count: usize,
}

impl Geometry {
    /// The tiles of this size of the layer with `seeds` seeds.
    ///
    /// # Panics
    /// Above [`MOST_SEEDS`](crate::rows::MOST_SEEDS).
    #[must_use]
    pub fn new(seeds: usize, size: TileSize) -> Geometry {
        let layer = Layer::new(seeds);
        let mut count = 0;
        let mut blocks = Vec::with_capacity(seeds + 1);
        for mover in 0..=seeds {
            let block = Block::new(count, [rows_with(seeds - mover), rows_with(mover)], size);
            count += block.count();
            blocks.push(block);
        }
        Geometry { layer, blocks, count }
    }

    /// The layer that is cut.
    #[must_use]
    pub fn layer(&self) -> &Layer {
        &self.layer
    }

    /// Number of tiles.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// A tile by its number.
    ///
    /// # Panics
    /// When there is no such tile.
    #[must_use]
    pub fn tile(&self, number: usize) -> Tile {
        assert!(number < self.count, "tile {number} of {}", self.count);
        let mover_total = self.blocks.partition_point(|block| block.first <= number) - 1;
        let block = &self.blocks[mover_total];
        let within = number - block.first;
        let parts = [within / block.tiles[1], within % block.tiles[1]];
        let [opponent, mover] = [0, 1].map(|side| block.start(side, parts[side]));
        let [opponent_end, mover_end] = [0, 1].map(|side| block.start(side, parts[side] + 1));
        Tile {
            mover_total,
            opponent_total: self.layer.seeds() - mover_total,
            first_opponent_rank: opponent,
            opponent_rows: opponent_end - opponent,
            first_mover_rank: mover,
            mover_rows: mover_end - mover,
            first_index: self.layer.run(mover_total, opponent) + mover as u64,
        }
    }

    /// Number of strips.
    #[must_use]
    pub fn strip_count(&self) -> usize {
        self.blocks.iter().map(|block| block.tiles[0]).sum()
    }

    /// A strip by its number; strips stand in the order of the index.
    ///
    /// # Panics
    /// When there is no such strip.
    #[must_use]
    pub fn strip(&self, number: usize) -> Strip {
        let mut part = number;
        for (mover_total, block) in self.blocks.iter().enumerate() {
            if part >= block.tiles[0] {
                part -= block.tiles[0];
                continue;
            }
            let [first, end] = [part, part + 1].map(|part| block.start(0, part));
            return Strip {
                mover_total,
                opponent_total: self.layer.seeds() - mover_total,
                first_opponent_rank: first,
                opponent_rows: end - first,
                width: block.rows[1],
                first_index: self.layer.run(mover_total, first),
                first_tile: block.first + part * block.tiles[1],
                tiles: block.tiles[1],
            };
        }
        panic!("strip {number} of {}", self.strip_count());
    }

    /// Every tile in order.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> + '_ {
        (0..self.count).map(|number| self.tile(number))
    }

    /// The number of the tile that holds a board, and the number of the board in it. The board
    /// is given by the seeds in the mover's row and the ranks of both rows.
    ///
    /// # Panics
    /// When there is no such board in the layer.
    #[must_use]
    pub fn locate(
        &self,
        mover_total: usize,
        opponent_rank: usize,
        mover_rank: usize,
    ) -> (usize, usize) {
        let block = &self.blocks[mover_total];
        let ranks = [opponent_rank, mover_rank];
        assert!(ranks[0] < block.rows[0] && ranks[1] < block.rows[1], "no board {ranks:?}");
        let parts = [0, 1].map(|side| block.part(side, ranks[side]));
        let [opponent, mover] = [0, 1].map(|side| ranks[side] - block.start(side, parts[side]));
        let width = block.start(1, parts[1] + 1) - block.start(1, parts[1]);
        (block.first + parts[0] * block.tiles[1] + parts[1], opponent * width + mover)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(seeds: usize) -> [(usize, TileSize); 2] {
        [TileSize::Small, TileSize::Large].map(|size| (seeds, size))
    }

    #[test]
    fn every_board_lies_in_one_tile() {
        for (seeds, size) in [0, 1, 2, 5, 8, 12].into_iter().flat_map(both) {
            let geometry = Geometry::new(seeds, size);
            let mut seen = vec![0u8; geometry.layer().size() as usize];
            for (number, tile) in geometry.tiles().enumerate() {
                assert!(tile.len() <= size.boards() && !tile.is_empty());
                assert_eq!(tile.mover_total + tile.opponent_total, seeds);
                for (row, run) in tile.runs().enumerate() {
                    for column in 0..tile.mover_rows {
                        seen[run as usize + column] += 1;
                        let at = geometry.locate(
                            tile.mover_total,
                            tile.first_opponent_rank + row,
                            tile.first_mover_rank + column,
                        );
                        assert_eq!(at, (number, row * tile.mover_rows + column));
                    }
                }
            }
            assert!(seen.iter().all(|&times| times == 1));
        }
    }

    #[test]
    fn strips_follow_each_other_through_the_index() {
        for (seeds, size) in [0, 1, 5, 8, 12].into_iter().flat_map(both) {
            let geometry = Geometry::new(seeds, size);
            let (mut index, mut tile) = (0, 0);
            for number in 0..geometry.strip_count() {
                let strip = geometry.strip(number);
                assert_eq!((strip.first_index, strip.first_tile), (index, tile), "{strip:?}");
                let tiles = (tile..tile + strip.tiles).map(|number| geometry.tile(number));
                for found in tiles {
                    assert_eq!(found.first_opponent_rank, strip.first_opponent_rank);
                    assert_eq!(found.opponent_rows, strip.opponent_rows);
                    assert_eq!(found.opponent_total, strip.opponent_total);
                }
                index += strip.len() as u64;
                tile += strip.tiles;
            }
            assert_eq!((index, tile), (geometry.layer().size(), geometry.count()));
        }
    }

    #[test]
    fn the_largest_layers_can_be_cut() {
        for (seeds, size) in [24, 36, 48].into_iter().flat_map(both) {
            let geometry = Geometry::new(seeds, size);
            let boards = geometry.layer().size();
            assert!(geometry.count() as u64 > boards / size.boards() as u64);
            for number in (0..geometry.count()).step_by(geometry.count() / 99) {
                let tile = geometry.tile(number);
                let at = geometry.locate(
                    tile.mover_total,
                    tile.first_opponent_rank,
                    tile.first_mover_rank,
                );
                assert_eq!(at, (number, 0));
            }
        }
    }
}
