//! What tables say through the app layer, against an oracle that solves by sweeps and against
//! itself: values, moves, claims, and the move that makes progress.

use std::cmp::Ordering;
use std::path::Path;
use std::sync::OnceLock;

use oware_app::knowledge::{Advice, Basis, Claim, Facts, Past, proven_result};
use oware_app::{Computer, Knowledge, Level, Player, Source, Table, hint};
use oware_retro::{BuildJob, Target, build};
use oware_rules::{Board, Game, Position, Rules, Setup, Side, SowingBoard};
use oware_search::Control;
use oware_tables::{Convention, Kind, Layer, MOST_SEEDS};
use oware_testkit::endgame::{Convention as OracleConvention, OracleTables};
use oware_testkit::{OracleRules, TestRng};

/// Layers that are built.
const SEEDS: usize = 7;

const NAMES: [&str; 4] = ["abapa", "awari", "slam-opponent-takes-rest", "slam-captures"];

fn rules(name: &str) -> Rules {
    name.parse().unwrap()
}

/// A directory with the tables of all rules of [`NAMES`].
fn root() -> &'static Path {
    static ROOT: OnceLock<tempfile::TempDir> = OnceLock::new();
    ROOT.get_or_init(|| {
        let root = tempfile::tempdir().unwrap();
        NAMES.iter().for_each(|name| build_into(root.path(), &rules(name), true));
        root
    })
    .path()
}

fn build_into(root: &Path, rules: &Rules, distances: bool) {
    let targets = [Target::Even, Target::Bounds];
    let job = BuildJob::quiet(root, rules.table_rules(), &targets, SEEDS);
    build(&BuildJob { distances, ..job }).unwrap();
}

fn knowledge(name: &str) -> Knowledge {
    Knowledge::open(root(), &rules(name)).unwrap()
}

fn theirs(convention: Convention) -> OracleConvention {
    OracleConvention::ALL.into_iter().find(|other| other.name() == convention.name()).unwrap()
}

/// A position with these houses as South sees them, who moves and has `own` in his store.
fn position(houses: [u8; 12], own: u8, rules: Rules) -> Position {
    let rest = 48 - houses.iter().sum::<u8>();
    let setup = Setup { houses, stores: [own, rest - own], to_move: Side::South };
    Position::new(setup, rules).unwrap()
}

#[test]
fn every_board_to_six_seeds_is_as_the_oracle_has_it() {
    for name in NAMES {
        let oracle = OracleTables::solve(&OracleRules::parse(&rules(name).id()).unwrap(), 6);
        let knowledge = knowledge(name);
        for houses in (0..=6).flat_map(|seeds| Layer::new(seeds).boards()) {
            let board = Board::from_houses(houses).unwrap();
            let facts = knowledge.facts(board).unwrap();
            let survey = knowledge.survey(board, &Convention::ALL).unwrap();
            assert_eq!(survey.facts, facts, "{name} {houses:?}");
            for convention in Convention::ALL {
                let context = || format!("{name} {convention} {houses:?}");
                let value = oracle.value(theirs(convention), &houses);
                assert_eq!(facts.value(convention), Some(value), "{}", context());
                let distance = oracle.distance(theirs(convention), &houses);
                assert_eq!(facts.distance(convention).map(u16::from), distance, "{}", context());
                let moves = knowledge.move_values(board, convention).unwrap();
                let surveyed = survey.moves.iter().map(|one| (one.mv, one.value(convention)));
                assert_eq!(surveyed.collect::<Vec<_>>(), moves, "{}", context());
                let most = moves.iter().map(|(_, value)| value.unwrap()).max();
                assert!(most.is_none_or(|most| most == value), "{}: {moves:?}", context());
                // The move that makes progress has the distance of the board.
                match knowledge.best(board, convention).unwrap() {
                    Some(best) => {
                        assert_eq!(Some(u16::from(best.distance)), distance, "{}", context());
                        assert!(moves.contains(&(best.mv, Some(value))), "{}", context());
                    }
                    None => assert!(distance.is_none() || moves.is_empty(), "{}", context()),
                }
            }
        }
    }
}

#[test]
fn a_slam_that_hands_out_the_rest_needs_no_table() {
    // F captures the two seeds in house a and hands the one in A to the opponent.
    let nothing = Knowledge::open(Path::new("no/such/directory"), &rules(NAMES[2])).unwrap();
    let board = Board::from_houses([1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]).unwrap();
    assert!(nothing.is_empty() && nothing.facts(board).unwrap().is_empty());
    let moves = nothing.move_values(board, Convention::Low).unwrap();
    let values: Vec<_> = moves.iter().map(|(mv, value)| (mv.index(), *value)).collect();
    assert_eq!(values, [(0, None), (5, Some(1))]);
    let full = knowledge(NAMES[2]).move_values(board, Convention::Low).unwrap();
    assert_eq!(full[1].1, Some(1));
}

