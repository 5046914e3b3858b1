//! The measurements on a small scale; tables of a few seeds are built for them.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use oware_app::{InMemory, Knowledge};
use oware_retro::{BuildJob, Target, build};
use oware_rules::{PRESETS, Rules};
use oware_search::{Engine, Limits, Options, Parts, evaluate, plain};
use oware_tables::TableSet;
use oware_testkit::TestRng;

use super::adversary::Adversary;
use super::{depth, differ, lost, memory, positions, selfplay, sure, truth};
use crate::random::Random;

/// Layers that are built.
const SEEDS: usize = 7;

fn random(name: &str) -> Random {
    Random::new(TestRng::from_env(name).seed())
}

/// A directory with tables of `abapa`.
fn root() -> &'static Path {
    static ROOT: OnceLock<tempfile::TempDir> = OnceLock::new();
    ROOT.get_or_init(|| {
        let root = tempfile::tempdir().unwrap();
        let (rules, targets) = (Rules::ABAPA.table_rules(), [Target::Even, Target::Bounds]);
        build(&BuildJob::quiet(root.path(), rules, &targets, SEEDS)).unwrap();
        root
    })
    .path()
}

fn set() -> TableSet {
    TableSet::open(root(), Rules::ABAPA.table_rules()).unwrap()
}

#[test]
fn moves_keep_the_exact_value_with_tables() {
    let rules = truth::own_game(Rules::ABAPA);
    let values = InMemory::load(&set(), SEEDS as u8, 1).unwrap().unwrap();
    let knowledge = Knowledge::open(root(), &rules).unwrap();
    for (name, mut player) in truth::players(knowledge, &values).unwrap() {
        let mut drawn = random("moves_keep_the_exact_value_with_tables");
        let mut stores = drawn.clone();
        let boards = truth::boards(4, SEEDS, 1_000, &mut drawn);
        let kept = truth::check(&mut player, &values, rules, 200, &mut stores, boards).unwrap();
        assert!(kept.lost.is_empty(), "{name}: {:?}", kept.lost);
        assert!(kept.boards > 2_000 && kept.single * 2 < kept.boards, "{name}: {kept:?}");
    }
}

#[test]
fn a_move_that_loses_the_value_is_seen() {
    let rules = truth::own_game(Rules::ABAPA);
    let values = InMemory::load(&set(), SEEDS as u8, 1).unwrap().unwrap();
    // One position is not enough to find the best move, without tables.
    let mut player = selfplay::player(1).unwrap();
    let mut drawn = random("a_move_that_loses_the_value_is_seen");
    let mut stores = drawn.clone();
    let boards = truth::boards(4, SEEDS, 500, &mut drawn);
    let kept = truth::check(&mut player, &values, rules, 1, &mut stores, boards).unwrap();
    assert!(!kept.lost.is_empty());
}

#[test]
fn what_is_sure_is_reached() {
    for rules in [Rules::ABAPA, Rules::ABAPA_FIRST_REPETITION] {
        let tables = Knowledge::open(root(), &rules).unwrap();
        let mut player = sure::player(tables.clone(), &set(), SEEDS).unwrap();
        let mut random = random("what_is_sure_is_reached");
        for adversary in Adversary::ALL {
            let mut trial = sure::Trial {
                player: &mut player,
                tables: &tables,
                rules,
                most_seeds: 6,
                nodes: 100,
            };
            let tally = trial.play(adversary, 60, &mut random).unwrap();
            assert!(tally.failures.is_empty(), "{adversary:?}: {:#?}", tally.failures);
            assert_eq!(tally.wins, [40, 40]);
            assert_eq!(tally.draws[0], 20);
        }
    }
}

#[test]
fn a_player_without_tables_gives_up_what_is_sure() {
    let tables = Knowledge::open(root(), &Rules::ABAPA).unwrap();
    let mut player = selfplay::player(1).unwrap();
    let mut random = random("a_player_without_tables_gives_up_what_is_sure");
    let mut trial = sure::Trial {
        player: &mut player,
        tables: &tables,
        rules: Rules::ABAPA,
        most_seeds: SEEDS,
        nodes: 1,
    };
    let tally = trial.play(Adversary::Even, 300, &mut random).unwrap();
    assert!(!tally.failures.is_empty(), "{tally:?}");
}

