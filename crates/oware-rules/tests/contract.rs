//! One suite for every board: the reference cases, perft, and what must hold by itself.

use oware_rules::{
    Board, House, Move, PRESETS, Position, Preset, ROW, ReferenceBoard, Rules, Setup, Side,
    SowingBoard, TOTAL_SEEDS, perft, perft_board, perft_board_visiting, perft_detailed,
    perft_visiting,
};
use oware_testkit::TestRng;
use oware_testkit::cases::{perft_cases, rule_cases};

/// Counts larger than this are left to the fast board.
const PLAIN_NODES: u64 = 300_000;
/// Counts larger than this are left to the benchmark.
const FAST_NODES: u64 = 50_000_000;

fn reference_cases<B: SowingBoard>() {
    for case in rule_cases() {
        let rules: Rules = case.rules.parse().unwrap();
        let board = B::from_houses(case.houses).unwrap();
        let legal: Vec<usize> = board.legal(&rules).iter().map(Move::index).collect();
        // The lines show no moves where the stores end the game; a board knows no stores.
        if !matches!(case.over.as_deref(), Some("majority" | "even")) {
            assert_eq!(legal, case.legal, "line {}", case.id);
        }
        for (&index, expected) in &case.moves {
            let sown = board.sow(Move::new(index).unwrap(), &rules);
            assert_eq!(sown.board.turned().houses(), expected.houses, "{} {index}", case.id);
            assert_eq!(sown.captured, expected.captured, "{} {index}", case.id);
            assert_eq!(sown.given, expected.given, "{} {index}", case.id);
            assert_eq!(sown.grand_slam, expected.grand_slam, "{} {index}", case.id);
        }
    }
}

fn perft_counts<B: SowingBoard>(most: u64) {
    let mut counted = 0;
    for case in perft_cases() {
        for (name, counts) in &case.counts {
            let rules: Rules = name.parse().unwrap();
            let board = B::from_houses(case.houses).unwrap();
            for (depth, &count) in counts.iter().enumerate().filter(|(_, count)| **count <= most) {
                let depth = depth as u32;
                let found = perft_board(board, case.scores, &rules, depth);
                assert_eq!(found, count, "{} {name} depth {depth}", case.name);
                if count <= PLAIN_NODES {
                    let found = perft_board_visiting(board, case.scores, &rules, depth);
                    assert_eq!(found, count, "{} {name} depth {depth}, visiting", case.name);
                }
                counted += 1;
            }
        }
    }
    assert!(counted > 700, "only {counted} counts");
}

fn own_laws<B: SowingBoard>() {
    let mut rng = TestRng::from_env("own_laws");
    for _ in 0..5_000 {
        let given = rng.position().seen_by(0).0;
        let board = B::from_houses(given).unwrap();
        assert_eq!(board.houses(), given);
        assert_eq!(board.turned().turned(), board);
        assert_eq!(board.mover_total(), given[..ROW].iter().sum::<u8>());
        assert_eq!(board.opponent_total(), given[ROW..].iter().sum::<u8>());
        for house in House::all() {
            assert_eq!(board.seeds(house), given[house.index()]);
        }
        let total = board.mover_total() + board.opponent_total();
        for preset in PRESETS {
            for mv in board.legal(&preset.rules) {
                assert!(given[mv.index()] > 0);
                let sown = board.sow(mv, &preset.rules);
                let after = sown.board.mover_total() + sown.board.opponent_total();
                assert_eq!(after + sown.captured + sown.given, total, "{given:?} {mv}");
            }
        }
    }
    let too_many = [5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4];
    assert_eq!(B::from_houses(too_many).unwrap_err().total, 49);
    assert!(B::from_houses([255; 12]).is_err());
}

/// All seeds in one house, in every house and number: every lap there can be.
fn one_full_house<B: SowingBoard>() {
    for seeds in 0..=TOTAL_SEEDS {
        for mv in Move::ALL {
            let mut houses = [0; 12];
            houses[mv.index()] = seeds;
            let board = B::from_houses(houses).unwrap();
            let sown = board.sow(mv, &Rules::ABAPA);
            let mut expected = [0; 12];
            for seed in 0..usize::from(seeds) {
                expected[(mv.index() + 1 + seed % 11) % 12] += 1;
            }
            // From 13 seeds on some moves capture what they have just sown.
            let after = sown.board.turned().houses();
            for (house, (&now, &sown)) in after.iter().zip(&expected).enumerate() {
                let taken = house >= ROW && now == 0 && matches!(sown, 2 | 3);
                assert!(now == sown || taken, "{seeds} seeds from {mv}: {after:?}");
            }
            assert_eq!(after.iter().sum::<u8>() + sown.captured, seeds);
        }
    }
}

