//! `oware tables` and the hints of `oware play`, on tables built for the test.

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use oware_retro::Target;
use oware_rules::Rules;
use oware_tables::{Convention, Kind, TableSet};
use oware_testkit::cases::{ENDGAME_NAMES, endgame_cases, endgame_layers, endgame_samples};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use support::{build_tables, code, json_lines, oware, run, run_with, stderr, stdout};

/// Layers of which every kind of table is built.
const SEEDS: usize = 7;

/// A directory with the tables of the three rules of the endgame cases, whole.
fn tables() -> &'static str {
    static ROOT: OnceLock<tempfile::TempDir> = OnceLock::new();
    let root = ROOT.get_or_init(|| {
        let root = tempfile::tempdir().unwrap();
        for name in ENDGAME_NAMES {
            build_into(root.path(), name, &[Target::Even, Target::Bounds], SEEDS);
        }
        root
    });
    root.path().to_str().unwrap()
}

fn build_into(root: &Path, rules: &str, targets: &[Target], layers: usize) {
    build_tables(root, rules.parse::<Rules>().unwrap().table_rules(), targets, layers);
}

/// Runs a command of `oware tables` on the tables without fault.
#[track_caller]
fn good(args: &[&str]) -> String {
    let output = run(&[&["tables"], args, &["--dir", tables()]].concat());
    assert_eq!((code(&output), stderr(&output)), (0, String::new()), "{args:?}");
    stdout(&output)
}

/// Probes lines of JSON and gives the answers.
#[track_caller]
fn probe(input: &str, args: &[&str]) -> Vec<Value> {
    let args = [&["tables", "probe", "--json", "--dir", tables()], args].concat();
    let output = run_with(&args, input.as_bytes());
    assert_eq!((code(&output), stderr(&output)), (0, String::new()));
    json_lines(&stdout(&output))
}

fn set(rules: &str) -> TableSet {
    let rules: Rules = rules.parse().unwrap();
    TableSet::open(Path::new(tables()), rules.table_rules()).unwrap()
}

#[test]
fn help_has_examples() {
    for command in ["stats", "probe", "list", "export"] {
        let output = run(&["tables", command, "--help"]);
        assert_eq!(code(&output), 0);
        assert!(stdout(&output).contains("Examples:"), "{command}");
    }
}

#[test]
fn every_board_to_six_seeds() {
    for name in ENDGAME_NAMES {
        let set = set(name);
        let cases = endgame_cases(name);
        let input: String =
            cases.iter().map(|case| json!({"houses": case.houses}).to_string() + "\n").collect();
        let answers = probe(&input, &["--rules", name]);
        assert_eq!(answers.len(), 18_564);
        for (case, answer) in cases.iter().zip(&answers) {
            let value = |convention| set.value(convention, &case.houses).unwrap().unwrap();
            let distance = set.distance(Convention::Even, &case.houses).unwrap().unwrap();
            assert_eq!(answer["houses"], json!(case.houses));
            assert_eq!(answer["value"], json!(case.value), "{name} {answer}");
            assert_eq!(answer["low"], json!(value(Convention::Low)), "{name} {answer}");
            assert_eq!(answer["high"], json!(value(Convention::High)), "{name} {answer}");
            assert_eq!(answer["distance"], json!(distance), "{name} {answer}");
            let moves = answer["moves"].as_object().unwrap();
            let best = moves.values().map(|value| value.as_i64().unwrap()).max();
            assert!(best.is_none_or(|best| best == i64::from(case.value)), "{name} {answer}");
            for missing in ["scores", "over", "result"] {
                assert_eq!(answer.get(missing), None);
            }
        }
    }
}

/// The rules stand in the lines, as they do in the file.
#[test]
fn samples_with_their_moves() {
    let mut compared = 0;
    for name in ENDGAME_NAMES {
        let samples: Vec<_> =
            endgame_samples(name).into_iter().filter(|sample| sample.n <= SEEDS).collect();
        let line = |houses: &[u8; 12]| json!({"houses": houses, "rules": name}).to_string() + "\n";
        let input: String = samples.iter().map(|sample| line(&sample.houses)).collect();
        for (sample, answer) in samples.iter().zip(probe(&input, &[])) {
            let moves: BTreeMap<String, i8> =
                sample.moves.iter().map(|(mv, value)| (mv.to_string(), *value)).collect();
            assert_eq!(answer["value"], json!(sample.value), "{answer}");
            assert_eq!(answer["moves"], json!(moves), "{answer}");
            let id: Rules = name.parse().unwrap();
            assert_eq!(answer["rules"], json!(id.id()));
            compared += 1;
        }
    }
    assert_eq!(compared, 3000);
}