#[test]
fn every_reply_to_a_sure_move_leaves_progress() {
    let tables = Knowledge::open(root(), &Rules::ABAPA).unwrap();
    let mut all = 0;
    for seeds in 1..=6 {
        let (boards, faults) = sure::prove(&tables, &Rules::ABAPA, seeds).unwrap();
        assert!(faults.is_empty(), "{seeds}: {faults:?}");
        all += boards;
    }
    assert!(all > 5_000, "{all}");
}

#[test]
fn losses_are_counted_by_tables() {
    let mut random = random("losses_are_counted_by_tables");
    let rules: Rules = "abapa,loop_split=even,play_on=yes".parse().unwrap();
    let truth = InMemory::load(&set(), SEEDS as u8, 1).unwrap().unwrap();
    let games = lost::sample(rules, (3, SEEDS), 60, 200, &mut random).unwrap();
    assert!(games.len() > 40, "{}", games.len());
    let mut engine = Engine::new(Options { hash_mib: 1, ..Options::default() }).unwrap();
    let mut lost = |effort: &str| {
        let losses = lost::measure(&mut engine, &truth, &games, effort.parse().unwrap()).unwrap();
        assert!(losses.iter().all(|losses| losses.seeds >= 0.0), "{losses:?}");
        losses.iter().map(|losses| losses.seeds).sum::<f64>()
    };
    assert!(lost("30000n") <= lost("1n"));
    assert!("10".parse::<lost::Effort>().is_err() && "0ms".parse::<lost::Effort>().is_err());
}

#[test]
fn check_mode_is_the_plain_search_on_mixed_positions() {
    let mut random = random("check_mode_is_the_plain_search_on_mixed_positions");
    let games = positions::mixed(&mut random);
    let [_, mut check] = differ::engines(Parts::ALL).unwrap();
    for depth in [3, 6] {
        for game in &games {
            let limits = plain::Limits { depth: Some(depth), nodes: None, estimate: evaluate };
            let plain = plain::search(game, limits, &AtomicBool::new(false), &mut |_| {});
            let report = positions::quietly(&mut check, game, &Limits::depth(depth));
            assert_eq!(report.score(), plain.score, "{depth}: {}", positions::told(game));
        }
    }
}

#[test]
fn differences_are_counted() {
    let mut random = random("differences_are_counted");
    let games = positions::mixed(&mut random);
    let mut engines = differ::engines(Parts::ALL).unwrap();
    let found = differ::compare(&mut engines, &games, 6).unwrap();
    assert_eq!(found.positions, games.len());
    assert!(found.values > 0 && found.worse <= found.moves, "{found:?}");
    let [_, check] = engines;
    let [_, other] = differ::engines(Parts::ALL).unwrap();
    let found = differ::compare(&mut [check, other], &games, 4).unwrap();
    assert_eq!((found.values, found.moves), (0, 0), "the check mode against itself");
}

#[test]
fn games_end_under_all_rules() {
    let mut random = random("games_end_under_all_rules");
    let mut player = selfplay::player(1).unwrap();
    let presets = PRESETS.iter().map(|preset| Some(preset.rules));
    for rules in presets.chain([None, None]) {
        let mut ends = selfplay::Ends::default();
        for _ in 0..20 {
            let rules = rules.unwrap_or_else(|| positions::rules(&mut random));
            selfplay::game(&mut player, rules, 200, &mut random, &mut ends);
        }
        assert!(ends.faults.is_empty(), "{rules:?}: {:#?}", ends.faults);
        assert_eq!(ends.games, 20);
        assert!(rules.is_none() || ends.broken_off == 0);
    }
    if cfg!(target_os = "linux") {
        assert!(memory::in_use().is_some_and(|kib| kib > 0));
    }
}

#[test]
fn depths_are_reached() {
    let mut engine = Engine::new(Options { hash_mib: 1, ..Options::default() }).unwrap();
    let time = Duration::from_millis(20);
    let places = depth::places().unwrap();
    assert_eq!(places.len(), 4);
    for (name, game) in places {
        let seeds: u8 = game.position().houses().iter().sum();
        assert!(name == "start" || name == format!("{seeds} seeds"), "{name}");
        let engine = depth::by_engine(&mut engine, &game, time);
        let plain = depth::by_plain(&game, time);
        assert!(engine.depth > 0 && plain.depth > 0 && plain.nodes > 0, "{engine:?} {plain:?}");
    }
}
