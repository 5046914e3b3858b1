//! What a build will take: memory, disk and time, before it starts.
//!
//! Memory follows from the sizes of the arrays. Disk and time are scaled from measured figures
//! (docs/measurements): bits a board for each kind of table, and the time of a layer beside that
//! of small layers, which are solved here and now to see how fast this machine is.

use std::path::Path;
use std::time::{Duration, Instant};

use oware_rules::TableRules;
use oware_tables::rows::rows_below;
use oware_tables::{Kind, Layer, Manifest, Mode, Quantity};

use crate::build::SPILL_FROM;
use crate::exchange::Alone;
use crate::solve::{LayerJob, SolveError, Target, layer_memory, solve_layer};
use crate::storage::InMemory;
use crate::tables::MoveTables;

/// What is to be planned.
#[derive(Clone, Debug)]
pub struct PlanJob<'a> {
    /// The rules.
    pub rules: TableRules,
    /// What to solve.
    pub targets: &'a [Target],
    /// Whether distances are wanted too.
    pub distances: bool,
    /// The highest layer.
    pub layers: usize,
    /// Number of threads.
    pub threads: usize,
    /// How tables are coded.
    pub mode: Mode,
    /// What is there already.
    pub manifest: &'a Manifest,
}

/// What one layer will take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerPlan {
    /// Which values.
    pub target: Target,
    /// Seeds.
    pub seeds: usize,
    /// Number of boards.
    pub boards: u64,
    /// Whether it is there already, and only read.
    pub done: bool,
    /// Bytes of memory while it is solved; for archives with all layers below it.
    pub memory: u64,
    /// Bytes of its files.
    pub disk: u64,
    /// Bytes on disk that only the solve needs, and that vanish with its end.
    pub scratch: u64,
    /// Wall time to solve and write it; for a layer that is there, to read it.
    pub time: Duration,
}

/// What a build will take.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Layer by layer, target by target.
    pub layers: Vec<LayerPlan>,
}

/// What a plan asks for that there is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {needed} needed, {available} available; {instead}")]
pub struct DoesNotFit {
    /// Memory or disk.
    pub what: &'static str,
    /// Bytes needed, to be read by people.
    pub needed: String,
    /// Bytes there are.
    pub available: String,
    /// What would fit.
    pub instead: String,
}

impl Plan {
    /// The most memory at any time, bytes.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.layers.iter().filter(|layer| !layer.done).map(|layer| layer.memory).max().unwrap_or(0)
    }

    /// Bytes of the files that are not there yet, with what the solves need beside them.
    #[must_use]
    pub fn disk(&self) -> u64 {
        self.disk_to(usize::MAX)
    }

    /// The same for the layers to `most` seeds.
    fn disk_to(&self, most: usize) -> u64 {
        let (mut files, mut highest) = (0, 0);
        for layer in self.layers.iter().filter(|layer| !layer.done && layer.seeds <= most) {
            files += layer.disk;
            highest = highest.max(files + layer.scratch);
        }
        highest
    }

    /// Wall time.
    #[must_use]
    pub fn time(&self) -> Duration {
        self.layers.iter().map(|layer| layer.time).sum()
    }

    /// Holds the plan against what there is, in bytes; `None` where that is not known.
    ///
    /// # Errors
    /// When it does not fit, with what would.
    pub fn check(&self, memory: Option<u64>, disk: Option<u64>) -> Result<(), DoesNotFit> {
        let most = self.layers.iter().map(|layer| layer.seeds).max().unwrap_or(0);
        let fitting =
            |fits: &dyn Fn(usize) -> bool| match (0..=most).rev().find(|&seeds| fits(seeds)) {
                Some(seeds) => format!("--layers {seeds} would fit"),
                None => "not even layer 0 would fit".to_owned(),
            };
        let new = || self.layers.iter().filter(|layer| !layer.done);
        if let Some(available) = memory.filter(|&available| self.memory() > available) {
            // With fewer layers what stands beside them is smaller too.
            let spared = |top| fixed_memory(most) - fixed_memory(top);
            let fits = |top| {
                let enough = available.saturating_add(spared(top));
                new().all(|layer| layer.seeds > top || layer.memory <= enough)
            };
            return Err(DoesNotFit {
                what: "memory",
                needed: bytes(self.memory()),
                available: bytes(available),
                instead: fitting(&fits),
            });
        }
        if let Some(available) = disk.filter(|&available| self.disk() > available) {
            return Err(DoesNotFit {
                what: "disk",
                needed: bytes(self.disk()),
                available: bytes(available),
                instead: fitting(&|top| self.disk_to(top) <= available),
            });
        }
        Ok(())
    }
}

/// Bytes as people read them, with three digits.
#[must_use]
pub fn bytes(number: u64) -> String {
    let mut value = number as f64;
    for unit in ["bytes", "KiB", "MiB"] {
        if value < 1024.0 {
            return if unit == "bytes" { format!("{number} {unit}") } else { digits(value, unit) };
        }
        value /= 1024.0;
    }
    digits(value, "GiB")
}

