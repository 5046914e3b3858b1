//! The plain endgame tables agree with the reference values, with published numbers, with a second
//! method, and with what values and distances are defined to be.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

use oware_testkit::cases::{ENDGAME_NAMES, endgame_cases, endgame_layers, endgame_samples};
use oware_testkit::endgame::{Convention, ForcingSide, OracleTables, boards};
use oware_testkit::{OracleFeeding, OracleGrandSlam, OraclePosition, OracleRules, OracleStuck};
use sha2::{Digest, Sha256};

/// The seeds to which the tables with reference values are solved.
const SEEDS: usize = 10;

/// The seeds to which every combination of the table rules is solved.
const SEEDS_OF_ALL: usize = 6;

/// The rules of a case name.
fn rules_of(name: &str) -> OracleRules {
    OracleRules::preset(name).unwrap_or_else(|| panic!("{name}"))
}

/// The tables of a case name with reference values, solved once.
fn tables(name: &str) -> &'static OracleTables {
    static SOLVED: [OnceLock<OracleTables>; 3] = [const { OnceLock::new() }; 3];
    let place = ENDGAME_NAMES.iter().position(|known| *known == name).unwrap();
    SOLVED[place].get_or_init(|| OracleTables::solve(&rules_of(name), SEEDS))
}

/// Every combination of the fields that decide what stands in endgame tables.
fn all_table_rules() -> Vec<OracleRules> {
    let mut all = Vec::new();
    for grand_slam in OracleGrandSlam::ALL {
        for feeding in OracleFeeding::ALL {
            for stuck in OracleStuck::ALL {
                let (grand_slam, feeding, stuck) = (*grand_slam, *feeding, *stuck);
                all.push(OracleRules { grand_slam, feeding, stuck, ..OracleRules::default() });
            }
        }
    }
    assert_eq!(all.len(), 24);
    all
}

/// Whether the board can arise by a move: whoever has moved has emptied a house.
fn is_indexed(houses: &[u8; 12]) -> bool {
    houses[6..].contains(&0)
}

/// One legal move, as the tables see it.
struct Choice {
    /// The house, 0 to 5.
    index: usize,
    /// The value the move gives the mover.
    value: i8,
    /// The distance inside: 0 for a conversion, else that of the board after the move.
    inside: Option<u16>,
}

/// All legal moves of a board, straight from the oracle.
fn choices(
    tables: &OracleTables,
    rules: &OracleRules,
    convention: Convention,
    houses: &[u8; 12],
) -> Vec<Choice> {
    let rules = OracleRules { play_on: true, ..*rules };
    // North is to move here, as the solver asks for South: the two must not differ.
    let position = OraclePosition::from_mover_view(*houses, [0, 0], 1);
    let mut choices = Vec::new();
    for index in position.legal(&rules) {
        let done = position.apply(&rules, index);
        let (value, inside) = if let Some([south, north]) = done.final_scores_half {
            ((i32::from(north) - i32::from(south)) / 2, Some(0))
        } else {
            let (after, _) = done.position.seen_by(0);
            let value = tables.value(convention.after_move(), &after);
            let distance = tables.distance(convention.after_move(), &after);
            let inside = if done.captured > 0 { Some(0) } else { distance };
            (i32::from(done.captured) - i32::from(value), inside)
        };
        choices.push(Choice { index, value: value as i8, inside });
    }
    choices
}

/// Checks that value and distance of a board are what they are defined to be. A distance at every
/// board whose value has to be forced makes the values a proof and the distances the only ones.
fn check_board(
    tables: &OracleTables,
    rules: &OracleRules,
    convention: Convention,
    houses: &[u8; 12],
) {
    let at = format!("{}, {}, {houses:?}", rules.table_rules(), convention.name());
    let seeds: u8 = houses.iter().sum();
    let value = tables.value(convention, houses);
    let distance = tables.distance(convention, houses);
    let side = convention.forcing_side(value, usize::from(seeds));
    assert_eq!(distance.is_some(), side.is_some(), "{at}: a distance where there is none");

    let choices = choices(tables, rules, convention, houses);
    if choices.is_empty() {
        let own: u8 = houses[..6].iter().sum();
        let shared = match rules.stuck {
            OracleStuck::OwnRows => 2 * own as i8 - seeds as i8,
            OracleStuck::OpponentTakesAll => -(seeds as i8),
        };
        assert_eq!(value, shared, "{at}: shared out");
        assert!(distance.is_none_or(|distance| distance == 0), "{at}: distance {distance:?}");
        return;
    }
    assert_eq!(Some(value), choices.iter().map(|choice| choice.value).max(), "{at}: value");
    let keeping = choices.iter().filter(|choice| choice.value == value);
    let inside: Vec<Option<u16>> = keeping.map(|choice| choice.inside).collect();
    let expected = match side {
        None => None,
        Some(ForcingSide::Mover) => inside.iter().flatten().min().map(|inside| inside + 1),
        Some(ForcingSide::Opponent) => {
            assert!(!inside.contains(&None), "{at}: a way out");
            inside.iter().flatten().max().map(|inside| inside + 1)
        }
    };
    assert_eq!(distance, expected, "{at}: distance");
}

