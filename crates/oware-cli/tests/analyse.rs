//! `oware analyse`: positions and games, for people and for programs, the files it writes, and
//! what it refuses. The texts stand in testdata/cli; they are written anew with UPDATE_EXPECT=1.

mod support;

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use expect_test::expect_file;
use oware_notation::ogn;
use oware_retro::Target;
use oware_rules::Rules;
use oware_testkit::cases::testdata_dir;
use serde_json::Value;
use support::{build_tables, code, json_lines, oware, run, run_with, stderr, stdout};

/// A directory with tables of abapa.
fn tables() -> &'static str {
    static ROOT: OnceLock<tempfile::TempDir> = OnceLock::new();
    let root = ROOT.get_or_init(|| {
        let root = tempfile::tempdir().unwrap();
        let targets = [Target::Even, Target::Bounds];
        build_tables(root.path(), Rules::ABAPA.table_rules(), &targets, 8);
        root
    });
    root.path().to_str().unwrap()
}

/// Runs `oware analyse` without tables.
fn analyse(args: &[&str]) -> Output {
    run(&[&["analyse", "--no-tables"], args].concat())
}

#[track_caller]
fn good(output: &Output) -> String {
    assert_eq!((code(output), stderr(output)), (0, String::new()));
    stdout(output)
}

#[track_caller]
fn refused(output: &Output, expected: i32, part: &str) {
    assert_eq!(code(output), expected, "{}", stderr(output));
    assert!(stderr(output).contains(part), "{part}: {}", stderr(output));
}

/// The text without what differs from run to run.
fn timeless(text: &str) -> String {
    let cut = |line: &str| match line.split_once(" positions in ") {
        Some((before, _)) => format!("{before} positions in TIME"),
        None => line.to_owned(),
    };
    text.lines().map(|line| cut(line) + "\n").collect()
}

fn one(text: &str) -> Value {
    let lines = json_lines(text);
    assert_eq!(lines.len(), 1, "{text}");
    lines.into_iter().next().unwrap()
}

/// A position of which the tables know everything, so that no search is in the text.
const KNOWN: &str = "0-2-1-0-1-2-0-0-0-2-0-0-20-20-S";

#[test]
fn a_position_that_tables_know() {
    let args = ["analyse", "--tables", tables(), "--position", KNOWN];
    let text = timeless(&good(&run(&args)));
    expect_file![testdata_dir().join("cli/analyse-tables.txt")].assert_eq(&text);
    let found = one(&good(&run(&[&args[..], &["--json"]].concat())));
    assert_eq!(found["work"]["nodes"], 0);
    assert_eq!(found["limits"]["tables_in_memory"], 8);
    for value in found["moves"].as_array().unwrap() {
        assert_eq!(value["source"], "table", "{value}");
        assert!(["any", "even"].map(Value::from).contains(&value["convention"]), "{value}");
    }
    // The environment names tables as well as the option does.
    let told = oware(&["analyse", "--position", KNOWN]).env("OWARE_TABLES", tables()).output();
    assert_eq!(timeless(&good(&told.unwrap())), text);
    // Without them the same position is searched.
    let searched = one(&good(&analyse(&["--json", "--depth", "6", "--position", KNOWN])));
    assert!(searched["work"]["nodes"].as_u64().unwrap() > 0);
    assert_eq!(searched["limits"]["tables_in_memory"], Value::Null);
}

