//! Matches as a whole: the same games however they are run, programs that misbehave, stops.

use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use oware_app::matches::{
    EngineSpec, Format, MatchError, Openings, Outcome, Plan, Random, Rulings, Runner, Sprt, Store,
    StoreError,
};
use oware_rules::{Rules, Side};

fn plan(engines: &[&str], pairs: usize) -> Plan {
    Plan {
        event: "test".into(),
        rules: Rules::ABAPA,
        engines: engines.iter().map(|text| EngineSpec::read(text, "").unwrap()).collect(),
        format: Format::RoundRobin,
        openings: Openings::Random(Random { seed: 7, ..Random::default() }),
        pairs,
        rulings: Rulings { plies: 300, ..Rulings::default() },
        sprt: None,
    }
}

fn run_from(plan: &Plan, concurrency: usize, known: Outcome) -> Result<Outcome, MatchError> {
    let runner = Runner { plan, concurrency, stop: &AtomicBool::new(false) };
    runner.run(known, &mut |_, _, _, _| Ok(()))
}

fn run(plan: &Plan, concurrency: usize) -> Outcome {
    run_from(plan, concurrency, Outcome::default()).unwrap_or_else(|error| panic!("{error}"))
}

const BUILT_IN: [&str; 3] =
    ["name=a,nodes=600", "name=b,kind=plain,depth=3", "name=c,kind=level,level=easy,seed=3"];

#[test]
fn games_do_not_depend_on_how_many_are_played_at_once() {
    let plan = plan(&BUILT_IN, 4);
    let one = run(&plan, 1);
    assert_eq!(one.games.len(), 24);
    assert!(one.is_complete(&plan));
    for concurrency in [2, 5] {
        assert_eq!(run(&plan, concurrency).games, one.games, "{concurrency} at once");
    }
}

#[test]
fn more_pairs_do_not_change_those_before() {
    let few = run(&plan(&BUILT_IN, 2), 2);
    let more = plan(&BUILT_IN, 3);
    let all = run(&more, 2);
    assert!(few.games.iter().all(|(index, game)| all.games[index] == *game));
    assert_eq!(run_from(&more, 2, few).unwrap().games, all.games);
}

/// Both players being the same, each pair is the same game twice: it is won once and lost once.
#[test]
fn a_player_is_as_strong_as_itself() {
    let plan = plan(&["name=a,depth=4", "name=b,depth=4"], 6);
    let outcome = run(&plan, 2);
    let tally = outcome.tally(&plan, 0, 1, outcome.end(&plan));
    assert_eq!(tally.pairs.0, [0, 0, 6, 0, 0]);
    assert_eq!((tally.wins, tally.games(), tally.ahead), (tally.losses, 12, 0));
    let estimate = tally.pairs.estimate().unwrap();
    assert!(estimate.elo.abs() < 1e-9 && estimate.elo_high < 10.0, "{estimate:?}");
}

#[test]
fn a_deeper_player_wins_and_the_test_ends_the_match_at_the_same_pair() {
    let mut plan = plan(&["name=deep,kind=plain,depth=6", "name=flat,kind=plain,depth=1"], 200);
    plan.sprt = Some(Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05 });
    let one = run(&plan, 1);
    let end = one.end(&plan);
    assert!(end < plan.games() && one.is_complete(&plan), "{end}");
    let three = run(&plan, 3);
    assert_eq!((three.end(&plan), three.course), (end, one.course));
    assert_eq!(three.tally(&plan, 0, 1, end), one.tally(&plan, 0, 1, end));
    let tally = one.tally(&plan, 0, 1, end);
    assert!(tally.wins > tally.losses && tally.seeds_ahead() > 0.0, "{tally:?}");
    // What is decided is not played again.
    assert_eq!(run_from(&plan, 2, one.clone()).unwrap(), one);
}

#[test]
fn long_games_are_ended_by_the_runner() {
    let mut plan = plan(&BUILT_IN[..2], 2);
    plan.rulings.plies = 12;
    let outcome = run(&plan, 2);
    assert!(outcome.games.values().all(|game| game.adjudicated && game.plies == 12));
    assert_eq!(outcome.tally(&plan, 0, 1, 8).adjudicated, 4);
}

