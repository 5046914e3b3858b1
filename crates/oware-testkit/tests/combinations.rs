//! Combinations of fields that the reference cases do not reach.

use oware_testkit::{OracleGame, OraclePosition, OracleRules};

fn rules(id: &str) -> OracleRules {
    OracleRules::parse(id).unwrap_or_else(|| panic!("{id}"))
}

fn position(text: &str) -> OraclePosition {
    OraclePosition::parse(text).unwrap_or_else(|| panic!("{text}"))
}

/// F is a grand slam of one house, E leaves North a seed.
const SLAM_OR_NOT: &str = "0-0-0-0-1-1-1-0-0-0-0-0-22-23-S";
/// The only move is a grand slam of the houses a and b.
const ONLY_SLAM: &str = "0-0-0-0-0-2-1-2-0-0-0-0-20-23-S";

#[test]
fn leave_a_seed_beside_every_grand_slam_rule() {
    for (grand_slam, expected) in [
        ("no_capture", vec![4, 5]),
        ("illegal", vec![4]),
        ("opponent_takes_rest", vec![4]),
        ("keep_last", vec![4, 5]),
        ("keep_first", vec![4, 5]),
        ("captures", vec![4]),
    ] {
        let rules = rules(&format!("abapa,grand_slam={grand_slam},feeding=leave_a_seed"));
        assert_eq!(position(SLAM_OR_NOT).legal(&rules), expected, "{grand_slam}");
    }
}

#[test]
fn leave_a_seed_when_only_a_slam_is_left() {
    for (grand_slam, expected) in [
        ("no_capture", vec![5]),
        ("illegal", vec![]),
        ("opponent_takes_rest", vec![5]),
        ("keep_last", vec![5]),
        ("keep_first", vec![5]),
        ("captures", vec![5]),
    ] {
        let rules = rules(&format!("abapa,grand_slam={grand_slam},feeding=leave_a_seed"));
        assert_eq!(position(ONLY_SLAM).legal(&rules), expected, "{grand_slam}");
    }
}

/// What a grand slam of two houses takes, and in which order.
#[test]
fn captured_houses_in_the_order_of_capture() {
    for (grand_slam, captured, houses) in [
        ("no_capture", 0, vec![]),
        ("opponent_takes_rest", 5, vec![7, 6]),
        ("keep_last", 2, vec![6]),
        ("keep_first", 3, vec![7]),
        ("captures", 5, vec![7, 6]),
    ] {
        let rules = rules(&format!("abapa,grand_slam={grand_slam}"));
        let done = position(ONLY_SLAM).apply(&rules, 5);
        assert!(done.grand_slam, "{grand_slam}");
        assert_eq!(done.captured, captured, "{grand_slam}");
        assert_eq!(done.captured_houses, houses, "{grand_slam}");
        assert_eq!(done.last_house, 7, "{grand_slam}");
    }
}

/// The origin is skipped on every lap: 23 seeds skip it twice.
#[test]
fn origin_is_skipped_on_every_lap() {
    let before = position("23-0-0-0-0-0-0-0-0-0-0-0-12-13-S");
    let done = before.apply(&OracleRules::default(), 0);
    assert_eq!(done.position.to_string(), "0-3-2-2-2-2-2-2-2-2-2-2-12-13-N");
    assert_eq!(done.last_house, 1);
}

/// With `play_on` the game goes past 25 and 24-24, to the last seed.
#[test]
fn play_on_goes_to_the_last_seed() {
    let ahead = position("0-0-0-0-1-0-1-0-0-0-0-0-26-20-S");
    assert_eq!(ahead.over(&rules("abapa")), Some(("majority", [52, 40])));
    assert_eq!(ahead.over(&rules("abapa,play_on=yes")), None);
    let even = position("0-0-0-0-0-0-0-0-0-0-0-0-24-24-S");
    assert_eq!(even.over(&rules("abapa")), Some(("even", [48, 48])));
    assert_eq!(even.over(&rules("abapa,play_on=yes")), Some(("no_move", [48, 48])));
}

/// A grand slam that hands out the rest ends the game first, with 25 seeds and with `play_on` too.
#[test]
fn grand_slam_rest_comes_first() {
    for id in ["slam-opponent-takes-rest", "slam-opponent-takes-rest,play_on=yes"] {
        let done = position("1-0-0-0-0-1-1-0-0-0-0-0-23-22-S").apply(&rules(id), 5);
        assert_eq!(done.terminal, Some("grand_slam_rest"), "{id}");
        assert_eq!((done.captured, done.given), (2, 1), "{id}");
        assert_eq!(done.final_scores_half, Some([50, 46]), "{id}");
    }
}