#[test]
fn every_reference_board() {
    for name in ENDGAME_NAMES {
        let cases = endgame_cases(name);
        assert_eq!(cases.len(), 18_564, "{name}");
        for case in cases {
            let value = tables(name).value(Convention::Even, &case.houses);
            assert_eq!(value, case.value, "{name}, {} seeds, {:?}", case.n, case.houses);
        }
    }
}

#[test]
fn every_sample_and_its_moves() {
    for name in ENDGAME_NAMES {
        let samples = endgame_samples(name);
        assert_eq!(samples.len(), 4000, "{name}");
        for sample in samples {
            assert_eq!(sample.rules, name);
            let at = format!("{name}, {:?}", sample.houses);
            let value = tables(name).value(Convention::Even, &sample.houses);
            assert_eq!(value, sample.value, "{at}");
            let rules = rules_of(name);
            let mut moves = BTreeMap::new();
            for choice in choices(tables(name), &rules, Convention::Even, &sample.houses) {
                moves.insert(choice.index, choice.value);
            }
            assert_eq!(moves, sample.moves, "{at}");
        }
    }
}

#[test]
fn layers_count_as_the_reference() {
    let reference = endgame_layers();
    let lengths: Vec<(&str, usize)> =
        reference.iter().map(|(name, layers)| (name.as_str(), layers.len())).collect();
    assert_eq!(lengths, [("allowed", 11), ("awari", 9), ("no_capture", 11)]);
    for (name, layers) in reference {
        let rules = rules_of(&name);
        for layer in &layers {
            let values = tables(&name).layer_values(Convention::Even, layer.n);
            assert_eq!(values.len(), layer.positions, "{name}, {} seeds", layer.n);
            assert_eq!(histogram(values), layer.values, "{name}, {} seeds", layer.n);
            let stuck = boards(layer.n).filter(|houses| {
                OraclePosition::from_mover_view(*houses, [0, 0], 0).legal(&rules).is_empty()
            });
            assert_eq!(stuck.count(), layer.no_legal_move, "{name}, {} seeds", layer.n);
        }
    }
}

/// How often each value occurs.
fn histogram(values: &[i8]) -> BTreeMap<i8, usize> {
    let mut counts = BTreeMap::new();
    for value in values {
        *counts.entry(*value).or_default() += 1;
    }
    counts
}

/// The numbers of boards with a value above 0, of 0 and below 0, for 0 to 8 seeds.
fn won_drawn_lost(name: &str, is_counted: fn(&[u8; 12]) -> bool) -> String {
    let mut layers = Vec::new();
    for seeds in 0..=8 {
        let (mut won, mut drawn, mut lost) = (0, 0, 0);
        for houses in boards(seeds).filter(is_counted) {
            match tables(name).value(Convention::Even, &houses) {
                1.. => won += 1,
                0 => drawn += 1,
                ..0 => lost += 1,
            }
        }
        layers.push(format!("{won}/{drawn}/{lost}"));
    }
    layers.join(" ")
}

