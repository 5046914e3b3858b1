//! Positions and games to measure on, the same at every run with the same seed.

use oware_app::InMemory;
use oware_rules::{
    Board, CaptureFreeLimit, Feeding, Game, GrandSlam, LoopSplit, Move, MoveSet, PRESETS, Position,
    Repetition, Rules, Setup, Side, SowingBoard, Stuck, TOTAL_SEEDS,
};
use oware_search::{Control, Endgame, Engine, Limits, Report};
use oware_tables::{Houses, Layer};

use crate::random::Random;

/// A board of a layer, each as likely as the others.
pub(crate) fn houses(random: &mut Random, seeds: usize) -> Houses {
    let layer = Layer::new(seeds);
    let index = random.below(usize::try_from(layer.size()).expect("a small layer"));
    layer.board(index as u64).expect("the index is within the layer")
}

/// A position with these houses as its mover sees them. Who moves and the stores are random, the
/// stores such that nobody has won yet, if that can be.
pub(crate) fn position(random: &mut Random, houses: Houses, rules: Rules) -> Position {
    let rest = TOTAL_SEEDS - houses.iter().sum::<u8>();
    let half = TOTAL_SEEDS / 2;
    let (least, most) = (rest.saturating_sub(half), rest.min(half));
    let own = least + random.below(usize::from(most - least) + 1) as u8;
    let mover = Side::BOTH[random.below(2)];
    let setup = Setup::from_mover(houses, [own, rest - own], mover);
    Position::new(setup, rules).expect("48 seeds in all")
}

/// One of some moves; `None` of none.
pub(crate) fn pick(random: &mut Random, moves: MoveSet) -> Option<Move> {
    if moves.is_empty() { None } else { moves.iter().nth(random.below(moves.len())) }
}

/// Plays some random moves, but none that ends the game.
pub(crate) fn stray(random: &mut Random, game: &mut Game, plies: usize) {
    for _ in 0..plies {
        let Some(mv) = pick(random, game.legal_moves()) else { return };
        game.play_quick(mv).expect("the move is legal");
        if game.is_over() {
            game.undo();
            return;
        }
    }
}

/// Positions with a past for comparing searches: under every preset the start, games after random
/// moves, and few seeds after moves that go round.
pub(crate) fn mixed(random: &mut Random) -> Vec<Game> {
    let mut games = Vec::new();
    for preset in PRESETS {
        games.push(Game::new(preset.rules));
        for plies in [10, 25, 45] {
            let mut game = Game::new(preset.rules);
            stray(random, &mut game, plies);
            games.push(game);
        }
        for seeds in [5, 9, 14] {
            let start = position_that_goes_on(random, seeds, preset.rules);
            let mut game = Game::from_position(start);
            stray(random, &mut game, 14);
            games.push(game);
        }
    }
    games
}

/// A random position that is not over.
pub(crate) fn position_that_goes_on(random: &mut Random, seeds: usize, rules: Rules) -> Position {
    loop {
        let houses = houses(random, seeds);
        let position = position(random, houses, rules);
        if position.ending().is_none() {
            return position;
        }
    }
}

/// Rules of which every field is chosen by itself.
pub(crate) fn rules(random: &mut Random) -> Rules {
    fn one<T: Copy>(random: &mut Random, values: &[T]) -> T {
        values[random.below(values.len())]
    }
    Rules {
        grand_slam: one(random, GrandSlam::ALL),
        feeding: one(random, Feeding::ALL),
        stuck: one(random, Stuck::ALL),
        loop_split: one(random, LoopSplit::ALL),
        repetition: Repetition::new(one(random, &[0, 2, 3, 4, 7])),
        capture_free_limit: CaptureFreeLimit::new(one(random, &[0, 1, 2, 15, 50, 100])),
        play_on: random.chance(0.5),
    }
}

/// A game as `oware replay --json` reads it.
pub(crate) fn told(game: &Game) -> String {
    let moves: String = game.houses_played().map(oware_rules::House::letter).collect();
    let (rules, start) = (game.rules(), game.start());
    format!("{{\"rules\":\"{rules}\",\"position\":\"{start}\",\"moves\":\"{moves}\"}}")
}

/// What a move is worth by tables, in seeds for who plays it, whatever the stores.
pub(crate) fn value_of_move(
    tables: &InMemory,
    board: Board,
    mv: Move,
    rules: &Rules,
) -> Option<i32> {
    let sown = board.sow(mv, rules);
    let gain = i32::from(sown.captured) - i32::from(sown.given);
    match sown.ends_by_slam(rules) {
        true => Some(gain),
        false => Some(gain - i32::from(tables.value(sown.board)?)),
    }
}

/// Searches without anybody who listens or stops it.
pub(crate) fn quietly(engine: &mut Engine, game: &Game, limits: &Limits) -> Report {
    engine.search(game, limits, &Control::new(), &mut |_| {})
}
