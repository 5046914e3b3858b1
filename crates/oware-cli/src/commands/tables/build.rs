//! `oware tables build`: solves and writes tables.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use oware_retro::build::{CHECKPOINT_EVERY, LayerReport, SPILL_FROM};
use oware_retro::exchange::agree_on;
use oware_retro::plan::{available_disk, bytes};
use oware_retro::{
    BuildError, BuildEvent, BuildJob, Exchange, Plan, Progress, Target, build_in_parts,
};
use oware_tables::set::directory;
use oware_tables::{TableError, TileCache};

use super::parts::{self, PartsArgs};
use super::plan::duration;
use super::{TableArgs, ThreadsArgs};

const EXAMPLES: &str = "\
Layers are solved from 0 up and written one by one; those that are there already are read. Low and
high come together, whichever is asked for. Interrupted by a signal or killed, the build goes on
later with the layer it was at, within a large layer from its last checkpoint. What does not fit
into memory or on the disk is refused before it starts: see `oware tables plan`.

Several processes can share a build: ranks under mpirun (--mpi), or processes with a file system in
common (--spool). All run the same command on the same --dir; part 0 says how it goes on. If one is
stopped or killed, all end, and the same commands go on with the layer they were at.

Archives are smaller; they can be built on, verified and exported, but not probed.

Examples:
  oware tables build --layers 12
  oware tables build --rules awari --convention even,low,high --distance --layers 10
  mpirun -n 4 oware tables build --layers 24 --threads 2 --mpi
  oware tables build --layers 20 --spool exchange --parts 2 --part 0 &
  oware tables build --layers 20 --spool exchange --parts 2 --part 1";

/// Builds by several parts to fewer layers are not planned: that would take longer than they do.
const PLANNED: usize = 18;

/// How to solve.
#[derive(Debug, clap::Args)]
pub(crate) struct SolvingArgs {
    #[command(flatten)]
    threads: ThreadsArgs,
    /// Memory that may be used, such as 800M or 16G [default: what is free]
    #[arg(long, value_name = "SIZE")]
    pub(super) memory: Option<Size>,
    /// Write archives: coded with the layers below as context
    #[arg(long)]
    pub(super) archive: bool,
}

impl SolvingArgs {
    /// Number of threads of a rank: 1 if nothing was said.
    pub(super) fn ranks_threads(&self) -> usize {
        self.threads.threads.map_or(1, usize::from)
    }

    /// Number of threads, 1 or more.
    pub(super) fn threads(&self) -> usize {
        self.threads.number()
    }
}

/// Bytes, written with an optional unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size(pub(super) u64);

impl Size {
    /// The size of a cache of decoded tiles where nothing else is said.
    pub(crate) const CACHE: &'static str = "64M";

    /// The size of such a cache from an argument. About a hundredth of it is taken at once.
    pub(crate) fn of_cache(text: &str) -> Result<Size, String> {
        let wrong = || "expected a number of bytes to 64G, with K, M or G if need be".to_owned();
        let size: Size = text.parse().map_err(|_| wrong())?;
        if size.0 <= 64 << 30 { Ok(size) } else { Err(wrong()) }
    }

    /// The number of bytes.
    pub(crate) const fn bytes(self) -> u64 {
        self.0
    }

    /// A cache of decoded tiles of this size.
    pub(crate) fn cache(self) -> Arc<TileCache> {
        Arc::new(TileCache::new(self.0))
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let wrong = || "expected a number of bytes, with K, M or G if need be, such as 16G".into();
        let (number, factor) = match text.chars().last() {
            Some('k' | 'K') => (&text[..text.len() - 1], 1 << 10),
            Some('m' | 'M') => (&text[..text.len() - 1], 1 << 20),
            Some('g' | 'G') => (&text[..text.len() - 1], 1 << 30),
            _ => (text, 1),
        };
        let number: u64 = number.parse().map_err(|_| wrong())?;
        number.checked_mul(factor).map(Size).ok_or_else(wrong)
    }
}

/// Arguments of `oware tables build`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    solving: SolvingArgs,
    /// Seconds between two checkpoints within a large layer, in builds by one process
    #[arg(long, value_name = "SECONDS", default_value_t = CHECKPOINT_EVERY.as_secs())]
    checkpoint: u64,
    /// Layers from this many seeds on write down beside the tables what memory need not hold
    #[arg(
        long,
        value_name = "SEEDS",
        default_value_t = SPILL_FROM as u8,
        value_parser = spill_from()
    )]
    spill_from: u8,
    /// Where that is written down instead, such as a disk of this machine alone
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    #[command(flatten)]
    parts: PartsArgs,
    /// Say nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

