//! Rounds of a layer: from the boards found in one round to those found in the next.
//!
//! For each threshold, from high to low: round 0 finds the boards without a move, round 1 those
//! whose capture pays the threshold, and each round the boards before those of the round before:
//! a board with a move to a lost board is won; a board whose last alternative is refuted is lost.
//! All workers do the same phases in lockstep. In each phase a group of 64 rows is one worker's,
//! so that no word has two writers. The round in which a board is found is its distance.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use Ordering::Relaxed;

use crate::bits::with_best;
use crate::exchange::Exchange;
use crate::expand::{Crossed, Expand, Lists, Useful};
use crate::first::Stalled;
use crate::frontier::{Frontier, Marks, Run, lanes};
use crate::shared::SpinBarrier;
use crate::space::GROUP;
use crate::state::{Planes, Shape, Side, decided_code};
use crate::tables::MoveTables;

/// Groups that a worker takes at a time.
const CLAIM: usize = 8;

/// The codes and distances of a group of opponent's rows.
pub(crate) struct Chunk<'a> {
    /// One array, or two: the first for won boards, the last for lost ones.
    pub(crate) codes: Vec<&'a mut [u8]>,
    pub(crate) distances: Vec<&'a mut [u8]>,
}

/// What a solve tells while it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The threshold that was just finished.
    pub threshold: i8,
    /// Boards decided so far in this layer (each twice when both bounds are solved).
    pub decided: u64,
    /// Rounds so far.
    pub rounds: u64,
}

/// Everything the workers share.
pub(crate) struct Rounds<'a> {
    pub(crate) tables: &'a MoveTables,
    pub(crate) shape: &'a Shape,
    pub(crate) planes: &'a Planes,
    pub(crate) crossed: Vec<Vec<Crossed<'a>>>,
    pub(crate) useful: Vec<Useful>,
    pub(crate) chunks: Vec<Mutex<Chunk<'a>>>,
    /// Boards without a move, by value.
    pub(crate) stalled: &'a [Stalled],
    pub(crate) thresholds: Vec<i8>,
    pub(crate) frontiers: [Frontier; 2],
    /// By group of mover's rows: those with a move to a board of this round.
    pub(crate) todo: Marks,
    pub(crate) part: usize,
    pub(crate) parts: usize,
    pub(crate) exchange: Mutex<&'a mut dyn Exchange>,
    pub(crate) lockstep: &'a Lockstep,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) progress: &'a (dyn Fn(Progress) + Sync),
}

/// What keeps the workers together.
pub(crate) struct Lockstep {
    barrier: SpinBarrier,
    claims: [AtomicUsize; 4],
    found: [AtomicU64; 4],
    stopping: AtomicBool,
    failed: Mutex<Option<io::Error>>,
    decided: AtomicU64,
    rounds: AtomicU64,
    longest: AtomicU16,
    workers: AtomicUsize,
}

/// What a finished solve took.
pub(crate) struct End {
    pub(crate) rounds: u64,
    /// The largest distance.
    pub(crate) longest: u16,
}

impl Lockstep {
    pub(crate) fn new(workers: usize) -> Lockstep {
        Lockstep {
            barrier: SpinBarrier::new(workers),
            claims: Default::default(),
            found: Default::default(),
            stopping: AtomicBool::new(false),
            failed: Mutex::default(),
            decided: AtomicU64::new(0),
            rounds: AtomicU64::new(0),
            longest: AtomicU16::new(0),
            workers: AtomicUsize::new(0),
        }
    }

    /// What there was to do, or why it was not done: an error, or the stop flag.
    pub(crate) fn end(self) -> Result<End, Option<io::Error>> {
        if self.stopping.into_inner() {
            return Err(self.failed.into_inner().unwrap_or_else(PoisonError::into_inner));
        }
        Ok(End { rounds: self.rounds.into_inner(), longest: self.longest.into_inner() })
    }
}

/// A lock that a panic of another worker does not take with it.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where a worker is. All workers count the same.
struct Place {
    worker: usize,
    phase: usize,
    /// The round that is being made or was just made; its parity says which frontier is its.
    round: usize,
    lists: Lists,
}

