//! Help, rules, conversions, records, exit codes. The texts stand in testdata/cli; they are
//! written anew with UPDATE_EXPECT=1.

mod support;

use std::fs;

use expect_test::expect_file;
use oware_testkit::cases::testdata_dir;
use support::{code, json_lines, run, run_with, stderr, stdout};

/// Runs without fault and gives the output.
#[track_caller]
fn good(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!((code(&output), stderr(&output)), (0, String::new()), "{args:?}");
    stdout(&output)
}

/// Runs into a fault with this exit code and gives the messages.
#[track_caller]
fn bad(args: &[&str], expected: i32) -> String {
    let output = run(args);
    assert_eq!(code(&output), expected, "{args:?}: {}", stderr(&output));
    assert_eq!(stdout(&output), "", "{args:?}");
    stderr(&output)
}

const COMMANDS: [&str; 14] = [
    "serve",
    "analyse",
    "moves",
    "replay",
    "perft",
    "convert",
    "tables",
    "match",
    "bench",
    "book",
    "engine",
    "rules",
    "completions",
    "man",
];

#[test]
fn help() {
    let mut all = good(&["--help"]);
    for command in COMMANDS {
        let help = good(&[command, "--help"]);
        assert!(help.contains("Examples:"), "{command}");
        all += &format!("\n=== {command}\n{help}");
    }
    expect_file![testdata_dir().join("cli/help.txt")].assert_eq(&all);
    let none = run(&[]);
    assert_eq!((code(&none), stdout(&none)), (2, String::new()));
    assert!(stderr(&none).contains("Usage: oware"));
}

#[test]
fn rules() {
    expect_file![testdata_dir().join("cli/rules.txt")].assert_eq(&good(&["rules"]));
    let examples = |rules: &str| good(&["rules", rules, "--examples"]);
    expect_file![testdata_dir().join("cli/rules-abapa.txt")].assert_eq(&examples("abapa"));
    expect_file![testdata_dir().join("cli/rules-awari.txt")].assert_eq(&examples("awari"));
    let first = examples("abapa-first-repetition");
    expect_file![testdata_dir().join("cli/rules-abapa-first-repetition.txt")].assert_eq(&first);
    let illegal = examples("slam-illegal,capture_free_limit=100,play_on=yes");
    expect_file![testdata_dir().join("cli/rules-fields.txt")].assert_eq(&illegal);
    assert_eq!(good(&["rules", "--examples"]), examples("abapa"));
}

#[test]
fn rules_as_json() {
    let presets = json_lines(&good(&["rules", "--json"]));
    assert_eq!(presets.len(), oware_rules::PRESETS.len());
    for (line, preset) in presets.iter().zip(oware_rules::PRESETS) {
        assert_eq!(line["rules"], preset.name);
        for (field, value) in preset.rules.fields() {
            assert_eq!(line["fields"][field], value);
        }
        assert_eq!(line["table_rules"], preset.rules.table_rules().to_string());
    }
    let one = json_lines(&good(&["rules", "no_capture", "--json", "--examples"]));
    assert_eq!(one.len(), 1);
    assert_eq!(one[0]["rules"], "abapa-first-repetition");
    assert_eq!(one[0]["examples"][3]["score"], "24-24");
    assert_eq!(one[0]["examples"][3]["reason"], "repetition");
}

#[test]
fn bad_usage_is_2() {
    for (args, part) in [
        (&["frob"][..], "frob"),
        (&["moves", "--rules", "frob"], "expected one of abapa"),
        (&["rules", "abapa,repetition=1"], "repetition"),
        (&["rules", "kalah"], "Kalah"),
        (&["perft", "--depth", "0"], "1..=100"),
        (&["perft", "--depth", "99999999999999999999"], "invalid"),
        (&["perft", "--threads", "0"], "1..=1024"),
        (&["perft", "--position", ""], "empty"),
        (&["perft", "--position", "4-4-4-4-4-4-0-4-4-4-4-4-4-0"], "Kalah"),
        (&["perft", "--position", "4-4-4-4-4-4-4-4-4-4-4-5-0-0-S"], "49 seeds"),
        (&["perft", "--position", "4 4 4 4 4 4 4 4 4 4 4 4"], "no stores"),
        (&["perft", "--scores", "1,2"], "--position"),
        (&["perft", "--scores", "1;2"], "12,9"),
        (&["convert", "--to", "frob"], "canonical, openspiel, playstrategy, twelve, ogn, moves"),
        (&["convert", "--ogn"], "FILE"),
        (&["convert", "--ogn", "--to", "twelve", "x"], "--to ogn"),
        (&["convert", "--from", "twelve", "--to", "ogn", "F"], "--from"),
        (&["convert", "--position", "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S", "x"], "--position"),
        (&["completions", "frob"], "bash"),
    ] {
        let message = bad(args, 2);
        assert!(message.contains(part), "{args:?}: {message}");
    }
}

