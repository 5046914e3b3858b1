//! Perft speed: the fast board and the halves tables beside the plain reference board.
//!
//! `cargo bench -p oware-rules` runs everything in turns and prints medians and ratios;
//! `... -- --rounds N` runs more of them. `... -- --once NAME DEPTH [TIMES]` counts only that,
//! so that a profiler can count instructions:
//! `valgrind --tool=callgrind target/release/deps/perft-... --once bulk 8`.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]
#![allow(missing_docs)]

use std::hint::black_box;
use std::time::Instant;

use oware_rules::{
    Board, HalvesPerft, Position, ReferenceBoard, Rules, perft, perft_board, perft_board_visiting,
    perft_visiting,
};
use oware_rules::{SowingBoard, TOTAL_SEEDS};

/// Counts from the start; the tables are kept between calls by those who keep them.
type Counter = fn(&mut HalvesPerft, u32) -> u64;

const COUNTERS: [(&str, Counter); 6] = [
    ("plain-visit", |_, depth| {
        perft_board_visiting(plain_start(), [0, 0], black_box(&Rules::ABAPA), depth)
    }),
    ("visit", |_, depth| perft_visiting(&start(), depth)),
    ("plain-bulk", |_, depth| perft_board(plain_start(), [0, 0], black_box(&Rules::ABAPA), depth)),
    ("bulk", |_, depth| perft(&start(), depth)),
    ("halves-cold", |_, depth| halves().count(&start(), depth)),
    ("halves-warm", |tables, depth| tables.count(&start(), depth)),
];

fn start() -> Position {
    black_box(Position::start(Rules::ABAPA))
}

fn plain_start() -> ReferenceBoard {
    let houses = [TOTAL_SEEDS / 12; 12];
    assert_eq!(Board::START.houses(), houses);
    ReferenceBoard::from_houses(black_box(houses)).expect("48 seeds")
}

fn halves() -> HalvesPerft {
    HalvesPerft::new(Rules::ABAPA.table_rules()).expect("abapa has tables")
}

/// What is compared at which depth; the first of each group is the baseline.
const GROUPS: [(u32, &[&str]); 5] = [
    (8, &["plain-visit", "visit"]),
    (9, &["plain-visit", "visit"]),
    (9, &["plain-bulk", "bulk", "halves-cold", "halves-warm"]),
    (11, &["plain-bulk", "bulk", "halves-cold", "halves-warm"]),
    (12, &["bulk", "halves-cold", "halves-warm"]),
];

fn counter(name: &str) -> Counter {
    let known = COUNTERS.iter().find(|(known, _)| *known == name);
    let names = COUNTERS.map(|(name, _)| name).join(", ");
    known.unwrap_or_else(|| panic!("{name:?}: expected one of {names}")).1
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn compare(depth: u32, names: &[&str], rounds: usize) {
    let mut tables = halves();
    let nodes = tables.count(&start(), depth);
    let mut times = vec![Vec::new(); names.len()];
    for _ in 0..rounds {
        for (name, times) in names.iter().zip(&mut times) {
            // Small counts are repeated, or the clock would be measured.
            let count = counter(name);
            let began = Instant::now();
            let mut repeats = 0_u32;
            while repeats == 0 || began.elapsed().as_millis() < 40 {
                assert_eq!(count(&mut tables, depth), nodes, "{name} at depth {depth}");
                repeats += 1;
            }
            times.push(began.elapsed().as_secs_f64() / f64::from(repeats));
        }
    }
    let mut base = None;
    for (name, times) in names.iter().zip(&mut times) {
        let seconds = median(times);
        let base = *base.get_or_insert(seconds);
        let spread = times[times.len() - 1] / times[0];
        println!(
            "depth {depth:2}  {name:12} {:9.1} Mn/s   {:6.2} x {}   (slowest/fastest {spread:.2})",
            nodes as f64 / seconds / 1e6,
            base / seconds,
            names[0],
        );
    }
}

fn main() {
    // `cargo bench` adds --bench; `cargo test --benches` does not and only wants a short run.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.iter().copied().filter(|word| *word != "--bench").collect::<Vec<_>>()[..] {
        ["--once", name, depth, ref times @ ..] => {
            let depth = depth.parse().expect("a depth");
            let times = times.first().map_or(1, |times| times.parse().expect("a number of times"));
            let mut tables = halves();
            for _ in 0..times {
                println!("{name} {depth}: {}", counter(name)(&mut tables, depth));
            }
        }
        ["--rounds", rounds] => {
            let rounds = rounds.parse::<usize>().expect("a number of rounds").max(1);
            GROUPS.iter().for_each(|(depth, names)| compare(*depth, names, rounds));
        }
        [] if words.contains(&"--bench") => {
            GROUPS.iter().for_each(|(depth, names)| compare(*depth, names, 7));
        }
        [] => compare(5, &["plain-visit", "visit", "plain-bulk", "bulk", "halves-warm"], 1),
        _ => panic!("expected nothing, --rounds N or --once NAME DEPTH [TIMES], not {words:?}"),
    }
}
