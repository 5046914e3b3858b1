//! `oware book`: built, stopped, looked into, checked, written out.

mod support;

use std::fs;
use std::path::Path;

use oware_notation::ogn;
use serde_json::Value;
use support::{code, good, json_lines, run, stderr, stdout};

#[track_caller]
fn bad(args: &[&str], expected: i32, part: &str) {
    let output = run(args);
    assert_eq!(code(&output), expected, "{args:?}: {}", stderr(&output));
    assert!(stderr(&output).contains(part), "{args:?}: {}", stderr(&output));
}

const SMALL: [&str; 6] = ["--nodes", "1000", "--expansions", "40", "--check-nodes", "4000"];

fn build(path: &Path, more: &[&str]) -> Vec<u8> {
    let file = path.to_str().unwrap();
    let args = [&["book", "build", "--quiet", "--output", file], &SMALL[..], more].concat();
    let output = run(&args);
    assert_eq!((code(&output), stdout(&output), stderr(&output)), Default::default(), "{args:?}");
    fs::read(path).unwrap()
}

/// The command that `stats` tells builds the same bytes.
#[test]
fn the_recorded_command_builds_the_same_book() {
    let dir = tempfile::tempdir().unwrap();
    let (first, second) = (dir.path().join("a.owb"), dir.path().join("b.owb"));
    let bytes = build(&first, &["--threads", "2", "--margin", "0.3", "--rules", "awari"]);
    let told = good(&["book", "stats", "--json", "--book", first.to_str().unwrap()]);
    let stats = &json_lines(&told)[0];
    assert_eq!((&stats["rules"], &stats["boards"]), (&Value::from("awari"), &Value::from(40)));
    assert_eq!(stats["bytes"], bytes.len());
    let command = stats["build"].as_str().unwrap();
    let command = command.replace("FILE", second.to_str().unwrap());
    let args: Vec<&str> = command.split(' ').skip(1).chain(["--threads", "1"]).collect();
    let told = run(&args);
    assert!(stderr(&told).contains("40 boards"), "{}", stderr(&told));
    assert!(fs::read(&second).unwrap() == bytes);
    // Again over the whole file: nothing changes, and nothing else is left behind.
    assert!(build(&first, &["--margin", "0.3", "--rules", "awari"]) == bytes);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
}

