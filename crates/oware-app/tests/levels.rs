//! What the levels promise, under all rules: the same moves from the same seed, and play that is
//! weak but never silly. What a move costs is told by a search of the test's own.

use oware_app::{Computer, Control, Level};
use oware_rules::{Game, Move, PRESETS, Position, Reason, Rules, Setup, Side, SowingBoard};
use oware_search::{Engine, Limits, Options, Report};
use oware_testkit::TestRng;

/// The weaker levels, which err.
fn weak() -> impl Iterator<Item = Level> {
    Level::all().take(8)
}

/// A game after random moves that still runs. Sometimes the stores are such that a few seeds
/// decide.
fn random_game(rng: &mut TestRng, rules: Rules) -> Game {
    loop {
        let mut game = Game::new(rules);
        for _ in 0..rng.below(90) {
            let legal: Vec<Move> = game.legal_moves().iter().collect();
            if legal.is_empty() || game.is_over() {
                break;
            }
            game.play(*rng.pick(&legal)).unwrap();
        }
        let position = *game.position();
        let left: u8 = position.houses().iter().sum();
        if (3..25).contains(&left) && rng.one_in(2) {
            let near = 24 - rng.below(3) as u8;
            let mut stores = [near, 48 - left - near];
            stores.rotate_left(rng.below(2));
            let setup = Setup { stores, ..position.setup() };
            let Ok(position) = Position::new(setup, rules) else { continue };
            game = Game::from_position(position);
        }
        if !game.is_over() && game.legal_moves().len() > 1 {
            return game;
        }
    }
}

/// The values of all moves by a search of as many positions as the levels are held against.
fn reference(game: &Game) -> Report {
    let mut engine = Engine::new(Options { hash_mib: 1, ..Options::default() }).unwrap();
    let limits = Limits { lines: 6, ..Limits::nodes(16 * 1024) };
    let mut finished = Report::default();
    engine.search(game, &limits, &Control::new(), &mut |report| finished = report.clone());
    finished
}

/// What a move costs against the best, in hundredths of a seed.
fn cost(report: &Report, mv: Move) -> i32 {
    let line = report.lines.iter().find(|line| line.mv == mv).unwrap();
    (report.score() - line.score).hundredths()
}

fn captures(position: &Position, mv: Move) -> bool {
    position.board().sow(mv, position.rules()).captured > 0
}

fn wins(position: &Position, mv: Move) -> bool {
    let ending = position.ending_after(mv);
    ending
        .is_some_and(|end| end.reason == Reason::Majority && end.winner == Some(position.to_move()))
}

/// Whether the opponent can reach 25 by his next move.
fn loses_at_once(position: &Position, mv: Move) -> bool {
    match position.ending_after(mv) {
        Some(ending) => ending.winner == Some(position.to_move().other()),
        None => {
            let after = position.play(mv).unwrap();
            after.legal_moves().iter().any(|reply| wins(&after, reply))
        }
    }
}

