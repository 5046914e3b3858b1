//! How long a look into the tables takes, beside a random load from memory.
//!
//! `cargo bench -p oware-retro --bench probe -- [--layer N] [--probes N] [--kind even|low|...]`
//! builds tables to layer N (default 16) in a directory that vanishes, and probes random boards
//! of that layer: warm (the file in the system's cache), cold (dropped from it before each probe),
//! and in a plain array of the same values. The baseline is a chain of loads from random places
//! of an array of a gibibyte, each waiting for the one before.
//!
//! With `--dir DIR` tables that are there already are probed, `--layer` of them. After single
//! boards come positions with all their children, one by one and together, with caches of several
//! sizes, by one thread and two; and how long it takes to open the table and to decode all of it.
//! Cold means that all files of the set were dropped from the system's cache before each
//! measurement; what the disk and its host keep stays, and so do names and sizes of files.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]
#![allow(missing_docs)]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use oware_retro::{BuildJob, Target, build};
use oware_rules::{Board, Rules, SowingBoard};
use oware_tables::{Houses, Kind, Layer, Quantity, TableFile, TableSet, TileCache};

/// Bytes of the array of the baseline.
const BASELINE: usize = 1 << 30;

fn main() {
    let mut layer = 16;
    let mut probes = 20_000;
    let mut kind = "even".to_owned();
    let mut dir = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_else(|| panic!("{argument}: no value"));
        match argument.as_str() {
            "--layer" => layer = value().parse().expect("--layer: a number"),
            "--probes" => probes = value().parse().expect("--probes: a number"),
            "--kind" => kind = value(),
            "--dir" => dir = Some(PathBuf::from(value())),
            // Given by cargo.
            "--bench" => (),
            _ => panic!("{argument}: no such option"),
        }
    }
    let kind = Kind::all().find(|other| other.name() == kind).expect("--kind: a kind of tables");
    let rules = Rules::ABAPA.table_rules();
    let made = tempfile::tempdir().expect("a directory");
    let root = dir.as_deref().unwrap_or(made.path());
    if dir.is_none() {
        let targets = [Target::of(kind.convention)];
        let job = BuildJob::quiet(root, rules, &targets, layer);
        let distances = kind.quantity == Quantity::Distance;
        build(&BuildJob { distances, threads: 2, ..job }).expect("tables");
    }
    // Without a cache: what is measured first is reading and decoding.
    let off = Arc::new(TileCache::new(0));
    let set = TableSet::open_with(root, rules, off).expect("tables");
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
    opening(root, kind, layer);
    positions(root, kind, &boards[..probes.min(4_000)]);
}

/// Opening the table, warm and cold, and what it then takes of memory.
fn opening(root: &Path, kind: Kind, layer: usize) {
    println!("opening the table; milliseconds");
    for cold in [false, true] {
        let set = TableSet::open(root, Rules::ABAPA.table_rules()).expect("tables");
        if cold {
            forget_all(root);
        }
        let clock = Instant::now();
        set.file(kind, layer).expect("the table");
        let took = clock.elapsed().as_secs_f64() * 1e3;
        let bytes = set.bytes();
        println!("{:<28} {took:>35.3}, then {bytes} bytes", if cold { "cold" } else { "warm" });
    }
}

/// A board with all its children, as what is asked of tables together.
fn with_children(kind: Kind, houses: &Houses) -> Vec<(Kind, Houses)> {
    let board = Board::from_houses(*houses).expect("a board");
    let after = Kind { convention: kind.convention.after_a_move(), ..kind };
    let child = |mv| (after, board.sow(mv, &Rules::ABAPA).board.houses());
    std::iter::once((kind, *houses)).chain(board.legal(&Rules::ABAPA).iter().map(child)).collect()
}