/// Who takes the seeds of a player who has some but cannot feed.
#[test]
fn stuck_decides_who_takes_the_rest() {
    let start = position("4-2-0-0-0-0-0-0-0-0-0-0-19-23-S");
    assert_eq!(start.over(&rules("abapa")), Some(("no_move", [50, 46])));
    let all = rules("abapa,stuck=opponent_takes_all");
    assert_eq!(start.over(&all), Some(("no_move", [38, 58])));
}

#[test]
fn only_slams_left_is_no_move_under_illegal() {
    let start = position(ONLY_SLAM);
    assert_eq!(start.over(&rules("slam-illegal")), Some(("no_move", [44, 52])));
}

/// A feeding move that is a grand slam on an empty row feeds, though `illegal` forbids it.
#[test]
fn slam_on_an_empty_row() {
    let start = position("0-0-0-0-0-17-0-0-0-0-0-0-15-16-S");
    let done = start.apply(&rules("slam-captures"), 5);
    assert!(done.grand_slam);
    assert_eq!(done.captured, 12);
    assert!(start.legal(&rules("slam-illegal")).is_empty());
}

#[test]
fn capture_free_limit_counts_plies_since_the_last_capture() {
    let start = position("0-0-0-0-0-0-1-0-0-0-0-1-23-23-N");
    let mut game = OracleGame::new(rules("abapa,repetition=off,capture_free_limit=5"), start);
    game.play_letters("fAaB").unwrap();
    assert_eq!(game.end(), None);
    game.play_letters("b").unwrap();
    let end = game.end().unwrap();
    assert_eq!(end.reason, "capture_free_limit");
    assert_eq!(end.final_scores_half, game.position().loop_scores_half(game.rules()));
    assert!(game.play(0).is_err());

    // The first move captures, so the count starts after it.
    let start = position("1-0-0-0-0-1-1-0-0-0-1-0-22-22-S");
    let mut game = OracleGame::new(rules("abapa,capture_free_limit=1"), start);
    game.play_letters("F").unwrap();
    assert_eq!((game.moves()[0].captured, game.plies_without_capture()), (2, 0));
    assert_eq!(game.end(), None);
    game.play_letters("e").unwrap();
    assert_eq!(game.end().map(|end| end.reason), Some("capture_free_limit"));
}

/// When both are reached by one move, repetition is the reason.
#[test]
fn repetition_stands_before_the_limit() {
    let start = position("0-0-0-0-0-0-1-0-0-0-0-1-23-23-N");
    let mut game = OracleGame::new(rules("abapa,repetition=2,capture_free_limit=12"), start);
    game.play_letters("fAaBbCcDdEeF").unwrap();
    assert_eq!(game.end().map(|end| end.reason), Some("repetition"));
}

#[test]
fn agreed_loops_are_settled_once() {
    let start = position("1-1-0-0-0-0-1-0-0-0-0-0-22-23-S");
    for (id, expected) in [("abapa", [48, 48]), ("abapa,loop_split=even", [47, 49])] {
        let mut game = OracleGame::new(rules(id), start);
        let end = game.agree_loop().unwrap();
        assert_eq!((end.reason, end.final_scores_half), ("loop_agreed", expected), "{id}");
        assert!(game.agree_loop().is_err());
        assert!(game.legal().is_empty());
    }
}

/// A grand slam that captures nothing clears neither the history nor the count of plies.
#[test]
fn slam_without_capture_does_not_clear_the_history() {
    for grand_slam in ["no_capture", "keep_last", "keep_first"] {
        let id = format!("abapa,grand_slam={grand_slam},capture_free_limit=2");
        let mut game = OracleGame::new(rules(&id), position("1-0-0-0-0-1-1-0-0-0-0-0-22-23-S"));
        game.play_letters("F").unwrap();
        let slam = &game.moves()[0];
        assert_eq!((slam.grand_slam, slam.captured), (true, 0), "{id}");
        assert_eq!(game.plies_without_capture(), 1, "{id}");
        game.play_letters("a").unwrap();
        assert_eq!(game.end().map(|end| end.reason), Some("capture_free_limit"), "{id}");
    }
}