#[test]
fn missing_tables_are_not_guessed() {
    let kinds = [Kind::value(Convention::Even)];
    let board = Board::from_houses([0, 1, 3, 1, 0, 1, 0, 0, 0, 1, 0, 0]).unwrap();
    let facts = knowledge("abapa").only(&kinds, 0..=MOST_SEEDS).facts(board).unwrap();
    assert!(facts.value(Convention::Even).is_some());
    assert_eq!(facts.value(Convention::Low), None);
    assert_eq!(facts.distance(Convention::Even), None);
    // Without its own layer only captures, into lower ones, have values.
    let lower = knowledge("abapa").only(&kinds, 0..=6);
    assert!(lower.facts(board).unwrap().is_empty());
    assert_eq!(lower.best(board, Convention::Even).unwrap(), None);
    let full = knowledge("abapa").move_values(board, Convention::Even).unwrap();
    for (mv, value) in lower.move_values(board, Convention::Even).unwrap() {
        let captured = board.sow(mv, &rules("abapa")).captured;
        let expected = full.iter().find(|(other, _)| *other == mv).unwrap().1;
        assert_eq!(value, expected.filter(|_| captured > 0), "{mv}");
    }
}

#[test]
fn claims_follow_from_values_and_rules() {
    let (abapa, awari) = (rules("abapa"), rules("awari"));
    let limited = rules("abapa,capture_free_limit=100");
    let mut seen = std::collections::HashSet::new();
    for name in ["abapa", "awari"] {
        let knowledge = knowledge(name);
        for houses in Layer::new(6).boards() {
            let facts = knowledge.facts(Board::from_houses(houses).unwrap()).unwrap();
            let [even, low, high] = Convention::ALL.map(|c| facts.value(c).unwrap());
            for lead in [-6, -2, 0, 1, 3] {
                let claim = Claim::of(&facts, &abapa, lead);
                seen.insert(std::mem::discriminant(&claim));
                match claim {
                    Claim::Exact { ahead, basis } => {
                        assert_eq!((low, basis), (high, Basis::AnyLoop));
                        assert_eq!(ahead, lead + low);
                    }
                    Claim::Win { least } => assert!(least > 0 && least == lead + low && low < high),
                    Claim::Loss { least } => assert!(least > 0 && -least == lead + high),
                    Claim::IfEven { ahead } => {
                        assert_eq!(ahead, lead + even);
                        assert!(lead + low <= 0 && lead + high >= 0 && low < high);
                    }
                    Claim::Unknown => panic!("{facts:?}"),
                }
                let basis = if low == high { Basis::AnyLoop } else { Basis::EvenLoops };
                let exact = Claim::Exact { ahead: lead + even, basis };
                assert_eq!(Claim::of(&facts, &awari, lead), exact);
                let if_even = Claim::IfEven { ahead: lead + even };
                assert_eq!(Claim::of(&facts, &limited, lead), if_even);
                assert_eq!(if_even.proven(), None);
            }
        }
    }
    assert_eq!(seen.len(), 4);
    assert_eq!(Claim::of(&Facts::default(), &awari, 5), Claim::Unknown);
}

