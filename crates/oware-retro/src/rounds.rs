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

use crate::bits::{BitMoves, BitWork, with_best};
use crate::exchange::{Event, Exchange};
use crate::first::Stalled;
use crate::frontier::{Frontier, Run};
use crate::halves::crossing_seeds;
use crate::shared::SpinBarrier;
use crate::space::GROUP;
use crate::state::{Planes, Shape, Side, decided_code};
use crate::tables::{MoveTables, NO_ROW};

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
    pub(crate) chunks: Vec<Mutex<Chunk<'a>>>,
    /// Boards without a move, by value.
    pub(crate) stalled: &'a [Stalled],
    pub(crate) thresholds: Vec<i8>,
    pub(crate) frontiers: [Frontier; 2],
    pub(crate) todo: Vec<AtomicU64>,
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
#[derive(Default)]
struct Place {
    phase: usize,
    /// The round that is being made or was just made; its parity says which frontier is its.
    round: usize,
}

impl Rounds<'_> {
    /// What one worker does: all thresholds. Stops early on the stop flag, or when another part
    /// is gone.
    pub(crate) fn work(&self) {
        let mut place = Place::default();
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
        let scan = |group| self.scan(group, threshold, self.frontier(round));
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
        let taken = exchange.share(self.tell(frontier))?;
        self.hear(&taken, frontier)?;
        let found = &self.lockstep.found[round % 4];
        found.store(exchange.sum(found.load(Relaxed))?, Relaxed);
        self.lockstep.stopping.store(exchange.sum(u64::from(stop))? > 0, Relaxed);
        Ok(())
    }

    /// What this part found: for each word of boards a number that says where it is, and the word.
    fn tell(&self, frontier: &Frontier) -> Vec<Event> {
        let mut events = Vec::new();
        for group in 0..self.shape.groups.len() {
            for run in self.runs(group, frontier.rows(group)) {
                for side in [Side::Won, Side::Lost] {
                    let summary = frontier.summary(side, run.row);
                    frontier.each(side, run, summary, |word, boards| {
                        let place = (side as u64) << 63 | (run.row as u64) << 32 | word as u64;
                        events.extend([place, boards]);
                    });
                }
            }
        }
        events
    }

    fn hear(&self, events: &[Event], frontier: &Frontier) -> io::Result<()> {
        for event in events.chunks(2) {
            let strange = || io::Error::other("another part sent what is no board of this layer");
            let &[place, boards] = event else { return Err(strange()) };
            let side = if place >> 63 == 0 { Side::Won } else { Side::Lost };
            let row = (place >> 32) as usize & 0x7fff_ffff;
            let word = place as u32 as usize;
            let run = self.run(row).filter(|run| word < run.words).ok_or_else(strange)?;
            frontier.add(side, run, word, boards);
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
        let commit = |group: usize| {
            let cleared = old.rows(group);
            if cleared != 0 {
                self.runs(group, cleared).for_each(|run| old.clear(run));
                old.clear_group(group);
            }
            let rows = new.rows(group);
            if rows != 0 {
                self.commit(group, rows, new, threshold, level);
            }
            0
        };
        self.each_group(place, commit, || ());
    }

    fn commit(&self, group: usize, rows: u64, new: &Frontier, threshold: i8, level: u16) {
        let mut chunk = lock(&self.chunks[group]);
        let Chunk { codes, distances } = &mut *chunk;
        let last = codes.len() - 1;
        let width = self.shape.width(self.shape.groups[group].total);
        let end = self.tables.space.end(self.shape.seeds);
        for run in self.runs(group, rows) {
            let first = (run.row % GROUP) * width;
            for (side, array, value) in
                [(Side::Won, 0, threshold), (Side::Lost, last, threshold.wrapping_neg())]
            {
                let code = decided_code(value);
                new.each(side, run, new.summary(side, run.row), |word, boards| {
                    for bit in lanes(boards) {
                        codes[array][first + word * 64 + bit] = code;
                    }
                    if let Some(distances) = distances.get_mut(array) {
                        for bit in lanes(boards) {
                            distances[first + word * 64 + bit] = level as u8;
                        }
                    }
                });
            }
            for &before in self.tables.rows_before(run.row) {
                let before = before as usize;
                if before >= end {
                    break;
                }
                let (todo, bit) = (&self.todo[before / GROUP], 1 << (before % GROUP));
                if todo.load(Relaxed) & bit == 0 {
                    todo.fetch_or(bit, Relaxed);
                }
            }
        }
    }

    /// Makes the next round: looks at the boards before those of this round.
    fn expand_all(&self, place: &mut Place, then: impl FnOnce()) {
        let (from, to) = (self.frontier(place.round), self.frontier(place.round + 1));
        place.round += 1;
        let expand = |group: usize| {
            let rows = self.todo[group].load(Relaxed);
            if rows == 0 {
                return 0;
            }
            self.todo[group].store(0, Relaxed);
            if group % self.parts != self.part {
                return 0;
            }
            with_best(Expand { rounds: self, group, rows, from, to })
        };
        self.each_group(place, expand, then);
    }
}

