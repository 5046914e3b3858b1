//! One layer, from its lower layers to its values.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use oware_tables::{Convention, Kind, Layer, NO_DISTANCE};

use crate::buckets::Buckets;
use crate::captures::{Best, Lookup};
use crate::checkpoint::{self, Checkpoints, Resumed, Scratch};
use crate::decided::Decided;
use crate::exchange::{Exchange, Traffic};
use crate::expand::{Crossed, useful_by_total};
use crate::first::FirstPass;
use crate::frontier::{Frontier, Layout, Marks};
use crate::log::ValueLog;
use crate::own::Own;
use crate::partition::Partition;
use crate::post::Post;
use crate::rounds::{Lockstep, Progress, Rounds, lock};
use crate::space::{GROUP, RowSpace};
use crate::spill::Spill;
use crate::state::{OutOfMemory, Planes, Shape};
use crate::storage::LowerLayers;
use crate::tables::MoveTables;

/// What is solved together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// The values by the even convention.
    Even,
    /// Both bounds, low and high.
    Bounds,
}

impl Target {
    /// The conventions whose values come out.
    #[must_use]
    pub const fn conventions(self) -> &'static [Convention] {
        match self {
            Target::Even => &[Convention::Even],
            Target::Bounds => &[Convention::Low, Convention::High],
        }
    }

    /// Both.
    pub const ALL: [Target; 2] = [Target::Even, Target::Bounds];

    /// The one with this convention.
    #[must_use]
    pub const fn of(convention: Convention) -> Target {
        match convention {
            Convention::Even => Target::Even,
            Convention::Low | Convention::High => Target::Bounds,
        }
    }

    /// The tables that come out: for each convention its values, and distances if wanted.
    pub fn kinds(self, distances: bool) -> impl Iterator<Item = Kind> {
        self.conventions().iter().flat_map(move |&convention| {
            let distance = distances.then_some(Kind::distance(convention));
            std::iter::once(Kind::value(convention)).chain(distance)
        })
    }

    /// Whether boards that are won have their values in the tables of a convention of this target,
    /// and whether those that are lost do.
    pub(crate) const fn sides(self, convention: Convention) -> [bool; 2] {
        match (self, convention) {
            (Target::Even, _) => [true, true],
            (Target::Bounds, Convention::Low) => [true, false],
            (Target::Bounds, _) => [false, true],
        }
    }

    /// What can be forced, from the most down to the least that is not endless play.
    fn thresholds(self, seeds: usize) -> Vec<i8> {
        let most = seeds as i8;
        match self {
            Target::Even => (1..=most).rev().collect(),
            Target::Bounds => (1 - most..=most).rev().collect(),
        }
    }
}

/// What is to be solved, and with what.
pub struct LayerJob<'a> {
    /// The moves under the rules, for this layer or more.
    pub tables: &'a MoveTables,
    /// Seeds of the layer.
    pub seeds: usize,
    /// Which values.
    pub target: Target,
    /// Whether distances are wanted too.
    pub distances: bool,
    /// Number of threads, 1 or more.
    pub threads: usize,
    /// The layers below.
    pub lower: &'a dyn LowerLayers,
    /// Where captures and values are kept that memory does not hold, and checkpoints; without it
    /// everything stays in memory.
    pub scratch: Option<Scratch<'a>>,
    /// When set, the solve stops at the end of a round.
    pub stop: &'a AtomicBool,
    /// Called after each threshold.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

/// A solved layer. Arrays are in index order, one for each convention of the target.
#[derive(Clone, Debug)]
pub struct Solved {
    /// Values in seeds.
    pub values: Vec<Vec<i8>>,
    /// Plies to the next conversion, [`NO_DISTANCE`] where nothing is forced. Empty unless asked.
    pub distances: Vec<Vec<u8>>,
    /// What it took.
    pub cost: Cost,
}

