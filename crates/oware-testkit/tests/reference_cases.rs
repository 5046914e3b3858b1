//! The oracle agrees with every reference case, played from either side of the board.

use oware_testkit::cases::{MoveCase, PerftCase, RuleCase, game_cases, perft_cases, rule_cases};
use oware_testkit::oracle::{CASE_NAMES, OraclePerft};
use oware_testkit::{OracleGame, OraclePosition, OracleRules};

/// The largest number of move sequences of one depth that is counted again.
const MOST_LEAVES: u64 = 300_000;

/// Scores of South and North as the given player sees them, his own first.
fn own_first(scores: [u16; 2], player: usize) -> [u16; 2] {
    [scores[player], scores[1 - player]]
}

/// Compares one line of `rules.jsonl`, with the mover in the place of `player`.
fn check_rule_case(case: &RuleCase, player: usize) {
    let rules = OracleRules::preset(&case.rules).unwrap();
    let position = OraclePosition::from_mover_view(case.houses, case.scores, player);
    let at = format!("line {}, {}, {position}", case.id, case.rules);

    let over = position.over(&rules);
    assert_eq!(over.map(|(reason, _)| reason), case.over.as_deref(), "{at}: over");
    let scores = over.map(|(_, scores)| own_first(scores, player));
    assert_eq!(scores, case.final_half, "{at}: final scores");

    let legal = OracleGame::new(rules, position).legal();
    assert_eq!(legal, case.legal, "{at}: legal moves");
    if over.is_none() {
        assert_eq!(position.legal(&rules), case.legal, "{at}: legal moves of the position");
    }
    assert_eq!(case.moves.keys().copied().collect::<Vec<_>>(), case.legal, "{at}: the line itself");
    for (index, expected) in &case.moves {
        check_move(&position, &rules, *index, expected, &format!("{at}, move {index}"));
    }
}

/// Compares one move of a line.
fn check_move(
    position: &OraclePosition,
    rules: &OracleRules,
    index: usize,
    expected: &MoveCase,
    at: &str,
) {
    let player = position.to_move;
    let done = position.apply(rules, index);
    let (houses, stores) = done.position.seen_by(player);
    assert_eq!(houses, expected.houses, "{at}: houses");
    assert_eq!(stores, expected.scores, "{at}: scores");
    assert_eq!(done.position.to_move, 1 - player, "{at}: to move");
    assert_eq!(done.captured, expected.captured, "{at}: captured");
    assert_eq!(done.given, expected.given, "{at}: given");
    assert_eq!(done.grand_slam, expected.grand_slam, "{at}: grand slam");
    assert_eq!(done.terminal, expected.terminal.as_deref(), "{at}: terminal");
    let scores = done.final_scores_half.map(|scores| own_first(scores, player));
    assert_eq!(scores, expected.final_half, "{at}: final scores");
    if done.terminal != Some("grand_slam_rest") {
        let seen = done.position.over(rules).map(|(reason, _)| reason);
        assert_eq!(seen, done.terminal, "{at}: the position after the move by itself");
    }
}

#[test]
fn every_line_of_the_rules_cases() {
    for case in rule_cases() {
        check_rule_case(&case, 0);
        check_rule_case(&case, 1);
    }
}

#[test]
fn every_game() {
    for (number, case) in game_cases().iter().enumerate() {
        let rules = OracleRules::preset(&case.rules).unwrap();
        let mut game = OracleGame::new(rules, OraclePosition::start());
        game.play_letters(&case.moves).unwrap_or_else(|error| panic!("game {number}: {error}"));
        let end = game.end().unwrap_or_else(|| panic!("game {number} is not over"));
        assert_eq!(game.moves().len(), case.plies, "game {number}");
        assert_eq!(end.reason, case.reason, "game {number}");
        assert_eq!(end.final_scores_half, case.scores_half, "game {number}");
    }
}

/// The game with the board turned ends in the same way.
#[test]
fn every_game_turned_round() {
    for (number, case) in game_cases().iter().enumerate() {
        let rules = OracleRules::preset(&case.rules).unwrap();
        let mut game = OracleGame::new(rules, OraclePosition::start().mirrored());
        let mut letters = String::new();
        for letter in case.moves.chars() {
            letters.push(if letter.is_ascii_uppercase() {
                letter.to_ascii_lowercase()
            } else {
                letter.to_ascii_uppercase()
            });
        }
        game.play_letters(&letters).unwrap_or_else(|error| panic!("game {number}: {error}"));
        let end = game.end().unwrap_or_else(|| panic!("game {number} is not over"));
        assert_eq!(end.reason, case.reason, "game {number}");
        assert_eq!(end.final_scores_half, own_first(case.scores_half, 1), "game {number}");
    }
}

/// Compares the counts of one position under one set of rules, as deep as they are small enough.
fn check_perft(case: &PerftCase, name: &str, player: usize) {
    let rules = OracleRules::preset(name).unwrap();
    let position = OraclePosition::from_mover_view(case.houses, case.scores, player);
    let expected = &case.counts[name];
    let depths = expected.iter().take_while(|count| **count <= MOST_LEAVES).count();
    let counted: Vec<OraclePerft> = position.perft(&rules, depths - 1);
    for (depth, counts) in counted.iter().enumerate() {
        let at = format!("{}, {name}, depth {depth}", case.name);
        assert_eq!(counts.leaves, expected[depth], "{at}: sequences");
        if let Some(ended) = case.ended.get(name) {
            assert_eq!(counts.ended, ended[depth], "{at}: finished games");
        }
        if let Some(slams) = case.slams.get(name) {
            assert_eq!(counts.slams, slams[depth], "{at}: grand slams");
        }
    }
}

/// Counts the positions of one half of the case names: the halves run side by side.
fn check_every_perft(names: &[&str]) {
    for (number, case) in perft_cases().iter().enumerate() {
        for name in names {
            check_perft(case, name, number % 2);
        }
    }
}

#[test]
fn perft_first_names() {
    check_every_perft(&CASE_NAMES[..4]);
}

#[test]
fn perft_last_names() {
    check_every_perft(&CASE_NAMES[4..]);
}
