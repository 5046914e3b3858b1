//! The engine against the plain search, and what it promises of its limits.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use oware_rules::{Board, Game, MoveSet, Position, Repetition, Rules, Setup, Side, SowingBoard};
use oware_search::{
    Bound, Control, Endgame, Engine, Limits, Options, Part, Parts, Report, Source, evaluate, plain,
};
use oware_testkit::endgame::{Convention, OracleTables, boards};
use oware_testkit::oracle::OracleRules;
use oware_testkit::random::TestRng;

fn quiet(engine: &mut Engine, game: &Game, limits: &Limits) -> Report {
    engine.search(game, limits, &Control::new(), &mut |_| {})
}

fn engine(options: Options) -> Engine {
    Engine::new(Options { hash_mib: 1, ..options }).unwrap()
}

/// The rules of a random game, as the program itself reads them.
fn rules(rng: &mut TestRng) -> Rules {
    rng.rules().canonical_id().parse().unwrap()
}

/// A game that went on by itself for some plies, from the start or from few seeds.
fn random_game(rng: &mut TestRng, rules: Rules) -> Game {
    let mut game = if rng.below(2) == 0 { Game::new(rules) } else { few_seeds(rng, rules) };
    for _ in 0..rng.below(60) {
        let legal: Vec<_> = game.legal_moves().iter().collect();
        if legal.is_empty() {
            break;
        }
        game.play_quick(legal[rng.below(legal.len())]).unwrap();
    }
    while game.is_over() && game.undo() {}
    game
}

fn few_seeds(rng: &mut TestRng, rules: Rules) -> Game {
    let mut houses = [0; 12];
    let seeds = rng.between(2, 12);
    for _ in 0..seeds {
        houses[rng.below(12)] += 1;
    }
    let south = (48 - seeds as u8) / 2;
    let stores = [south, 48 - seeds as u8 - south];
    let setup = Setup { houses, stores, to_move: Side::BOTH[rng.below(2)] };
    Game::from_position(Position::new(setup, rules).unwrap())
}

fn plain_value(game: &Game, depth: u32) -> Option<(i32, u64)> {
    let limits = plain::Limits { depth: Some(depth), nodes: None, estimate: evaluate };
    let report = plain::search(game, limits, &AtomicBool::new(false), &mut |_| {});
    report.best.map(|_| (report.score.hundredths(), report.nodes))
}

#[test]
fn check_mode_equals_the_plain_search() {
    let mut rng = TestRng::from_env("check_mode_equals_the_plain_search");
    let mut checker = engine(Options { check: true, ..Options::default() });
    for _ in 0..150 {
        let rules = rules(&mut rng);
        let game = random_game(&mut rng, rules);
        let depth = rng.between(1, 6) as u32;
        let Some((value, _)) = plain_value(&game, depth) else { continue };
        let report = quiet(&mut checker, &game, &Limits::depth(depth));
        assert_eq!(report.score().hundredths(), value, "depth {depth} of {}", game.position());
    }
}

/// Loops matter most where few seeds are left and the search looks far.
#[test]
fn check_mode_equals_the_plain_search_in_loops() {
    let mut rng = TestRng::from_env("check_mode_equals_the_plain_search_in_loops");
    let mut checker = engine(Options { check: true, ..Options::default() });
    for _ in 0..60 {
        let rules = rules(&mut rng);
        let mut game = few_seeds(&mut rng, rules);
        for _ in 0..rng.below(30) {
            let legal: Vec<_> = game.legal_moves().iter().collect();
            if legal.is_empty() {
                break;
            }
            game.play_quick(legal[rng.below(legal.len())]).unwrap();
        }
        let depth = 14;
        let limits = plain::Limits { depth: Some(depth), nodes: Some(300_000), estimate: evaluate };
        let report = plain::search(&game, limits, &AtomicBool::new(false), &mut |_| {});
        if report.depth < depth || report.best.is_none() {
            continue;
        }
        let checked = quiet(&mut checker, &game, &Limits::depth(depth));
        assert_eq!(checked.score(), report.score, "{} {:?}", game.position(), game.rules());
    }
}

