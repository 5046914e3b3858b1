//! The solver against an independent one that sweeps: every board, value and distance.

use oware_retro::exchange::InProcess;
use oware_retro::solve::Target;
use oware_retro::{Alone, Exchange, InMemory, LayerJob, MoveTables, Solved, solve_layer};
use oware_rules::{Board, PRESETS, Rules, SowingBoard, TableRules};
use oware_tables::header::all_table_rules;
use oware_tables::{Convention, Layer, NO_DISTANCE};
use oware_testkit::endgame::{Convention as OracleConvention, OracleTables};
use oware_testkit::{OracleRules, TestRng};

/// Solves all layers up to `seeds`, in as many parts and threads as asked for.
fn solve(
    rules: TableRules,
    seeds: usize,
    target: Target,
    parts: usize,
    threads: usize,
) -> Vec<Solved> {
    let tables = MoveTables::new(rules, seeds);
    let mut lower = InMemory::new();
    let mut solved = Vec::new();
    for seeds in 0..=seeds {
        let job = LayerJob::quiet(&tables, seeds, target, &lower);
        let job = LayerJob { distances: true, threads, ..job };
        let layer =
            if parts == 1 { solve_layer(&job, &mut Alone).unwrap() } else { in_parts(&job, parts) };
        for (convention, values) in target.conventions().iter().zip(&layer.values) {
            lower.push(*convention, values.clone());
        }
        solved.push(layer);
    }
    solved
}

/// The same layer by several parts, which must all come to the same.
fn in_parts(job: &LayerJob<'_>, parts: usize) -> Solved {
    let ends = InProcess::new(parts);
    let mut layers: Vec<Solved> = std::thread::scope(|scope| {
        let part = |mut end: InProcess| {
            scope.spawn(move || {
                let exchange: &mut dyn Exchange = &mut end;
                solve_layer(job, exchange).unwrap()
            })
        };
        let workers: Vec<_> = ends.into_iter().map(part).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    let last = layers.pop().unwrap();
    assert!(layers.iter().all(|layer| *layer == last), "parts differ at {} seeds", job.seeds);
    last
}

fn oracle_rules(rules: TableRules) -> OracleRules {
    let TableRules { grand_slam, feeding, stuck } = rules;
    OracleRules::parse(&Rules { grand_slam, feeding, stuck, ..Rules::ABAPA }.id()).unwrap()
}

fn oracle_convention(convention: Convention) -> OracleConvention {
    OracleConvention::ALL.into_iter().find(|other| other.name() == convention.name()).unwrap()
}

/// Compares every board of every layer with the oracle; distances up to `distances` seeds.
fn compare(rules: TableRules, seeds: usize, distances: usize) {
    let oracle = OracleTables::solve(&oracle_rules(rules), seeds);
    for target in [Target::Even, Target::Bounds] {
        let solved = solve(rules, seeds, target, 1, 1);
        for (seeds, solved) in solved.iter().enumerate() {
            for (which, &convention) in target.conventions().iter().enumerate() {
                let theirs = oracle_convention(convention);
                for (index, houses) in Layer::new(seeds).boards().enumerate() {
                    let context = || format!("{rules}, {convention}, {houses:?}");
                    let value = solved.values[which][index];
                    assert_eq!(value, oracle.value(theirs, &houses), "{}", context());
                    if seeds <= distances {
                        let byte = solved.distances[which][index];
                        let distance = (byte != NO_DISTANCE).then_some(u16::from(byte));
                        assert_eq!(distance, oracle.distance(theirs, &houses), "{}", context());
                    }
                }
            }
        }
    }
}

#[test]
fn presets_to_nine_seeds() {
    let mut seen = Vec::new();
    for preset in &PRESETS {
        let rules = preset.rules.table_rules();
        if !seen.contains(&rules) {
            compare(rules, 9, 9);
            seen.push(rules);
        }
    }
    assert_eq!(seen.len(), 7);
}

#[test]
fn every_combination_of_table_rules_to_six_seeds() {
    all_table_rules().for_each(|rules| compare(rules, 6, 6));
}

#[test]
fn parts_and_threads_come_to_the_same() {
    let mut rng = TestRng::from_env("parts_and_threads_come_to_the_same");
    let all: Vec<TableRules> = all_table_rules().collect();
    for rules in [Rules::ABAPA.table_rules(), Rules::AWARI.table_rules(), *rng.pick(&all)] {
        for target in [Target::Even, Target::Bounds] {
            let alone = solve(rules, 8, target, 1, 1);
            assert!(alone == solve(rules, 8, target, 1, 2), "{rules}: two threads");
            for parts in [2, 3, 5] {
                assert!(alone == solve(rules, 8, target, parts, 1), "{rules}: {parts} parts");
            }
            assert!(alone == solve(rules, 8, target, 2, 2), "{rules}: two parts, two threads");
        }
    }
}

/// The value of a board and of playing each house, from layers that were solved in order.
fn look(layers: &[Vec<i8>], rules: &Rules, houses: [u8; 12]) -> (i8, Vec<(usize, i8)>) {
    let value = |houses: &[u8; 12]| {
        let seeds = houses.iter().map(|&seeds| usize::from(seeds)).sum::<usize>();
        layers[seeds][Layer::new(seeds).index(houses).unwrap() as usize]
    };
    let board = Board::from_houses(houses).unwrap();
    let moves = board.legal(rules).iter().map(|mv| {
        let sown = board.sow(mv, rules);
        (mv.index(), sown.captured as i8 - value(&sown.board.houses()))
    });
    (value(&houses), moves.collect())
}

fn even_layers(rules: &Rules, seeds: usize) -> Vec<Vec<i8>> {
    let solved = solve(rules.table_rules(), seeds, Target::Even, 1, 2);
    solved.into_iter().map(|mut layer| layer.values.swap_remove(0)).collect()
}

/// The worked example that comes with the public awari database (Romein, Bal, Verstoep, 2024).
#[test]
fn the_published_awari_board_has_its_scores() {
    let layers = even_layers(&Rules::AWARI, 16);
    let (value, moves) = look(&layers, &Rules::AWARI, [1, 1, 1, 1, 1, 2, 4, 2, 3, 0, 0, 0]);
    assert_eq!(value, 0);
    assert_eq!(moves, [(0, -1), (1, -1), (2, -2), (3, -2), (4, -2), (5, 0)]);
}

/// Row D7 of docs/RULES.md: where a grand slam takes everything it pays three seeds.
#[test]
fn the_slam_of_three_seeds_is_worth_what_the_rules_say() {
    let houses = [0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0];
    let captures: Rules = "slam-captures".parse().unwrap();
    for (rules, expected) in [(Rules::AWARI, 1), (captures, 3)] {
        assert_eq!(look(&even_layers(&rules, 3), &rules, houses).0, expected, "{}", rules.id());
    }
}

#[test]
fn bounds_enclose_the_even_value() {
    for rules in all_table_rules() {
        let even = solve(rules, 7, Target::Even, 1, 1);
        let bounds = solve(rules, 7, Target::Bounds, 1, 1);
        for (even, bounds) in even.iter().zip(&bounds) {
            let pairs = bounds.values[0].iter().zip(&bounds.values[1]);
            for (&value, (&low, &high)) in even.values[0].iter().zip(pairs) {
                assert!(low <= value && value <= high, "{rules}: {low} {value} {high}");
            }
        }
    }
}