/// No seeds, all seeds in one house of either row, and every total between.
fn extremes<B: SowingBoard>() {
    let board = |houses: [u8; 12]| B::from_houses(houses).unwrap();
    for Preset { rules, .. } in PRESETS {
        let empty = board([0; 12]);
        assert!(empty.legal(&rules).is_empty());
        for mv in Move::ALL {
            let sown = empty.sow(mv, &rules);
            assert_eq!((sown.board, sown.captured, sown.grand_slam), (empty, 0, false));
        }
        for house in 0..12 {
            let mut houses = [0; 12];
            houses[house] = TOTAL_SEEDS;
            let legal = board(houses).legal(&rules).len();
            assert_eq!(legal, usize::from(house < ROW), "{house} {rules}");
        }
        for total in 0..=usize::from(TOTAL_SEEDS) {
            for first in 0..12 {
                let mut houses = [0; 12];
                (0..total).for_each(|seed| houses[(first + seed) % 12] += 1);
                let board = board(houses);
                assert_eq!(usize::from(board.mover_total() + board.opponent_total()), total);
                for mv in board.legal(&rules) {
                    let sown = board.sow(mv, &rules);
                    let left: u8 = sown.board.houses().iter().sum();
                    assert_eq!(usize::from(left + sown.captured + sown.given), total);
                }
            }
        }
    }
}

macro_rules! suite {
    ($module:ident, $board:ty, $most:expr) => {
        mod $module {
            use super::*;

            #[test]
            fn passes_the_reference_cases() {
                reference_cases::<$board>();
            }

            #[test]
            fn passes_perft() {
                perft_counts::<$board>($most);
            }

            #[test]
            fn keeps_its_own_laws() {
                own_laws::<$board>();
            }

            #[test]
            fn stands_extremes() {
                extremes::<$board>();
            }

            #[test]
            fn sows_one_full_house() {
                one_full_house::<$board>();
            }
        }
    };
}

suite!(fast, Board, PLAIN_NODES);
suite!(plain, ReferenceBoard, PLAIN_NODES);

/// The way the binary counts, on every entry a test has the time for, from both seats.
#[test]
fn perft_of_positions() {
    for case in perft_cases() {
        for (name, counts) in &case.counts {
            let rules: Rules = name.parse().unwrap();
            let setup = Setup::from_mover(case.houses, case.scores, Side::South);
            let position = Position::new(setup, rules).unwrap();
            for (depth, &count) in counts.iter().enumerate().filter(|(_, n)| **n <= FAST_NODES) {
                let depth = depth as u32;
                let shown = format!("{} {name} depth {depth}", case.name);
                assert_eq!(perft(&position.mirrored(), depth), count, "{shown}");
                if count > PLAIN_NODES {
                    continue;
                }
                assert_eq!(perft_visiting(&position, depth), count, "{shown}");
                let found = perft_detailed(&position, depth);
                assert_eq!(found.nodes, count, "{shown}");
                let at = |table: &std::collections::BTreeMap<String, Vec<u64>>| {
                    table.get(name).map(|row| row[depth as usize])
                };
                assert_eq!(at(&case.ended).unwrap_or(found.ended), found.ended, "{shown}");
                assert_eq!(at(&case.slams).unwrap_or(found.slams), found.slams, "{shown}");
            }
        }
    }
}

/// 91,558,687 sequences of eleven plies.
#[test]
fn perft_from_the_start_to_depth_11() {
    assert_eq!(perft(&Position::start(Rules::ABAPA), 11), 91_558_687);
}

#[test]
fn divide_adds_up() {
    let position = Position::start(Rules::AWARI);
    let parts = oware_rules::divide(&position, 7);
    assert_eq!(parts.iter().map(|(_, count)| count).sum::<u64>(), perft(&position, 7));
    assert_eq!(oware_rules::divide(&position, 1).len(), 6);
    assert!(oware_rules::divide(&position, 0).is_empty());
}