/// Stops a match after some games, tears the file as a kill in mid-write would, and goes on.
#[test]
fn a_match_goes_on_where_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&BUILT_IN, 3);
    let whole = run(&plan, 2);
    let stop = AtomicBool::new(false);
    let (mut store, known) = Store::open(dir.path(), &plan).unwrap();
    let file = store.games_file().to_owned();
    assert!(matches!(Store::open(dir.path(), &plan), Err(StoreError::Busy(_))));
    let mut told = 0;
    let runner = Runner { plan: &plan, concurrency: 2, stop: &stop };
    let part = runner.run(known, &mut |finished, played, opening_plies, _| {
        told += 1;
        if told == 5 {
            stop.store(true, Ordering::Relaxed);
        }
        store.add(&plan, finished, played, opening_plies)
    });
    let part = part.unwrap();
    assert!(part.games.len() >= 5 && !part.is_complete(&plan), "{}", part.games.len());
    drop(store);

    let bytes = std::fs::read(&file).unwrap();
    for torn in [1, 2, 30, 400] {
        std::fs::write(&file, &bytes[..bytes.len() - torn]).unwrap();
        let (_, known) = Store::open(dir.path(), &plan).unwrap();
        let lost = part.games.len() - known.games.len();
        assert!((1..=2).contains(&lost), "{torn} bytes: {lost} games");
        assert!(known.games.iter().all(|(index, game)| part.games[index] == *game));
    }
    let (mut store, known) = Store::open(dir.path(), &plan).unwrap();
    let all = Runner { stop: &AtomicBool::new(false), ..runner }
        .run(known, &mut |finished, played, opening_plies, _| {
            store.add(&plan, finished, played, opening_plies)
        });
    assert_eq!(all.unwrap().games, whole.games);
    drop(store);
    let (_, known) = Store::open(dir.path(), &plan).unwrap();
    assert_eq!(known.games, whole.games);
}

#[test]
fn another_match_and_damage_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let one = plan(&BUILT_IN[..2], 1);
    let open = |plan: &Plan| Store::open(dir.path(), plan).map(|_| ()).map_err(|e| e.to_string());
    let (mut store, known) = Store::open(dir.path(), &one).unwrap();
    let runner = Runner { plan: &one, concurrency: 1, stop: &AtomicBool::new(false) };
    let mut save = |f: &_, p: &_, n, _: &Outcome| store.add(&one, f, p, n);
    runner.run(known, &mut save).unwrap();
    let file = store.games_file().to_owned();
    drop(store);
    let mut other = one.clone();
    other.rulings.plies = 299;
    let error = open(&other).unwrap_err();
    assert!(error.contains("another match") && error.contains("299 plies"), "{error}");

    let text = std::fs::read_to_string(&file).unwrap();
    for (from, to, part) in [
        ("[South \"a\"]", "[South \"b\"]", "game 1 of the file: game 1.1 is between a and b"),
        ("[Round \"1.1\"]", "[Round \"x\"]", "game 1 of the file: tag Round"),
        ("[Round \"1.2\"]", "[Round \"1.1\"]", "game 1.1"),
        ("[Event", "[Eve", "does not begin with a game"),
        ("[Rules \"abapa\"]", "[Rules \"awari\"]", "game 1 of the file: tag Rules"),
    ] {
        // The second game is written twice, so that no damage is at the end.
        let twice = text.clone() + &text[text.rfind("[Event").unwrap()..];
        std::fs::write(&file, twice.replacen(from, to, 1)).unwrap();
        let error = open(&one).unwrap_err();
        assert!(error.contains(part), "{to}: {error}");
    }
    std::fs::write(&file, &text).unwrap();
    assert_eq!(open(&one), Ok(()));
    std::fs::remove_file(dir.path().join("match.txt")).unwrap();
    assert!(open(&one).unwrap_err().contains("match.txt"));
}

/// What a program plays that [`program`] starts: this very test, which is a program when it is
/// told how to behave, and else nothing.
#[test]
fn act() {
    let Ok(behaviour) = std::env::var("OWARE_TEST_ACT") else { return };
    let mut out = std::io::stdout();
    let mut say = |text: &str| writeln!(out, "{text}").and_then(|()| out.flush()).unwrap();
    let mut game = oware_rules::Game::new(Rules::ABAPA);
    let mut asked = 0;
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["uci"] => {
                say("id name Actor");
                say("option name Hash type spin default 16 min 1 max 64");
                say("uciok");
            }
            ["isready"] => say("readyok"),
            ["position", "startpos", ref moves @ ..] => {
                let moves = moves.get(1).copied().unwrap_or_default();
                let start = oware_rules::Position::start(Rules::ABAPA);
                game = oware_app::play_moves(start, moves).unwrap();
            }
            ["go", ..] => {
                asked += 1;
                match behaviour.as_str() {
                    "die" if asked == 3 => std::process::exit(3),
                    "hang" if asked == 3 => std::thread::sleep(std::time::Duration::from_secs(600)),
                    "babble" if asked == 3 => loop {
                        say("info string so much to say");
                    },
                    "late" if asked == 3 => {
                        std::thread::sleep(std::time::Duration::from_millis(900));
                    }
                    "illegal" if asked == 3 => {
                        let mover = game.position().to_move();
                        say(&format!("bestmove {}", if mover == Side::South { "a" } else { "A" }));
                        continue;
                    }
                    _ => {}
                }
                let stop = AtomicBool::new(false);
                let best = &oware_search::plain::value_moves(&game, 2, &stop)[0];
                let house = oware_rules::House::of(game.position().to_move(), best.mv);
                say(&format!("info depth 2 score cp {}", best.score.hundredths()));
                say(&format!("bestmove {house}"));
            }
            ["quit"] => return,
            _ => {}
        }
    }
}