fn digits(value: f64, unit: &str) -> String {
    let places = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.places$} {unit}")
}

/// Plans a build. Solves small layers to see how fast the machine is: a quarter of a second at
/// most.
///
/// # Errors
/// When stopped.
pub fn plan(job: &PlanJob<'_>) -> Result<Plan, SolveError> {
    let speed = Speed::measure(job.rules, job.layers)?;
    let mut layers = Vec::new();
    for &target in job.targets {
        let conventions = target.conventions().len() as u64;
        let mut below = 0;
        let kinds: Vec<Kind> = target.kinds(job.distances).collect();
        let all_done = |seeds| kinds.iter().all(|&kind| job.manifest.entry(kind, seeds).is_some());
        let first_new = (0..=job.layers).find(|&seeds| !all_done(seeds));
        for seeds in 0..=job.layers {
            let boards = Layer::new(seeds).size();
            let done = all_done(seeds);
            let disk = kinds.iter().map(|&kind| disk(kind, seeds, job.mode)).sum();
            let solving = layer_memory(seeds, target, job.threads);
            let solving = match job.mode {
                Mode::Tables => solving,
                // Lower layers are held, and what archives are coded with beside the values.
                Mode::Archive => below + solving.max(2 * boards + boards / 2),
            };
            let memory = solving + learning_memory(boards) + fixed_memory(job.layers);
            let time = match (done, first_new) {
                (false, _) => speed.layer(seeds, target, kinds.len(), job),
                (true, Some(_)) => speed.read(boards * conventions, job.threads),
                (true, None) => Duration::ZERO,
            };
            let scratch = if seeds < SPILL_FROM { 0 } else { scratch(boards) * conventions };
            layers.push(LayerPlan { target, seeds, boards, done, memory, disk, scratch, time });
            below += boards * conventions;
        }
    }
    Ok(Plan { layers })
}

/// Bytes on disk beside the tables while a layer is solved, for each convention: captures, values
/// and two checkpoints, as measured at 30 seeds (docs/measurements).
fn scratch(boards: u64) -> u64 {
    boards / 2 + boards * 13 / 10 + boards * 3 / 4
}

/// What the model of a table is learned from, which is a sample from some size on.
fn learning_memory(boards: u64) -> u64 {
    (8 * boards).min(80 << 20)
}

/// Memory beside the layers: move tables (60 to 75 bytes a row), and the program.
fn fixed_memory(seeds: usize) -> u64 {
    const PROGRAM: u64 = 40 << 20;
    PROGRAM + move_tables_memory(seeds)
}

/// Bytes of the move tables for layers up to some number of seeds, for each process.
pub(crate) fn move_tables_memory(seeds: usize) -> u64 {
    rows_below(seeds + 1) as u64 * (58 + seeds as u64 / 2)
}

/// Bytes of a table of even values.
pub(crate) fn table_bytes(seeds: usize) -> u64 {
    disk(Kind::value(oware_tables::Convention::Even), seeds, Mode::Tables)
}

/// Bits a board of abapa, by kind and mode, at layers 8, 12, 16, 20 and 24 (the last by
/// continuation): docs/measurements.
fn bits(kind: Kind, mode: Mode) -> [f64; 5] {
    match (kind.quantity, kind.convention as usize, mode) {
        (Quantity::Value, 0, Mode::Tables) => [2.29, 2.77, 3.01, 3.16, 3.28],
        (Quantity::Value, 0, Mode::Archive) => [1.74, 1.92, 1.92, 1.94, 1.95],
        (Quantity::Value, _, Mode::Tables) => [1.69, 2.02, 2.2, 2.3, 2.35],
        (Quantity::Value, _, Mode::Archive) => [1.17, 1.31, 1.34, 1.36, 1.38],
        (Quantity::Distance, 0, Mode::Tables) => [4.67, 3.95, 3.43, 3.4, 3.4],
        (Quantity::Distance, 0, Mode::Archive) => [4.15, 3.41, 3.03, 3.0, 3.0],
        (Quantity::Distance, _, Mode::Tables) => [3.69, 3.87, 3.4, 3.3, 3.2],
        (Quantity::Distance, _, Mode::Archive) => [3.15, 3.48, 3.05, 2.9, 2.8],
    }
}

/// A figure for a layer from those for layers 8, 12, 16, 20 and 24: on the line between two of
/// them, and beyond the ends as at the ends.
fn between(figures: [f64; 5], seeds: usize) -> f64 {
    let place = (seeds.clamp(8, 24) - 8) as f64 / 4.0;
    let low = (place.floor() as usize).min(3);
    figures[low] + (figures[low + 1] - figures[low]) * (place - low as f64)
}

fn disk(kind: Kind, seeds: usize, mode: Mode) -> u64 {
    let boards = Layer::new(seeds).size() as f64;
    // Small tables are mostly header and model.
    300 + (boards * between(bits(kind, mode), seeds) / 8.0) as u64
}

/// How fast the machine is.
struct Speed {
    /// Time a board at the layers that were tried, one thread.
    board: Duration,
}