#[test]
fn the_same_search_twice_sees_the_same_positions() {
    let mut rng = TestRng::from_env("the_same_search_twice_sees_the_same_positions");
    let mut engine = engine(Options::default());
    for _ in 0..10 {
        let rules = rules(&mut rng);
        let game = random_game(&mut rng, rules);
        let mut first = quiet(&mut engine, &game, &Limits::nodes(30_000));
        engine.clear();
        let again = quiet(&mut engine, &game, &Limits::nodes(30_000));
        engine.clear();
        first.elapsed = again.elapsed;
        assert_eq!(first, again, "{}", game.position());
    }
}

#[test]
fn every_move_is_legal_under_all_rules_and_lines_can_be_played() {
    let mut rng = TestRng::from_env("every_move_is_legal_under_all_rules");
    let mut engine = engine(Options::default());
    for _ in 0..200 {
        let rules = rules(&mut rng);
        let game = random_game(&mut rng, rules);
        let legal = game.position().board().legal(&rules);
        let lines = rng.below(8);
        let limits = Limits { lines, ..Limits::nodes(2_000) };
        let report = quiet(&mut engine, &game, &limits);
        assert_eq!(report.lines.len(), lines.max(1).min(legal.len()), "{}", game.position());
        let mut seen = MoveSet::EMPTY;
        for line in &report.lines {
            assert!(legal.contains(line.mv) && !seen.contains(line.mv));
            assert_eq!(line.moves[0], line.mv);
            seen.insert(line.mv);
            let mut board = game.position().board();
            for &mv in &line.moves {
                assert!(board.legal(&rules).contains(mv), "{} {line:?}", game.position());
                board = board.sow(mv, &rules).board;
            }
        }
        assert!(report.lines.is_sorted_by_key(|line| -line.score.hundredths()), "{report:?}");
    }
}

#[test]
fn only_the_moves_asked_for_are_looked_at() {
    let mut engine = engine(Options::default());
    let game = Game::new(Rules::ABAPA);
    for bits in 0..64 {
        let moves = MoveSet::from_bits(bits);
        let limits = Limits { moves: Some(moves), ..Limits::nodes(1_000) };
        let report = quiet(&mut engine, &game, &limits);
        assert_eq!(report.best().is_some(), !moves.is_empty());
        assert!(report.best().is_none_or(|mv| moves.contains(mv)));
    }
}

#[test]
fn parts_can_be_left_out() {
    let game = Game::new(Rules::ABAPA);
    let all = quiet(&mut engine(Options::default()), &game, &Limits::depth(9)).nodes;
    for part in Part::ALL {
        let parts = Parts::ALL.without(part);
        assert_eq!(Parts::all_but(&parts.to_string()), Ok(parts));
        let report =
            quiet(&mut engine(Options { parts, ..Options::default() }), &game, &Limits::depth(9));
        assert_ne!(report.nodes, all, "{part:?} changes nothing");
    }
    assert!(Parts::all_but("table+nothing").unwrap_err().contains("\"nothing\""));
}

#[test]
fn stops_when_told_and_still_has_a_move() {
    for threads in [1, 2] {
        let mut engine = engine(Options { threads, ..Options::default() });
        let control = Control::new();
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(30));
                control.stop();
            });
            let report =
                engine.search(&Game::new(Rules::ABAPA), &Limits::default(), &control, &mut |_| {});
            assert!(report.best().is_some() && report.depth > 4);
        });
        let stopped =
            engine.search(&Game::new(Rules::ABAPA), &Limits::default(), &control, &mut |_| {});
        assert!(stopped.best().is_some(), "stopped before it began");
    }
}

