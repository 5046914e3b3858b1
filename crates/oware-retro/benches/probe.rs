//! How long a look into the tables takes, beside a random load from memory.
//!
//! `cargo bench -p oware-retro --bench probe -- [--layer N] [--probes N] [--kind even|low|...]`
//! builds tables to layer N (default 16) in a directory that vanishes, and probes random boards
//! of that layer: warm (the file in the system's cache), cold (dropped from it before each probe),
//! and in a plain array of the same values. The baseline is a chain of loads from random places
//! of an array of a gibibyte, each waiting for the one before.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]
#![allow(missing_docs)]

use std::hint::black_box;
use std::time::Instant;

use oware_retro::{BuildJob, Target, build};
use oware_rules::Rules;
use oware_tables::{Houses, Kind, Layer, Quantity, TableFile, TableSet};

/// Bytes of the array of the baseline.
const BASELINE: usize = 1 << 30;

fn main() {
    let mut layer = 16;
    let mut probes = 20_000;
    let mut kind = "even".to_owned();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_else(|| panic!("{argument}: no value"));
        match argument.as_str() {
            "--layer" => layer = value().parse().expect("--layer: a number"),
            "--probes" => probes = value().parse().expect("--probes: a number"),
            "--kind" => kind = value(),
            // Given by cargo.
            "--bench" => (),
            _ => panic!("{argument}: no such option"),
        }
    }
    let kind = Kind::all().find(|other| other.name() == kind).expect("--kind: a kind of tables");
    let root = tempfile::tempdir().expect("a directory");
    let rules = Rules::ABAPA.table_rules();
    let targets = [Target::of(kind.convention)];
    let job = BuildJob::quiet(root.path(), rules, &targets, layer);
    let distances = kind.quantity == Quantity::Distance;
    build(&BuildJob { distances, threads: 2, ..job }).expect("tables");
    let set = TableSet::open(root.path(), rules).expect("tables");
    let table = set.file(kind, layer).expect("the table").expect("the table");
    let boards = random_boards(layer, probes);
    println!("{kind}, layer {layer}, {probes} random boards; microseconds a probe");
    println!("{:<28} {:>8} {:>8} {:>8} {:>8}", "", "p50", "p90", "p99", "mean");
    // Once without looking at the clock, so that the first pages are there.
    boards.iter().for_each(|board| {
        black_box(table.probe(board).expect("a probe"));
    });
    report("compressed, warm", times(&boards, |board| table.probe(board).expect("a probe")));
    let cold = &boards[..probes.min(2_000)];
    report("compressed, cold", cold_times(cold, table));
    uncompressed(layer, &boards, table);
    baseline(probes);
}

/// A simple generator (Marsaglia, xorshift), for places to look at.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

fn random_boards(seeds: usize, count: usize) -> Vec<Houses> {
    let layer = Layer::new(seeds);
    let mut state = 0x9e37_79b9_7f4a_7c15;
    (0..count)
        .map(|_| layer.board(random(&mut state) % layer.size()).expect("an index of the layer"))
        .collect()
}

fn times<T>(boards: &[Houses], probe: impl Fn(&Houses) -> T) -> Vec<f64> {
    let time = |board| {
        let clock = Instant::now();
        black_box(probe(board));
        clock.elapsed().as_secs_f64() * 1e6
    };
    boards.iter().map(time).collect()
}

fn cold_times(boards: &[Houses], table: &TableFile) -> Vec<f64> {
    let time = |board| {
        forget(table);
        let clock = Instant::now();
        black_box(table.probe(board).expect("a probe"));
        clock.elapsed().as_secs_f64() * 1e6
    };
    boards.iter().map(time).collect()
}

/// Drops a file from the system's cache.
fn forget(table: &TableFile) {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{Advice, fadvise};
        let file = std::fs::File::open(table.path()).expect("the table");
        fadvise(&file, 0, None, Advice::DontNeed).expect("advice");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = table;
}

/// The same boards looked up in an array: index and load, each for itself and one after another.
fn uncompressed(seeds: usize, boards: &[Houses], table: &TableFile) {
    let layer = Layer::new(seeds);
    let values = table.read_all(None, 2).expect("the table");
    let look = |board: &Houses| values[layer.index(board).expect("of the layer") as usize];
    let clock = Instant::now();
    let sum: u64 = boards.iter().map(|board| u64::from(look(board))).sum();
    let each = clock.elapsed().as_secs_f64() * 1e6 / boards.len() as f64;
    println!("{:<28} {:>35.3}", "array, independent", each);
    black_box(sum);
    let clock = Instant::now();
    let mut next = 0;
    for _ in 0..boards.len() {
        // Which board comes next depends on what was found.
        next = (next + 1 + usize::from(look(&boards[next]) & 1)) % boards.len();
    }
    let each = clock.elapsed().as_secs_f64() * 1e6 / boards.len() as f64;
    println!("{:<28} {:>35.3}", "array, one after another", each);
    black_box(next);
}

fn baseline(loads: usize) {
    let mut state = 1;
    let mut array = vec![0u8; BASELINE];
    for page in array.chunks_mut(4096) {
        page[0] = random(&mut state) as u8;
    }
    let clock = Instant::now();
    let mut found = 0u64;
    for _ in 0..loads {
        state ^= found;
        found = u64::from(array[random(&mut state) as usize % BASELINE]);
    }
    let each = clock.elapsed().as_secs_f64() * 1e6 / loads as f64;
    black_box(found);
    println!("{:<28} {:>35.3}", "random dependent load, 1 GiB", each);
}

fn report(name: &str, mut times: Vec<f64>) {
    times.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    println!("{name:<28} {:>8.2} {:>8.2} {:>8.2} {mean:>8.2}", at(0.5), at(0.9), at(0.99));
}
