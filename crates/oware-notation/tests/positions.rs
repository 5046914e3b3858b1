//! Position strings: the table of examples, round trips, errors.

mod common;

use common::{check_table, position_of, rules_of};
use oware_notation::{PositionError, PositionFormat, laws, read_position, write_position};
use oware_rules::{Position, Rules, Side};
use oware_testkit::TestRng;

/// The last column of the table for a text and the scores beside it.
fn told(text: &str, scores: &str) -> String {
    let scores = match scores {
        "-" => None,
        given => {
            let (own, other) = given.split_once(',').expect("two scores");
            Some([own.parse().unwrap(), other.parse().unwrap()])
        }
    };
    let read = read_position(text).and_then(|read| {
        let position = read.resolve(scores, Rules::ABAPA)?;
        Ok(format!("{}\t{position}", read.format))
    });
    read.unwrap_or_else(|error| format!("error\t{}: {error}", error.field()))
}

#[test]
fn the_table_of_examples_holds() {
    check_table("positions.txt", |line| {
        let mut columns = line.splitn(3, '\t');
        let (text, scores) = (columns.next().unwrap(), columns.next().expect("three columns"));
        format!("{text}\t{scores}\t{}", told(text, scores))
    });
}

#[test]
fn random_positions_come_back_from_every_form() {
    let mut rng = TestRng::from_env("notation_positions");
    for _ in 0..20_000 {
        let rules = rules_of(&rng.rules());
        let position = position_of(&rng.position(), rules);
        for format in PositionFormat::ALL {
            let text = write_position(&position, format);
            assert_eq!(format.name().parse(), Ok(format));
            let read = read_position(&text).unwrap();
            assert_eq!(read.format, format, "{text}");
            let own = position.store(position.to_move()).get();
            let other = position.store(position.to_move().other()).get();
            let again = read.resolve(Some([own, other]), rules).unwrap();
            match format {
                PositionFormat::TwelveNumbers => {
                    assert_eq!(again.to_move(), Side::South);
                    let seen = if position.to_move() == Side::South {
                        position
                    } else {
                        position.mirrored()
                    };
                    assert_eq!(again, seen, "{text}");
                }
                _ => {
                    assert_eq!(again, position, "{text}");
                    assert_eq!(read.resolve(None, rules), Ok(position), "{text}");
                }
            }
        }
        assert!(laws::position(&position.to_string()));
    }
}

#[test]
fn known_texts() {
    let start = Position::start(Rules::ABAPA);
    let texts = [
        "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
        "0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4",
        "4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1",
        "4 4 4 4 4 4 4 4 4 4 4 4",
    ];
    for (format, text) in PositionFormat::ALL.into_iter().zip(texts) {
        assert_eq!(write_position(&start, format), text);
    }
    // The North row stands first, from f to a; a bare number is a run of empty houses.
    let read = read_position("5,13S/4S,1,1S,2,3S 25 2 N 50").unwrap();
    assert_eq!(read.houses, [4, 0, 1, 0, 0, 3, 13, 0, 0, 0, 0, 0]);
    assert_eq!((read.stores, read.to_move), (Some([25, 2]), Some(Side::North)));
}

#[test]
fn kalah_is_refused_by_name() {
    for text in [
        "4 4 4 4 4 4 0 4 4 4 4 4 4 0",
        "4,4,4,4,4,4,0,4,4,4,4,4,4,0",
        "4-4-4-4-4-4-4-4-4-4-4-4-0-0",
    ] {
        assert_eq!(read_position(text), Err(PositionError::Kalah));
    }
    assert!(PositionError::Kalah.to_string().contains("Kalah"));
}

#[test]
fn errors_stay_short_whatever_is_given() {
    for text in ["9".repeat(1 << 20), "4-".repeat(1 << 20), "|".repeat(1 << 20), "é/".repeat(999)]
    {
        let error = read_position(&text).unwrap_err();
        assert!(error.to_string().len() < 300, "{error}");
    }
}
