//! Games: undo, offers, ends by decision, and that a refusal changes nothing.

mod common;

use common::{halves, parse, played};
use oware_rules::{
    FinalScore, Game, GameError, HalfSeeds, House, MatchEnd, OfferKind, PlayError, Reason, Rules,
    Side,
};
use oware_testkit::TestRng;

const START: &str = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";

fn house(letter: &str) -> House {
    letter.parse().unwrap()
}

#[test]
fn undo_and_redo_walk_the_same_way() {
    let mut rng = TestRng::from_env("undo_and_redo_walk_the_same_way");
    let mut game = Game::new(Rules::ABAPA);
    let mut stages = vec![game.clone()];
    while !game.is_over() {
        let moves: Vec<_> = game.legal_moves().iter().collect();
        game.play(*rng.pick(&moves)).unwrap();
        stages.push(game.clone());
    }
    let plies = game.plies().len();
    for stage in stages.iter().rev().skip(1) {
        assert!(game.undo());
        assert_eq!((game.plies(), game.ending()), (stage.plies(), None));
        assert_eq!(game.occurrences(), stage.occurrences());
    }
    assert!(!game.undo());
    for stage in stages.iter().skip(1) {
        assert!(game.redo());
        assert_eq!((game.plies(), game.ending()), (stage.plies(), stage.ending()));
    }
    assert!(!game.redo() && game.plies().len() == plies);
    // Another move forgets what was taken back.
    for _ in 0..3 {
        game.undo();
    }
    let mv = game.legal_moves().iter().next().unwrap();
    game.play(mv).unwrap();
    assert!(!game.can_redo());
}

#[test]
fn an_agreed_end_is_taken_back_alone() {
    let mut game = played(START, Rules::ABAPA, "Fa");
    game.end(MatchEnd::Resignation(Side::North)).unwrap();
    assert!(game.undo());
    assert_eq!((game.is_over(), game.plies().len()), (false, 2));
    assert!(game.redo());
    let ending = game.ending().unwrap();
    assert_eq!((ending.reason, ending.winner), (Reason::Resignation, Some(Side::South)));
}

#[test]
fn offers_are_answered_or_lapse() {
    let mut game = played(START, Rules::ABAPA, "Fa");
    assert_eq!(game.accept_offer(Side::South), Err(GameError::NoOffer));
    game.make_offer(Side::North, OfferKind::Draw).unwrap();
    assert_eq!(game.accept_offer(Side::North), Err(GameError::NoOffer));
    let waits = Err(GameError::OfferWaits(OfferKind::Draw));
    assert_eq!(game.make_offer(Side::South, OfferKind::Loop), waits);
    game.decline_offer(Side::South).unwrap();
    game.make_offer(Side::North, OfferKind::Loop).unwrap();
    game.play_house(house("E")).unwrap();
    assert_eq!(game.offer(), None, "a move declines the other player's offer");
    game.make_offer(Side::North, OfferKind::Draw).unwrap();
    game.play_house(house("b")).unwrap();
    assert!(game.offer().is_some(), "one's own move does not");
    let ending = game.accept_offer(Side::South).unwrap();
    assert_eq!((ending.reason, ending.winner), (Reason::DrawAgreed, None));
    assert_eq!(game.make_offer(Side::South, OfferKind::Draw), Err(GameError::Over(ending.reason)));
}

#[test]
fn an_undo_of_nothing_changes_nothing() {
    let mut game = Game::new(Rules::ABAPA);
    game.make_offer(Side::South, OfferKind::Draw).unwrap();
    let before = game.clone();
    assert!(!game.undo() && !game.redo());
    assert_eq!(game, before, "the offer still waits");
    game.play_house(house("F")).unwrap();
    assert!(game.offer().is_some() && game.undo() && game.offer().is_none());
}

#[test]
fn an_agreed_loop_is_split_by_the_rules() {
    let text = "1-1-0-0-0-0-1-0-0-0-0-0-22-23-S";
    let split = |rules: &str| {
        let mut game = Game::from_position(parse(text, rules.parse().unwrap()));
        game.make_offer(Side::North, OfferKind::Loop).unwrap();
        game.accept_offer(Side::South).unwrap()
    };
    assert_eq!(halves(split("abapa")), [48, 48]);
    let even = split("abapa,loop_split=even");
    assert_eq!((halves(even), even.reason), ([47, 49], Reason::LoopAgreed));
}

#[test]
fn decisions_end_a_game_once() {
    let score = FinalScore { south: HalfSeeds(47), north: HalfSeeds(49) };
    let ends = [
        (MatchEnd::Time(Side::South), Reason::Time, Some(Side::North)),
        (MatchEnd::Abandonment(Side::North), Reason::Abandonment, Some(Side::South)),
        (MatchEnd::Adjudication { winner: None, score }, Reason::Adjudication, None),
    ];
    for (end, reason, winner) in ends {
        let mut game = played(START, Rules::ABAPA, "F");
        let ending = game.end(end).unwrap();
        assert_eq!((ending.reason, ending.winner), (reason, winner));
        assert_eq!(game.end(end), Err(GameError::Over(reason)));
        assert_eq!(game.play_house(house("a")), Err(GameError::Over(reason)));
        assert!(game.legal_moves().is_empty());
    }
}

#[test]
fn refusals_name_the_house_and_change_nothing() {
    let refused = |text: &str, rules: &str, letter: &str| {
        let mut game = Game::from_position(parse(text, rules.parse().unwrap()));
        let before = game.clone();
        let error = game.play_house(house(letter)).unwrap_err();
        assert_eq!(game, before);
        match error {
            GameError::Play(error) => error,
            other => panic!("{other}"),
        }
    };
    assert_eq!(refused(START, "abapa", "a"), PlayError::NotYours(house("a")));
    let empty = "0-4-4-4-4-4-4-4-4-4-4-4-4-0-S";
    assert_eq!(refused(empty, "abapa", "A"), PlayError::EmptyHouse(house("A")));
    let feed = "1-0-0-0-0-2-0-0-0-0-0-0-22-23-S";
    assert_eq!(refused(feed, "abapa", "A"), PlayError::MustFeed(house("A")));
    assert_eq!(refused(feed, "awari", "A"), PlayError::LeavesNoSeed(house("A")));
    let slam = "0-0-0-0-1-1-1-0-0-0-0-0-22-23-S";
    assert_eq!(refused(slam, "slam-illegal", "F"), PlayError::GrandSlam(house("F")));
}

#[test]
fn a_limit_without_captures_is_a_loop() {
    let rules = "abapa,loop_split=even,capture_free_limit=3".parse().unwrap();
    let game = played("0-0-0-0-0-0-1-0-0-0-0-1-23-23-N", rules, "fAa");
    let ending = game.ending().unwrap();
    assert_eq!((ending.reason, halves(ending)), (Reason::CaptureFreeLimit, [48, 48]));
}

#[test]
fn half_seeds_read_and_show() {
    for text in ["0", "23.5", "48"] {
        assert_eq!(text.parse::<HalfSeeds>().unwrap().to_string(), text);
    }
    for text in ["", "48.5", "49", "-1", "2.0", ".5", "1e1", "100", "+4"] {
        assert!(text.parse::<HalfSeeds>().is_err(), "{text}");
    }
}

#[test]
fn setups_that_are_no_positions_say_what_they_hold() {
    let mut setup = parse(START, Rules::ABAPA).setup();
    setup.stores = [1, 255];
    let error = oware_rules::Position::new(setup, Rules::ABAPA).unwrap_err();
    assert_eq!(error.to_string(), "houses (48) and stores (256) hold 304 seeds, expected 48");
}
