//! The best capture of every board, from the layers below.
//!
//! A lower layer is read once, in the order of its index. Every board that a capture leads to has
//! the mover's row after the move as its opponent's row, so all boards before one of its runs by
//! one move and one number of captured seeds lie in one mover's row. The run is looked at for each
//! of these rows, wherever they are, and never again; lower layers need not be held.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering::Relaxed};

use oware_tables::Convention;
use oware_tables::rows::rows_with;

use crate::exchange::Exchange;
use crate::halves::{Crossing, crossing_seeds};
use crate::own::Own;
use crate::rounds::lock;
use crate::solve::{each_in_threads, in_threads};
use crate::space::GROUP;
use crate::spill::strange;
use crate::state::{NO_CAPTURE, OutOfMemory, Shape, biased, zeroed};
use crate::storage::LowerLayers;
use crate::tables::{Captures, MoveTables};

/// Strips that a worker takes at a time.
const CLAIM: usize = 16;
/// Bytes for other parts after which they are sent.
const SEND: usize = 64 << 20;
/// Bytes before a row's values: the row, the crossing, and the seeds captured.
const HEADER: usize = 6;

/// The best captures of the boards of a part, as biased values, in mover order: a byte for each
/// board, group after group, row after row.
pub(crate) struct Best {
    bytes: Vec<AtomicU8>,
    /// By group: where its boards begin.
    starts: Vec<usize>,
}

impl Best {
    pub(crate) fn new(shape: &Shape, own: &Own) -> Result<Best, OutOfMemory> {
        let mut starts = vec![0; shape.groups.len()];
        let mut next = 0;
        for &number in &own.groups {
            let group = shape.groups[number];
            starts[number] = next;
            next += group.rows * shape.width(group.total);
        }
        Ok(Best { bytes: zeroed(next)?, starts })
    }

    /// The boards of an owned row.
    #[inline]
    pub(crate) fn row(&self, row: usize, width: usize) -> &[AtomicU8] {
        let start = self.starts[row / GROUP] + row % GROUP * width;
        &self.bytes[start..start + width]
    }
}

/// What captures are looked up with.
pub(crate) struct Lookup<'a> {
    pub(crate) tables: &'a MoveTables,
    pub(crate) lower: &'a dyn LowerLayers,
    pub(crate) shape: &'a Shape,
    pub(crate) own: &'a Own,
    pub(crate) threads: usize,
    pub(crate) stop: &'a AtomicBool,
}

/// A strip to read: which layer, and its number there.
#[derive(Clone, Copy)]
struct Task {
    layer: usize,
    first: usize,
    count: usize,
}

/// Raises a byte to a value; other workers may at the same time.
#[inline]
fn raise(slot: &AtomicU8, value: u8) {
    if slot.load(Relaxed) < value {
        slot.fetch_max(value, Relaxed);
    }
}

impl Lookup<'_> {
    /// Finds all best captures by a convention, of which `best` has none yet. Returns early when
    /// stopped.
    pub(crate) fn find(
        &self,
        convention: Convention,
        owner: &(dyn Fn(usize) -> usize + Sync),
        exchange: &mut dyn Exchange,
        best: &Best,
    ) -> io::Result<()> {
        let (part, parts) = (exchange.part(), exchange.parts());
        let tasks = self.tasks(convention, part, parts)?;
        let next = AtomicUsize::new(0);
        loop {
            let full = AtomicBool::new(false);
            let send = Mutex::new(vec![Vec::new(); parts]);
            let failed = Mutex::new(None);
            in_threads(self.threads, || {
                let mut worker =
                    Worker { lookup: self, best, owner, send: vec![Vec::new(); parts], bytes: 0 };
                let done = worker.work(&tasks, &next, convention, &full);
                let mut all = lock(&send);
                for (all, mine) in all.iter_mut().zip(&mut worker.send) {
                    all.append(mine);
                }
                if let Err(error) = done {
                    next.store(tasks.len(), Relaxed);
                    *lock(&failed) = Some(error);
                }
            });
            let failed = failed.into_inner().unwrap_or_default();
            if parts == 1 {
                return failed.map_or(Ok(()), Err);
            }
            let stop = failed.is_some() || self.stop.load(Relaxed);
            let taken = exchange.exchange(send.into_inner().unwrap_or_default())?;
            let open = next.load(Relaxed) < tasks.len();
            let states = exchange.gather(u64::from(open) | u64::from(stop) << 1)?;
            if let Some(error) = failed {
                return Err(error);
            }
            each_in_threads(taken.len(), self.threads, |from| self.hear(&taken[from], best))?;
            if states.iter().any(|state| state & 2 != 0) || states.iter().all(|state| *state == 0) {
                return Ok(());
            }
        }
    }

    /// The strips that this part reads: of all layers from which captures come, every `parts`th.
    fn tasks(&self, convention: Convention, part: usize, parts: usize) -> io::Result<Vec<Task>> {
        let mut tasks = Vec::new();
        for layer in 0..self.shape.seeds {
            if !self.tables.captures_some(self.shape.seeds - layer) {
                continue;
            }
            let strips = self.lower.strips(convention.after_a_move(), layer)?;
            let pieces = (0..strips).step_by(CLAIM).enumerate();
            tasks.extend(
                pieces.filter(|&(number, _)| number % parts == part).map(|(_, first)| Task {
                    layer,
                    first,
                    count: CLAIM.min(strips - first),
                }),
            );
        }
        Ok(tasks)
    }

    /// Tells an owned row what captures of one kind are worth: of each of its boards that has one
    /// the value of the board after it.
    #[inline]
    fn tell(
        &self,
        row: usize,
        captures: &Captures,
        values: impl Iterator<Item = i8>,
        boards: &[AtomicU8],
    ) {
        let opponent = self.shape.seeds - self.shape.groups[row / GROUP].total;
        let pays = biased(captures.captured as i8);
        for (&(before, _), value) in captures.ranks.iter().zip(values) {
            let before = before as usize;
            if !captures.empties || self.all_empty(row, opponent, before) {
                raise(&boards[before], pays.wrapping_sub(value as u8));
            }
        }
    }

    /// Tells rows what another part has read.
    fn hear(&self, mut bytes: &[u8], best: &Best) -> io::Result<()> {
        while let Some((header, rest)) = bytes.split_at_checked(HEADER) {
            let row = u32::from_le_bytes([header[0], header[1], header[2], header[3]]) as usize;
            let (crossing, captured) = (header[4], header[5]);
            let group = self.shape.groups.get(row / GROUP).ok_or_else(strange)?;
            let known = self.own.owns(row / GROUP) && row % GROUP < group.rows;
            let table = self.tables.crossing_of(crossing, self.shape.seeds - group.total);
            let table = table.filter(|_| known).ok_or_else(strange)?;
            let boards = best.row(row, self.shape.width(group.total));
            bytes = rest;
            for captures in table.captures_of(captured) {
                let (values, rest) =
                    bytes.split_at_checked(captures.ranks.len()).ok_or_else(strange)?;
                self.tell(row, captures, values.iter().map(|&value| value as i8), boards);
                bytes = rest;
            }
        }
        if bytes.is_empty() { Ok(()) } else { Err(strange()) }
    }

    /// Whether no legal move of the row leaves this opponent's row a seed.
    #[cold]
    pub(crate) fn all_empty(&self, row: usize, opponent: usize, rank: usize) -> bool {
        self.tables.moves[row].each().all(|(_, crossing)| match crossing {
            0 => opponent == 0,
            _ => {
                let leaves = &self.tables.crossing(crossing, opponent).leaves;
                leaves[rank / 64] >> (rank % 64) & 1 == 0
            }
        })
    }
}