#[test]
fn perft_as_text() {
    let text = good(&["perft", "--depth", "4", "--divide", "--detail", "--threads", "3"]);
    for part in ["4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "abapa", "threads  3", "1014", "slams", "A "] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let over =
        good(&["perft", "--json", "--depth", "2", "--position", "0-0-0-0-0-0-0-0-0-0-0-0-24-24-N"]);
    assert!(json_lines(&over).iter().all(|row| row["nodes"] == 0), "{over}");
    let twelve = ["perft", "--json", "--depth", "1", "--scores", "20,19", "--position"];
    let row = good(&[&twelve[..], &["0 0 0 0 0 2 1 2 4 0 0 0"]].concat());
    assert_eq!(json_lines(&row)[0]["position"], "0-0-0-0-0-2-1-2-4-0-0-0-20-19-S");
}

#[test]
fn positions_go_through_every_form() {
    let canonical = "1-0-0-12-0-2-1-2-4-0-0-0-20-6-N";
    for form in ["canonical", "openspiel", "playstrategy"] {
        let text = good(&["convert", "--to", form, canonical]);
        let back = good(&["convert", "--from", form, text.trim_end()]);
        assert_eq!(back.trim_end(), canonical, "{form}");
        let wrong = bad(&["convert", "--from", "twelve", text.trim_end()], 1);
        assert!(wrong.contains(&format!("has the form {form}, expected twelve")), "{wrong}");
    }
    // Twelve numbers are the mover's, without side and stores.
    let twelve = good(&["convert", "--to", "twelve", canonical]);
    assert_eq!(twelve, "1 2 4 0 0 0 1 0 0 12 0 2\n");
    let back = good(&["convert", "--scores", "6,20", twelve.trim_end()]);
    assert_eq!(back, "1-2-4-0-0-0-1-0-0-12-0-2-6-20-S\n");
}

#[test]
fn lines_of_standard_input_are_converted() {
    let mut input = b"\xef\xbb\xbf4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\r\n\nfrob\n\xff\n".to_vec();
    input.resize(input.len() + (2 << 20), b'4');
    input.extend(b"\n0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4");
    let output = run_with(&["convert", "--to", "twelve"], &input);
    assert_eq!(code(&output), 1);
    assert_eq!(stdout(&output), "4 4 4 4 4 4 4 4 4 4 4 4\n".repeat(2));
    let errors = stderr(&output);
    for (line, part) in errors.lines().zip(["line 3: ", "line 4: ", "line 5: "]) {
        assert!(line.contains(part), "{errors}");
    }
    assert_eq!(errors.lines().count(), 3, "{errors}");
}

/// Games as moves, to a record, checked, canonical again, and back to moves.
#[test]
fn games_to_records_and_back() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("games.ogn");
    let path = file.to_str().unwrap();
    let cases = oware_testkit::cases::game_cases();
    let games: Vec<_> = cases.iter().filter(|case| case.rules == "awari").collect();
    let moves: String = games.iter().map(|case| case.moves.clone() + "\n").collect();
    let to_ogn = ["convert", "--to", "ogn", "--rules", "awari", "--output", path];
    let output = run_with(&to_ogn, moves.as_bytes());
    assert_eq!((code(&output), stdout(&output), stderr(&output)), Default::default());
    let records = fs::read_to_string(&file).unwrap();

    let told = good(&["replay", "--verify", path]);
    assert_eq!(told.lines().count(), games.len());
    for (line, case) in told.lines().zip(&games) {
        assert!(line.contains(&format!("awari, {} plies: ", case.plies)), "{line}");
        assert!(line.contains(&format!("({}: ", case.reason)), "{line}");
    }
    assert_eq!(good(&["convert", "--ogn", path]), records);
    assert_eq!(good(&["convert", "--ogn", "--to", "moves", path]), moves);
    // In place, and nothing is left beside the file.
    assert_eq!(good(&["convert", "--ogn", path, "-o", path]), "");
    assert_eq!(fs::read_to_string(&file).unwrap(), records);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn the_first_wrong_ply_of_a_record_is_named() {
    let record = "[South \"Ama\"]\n[North \"Kofi\"]\n\n1. F f 2. F *\n\n\
        [South \"Yaw\"]\n\n1. F f 2. B e *\n";
    let output = run_with(&["replay"], record.as_bytes());
    assert_eq!((code(&output), stderr(&output)), (1, String::new()));
    let text = stdout(&output);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert_eq!(lines[0], "standard input: game 1: WRONG: ply 3 (F): house F is empty");
    assert!(lines[1].contains("abapa, 4 plies: not over, 0-0 so far"), "{text}");

    let under = run_with(&["replay", "--rules", "awari"], b"1. F f *");
    assert!(stdout(&under).contains("awari"), "{}", stdout(&under));

    let variation = b"1. F ( 1. E f 2. E ) f *";
    assert_eq!(code(&run_with(&["replay"], variation)), 0);
    let verified = run_with(&["replay", "--verify"], variation);
    assert_eq!(code(&verified), 1);
    assert!(stdout(&verified).contains("variation"), "{}", stdout(&verified));

    for broken in [&b""[..], b"\xff", b"\0\0", b"[South \"A", b"{ open", b"1. F f 25-"] {
        let output = run_with(&["replay"], broken);
        assert_eq!(code(&output), 1, "{broken:?}");
        assert!(stdout(&output).starts_with("standard input: "), "{}", stdout(&output));
    }
}

#[test]
fn lines_of_games() {
    let input = concat!(
        "{\"moves\":\"\"}\n",
        "{\"moves\":\"1. F f 2. B\",\"rules\":\"awari\"}\n",
        "{\"moves\":\"F\",\"position\":\"0-0-0-0-0-2-1-2-4-0-0-0-20-19-S\"}\n",
        "{\"moves\":\"FfF\"}\n",
        "{\"moves\":\"F2\"}\n",
        "{\"moves\":\"A\",\"position\":\"0-0-0-0-0-1-1-0-0-0-0-0-23-23-N\"}\n",
        "{\"moves\":[]}\n",
    );
    let output = run_with(&["replay", "--json"], input.as_bytes());
    assert_eq!(code(&output), 1);
    expect_file![testdata_dir().join("cli/replay-json.txt")].assert_eq(&stdout(&output));
}

#[test]
fn files_are_replaced_whole_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("out.txt");
    fs::write(&file, "before").unwrap();
    let path = file.to_str().unwrap();
    let message = bad(&["convert", "-o", path, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "frob"], 1);
    assert!(message.contains("is not written"), "{message}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "before");
    let deep = dir.path().join("no/such/out.txt");
    bad(&["convert", "-o", deep.to_str().unwrap(), "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"], 1);
    bad(&["convert", "-o", dir.path().to_str().unwrap(), "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"], 1);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

/// A link stays a link, and a device is not replaced by a file.
#[cfg(unix)]
#[test]
fn links_and_devices_stay_what_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let (file, link) = (dir.path().join("file"), dir.path().join("link"));
    fs::write(&file, "").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    good(&["convert", "-o", link.to_str().unwrap(), "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"]);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&file).unwrap(), "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\n");
    let message = bad(&["convert", "-o", "/dev/null", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"], 1);
    assert!(message.contains("not a regular file"), "{message}");
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = good(&["completions", shell]);
        for command in COMMANDS {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
}

#[test]
fn manual_pages() {
    let page = good(&["man"]);
    assert!(page.contains(".TH oware 1"), "{page}");
    let dir = tempfile::tempdir().unwrap();
    let man1 = dir.path().join("share/man1");
    good(&["man", "--dir", man1.to_str().unwrap()]);
    assert_eq!(fs::read_to_string(man1.join("oware.1")).unwrap(), page);
    for command in COMMANDS {
        let page = fs::read_to_string(man1.join(format!("oware-{command}.1"))).unwrap();
        assert!(page.contains(&format!(".TH oware-{command} 1")), "{page}");
        assert!(page.contains("Examples:"), "{page}");
    }
}
