//! Speed of the solver beside a plain textbook one, and of two threads beside one.
//!
//! `cargo bench -p oware-retro` solves all layers to 18; options after `--`: `--layers N`,
//! `--rules RULES`, `--bounds` (low and high instead of even), `--distance`, `--threads N` (what
//! is held against one thread; default 2), `--no-plain`. Times of one thread are of the
//! processor, those of several are by the clock.
//!
//! The textbook solver settles layer 11 by sweeps: every board's moves are made on twelve bytes,
//! in each sweep again, and boards are numbered by a combinatorial rank, until nothing changes.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]
#![allow(missing_docs)]

use std::time::{Duration, Instant};

use oware_retro::{Alone, InMemory, LayerJob, MoveTables, Solved, Target, solve_layer};
use oware_rules::{ReferenceBoard, Rules, SowingBoard};

struct Options {
    rules: Rules,
    layers: usize,
    target: Target,
    distances: bool,
    threads: usize,
    plain: bool,
}

fn options() -> Options {
    let mut options = Options {
        rules: Rules::ABAPA,
        layers: 18,
        target: Target::Even,
        distances: false,
        threads: 2,
        plain: true,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_else(|| panic!("{argument}: no value"));
        match argument.as_str() {
            "--layers" => options.layers = value().parse().expect("--layers: a number"),
            "--threads" => options.threads = value().parse().expect("--threads: a number"),
            "--rules" => options.rules = value().parse().expect("--rules: rules"),
            "--bounds" => options.target = Target::Bounds,
            "--distance" => options.distances = true,
            "--no-plain" => options.plain = false,
            // Given by cargo.
            "--bench" => (),
            _ => panic!("{argument}: no such option"),
        }
    }
    options
}

/// Time this process has had of the processors.
#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Elsewhere the clock has to do.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    use std::sync::OnceLock;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

fn main() {
    let options = options();
    println!(
        "{}, {:?}, distances {}; million boards a second",
        options.rules.id(),
        options.target,
        options.distances
    );
    let plain = options.plain.then(|| plain_layer(&options));
    println!(
        "layer      boards  1 thread    clock  {} threads  gain  bytes/board  first  rounds  \
              last  rounds made",
        options.threads
    );
    let tables = MoveTables::new(options.rules.table_rules(), options.layers);
    let mut lower = InMemory::new();
    for seeds in 0..=options.layers {
        let (before, clock) = (processor_time(), Instant::now());
        let one = solve(&options, &tables, &lower, seeds, 1);
        let (cpu, one_clock) = (processor_time() - before, clock.elapsed());
        let clock = Instant::now();
        let several = solve(&options, &tables, &lower, seeds, options.threads);
        let several_clock = clock.elapsed();
        assert!(one == several, "layer {seeds}: threads differ");
        let boards = one.values[0].len();
        let rate = |time: Duration| boards as f64 / time.as_secs_f64() / 1e6;
        let share = |part: Duration| 100.0 * part.as_secs_f64() / one_clock.as_secs_f64();
        let cost = one.cost;
        println!(
            "{seeds:>5} {boards:>11} {:>9.2} {:>8.2} {:>10.2} {:>5.2} {:>12.2} {:>5.1}% {:>6.1}% \
             {:>4.1}% {:>12}{}",
            rate(cpu),
            rate(one_clock),
            rate(several_clock),
            one_clock.as_secs_f64() / several_clock.as_secs_f64(),
            cost.bytes as f64 / boards as f64,
            share(cost.first),
            share(cost.rounds_time),
            share(cost.last),
            cost.rounds,
            plain.map_or(String::new(), |plain| format!("  {:.0} x plain", rate(cpu) / plain)),
        );
        for (&convention, values) in options.target.conventions().iter().zip(one.values) {
            lower.push(convention, values);
        }
    }
}

fn solve(
    options: &Options,
    tables: &MoveTables,
    lower: &InMemory,
    seeds: usize,
    threads: usize,
) -> Solved {
    let job = LayerJob::quiet(tables, seeds, options.target, lower);
    let job = LayerJob { distances: options.distances, threads, ..job };
    solve_layer(&job, &mut Alone).expect("nothing to stop it")
}

