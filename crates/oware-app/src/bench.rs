//! The engine on fixed positions: how fast it is, and a signature of how it searches.
//!
//! The number of all positions seen is the same on every machine, with one thread and an empty
//! transposition table for each position. It changes when the search changes, and with nothing
//! else: so a commit that says that it changes no play can be held to it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use oware_notation::read_position;
use oware_rules::{Game, Position, Rules};
use oware_search::{Control, Engine, Limits, Options, Parts, Report};

use crate::play_moves;

pub use oware_search::{MOST_HASH_MIB, MOST_THREADS};

/// How many plies ahead the engine looks, if nothing else is said: what `testdata/bench.txt` has.
pub const BENCH_DEPTH: u32 = 30;

/// How often it is looked whether somebody wants it to end.
const GLANCE: Duration = Duration::from_millis(50);

/// The positions, as text.
const POSITIONS: &str = include_str!("bench/positions.txt");

/// How the engine is made, and how far it looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchSettings {
    /// Plies, 1 or more.
    pub depth: u32,
    /// Size of the transposition table in MiB, 1 to [`MOST_HASH_MIB`].
    pub hash_mib: usize,
    /// Threads, 1 to [`MOST_THREADS`].
    pub threads: usize,
    /// Names of the parts of the search that are switched off, with `+` between.
    pub without: String,
}

impl Default for BenchSettings {
    /// What the signature is made with.
    fn default() -> BenchSettings {
        let Options { hash_mib, threads, .. } = Options::default();
        BenchSettings { depth: BENCH_DEPTH, hash_mib, threads, without: String::new() }
    }
}

/// One position that was searched.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchRow {
    /// Its place among all, from 1.
    pub number: usize,
    /// The game up to there.
    pub game: Game,
    /// What the engine found.
    pub report: Report,
}

/// All of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchTotal {
    /// Positions seen: with one thread, the signature.
    pub nodes: u64,
    /// Time for all searches.
    pub time: Duration,
}

impl BenchTotal {
    /// Positions a second; 0 where the clock has not moved.
    #[must_use]
    pub fn nodes_per_second(&self) -> f64 {
        let seconds = self.time.as_secs_f64();
        if seconds > 0.0 { self.nodes as f64 / seconds } else { 0.0 }
    }
}

/// The games whose last positions are searched.
///
/// # Panics
/// If the list that is built in is wrong, which a test sees.
#[must_use]
pub fn bench_games() -> Vec<Game> {
    let lines = POSITIONS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| read(line).unwrap_or_else(|why| panic!("{line}: {why}"))).collect()
}

fn read(line: &str) -> Result<Game, String> {
    let (rules, text) = line.split_once(' ').ok_or("expected rules and a position or moves")?;
    let rules: Rules = rules.parse().map_err(|error| format!("{error}"))?;
    if text.chars().all(|letter| letter.is_ascii_alphabetic()) {
        return play_moves(Position::start(rules), text).map_err(|error| error.to_string());
    }
    let position = read_position(text).and_then(|position| position.resolve(None, rules));
    position.map(Game::from_position).map_err(|error| error.to_string())
}

/// Searches each position, with a transposition table cleared before, and tells of each. `None`
/// if it was told to stop before it had searched all.
///
/// # Errors
/// When a part of the search is not known, or there is no memory for the transposition table.
pub fn bench(
    settings: &BenchSettings,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&BenchRow),
) -> Result<Option<BenchTotal>, String> {
    let options = Options {
        hash_mib: settings.hash_mib,
        threads: settings.threads,
        parts: Parts::all_but(&settings.without)?,
        ..Options::default()
    };
    let mut engine = Engine::new(options).map_err(|error| error.to_string())?;
    let control = Control::new();
    let (running, ended) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let control = &control;
        scope.spawn(move || {
            // Until the other end is gone, which is when all is searched.
            while ended.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
                if stop.load(Ordering::Relaxed) {
                    control.stop();
                }
            }
        });
        let total = search_all(&mut engine, settings.depth, control, tell);
        drop(running);
        Ok(total)
    })
}

fn search_all(
    engine: &mut Engine,
    depth: u32,
    control: &Control,
    tell: &mut dyn FnMut(&BenchRow),
) -> Option<BenchTotal> {
    let mut total = BenchTotal::default();
    for (game, number) in bench_games().into_iter().zip(1..) {
        engine.clear();
        let report = engine.search(&game, &Limits::depth(depth), control, &mut |_| {});
        if control.is_stopped() {
            return None;
        }
        total.nodes += report.nodes;
        total.time += report.elapsed;
        tell(&BenchRow { number, game, report });
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oware_rules::PRESETS;

    #[test]
    fn the_positions_are_many_different_and_under_all_rules() {
        let games = bench_games();
        let starts: std::collections::HashSet<_> =
            games.iter().map(|game| (game.rules().id(), game.position().to_string())).collect();
        assert_eq!(starts.len(), games.len());
        assert!(games.len() >= 30, "{}", games.len());
        assert!(games.iter().all(|game| !game.is_over()));
        for preset in PRESETS {
            assert!(games.iter().any(|game| *game.rules() == preset.rules), "{}", preset.name);
        }
        assert!(games.iter().any(|game| game.capture_free() > 0), "no game has a past");
    }

    #[test]
    fn the_same_positions_are_seen_each_time() {
        let run = || {
            let mut nodes = Vec::new();
            let settings = BenchSettings { depth: 4, hash_mib: 1, ..BenchSettings::default() };
            let total = bench(&settings, &AtomicBool::new(false), &mut |row| {
                nodes.push(row.report.nodes);
            });
            let total = total.unwrap().unwrap();
            (nodes, total.nodes)
        };
        let (rows, total) = run();
        assert_eq!(rows.iter().sum::<u64>(), total);
        assert_eq!(run(), (rows, total));
    }

    #[test]
    fn it_can_be_stopped_and_knows_the_parts() {
        let deep = BenchSettings { depth: 100, hash_mib: 1, ..BenchSettings::default() };
        assert_eq!(bench(&deep, &AtomicBool::new(true), &mut |_| {}), Ok(None));
        let frob = BenchSettings { without: "frob".into(), ..deep };
        let error = bench(&frob, &AtomicBool::new(false), &mut |_| {}).unwrap_err();
        assert!(error.contains("frob"), "{error}");
    }
}