/// Seeds a layer can have, and one more: never.
fn spill_from() -> clap::builder::RangedI64ValueParser<u8> {
    clap::value_parser!(u8).range(0..=49)
}

pub(crate) fn run(args: &BuildArgs) -> anyhow::Result<ExitCode> {
    // A word that is missing is said before anybody is waited for.
    args.tables.highest()?;
    args.parts.check()?;
    let stop = stop_flag()?;
    parts::run(&args.parts, &stop, |exchange| as_part(args, exchange, &stop))
}

/// Builds as one of the parts that an exchange joins, or alone.
fn as_part(
    args: &BuildArgs,
    exchange: &mut dyn Exchange,
    stop: &AtomicBool,
) -> anyhow::Result<ExitCode> {
    let dir = args.tables.dir()?;
    let (first, parts) = (exchange.part() == 0, exchange.parts());
    if parts > 1 {
        agree_on(exchange, &parts::description(&args.tables, &args.solving)?)?;
    }
    let plan = first.then(|| super::plan::make(&args.tables, &args.solving)).transpose()?;
    let memory = args.solving.memory_limit();
    if let Some(plan) = &plan {
        // Parts share the memory that one would need.
        plan.check(memory.filter(|_| parts == 1), available_disk(&dir))?;
    }
    let (rules, targets) = (args.tables.rules().table_rules(), args.tables.targets());
    let teller = Teller::new(plan.as_ref(), args.quiet || !first);
    if let Some(plan) = plan.filter(|_| parts > 1) {
        teller.say(&if args.tables.highest()? < PLANNED {
            format!("{parts} parts. {}", super::plan::in_all(&plan))
        } else {
            super::plan::each_part(&args.tables, &args.solving, parts, memory)?
        });
    }
    let boards = AtomicU64::new(0);
    let job = BuildJob {
        distances: args.tables.distance,
        threads: args.solving.threads(),
        mode: args.solving.mode(),
        spill_from: usize::from(args.spill_from),
        scratch: args.scratch.as_deref(),
        checkpoint: Duration::from_secs(args.checkpoint),
        stop,
        tell: &|event| {
            if let BuildEvent::Done(report) = event {
                boards.fetch_add(report.boards, Relaxed);
            }
            teller.tell(event);
        },
        ..BuildJob::quiet(&dir, rules, &targets, args.tables.highest()?)
    };
    let result = build_in_parts(&job, exchange);
    teller.clear();
    match result {
        Ok(()) => {
            if parts > 1 {
                let boards = boards.load(Relaxed);
                teller.say(&parts::traffic(exchange, boards)?);
            }
            let place = directory(&dir, rules);
            teller.say(&format!("The tables are in {}.", place.display()));
            Ok(ExitCode::SUCCESS)
        }
        Err(BuildError::Table(error @ TableError::Damaged { .. })) => {
            let hint = "remove this file and build again: what is missing is made anew";
            Err(anyhow::Error::from(error).context(hint))
        }
        Err(error) => Err(error.into()),
    }
}

/// A flag that signals set. A second signal ends the program at once.
pub(crate) fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let stop = Arc::new(AtomicBool::new(false));
    // Past a limit on the size of files, writing shall fail with an error instead of this signal.
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&stop))?;
        signal_hook::flag::register(signal, Arc::clone(&stop))?;
    }
    Ok(stop)
}

/// As in `--convention`.
pub(super) const fn target_name(target: Target) -> &'static str {
    match target {
        Target::Even => "even",
        Target::Bounds => "low,high",
    }
}

/// Tells how the build goes on: a line for each layer, and on a terminal the state of the layer
/// at hand.
struct Teller {
    quiet: bool,
    terminal: bool,
    /// Planned time of what is left to do, by target and layer.
    planned: Vec<(Target, usize, Duration)>,
    state: Mutex<State>,
}

struct State {
    start: Instant,
    /// Planned time of the layers that are finished, and what they really took.
    done: [Duration; 2],
    layer: Option<(Target, usize, u64, Instant)>,
    told: Instant,
}

