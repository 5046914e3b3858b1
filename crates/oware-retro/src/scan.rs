//! Boards that a threshold finds by themselves: by their best capture, or by having no move.

use std::io;

use crate::buckets::Capture;
use crate::first::Stalled;
use crate::frontier::Frontier;
use crate::rounds::Rounds;
use crate::space::GROUP;
use crate::state::Side;

impl Rounds<'_> {
    /// Finds the boards of a chunk whose best capture pays the threshold, or minus that. The
    /// first are won; the second lose an alternative, and perhaps the last.
    pub(crate) fn scan(
        &self,
        chunk: usize,
        worker: usize,
        threshold: usize,
        to: &Frontier,
        buffer: &mut Vec<u8>,
    ) -> io::Result<u64> {
        let mut count = 0;
        for buckets in &self.buckets {
            buckets.each(chunk, threshold, &self.widths, buffer, |capture| {
                let Capture { group, board, side } = capture;
                let group = self.own.groups[group];
                let (column, lane) = (board / GROUP, board % GROUP);
                let total = self.shape.groups[group].total;
                let word = self.own.word(group) + lane * self.shape.words(total) + column / 64;
                if self.planes.decide(side, word, 1 << (column % 64)) != 0 {
                    let opponent = self.shape.seeds - total;
                    let run = to.run(opponent, self.tables.space.base(opponent) + column);
                    to.add(worker, side, run, self.own.column(group), 1 << lane);
                    count += 1;
                }
            })?;
        }
        Ok(count)
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
        let row = board.mover as usize;
        let group = row / GROUP;
        let opponent = self.shape.seeds - self.shape.groups[group].total;
        let rank = board.opponent as usize;
        let word = self.own.row_word(self.shape, row) + rank / 64;
        let bit = 1 << (rank % 64);
        let run = to.run(opponent, self.tables.space.base(opponent) + rank);
        for (side, value) in [(Side::Won, threshold), (Side::Lost, -threshold)] {
            if board.value == value && self.planes.decide(side, word, bit) != 0 {
                to.add(0, side, run, self.own.column(group), 1 << (row % GROUP));
                *count += 1;
            }
        }
    }
}
