//! Best captures put in order of what they pay.
//!
//! A board whose best capture pays the threshold is won, one whose best capture pays minus the
//! threshold loses an alternative; captures play no other part. So they are sorted once, by the
//! threshold at which they count, and each threshold reads its own and no others.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::rounds::lock;
use crate::solve::in_threads;
use crate::spill::{Extent, Numbers, Spill, put_number, strange};
use crate::state::Side;

/// Boards in a chunk, at least, if there are as many.
const CHUNK: usize = 1 << 20;

/// The captures of one part, by chunks of groups and by threshold.
pub(crate) struct Buckets {
    chunks: Vec<Chunk>,
    spill: Spill,
}

/// Some consecutive owned groups.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chunk {
    /// The first and one past the last, as places in the list of owned groups.
    pub(crate) groups: (usize, usize),
    /// By threshold, in the order in which they come.
    extents: Vec<Extent>,
}

/// A board, as its group's columns and lanes number it, and the side that its capture is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Capture {
    /// The place of the group in the list of owned ones.
    pub(crate) group: usize,
    /// The rank of the opponent's row times 64, plus the mover's row within the group.
    pub(crate) board: usize,
    pub(crate) side: Side,
}

/// What is collected from the groups of a chunk: by threshold the numbers that are written.
pub(crate) struct Sorted {
    by_threshold: Vec<Vec<u8>>,
    /// By threshold: what the next board is counted from.
    last: Vec<u64>,
    base: u64,
}

impl Sorted {
    fn new(thresholds: usize) -> Sorted {
        Sorted { by_threshold: vec![Vec::new(); thresholds], last: vec![0; thresholds], base: 0 }
    }

    /// Adds a board of the current group; boards come in rising order.
    #[inline]
    pub(crate) fn add(&mut self, threshold: usize, side: Side, board: usize) {
        let place = self.base + board as u64;
        let last = &mut self.last[threshold];
        put_number(&mut self.by_threshold[threshold], (place - *last) << 1 | side as u64);
        *last = place;
    }
}

impl Buckets {
    /// Sorts the captures of some groups, given by their width. `each` adds the boards of one
    /// group, by its place in the list, in rising order.
    pub(crate) fn fill<L: Send>(
        widths: &[usize],
        thresholds: usize,
        spill: Spill,
        threads: usize,
        new_worker: impl Fn() -> L + Sync,
        each: impl Fn(usize, &mut Sorted, &mut L) + Sync,
        end_worker: impl Fn(L) + Sync,
    ) -> io::Result<Buckets> {
        let mut chunks = cut(widths);
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<(usize, Vec<Extent>)>> = Mutex::default();
        let failed = Mutex::new(None);
        in_threads(threads, || {
            let mut worker = new_worker();
            loop {
                let number = next.fetch_add(1, Relaxed);
                let Some(chunk) = chunks.get(number) else { break };
                let mut sorted = Sorted::new(thresholds);
                for (place, &width) in
                    (chunk.groups.0..).zip(&widths[chunk.groups.0..chunk.groups.1])
                {
                    each(place, &mut sorted, &mut worker);
                    sorted.base += 64 * width as u64;
                }
                let extents = sorted.by_threshold.iter().map(|bytes| spill.append(bytes));
                match extents.collect() {
                    Ok(extents) => lock(&done).push((number, extents)),
                    Err(error) => {
                        *lock(&failed) = Some(error);
                        break;
                    }
                }
            }
            end_worker(worker);
        });
        if let Some(error) = failed.into_inner().unwrap_or_default() {
            return Err(error);
        }
        for (number, extents) in done.into_inner().unwrap_or_default() {
            chunks[number].extents = extents;
        }
        Ok(Buckets { chunks, spill })
    }

    /// Number of chunks.
    pub(crate) fn len(&self) -> usize {
        self.chunks.len()
    }

    /// Bytes stored.
    pub(crate) fn bytes(&self) -> u64 {
        self.spill.length()
    }

    /// The captures of a chunk that count at a threshold. `widths` are those of all owned groups.
    pub(crate) fn each(
        &self,
        chunk: usize,
        threshold: usize,
        widths: &[usize],
        buffer: &mut Vec<u8>,
        mut see: impl FnMut(Capture),
    ) -> io::Result<()> {
        let chunk = &self.chunks[chunk];
        buffer.clear();
        self.spill.read(chunk.extents[threshold], buffer)?;
        let mut numbers = Numbers::new(buffer);
        let (mut group, end) = chunk.groups;
        let (mut base, mut place) = (0, 0);
        while !numbers.is_empty() {
            let number = numbers.next()?;
            place += number >> 1;
            while group < end && place - base >= 64 * widths[group] as u64 {
                base += 64 * widths[group] as u64;
                group += 1;
            }
            if group == end {
                return Err(strange());
            }
            let side = if number & 1 == 0 { Side::Won } else { Side::Lost };
            see(Capture { group, board: (place - base) as usize, side });
        }
        Ok(())
    }

    /// Writes down where everything is, for [`restore`](Self::restore).
    pub(crate) fn save(&self, into: &mut Vec<u8>) -> io::Result<()> {
        self.spill.sync()?;
        put_number(into, self.spill.length());
        for extent in self.chunks.iter().flat_map(|chunk| &chunk.extents) {
            extent.put(into);
        }
        Ok(())
    }

    /// What was saved; `open` gives the store of that length.
    pub(crate) fn restore(
        widths: &[usize],
        thresholds: usize,
        numbers: &mut Numbers<'_>,
        open: impl FnOnce(u64) -> io::Result<Spill>,
    ) -> io::Result<Buckets> {
        let spill = open(numbers.next()?)?;
        let mut chunks = cut(widths);
        for chunk in &mut chunks {
            for _ in 0..thresholds {
                chunk.extents.push(Extent::take(numbers)?);
            }
        }
        Ok(Buckets { chunks, spill })
    }
}

/// Cuts the owned groups into chunks.
fn cut(widths: &[usize]) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    let mut first = 0;
    let mut boards = 0;
    for (place, &width) in widths.iter().enumerate() {
        boards += 64 * width;
        if boards >= CHUNK || place + 1 == widths.len() {
            chunks.push(Chunk { groups: (first, place + 1), extents: Vec::new() });
            (first, boards) = (place + 1, 0);
        }
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_come_back_by_threshold() {
        let widths = [3, CHUNK / 64, 1, 700];
        // A few boards of each group, each at threshold board % 3.
        let boards = |group: usize| (0..64 * widths[group]).step_by(37 + group);
        let side = |board: usize| if board.is_multiple_of(5) { Side::Lost } else { Side::Won };
        let fill = |threads| {
            let each = |group: usize, sorted: &mut Sorted, (): &mut ()| {
                boards(group).for_each(|board| sorted.add(board % 3, side(board), board));
            };
            Buckets::fill(&widths, 3, Spill::in_memory(), threads, || (), each, |()| ()).unwrap()
        };
        for buckets in [fill(1), fill(2)] {
            assert_eq!(buckets.len(), 2);
            for threshold in 0..3 {
                let mut found = Vec::new();
                for chunk in 0..buckets.len() {
                    let see = |capture| found.push(capture);
                    buckets.each(chunk, threshold, &widths, &mut Vec::new(), see).unwrap();
                }
                let all = (0..widths.len()).flat_map(|group| {
                    let wanted = boards(group).filter(move |board| board % 3 == threshold);
                    wanted.map(move |board| Capture { group, board, side: side(board) })
                });
                assert_eq!(found, all.collect::<Vec<_>>());
            }
        }
    }
}