/// An engine that is this test program, behaving so.
#[cfg(unix)]
fn program(behaviour: &str, more: &str) -> String {
    let path = std::env::current_exe().unwrap();
    let path = path.to_str().unwrap();
    format!(
        "name={behaviour},kind=process,\
         cmd=env OWARE_TEST_ACT={behaviour} '{path}' --exact act --nocapture,{more}"
    )
}

#[cfg(unix)]
#[test]
fn a_program_plays_as_well_as_what_is_built_in() {
    let program = program("good", "nodes=1,option.hash=4");
    let other = "name=plain,kind=plain,nodes=300";
    let by_program = run(&plan(&[&program, other], 2), 2);
    assert!(by_program.games.values().all(|game| game.fault.is_none()));
    // Two plies with all moves valued are not the same as `plain`'s depth 2 in ties alone.
    assert_eq!(run(&plan(&[&program, other], 2), 1).games, by_program.games);
    assert_eq!(by_program.effort[0].mean_depth(), Some(2.0));
}

#[cfg(unix)]
#[test]
fn a_program_that_misbehaves_loses_the_game() {
    for (behaviour, more, how) in [
        ("die", "nodes=1", "it ended (exit status: 3)"),
        ("hang", "nodes=1,timeout=1", "did not answer"),
        ("babble", "nodes=1,timeout=1", "did not answer"),
        ("illegal", "nodes=1", "illegal move"),
        ("late", "movetime=300,margin=50", "was late"),
    ] {
        let mut plan = plan(&["name=a,kind=plain,depth=2", &program(behaviour, more)], 1);
        plan.engines[1].name = "actor".into();
        let stop = AtomicBool::new(false);
        let runner = Runner { plan: &plan, concurrency: 2, stop: &stop };
        let mut ends = Vec::new();
        let outcome = runner.run(Outcome::default(), &mut |finished, played, _, _| {
            ends.push((finished.number.swapped, played.termination.to_string()));
            Ok(())
        });
        let outcome = outcome.unwrap_or_else(|error| panic!("{behaviour}: {error}"));
        let tally = outcome.tally(&plan, 0, 1, 4);
        assert_eq!((tally.wins, tally.faults), (2, [0, 2]), "{behaviour}: {ends:?}");
        for (swapped, end) in ends {
            let side = if swapped { "South" } else { "North" };
            assert!(end.contains(how) && end.contains(side), "{behaviour}: {end}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_program_that_fails_too_often_ends_the_match() {
    let plan = plan(&["name=a,kind=plain,depth=2", &program("die", "nodes=1,restarts=1")], 10);
    let error = run_from(&plan, 1, Outcome::default()).unwrap_err().to_string();
    assert!(error.contains("engine die: failed in 2 games"), "{error}");
    assert!(error.contains("exit status: 3"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_program_that_cannot_be_used_plays_no_game() {
    for (text, part) in [
        ("name=x,kind=process,nodes=1,cmd=./no/such/program", "engine x: cannot start"),
        ("name=x,kind=process,nodes=1,cmd=true", "engine x: it "),
        (&program("good", "nodes=1,option.Frob=1"), "engine good: it has no option Frob"),
    ] {
        let error = run_from(&plan(&["nodes=1", text], 1), 1, Outcome::default()).unwrap_err();
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
    let mut awari = plan(&["nodes=1", &program("good", "nodes=1")], 1);
    awari.rules = "awari".parse().unwrap();
    let error = run_from(&awari, 1, Outcome::default()).unwrap_err().to_string();
    assert!(error.contains("no option Rules"), "{error}");
}
