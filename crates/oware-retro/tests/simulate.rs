//! The simulation of a build by parts, held against a count of every move by the rules.

use std::collections::{BTreeMap, BTreeSet};

use oware_retro::SimulateJob;
use oware_retro::partition::Partition;
use oware_retro::simulate::{LayerShares, Sharing, compare};
use oware_rules::{Board, Rules, SowingBoard};
use oware_tables::rows::{rank, rows_with};
use oware_tables::{Layer, Row, layer};

fn total(row: &Row) -> usize {
    row.iter().map(|&seeds| usize::from(seeds)).sum()
}

/// The owner of a row: rows stand by total and rank, each total from a new group of 64 on.
fn owner(partition: &Partition, row: &Row) -> usize {
    let before: usize = (0..total(row)).map(|total| rows_with(total).div_ceil(64)).sum();
    partition.owner(before + rank(row) / 64)
}

/// What a simulation should say, from every board and every legal move.
#[derive(Default)]
struct Counted {
    quiet: Vec<u64>,
    captures: Vec<u64>,
    within: u64,
    /// By board, the parts with a board before it.
    before: BTreeMap<[u8; 12], BTreeSet<usize>>,
    /// By opponent's row, the parts with a move to it.
    needed: BTreeMap<Row, BTreeSet<usize>>,
}

impl Counted {
    fn new(seeds: usize, rules: &Rules, partition: &Partition) -> Counted {
        let none = vec![0; partition.parts()];
        let mut counted = Counted { quiet: none.clone(), captures: none, ..Counted::default() };
        for houses in Layer::new(seeds).boards() {
            let board = Board::from_houses(houses).unwrap();
            let mine = owner(partition, &layer::rows(&houses).0);
            for mv in board.legal(rules).iter() {
                let sown = board.sow(mv, rules);
                if sown.ends_by_slam(rules) {
                    continue;
                }
                if sown.captured > 0 {
                    counted.captures[mine] += 1;
                    continue;
                }
                let after = sown.board.houses();
                let (mover, opponent) = layer::rows(&after);
                counted.quiet[mine] += 1;
                counted.within += u64::from(owner(partition, &mover) == mine);
                counted.before.entry(after).or_default().insert(mine);
                counted.needed.entry(opponent).or_default().insert(mine);
            }
        }
        counted
    }

    /// Other parts that are told of all boards together, that would be by row, and the least.
    fn receivers(&self, seeds: usize, partition: &Partition) -> [u64; 3] {
        let [mut told, mut by_row, mut least] = [0; 3];
        for houses in Layer::new(seeds).boards() {
            let (mover, opponent) = layer::rows(&houses);
            let mine = owner(partition, &mover);
            let mut parts = self.needed.get(&opponent).cloned().unwrap_or_default();
            parts.insert(owner(partition, &opponent));
            parts.remove(&mine);
            by_row += parts.len() as u64;
            let mut before = self.before.get(&houses).cloned().unwrap_or_default();
            before.remove(&mine);
            least += before.len() as u64;
            before.insert(owner(partition, &opponent));
            before.remove(&mine);
            told += before.len() as u64;
        }
        [told, by_row, least]
    }
}

fn simulated(rules: &Rules, layers: usize, parts: usize, sample: Option<u64>) -> Vec<LayerShares> {
    let rules = rules.table_rules();
    compare(&SimulateJob { rules, layers, parts: &[parts], sample, seed: 7 }).unwrap()
}

#[track_caller]
fn close(found: f64, expected: u64, what: &str) {
    let expected = expected as f64;
    assert!((found - expected).abs() <= 1e-6 * expected.max(1.0), "{what}: {found}, {expected}");
}

#[test]
fn small_layers_are_counted_exactly() {
    let rules = ["abapa", "abapa,grand_slam=captures", "abapa,grand_slam=illegal", "awari"];
    for rules in rules.map(|rules| rules.parse::<Rules>().unwrap()) {
        for (seeds, parts) in [(0, 1), (1, 2), (4, 3), (6, 1), (6, 2), (7, 5)] {
            for found in simulated(&rules, seeds, parts, None) {
                let what = format!("{} {seeds} {parts} {}", rules.id(), found.sharing);
                let partition = found.sharing.partition(seeds, parts);
                let counted = Counted::new(seeds, &rules, &partition);
                let boards = Layer::new(seeds).size();
                close(found.boards.mean * parts as f64, boards, &what);
                let sums = [(found.quiet, &counted.quiet), (found.captures, &counted.captures)];
                for (number, (spread, counts)) in sums.into_iter().enumerate() {
                    // Captures that empty the row are counted, though awari seldom allows them.
                    if number == 0 || rules.id() != "awari" {
                        close(spread.mean * parts as f64, counts.iter().sum(), &what);
                        close(spread.most, counts.iter().copied().max().unwrap(), &what);
                    }
                }
                close(found.edges * boards as f64, counted.quiet.iter().sum(), &what);
                close(found.within * found.edges * boards as f64, counted.within, &what);
                let [told, by_row, least] = counted.receivers(seeds, &partition);
                close(found.receivers * boards as f64, told, &what);
                close(found.row_receivers * boards as f64, by_row, &what);
                close(found.told.mean * parts as f64, told, &what);
                close(found.heard.mean * parts as f64, told, &what);
                close(found.least_receivers * boards as f64, least, &what);
            }
        }
    }
}

#[test]
fn a_sample_is_near_what_it_stands_for() {
    let rules = Rules::ABAPA;
    let all = simulated(&rules, 12, 4, None);
    let some = simulated(&rules, 12, 4, Some(50_000));
    for (all, some) in all.iter().zip(&some) {
        assert_eq!((all.boards, all.quiet, all.captures), (some.boards, some.quiet, some.captures));
        assert_eq!((all.sample, some.sample), (Layer::new(12).size(), 50_000));
        let figures = |shares: &LayerShares| {
            let LayerShares { told, heard, pushed, pulled, frontier_in, .. } = *shares;
            let spreads = [told, heard, pushed, pulled, frontier_in];
            let mut figures = vec![shares.receivers, shares.least_receivers, shares.edges];
            figures.extend(spreads.iter().flat_map(|spread| [spread.most, spread.mean]));
            figures
        };
        for (number, (all, some)) in figures(all).into_iter().zip(figures(some)).enumerate() {
            assert!((some / all - 1.0).abs() < 0.05, "figure {number}: {some}, {all}");
        }
    }
    // The same seed, the same figures.
    assert_eq!(some, simulated(&rules, 12, 4, Some(50_000)));
}

#[test]
fn what_cannot_be_simulated_is_refused() {
    let rules = Rules::ABAPA.table_rules();
    let message = |layers, parts: &[usize], sample| {
        compare(&SimulateJob { rules, layers, parts, sample, seed: 0 }).unwrap_err().to_string()
    };
    assert_eq!(message(8, &[2, 0], None), "parts: expected 1 to 65535, got 0");
    assert_eq!(message(49, &[2], Some(9)), "layers: expected 0 to 48, got 49");
    assert_eq!(message(8, &[2], Some(0)), "sample: expected 1 or more boards");
    assert!(message(17, &[2], None).contains("layers to 16"));
    assert_eq!(Sharing::all().len(), 10);
}
