//! The halves tables count what plain perft counts.

mod common;

use std::collections::HashMap;

use common::{position, rules};
use oware_rules::{
    Feeding, GrandSlam, HalvesPerft, PRESETS, Position, Rules, Setup, Side, TableRules, perft,
};
use oware_testkit::TestRng;
use oware_testkit::cases::perft_cases;

/// Counts larger than this are left to the benchmark.
const NODES: u64 = 100_000_000;

/// One set of tables for each table rules, used for everything, as a program would.
#[derive(Default)]
struct Tables(HashMap<TableRules, Option<HalvesPerft>>);

impl Tables {
    fn of(&mut self, rules: &Rules) -> Option<&mut HalvesPerft> {
        let table_rules = rules.table_rules();
        self.0.entry(table_rules).or_insert_with(|| HalvesPerft::new(table_rules)).as_mut()
    }
}

#[test]
fn counts_every_case() {
    let mut tables = Tables::default();
    let mut counted = 0;
    for case in perft_cases() {
        for (name, counts) in &case.counts {
            let rules: Rules = name.parse().unwrap();
            let setup = Setup::from_mover(case.houses, case.scores, Side::North);
            let position = Position::new(setup, rules).unwrap();
            let Some(tables) = tables.of(&rules) else { continue };
            for (depth, &count) in counts.iter().enumerate().filter(|(_, n)| **n <= NODES) {
                let found = tables.count(&position, depth as u32);
                assert_eq!(found, count, "{} {name} depth {depth}", case.name);
                counted += 1;
            }
        }
    }
    assert!(counted > 600, "only {counted} counts");
}

#[test]
fn is_for_rules_whose_halves_are_separate() {
    let rules = |text: &str| text.parse::<Rules>().unwrap();
    for preset in PRESETS {
        let separate = preset.rules.feeding == Feeding::WhenEmpty
            && preset.rules.grand_slam != GrandSlam::Illegal;
        assert_eq!(HalvesPerft::new(preset.rules.table_rules()).is_some(), separate);
    }
    assert!(HalvesPerft::new(rules("feeding=leave_a_seed").table_rules()).is_none());
    // A position under other rules is counted all the same.
    let mut tables = HalvesPerft::new(Rules::ABAPA.table_rules()).unwrap();
    let other = Position::start(Rules::AWARI);
    assert_eq!(tables.count(&other, 7), perft(&other, 7));
    assert_eq!(tables.halves(), 0);
}

#[test]
fn counts_random_positions_under_random_rules() {
    let mut rng = TestRng::from_env("counts_random_positions_under_random_rules");
    let mut tables = Tables::default();
    for _ in 0..6_000 {
        let rules = rules(&rng.rules());
        let position = position(&rng.position(), rules);
        if let Some(tables) = tables.of(&rules) {
            for depth in 0..6 {
                let expected = perft(&position, depth);
                let found = tables.count(&position, depth);
                assert_eq!(found, expected, "{position} {rules} depth {depth}");
            }
        }
    }
}

/// Stores near a majority, where play stops, beside `play_on`, where it does not.
#[test]
fn stops_at_25_as_play_does() {
    let mut rng = TestRng::from_env("stops_at_25_as_play_does");
    for preset in PRESETS {
        let stopping = preset.rules;
        let going_on = Rules { play_on: true, ..stopping };
        let Some(mut tables) = HalvesPerft::new(stopping.table_rules()) else { continue };
        let mut stopped = 0;
        for _ in 0..400 {
            let mut given = rng.position();
            let on_board: u8 = given.houses.iter().sum();
            let south = (48 - on_board).min(24 - rng.below(4) as u8);
            given.stores = [south, 48 - on_board - south];
            let [stopping, going_on] = [stopping, going_on].map(|rules| position(&given, rules));
            let counts = [stopping, going_on].map(|position| tables.count(&position, 5));
            assert_eq!(counts, [perft(&stopping, 5), perft(&going_on, 5)], "{stopping}");
            stopped += usize::from(counts[0] != counts[1]);
        }
        assert!(stopped > 20, "{}: only {stopped} positions stop", preset.name);
    }
}