#[test]
fn weak_levels_are_never_silly() {
    let mut rng = TestRng::from_env("weak_levels_are_never_silly");
    let (mut cheap, mut won, mut defended, mut erred) = (0, 0, 0, 0);
    for preset in &PRESETS {
        for _ in 0..12 {
            let game = random_game(&mut rng, preset.rules);
            let (position, report) = (game.position(), reference(&game));
            let seeds: u8 = position.houses().iter().sum();
            let legal: Vec<Move> = game.legal_moves().iter().collect();
            for level in weak() {
                let computer = Computer::new(level, rng.next_u64());
                let choice = computer.choose(&game, None, &Control::new()).unwrap();
                let mv = choice.house.as_move();
                let says = format!("{} level {level}: {position} {mv:?}", preset.name);
                assert!(legal.contains(&mv) && choice.house.side() == position.to_move(), "{says}");
                if legal.iter().any(|&mv| wins(position, mv)) {
                    assert!(wins(position, mv), "no win: {says}");
                    won += 1;
                    continue;
                }
                let takes = |mv: &Move| captures(position, *mv) && cost(&report, *mv) <= 100;
                let open: Vec<Move> = legal.iter().copied().filter(takes).collect();
                assert!(open.is_empty() || open.contains(&mv), "lets a capture lie: {says}");
                cheap += usize::from(!open.is_empty());
                let bound = 800.min(25 * i32::from(seeds));
                assert!(cost(&report, mv) <= bound.max(100), "loses too much: {says}");
                erred += usize::from(cost(&report, mv) > 0);
                let safe = legal.iter().any(|&mv| {
                    !loses_at_once(position, mv)
                        && cost(&report, mv) == 0
                        && (open.is_empty() || open.contains(&mv))
                });
                assert!(!safe || !loses_at_once(position, mv), "does not defend: {says}");
                let threatened = legal.iter().any(|&mv| loses_at_once(position, mv));
                defended += usize::from(safe && threatened);
            }
        }
    }
    // The test would be idle if none of it came up.
    assert!(
        cheap > 100 && won > 10 && defended > 10 && erred > 30,
        "{cheap} {won} {defended} {erred}"
    );
}

#[test]
fn the_same_seed_gives_the_same_moves() {
    let mut rng = TestRng::from_env("the_same_seed_gives_the_same_moves");
    let mut differ = 0;
    for preset in &PRESETS {
        let game = random_game(&mut rng, preset.rules);
        for level in Level::all().take(10) {
            let seed = rng.next_u64();
            let choose = |seed| Computer::new(level, seed).choose(&game, None, &Control::new());
            let first = choose(seed);
            let other = choose(!seed);
            assert_eq!(choose(seed), first, "level {level}, {}", preset.name);
            differ += usize::from(first != other);
        }
    }
    assert!(differ > 0, "seeds change nothing");
}

/// Plays a game; points of the first player: 2 for a win, 1 for a draw.
fn play(rules: Rules, south: Computer, north: Computer) -> (Game, [u32; 2]) {
    let mut game = Game::new(rules);
    while !game.is_over() && game.plies().len() < 600 {
        let computer = if game.position().to_move() == Side::South { south } else { north };
        let choice = computer.choose(&game, None, &Control::new()).unwrap();
        game.play_house(choice.house).unwrap();
    }
    let winner = game.ending().and_then(|ending| ending.winner);
    let points = match winner {
        Some(Side::South) => [2, 0],
        Some(Side::North) => [0, 2],
        None => [1, 1],
    };
    (game, points)
}

#[test]
fn levels_play_games_out_under_all_rules() {
    for (index, preset) in PRESETS.iter().enumerate() {
        let level = |number: usize| Level::new(number as u8 % 8 + 1).unwrap();
        let south = Computer::new(level(index), 5);
        let north = Computer::new(level(index + 3), 6);
        let (game, _) = play(preset.rules, south, north);
        assert!(game.is_over() || preset.rules.repetition.is_none(), "{}", preset.name);
    }
}

#[test]
fn a_much_higher_level_wins_a_small_match() {
    let [low, high] = [1, 6].map(|number| Level::new(number).unwrap());
    let mut points = 0;
    for seed in 0..5 {
        let [low, high] = [low, high].map(|level| Computer::new(level, seed));
        points += play(Rules::ABAPA, high, low).1[0] + play(Rules::ABAPA, low, high).1[1];
    }
    assert!(points >= 16, "level 6 against level 1: {points} of 20 half points");
}

#[test]
fn a_stopped_level_answers_at_once() {
    let control = Control::new();
    control.stop();
    let begun = std::time::Instant::now();
    for level in Level::all() {
        let game = Game::new(Rules::ABAPA);
        let choice = Computer::new(level, 1).choose(&game, None, &control).unwrap();
        assert!(game.legal_moves().contains(choice.house.as_move()), "{level}");
    }
    assert!(begun.elapsed().as_secs() < 20);
}
