//! Rounds of a layer: from the boards found in one round to those found in the next.
//!
//! For each threshold, from high to low: round 0 finds the boards without a move, round 1 those
//! whose capture pays the threshold, and each round the boards before those of the round before:
//! a board with a move to a lost board is won; a board whose last alternative is refuted is lost.
//! All workers do the same phases in lockstep. In each phase a group of 64 rows is one worker's,
//! so that no word has two writers. The round in which a board is found is its distance.
//!
//! A part decides the boards of the mover's rows that it owns. What it finds it gives, between two
//! rounds, to the parts that own a row with a move there, and to the one that writes the values of
//! that opponent's row down. A part that is alone finds and gives in one and the same frontier.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use Ordering::Relaxed;

use crate::bits::with_best;
use crate::buckets::Buckets;
use crate::checkpoint::{Checkpoints, Resumed};
use crate::exchange::Exchange;
use crate::expand::{Crossed, Expand, Lists, Useful};
use crate::first::Stalled;
use crate::frontier::{Frontier, Marks, Run, lanes};
use crate::log::ValueLog;
use crate::own::Own;
use crate::post::Post;
use crate::shared::SpinBarrier;
use crate::space::GROUP;
use crate::state::{Planes, Shape, Side};
use crate::tables::MoveTables;

/// Groups that a worker takes at a time.
const CLAIM: usize = 8;

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
    pub(crate) own: &'a Own,
    /// By place in the list of owned groups: boards of a row.
    pub(crate) widths: Vec<usize>,
    /// What captures pay: one for each convention of the target.
    pub(crate) buckets: Vec<Buckets>,
    pub(crate) log: ValueLog,
    /// Boards without a move, by value.
    pub(crate) stalled: Vec<Stalled>,
    pub(crate) thresholds: Vec<i8>,
    /// The threshold to begin with, by its place.
    pub(crate) begin: usize,
    /// For one part, the boards of this round and of the one before or after, in turn; for
    /// several, the boards that this part was given, and those that it found.
    pub(crate) frontiers: [Frontier; 2],
    /// By group of mover's rows: those with a move to a board of this round.
    pub(crate) todo: Marks,
    /// For several parts: who gets what.
    pub(crate) post: Option<Post>,
    pub(crate) exchange: Mutex<&'a mut dyn Exchange>,
    pub(crate) checkpoints: Option<&'a Checkpoints<'a>>,
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
    pub(crate) decided: AtomicU64,
    pub(crate) rounds: AtomicU64,
    pub(crate) longest: AtomicU16,
    workers: AtomicUsize,
}

/// What a finished solve took.
pub(crate) struct End {
    pub(crate) rounds: u64,
    /// The largest distance.
    pub(crate) longest: u16,
}

