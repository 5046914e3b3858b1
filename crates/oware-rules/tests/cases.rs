//! Positions and games against the reference cases and the disputed positions of docs/RULES.md.

mod common;

use common::{halves, parse, played};
use oware_rules::{
    Ending, Game, GrandSlamOutcome, House, Move, Position, Reason, Rules, Setup, Side, Step,
};
use oware_testkit::cases::{game_cases, rule_cases};

/// Final scores as the player on `side` sees them.
fn seen_by(side: Side, ending: Ending) -> [u16; 2] {
    let mut scores = halves(ending);
    scores.rotate_left(side.index());
    scores
}

#[test]
fn every_line_from_both_seats() {
    for case in rule_cases() {
        let rules: Rules = case.rules.parse().unwrap();
        for side in Side::BOTH {
            let setup = Setup::from_mover(case.houses, case.scores, side);
            let position = Position::new(setup, rules).unwrap();
            let over = position.ending();
            assert_eq!(over.map(|end| end.reason.name()), case.over.as_deref(), "{}", case.id);
            assert_eq!(over.map(|end| seen_by(side, end)), case.final_half, "{}", case.id);
            let legal: Vec<usize> = position.legal_moves().iter().map(Move::index).collect();
            assert_eq!(legal, case.legal, "{}", case.id);
            for mv in Move::ALL {
                assert_eq!(position.play(mv).is_ok(), case.legal.contains(&mv.index()));
            }
            for (&index, expected) in &case.moves {
                let mv = Move::new(index).unwrap();
                let after = position.play(mv).unwrap();
                let ours = Setup::from_mover(expected.houses, expected.scores, side);
                assert_eq!(after.houses(), ours.houses, "{} {index}", case.id);
                assert_eq!(after.stores(), ours.stores, "{} {index}", case.id);
                let end = position.ending_after(mv);
                let reason = end.map(|end| end.reason.name());
                assert_eq!(reason, expected.terminal.as_deref(), "{} {index}", case.id);
                assert_eq!(end.map(|end| seen_by(side, end)), expected.final_half);
                let report = position.report(mv);
                assert_eq!(report.captured.get(), expected.captured, "{} {index}", case.id);
                assert_eq!(report.given.get(), expected.given, "{} {index}", case.id);
                assert_eq!(report.grand_slam.is_some(), expected.grand_slam);
            }
        }
    }
}

#[test]
fn every_game() {
    for (number, case) in game_cases().into_iter().enumerate() {
        let mut game = Game::new(case.rules.parse().unwrap());
        for letter in case.moves.chars() {
            game.play_house(House::try_from(letter).unwrap()).unwrap();
        }
        let ending = game.ending().unwrap();
        assert_eq!(ending.reason.name(), case.reason, "game {number}");
        assert_eq!(halves(ending), case.scores_half, "game {number}");
        assert_eq!(game.plies().len(), case.plies, "game {number}");
        assert!(game.legal_moves().is_empty());
        // Before its last ply it was not over.
        assert!(game.undo() && !game.is_over(), "game {number}");
    }
}

#[test]
fn a_slam_that_leaves_the_mover_without_seeds() {
    let game = played("0-0-0-0-0-1-1-0-0-0-0-0-23-23-S", Rules::ABAPA, "F");
    assert_eq!(game.position().to_string(), "0-0-0-0-0-0-2-0-0-0-0-0-23-23-N");
    let ending = game.ending().unwrap();
    assert_eq!((ending.reason, halves(ending)), (Reason::NoMove, [46, 50]));
}

#[test]
fn a_player_who_cannot_feed_takes_everything() {
    let game = played("3-2-0-0-0-0-0-0-0-0-0-1-19-23-N", Rules::ABAPA, "f");
    let ending = game.ending().unwrap();
    assert_eq!((ending.reason, halves(ending)), (Reason::NoMove, [50, 46]));
}

#[test]
fn a_repetition_gives_each_his_own_row() {
    let (start, moves) = ("0-0-0-0-0-0-1-0-0-0-0-1-23-23-N", "fAaBbCcDdEeF");
    let ending = played(start, Rules::ABAPA_FIRST_REPETITION, moves).ending().unwrap();
    assert_eq!((ending.reason, halves(ending)), (Reason::Repetition, [46, 50]));
    let mut game = played(start, Rules::ABAPA, moves);
    assert_eq!((game.is_over(), game.occurrences()), (false, 2));
    for letter in moves.chars() {
        game.play_house(letter.try_into().unwrap()).unwrap();
    }
    assert_eq!(game.ending().unwrap().reason, Reason::Repetition);
}

#[test]
fn a_repetition_can_be_split_evenly() {
    let (start, moves) = ("1-1-0-0-0-0-1-0-0-0-0-0-22-23-S", "BaAbCcDdEeFf");
    let own = played(start, "repetition=2".parse().unwrap(), moves).ending().unwrap();
    assert_eq!((halves(own), own.winner), ([48, 48], None));
    let even: Rules = "repetition=2,loop_split=even".parse().unwrap();
    let ending = played(start, even, moves).ending().unwrap();
    assert_eq!(ending.score.to_string(), "23.5-24.5");
    assert_eq!(ending.winner, Some(Side::North));
}