/// What a layer took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Wall time of reading lower layers for the best captures.
    pub captures: Duration,
    /// Wall time of counting alternatives and putting captures in order.
    pub first: Duration,
    /// Wall time of the rounds.
    pub rounds_time: Duration,
    /// Wall time of putting values in place.
    pub last: Duration,
    /// Number of rounds.
    pub rounds: u64,
    /// Boards without a legal move.
    pub stalled: u64,
    /// Bytes of memory that this layer took while it was solved, by the sizes of its arrays.
    pub bytes: u64,
    /// Bytes of captures and of values that were written down.
    pub written: [u64; 2],
    /// What this part gave to others: for the best captures, and in the rounds.
    pub given: [Traffic; 2],
    /// Whether the solve went on from a checkpoint.
    pub resumed: bool,
}

impl PartialEq for Solved {
    /// What was solved; what it took differs from run to run.
    fn eq(&self, other: &Solved) -> bool {
        self.values == other.values && self.distances == other.distances
    }
}

/// Why a layer was not solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The stop flag was set.
    #[error("stopped")]
    Stopped,
    /// A lower layer could not be read, or another part could not be reached.
    #[error("layer {seeds}: {error}")]
    Io {
        /// The layer that was being solved.
        seeds: usize,
        /// What went wrong; a part of the message, so not its source once more.
        error: io::Error,
    },
    /// A distance is larger than a table can hold.
    #[error("layer {seeds}: a distance of {distance} plies, and tables hold at most 254")]
    TooFar {
        /// The layer that was being solved.
        seeds: usize,
        /// The largest distance.
        distance: u16,
    },
    /// The system has no more memory.
    #[error("layer {seeds}: {} of memory cannot be had", crate::plan::bytes(*bytes))]
    Memory {
        /// The layer that was being solved.
        seeds: usize,
        /// Bytes that were asked for.
        bytes: u64,
    },
    /// The move tables are for fewer seeds.
    #[error("layer {seeds} asks for move tables of {seeds} seeds or more, got {tables}")]
    Tables {
        /// The layer asked for.
        seeds: usize,
        /// What the tables serve.
        tables: usize,
    },
}

/// Solves one layer. With several parts, each calls this with its end of the exchange, and each
/// gets the whole layer.
///
/// # Errors
/// When stopped, when lower layers are missing, when another part is gone.
pub fn solve_layer(job: &LayerJob<'_>, exchange: &mut dyn Exchange) -> Result<Solved, SolveError> {
    let decided = decide_layer(job, exchange)?;
    let clock = Instant::now();
    let io = |error| SolveError::Io { seeds: job.seeds, error };
    let mut values = Vec::new();
    let mut distances = Vec::new();
    for &convention in job.target.conventions() {
        let bytes = decided.whole(Kind::value(convention), job.threads, exchange).map_err(io)?;
        values.push(bytemuck::cast_vec(bytes));
        if job.distances {
            let kind = Kind::distance(convention);
            distances.push(decided.whole(kind, job.threads, exchange).map_err(io)?);
        }
    }
    let mut cost = decided.cost();
    cost.last = clock.elapsed();
    Ok(Solved { values, distances, cost })
}

/// Decides every board of a layer, with several parts of the rows that this part owns. The values
/// are then still to be put in place.
///
/// # Errors
/// As [`solve_layer`].
pub fn decide_layer(
    job: &LayerJob<'_>,
    exchange: &mut dyn Exchange,
) -> Result<Decided, SolveError> {
    let seeds = job.seeds;
    if seeds > job.tables.seeds() {
        return Err(SolveError::Tables { seeds, tables: job.tables.seeds() });
    }
    let shape = Shape::new(seeds, &job.tables.space);
    let partition = Partition::new(seeds, exchange.parts());
    let own = Own::new(&shape, &partition, exchange.part());
    let layer = LayerSolve { job, shape: &shape, own: &own, partition: &partition };
    let mut cost = Cost { bytes: layer_memory(seeds, job.target, job.threads), ..Cost::default() };
    // Parts that went on from different places would not understand each other.
    let alone = exchange.parts() == 1;
    let scratch = job.scratch.as_ref().filter(|_| alone);
    let thresholds = job.target.thresholds(seeds);
    let resumed = scratch.and_then(|scratch| {
        let bounds = job.target == Target::Bounds;
        checkpoint::resume(scratch, &shape, &own, bounds, thresholds.len())
    });
    cost.resumed = resumed.is_some();
    let before = exchange.traffic();
    let begun = match resumed {
        Some(resumed) => resumed,
        None => layer.begin(&thresholds, exchange, &mut cost)?,
    };
    cost.stalled = begun.stalled.len() as u64;
    let checkpoints = scratch.map(Checkpoints::new);
    let between = exchange.traffic();
    let log = layer.rounds(begun, thresholds, exchange, checkpoints.as_ref(), &mut cost)?;
    cost.given = [between - before, exchange.traffic() - between];
    Ok(Decided::new(job.target, shape, log, cost))
}