#[test]
fn a_position_that_is_searched() {
    let found = one(&good(&analyse(&["--json", "--moves", "FfBe", "--nodes", "50000"])));
    assert_eq!((&found["rules"], &found["mover"]), (&"abapa".into(), &"South".into()));
    assert_eq!(found["limits"]["nodes"], 50_000);
    assert_eq!(found["stopped"], false);
    let moves = found["moves"].as_array().unwrap();
    assert_eq!(moves.len() as u64, found["legal"].as_u64().unwrap());
    let values: Vec<f64> = moves.iter().map(|mv| mv["value"].as_f64().unwrap()).collect();
    assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
    for mv in moves {
        let wdl: u64 = mv["wdl"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
        assert_eq!(wdl, 1000, "{mv}");
        let line = mv["line"].as_str().unwrap();
        assert!(line.starts_with(mv["move"].as_str().unwrap()), "{mv}");
        // The line can be played, and analysed.
        let played = format!("FfBe{line}");
        good(&analyse(&["--depth", "1", "--moves", &played]));
        assert_eq!(mv["source"], "search");
        assert!(mv["depth"].as_u64().unwrap() > 1);
    }
    // Twice the same, in text too; and as many lines as are wanted.
    let text = |args: &[&str]| timeless(&good(&analyse(args)));
    let args = ["--nodes", "20000", "--moves", "Ff"];
    assert_eq!(text(&args), text(&args));
    let two = text(&["--depth", "3", "--lines", "2"]);
    assert!(two.contains("(2 of 6 moves)"), "{two}");
    for part in ["South to move, 48 seeds", "how it is known", "search, 3 plies", "estimates"] {
        assert!(two.contains(part), "{part}: {two}");
    }
    assert!(one(&good(&analyse(&["--time", "50ms", "--json"])))["limits"]["seconds"] == 0.05);
    // Over: said, not searched.
    let over = ["--position", "0-0-0-0-0-0-0-0-0-0-0-0-24-24-N"];
    assert!(text(&over).contains("The game is over: a draw 24-24"));
    let over = one(&good(&analyse(&[&over[..], &["--json"]].concat())));
    assert_eq!((&over["over"], &over["moves"]), (&"even".into(), &Value::Array(Vec::new())));
}

/// A game with its faults, and comments of a person.
const GAME: &str = "[South \"Ama <&>\"]\n[North \"Kofi\"]\n\n\
    { A first game. } 1. B f { Hm. } ( 1... a ) 2. B a 3. F a! 4. A d 5. D+2 a 6. A b *\n";

fn file_with(dir: &Path, text: &str) -> String {
    let path = dir.join("game.ogn");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A record without the line ends, which fall between any words.
fn in_a_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_game_with_all_that_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let file = file_with(dir.path(), GAME);
    let svg = dir.path().join("game.svg");
    let args = [&file, "--depth", "9", "--svg", svg.to_str().unwrap(), "--annotate", &file];
    let text = good(&analyse(&args));
    for part in [
        "game 1: Ama <&> (South) - Kofi (North), abapa, 12 plies",
        "What was better",
        "seeds lost a move  accuracy",
        "Seeds that South is expected to end ahead",
        "I, M, B: inaccuracy",
        " 0 ┼",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let picture = fs::read_to_string(&svg).unwrap();
    assert!(picture.starts_with("<svg ") && picture.contains("Ama &lt;&amp;&gt; (South)"));
    // In place, with everything that was there.
    let once = fs::read_to_string(&file).unwrap();
    for part in
        ["{ A first game. }", "{ Hm. }", "( 1... a )", "a!", "[oware] ", "[oware ?", "( { ["]
    {
        assert!(in_a_line(&once).contains(part), "{part}: {once}");
    }
    let record = ogn::parse(&once).unwrap();
    ogn::verify_variations(&record).unwrap();
    assert_eq!(ogn::write(&record), once);
    good(&run(&["replay", "--verify", &file]));
    // Again the same, and nothing twice; less deep, other numbers and no more comments.
    good(&analyse(&args));
    assert_eq!(fs::read_to_string(&file).unwrap(), once);
    good(&analyse(&[&file, "--depth", "2", "--annotate", &file]));
    let other = fs::read_to_string(&file).unwrap();
    assert_ne!(other, once);
    let words = in_a_line(&other);
    assert_eq!(words.matches("{ Hm. }").count(), 1);
    assert!(words.contains("(search, 2 plies)") && !words.contains(", 9 plies)"), "{other}");
    let left: Vec<_> = fs::read_dir(dir.path()).unwrap().collect();
    assert_eq!(left.len(), 2, "{left:?}");
    // ASCII alone where that is wanted.
    let ascii = good(&analyse(&[&file, "--depth", "2", "--ascii"]));
    assert!(ascii.is_ascii(), "{ascii}");
}

#[test]
fn games_as_json_lines() {
    let finished = ogn_of("abapa", "0-0-0-0-0-2-1-2-4-0-0-0-20-19-S", "F");
    let awari = ogn_of("awari", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "FfBe");
    let input = format!("{GAME}\n{finished}\n{awari}\n[South \"Yaw\"]\n\n1. F F *\n\n{finished}");
    let args = ["analyse", "--no-tables", "--json", "--depth", "6", "-"];
    let output = run_with(&args, input.as_bytes());
    assert_eq!(code(&output), 1);
    let lines = json_lines(&stdout(&output));
    assert_eq!(lines.len(), 5);
    let game = &lines[0];
    assert_eq!((&game["file"], &game["game"]), (&"standard input".into(), &1.into()));
    assert_eq!((&game["plies"], &game["analysed"]), (&12.into(), &12.into()));
    assert_eq!((&game["over"], &game["result"]), (&Value::Null, &Value::Null));
    assert_eq!(game["south"]["name"], "Ama <&>");
    let labels = ["best", "good", "inaccuracy", "mistake", "blunder"];
    for (index, ply) in game["moves"].as_array().unwrap().iter().enumerate() {
        assert_eq!(ply["ply"], index + 1);
        assert!(labels.map(Value::from).contains(&ply["label"]), "{ply}");
        let [best, played, lost] = [&ply["best"][0], &ply["played"], ply]
            .map(|of| of["value"].as_f64().or(of["lost"].as_f64()).unwrap());
        assert!((best - played - lost).abs() < 0.005 && lost >= 0.0, "{ply}");
        let sign = if ply["side"] == "South" { 1.0 } else { -1.0 };
        assert_eq!(ply["after"]["south"], sign * played, "{ply}");
    }
    let choices = game["south"]["choices"].as_u64().unwrap();
    let counted = game["south"]["labels"].as_object().unwrap().values();
    assert_eq!(counted.map(|n| n.as_u64().unwrap()).sum::<u64>(), choices);
    let accuracy = game["south"]["accuracy"].as_f64().unwrap();
    assert!((0.0..=100.0).contains(&accuracy));

    let over = &lines[1];
    assert_eq!((&over["over"], &over["result"]), (&"majority".into(), &"25-19".into()));
    assert_eq!(over["moves"][0]["played"]["proven"], "win");
    assert_eq!(over["moves"][0]["played"]["ends"], "majority");
    assert_eq!(over["south"]["choices"], 0);
    assert_eq!(lines[2]["rules"], "awari");
    let fault = &lines[3];
    assert!(fault["error"].as_str().unwrap().contains("ply 2"), "{fault}");
    assert_eq!(fault["game"], 4);
    // A game does not depend on those before it.
    let alone = json_lines(&stdout(&run_with(&args, finished.as_bytes())));
    assert_eq!(alone[0]["moves"], lines[4]["moves"]);
    assert_eq!(alone[0]["moves"], over["moves"]);
}

fn ogn_of(rules: &str, position: &str, moves: &str) -> String {
    good(&run(&["convert", "--to", "ogn", "--rules", rules, "--position", position, moves]))
}

#[test]
fn what_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = file_with(dir.path(), GAME);
    let out = dir.path().join("out");
    let out = out.to_str().unwrap();
    for (args, part) in [
        (&["--moves", "FfF"][..], "ply 3"),
        (&["--moves", "x"], "--moves"),
        (&["--position", "4-4"], "--position"),
        (&["--depth", "0"], "1..=120"),
        (&["--nodes", "0"], "--nodes"),
        (&["--time", "0"], "500ms"),
        (&["--time", "1h"], "500ms"),
        (&["--lines", "7"], "1..=6"),
        (&["--threads", "0"], "--threads"),
        (&["--hash", "0"], "--hash"),
        (&["--table-seeds", "25"], "0..=24"),
        (&["--svg", out], "--svg needs a FILE"),
        (&["--annotate", out], "--annotate needs a FILE"),
        (&["--moves", "F", &file], "cannot be used with"),
        (&["--tables", out], "cannot be used with"),
        (&["--svg", out, &file, &file], "one game, there are 2"),
    ] {
        let output = analyse(args);
        refused(&output, 2, part);
        assert_eq!(stdout(&output), "", "{args:?}");
    }
    for (text, part) in [
        (&b""[..], "standard input: no game in it"),
        (b"\xff", "standard input: line 1"),
        (b"1. F f 2. F *", "standard input: game 1: ply 3 (F): house F is empty"),
        (b"[FEN \"4-4\"]\n\n*", "game 1: before the first ply: tag FEN"),
        (b"[Rules \"kalah\"]\n\n*", "tag Rules"),
        (b"1. F 25-23", "game 1: after ply 1"),
    ] {
        let args = ["analyse", "--no-tables", "--depth", "2", "--annotate", out, "-"];
        let output = run_with(&args, text);
        refused(&output, 1, part);
        assert_eq!(stdout(&output), "", "{text:?}");
        assert!(stderr(&output).contains("is not written"));
    }
    refused(&analyse(&[out]), 1, "cannot be read");
    // What could not be written after the search is refused before it.
    let game = dir.path().join("given.ogn");
    fs::write(&game, "1. F f *").unwrap();
    let game = game.to_str().unwrap();
    let missing = dir.path().join("no").join("x.svg");
    for (args, part) in [
        (["--svg", game], "which the picture would replace"),
        (["--svg", missing.to_str().unwrap()], "lies in no directory that is there"),
        (["--annotate", dir.path().to_str().unwrap()], "is a directory, expected a file"),
    ] {
        refused(&analyse(&[game, args[0], args[1]]), 2, part);
    }
    assert_eq!(fs::read_to_string(game).unwrap(), "1. F f *");
    fs::remove_file(game).unwrap();
    // Nothing was written at all.
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn tables_that_are_missing_or_broken() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_str().unwrap();
    let output = run(&["analyse", "--depth", "2", "--tables", path]);
    assert_eq!(code(&output), 0);
    assert!(stderr(&output).contains("no endgame tables for abapa"), "{}", stderr(&output));
    build_tables(dir.path(), Rules::ABAPA.table_rules(), &[Target::Even], 3);
    let found = oware_tables::set::directory(dir.path(), Rules::ABAPA.table_rules());
    for entry in fs::read_dir(found).unwrap() {
        fs::write(entry.unwrap().path(), "broken").unwrap();
    }
    let output = run(&["analyse", "--depth", "2", "--tables", path]);
    refused(&output, 1, "--no-tables");
}

#[test]
fn games_of_no_moves_and_of_many() {
    let none = run_with(&["analyse", "--no-tables", "--depth", "3", "-"], b"*");
    assert!(good(&none).contains("No moves; South is expected to end"), "{}", stdout(&none));
    let moves = "fAaBbCcDdEeF".repeat(84);
    let rules = "abapa,repetition=off";
    let long = ogn_of(rules, "0-0-0-0-0-0-1-0-0-0-0-1-23-23-N", &moves);
    let args = ["analyse", "--no-tables", "--json", "--depth", "1", "-"];
    let found = one(&good(&run_with(&args, long.as_bytes())));
    assert_eq!(found["analysed"], 1008);
}

/// What was found so far is said, files are left alone, and the exit code is that of a signal.
#[cfg(unix)]
#[test]
fn a_signal_stops_it() {
    let dir = tempfile::tempdir().unwrap();
    let file = file_with(dir.path(), GAME);
    let begin = |args: &[&str]| {
        let mut command = oware(&[&["analyse", "--no-tables", "--time", "1000"], args].concat());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    for args in [&["--json"][..], &["--json", &file, "--annotate", &file]] {
        let child = begin(args);
        std::thread::sleep(Duration::from_millis(1500));
        let id = child.id().to_string();
        let killed = std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert!(killed.success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(code(&output), 130, "{}", stderr(&output));
        assert_eq!(one(&stdout(&output))["stopped"], true);
        assert!(stderr(&output).contains("stopped"), "{}", stderr(&output));
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), GAME);
}
