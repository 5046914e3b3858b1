//! The search against the plainest one there is: every line played with [`Game`], no pruning.

use std::sync::atomic::AtomicBool;

use oware_rules::{Game, House, LoopSplit, Position, Reason, Repetition, Rules, Setup, Side};
use oware_search::Score;
use oware_search::plain::{Limits, search, value_moves};
use oware_testkit::random::TestRng;

/// Rules under which the game itself ends at the first return and never at 25, as the search
/// sees its tree.
fn as_searched(rules: Rules) -> Rules {
    Rules { play_on: true, repetition: Repetition::new(2), ..rules }
}

/// The final difference for South with best play on both sides, or `None` if some line is
/// longer than `depth` plies.
fn solve(game: &Game, depth: u32) -> Option<i32> {
    if let Some(ending) = game.ending() {
        let score = ending.score;
        return Some((i32::from(score.south.halves()) - i32::from(score.north.halves())) / 2);
    }
    if depth == 0 {
        return None;
    }
    let values = game.legal_moves().iter().map(|mv| {
        let mut next = game.clone();
        next.play(mv).unwrap();
        solve(&next, depth - 1)
    });
    let values: Option<Vec<i32>> = values.collect();
    let best = |values: Vec<i32>| match game.position().to_move() {
        Side::South => values.into_iter().max(),
        Side::North => values.into_iter().min(),
    };
    values.and_then(best)
}

fn small_position(rng: &mut TestRng, rules: Rules) -> Position {
    let mut houses = [0; 12];
    let seeds = rng.between(1, 4);
    for _ in 0..seeds {
        houses[rng.below(12)] += 1;
    }
    let south = rng.below(49 - seeds) as u8;
    let stores = [south, 48 - seeds as u8 - south];
    let to_move = Side::BOTH[rng.below(2)];
    Position::new(Setup { houses, stores, to_move }, rules).unwrap()
}

#[test]
fn equals_plain_minimax_where_every_line_ends() {
    let mut rng = TestRng::from_env("equals_plain_minimax_where_every_line_ends");
    let stop = AtomicBool::new(false);
    let mut solved = 0;
    for _ in 0..400 {
        let rules = as_searched(rng.rules().canonical_id().parse().unwrap());
        let game = Game::from_position(small_position(&mut rng, rules));
        let depth = 14;
        let Some(expected) = solve(&game, depth) else { continue };
        solved += 1;
        let found =
            search(&game, Limits { depth: Some(depth), ..Limits::default() }, &stop, &mut |_| {});
        let sign = if game.position().to_move() == Side::South { 1 } else { -1 };
        assert_eq!(found.score, Score::whole(sign * expected), "{} {rules}", game.position());
        let Some(best) = found.best else { continue };
        let values = value_moves(&game, depth, &stop);
        assert_eq!(values[0].score, found.score);
        assert!(values.iter().any(|value| value.mv == best && value.score == found.score));
    }
    assert!(solved > 100, "only {solved} positions were small enough");
}

#[test]
fn turning_the_board_changes_nothing() {
    let mut rng = TestRng::from_env("turning_the_board_changes_nothing");
    let stop = AtomicBool::new(false);
    for _ in 0..40 {
        let rules: Rules = rng.rules().canonical_id().parse().unwrap();
        let position: oware_testkit::oracle::OraclePosition = rng.position();
        let setup = Setup {
            houses: position.houses,
            stores: position.stores,
            to_move: Side::BOTH[position.to_move],
        };
        let position = Position::new(setup, rules).unwrap();
        let limits = Limits { depth: Some(5), ..Limits::default() };
        let one = search(&Game::from_position(position), limits, &stop, &mut |_| {});
        let other = search(&Game::from_position(position.mirrored()), limits, &stop, &mut |_| {});
        assert_eq!(one, other, "{position} {rules}");
    }
}

#[test]
fn a_node_limit_gives_the_same_result_every_time() {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let game = Game::new(Rules::ABAPA);
    let first = search(&game, limits, &stop, &mut |_| {});
    assert_eq!(first, search(&game, limits, &stop, &mut |_| {}));
    assert!(first.depth >= 4 && first.nodes <= 20_000, "{first:?}");
}

#[test]
fn the_line_is_legal_and_the_history_counts() {
    // After one round of this loop the next return ends the game.
    let twice = Repetition::new(2);
    let rules = Rules { loop_split: LoopSplit::Even, repetition: twice, ..Rules::ABAPA };
    let setup = Setup {
        houses: [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
        stores: [23, 23],
        to_move: Side::North,
    };
    let mut game = Game::from_position(Position::new(setup, rules).unwrap());
    for letter in "fAaBbCcDdEe".chars() {
        game.play_house(House::try_from(letter).unwrap()).unwrap();
    }
    let stop = AtomicBool::new(false);
    let found = search(&game, Limits { depth: Some(1), ..Limits::default() }, &stop, &mut |_| {});
    assert_eq!(found.score, Score::whole(0), "F leads back to the start: an even split");
    let found = search(
        &Game::new(Rules::AWARI),
        Limits { depth: Some(6), ..Limits::default() },
        &stop,
        &mut |_| {},
    );
    let mut game = Game::new(Rules::AWARI);
    assert_eq!(found.line.len(), 6);
    for mv in found.line {
        game.play(mv).unwrap();
    }
}

#[test]
fn a_stop_is_obeyed_and_a_finished_game_has_no_move() {
    let stop = AtomicBool::new(true);
    let found = search(&Game::new(Rules::ABAPA), Limits::default(), &stop, &mut |_| {});
    assert!(found.best.is_some() && found.nodes <= 1024);
    let setup = Setup { houses: [0; 12], stores: [24, 24], to_move: Side::South };
    let game = Game::from_position(Position::new(setup, Rules::ABAPA).unwrap());
    assert_eq!(game.ending().unwrap().reason, Reason::Even);
    let found = search(&game, Limits::default(), &stop, &mut |_| {});
    assert_eq!((found.best, found.score), (None, Score::whole(0)));
}