/// What the steps of a solve share.
struct LayerSolve<'a> {
    job: &'a LayerJob<'a>,
    shape: &'a Shape,
    own: &'a Own,
    partition: &'a Partition,
}

impl<'a> LayerJob<'a> {
    /// The values of a layer by one thread, in memory, which nobody stops and nobody hears. Who
    /// wants more changes the fields.
    #[must_use]
    pub fn quiet(
        tables: &'a MoveTables,
        seeds: usize,
        target: Target,
        lower: &'a dyn LowerLayers,
    ) -> LayerJob<'a> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        LayerJob {
            tables,
            seeds,
            target,
            distances: false,
            threads: 1,
            lower,
            scratch: None,
            stop: &NEVER,
            progress: &|_| (),
        }
    }
}

impl LayerSolve<'_> {
    fn io(&self) -> impl Fn(io::Error) -> SolveError + use<> {
        let seeds = self.job.seeds;
        move |error| SolveError::Io { seeds, error }
    }

    fn spill(&self, name: &str, part: usize) -> Result<Spill, SolveError> {
        match &self.job.scratch {
            None => Ok(Spill::in_memory()),
            Some(scratch) if self.partition.parts() == 1 => scratch.spill(name).map_err(self.io()),
            Some(scratch) => scratch.spill(&format!("{name}-of-{part}")).map_err(self.io()),
        }
    }

    /// The first pass: captures in order, counters, boards without a move.
    fn begin(
        &self,
        thresholds: &[i8],
        exchange: &mut dyn Exchange,
        cost: &mut Cost,
    ) -> Result<Resumed, SolveError> {
        let LayerSolve { job, shape, own, partition } = *self;
        let part = exchange.part();
        let no_memory = no_memory(job.seeds);
        let lookup = Lookup {
            tables: job.tables,
            lower: job.lower,
            shape,
            own,
            threads: job.threads,
            stop: job.stop,
        };
        let bounds = job.target == Target::Bounds;
        let planes = Planes::new(own.all_words(), bounds).map_err(&no_memory)?;
        let mut stalled = Vec::new();
        let mut buckets = Vec::new();
        for (place, &convention) in job.target.conventions().iter().enumerate() {
            let clock = Instant::now();
            let owner = |group: usize| partition.owner(group);
            let best = Best::new(shape, own).map_err(&no_memory)?;
            lookup.find(convention, &owner, exchange, &best).map_err(self.io())?;
            self.stopped(exchange)?;
            cost.captures += clock.elapsed();
            let clock = Instant::now();
            // Which boards have captures is the same by every convention.
            let first = place == 0;
            let pass = FirstPass {
                lookup: &lookup,
                best: &best,
                target: job.target,
                convention,
                thresholds,
                planes: first.then_some(&planes),
            };
            let spill = self.spill(&checkpoint::captures(place), part)?;
            let (sorted, found) = pass.run(spill).map_err(self.io())?;
            buckets.push(sorted);
            if first {
                stalled = found;
            }
            cost.first += clock.elapsed();
        }
        let log = ValueLog::new(shape, own, self.spill(checkpoint::VALUES, part)?);
        let (begin, decided, rounds, longest) = (0, 0, 0, 0);
        Ok(Resumed { begin, decided, rounds, longest, planes, buckets, log, stalled })
    }

    /// Whether any part was told to stop.
    fn stopped(&self, exchange: &mut dyn Exchange) -> Result<(), SolveError> {
        let stop = self.job.stop.load(Relaxed);
        match exchange.sum(u64::from(stop)).map_err(self.io())? {
            0 => Ok(()),
            _ => Err(SolveError::Stopped),
        }
    }

    /// The frontiers, and for several parts who gets what.
    fn frontiers(&self, part: usize) -> Result<([Frontier; 2], Option<Post>), SolveError> {
        let LayerSolve { job, shape, own, partition } = *self;
        let space = &job.tables.space;
        let new =
            |layout| Frontier::new(layout, shape, space, job.threads).map_err(no_memory(job.seeds));
        let found = new(Layout::columns(shape, own))?;
        if partition.parts() == 1 {
            return Ok(([new(Layout::columns(shape, own))?, found], None));
        }
        let post = Post::new(job.tables, shape, partition);
        let wanted = |row: usize| post.gets(part, row);
        let given = new(Layout::rows(shape, space, wanted))?;
        Ok(([given, found], Some(post)))
    }

    fn rounds(
        &self,
        begun: Resumed,
        thresholds: Vec<i8>,
        exchange: &mut dyn Exchange,
        checkpoints: Option<&Checkpoints<'_>>,
        cost: &mut Cost,
    ) -> Result<ValueLog, SolveError> {
        let LayerSolve { job, shape, own, .. } = *self;
        let clock = Instant::now();
        let crossed = Crossed::all(job.tables, shape);
        let lockstep = Lockstep::after(job.threads, &begun);
        let (frontiers, post) = self.frontiers(exchange.part())?;
        let todo = Marks::new(shape.groups.len(), job.threads).map_err(no_memory(job.seeds))?;
        let rounds = Rounds {
            tables: job.tables,
            shape,
            own,
            widths: own.widths_of_groups(shape),
            planes: &begun.planes,
            useful: useful_by_total(&crossed),
            crossed,
            buckets: begun.buckets,
            log: begun.log,
            stalled: begun.stalled,
            thresholds,
            begin: begun.begin,
            frontiers,
            todo,
            post,
            exchange: Mutex::new(exchange),
            checkpoints,
            lockstep: &lockstep,
            stop: job.stop,
            progress: job.progress,
        };
        in_threads(job.threads, || rounds.work());
        cost.written = [rounds.buckets.iter().map(Buckets::bytes).sum(), rounds.log.bytes()];
        let log = rounds.log;
        let end = lockstep.end().map_err(|error| match error {
            Some(error) => self.io()(error),
            None => SolveError::Stopped,
        })?;
        if job.distances && end.longest >= u16::from(NO_DISTANCE) {
            return Err(SolveError::TooFar { seeds: job.seeds, distance: end.longest });
        }
        cost.rounds = end.rounds;
        cost.rounds_time = clock.elapsed();
        Ok(log)
    }
}

