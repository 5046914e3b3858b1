//! The positions of the rules page on which programs disagree, move by move, from either side.

use oware_testkit::{OracleGame, OraclePosition, OracleRules};

/// A game under the rules of that identity.
fn game(rules: &str, position: &str) -> OracleGame {
    let rules = OracleRules::parse(rules).unwrap();
    OracleGame::new(rules, OraclePosition::parse(position).unwrap())
}

/// Plays letters, every one of which must be legal, and the same with the board turned.
fn played(rules: &str, position: &str, letters: &str) -> OracleGame {
    let mut game = game(rules, position);
    game.play_letters(letters).unwrap();

    let mut turned = OracleGame::new(*game.rules(), game.positions()[0].mirrored());
    for letter in letters.chars() {
        let other = if letter.is_ascii_uppercase() {
            letter.to_ascii_lowercase()
        } else {
            letter.to_ascii_uppercase()
        };
        turned.play_letters(&other.to_string()).unwrap();
    }
    assert_eq!(*turned.position(), game.position().mirrored());
    let exchanged = end(&game).map(|(reason, [south, north])| (reason, [north, south]));
    assert_eq!(end(&turned), exchanged);
    game
}

/// The reason of the end and the final scores of South and North in seeds.
fn end(game: &OracleGame) -> Option<(&'static str, [f64; 2])> {
    let end = game.end()?;
    let [south, north] = end.final_scores_half;
    Some((end.reason, [f64::from(south) / 2.0, f64::from(north) / 2.0]))
}

#[test]
fn d1_slam_without_capture_then_nothing_feeds() {
    let game = played("abapa", "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S", "F");
    let done = &game.moves()[0];
    assert!(done.grand_slam);
    assert_eq!(done.captured, 0);
    assert_eq!(game.position().to_string(), "0-0-0-0-0-0-2-0-0-0-0-0-23-23-N");
    assert_eq!(end(&game), Some(("no_move", [23.0, 25.0])));
}

#[test]
fn d2_south_cannot_feed() {
    let game = played("abapa", "3-2-0-0-0-0-0-0-0-0-0-1-19-23-N", "f");
    assert_eq!(game.position().to_string(), "4-2-0-0-0-0-0-0-0-0-0-0-19-23-S");
    assert_eq!(end(&game), Some(("no_move", [25.0, 23.0])));
}

#[test]
fn d3_second_or_third_occurrence() {
    let start = "0-0-0-0-0-0-1-0-0-0-0-1-23-23-N";
    let round = "fAaBbCcDdEeF";
    let second = played("abapa,repetition=2", start, round);
    assert_eq!(second.moves().len(), 12);
    assert_eq!(end(&second), Some(("repetition", [23.0, 25.0])));

    let once = played("abapa", start, round);
    assert_eq!((end(&once), once.occurrences()), (None, 2));
    let third = played("abapa", start, &round.repeat(2));
    assert_eq!(end(&third), Some(("repetition", [23.0, 25.0])));

    let endless = played("abapa,repetition=off", start, &round.repeat(2));
    assert_eq!(end(&endless), None);
    assert_eq!(endless.occurrences(), 3);
}

#[test]
fn d4_own_rows_or_split_evenly() {
    let start = "1-1-0-0-0-0-1-0-0-0-0-0-22-23-S";
    let round = "BaAbCcDdEeFf";
    let own_rows = played("abapa-first-repetition", start, round);
    assert_eq!(end(&own_rows), Some(("repetition", [24.0, 24.0])));
    let even = played("abapa,repetition=2,loop_split=even", start, round);
    assert_eq!(end(&even), Some(("repetition", [23.5, 24.5])));
}

/// The houses come back as the mover sees them, but with the other side to move.
#[test]
fn d5_other_side_to_move_is_no_repetition() {
    let start = "0-0-0-0-1-0-1-0-0-0-0-3-22-21-S";
    let game = played("abapa-first-repetition", start, "EfBaCbEcDdE");
    let (first, now) = (game.positions()[0], game.position());
    assert_eq!((first.to_move, now.to_move), (0, 1));
    assert_eq!(first.seen_by(0).0, now.seen_by(1).0);
    assert_eq!(game.occurrences(), 1);
    assert_eq!(end(&game), None);
}

#[test]
fn d7_slam_legal_or_not() {
    let start = "0-0-0-0-1-1-1-0-0-0-0-0-22-23-S";
    let slam = played("abapa", start, "F");
    assert!(slam.moves()[0].grand_slam);
    assert_eq!(slam.moves()[0].captured, 0);
    assert_eq!(game("abapa", start).legal(), [4, 5]);
    for rules in ["slam-illegal", "awari"] {
        assert_eq!(game(rules, start).legal(), [4], "{rules}");
    }
}

#[test]
fn d8_majority_leaves_seeds_to_nobody() {
    let game = played("abapa", "0-0-0-0-0-2-1-2-4-0-0-0-20-19-S", "F");
    assert_eq!(end(&game), Some(("majority", [25.0, 19.0])));
    assert_eq!(game.position().row(0) + game.position().row(1), 4);
}

/// The example of the rules page for `opponent_takes_all`.
#[test]
fn awari_player_who_cannot_move_loses_the_rest() {
    let start = "3-2-0-0-0-0-0-0-0-0-0-0-20-23-S";
    assert_eq!(game("awari", start).legal(), [0, 1]);
    for letter in ["A", "B"] {
        let game = played("awari", start, letter);
        assert_eq!(end(&game), Some(("no_move", [25.0, 23.0])), "{letter}");
    }
}
