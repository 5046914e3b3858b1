//! Conversions between the test kit's plain values and the crate's.
#![allow(dead_code)] // each test file uses some of them

use oware_rules::{Game, Position, Rules, Setup, Side};
use oware_testkit::{OraclePosition, OracleRules};

pub(crate) fn rules(oracle: &OracleRules) -> Rules {
    oracle.canonical_id().parse().unwrap()
}

pub(crate) fn position(oracle: &OraclePosition, rules: Rules) -> Position {
    let setup =
        Setup { houses: oracle.houses, stores: oracle.stores, to_move: Side::BOTH[oracle.to_move] };
    Position::new(setup, rules).unwrap()
}

/// A position from its canonical string.
pub(crate) fn parse(text: &str, rules: Rules) -> Position {
    position(&OraclePosition::parse(text).unwrap(), rules)
}

/// A game from a position with these moves played.
pub(crate) fn played(text: &str, rules: Rules, moves: &str) -> Game {
    let mut game = Game::from_position(parse(text, rules));
    for letter in moves.chars() {
        game.play_house(letter.try_into().unwrap()).unwrap();
    }
    game
}

/// Final scores in half seeds, South's first.
pub(crate) fn halves(ending: oware_rules::Ending) -> [u16; 2] {
    [ending.score.south.halves(), ending.score.north.halves()]
}
