//! One layer, from its lower layers to its values.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use oware_tables::{Convention, Kind, Layer, NO_DISTANCE};

use crate::exchange::Exchange;
use crate::expand::{Crossed, useful_by_total};
use crate::first::{Buffers, FirstPass, Stalled};
use crate::frontier::{Frontier, Marks};
use crate::rounds::{Chunk, Lockstep, Progress, Rounds, lock};
use crate::shared::atomic_bytes;
use crate::space::RowSpace;
use crate::state::{OutOfMemory, Planes, Shape, value_of_code, zeroed};
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
    /// Wall time of the first pass: captures and counters.
    pub first: Duration,
    /// Wall time of the rounds.
    pub rounds_time: Duration,
    /// Wall time of turning codes into values.
    pub last: Duration,
    /// Number of rounds.
    pub rounds: u64,
    /// Boards without a legal move.
    pub stalled: u64,
    /// Bytes of memory that this layer took while it was solved, values included.
    pub bytes: u64,
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
    let seeds = job.seeds;
    if seeds > job.tables.seeds() {
        return Err(SolveError::Tables { seeds, tables: job.tables.seeds() });
    }
    let layers: Vec<Layer> = (0..=seeds).map(Layer::new).collect();
    let size = layers[seeds].size() as usize;
    let shape = Shape::new(seeds, &job.tables.space);
    let no_memory = no_memory(seeds);
    let planes = Planes::new(&shape, job.target == Target::Bounds).map_err(&no_memory)?;
    let mut codes = arrays(job.target, size).map_err(&no_memory)?;
    let mut cost = Cost {
        bytes: layer_memory(seeds, job.target, job.distances, job.threads),
        ..Cost::default()
    };

    let clock = Instant::now();
    let conventions = job.target.conventions();
    let (part, parts) = (exchange.part(), exchange.parts());
    let owned = |group: usize| group % parts == part;
    let stalled = first_pass(job, conventions, &layers, &shape, &planes, &mut codes, owned)?;
    cost.first = clock.elapsed();

    let clock = Instant::now();
    let mut distances = Vec::new();
    if job.distances {
        distances = arrays(job.target, size).map_err(&no_memory)?;
        distances.iter_mut().for_each(|distances| distances.fill(NO_DISTANCE));
    }
    cost.stalled = stalled.len() as u64;
    let crossed = Crossed::all(job.tables, &shape);
    let lockstep = Lockstep::new(job.threads);
    let frontier = || Frontier::new(&shape, job.threads).map_err(&no_memory);
    let frontiers = [frontier()?, frontier()?];
    let rounds = Rounds {
        tables: job.tables,
        shape: &shape,
        planes: &planes,
        useful: useful_by_total(&crossed),
        crossed,
        chunks: chunks(&shape, &layers[seeds], &mut codes, &mut distances),
        stalled: &stalled,
        thresholds: job.target.thresholds(seeds),
        frontiers,
        todo: Marks::new(shape.groups.len(), job.threads).map_err(&no_memory)?,
        part,
        parts,
        exchange: Mutex::new(exchange),
        lockstep: &lockstep,
        stop: job.stop,
        progress: job.progress,
    };
    in_threads(job.threads, || rounds.work());
    drop(rounds);
    let end = lockstep.end().map_err(|error| match error {
        Some(error) => SolveError::Io { seeds, error },
        None => SolveError::Stopped,
    })?;
    if job.distances && end.longest >= u16::from(NO_DISTANCE) {
        return Err(SolveError::TooFar { seeds, distance: end.longest });
    }
    cost.rounds = end.rounds;
    cost.rounds_time = clock.elapsed();

    drop(planes);
    let clock = Instant::now();
    let values = conventions.iter().zip(codes).map(|(convention, codes)| {
        let endless = convention.endless(seeds);
        // In place: a vector of bytes becomes one of values without another allocation.
        codes.into_iter().map(|code| value_of_code(code, endless)).collect()
    });
    let values = values.collect();
    cost.last = clock.elapsed();
    Ok(Solved { values, distances, cost })
}