/// Awari as it was solved in 2002, and the tournament game: wins, draws and losses.
#[test]
fn wins_draws_and_losses() {
    assert_eq!(
        won_drawn_lost("awari", |_| true),
        "0/1/0 5/0/7 25/13/40 123/63/178 580/143/642 2165/0/2203 5698/1548/5130 \
         14921/4487/12416 37767/8351/29464"
    );
    assert_eq!(
        won_drawn_lost("awari", is_indexed),
        "0/1/0 5/0/7 25/13/40 123/63/178 580/143/642 2165/0/2203 5698/1548/5129 \
         14921/4487/12404 37765/8351/29388"
    );
    assert_eq!(
        won_drawn_lost("no_capture", is_indexed),
        "0/1/0 5/0/7 24/13/41 121/64/179 577/143/645 2161/0/2207 5707/1545/5123 \
         14944/4483/12385 37804/8333/29367"
    );
}

/// The indexed boards of awari in the order of the published score database, one byte each.
#[test]
fn awari_bytes_in_the_order_of_the_score_database() {
    let expected = [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "b8aabfb932dd7de4ac02edf77c37c294b6aabbc0d5132795d0fca9ea55e01596",
        "b03bb501e2b74ce4159fd24ebc30f7eebb6e706d39848aa997d1d3718807f72d",
        "10e4e9c7787e8299fb2a0997c30ede94eced45943a6d7d118ae389af875eb0f7",
        "801f4cf858eabaaf11ef07315ab003bd7044d74f5e1c5b4fe928ac76b34cb202",
        "9ee7f58087b8a34f1aed3a38839359795592089f7a798aea330c2f665a4f5e53",
        "421692ea9842e97c127a7751c0ab9517dfa810db77ef79a41da4e2d6782288e3",
    ];
    for (seeds, expected) in expected.into_iter().enumerate() {
        let mut indexed: Vec<[u8; 12]> = boards(seeds).filter(is_indexed).collect();
        // The last house counts most.
        indexed.sort_by_key(|houses| {
            let mut reversed = *houses;
            reversed.reverse();
            reversed
        });
        let mut bytes = Vec::new();
        for houses in indexed {
            bytes.extend(tables("awari").value(Convention::Even, &houses).to_le_bytes());
        }
        let mut hex = String::new();
        for byte in Sha256::digest(&bytes) {
            hex.push_str(&format!("{byte:02x}"));
        }
        assert_eq!(hex, expected, "{seeds} seeds");
    }
}

/// The tournament game: how often each value occurs among all boards.
#[test]
fn abapa_histograms() {
    let expected = [
        "0:1",
        "-1:7 1:5",
        "-2:41 0:13 2:24",
        "-3:178 -1:1 0:64 1:7 3:114",
        "-4:534 -2:111 0:143 2:164 4:413",
        "-5:1891 -3:2 -2:85 -1:229 1:120 2:180 3:23 5:1838",
        "-6:4238 -4:115 -2:771 0:1545 2:558 3:63 4:294 6:4792",
        "-7:8949 -5:3 -4:74 -3:2932 -1:439 0:4483 1:494 3:2295 4:237 5:148 7:11770",
        "-8:12367 -6:227 -4:6810 -2:9977 -1:62 0:8333 1:234 2:10205 4:6977 5:170 6:508 8:19712",
    ];
    for (seeds, expected) in expected.into_iter().enumerate() {
        let mut parts = Vec::new();
        for (value, count) in histogram(tables("no_capture").layer_values(Convention::Even, seeds))
        {
            parts.push(format!("{value}:{count}"));
        }
        assert_eq!(parts.join(" "), expected, "{seeds} seeds");
    }
}

/// Awari and the tournament game hardly differ: on 0.365 % of the boards of 8 seeds.
#[test]
fn awari_and_abapa_differ_on_few_boards() {
    let awari = tables("awari").layer_values(Convention::Even, 8);
    let abapa = tables("no_capture").layer_values(Convention::Even, 8);
    let different = awari.iter().zip(abapa).filter(|(awari, abapa)| awari != abapa).count();
    assert_eq!(100_000 * different / awari.len(), 365, "{different} of {}", awari.len());
}

