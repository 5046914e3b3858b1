//! `oware match` as a command: results, records, stops, faults.

mod support;

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use support::{code, json_lines, oware, run, stderr, stdout};

const TWO: [&str; 5] =
    ["match", "--engine", "name=new,depth=4", "--engine", "name=old,kind=plain,depth=2"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&TWO[..], more].concat()
}

#[test]
fn the_result_as_text_and_as_json() {
    let output = run(&with(&["--pairs", "3", "--seed", "5", "--quiet"]));
    assert_eq!((code(&output), stderr(&output)), (0, String::new()));
    let text = stdout(&output);
    for part in ["new against old: 6 games", "  won ", "Elo ", "LOS", "seeds ahead", "mean depth"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let json = |more: &[&str]| {
        let output =
            run(&with(&[&["--pairs", "3", "--seed", "5", "--quiet", "--json"], more].concat()));
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        json_lines(&stdout(&output)).remove(0)
    };
    let (one, two) = (json(&["--concurrency", "1"]), json(&["--concurrency", "2"]));
    assert_eq!(one["meetings"], two["meetings"]);
    assert_eq!(
        (&one["games"], &one["complete"], &one["sprt"]),
        (&6.into(), &true.into(), &().into())
    );
    let meeting = &one["meetings"][0];
    let sum: u64 =
        ["wins", "draws", "losses"].map(|key| meeting[key].as_u64().unwrap()).iter().sum();
    assert_eq!(sum, 6);
    let pairs = meeting["pentanomial"].as_array().unwrap();
    assert_eq!(pairs.iter().map(|n| n.as_u64().unwrap()).sum::<u64>(), 3);
}

#[test]
fn games_are_saved_verified_and_not_played_again() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("deep/match");
    let place = place.to_str().unwrap();
    let args = with(&["--pairs", "2", "--dir", place]);
    assert_eq!(code(&run(&args)), 0);
    let file = Path::new(place).join("games.ogn");
    let before = fs::read(&file).unwrap();
    let replay = run(&["replay", file.to_str().unwrap()]);
    assert_eq!((code(&replay), stdout(&replay).lines().count()), (0, 4), "{}", stderr(&replay));
    let again = run(&args);
    assert!(stderr(&again).contains("4 of 4 games are there already"), "{}", stderr(&again));
    assert_eq!(fs::read(&file).unwrap(), before);
    assert_eq!(code(&run(&with(&["--pairs", "3", "--dir", place]))), 0);
    let after = fs::read(&file).unwrap();
    assert!(after.starts_with(&before) && after.len() > before.len());
    let other = run(&with(&["--pairs", "2", "--seed", "2", "--dir", place]));
    assert_eq!(code(&other), 1);
    assert!(stderr(&other).contains("another match"), "{}", stderr(&other));
}

#[test]
fn standings_of_three_and_a_gauntlet() {
    let three = with(&["--engine", "name=third,kind=level,level=easy", "--pairs", "1", "--quiet"]);
    let text = stdout(&run(&three));
    assert!(text.contains("  1  ") && text.contains("old against third"), "{text}");
    let text = stdout(&run(&[&three[..], &["--gauntlet"]].concat()));
    assert!(text.contains("new against third") && !text.contains("old against third"), "{text}");
}

#[test]
fn bad_command_lines() {
    let long = "name=long,kind=plain,depth=1,hash=3";
    for (args, part) in [
        (vec!["match"], "--engine"),
        (vec!["match", "--engine", "depth=1"], "two engines or more"),
        (vec!["match", "--engine", "depth=1", "--engine", "depth=1"], "the name builtin"),
        (vec!["match", "--engine", "depth=1", "--engine", long], "hash: no key of plain"),
        (with(&["--pairs", "0"]), "--pairs"),
        (with(&["--sprt", "5,0,0.05,0.05"]), "ELO0 below ELO1"),
        (with(&["--even"]), "--tables"),
        (with(&["--scores", "10"]), "10,8"),
        (with(&["--opening-limit", "x"]), "number of seeds"),
        (with(&["--sprt", "0,5,.05,.05", "--engine", "name=c,depth=1"]), "two engines, no more"),
    ] {
        let output = run(&args);
        assert_eq!((code(&output), stdout(&output)), (2, String::new()), "{args:?}");
        assert!(stderr(&output).contains(part), "{args:?}: {}", stderr(&output));
    }
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let list = dir.join("openings.txt");
    fs::write(&list, "FfB\nzz\n").unwrap();
    let output = run(&with(&["--openings", list.to_str().unwrap()]));
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("openings.txt: line 2: ply 1"), "{}", stderr(&output));
    fs::write(&list, "FfB\nAa\n").unwrap();
    let output = run(&with(&["--openings", list.to_str().unwrap(), "--pairs", "3"]));
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("there are 2"), "{}", stderr(&output));
    let output = run(&with(&["--tables", dir.to_str().unwrap()]));
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("no table for these rules"), "{}", stderr(&output));
}

