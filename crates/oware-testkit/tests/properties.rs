//! What holds for every position and all rules, tried on random ones.

use oware_testkit::{
    OracleFeeding, OracleGame, OracleGrandSlam, OracleMove, OraclePosition, OracleRules, TestRng,
};

/// The number of random positions in each test.
const ROUNDS: usize = 20_000;

/// The same move seen with the board turned and the sides exchanged.
fn mirrored_move(done: &OracleMove) -> OracleMove {
    let mut mirrored = done.clone();
    mirrored.position = done.position.mirrored();
    mirrored.captured_houses = done.captured_houses.iter().map(|house| (house + 6) % 12).collect();
    mirrored.last_house = (done.last_house + 6) % 12;
    mirrored.final_scores_half = done.final_scores_half.map(|[south, north]| [north, south]);
    mirrored
}

#[test]
fn south_and_north_are_symmetric() {
    let mut rng = TestRng::from_env("south_and_north_are_symmetric");
    for _ in 0..ROUNDS {
        let (position, rules) = (rng.position(), rng.rules());
        let turned = position.mirrored();
        assert_eq!(turned.mirrored(), position);
        let over = position.over(&rules).map(|(reason, [south, north])| (reason, [north, south]));
        assert_eq!(turned.over(&rules), over, "{position}, {rules}");
        let legal = position.legal(&rules);
        assert_eq!(turned.legal(&rules), legal, "{position}, {rules}");
        for index in legal {
            let expected = mirrored_move(&position.apply(&rules, index));
            assert_eq!(turned.apply(&rules, index), expected, "{position}, {rules}, {index}");
        }
    }
}

#[test]
fn no_seed_is_lost() {
    let mut rng = TestRng::from_env("no_seed_is_lost");
    for _ in 0..ROUNDS {
        let (position, rules) = (rng.position(), rng.rules());
        assert_eq!(position.total(), 48, "{position}");
        for index in position.legal(&rules) {
            let done = position.apply(&rules, index);
            let at = format!("{position}, {rules}, {index}");
            assert_eq!(done.position.total(), 48, "{at}");
            let mover = position.to_move;
            assert_eq!(
                done.position.stores[mover],
                position.stores[mover] + done.captured,
                "{at}: the mover's store"
            );
            assert_eq!(
                done.position.stores[1 - mover],
                position.stores[1 - mover] + done.given,
                "{at}: the opponent's store"
            );
            assert_eq!(done.position.houses[mover * 6 + index], 0, "{at}: the origin");
            if let Some(scores) = done.final_scores_half {
                let on_board = u16::from(done.position.row(0) + done.position.row(1));
                let nobody = if done.terminal == Some("majority") { on_board } else { 0 };
                assert_eq!(scores[0] + scores[1] + 2 * nobody, 96, "{at}: final scores");
            }
        }
    }
}

/// Every move of a random game is counted, and its end leaves 48 seeds unless it is `majority`.
#[test]
fn random_games_end_with_every_seed() {
    let mut rng = TestRng::from_env("random_games_end_with_every_seed");
    for _ in 0..300 {
        let rules = OracleRules { capture_free_limit: Some(60), ..rng.rules() };
        let mut game = OracleGame::new(rules, OraclePosition::start());
        while game.end().is_none() {
            let index = *rng.pick(&game.legal());
            game.play(index).unwrap();
        }
        let end = game.end().unwrap();
        let [south, north] = end.final_scores_half;
        if end.reason == "majority" {
            assert!(south.max(north) >= 50 && south + north <= 96, "{rules}");
        } else {
            assert_eq!(south + north, 96, "{rules}, {}", end.reason);
        }
        assert_eq!(game.positions().len(), game.moves().len() + 1);
    }
}

/// The rules page says what awari's rule is in words of the other variant.
#[test]
fn awari_slams_are_illegal_unless_every_move_empties_the_opponent() {
    let mut rng = TestRng::from_env("awari_slams");
    let awari = OracleRules::preset("awari").unwrap();
    let free = OracleRules { feeding: OracleFeeding::WhenEmpty, ..awari };
    let mut slams = 0;
    for _ in 0..ROUNDS {
        let position = rng.position();
        let other = 1 - position.to_move;
        if position.row(other) == 0 {
            continue;
        }
        let all = position.legal(&free);
        let leaves = |index: &usize| position.apply(&free, *index).position.row(other) > 0;
        let leaving: Vec<usize> = all.iter().copied().filter(leaves).collect();
        slams += usize::from(leaving.len() < all.len());
        let expected = if leaving.is_empty() { all } else { leaving };
        assert_eq!(position.legal(&awari), expected, "{position}");
    }
    assert!(slams > 20, "only {slams} positions with a grand slam");
}

/// The random positions show every kind of thing the rules speak of.
#[test]
fn random_positions_are_a_healthy_mix() {
    let mut rng = TestRng::from_env("random_positions_are_a_healthy_mix");
    let captures = OracleRules::preset("slam-captures").unwrap();
    let (mut laps, mut double_laps, mut empty_rows) = (0, 0, 0);
    let (mut slams, mut slams_on_empty, mut over, mut totals) = (0, 0, 0, [0; 49]);
    for _ in 0..ROUNDS {
        let position = rng.position();
        let other = 1 - position.to_move;
        laps += usize::from(position.houses.iter().any(|seeds| *seeds >= 12));
        double_laps += usize::from(position.houses.iter().any(|seeds| *seeds >= 23));
        empty_rows += usize::from(position.row(other) == 0);
        over += usize::from(position.over(&captures).is_some());
        totals[usize::from(position.row(0) + position.row(1))] += 1;
        for index in position.legal(&captures) {
            if position.apply(&captures, index).grand_slam {
                slams += 1;
                slams_on_empty += usize::from(position.row(other) == 0);
            }
        }
    }
    for count in [laps, double_laps, empty_rows, slams, over] {
        assert!(count > ROUNDS / 50, "{:?}", [laps, double_laps, empty_rows, slams, over]);
    }
    assert!(slams_on_empty > 0);
    assert!(over < ROUNDS / 2, "{over} of {ROUNDS} are over");
    assert!(totals.iter().all(|count| *count > 0), "{totals:?}");
}

/// Random rules reach every value of every field.
#[test]
fn random_rules_reach_every_value() {
    let mut rng = TestRng::from_env("random_rules_reach_every_value");
    let drawn: Vec<OracleRules> = (0..1000).map(|_| rng.rules()).collect();
    for grand_slam in OracleGrandSlam::ALL {
        assert!(drawn.iter().any(|rules| rules.grand_slam == *grand_slam));
    }
    for feeding in OracleFeeding::ALL {
        assert!(drawn.iter().any(|rules| rules.feeding == *feeding));
    }
    assert!(drawn.iter().any(|rules| rules.repetition.is_none() && rules.play_on));
}

#[test]
fn the_same_seed_gives_the_same_positions() {
    let mut first = TestRng::new(48);
    let mut second = TestRng::new(first.seed());
    for _ in 0..100 {
        assert_eq!(first.position(), second.position());
        assert_eq!(first.rules(), second.rules());
    }
}

#[test]
fn position_text_round_trips() {
    let mut rng = TestRng::from_env("position_text_round_trips");
    for _ in 0..1000 {
        let position = rng.position();
        assert_eq!(OraclePosition::parse(&position.to_string()), Some(position));
    }
    assert_eq!(OraclePosition::parse("4-4-4-4-4-4-4-4-4-4-4-4-0-0-X"), None);
    assert_eq!(OraclePosition::parse("4-4-4-4-4-4-4-4-4-4-4-4-0-0"), None);
}