#[test]
fn a_book_is_looked_into() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.owb");
    build(&path, &[]);
    let book = ["--book", path.to_str().unwrap()];
    let show = |more: &[&str]| good(&[&["book", "show"], &book[..], more].concat());
    let text = show(&[]);
    assert!(text.starts_with("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\nSouth to move"), "{text}");
    let object = &json_lines(&show(&["--json"]))[0];
    let play = object["play"].as_str().unwrap();
    assert_eq!(object["moves"].as_object().unwrap().len(), 6);
    assert!(text.contains(&format!("\n* {play} ")), "{text}");
    assert_eq!(object["moves"][play]["loss"], 0.0);
    assert_eq!(object["moves"][play]["check"], "kept");
    assert!(show(&["--moves", play]).contains("North to move"));
    let out = &json_lines(&show(&["--json", "--moves", "FfEeDdCcBbAaFf"]))[0];
    assert_eq!(
        (&out["value"], &out["moves"], &out["play"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );

    let lines = good(&[&["book", "export", "--format", "text"], &book[..]].concat());
    assert_eq!(lines.lines().count(), 40);
    assert!(lines.starts_with("-\t4-4-4-4-4-4-4-4-4-4-4-4\t"), "{lines}");
    let record = good(&[&["book", "export", "--format", "ogn"], &book[..]].concat());
    let record = ogn::parse(&record).unwrap();
    ogn::verify_variations(&record).unwrap();
    let line = json_lines(&good(&[&["book", "stats", "--json"], &book[..]].concat()));
    let line = line[0]["line"].as_str().unwrap();
    let main: String = record.houses().map(oware_rules::House::letter).collect();
    assert!(line.starts_with(&main), "{main}, {line}");
}

#[test]
fn a_check_finds_and_prunes() {
    let dir = tempfile::tempdir().unwrap();
    let [path, pruned] = ["a.owb", "b.owb"].map(|name| dir.path().join(name));
    let bytes = build(&path, &[]);
    let file = path.to_str().unwrap();
    let check = ["book", "check", "--json", "--nodes", "9000", "--most-loss", "0", "--book", file];
    let told = json_lines(&good(&check));
    let (last, lines) = told.split_last().unwrap();
    assert_eq!(last["refused"], lines.len());
    assert!(!lines.is_empty() && lines.iter().all(|line| line["loss"].as_f64().unwrap() > 0.0));
    assert!(fs::read(&path).unwrap() == bytes, "a check alone writes nothing");
    let prune = ["--prune", "--output", pruned.to_str().unwrap()];
    good(&[&check[..], &prune].concat());
    let stats = good(&["book", "stats", "--json", "--book", pruned.to_str().unwrap()]);
    assert_eq!(json_lines(&stats)[0]["refused"], lines.len());
}

#[test]
fn faults_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.owb");
    let bytes = build(&path, &[]);
    let file = path.to_str().unwrap();
    let again = ["book", "build", "--output", file, "--nodes", "999"];
    bad(&again, 1, "was built with nodes 1000, expected 999");
    bad(&["book", "show", "--book", file, "--rules", "awari"], 1, "a book for the rules abapa");
    bad(&["book", "show", "--rules", "awari"], 1, "oware book build --rules awari");
    bad(&["book", "show", "--moves", "FF"], 1, "ply 2");
    bad(&["book", "check", "--prune"], 2, "--output FILE");
    bad(&["book", "build", "--output", file, "--margin", "0.125"], 2, "up to two decimals");
    bad(&["book", "build", "--output", file, "--nodes", "0"], 2, "nodes");
    bad(&["book", "build"], 2, "--output");
    bad(&["book", "stats", "--book", "no/such.owb"], 1, "no/such.owb");
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    bad(&["book", "stats", "--book", file], 1, "the checksum does not fit");
    bad(&["book", "build", "--output", file], 1, "cannot go on with the file");
}

/// The book that is part of the program is sound, small, and checked.
#[test]
fn the_built_in_book() {
    let stats = &json_lines(&good(&["book", "stats", "--json"]))[0];
    assert_eq!(stats["rules"], "abapa");
    assert!(stats["bytes"].as_u64().unwrap() < 300_000, "{stats}");
    assert!(stats["kept"].as_u64().unwrap() > 20, "{stats}");
    let first = &json_lines(&good(&["book", "show", "--json"]))[0];
    assert!(first["play"].is_string(), "{first}");
}

/// Stopped by a signal it answers 130, and the same command goes on with the file.
#[cfg(unix)]
#[test]
fn a_stopped_build_goes_on() {
    use std::time::{Duration, Instant};

    let dir = tempfile::tempdir().unwrap();
    let [path, whole] = ["a.owb", "b.owb"].map(|name| dir.path().join(name));
    let more = ["--nodes", "60000", "--expansions", "60", "--check-nodes", "1"];
    let args = |path: &Path| {
        let path = path.to_str().unwrap().to_owned();
        [&["book", "build", "--threads", "1", "--output", &path], &more[..]]
            .concat()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let arguments = args(&path);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut child = support::oware(&arguments).stderr(std::process::Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(150));
    let kill = std::process::Command::new("kill").arg(child.id().to_string()).status().unwrap();
    assert!(kill.success());
    let begun = Instant::now();
    let status = child.wait().unwrap();
    // On a machine so fast, or one so slow that no signal was listened to yet, nothing is shown.
    assert!(begun.elapsed() < Duration::from_secs(120));
    assert!(matches!(status.code(), Some(130 | 0) | None), "{status}");
    good(&arguments);
    let other = args(&whole);
    good(&other.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(fs::read(&path).unwrap() == fs::read(&whole).unwrap());
}