/// The places of the set bits.
#[inline]
fn lanes(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let lane = bits.trailing_zeros() as usize;
        bits &= bits - 1;
        Some(lane)
    })
}

/// Some mover's rows of one group, whose moves may lead to boards of the round before.
struct Expand<'a, 'r> {
    rounds: &'a Rounds<'r>,
    group: usize,
    rows: u64,
    from: &'a Frontier,
    to: &'a Frontier,
}

impl BitWork for Expand<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<B: BitMoves>(self) -> u64 {
        lanes(self.rows).map(|lane| self.row::<B>(lane)).sum()
    }
}

impl Expand<'_, '_> {
    #[inline(always)]
    fn row<B: BitMoves>(&self, lane: usize) -> u64 {
        let Rounds { tables, shape, planes, .. } = self.rounds;
        let group = shape.groups[self.group];
        let opponent = shape.seeds - group.total;
        let rank = group.first_rank + lane;
        let moves = &tables.moves[self.group * GROUP + lane];
        let start = shape.run(group.total, rank);
        let mut count = 0;
        // The boards of one word that may be new: a move leads to a board that is lost for the
        // opponent, or one of the alternatives is refuted.
        let mut reach = |side: Side, word: usize, boards: u64| {
            let new = match side {
                Side::Won => planes.win(start + word, boards),
                Side::Lost => planes.refute(start + word, boards),
            };
            if new != 0 {
                count += self.emit(side, opponent, word, new, rank);
            }
        };
        for house in 0..moves.after.len() {
            let (after, crossing) = (moves.after[house], moves.crossing[house]);
            if after == NO_ROW {
                continue;
            }
            let after = after as usize;
            let found = [Side::Won, Side::Lost].map(|side| self.from.summary(side, after));
            if found == [0, 0] || (crossing == 0 && opponent == 0 && !moves.passes_empty) {
                continue;
            }
            let total = group.total - crossing_seeds(crossing);
            let run = Run::new(shape, after, total, after - tables.space.base(total));
            for (side, mine) in [(Side::Lost, Side::Won), (Side::Won, Side::Lost)] {
                let summary = found[side as usize];
                if crossing == 0 {
                    self.from.each(side, run, summary, |word, boards| reach(mine, word, boards));
                    continue;
                }
                let table = tables.crossing(crossing, opponent);
                self.from.each(side, run, summary, |word, boards| {
                    let range = table.starts[word] as usize..table.starts[word + 1] as usize;
                    for segment in &table.segments[range] {
                        let before = B::transfer(boards, segment.from, segment.to);
                        if before != 0 {
                            reach(mine, segment.word as usize, before);
                        }
                    }
                });
            }
        }
        count
    }

    /// Adds new boards of one word of a mover's row to the next round.
    #[inline]
    fn emit(&self, side: Side, opponent: usize, word: usize, boards: u64, rank: usize) -> u64 {
        let Rounds { tables, shape, .. } = self.rounds;
        let base = tables.space.base(opponent);
        for bit in lanes(boards) {
            let other = word * 64 + bit;
            let run = Run::new(shape, base + other, opponent, other);
            self.to.add(side, run, rank / 64, 1 << (rank % 64));
        }
        u64::from(boards.count_ones())
    }
}