impl Teller {
    fn new(plan: Option<&Plan>, quiet: bool) -> Teller {
        let layers = plan.map(|plan| &plan.layers[..]).unwrap_or_default();
        let new = layers.iter().filter(|layer| !layer.done);
        let start = Instant::now();
        Teller {
            quiet,
            terminal: std::io::stderr().is_terminal(),
            planned: new.map(|layer| (layer.target, layer.seeds, layer.time)).collect(),
            state: Mutex::new(State { start, done: [Duration::ZERO; 2], layer: None, told: start }),
        }
    }

    fn say(&self, text: &str) {
        if !self.quiet {
            // Progress that nobody can read is no reason to give up the work.
            let _ = writeln!(std::io::stderr(), "{text}");
        }
    }

    /// Wipes the line of the layer at hand.
    fn clear(&self) {
        if self.terminal && !self.quiet {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }

    fn tell(&self, event: &BuildEvent) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            BuildEvent::Loaded { target, seeds } => {
                self.say(&format!("{}: layers 0 to {seeds} are there", target_name(*target)));
            }
            BuildEvent::Begin { target, seeds, boards } => {
                state.layer = Some((*target, *seeds, *boards, Instant::now()));
            }
            BuildEvent::Progress(progress) => self.at_hand(&mut state, *progress),
            BuildEvent::Done(report) => {
                self.clear();
                self.finished(&mut state, report);
            }
        }
    }

    fn at_hand(&self, state: &mut State, progress: Progress) {
        let now = Instant::now();
        let Some((target, seeds, boards, start)) = state.layer else { return };
        if !self.terminal || self.quiet || now - state.told < Duration::from_millis(200) {
            return;
        }
        state.told = now;
        let of = boards * target.conventions().len() as u64;
        let rate = progress.decided as f64 / (now - start).as_secs_f64() / 1e6;
        let left = self.left(state, seeds, target, now - start);
        let (name, share) = (target_name(target), 100 * progress.decided / of.max(1));
        let _ = write!(
            std::io::stderr(),
            "\r\x1b[K{name} layer {seeds}: {share} % decided, {rate:.1} M boards/s, {left} left"
        );
    }

    /// The time left, from the plan and how true it has been so far.
    fn left(&self, state: &State, seeds: usize, target: Target, spent: Duration) -> String {
        let at = self.planned.iter().position(|plan| (plan.0, plan.1) == (target, seeds));
        let rest: Duration = self.planned[at.unwrap_or(0)..].iter().map(|plan| plan.2).sum();
        let [planned, took] = state.done.map(|time| time.as_secs_f64());
        let factor = if planned > 0.5 { took / planned } else { 1.0 };
        duration(rest.mul_f64(factor).saturating_sub(spent))
    }

    fn finished(&self, state: &mut State, report: &LayerReport) {
        let LayerReport { target, seeds, boards, cost, writing, bytes: size, .. } = report;
        let planned = self.planned.iter().find(|plan| (plan.0, plan.1) == (*target, *seeds));
        let solving = cost.captures + cost.first + cost.rounds_time;
        state.done[0] += planned.map_or(Duration::ZERO, |plan| plan.2);
        state.done[1] += solving + *writing;
        state.layer = None;
        let rate = *boards as f64 / solving.as_secs_f64() / 1e6;
        let how = if cost.resumed {
            "from a checkpoint".to_owned()
        } else {
            let steps = [cost.captures, cost.first, cost.rounds_time].map(duration);
            format!("captures {}, counting {}, rounds {}", steps[0], steps[1], steps[2])
        };
        self.say(&format!(
            "{} layer {seeds}: {boards} boards in {} ({rate:.1} M/s; {how}), {} in {} (all so far: \
             {})",
            target_name(*target),
            duration(solving),
            bytes(*size),
            duration(*writing),
            duration(state.start.elapsed()),
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_have_a_limit() {
        assert_eq!(Size::of_cache("0"), Ok(Size(0)));
        assert_eq!(Size::of_cache("64G"), Ok(Size(64 << 30)));
        for wrong in ["65G", "999999G", "18446744073709551615", "x"] {
            assert!(Size::of_cache(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_read_with_their_units() {
        assert_eq!("800M".parse(), Ok(Size(800 << 20)));
        assert_eq!("16g".parse(), Ok(Size(16 << 30)));
        assert_eq!("12".parse(), Ok(Size(12)));
        for wrong in ["", "G", "1T", "-1", "1.5G", "99999999999999999999", "18446744073709551615K"]
        {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }
}