/// The highest layer that is solved to see how fast the machine is, where so many are planned ...
const TRIED: usize = 12;
/// ... and where only few are.
const LEAST_TRIED: usize = 8;

/// How much longer a board takes to solve than one of the layers tried.
const LONGER: [f64; 5] = [1.0, 1.0, 1.08, 1.32, 1.5];
/// Seconds to code and write a table of even values on a machine that takes [`WRITING_BOARD`] for
/// a board of the layers tried. Most of it is learning the model, by one thread.
const WRITING: [f64; 5] = [0.03, 0.3, 2.0, 4.2, 12.0];
const WRITING_BOARD: f64 = 0.067e-6;

impl Speed {
    fn measure(rules: TableRules, layers: usize) -> Result<Speed, SolveError> {
        let tried = layers.clamp(LEAST_TRIED, TRIED);
        let tables = MoveTables::new(rules, tried);
        let mut lower = InMemory::new();
        let mut boards = 0;
        let clock = Instant::now();
        for seeds in 0..=tried {
            let job = LayerJob::quiet(&tables, seeds, Target::Even, &lower);
            let mut solved = solve_layer(&job, &mut Alone)?;
            let values = solved.values.swap_remove(0);
            boards += values.len();
            lower.push(oware_tables::Convention::Even, values);
        }
        Ok(Speed { board: clock.elapsed().div_f64(boards as f64) })
    }

    /// Solving and writing.
    fn layer(&self, seeds: usize, target: Target, tables: usize, job: &PlanJob<'_>) -> Duration {
        let boards = Layer::new(seeds).size() as f64;
        let factor = between(LONGER, seeds) * target_factor(target, job.distances);
        let solving = self.board.mul_f64(boards * factor / shared(job.threads));
        let writing = between(WRITING, seeds) * tables as f64 / WRITING_BOARD;
        // Small layers have small models, and those above the last figure grow with their boards.
        let small = (boards / Layer::new(8).size() as f64).min(1.0);
        let large = (boards / Layer::new(24).size() as f64).max(1.0);
        solving + self.board.mul_f64(writing * small * large)
    }

    fn read(&self, boards: u64, threads: usize) -> Duration {
        /// Time to decode a board beside that to solve it.
        const READ: f64 = 0.12;
        self.board.mul_f64(boards as f64 * READ / shared(threads))
    }
}

/// How much faster several threads are.
fn shared(threads: usize) -> f64 {
    const MORE: f64 = 0.8;
    1.0 + MORE * (threads.max(1) - 1) as f64
}

/// How much longer a target takes than even values alone.
fn target_factor(target: Target, distances: bool) -> f64 {
    match (target, distances) {
        (Target::Even, false) => 1.0,
        (Target::Even, true) => 1.05,
        (Target::Bounds, false) => 1.8,
        (Target::Bounds, true) => 1.9,
    }
}

/// Bytes of memory that can be had, if the system tells.
#[must_use]
pub fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Bytes that can be written below a path, if the system tells. The path, or what is above it,
/// must be there.
#[must_use]
pub fn available_disk(path: &Path) -> Option<u64> {
    let there = path.ancestors().find(|path| path.exists() || path.as_os_str().is_empty())?;
    #[cfg(unix)]
    {
        let there = if there.as_os_str().is_empty() { Path::new(".") } else { there };
        let system = rustix::fs::statvfs(there).ok()?;
        Some(system.f_bavail * system.f_frsize)
    }
    #[cfg(not(unix))]
    {
        let _ = there;
        None
    }
}

#[cfg(test)]
mod tests {
    use oware_rules::Rules;

    use super::*;

    #[test]
    fn sizes_are_written_for_people() {
        let written = [0, 1023, 1024, 10 << 20, 5 << 30, 123 << 30].map(bytes);
        let expected = ["0 bytes", "1023 bytes", "1.00 KiB", "10.0 MiB", "5.00 GiB", "123 GiB"];
        assert_eq!(written, expected);
    }

    #[test]
    fn what_does_not_fit_is_refused_with_what_would() {
        let rules = Rules::ABAPA.table_rules();
        let manifest = Manifest::new(rules);
        let job = PlanJob {
            rules,
            targets: &[Target::Even],
            distances: false,
            layers: 30,
            threads: 2,
            mode: Mode::Tables,
            manifest: &manifest,
        };
        let plan = plan(&job).unwrap();
        assert_eq!(plan.layers.len(), 31);
        // Layer 30 at 1.38 bytes a board, and the program: no lower layers.
        assert!(plan.memory() > 4 << 30 && plan.memory() < 5 << 30, "{}", plan.memory());
        assert_eq!(plan.check(Some(64 << 30), Some(64 << 30)), Ok(()));
        assert_eq!(plan.check(None, None), Ok(()));
        let message = plan.check(Some(3 << 30), None).unwrap_err().to_string();
        assert!(message.starts_with("memory: ") && message.contains("--layers 2"), "{message}");
        let message = plan.check(None, Some(1 << 20)).unwrap_err().to_string();
        assert!(message.starts_with("disk: ") && message.contains("--layers 1"), "{message}");
    }
}