/// Bytes of memory that a layer takes while it is solved and put in place, one table at a time;
/// move tables come to it.
///
/// Captures take a byte a board beside the counters, then the rounds take two frontiers beside
/// them, at last the values take a byte a board and are coded a little at a time.
///
/// # Panics
/// Above 48 seeds.
#[must_use]
pub fn layer_memory(seeds: usize, target: Target, threads: usize) -> u64 {
    let space = RowSpace::new(seeds);
    let shape = Shape::new(seeds, &space);
    let boards = Layer::new(seeds).size();
    let words = shape.all_words() as u64;
    let planes = Planes::bytes_for(words, target == Target::Bounds);
    let frontier = Frontier::bytes_for(words, space.end(seeds) / GROUP, threads);
    (boards + planes).max(planes + 2 * frontier)
}

/// An error of a layer for which there is too little memory.
pub(crate) fn no_memory(seeds: usize) -> impl Fn(OutOfMemory) -> SolveError {
    move |OutOfMemory { bytes }| SolveError::Memory { seeds, bytes }
}

/// Does work for each number below `count`, shared among threads. After an error no more is begun;
/// one that came is given back.
pub(crate) fn each_in_threads<E: Send>(
    count: usize,
    threads: usize,
    work: impl Fn(usize) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Ok(()));
    in_threads(threads, || {
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= count {
                break;
            }
            if let Err(error) = work(number) {
                next.store(count, Relaxed);
                *lock(&failed) = Err(error);
            }
        }
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Does the same work on several threads, this one among them.
pub(crate) fn in_threads(threads: usize, work: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(&work);
        }
        work();
    });
}