impl Lockstep {
    /// For a solve that begins, or goes on.
    pub(crate) fn after(workers: usize, begun: &Resumed) -> Lockstep {
        Lockstep {
            barrier: SpinBarrier::new(workers),
            claims: Default::default(),
            found: Default::default(),
            stopping: AtomicBool::new(false),
            failed: Mutex::default(),
            decided: AtomicU64::new(begun.decided),
            rounds: AtomicU64::new(begun.rounds),
            longest: AtomicU16::new(begun.longest),
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
    buffer: Vec<u8>,
}

impl Rounds<'_> {
    /// What one worker does: all thresholds. Stops early on the stop flag, or when another part
    /// is gone.
    pub(crate) fn work(&self) {
        let worker = self.lockstep.workers.fetch_add(1, Relaxed);
        let lists = Lists::default();
        let mut place = Place { worker, phase: 0, round: 0, lists, buffer: Vec::new() };
        for number in self.begin..self.thresholds.len() {
            if !self.threshold(number, &mut place) {
                return;
            }
        }
    }

    fn threshold(&self, number: usize, place: &mut Place) -> bool {
        let threshold = self.thresholds[number];
        self.lockstep.barrier.wait(|| self.checkpoint(number));
        // Boards without a move are rare. Several parts must agree on the rounds, so there the
        // round for them is always made.
        if self.post.is_some() || self.has_stalled(threshold) {
            self.lockstep.barrier.wait(|| {
                let found = self.stalled(threshold, self.found(place.round));
                self.count(place.round, found);
                self.settle(place.round, threshold);
            });
            if self.stopping() {
                return false;
            }
            self.commit_all(place, threshold, 0);
            self.expand_all(place, || ());
        }
        let (round, worker) = (place.round, place.worker);
        let mut buffer = std::mem::take(&mut place.buffer);
        let chunks = self.buckets.iter().map(Buckets::len).max().unwrap_or(0);
        let scan = |chunk| {
            let found = self.scan(chunk, worker, number, self.found(round), &mut buffer);
            found.unwrap_or_else(|error| self.fail(error))
        };
        self.each(chunks, 1, place, scan, || self.settle(round, threshold));
        place.buffer = buffer;
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

    /// Between thresholds there is little to keep: a good place to write it down.
    fn checkpoint(&self, number: usize) {
        let due = self.checkpoints.is_some_and(Checkpoints::due);
        if let (true, Some(checkpoints)) = (due && number > self.begin, self.checkpoints)
            && let Err(error) = checkpoints.write(self, number)
        {
            self.fail(error);
        }
    }

    /// Remembers an error; the solve stops at the end of the round. Nothing was found.
    fn fail(&self, error: io::Error) -> u64 {
        lock(&self.lockstep.failed).get_or_insert(error);
        0
    }

    fn has_stalled(&self, threshold: i8) -> bool {
        self.stalled_at(threshold).next().is_some() || self.stalled_at(-threshold).next().is_some()
    }

    /// The boards of a round that this part knows of.
    fn known(&self, round: usize) -> &Frontier {
        &self.frontiers[if self.post.is_some() { 0 } else { round % 2 }]
    }

    /// Where this part puts what it finds for a round.
    fn found(&self, round: usize) -> &Frontier {
        &self.frontiers[if self.post.is_some() { 1 } else { round % 2 }]
    }

    fn stopping(&self) -> bool {
        self.lockstep.stopping.load(Relaxed)
    }

    fn count(&self, round: usize, found: u64) {
        if found > 0 {
            self.lockstep.found[round % 4].fetch_add(found, Relaxed);
        }
    }

    /// Shares numbers among the workers, some at a time, counts what they find, and waits for all.
    /// The last worker does `then` before the others go on.
    fn each(
        &self,
        count: usize,
        claim: usize,
        place: &mut Place,
        mut work: impl FnMut(usize) -> u64,
        then: impl FnOnce(),
    ) {
        let claims = &self.lockstep.claims[place.phase % 4];
        let mut found = 0;
        loop {
            let first = claims.fetch_add(claim, Relaxed);
            if first >= count {
                break;
            }
            for number in first..count.min(first + claim) {
                found += work(number);
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
            self.fail(error);
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
        let failed = lock(&self.lockstep.failed).is_some();
        let stop = failed || self.stop.load(Relaxed);
        let Some(post) = &self.post else {
            self.lockstep.stopping.store(stop, Relaxed);
            return Ok(());
        };
        let mut exchange = lock(&self.exchange);
        let frontiers = [&self.frontiers[1], &self.frontiers[0]];
        post.deliver(self, frontiers, &mut **exchange)?;
        let found = &self.lockstep.found[round % 4];
        // Both in one exchange: what was found, and in the top bit whether to stop.
        let told = exchange.gather(found.load(Relaxed) | u64::from(stop) << 63)?;
        let sum = told.iter().map(|told| told & !(1 << 63)).sum();
        found.store(sum, Relaxed);
        self.lockstep.stopping.store(told.iter().any(|told| told >> 63 == 1), Relaxed);
        Ok(())
    }

    /// The runs of some rows of a group.
    pub(crate) fn runs<'f>(
        &self,
        group: usize,
        rows: u64,
        frontier: &'f Frontier,
    ) -> impl Iterator<Item = Run> + use<'f> {
        let total = self.shape.groups[group].total;
        lanes(rows).map(move |lane| frontier.run(total, group * GROUP + lane))
    }

    /// Writes down what was found in a round, marks the rows from which it can be reached, and
    /// clears the round before.
    fn commit_all(&self, place: &mut Place, threshold: i8, level: u16) {
        let new = self.known(place.round);
        let old = self.post.is_none().then(|| self.known(place.round + 1));
        let worker = place.worker;
        let mut buffer = std::mem::take(&mut place.buffer);
        let commit = |group: usize| {
            if let Some(old) = old {
                let cleared = old.rows(group);
                if cleared != 0 {
                    self.runs(group, cleared, old).for_each(|run| old.clear(run));
                    old.clear_group(group);
                }
            }
            if new.rows(group) != 0 {
                self.mark(group, worker, new);
                if self.own.owns(group)
                    && let Err(error) = self.commit(group, new, threshold, level, &mut buffer)
                {
                    self.fail(error);
                }
            }
            0
        };
        self.each(self.shape.groups.len(), CLAIM, place, commit, || ());
        place.buffer = buffer;
    }

    /// Writes down the boards of a group of opponent's rows.
    fn commit(
        &self,
        group: usize,
        new: &Frontier,
        threshold: i8,
        level: u16,
        buffer: &mut Vec<u8>,
    ) -> io::Result<()> {
        let width = self.shape.width(self.shape.groups[group].total);
        let mut entry = ValueLog::entry(buffer);
        for run in self.runs(group, new.rows(group), new) {
            let first = run.row % GROUP * width;
            run.marked(new.summary(run.row), |word| {
                let [won, lost] = new.boards(run.start, word);
                for bit in lanes(won | lost) {
                    let place = first + word * 64 + bit;
                    if won >> bit & 1 == 1 {
                        entry.add(place, Side::Won);
                    }
                    if lost >> bit & 1 == 1 {
                        entry.add(place, Side::Lost);
                    }
                }
            });
        }
        self.log.add(group, threshold, level, buffer)
    }

    /// Marks the owned mover's rows from which boards of a group can be reached.
    fn mark(&self, group: usize, worker: usize, new: &Frontier) {
        let end = self.tables.space.end(self.shape.seeds);
        let useful = &self.useful[self.shape.groups[group].total];
        let rows = new.rows(group);
        for run in self.runs(group, rows, new) {
            new.expect(run.start, run.first_marked(new.summary(run.row)));
        }
        for lane in lanes(rows) {
            let row = group * GROUP + lane;
            let summary = new.summary(row);
            for &before in self.tables.moves_before(row) {
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
        let (from, to) = (self.known(place.round), self.found(place.round + 1));
        place.round += 1;
        let worker = place.worker;
        let mut lists = std::mem::take(&mut place.lists);
        let expand = |group: usize| {
            let rows = self.todo.get(group);
            if rows == 0 {
                return 0;
            }
            self.todo.clear(group);
            if !self.own.owns(group) {
                return 0;
            }
            let lists = &mut lists;
            with_best(Expand { rounds: self, worker, group, rows, from, to, lists })
        };
        self.each(self.shape.groups.len(), CLAIM, place, expand, then);
        place.lists = lists;
    }
}