impl Rounds<'_> {
    /// What one worker does: all thresholds. Stops early on the stop flag, or when another part
    /// is gone.
    pub(crate) fn work(&self) {
        let worker = self.lockstep.workers.fetch_add(1, Relaxed);
        let mut place = Place { worker, phase: 0, round: 0, lists: Lists::default() };
        for &threshold in &self.thresholds {
            if !self.threshold(threshold, &mut place) {
                return;
            }
        }
    }

    fn threshold(&self, threshold: i8, place: &mut Place) -> bool {
        // Boards without a move are rare. Several parts must agree on the rounds, so there the
        // round for them is always made.
        if self.parts > 1 || self.has_stalled(threshold) {
            self.lockstep.barrier.wait(|| {
                let found = self.stalled(threshold, self.frontier(place.round));
                self.count(place.round, found);
                self.settle(place.round, threshold);
            });
            if self.stopping() {
                return false;
            }
            self.commit_all(place, threshold, 0);
            self.expand_all(place, || ());
        }
        let round = place.round;
        let worker = place.worker;
        let scan = |group| self.scan(group, worker, threshold, self.frontier(round));
        self.each_group(place, scan, || self.settle(round, threshold));
        for level in 1.. {
            if self.stopping() {
                return false;
            }
            let found = self.lockstep.found[place.round % 4].load(Relaxed);
            self.commit_all(place, threshold, level);
            if found == 0 {
                // The frontiers are clean: this round has no boards and the one before is cleared.
                self.lockstep.longest.fetch_max(level - 1, Relaxed);
                return true;
            }
            let next = place.round + 1;
            self.expand_all(place, || self.settle(next, threshold));
        }
        true
    }

    fn has_stalled(&self, threshold: i8) -> bool {
        self.stalled_at(threshold).next().is_some() || self.stalled_at(-threshold).next().is_some()
    }

    fn frontier(&self, round: usize) -> &Frontier {
        &self.frontiers[round % 2]
    }

    fn stopping(&self) -> bool {
        self.lockstep.stopping.load(Relaxed)
    }

    fn count(&self, round: usize, found: u64) {
        if found > 0 {
            self.lockstep.found[round % 4].fetch_add(found, Relaxed);
        }
    }

    /// Shares the groups among the workers, counts what they find, and waits for all. The last
    /// worker does `then` before the others go on.
    fn each_group(
        &self,
        place: &mut Place,
        mut work: impl FnMut(usize) -> u64,
        then: impl FnOnce(),
    ) {
        let claims = &self.lockstep.claims[place.phase % 4];
        let groups = self.shape.groups.len();
        let mut found = 0;
        loop {
            let first = claims.fetch_add(CLAIM, Relaxed);
            if first >= groups {
                break;
            }
            for group in first..groups.min(first + CLAIM) {
                found += work(group);
            }
        }
        self.count(place.round, found);
        place.phase += 1;
        self.lockstep.barrier.wait(|| {
            // Last used two phases ago, by workers that are all here now.
            self.lockstep.claims[(place.phase + 2) % 4].store(0, Relaxed);
            then();
        });
    }

    /// Ends the making of a round: all parts tell each other what they found, and whether to go
    /// on. Done by one worker while the others wait.
    fn settle(&self, round: usize, threshold: i8) {
        let state = &self.lockstep;
        if let Err(error) = self.agree(round) {
            *lock(&state.failed) = Some(error);
            state.stopping.store(true, Relaxed);
        }
        state.found[(round + 2) % 4].store(0, Relaxed);
        let rounds = state.rounds.fetch_add(1, Relaxed) + 1;
        let found = state.found[round % 4].load(Relaxed);
        let decided = state.decided.fetch_add(found, Relaxed) + found;
        if found == 0 {
            (self.progress)(Progress { threshold, decided, rounds });
        }
    }

    fn agree(&self, round: usize) -> io::Result<()> {
        let stop = self.stop.load(Relaxed);
        if self.parts == 1 {
            self.lockstep.stopping.store(stop, Relaxed);
            return Ok(());
        }
        let mut exchange = lock(&self.exchange);
        let frontier = self.frontier(round);
        let part = exchange.part();
        let told: Vec<u8> = self.tell(frontier).into_iter().flat_map(u64::to_le_bytes).collect();
        let taken = exchange.exchange(vec![told; self.parts])?;
        for (_, bytes) in taken.iter().enumerate().filter(|&(from, _)| from != part) {
            let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b));
            self.hear(&bytes.chunks(8).map(number).collect::<Vec<u64>>(), frontier)?;
        }
        let found = &self.lockstep.found[round % 4];
        found.store(exchange.sum(found.load(Relaxed))?, Relaxed);
        self.lockstep.stopping.store(exchange.sum(u64::from(stop))? > 0, Relaxed);
        Ok(())
    }

    /// What this part found: for each word of boards a number that says where it is, and the word.
    fn tell(&self, frontier: &Frontier) -> Vec<u64> {
        let mut events = Vec::new();
        for group in 0..self.shape.groups.len() {
            for run in self.runs(group, frontier.rows(group)) {
                run.marked(frontier.summary(run.row), |word| {
                    let boards = frontier.boards(run.start, word);
                    for (side, boards) in boards.into_iter().enumerate().filter(|&(_, b)| b != 0) {
                        let place = (side as u64) << 63 | (run.row as u64) << 32 | word as u64;
                        events.extend([place, boards]);
                    }
                });
            }
        }
        events
    }

    fn hear(&self, events: &[u64], frontier: &Frontier) -> io::Result<()> {
        for event in events.chunks(2) {
            let strange = || io::Error::other("another part sent what is no board of this layer");
            let &[place, boards] = event else { return Err(strange()) };
            let side = if place >> 63 == 0 { Side::Won } else { Side::Lost };
            let row = (place >> 32) as usize & 0x7fff_ffff;
            let word = place as u32 as usize;
            let run = self.run(row).filter(|run| word < run.words).ok_or_else(strange)?;
            frontier.add(0, side, run, word, boards);
        }
        Ok(())
    }

    /// The run of an opponent's row, if there is such a row.
    fn run(&self, row: usize) -> Option<Run> {
        let group = self.shape.groups.get(row / GROUP)?;
        let lane = row % GROUP;
        let rank = group.first_rank + lane;
        (lane < group.rows).then(|| Run::new(self.shape, row, group.total, rank))
    }

    /// The runs of some rows of a group.
    fn runs(&self, group: usize, rows: u64) -> impl Iterator<Item = Run> {
        lanes(rows).filter_map(move |lane| self.run(group * GROUP + lane))
    }

    /// Writes down what was found in a round, marks the rows from which it can be reached, and
    /// clears the round before.
    fn commit_all(&self, place: &mut Place, threshold: i8, level: u16) {
        let (new, old) = (self.frontier(place.round), self.frontier(place.round + 1));
        let worker = place.worker;
        let commit = |group: usize| {
            let cleared = old.rows(group);
            if cleared != 0 {
                self.runs(group, cleared).for_each(|run| old.clear(run));
                old.clear_group(group);
            }
            if new.rows(group) != 0 {
                self.commit(group, worker, new, threshold, level);
            }
            0
        };
        self.each_group(place, commit, || ());
    }

    fn commit(&self, group: usize, worker: usize, new: &Frontier, threshold: i8, level: u16) {
        let mut chunk = lock(&self.chunks[group]);
        let Chunk { codes, distances } = &mut *chunk;
        let arrays = [0, codes.len() - 1];
        let decided = [threshold, threshold.wrapping_neg()].map(decided_code);
        let width = self.shape.width(self.shape.groups[group].total);
        let end = self.tables.space.end(self.shape.seeds);
        let useful = &self.useful[self.shape.groups[group].total];
        let rows = new.rows(group);
        for run in self.runs(group, rows) {
            new.expect(run.start, run.first_marked(new.summary(run.row)));
        }
        for run in self.runs(group, rows) {
            let first = (run.row % GROUP) * width;
            let summary = new.summary(run.row);
            run.marked(summary, |word| {
                let boards = new.boards(run.start, word);
                for side in [Side::Won, Side::Lost].map(|side| side as usize) {
                    for bit in lanes(boards[side]) {
                        codes[arrays[side]][first + word * 64 + bit] = decided[side];
                    }
                    if let Some(distances) = distances.get_mut(arrays[side]) {
                        for bit in lanes(boards[side]) {
                            distances[first + word * 64 + bit] = level as u8;
                        }
                    }
                }
            });
            for &before in self.tables.moves_before(run.row) {
                let row = before.row();
                if row >= end {
                    break;
                }
                if summary & useful[before.crossing()] != 0 {
                    self.todo.set(worker, row / GROUP, 1 << (row % GROUP));
                }
            }
        }
    }

    /// Makes the next round: looks at the boards before those of this round.
    fn expand_all(&self, place: &mut Place, then: impl FnOnce()) {
        let (from, to) = (self.frontier(place.round), self.frontier(place.round + 1));
        place.round += 1;
        let worker = place.worker;
        let mut lists = std::mem::take(&mut place.lists);
        let expand = |group: usize| {
            let rows = self.todo.get(group);
            if rows == 0 {
                return 0;
            }
            self.todo.clear(group);
            if group % self.parts != self.part {
                return 0;
            }
            let lists = &mut lists;
            with_best(Expand { rounds: self, worker, group, rows, from, to, lists })
        };
        self.each_group(place, expand, then);
        place.lists = lists;
    }
}
