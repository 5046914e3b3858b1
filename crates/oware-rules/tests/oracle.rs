//! Everything against the independent oracle, on random positions under random rules.
//!
//! `OWARE_ORACLE_MOVES` sets how many moves are compared under each preset, and in all under
//! random field combinations. `cargo xtask ci --long` compares a million each.

mod common;

use common::{halves, position, rules};
use oware_rules::{
    Board, Game, House, MatchEnd, Move, PRESETS, Position, ReferenceBoard, Side, SowingBoard,
};
use oware_testkit::{OracleGame, OraclePosition, OracleRules, TestRng};

/// Field combinations drawn beside the presets.
const COMBINATIONS: usize = 200;

fn moves_wanted() -> usize {
    let given = std::env::var("OWARE_ORACLE_MOVES").ok();
    given.map_or(20_000, |text| text.parse().expect("OWARE_ORACLE_MOVES is a number"))
}

/// Compares one move on one kind of board.
fn compare_board<B: SowingBoard>(given: &OraclePosition, oracle: &OracleRules, index: usize) {
    let rules = rules(oracle);
    let (houses, _) = given.seen_by(given.to_move);
    let board = B::from_houses(houses).unwrap();
    let legal: Vec<usize> = board.legal(&rules).iter().map(Move::index).collect();
    assert_eq!(legal, given.legal(oracle), "{given} {rules}");
    let sown = board.sow(Move::new(index).unwrap(), &rules);
    let expected = given.apply(oracle, index);
    let (after, _) = expected.position.seen_by(expected.position.to_move);
    assert_eq!(sown.board.houses(), after, "{given} {rules} {index}");
    let found = (sown.captured, sown.given, sown.grand_slam);
    assert_eq!(found, (expected.captured, expected.given, expected.grand_slam));
}

/// Compares one move of a position, with its report and its end.
fn compare_position(given: &OraclePosition, oracle: &OracleRules, index: usize) {
    let rules = rules(oracle);
    let ours = position(given, rules);
    let mv = Move::new(index).unwrap();
    let expected = given.apply(oracle, index);
    let after = ours.play_unchecked(mv);
    assert_eq!(after, position(&expected.position, rules), "{given} {rules} {index}");
    let end = ours.ending_after(mv);
    assert_eq!(end.map(|e| e.reason.name()), expected.terminal, "{given} {rules} {index}");
    assert_eq!(end.map(halves), expected.final_scores_half, "{given} {rules} {index}");
    let report = ours.report(mv);
    assert_eq!(report.last.index(), expected.last_house, "{given} {rules} {index}");
    let captured: Vec<usize> = report.captured_houses.iter().map(|c| c.house.index()).collect();
    assert_eq!(captured, expected.captured_houses, "{given} {rules} {index}");
    assert_eq!(report.grand_slam.is_some(), expected.grand_slam);
    assert_eq!(report.given.get(), expected.given);
    // The board turned by 180 degrees, the sides exchanged.
    let mirrored = ours.mirrored();
    assert_eq!(mirrored.legal_moves(), ours.legal_moves());
    assert_eq!(mirrored.play_unchecked(mv), after.mirrored());
}

/// Compares the moves of random positions until `wanted` have been seen.
fn compare(rng: &mut TestRng, oracle: &OracleRules, wanted: usize) {
    let mut seen = 0;
    while seen < wanted {
        let given = rng.position();
        let over = position(&given, rules(oracle)).ending();
        let expected = given.over(oracle);
        let found = over.map(|e| (e.reason.name(), halves(e)));
        assert_eq!(found, expected, "{given} {}", oracle.canonical_id());
        for index in given.legal(oracle) {
            compare_board::<Board>(&given, oracle, index);
            compare_board::<ReferenceBoard>(&given, oracle, index);
            compare_position(&given, oracle, index);
            seen += 1;
        }
        // Positions without a move count too, or rules that end at once would never finish.
        seen += 1;
    }
}

#[test]
fn moves_under_each_preset() {
    for preset in PRESETS {
        let mut rng = TestRng::from_env(preset.name);
        compare(&mut rng, &OracleRules::preset(preset.name).unwrap(), moves_wanted());
    }
}

#[test]
fn moves_under_random_field_combinations() {
    let mut rng = TestRng::from_env("moves_under_random_field_combinations");
    for _ in 0..COMBINATIONS {
        let oracle = rng.rules();
        compare(&mut rng, &oracle, moves_wanted() / COMBINATIONS + 1);
    }
}

fn compare_game(rng: &mut TestRng, oracle: OracleRules, start: OraclePosition) {
    let mut expected = OracleGame::new(oracle, start);
    let mut game = Game::from_position(position(&start, rules(&oracle)));
    for _ in 0..600 {
        let end = game.ending().map(|e| (e.reason.name(), halves(e)));
        assert_eq!(end, expected.end().map(|e| (e.reason, e.final_scores_half)));
        let legal: Vec<usize> = game.legal_moves().iter().map(Move::index).collect();
        assert_eq!(legal, expected.legal());
        if end.is_some() {
            return;
        }
        assert_eq!(usize::from(game.occurrences()), expected.occurrences());
        assert_eq!(game.capture_free() as usize, expected.plies_without_capture());
        if rng.one_in(150) {
            let agreed = game.end(MatchEnd::LoopAgreed).unwrap();
            assert_eq!(halves(agreed), expected.agree_loop().unwrap().final_scores_half);
            continue;
        }
        let index = *rng.pick(&legal);
        game.play(Move::new(index).unwrap()).unwrap();
        expected.play(index).unwrap();
    }
}

#[test]
fn whole_games() {
    let mut rng = TestRng::from_env("whole_games");
    for round in 0..300 {
        let oracle = match round % 3 {
            0 => OracleRules::preset(PRESETS[round % PRESETS.len()].name).unwrap(),
            _ => rng.rules(),
        };
        let start = if rng.one_in(2) { OraclePosition::start() } else { rng.position() };
        compare_game(&mut rng, oracle, start);
    }
}

#[test]
fn identities() {
    let mut rng = TestRng::from_env("identities");
    for _ in 0..2_000 {
        let oracle = rng.rules();
        let ours = rules(&oracle);
        assert_eq!(ours.id(), oracle.canonical_id());
        assert_eq!(ours.table_rules().to_string(), oracle.table_rules());
        assert_eq!(ours.table_rules().hash64(), oracle.table_rules_fnv64());
    }
}

#[test]
fn a_house_belongs_to_its_side() {
    for house in House::all() {
        let side = if house.index() < 6 { Side::South } else { Side::North };
        assert_eq!((house.side(), House::of(side, house.as_move())), (side, house));
        assert_eq!(house.to_string().parse::<House>().unwrap(), house);
        assert_eq!(house.opposite_seat().side(), side.other());
    }
    assert_eq!(Position::start(PRESETS[0].rules).to_string(), OraclePosition::start().to_string());
}