#[test]
fn results_are_what_is_proven() {
    // A board that is neither won nor lost under any split, found by its values.
    let (low, high) = (Kind::value(Convention::Low), Kind::value(Convention::High));
    let set = set("abapa");
    let houses = oware_tables::Layer::new(6)
        .boards()
        .find(|houses| {
            let byte = |kind| set.file(kind, 6).unwrap().unwrap().probe(houses).unwrap() as i8;
            let even = set.value(Convention::Even, houses).unwrap().unwrap();
            (-5..0).contains(&byte(low)) && byte(high) > 0 && even > 0
        })
        .unwrap();
    let line = |scores: [u8; 2], rules: &str| {
        json!({"houses": houses, "scores": scores, "rules": rules}).to_string() + "\n"
    };
    let input = [
        line([21, 21], "abapa"),
        line([21, 21], "abapa,repetition=5"),
        line([24, 18], "abapa"),
        line([24, 18], "abapa,capture_free_limit=60"),
        line([21, 21], "abapa,loop_split=even"),
        line([26, 16], "abapa"),
        line([17, 25], "abapa"),
    ];
    let answers = probe(&input.concat(), &[]);
    let result = |place: usize| answers[place]["result"].as_str().unwrap();
    let expected = ["unknown", "unknown", "win", "unknown", "win", "win", "loss"];
    for (place, expected) in expected.into_iter().enumerate() {
        assert_eq!(result(place), expected, "{}", answers[place]);
        let over = if place >= 5 { json!("majority") } else { Value::Null };
        assert_eq!(answers[place]["over"], over);
        // Values are for playing on, whatever the stores.
        assert_eq!(answers[place]["value"], answers[0]["value"]);
        assert_eq!(answers[place]["moves"], answers[0]["moves"]);
    }
    // Seen by North, as a position string.
    let mut turned = houses.map(|seeds| seeds.to_string());
    turned.rotate_left(6);
    let position = json!({"position": format!("{}-18-24-N", turned.join("-"))}).to_string();
    let answer = &probe(&position, &[])[0];
    let fields = ["houses", "scores", "result", "value", "low", "high", "distance", "moves"];
    for field in fields {
        assert_eq!(answer[field], answers[2][field], "{field}");
    }
    // An end by itself: nobody can move.
    let empty = json!({"houses": vec![0; 12], "scores": [20, 28]}).to_string();
    let answer = &probe(&empty, &["--rules", "abapa,play_on=yes"])[0];
    assert_eq!((&answer["over"], &answer["result"]), (&json!("no_move"), &json!("loss")));
}