#[test]
fn time_and_nodes_end_a_search() {
    let mut engine = engine(Options { threads: 2, ..Options::default() });
    let game = Game::new(Rules::ABAPA);
    let begun = Instant::now();
    quiet(&mut engine, &game, &Limits::time(Duration::from_millis(20)));
    assert!(begun.elapsed() < Duration::from_secs(5));
    let nodes = quiet(&mut engine, &game, &Limits::nodes(100_000)).nodes;
    assert!((100_000..110_000).contains(&nodes), "{nodes}");
    let mut alone = self::engine(Options::default());
    for nodes in [1, 2, 7, 100, 1_023, 1_024, 1_025, 5_000] {
        let report = quiet(&mut alone, &game, &Limits::nodes(nodes));
        assert!(report.best().is_some());
        assert_eq!(report.nodes, nodes);
    }
}

#[test]
fn pondering_ends_only_after_the_hit() {
    let mut engine = engine(Options::default());
    let control = Control::pondering();
    let wait = Duration::from_millis(60);
    let begun = Instant::now();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(wait);
            control.ponder_hit();
        });
        let limits = Limits::time(Duration::from_millis(1));
        engine.search(&Game::new(Rules::ABAPA), &limits, &control, &mut |_| {});
    });
    assert!(begun.elapsed() >= wait);
}

/// The even values of boards up to some seeds, by the plain solver of the testkit.
struct Known(OracleTables);

impl Endgame for Known {
    fn most_seeds(&self) -> u8 {
        self.0.seeds() as u8
    }

    fn value(&self, board: Board) -> Option<i8> {
        let seeds = usize::from(board.total());
        (seeds <= self.0.seeds()).then(|| self.0.value(Convention::Even, &board.houses()))
    }
}

#[test]
fn tables_are_used_at_the_root_and_below() {
    let rules = Rules { repetition: Repetition::new(2), ..Rules::ABAPA };
    let known = Arc::new(Known(OracleTables::solve(&OracleRules::default(), 4)));
    let mut engine = engine(Options::default());
    engine.set_endgame(Some(known.clone()));
    for houses in (1..=4).flat_map(boards) {
        let board = Board::from_houses(houses).unwrap();
        let value = known.value(board).unwrap();
        let seeds: u8 = houses.iter().sum();
        let stores = [(48 - seeds) / 2, (48 - seeds).div_ceil(2)];
        let setup = Setup { houses, stores, to_move: Side::South };
        let game = Game::from_position(Position::new(setup, rules).unwrap());
        let report = quiet(&mut engine, &game, &Limits::nodes(5_000));
        let Some(best) = report.best() else { continue };
        let lead = 100 * (i32::from(stores[0]) - i32::from(stores[1]));
        assert_eq!(report.score().hundredths(), lead + 100 * i32::from(value), "{houses:?}");
        assert_eq!(report.lines[0].source, Source::Table);
        let sown = board.sow(best, &rules);
        let after = known.value(sown.board).unwrap();
        assert_eq!(sown.captured as i8 - after, value, "{houses:?}: the move keeps the value");
    }
}

#[test]
fn a_value_outside_its_window_is_told_as_a_bound() {
    let mut rng = TestRng::from_env("a_value_outside_its_window_is_told_as_a_bound");
    let mut engine = engine(Options::default());
    let (mut bounds, mut exact) = (0, 0);
    for _ in 0..300 {
        let game = random_game(&mut rng, Rules::ABAPA);
        let nodes = rng.between(500, 20_000) as u64;
        let report = quiet(&mut engine, &game, &Limits::nodes(nodes));
        match report.lines.first().map(|line| line.bound) {
            Some(Bound::Exact) => exact += 1,
            Some(_) => bounds += 1,
            None => {}
        }
        // A depth that was finished has no bounds.
        let report = quiet(&mut engine, &game, &Limits::depth(6));
        assert!(report.lines.iter().all(|line| line.bound == Bound::Exact), "{report:?}");
    }
    assert!(bounds > 0 && exact > bounds, "{bounds} bounds, {exact} exact");
}
