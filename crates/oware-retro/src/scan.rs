//! Boards that a threshold finds by themselves: by their best capture, or by having no move.

use oware_tables::rows::rows_with;

use crate::first::Stalled;
use crate::frontier::{Frontier, Run};
use crate::rounds::{Rounds, lock};
use crate::space::GROUP;
use crate::state::{Side, open_code};

impl Rounds<'_> {
    /// Finds the boards of a group of opponent's rows whose best capture pays the threshold, or
    /// minus that. The first are won; the second lose an alternative, and perhaps the last.
    pub(crate) fn scan(&self, group: usize, worker: usize, threshold: i8, to: &Frontier) -> u64 {
        let rows = self.shape.groups[group];
        let mover = self.shape.seeds - rows.total;
        let width = rows_with(mover);
        let chunk = lock(&self.chunks[group]);
        let (won, lost) = (open_code(threshold), open_code(-threshold));
        let mut count = 0;
        for lane in 0..rows.rows {
            let range = lane * width..(lane + 1) * width;
            let rank = rows.first_rank + lane;
            let run = Run::new(self.shape, group * GROUP + lane, rows.total, rank);
            let mut found = |side: Side, column: usize| {
                let word = self.shape.run(mover, column) + rank / 64;
                let board = 1 << (rank % 64);
                if self.planes.decide(side, word, board) != 0 {
                    to.add(worker, side, run, column / 64, 1 << (column % 64));
                    count += 1;
                }
            };
            if let [codes] = &chunk.codes[..] {
                let codes = &codes[range];
                for column in memchr::memchr2_iter(won, lost, codes) {
                    let side = if codes[column] == won { Side::Won } else { Side::Lost };
                    found(side, column);
                }
            } else {
                for (side, code) in [(Side::Won, won), (Side::Lost, lost)] {
                    let codes = &chunk.codes[side as usize][range.clone()];
                    memchr::memchr_iter(code, codes).for_each(|column| found(side, column));
                }
            }
        }
        count
    }

    /// Finds the boards without a move that are worth the threshold, or minus that.
    pub(crate) fn stalled(&self, threshold: i8, to: &Frontier) -> u64 {
        let mut count = 0;
        let lost = self.stalled_at(-threshold).filter(|board| board.value != threshold);
        for board in self.stalled_at(threshold).chain(lost) {
            self.find_stalled(*board, threshold, to, &mut count);
        }
        count
    }

    /// The boards without a move with this value.
    pub(crate) fn stalled_at(&self, value: i8) -> impl Iterator<Item = &Stalled> {
        let first = self.stalled.partition_point(|board| board.value < value);
        self.stalled[first..].iter().take_while(move |board| board.value == value)
    }

    fn find_stalled(&self, board: Stalled, threshold: i8, to: &Frontier, count: &mut u64) {
        let total = self.tables.space.total(board.mover as usize);
        let opponent = self.shape.seeds - total;
        let mover_rank = board.mover as usize - self.tables.space.base(total);
        let rank = board.opponent as usize;
        let word = self.shape.run(total, mover_rank) + rank / 64;
        let bit = 1 << (rank % 64);
        let row = self.tables.space.base(opponent) + rank;
        let run = Run::new(self.shape, row, opponent, rank);
        for (side, value) in [(Side::Won, threshold), (Side::Lost, -threshold)] {
            if board.value == value && self.planes.decide(side, word, bit) != 0 {
                to.add(0, side, run, mover_rank / 64, 1 << (mover_rank % 64));
                *count += 1;
            }
        }
    }
}