/// The layer that the textbook solver settles.
const PLAIN: usize = 11;

/// Its speed, million boards a second of processor time.
fn plain_layer(options: &Options) -> f64 {
    let tables = MoveTables::new(options.rules.table_rules(), PLAIN);
    let even = Options { target: Target::Even, distances: false, ..*options };
    let mut lower = InMemory::new();
    let mut by_rank = Vec::new();
    for seeds in 0..PLAIN {
        let values = solve(&even, &tables, &lower, seeds, 1).values.swap_remove(0);
        by_rank.push(reordered(seeds, &values));
        lower.push(oware_tables::Convention::Even, values);
    }
    let before = processor_time();
    let (values, sweeps) = sweep(&options.rules, PLAIN, &by_rank);
    let took = processor_time() - before;
    let ours = solve(&even, &tables, &lower, PLAIN, 1).values.swap_remove(0);
    assert!(values == reordered(PLAIN, &ours), "the textbook solver has other values");
    let rate = values.len() as f64 / took.as_secs_f64() / 1e6;
    println!("plain sweeps, layer {PLAIN}: {rate:.3} ({sweeps} sweeps, {took:.2?})");
    rate
}

/// A term of the rank: in how many ways fewer than `seeds` seeds lie in houses 0 to `house`,
/// C(seeds + house, house + 1).
fn ways(house: usize, seeds: usize) -> usize {
    (0..=house).fold(1, |product, i| product * (seeds + i) / (i + 1))
}

/// The combinatorial rank of a board among those with as many seeds.
fn plain_rank(terms: &[[usize; 49]; 11], houses: &[u8; 12]) -> usize {
    let mut sum = 0;
    let mut rank = 0;
    for house in 0..11 {
        sum += usize::from(houses[house]);
        rank += terms[house][sum];
    }
    rank
}

fn terms() -> [[usize; 49]; 11] {
    std::array::from_fn(|house| std::array::from_fn(|seeds| ways(house, seeds)))
}

fn reordered(seeds: usize, values: &[i8]) -> Vec<i8> {
    let terms = terms();
    let mut by_rank = vec![0; values.len()];
    for (houses, &value) in oware_tables::Layer::new(seeds).boards().zip(values) {
        by_rank[plain_rank(&terms, &houses)] = value;
    }
    by_rank
}

fn sweep(rules: &Rules, seeds: usize, lower: &[Vec<i8>]) -> (Vec<i8>, usize) {
    let terms = terms();
    let boards: Vec<[u8; 12]> = oware_tables::Layer::new(seeds).boards().collect();
    let mut values = vec![0i8; boards.len()];
    for sweeps in 1.. {
        let mut changed = false;
        for houses in &boards {
            let rank = plain_rank(&terms, houses);
            let value = plain_value(rules, houses, &terms, &values, lower);
            changed |= value != values[rank];
            values[rank] = value;
        }
        if !changed {
            return (values, sweeps);
        }
    }
    unreachable!("sweeps end")
}

fn plain_value(
    rules: &Rules,
    houses: &[u8; 12],
    terms: &[[usize; 49]; 11],
    values: &[i8],
    lower: &[Vec<i8>],
) -> i8 {
    let board = ReferenceBoard::from_houses(*houses).expect("few seeds");
    let mut best = None;
    for mv in board.legal(rules) {
        let sown = board.sow(mv, rules);
        let after = sown.board.houses();
        let left: usize = after.iter().map(|&seeds| usize::from(seeds)).sum();
        let value = if sown.ends_by_slam(rules) {
            sown.captured as i8 - sown.given as i8
        } else if sown.captured > 0 {
            sown.captured as i8 - lower[left][plain_rank(terms, &after)]
        } else {
            -values[plain_rank(terms, &after)]
        };
        best = best.max(Some(value));
    }
    best.unwrap_or_else(|| match rules.stuck {
        oware_rules::Stuck::OwnRows => board.mover_total() as i8 - board.opponent_total() as i8,
        oware_rules::Stuck::OpponentTakesAll => -((board.total()) as i8),
    })
}