fn positions(root: &Path, kind: Kind, boards: &[Houses]) {
    let asked: Vec<_> = boards.iter().map(|houses| with_children(kind, houses)).collect();
    let all: usize = asked.iter().map(Vec::len).sum();
    println!("positions with all children: {:.2} boards each", all as f64 / asked.len() as f64);
    for limit in [0, 1 << 20, TileCache::DEFAULT] {
        let cache = Arc::new(TileCache::new(limit));
        let open = || {
            let cache = Arc::clone(&cache);
            TableSet::open_with(root, Rules::ABAPA.table_rules(), cache).expect("tables")
        };
        let set = open();
        // So that every table is open.
        asked.iter().for_each(|boards| drop(set.bytes_of(boards).expect("a probe")));
        let set = [&set, &open()];
        let name = |what: &str| format!("{what}, cache {} KiB", limit >> 10);
        set[1].open_all().expect("tables");
        report(&name("one by one, first time"), each(&asked, |boards| one_by_one(set[1], boards)));
        let warm = |boards: &Vec<_>| drop(set[0].bytes_of(boards).expect("a probe"));
        report(&name("together, again"), each(&asked, warm));
        report(&name("one by one, again"), each(&asked, |boards| one_by_one(set[0], boards)));
        for threads in [1, 2] {
            let clock = Instant::now();
            std::thread::scope(|scope| {
                for part in asked.chunks(asked.len().div_ceil(threads)) {
                    scope.spawn(|| part.iter().for_each(&warm));
                }
            });
            let each = clock.elapsed().as_secs_f64() * 1e6 / asked.len() as f64;
            println!("{:<36} {each:>35.2}", name(&format!("{threads} threads, on the whole")));
        }
        println!("{:?}", set[0].cache());
    }
    cold_positions(root, &asked[..asked.len().min(300)]);
}

fn cold_positions(root: &Path, asked: &[Vec<(Kind, Houses)>]) {
    let cache = Arc::new(TileCache::new(0));
    let set = TableSet::open_with(root, Rules::ABAPA.table_rules(), cache).expect("tables");
    set.open_all().expect("tables");
    let mut times = [Vec::new(), Vec::new()];
    for boards in asked {
        for together in [false, true] {
            forget_all(root);
            let clock = Instant::now();
            match together {
                true => drop(black_box(set.bytes_of(boards).expect("a probe"))),
                false => one_by_one(&set, boards),
            }
            times[usize::from(together)].push(clock.elapsed().as_secs_f64() * 1e6);
        }
    }
    let [single, together] = times;
    report("one by one, cold", single);
    report("together, cold", together);
}

fn one_by_one(set: &TableSet, boards: &[(Kind, Houses)]) {
    for (kind, houses) in boards {
        black_box(set.value(kind.convention, houses).expect("a probe"));
    }
}

fn each<T>(asked: &[T], probe: impl Fn(&T)) -> Vec<f64> {
    let time = |boards| {
        let clock = Instant::now();
        probe(boards);
        clock.elapsed().as_secs_f64() * 1e6
    };
    asked.iter().map(time).collect()
}

/// Drops all tables from the system's cache.
fn forget_all(root: &Path) {
    let folder = oware_tables::set::directory(root, Rules::ABAPA.table_rules());
    for entry in std::fs::read_dir(folder).expect("the tables") {
        forget(&entry.expect("a file").path());
    }
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
        forget(table.path());
        let clock = Instant::now();
        black_box(table.probe(board).expect("a probe"));
        clock.elapsed().as_secs_f64() * 1e6
    };
    boards.iter().map(time).collect()
}

/// Drops a file from the system's cache.
fn forget(path: &Path) {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{Advice, fadvise};
        let file = std::fs::File::open(path).expect("the table");
        fadvise(&file, 0, None, Advice::DontNeed).expect("advice");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = path;
}

/// The same boards looked up in an array: index and load, each for itself and one after another.
fn uncompressed(seeds: usize, boards: &[Houses], table: &TableFile) {
    let layer = Layer::new(seeds);
    let mut values = Vec::new();
    for threads in [1, 2] {
        let clock = Instant::now();
        values = table.read_all(None, threads).expect("the table");
        let each = clock.elapsed().as_secs_f64() * 1e9 / values.len() as f64;
        println!("{:<28} {:>35.3} ns", format!("whole, a board, {threads} threads"), each);
    }
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
    println!("{name:<36} {:>8.2} {:>8.2} {:>8.2} {mean:>8.2}", at(0.5), at(0.9), at(0.99));
}