#[test]
fn tables_decide_games_and_say_so() {
    let dir = tempfile::tempdir().unwrap();
    let tables = dir.path().join("tables");
    let rules: oware_rules::Rules = oware_rules::Rules::ABAPA;
    let targets = oware_retro::Target::ALL;
    support::build_tables(&tables, rules.table_rules(), &targets, 8);
    let place = dir.path().join("match");
    let [tables, place] = [&tables, &place].map(|path| path.to_str().unwrap().to_owned());
    // Plain players, so that which games come to their last seeds is not a matter of the engine.
    let engines =
        ["--engine", "name=a,kind=plain,depth=2", "--engine", "name=b,kind=plain,depth=3"];
    let more = ["--pairs", "12", "--tables", &tables, "--dir", &place, "--json", "--quiet"];
    let output = run(&[&["match"], &engines[..], &more].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let result = json_lines(&stdout(&output)).remove(0);
    let decided = result["meetings"][0]["adjudicated"].as_u64().unwrap();
    let games = fs::read_to_string(Path::new(&place).join("games.ogn")).unwrap();
    let said = games.matches("[Termination \"adjudication: proven by endgame tables\"]").count();
    assert!(decided > 0 && decided == said as u64, "{decided}, {said}");
    let replay = run(&["replay", Path::new(&place).join("games.ogn").to_str().unwrap()]);
    assert_eq!(code(&replay), 0, "{}", stderr(&replay));
}

/// The engine by the protocol is the engine that is built in, move by move.
#[test]
fn our_engine_by_the_protocol_plays_the_same_games() {
    let program = env!("CARGO_BIN_EXE_oware").replace('\'', "'\\''");
    let games = |engine: &str| {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().to_str().unwrap();
        let engines = ["--engine", engine, "--engine", "name=b,kind=plain,depth=3"];
        let more = ["--rules", "awari", "--pairs", "2", "--concurrency", "1", "--dir", place, "-q"];
        let output = run(&[&["match"], &engines[..], &more].concat());
        assert_eq!((code(&output), stderr(&output)), (0, String::new()));
        fs::read_to_string(dir.path().join("games.ogn")).unwrap()
    };
    let by_protocol = format!("name=a,kind=process,nodes=1500,cmd=\"'{program}' engine\"");
    assert_eq!(games(&by_protocol), games("name=a,nodes=1500"));
}

/// Waits until some games are saved.
#[cfg(unix)]
fn wait_for_games(file: &Path) {
    let begun = Instant::now();
    while fs::read_to_string(file).map_or(0, |text| text.matches("[Event ").count()) < 3 {
        assert!(begun.elapsed() < Duration::from_secs(60), "no games");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(unix)]
#[test]
fn a_signal_stops_a_match_and_a_kill_loses_what_is_not_finished() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("games.ogn");
    let place = dir.path().to_str().unwrap();
    let args = with(&["--pairs", "100000", "--dir", place]);
    let begin = || oware(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();

    let mut killed = begin();
    wait_for_games(&file);
    let busy = run(&args);
    assert_eq!(code(&busy), 1);
    assert!(stderr(&busy).contains("another run of this match is at work"), "{}", stderr(&busy));
    killed.kill().unwrap();
    killed.wait().unwrap();
    let games = fs::read_to_string(&file).unwrap().matches("[Event ").count();

    let stopped = begin();
    std::thread::sleep(Duration::from_millis(300));
    let pid = stopped.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = stopped.wait_with_output().unwrap();
    assert_eq!(code(&output), 130, "{}", stderr(&output));
    assert!(stderr(&output).contains("the same command goes on"), "{}", stderr(&output));
    assert!(stdout(&output).contains("new against old"), "{}", stdout(&output));
    let there = fs::read_to_string(&file).unwrap().matches("[Event ").count();
    assert!(there + 1 >= games, "{there}, {games}");
    let replay = run(&["replay", file.to_str().unwrap()]);
    assert_eq!((code(&replay), stdout(&replay).lines().count()), (0, there), "{}", stderr(&replay));
}
