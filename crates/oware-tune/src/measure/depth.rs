//! The depth reached in some time, beside a plain alpha-beta with the same evaluation.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use oware_app::InMemory;
use oware_rules::{Game, Position, Rules, Setup, Side};
use oware_search::{Engine, Limits, Options as EngineOptions, Parts, evaluate, plain};
use oware_tables::TableSet;

use super::positions;

/// The start, and positions of the engine's games against itself, with 33, 27 and 22 seeds.
const PLACES: [(&str, [u8; 12], [u8; 2], Side); 4] = [
    ("start", [4; 12], [0, 0], Side::South),
    ("33 seeds", [0, 1, 4, 6, 0, 1, 0, 16, 4, 1, 0, 0], [9, 6], Side::South),
    ("27 seeds", [0, 6, 0, 5, 0, 2, 2, 0, 1, 5, 0, 6], [13, 8], Side::South),
    ("22 seeds", [0, 0, 3, 1, 2, 0, 6, 1, 6, 2, 1, 0], [17, 9], Side::North),
];

/// Parts without which every line is looked at to the full depth.
const FULL_WIDTH: &str = "reductions+futility+shallower";

/// What is asked.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Seconds for a search, several with commas.
    #[arg(long, value_delimiter = ',', default_value = "1,5")]
    seconds: Vec<f64>,
    /// Threads of the engine.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Size of the transposition table in MiB.
    #[arg(long, default_value_t = 64)]
    hash: usize,
    /// Root of endgame tables for the leaves of the engine.
    #[arg(long)]
    tables: Option<PathBuf>,
    /// The largest table used, in seeds.
    #[arg(long, default_value_t = 12)]
    leaves: u8,
}

/// What a search came to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reached {
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
}

impl Reached {
    fn shown(&self) -> String {
        let rate = self.nodes as f64 / self.time.as_secs_f64().max(1e-9) / 1e6;
        format!("{} | {rate:.2}", self.depth)
    }
}

/// The games that stand at [`PLACES`].
pub(crate) fn places() -> Result<Vec<(&'static str, Game)>> {
    let game = |(name, houses, stores, to_move)| {
        let position = Position::new(Setup { houses, stores, to_move }, Rules::ABAPA)?;
        Ok((name, Game::from_position(position)))
    };
    PLACES.into_iter().map(game).collect()
}

/// The engine from an empty transposition table.
pub(crate) fn by_engine(engine: &mut Engine, game: &Game, time: Duration) -> Reached {
    engine.clear();
    let report = positions::quietly(engine, game, &Limits::time(time));
    Reached { depth: report.depth, nodes: report.nodes, time: report.elapsed }
}

/// The plain alpha-beta with the engine's evaluation.
pub(crate) fn by_plain(game: &Game, time: Duration) -> Reached {
    let stop = AtomicBool::new(false);
    let begun = Instant::now();
    let limits = plain::Limits { estimate: evaluate, ..plain::Limits::default() };
    let report = thread::scope(|scope| {
        let (over, is_over) = mpsc::channel::<()>();
        let stop = &stop;
        scope.spawn(move || {
            // Ends early when the search does.
            let _ = is_over.recv_timeout(time);
            stop.store(true, Ordering::Relaxed);
        });
        let report = plain::search(game, limits, stop, &mut |_| {});
        drop(over);
        report
    });
    Reached { depth: report.depth, nodes: report.nodes, time: begun.elapsed() }
}

/// Measures and prints.
pub(crate) fn run(options: &Options) -> Result<()> {
    let leaves = match &options.tables {
        None => None,
        Some(root) => {
            let set = TableSet::open(root, Rules::ABAPA.table_rules())?;
            Some(InMemory::load(&set, options.leaves, 2)?.context("there are no even tables")?)
        }
    };
    let engine = |parts| {
        let made =
            EngineOptions { hash_mib: options.hash, threads: options.threads, check: false, parts };
        let mut engine = Engine::new(made)?;
        let leaves: Option<Arc<InMemory>> = leaves.clone();
        engine.set_endgame(leaves.map(|leaves| leaves as _));
        anyhow::Ok(engine)
    };
    let full_width = Parts::all_but(FULL_WIDTH).map_err(|error| anyhow!(error))?;
    let mut engines = [("engine", engine(Parts::ALL)?), ("full width", engine(full_width)?)];
    println!(
        "{} threads, {} MiB, leaf tables {}; the plain search has one thread and no tables\n",
        options.threads,
        options.hash,
        leaves.as_ref().map_or("none".to_owned(), |_| format!("to {} seeds", options.leaves))
    );
    let times: Vec<Duration> = options
        .seconds
        .iter()
        .map(|&seconds| Duration::try_from_secs_f64(seconds))
        .collect::<Result<_, _>>()?;
    let heads: Vec<String> =
        options.seconds.iter().map(|seconds| format!("{seconds} s: depth | M nodes/s")).collect();
    println!("| position | search | {} |", heads.join(" | "));
    println!("|---|---|{}", "---|---|".repeat(times.len()));
    for (name, game) in places()? {
        for (player, engine) in &mut engines {
            let cells: Vec<_> =
                times.iter().map(|&time| by_engine(engine, &game, time).shown()).collect();
            println!("| {name} | {player} | {} |", cells.join(" | "));
        }
        let cells: Vec<_> = times.iter().map(|&time| by_plain(&game, time).shown()).collect();
        println!("| {name} | plain | {} |", cells.join(" | "));
    }
    Ok(())
}