/// The tournament game, indexed boards: on how many the two bounds meet, the share in hundredths of
/// a per cent on which they decide the sign, and the mean of their difference in thousandths.
#[test]
fn abapa_bounds() {
    let expected = [
        (1, 10_000, 0),
        (12, 10_000, 0),
        (65, 8333, 667),
        (300, 8242, 1055),
        (994, 7282, 1383),
        (4090, 9393, 376),
        (10_167, 8564, 1522),
        (25_993, 8513, 1410),
        (46_097, 6632, 3356),
    ];
    for (seeds, expected) in expected.into_iter().enumerate() {
        let (mut count, mut exact, mut decided, mut width) = (0, 0, 0, 0);
        for houses in boards(seeds).filter(is_indexed) {
            let low = i32::from(tables("no_capture").value(Convention::Low, &houses));
            let high = i32::from(tables("no_capture").value(Convention::High, &houses));
            count += 1;
            exact += i32::from(low == high);
            decided += i32::from(low > 0 || high < 0 || (low == 0 && high == 0));
            width += high - low;
        }
        let rounded = |part: i32, unit: i32| (2 * unit * part + count) / (2 * count);
        let found = (exact, rounded(decided, 10_000), rounded(width, 1000));
        assert_eq!(found, expected, "{seeds} seeds");
    }
}

/// Boards small enough to play out by hand, under the tournament rules.
#[test]
fn values_and_distances_found_by_hand() {
    let all_three = |houses| {
        Convention::ALL.map(|convention| {
            let tables = tables("no_capture");
            (tables.value(convention, &houses), tables.distance(convention, &houses))
        })
    };
    // Nothing is left: nobody has to force a draw.
    assert_eq!(all_three([0; 12]), [(0, None); 3]);
    // E cannot feed: the game is over and the mover keeps his seed.
    let houses = [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(all_three(houses), [(1, Some(0)), (1, Some(0)), (1, None)]);
    // F has to feed, and the seed cannot come back.
    let houses = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    assert_eq!(all_three(houses), [(-1, Some(1)), (-1, None), (-1, Some(1))]);
    // F takes two; then f has to feed, and the mover keeps that seed too.
    let houses = [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1];
    assert_eq!(all_three(houses), [(3, Some(1)), (3, Some(1)), (3, None)]);
    // F is a grand slam: it takes nothing, but it ends the game.
    let houses = [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0];
    assert_eq!(all_three(houses), [(-2, Some(1)), (-2, None), (-2, Some(1))]);
    // F, a, E, b, F: each has one move only, and then both seeds are North's.
    let houses = [0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0];
    assert_eq!(all_three(houses), [(-2, Some(5)), (-2, None), (-2, Some(5))]);
    // Two seeds chase each other round the board for ever.
    let houses = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1];
    assert_eq!(all_three(houses), [(0, None), (-2, None), (2, None)]);
}

#[test]
fn bounds_enclose_the_even_value_under_all_rules() {
    for rules in all_table_rules() {
        let tables = OracleTables::solve(&rules, SEEDS_OF_ALL);
        for seeds in 0..=SEEDS_OF_ALL {
            let low = tables.layer_values(Convention::Low, seeds);
            let even = tables.layer_values(Convention::Even, seeds);
            let high = tables.layer_values(Convention::High, seeds);
            for board in 0..even.len() {
                let (low, even, high) = (low[board], even[board], high[board]);
                assert!(low <= even && even <= high, "{rules}, {seeds} seeds, board {board}");
                assert!(-low <= seeds as i8 && high <= seeds as i8, "{rules}, {seeds} seeds");
            }
        }
    }
}

#[test]
fn thresholds_give_the_same_tables_under_all_rules() {
    for rules in all_table_rules() {
        let by_sweeps = OracleTables::solve(&rules, SEEDS_OF_ALL);
        let by_thresholds = OracleTables::solve_by_thresholds(&rules, SEEDS_OF_ALL);
        assert!(by_sweeps == by_thresholds, "{rules}");
    }
}

/// Checks the boards of all numbers of seeds of a range.
fn check_boards(tables: &OracleTables, rules: &OracleRules, seeds: RangeInclusive<usize>) {
    for houses in seeds.flat_map(boards) {
        for convention in Convention::ALL {
            check_board(tables, rules, convention, &houses);
        }
    }
}

#[test]
fn every_board_keeps_the_definitions_under_all_rules() {
    for rules in all_table_rules() {
        let tables = OracleTables::solve(&rules, SEEDS_OF_ALL);
        check_boards(&tables, &rules, 0..=SEEDS_OF_ALL);
    }
}

#[test]
fn larger_boards_keep_the_definitions() {
    for name in ENDGAME_NAMES {
        check_boards(tables(name), &rules_of(name), SEEDS_OF_ALL + 1..=8);
    }
}