/// One worker, with what it has for other parts.
struct Worker<'a> {
    lookup: &'a Lookup<'a>,
    best: &'a Best,
    owner: &'a (dyn Fn(usize) -> usize + Sync),
    send: Vec<Vec<u8>>,
    bytes: usize,
}

impl Worker<'_> {
    fn work(
        &mut self,
        tasks: &[Task],
        next: &AtomicUsize,
        convention: Convention,
        full: &AtomicBool,
    ) -> io::Result<()> {
        let mut values = Vec::new();
        while !full.load(Relaxed) && !self.lookup.stop.load(Relaxed) {
            let Some(task) = tasks.get(next.fetch_add(1, Relaxed)) else { return Ok(()) };
            let captured = self.lookup.shape.seeds - task.layer;
            for number in task.first..task.first + task.count {
                let convention = convention.after_a_move();
                let strip = self.lookup.lower.strip(convention, task.layer, number, &mut values)?;
                for (row, values) in values.chunks(strip.width).enumerate() {
                    let rank = strip.first_opponent_rank + row;
                    self.row(strip.opponent_total, rank, captured as u8, values);
                }
            }
            if self.bytes > SEND / self.lookup.threads {
                full.store(true, Relaxed);
            }
        }
        Ok(())
    }

    /// Looks at all moves that lead to an opponent's row of the lower layer.
    fn row(&mut self, total: usize, rank: usize, captured: u8, values: &[i8]) {
        let Lookup { tables, shape, own, .. } = self.lookup;
        let row = tables.space.base(total) + rank;
        let end = tables.space.end(shape.seeds);
        for before in tables.moves_before(row) {
            let (row, crossing) = (before.row(), before.crossing() as Crossing);
            if row >= end {
                break;
            }
            if crossing == 0 {
                continue;
            }
            let opponent = shape.seeds - total - crossing_seeds(crossing);
            let table = tables.crossing(crossing, opponent);
            let captures = || table.captures_of(captured);
            if captures().next().is_none() {
                continue;
            }
            let group = row / GROUP;
            if own.owns(group) {
                let boards = self.best.row(row, rows_with(opponent));
                for captures in captures() {
                    let after = captures.ranks.iter().map(|&(_, after)| values[after as usize]);
                    self.lookup.tell(row, captures, after, boards);
                }
            } else {
                let send = &mut self.send[(self.owner)(group)];
                let before = send.len();
                send.extend((row as u32).to_le_bytes());
                send.extend([crossing, captured]);
                for captures in captures() {
                    send.extend(
                        captures.ranks.iter().map(|&(_, after)| values[after as usize] as u8),
                    );
                }
                self.bytes += send.len() - before;
            }
        }
    }
}

/// The value a byte of [`Best`] stands for, `None` where there is no capture.
#[inline]
pub(crate) fn capture(byte: u8) -> Option<i8> {
    (byte != NO_CAPTURE).then(|| crate::state::unbiased(byte))
}
