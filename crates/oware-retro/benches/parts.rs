//! What several parts give each other, beside what they could at most have to, and how long they
//! take, beside one part with as many threads.
//!
//! `cargo bench -p oware-retro --bench parts` solves layers 12 to 18; options after `--`:
//! `--layers FROM..=TO`, `--rules RULES`, `--bounds`, `--parts N,N,...` (default 1,2,4,8). Each
//! part has one thread; they are threads of one process and give each other bytes as processes
//! would. Figures are of all parts together. Edges are moves without a capture, each of which may
//! tell one board once, and moves with one.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]
#![allow(missing_docs)]

use std::time::Instant;

use oware_retro::exchange::InProcess;
use oware_retro::{
    Alone, Exchange, InMemory, LayerJob, MoveTables, Target, Traffic, decide_layer, solve_layer,
};
use oware_rules::Rules;
use oware_tables::Layer;

struct Options {
    rules: Rules,
    layers: (usize, usize),
    target: Target,
    parts: Vec<usize>,
}

fn options() -> Options {
    let (rules, target) = (Rules::ABAPA, Target::Even);
    let mut options = Options { rules, layers: (12, 18), target, parts: vec![1, 2, 4, 8] };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_else(|| panic!("{argument}: no value"));
        match argument.as_str() {
            "--layers" => {
                let value = value();
                let (from, to) = value.split_once("..=").expect("--layers: such as 12..=18");
                let layer = |text: &str| text.parse().expect("--layers: such as 12..=18");
                options.layers = (layer(from), layer(to));
            }
            "--rules" => options.rules = value().parse().expect("--rules: rules"),
            "--bounds" => options.target = Target::Bounds,
            "--parts" => {
                let number = |text: &str| text.parse().expect("--parts: numbers");
                options.parts = value().split(',').map(number).collect();
            }
            // Given by cargo.
            "--bench" => (),
            _ => panic!("{argument}: no such option"),
        }
    }
    options
}

fn main() {
    let options = options();
    println!("{}, {:?}; a board", options.rules.id(), options.target);
    println!(
        "layer  parts  quiet edges  capturing  bytes: captures  rounds  exchanges  seconds  \
         as threads"
    );
    let tables = MoveTables::new(options.rules.table_rules(), options.layers.1);
    let mut lower = InMemory::new();
    for seeds in 0..=options.layers.1 {
        if seeds >= options.layers.0 {
            for &parts in &options.parts {
                measure(&options, &tables, &lower, seeds, parts);
            }
        }
        let job = LayerJob::quiet(&tables, seeds, options.target, &lower);
        let solved = solve_layer(&LayerJob { threads: 2, ..job }, &mut Alone).expect("a layer");
        for (&convention, values) in options.target.conventions().iter().zip(solved.values) {
            lower.push(convention, values);
        }
    }
}

fn measure(options: &Options, tables: &MoveTables, lower: &InMemory, seeds: usize, parts: usize) {
    let clock = Instant::now();
    let given: Vec<[Traffic; 2]> = std::thread::scope(|scope| {
        let part = |mut end: InProcess| {
            let job = LayerJob::quiet(tables, seeds, options.target, lower);
            scope.spawn(move || {
                let exchange: &mut dyn Exchange = &mut end;
                decide_layer(&job, exchange).expect("a layer").cost().given
            })
        };
        let all: Vec<_> = InProcess::new(parts).into_iter().map(part).collect();
        all.into_iter().map(|part| part.join().expect("a part")).collect()
    });
    let took = clock.elapsed().as_secs_f64();
    let clock = Instant::now();
    let job = LayerJob::quiet(tables, seeds, options.target, lower);
    decide_layer(&LayerJob { threads: parts, ..job }, &mut Alone).expect("a layer");
    let threads = clock.elapsed().as_secs_f64();
    let boards = Layer::new(seeds).size() as f64;
    let [quiet, captures] = tables.edges(seeds).map(|edges| edges as f64 / boards);
    let bytes = |phase: usize| given.iter().map(|g| g[phase].bytes).sum::<u64>() as f64 / boards;
    let exchanges = given[0][0].exchanges + given[0][1].exchanges;
    println!(
        "{seeds:>5} {parts:>6} {quiet:>12.3} {captures:>10.3} {:>16.3} {:>7.3} {exchanges:>10} \
         {took:>8.2} {threads:>11.2}",
        bytes(0),
        bytes(1),
    );
}
