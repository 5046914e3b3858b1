//! Move text: the table of examples and round trips.

mod common;

use common::{check_table, random_game};
use oware_notation::{MoveStyle, StatedMove, read_moves, read_stated_moves, write_moves};
use oware_rules::House;
use oware_testkit::TestRng;

#[test]
fn the_table_of_examples_holds() {
    check_table("moves.txt", |line| {
        let text = line.split('\t').next().unwrap();
        let told = match read_stated_moves(text) {
            Ok(moves) => format!(
                "{}\t{}",
                write_moves(&moves, MoveStyle::Joined),
                write_moves(&moves, MoveStyle::Numbered)
            ),
            Err(error) => format!("error\t{error}"),
        };
        format!("{text}\t{told}")
    });
}

#[test]
fn moves_of_random_games_come_back_in_every_style() {
    let mut rng = TestRng::from_env("notation_moves");
    for _ in 0..500 {
        let game = random_game(&mut rng);
        let moves: Vec<StatedMove> = game.plies().iter().map(StatedMove::from).collect();
        let houses: Vec<House> = game.houses_played().collect();
        for style in [MoveStyle::Joined, MoveStyle::Spaced, MoveStyle::Numbered] {
            let text = write_moves(&moves, style);
            assert_eq!(read_moves(&text).unwrap(), houses);
            if style != MoveStyle::Joined {
                assert_eq!(read_stated_moves(&text).unwrap(), moves);
            }
        }
    }
}

#[test]
fn offsets_are_bytes_from_the_beginning() {
    let error = read_moves("F f é").unwrap_err();
    assert_eq!((error.offset, error.found.as_str()), (4, "\"é\""));
    let error = read_moves("F f+").unwrap_err();
    assert_eq!((error.offset, error.found.as_str()), (4, "the end of the text"));
}