#[test]
fn what_is_missing_is_null() {
    let eight = "{\"houses\":[1,1,1,1,1,1,1,1,0,0,0,0]}\n";
    let answer = &probe(eight, &[])[0];
    for field in ["value", "low", "high", "distance"] {
        assert_eq!(answer[field], Value::Null, "{answer}");
    }
    assert_eq!(answer["moves"].as_object().unwrap().len(), 6);
    assert_eq!(answer["moves"]["0"], Value::Null);
    // Only what was asked for.
    let seven = "{\"houses\":[0,1,3,1,0,1,0,0,0,1,0,0],\"scores\":[20,21]}\n";
    let answer = &probe(seven, &["--convention", "low"])[0];
    assert!(answer["low"].is_i64() && answer["value"].is_null() && answer["high"].is_null());
    assert!(answer["distance"].is_null(), "{answer}");
    let answer = &probe(seven, &["--convention", "even", "--distance", "--layers", "6"])[0];
    assert!(answer["value"].is_null() && answer["result"] == "unknown", "{answer}");
    let answer = &probe(seven, &["--convention", "even", "--distance", "--layer", "7"])[0];
    assert!(answer["value"] == 7 && answer["distance"].is_u64(), "{answer}");
    // No table at all: nulls, and a word on how they are made, once.
    let nowhere = ["tables", "probe", "--json", "--dir", "no/such/place", "--rules", "awari"];
    let output = run_with(&nowhere, seven.repeat(2).as_bytes());
    assert_eq!(code(&output), 0);
    let answers = json_lines(&stdout(&output));
    assert!(answers.len() == 2 && answers[1]["low"].is_null());
    let said = stderr(&output);
    assert!(said.contains("`oware tables build --rules awari --layers 12`"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn bad_lines_name_the_field() {
    let input = concat!(
        "{\"houses\":[1,2]}\n",
        "{\"houses\":[9,9,9,9,9,9,9,9,9,9,9,9]}\n",
        "{\"houses\":[1,0,0,0,0,0,0,0,0,0,0,0],\"scores\":[1,2]}\n",
        "{\"position\":\"1-2-3\"}\n",
        "{\"position\":\"4 4 4 4 4 4 4 4 4 4 4 5\"}\n",
        "{}\n",
        "{\"houses\":[1,0,0,0,0,0,0,0,0,0,0,0],\"rules\":\"kalah\"}\n",
        "{\"position\":\"0 0 0 0 0 1 0 0 0 0 0 1\"}\n",
    );
    let output = run_with(&["tables", "probe", "--json", "--dir", tables()], input.as_bytes());
    assert_eq!(code(&output), 1);
    let answers = json_lines(&stdout(&output));
    let fields = ["houses", "houses", "houses", "position", "position", "houses", "rules"];
    for (place, field) in fields.into_iter().enumerate() {
        assert_eq!(answers[place]["field"], json!(field), "{}", answers[place]);
        assert_eq!(answers[place]["line"], json!(place + 1));
    }
    assert!(answers[7]["value"].is_i64(), "{}", answers[7]);
}

#[test]
fn statistics_of_whole_layers() {
    for (name, layers) in endgame_layers() {
        let args = ["stats", "--json", "--rules", &name, "--convention", "even", "--layers", "7"];
        let lines = json_lines(&good(&args));
        assert_eq!(lines.len(), SEEDS + 1);
        for (line, layer) in lines.iter().zip(&layers) {
            let id: Rules = name.parse().unwrap();
            let values: BTreeMap<String, usize> =
                layer.values.iter().map(|(value, count)| (value.to_string(), *count)).collect();
            let expected = json!({
                "rules": id.id(), "convention": "even", "layer": layer.n,
                "positions": layer.positions, "values": values,
            });
            assert_eq!(*line, expected);
        }
    }
    let all = json_lines(&good(&["stats", "--json", "--convention", "low,high", "--distance"]));
    assert_eq!(all.len(), 4 * (SEEDS + 1));
    for line in &all {
        let counts = line.get("values").or(line.get("distances")).unwrap().as_object().unwrap();
        let sum: u64 = counts.values().map(|count| count.as_u64().unwrap()).sum();
        assert_eq!(json!(sum), line["positions"]);
    }
    let text = good(&["stats", "--layer", "4"]);
    for part in ["abapa, even values", "if loops are split evenly", "1365", "+4", "413"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_missing_table_names_the_command_that_builds_it() {
    let bad = |args: &[&str]| {
        let output = run(&[&["tables"], args].concat());
        assert_eq!((code(&output), stdout(&output)), (1, String::new()), "{args:?}");
        stderr(&output)
    };
    let said = bad(&["stats", "--dir", tables(), "--layers", "8", "--rules", "awari"]);
    assert!(said.contains("layer 8 under awari"), "{said}");
    let build = "`oware tables build --rules awari --convention even --layers 8`";
    assert!(said.contains(build), "{said}");
    let said = bad(&["stats", "--dir", "nowhere", "--convention", "low", "--distance"]);
    assert!(said.contains("low values under abapa in nowhere"), "{said}");
    let said = bad(&["export", "--format", "raw", "--to", "x", "--dir", "nowhere", "--layer", "3"]);
    assert!(said.contains("--layers 3"), "{said}");
    assert!(!Path::new("x").exists());
    for (args, part) in [
        (&["stats", "--convention", "frob"][..], "expected even, low or high"),
        (&["stats", "--layers", "49"], "--layers"),
        (&["stats", "--layer", "3", "--layers", "3"], "cannot be used with"),
        (&["stats", "--rules", "kalah"], "Kalah"),
        (&["export", "--format", "frob", "--to", "x"], "vu, raw"),
        (&["export", "--format", "vu", "--to", "x", "--convention", "low"], "--convention even"),
        (&["export", "--format", "vu", "--to", "x", "--distance"], "--distance"),
        (&["probe", "--json", "--scores", "1,2"], "--scores"),
    ] {
        let output = run(&[&["tables"], args].concat());
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(stderr(&output).contains(part), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn the_variable_names_the_directory() {
    let list = |dir: &str| {
        oware(&["tables", "list"]).env("OWARE_TABLES", dir).output().expect("the binary runs")
    };
    let text = stdout(&list(tables()));
    for part in [
        "grand_slam=no_capture;feeding=when_empty;stuck=own_rows (abapa, abapa-first-repetition)",
        "(awari)",
        "(slam-captures)",
        "even-distance  0-7",
        "50388",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let nothing = list("nowhere");
    assert_eq!(code(&nothing), 0);
    assert!(stdout(&nothing).contains("`oware tables build --rules abapa --layers 12`"));
    let awari = good(&["list", "--rules", "awari", "--convention", "low", "--layers", "5"]);
    assert_eq!(awari.lines().count(), 3, "{awari}");
    assert!(awari.contains("low            0-5"), "{awari}");
}

/// SHA-256 of the public database's files `scores.0` to `scores.6`, as its rules give them.
const SCORES: [&str; 7] = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "b8aabfb932dd7de4ac02edf77c37c294b6aabbc0d5132795d0fca9ea55e01596",
    "b03bb501e2b74ce4159fd24ebc30f7eebb6e706d39848aa997d1d3718807f72d",
    "10e4e9c7787e8299fb2a0997c30ede94eced45943a6d7d118ae389af875eb0f7",
    "801f4cf858eabaaf11ef07315ab003bd7044d74f5e1c5b4fe928ac76b34cb202",
    "9ee7f58087b8a34f1aed3a38839359795592089f7a798aea330c2f665a4f5e53",
    "421692ea9842e97c127a7751c0ab9517dfa810db77ef79a41da4e2d6782288e3",
];

#[test]
fn the_layout_of_the_public_database() {
    let dir = tempfile::tempdir().unwrap();
    let to = dir.path().join("scores");
    let to_text = to.to_str().unwrap();
    let args = ["export", "--rules", "awari", "--layers", "6", "--format", "vu", "--to", to_text];
    let said = good(&args);
    assert!(said.contains("scores.6  12375 bytes"), "{said}");
    for (seeds, expected) in SCORES.iter().enumerate() {
        let bytes = fs::read(to.join(format!("scores.{seeds}"))).unwrap();
        let hash: String =
            Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hash, *expected, "scores.{seeds}");
    }
    assert_eq!(fs::read_dir(&to).unwrap().count(), SCORES.len());
}

#[test]
fn raw_bytes_are_those_of_the_tables() {
    let dir = tempfile::tempdir().unwrap();
    let to = dir.path().to_str().unwrap();
    let kinds = ["--convention", "even,high", "--distance"];
    good(&[&["export", "--layer", "5", "--format", "raw", "--to", to], &kinds[..]].concat());
    let set = set("abapa");
    for name in ["even", "high", "even-distance", "high-distance"] {
        let kind = Kind::all().find(|kind| kind.name() == name).unwrap();
        let bytes = fs::read(dir.path().join(format!("{name}-05.bin"))).unwrap();
        assert_eq!(bytes, set.file(kind, 5).unwrap().unwrap().read_all(None, 1).unwrap(), "{name}");
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 4);
}

#[test]
fn positions_in_words() {
    let position = "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S";
    let text = good(&["probe", position]);
    for part in [
        "0 0 0 0 0 1 | 1 0 0 0 0 0: South to move, 2 seeds, abapa",
        "even",
        "if loops are split evenly",
        "if loops count for the opponent",
        "  move   even   low  high",
        "stores 23-23 (South first): proven: North wins, by 2 seeds at the last seed",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let bare = good(&["probe", "0 0 0 0 0 1 1 0 0 0 0 0"]);
    assert!(!bare.contains("stores"), "{bare}");
    let scored = good(&["probe", "--scores", "23,23", "0 0 0 0 0 1 1 0 0 0 0 0"]);
    assert_eq!(scored, text);
    let line = "{\"houses\":[0,0,0,0,0,1,1,0,0,0,0,0],\"scores\":[23,23]}";
    assert_eq!(good(&["probe", line]), text);
    let over = good(&["probe", "0-0-0-0-0-1-1-0-0-0-0-0-25-21-S"]);
    assert!(over.contains("South wins 25-21 (majority"), "{over}");
    let start = good(&["probe", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"]);
    assert!(start.contains("`oware tables build --rules abapa --layers 48`"), "{start}");
    let input = format!("{position}\n\nfrob\n");
    let output = run_with(&["tables", "probe", "--dir", tables()], input.as_bytes());
    assert_eq!((code(&output), stdout(&output)), (1, text));
    assert!(stderr(&output).contains("line 3: "), "{}", stderr(&output));
}

/// Line mode with a position and the words typed into it.
fn play(save: &Path, tables: &str, options: &[&str], input: &str) -> String {
    let args = ["play", "--line", "--two", "--new", "--tables", tables];
    let save = ["--save", save.to_str().unwrap()];
    let output = run_with(&[&args[..], &save, options].concat(), input.as_bytes());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn hints_say_what_is_proven() {
    let dir = tempfile::tempdir().unwrap();
    let save: PathBuf = dir.path().join("game.ogn");
    let hint = |options: &[&str], tables: &str| {
        let text = play(&save, tables, options, "hint\n");
        text.lines().find(|line| line.contains("Hint:")).unwrap().to_owned()
    };
    let lost = ["--position", "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S"];
    let said = hint(&lost, tables());
    assert!(said.contains("Hint: F, by the endgame tables: it captures or ends"), "{said}");
    assert!(said.contains("Endgame tables: proven: North wins, by 2 seeds"), "{said}");
    // Not covered, and no tables at all: as ever.
    for (options, tables) in [(&[][..], tables()), (&lost, "no/such/place")] {
        let said = hint(options, tables);
        assert!(said.contains("an estimate") && !said.contains("tables"), "{said}");
    }
    // A board with a loop in it, where only the even value is known.
    let even = tempfile::tempdir().unwrap();
    build_into(even.path(), "abapa", &[Target::Even], 4);
    let loops = ["--position", "0-0-0-0-1-1-0-0-0-0-1-1-22-22-S"];
    let said = hint(&loops, even.path().to_str().unwrap());
    assert!(said.contains("not proven: ") && said.contains("if loops are split evenly"), "{said}");
    // Tables that cannot be read are told of, and the game goes on.
    let directory = fs::read_dir(even.path()).unwrap().next().unwrap().unwrap().path();
    fs::write(directory.join("MANIFEST"), "frob\n").unwrap();
    let text = play(&save, even.path().to_str().unwrap(), &loops, "hint\n");
    assert!(text.contains("The endgame tables are left out: "), "{text}");
    assert!(text.contains("an estimate"), "{text}");
}

#[test]
fn a_build_by_ranks_is_simulated_and_planned() {
    let simulate = ["tables", "simulate", "--layers", "9", "--model", "6", "--ranks", "2,3"];
    let output = run(&[&simulate[..], &["--sample", "0", "--json"]].concat());
    assert_eq!((code(&output), stderr(&output)), (0, String::new()));
    let lines = json_lines(&stdout(&output));
    let layers: Vec<&Value> = lines.iter().filter(|line| line["what"] == "layer").collect();
    assert_eq!(layers.len(), 2 * 10);
    assert_eq!(layers[19]["positions"], 167_960.0);
    assert_eq!(layers[19]["ranks"], 3);
    let ways = lines.iter().filter(|line| line["what"] == "sharing");
    assert!(ways.into_iter().all(|line| line["balance"]["moves"].as_f64() >= Some(1.0)));
    let again = run(&[&simulate[..], &["--sample", "0", "--json"]].concat());
    assert_eq!(stdout(&again), stdout(&output));

    let plan = ["tables", "plan", "--layers", "9", "--ranks", "2", "--memory"];
    let planned = |memory: &str| stdout(&run(&[&plan[..], &[memory]].concat()));
    assert!(planned("8G").ends_with("It fits.\n"));
    assert!(planned("1M").contains("It does not fit: memory of a rank: "));
}

#[test]
fn what_cannot_be_simulated_is_refused() {
    for (args, message) in [
        (&["simulate", "--sample", "0"][..], "--sample 0 looks at all boards, up to --layers 16"),
        (&["simulate", "--ranks", "0"], "0 is not in 1..=65535"),
        (&["simulate", "--layers", "49"], "49 is not in 0..=48"),
        (&["simulate", "--bandwidth", "-1"], "expected a number above 0"),
        (&["simulate", "--latency", "nan"], "expected a number above 0"),
        (
            &["plan", "--layers", "9", "--ranks", "2", "--convention", "low"],
            "--ranks plans even values alone",
        ),
    ] {
        let output = run(&[&["tables"], args].concat());
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(stderr(&output).contains(message), "{args:?}: {}", stderr(&output));
    }
}