/// Bytes of memory that a layer takes while it is solved; what stands in lower layers and move
/// tables comes to it.
///
/// # Panics
/// Above 48 seeds.
#[must_use]
pub fn layer_memory(seeds: usize, target: Target, distances: bool, threads: usize) -> u64 {
    let shape = Shape::new(seeds, &RowSpace::new(seeds));
    let boards = Layer::new(seeds).size() * target.conventions().len() as u64;
    let bytes_a_board = if distances { 2 } else { 1 };
    Planes::bytes_for(&shape, target == Target::Bounds)
        + 2 * Frontier::bytes_for(&shape, threads)
        + boards * bytes_a_board
}

/// An error of a layer for which there is too little memory.
pub(crate) fn no_memory(seeds: usize) -> impl Fn(OutOfMemory) -> SolveError {
    move |OutOfMemory { bytes }| SolveError::Memory { seeds, bytes }
}

/// An array of bytes for each convention of a target.
fn arrays(target: Target, size: usize) -> Result<Vec<Vec<u8>>, OutOfMemory> {
    target.conventions().iter().map(|_| zeroed(size)).collect()
}

/// Looks at all boards of the groups that are owned: their counters, and by each of the conventions
/// their best captures, as open codes. Returns the boards without a move, by value.
pub(crate) fn first_pass(
    job: &LayerJob<'_>,
    conventions: &[Convention],
    layers: &[Layer],
    shape: &Shape,
    planes: &Planes,
    codes: &mut [Vec<u8>],
    owned: impl Fn(usize) -> bool + Sync,
) -> Result<Vec<Stalled>, SolveError> {
    let pass = FirstPass {
        tables: job.tables,
        lower: job.lower,
        conventions,
        layers,
        shape,
        planes,
        codes: codes.iter_mut().map(|codes| atomic_bytes(codes)).collect(),
    };
    let next = AtomicUsize::new(0);
    let stalled = Mutex::new(Vec::new());
    let failed = Mutex::new(None);
    in_threads(job.threads, || {
        let mut buffers = Buffers::default();
        loop {
            let group = next.fetch_add(1, Relaxed);
            if group >= shape.groups.len() || job.stop.load(Relaxed) {
                break;
            }
            if owned(group)
                && let Err(error) = pass.group(group, &mut buffers)
            {
                *lock(&failed) = Some(error);
                next.store(shape.groups.len(), Relaxed);
            }
        }
        lock(&stalled).append(&mut buffers.stalled);
    });
    if let Some(error) = lock(&failed).take() {
        return Err(SolveError::Io { seeds: job.seeds, error });
    }
    let mut stalled = std::mem::take(&mut *lock(&stalled));
    stalled.sort_unstable();
    Ok(stalled)
}

/// Cuts the codes and distances into the groups of opponent's rows.
fn chunks<'a>(
    shape: &Shape,
    layer: &Layer,
    codes: &'a mut [Vec<u8>],
    distances: &'a mut [Vec<u8>],
) -> Vec<Mutex<Chunk<'a>>> {
    let mut chunks: Vec<Mutex<Chunk<'a>>> = Vec::with_capacity(shape.groups.len());
    chunks.resize_with(shape.groups.len(), || {
        Mutex::new(Chunk { codes: Vec::new(), distances: Vec::new() })
    });
    // The index runs over the mover's totals, so over falling totals of the opponent's rows.
    let mut order: Vec<usize> = (0..shape.groups.len()).collect();
    order.sort_by_key(|&group| {
        let group = shape.groups[group];
        layer.run(shape.seeds - group.total, group.first_rank)
    });
    let mut codes: Vec<&mut [u8]> = codes.iter_mut().map(Vec::as_mut_slice).collect();
    let mut distances: Vec<&mut [u8]> = distances.iter_mut().map(Vec::as_mut_slice).collect();
    for group in order {
        let rows = shape.groups[group];
        let length = rows.rows * shape.width(rows.total);
        let mut chunk = lock(&chunks[group]);
        cut(&mut codes, length, &mut chunk.codes);
        cut(&mut distances, length, &mut chunk.distances);
    }
    chunks
}

/// Moves the first `length` items of each slice to the end of `into`.
fn cut<'a, T>(slices: &mut [&'a mut [T]], length: usize, into: &mut Vec<&'a mut [T]>) {
    for slice in slices {
        let (first, rest) = std::mem::take(slice).split_at_mut(length);
        into.push(first);
        *slice = rest;
    }
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