#[test]
fn the_side_to_move_is_part_of_a_repetition() {
    let (start, moves) = ("0-0-0-0-1-0-1-0-0-0-0-3-22-21-S", "EfBaCbEcDdE");
    let mut game = played(start, Rules::ABAPA_FIRST_REPETITION, moves);
    assert!(!game.is_over());
    for letter in "eFbAcBeCdDe".chars() {
        game.play_house(letter.try_into().unwrap()).unwrap();
    }
    assert_eq!(halves(game.ending().unwrap()), [46, 50]);
}

#[test]
fn a_slam_is_legal_or_not_by_the_rules() {
    let text = "0-0-0-0-1-1-1-0-0-0-0-0-22-23-S";
    let slam = Move::new(5).unwrap();
    assert!(parse(text, Rules::ABAPA).legal_moves().contains(slam));
    for rules in ["slam-illegal", "awari"] {
        let legal = parse(text, rules.parse().unwrap()).legal_moves();
        assert_eq!(legal.iter().map(Move::index).collect::<Vec<_>>(), [4], "{rules}");
    }
}

#[test]
fn a_majority_leaves_the_rest_to_nobody() {
    let game = played("0-0-0-0-0-2-1-2-4-0-0-0-20-19-S", Rules::ABAPA, "F");
    let ending = game.ending().unwrap();
    assert_eq!((ending.reason, halves(ending)), (Reason::Majority, [50, 38]));
    assert_eq!(game.position().seeds("c".parse().unwrap()).get(), 4);
}

#[test]
fn awari_gives_the_rest_to_who_is_not_stuck() {
    let position = parse("3-2-0-0-0-0-0-0-0-0-0-0-20-23-S", Rules::AWARI);
    assert_eq!(position.legal_moves().bits(), 0b11);
    let ending = position.ending_after(Move::new(0).unwrap()).unwrap();
    assert_eq!((ending.reason, halves(ending)), (Reason::NoMove, [50, 46]));
}

#[test]
fn steps_lead_to_the_position() {
    for case in rule_cases() {
        let rules: Rules = case.rules.parse().unwrap();
        let setup = Setup::from_mover(case.houses, case.scores, Side::North);
        let position = Position::new(setup, rules).unwrap();
        for mv in position.legal_moves() {
            let report = position.report(mv);
            let (mut houses, mut stores) = (position.houses(), position.stores());
            let mut sown = 0;
            for step in &report.steps {
                match *step {
                    Step::Lift { house, seeds } => {
                        assert_eq!(seeds.get(), std::mem::take(&mut houses[house.index()]));
                    }
                    Step::Sow { house, now } => {
                        sown += 1;
                        houses[house.index()] += 1;
                        assert_eq!(now.get(), houses[house.index()]);
                    }
                    Step::Capture { house, seeds, to } | Step::Collect { house, seeds, to } => {
                        assert_eq!(seeds.get(), std::mem::take(&mut houses[house.index()]));
                        stores[to.index()] += seeds.get();
                    }
                    Step::Spare { house, seeds } => {
                        assert_eq!(seeds.get(), houses[house.index()]);
                    }
                    Step::Skip { house } => assert_eq!(house, report.from),
                }
            }
            let after = position.play(mv).unwrap();
            assert_eq!((houses, stores), (after.houses(), after.stores()), "{}", case.id);
            assert_eq!(sown, report.lifted.get());
            assert_eq!(report.laps, (report.lifted.get() - 1) / 11);
            let captured: u8 = report.captured_houses.iter().map(|c| c.seeds.get()).sum();
            assert_eq!(captured, report.captured.get());
        }
    }
}

#[test]
fn sharing_steps_add_up_to_the_end() {
    for case in rule_cases() {
        let rules: Rules = case.rules.parse().unwrap();
        let setup = Setup::from_mover(case.houses, case.scores, Side::North);
        let position = Position::new(setup, rules).unwrap();
        for reason in [Reason::NoMove, Reason::Repetition, Reason::Majority] {
            let steps = position.sharing_steps(reason);
            let mut shared = position.stores().map(u16::from);
            for step in &steps {
                let Step::Collect { seeds, to, .. } = *step else { panic!("{step:?}") };
                shared[to.index()] += u16::from(seeds.get());
            }
            // An even split is not told house by house.
            if !(steps.is_empty() && reason == Reason::Repetition) {
                let end = halves(position.settle(reason));
                assert_eq!(shared.map(|seeds| 2 * seeds), end, "{} {reason}", case.id);
            }
        }
    }
}

#[test]
fn a_grand_slam_is_told_by_what_came_of_it() {
    let outcome = |rules: &str| {
        let position = parse("0-0-0-0-2-0-1-0-0-0-0-0-22-23-S", rules.parse().unwrap());
        position.report(Move::new(4).unwrap()).grand_slam
    };
    let house = |letter: &str| letter.parse::<House>().unwrap();
    assert_eq!(outcome("abapa"), Some(GrandSlamOutcome::NothingCaptured));
    assert_eq!(outcome("slam-captures"), Some(GrandSlamOutcome::CapturedAll));
    assert_eq!(outcome("slam-keep-last"), Some(GrandSlamOutcome::Kept(house("a"))));
    let rest = outcome("slam-opponent-takes-rest");
    assert!(matches!(rest, Some(GrandSlamOutcome::OpponentTookRest { given }) if given.get() == 1));
}