#[test]
fn the_result_is_that_of_the_mover() {
    let result = |houses: [u8; 12], stores: [u8; 2], side| {
        let setup = Setup { houses, stores, to_move: side };
        proven_result(&Position::new(setup, rules("abapa")).unwrap(), &Facts::default())
    };
    let none = [0; 12];
    assert_eq!(result(none, [24, 24], Side::North), Some(Ordering::Equal));
    assert_eq!(result(none, [25, 23], Side::South), Some(Ordering::Greater));
    assert_eq!(result(none, [25, 23], Side::North), Some(Ordering::Less));
    assert_eq!(result([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [23, 23], Side::North), None);
}

/// Plays the tables' moves against random ones: what is proven is reached whatever the opponent
/// does, and each move raises the value or comes nearer to the next conversion.
#[test]
fn a_proven_win_is_won_against_anything() {
    let mut rng = TestRng::from_env("a_proven_win_is_won_against_anything");
    let knowledge = knowledge("abapa");
    let layer = Layer::new(SEEDS);
    let mut played = 0;
    while played < 300 {
        let houses = layer.board(rng.below(layer.size() as usize) as u64).unwrap();
        let start = position(houses, rng.between(17, 24) as u8, rules("abapa-first-repetition"));
        let facts = knowledge.facts(start.board()).unwrap();
        if start.ending().is_some() || proven_result(&start, &facts) != Some(Ordering::Greater) {
            continue;
        }
        played += 1;
        let mut game = Game::from_position(start);
        let mut before = None;
        while !game.is_over() {
            let position = *game.position();
            if position.to_move() == Side::South {
                let best = knowledge.choose(&position).unwrap().unwrap();
                assert_eq!(best.convention, Convention::Low);
                let now = (best.value, std::cmp::Reverse(best.distance));
                assert!(before.is_none_or(|before| now > before), "{start}: {position}");
                before = Some(now);
                game.play(best.mv).unwrap();
            } else {
                let legal: Vec<_> = position.legal_moves().iter().collect();
                game.play(*rng.pick(&legal)).unwrap();
            }
            if game.capture_free() == 0 {
                before = None;
            }
        }
        assert_eq!(game.ending().unwrap().winner, Some(Side::South), "{start}");
    }
}

#[test]
fn the_past_is_looked_at() {
    let houses = [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0];
    let mut game = Game::from_position(position(houses, 23, rules("abapa,repetition=2")));
    assert_eq!(Past::of(&game), Past::Clear);
    game.play_house("A".parse().unwrap()).unwrap();
    assert_eq!(Past::of(&game), Past::InTheWay);
    let mut game = Game::from_position(position(houses, 23, rules("abapa")));
    game.play_house("A".parse().unwrap()).unwrap();
    assert_eq!(Past::of(&game), Past::Clear);
    let verdict = knowledge("abapa").verdict(&game).unwrap().unwrap();
    assert_eq!(verdict.past, Past::Clear);
    assert!(verdict.facts.value(Convention::Even).is_some());
    assert!(knowledge("abapa").verdict(&Game::new(rules("abapa"))).unwrap().is_none());
}

/// Under a third repetition a position stands in the way when it has been there twice.
#[test]
fn only_positions_that_came_back_are_in_the_way() {
    let mut rng = TestRng::from_env("only_positions_that_came_back_are_in_the_way");
    let mut seen = [0; 2];
    for _ in 0..300 {
        let layer = Layer::new(rng.between(2, 5));
        let houses = layer.board(rng.below(layer.size() as usize) as u64).unwrap();
        let mut game = Game::from_position(position(houses, 21, rules("abapa,play_on=yes")));
        while !game.is_over() {
            let first = game.plies().len() - game.capture_free() as usize;
            let earlier: Vec<_> =
                (first..game.plies().len()).map(|ply| *game.position_at(ply).unwrap()).collect();
            let twice = earlier.iter().any(|position| {
                let times = earlier.iter().filter(|other| *other == position).count();
                times == 2 && position != game.position()
            });
            let expected = if twice { Past::InTheWay } else { Past::Clear };
            assert_eq!(Past::of(&game), expected);
            seen[usize::from(twice)] += 1;
            let legal: Vec<_> = game.legal_moves().iter().collect();
            game.play(*rng.pick(&legal)).unwrap();
        }
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

#[test]
fn the_strongest_level_and_hints_play_by_the_tables() {
    let control = Control::new();
    let tables = knowledge("abapa");
    let (mut by_tables, mut kept) = (0, 0);
    for index in (0..Layer::new(6).size()).step_by(97) {
        let houses = Layer::new(6).board(index).unwrap();
        let game = Game::from_position(position(houses, 21, rules("abapa")));
        if game.is_over() {
            continue;
        }
        let choice = Computer::new(Level::TOP, 1).choose(&game, Some(&tables), &control).unwrap();
        let best = match tables.advise(&game).unwrap() {
            Advice::Play(best) => best,
            Advice::OneOf(moves) => {
                assert!(moves.contains(choice.house.as_move()), "{houses:?}");
                kept += 1;
                continue;
            }
            Advice::Nothing => continue,
        };
        assert_eq!(choice.house.as_move(), best.mv);
        let (convention, distance) = (best.convention, best.distance);
        assert_eq!(choice.source, Source::Tables { convention, distance });
        assert_eq!(choice.value, f64::from(best.value));
        assert_eq!(hint(&game, Some(&tables), &control), Some(choice));
        by_tables += 1;
    }
    assert!(by_tables > 50 && kept > 0, "{by_tables} {kept}");
    let mut table = Table::new(Game::new(rules("abapa")), [Player::Person; 2], 1);
    table.set_knowledge(Some(tables));
    assert_eq!(table.verdict().unwrap(), None);
}

#[test]
fn without_distances_the_tables_choose_nothing() {
    let root = tempfile::tempdir().unwrap();
    build_into(root.path(), &rules("abapa"), false);
    let tables = Knowledge::open(root.path(), &rules("abapa")).unwrap();
    let board = Board::from_houses([0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1]).unwrap();
    assert!(!tables.facts(board).unwrap().is_empty());
    assert_eq!(tables.best(board, Convention::Even).unwrap(), None);
}

#[test]
fn damaged_tables_are_refused_by_name() {
    let root = tempfile::tempdir().unwrap();
    build_into(root.path(), &rules("abapa"), false);
    let directory = oware_tables::set::directory(root.path(), rules("abapa").table_rules());
    std::fs::remove_file(directory.join("low-03.owt")).unwrap();
    let tables = Knowledge::open(root.path(), &rules("abapa")).unwrap();
    let board = |seeds| Board::from_houses([seeds, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]).unwrap();
    let error = tables.facts(board(3)).unwrap_err().to_string();
    assert!(error.contains("low-03.owt"), "{error}");
    // The others stay of use.
    assert!(!tables.facts(board(2)).unwrap().is_empty());
}
