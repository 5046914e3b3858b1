//! `oware moves` as a stream: faults, order, limits, pipes, memory.

mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

use oware_testkit::TestRng;
use serde_json::{Value, json};
use support::{code, json_lines, oware, run, run_with, stderr, stdout};

const START: &str = r#"{"houses":[4,4,4,4,4,4,4,4,4,4,4,4],"scores":[0,0]}"#;

/// The answer to one line, with the arguments.
fn answer_with(args: &[&str], line: &[u8]) -> Value {
    let output = run_with(args, line);
    let mut lines = json_lines(&stdout(&output));
    assert_eq!(lines.len(), 1, "{}", stdout(&output));
    let answer = lines.remove(0);
    assert_eq!(code(&output), i32::from(answer.get("error").is_some()));
    answer
}

fn answer(line: impl AsRef<[u8]>) -> Value {
    answer_with(&["moves"], line.as_ref())
}

/// A line must be refused, for this field, with a message that has this part.
#[track_caller]
fn refused(line: impl AsRef<[u8]>, field: Option<&str>, part: &str) {
    let answer = answer(line);
    assert_eq!(answer["field"], json!(field), "{answer}");
    assert_eq!(answer["line"], json!(1));
    let error = answer["error"].as_str().unwrap_or_else(|| panic!("no error: {answer}"));
    assert!(error.contains(part), "{error}");
    assert!(error.len() < 400, "{error}");
}

fn houses(list: &str) -> String {
    format!("{{\"houses\":{list},\"scores\":[0,0]}}")
}

#[test]
fn numbers_that_are_no_board() {
    let h = Some("houses");
    refused(houses("[4,4,4]"), h, "3 numbers, expected 12");
    refused(houses("[4,4,4,4,4,4,4,4,4,4,4,4,0]"), h, "13 numbers, expected 12");
    refused(houses("[4,4,4,4,4,4,0,4,4,4,4,4,4,0]"), h, "Kalah");
    refused(houses("[]"), h, "0 numbers");
    refused(houses("[-4,4,4,4,4,4,4,4,4,4,4,4]"), h, "houses[0] is -4");
    refused(houses("[4,4.0,4,4,4,4,4,4,4,4,4,4]"), h, "houses[1] is 4.0");
    refused(houses("[4,4,300,4,4,4,4,4,4,4,4,4]"), h, "houses[2] is 300");
    refused(houses("[4,4,99999999999999999999999,4,4,4,4,4,4,4,4,4]"), h, "houses[2] is 1e23");
    refused(houses("[4,4,1e999,4,4,4,4,4,4,4,4,4]"), h, "out of range");
    refused(houses("[4,4,null,4,4,4,4,4,4,4,4,4]"), h, "houses[2] is null");
    refused(houses("[4,4,\"4\",4,4,4,4,4,4,4,4,4]"), h, "houses[2] is a string");
    refused(houses("null"), h, "houses is null, expected a list of 12 numbers");
    refused(houses("{\"0\":4}"), h, "houses is an object");
    refused(houses("[5,4,4,4,4,4,4,4,4,4,4,4]"), h, "hold 49 seeds, expected 48");
    refused(houses("[48,48,48,48,48,48,48,48,48,48,48,48]"), h, "expected 48");
    let s = Some("scores");
    refused(r#"{"houses":[4,4,4,4,4,4,4,4,4,4,4,4]}"#, s, "scores is missing");
    refused(r#"{"houses":[4,4,4,4,4,4,4,4,4,4,4,4],"scores":[0]}"#, s, "1 numbers");
    refused(r#"{"houses":[4,4,4,4,4,4,4,4,4,4,4,4],"scores":[0,-1]}"#, s, "scores[1] is -1");
    refused(r#"{"houses":[4,4,4,4,4,4,4,4,4,4,4,4],"scores":null}"#, s, "scores is null");
    refused(r#"{"scores":[0,0]}"#, h, "houses is missing");
    refused("{}", h, "houses is missing");
}

#[test]
fn fields_and_texts() {
    refused(r#"{"position":7}"#, Some("position"), "position is 7, expected a string");
    refused(r#"{"position":""}"#, Some("position"), "empty");
    refused(r#"{"position":"4-4-4-4-4-4-0-4-4-4-4-4-4-0"}"#, Some("position"), "Kalah");
    refused(r#"{"position":"4 4 4 4 4 4 4 4 4 4 4 4"}"#, Some("scores"), "no stores");
    let kalah = format!("{{\"position\":\"{}\"}}", "9-".repeat(300_000));
    refused(kalah, Some("position"), "expected");
    let both = r#"{"houses":[4,4,4,4,4,4,4,4,4,4,4,4],"scores":[0,0],"position":"x"}"#;
    refused(both, Some("position"), "both given");
    refused(r#"{"houses":[],"houses":[]}"#, Some("houses"), "given twice");
    let rules = |rules: &str| format!("{{\"rules\":{rules},{}", &START[1..]);
    refused(rules("\"frob\""), Some("rules"), "expected one of abapa");
    refused(rules("\"ouril\""), Some("rules"), "not supported");
    refused(rules("\"abapa,repetition=1\""), Some("rules"), "repetition");
    refused(rules("null"), Some("rules"), "rules is null");
    refused(rules(&format!("\"{}\"", "x".repeat(500_000))), Some("rules"), "unknown rules");
    refused("[1,2]", None, "expected an object");
    refused("frob", None, "byte");
    refused(format!("{START} {START}"), None, "trailing");
    refused(&START[..20], Some("houses"), "EOF");
    refused(b"{\"houses\":\"\xff\xfe\"}", None, "not UTF-8 from byte 12");
    refused(b"\0\0\0", None, "byte 1");
    refused("[".repeat(500_000), None, "expected an object");
    let closed = format!("{{\"houses\":{}{}}}", "[".repeat(400_000), "]".repeat(400_000));
    refused(closed, Some("houses"), "1 numbers, expected 12");
    refused(format!("{{\"houses\":{}", "[".repeat(500_000)), Some("houses"), "EOF");
    refused("x".repeat(3 << 20), None, "longer than 1048576 bytes");
}

#[test]
fn good_lines_of_every_form() {
    let start = answer(START);
    for same in [
        r#"{"position":"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"}"#,
        r#"{"position":"0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4"}"#,
        r#"{"position":"4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1"}"#,
        r#"{"position":"4 4 4 4 4 4 4 4 4 4 4 4","scores":[0,0]}"#,
        r#"{"id":[{"a":null}],"houses":[4,4,4,4,4,4,4,4,4,4,4,4],"x":1e999,"scores":[0,0]}"#,
        "\u{feff} {\"scores\":[0,0],\"houses\":[4,4,4,4,4,4,4,4,4,4,4,4]}\t\r",
    ] {
        assert_eq!(answer(same), start, "{same}");
    }
    let rules = |args: &[&str], line: &str| answer_with(args, line.as_bytes())["rules"].clone();
    let awari = format!("{{\"rules\":\" awari,play_on=no \",{}", &START[1..]);
    assert_eq!(start["rules"], "abapa");
    assert_eq!(
        rules(&["moves", "--rules", "keep_last"], START),
        "abapa,grand_slam=keep_last,repetition=2"
    );
    assert_eq!(rules(&["moves", "--rules", "slam-captures"], &awari), "awari");
}

/// A move by a lap with a capture: the additions to the fields of the cases.
#[test]
fn additions_tell_the_move() {
    // B holds 15: eleven houses, itself left out, four more; the last falls into F.
    let line = r#"{"houses":[1,5,0,0,13,12,0,3,0,0,0,9],"scores":[0,5]}"#;
    let moves = &answer(line)["moves"];
    let e = &moves["4"];
    assert_eq!((&e["last"], &e["laps"]), (&json!(6), &json!(1)));
    assert_eq!((&e["captured"], &e["captured_houses"]), (&json!(2), &json!([6])));
    let a = &moves["0"];
    assert_eq!((&a["last"], &a["laps"], &a["captured_houses"]), (&json!(1), &json!(0), &json!([])));
}

#[test]
fn order_is_kept_among_good_and_bad() {
    let mut rng = TestRng::from_env("order_is_kept_among_good_and_bad");
    let mut input = String::new();
    let mut expected = Vec::new();
    let mut number = 0;
    for _ in 0..3000 {
        number += 1;
        match rng.below(4) {
            0 => {
                input += "frob\n";
                expected.push(Err(number));
            }
            1 => input += if rng.one_in(2) { "\n" } else { " \t\r\n" },
            _ => {
                let position = rng.position();
                input += &format!(
                    "{{\"houses\":{:?},\"scores\":{:?}}}\n",
                    position.houses, position.stores
                );
                expected.push(Ok(position.houses));
            }
        }
    }
    let output = run_with(&["moves"], input.as_bytes());
    assert_eq!(code(&output), 1);
    let answers = json_lines(&stdout(&output));
    assert_eq!(answers.len(), expected.len());
    for (answer, expected) in answers.iter().zip(expected) {
        match expected {
            Ok(houses) => assert_eq!(answer["houses"], json!(houses)),
            Err(line) => assert_eq!(answer["line"], json!(line), "{answer}"),
        }
    }
}

/// Good lines with bytes changed, taken out and put in: each gets its answer, none ends the stream.
#[test]
fn damaged_lines_are_all_answered() {
    let mut rng = TestRng::from_env("damaged_lines_are_all_answered");
    let seeds = [
        (&["moves"][..], START),
        (&["moves"], r#"{"position":"0-0-0-0-0-1-1-0-0-0-0-0-23-23-S","rules":"awari"}"#),
        (
            &["moves"],
            r#"{"position":"0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4","rules":"abapa,repetition=2"}"#,
        ),
        (
            &["replay", "--json", "--verify"],
            r#"{"moves":"1. F f 2. B","scores":[0,0],"reason":null}"#,
        ),
    ];
    for (args, seed) in seeds {
        const LINES: usize = 5000;
        let mut input = Vec::new();
        for _ in 0..LINES {
            let mut line = seed.as_bytes().to_vec();
            for _ in 0..=rng.below(4) {
                let at = rng.below(line.len());
                match rng.below(4) {
                    0 => line[at] = rng.below(256) as u8,
                    1 => line[at] = *rng.pick(b"0123456789-+.,:[]{}\"e |\\"),
                    2 => drop(line.remove(at)),
                    _ => line.insert(at, line[at]),
                }
            }
            line.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = 0);
            input.extend(line);
            input.push(b'\n');
        }
        let output = run_with(args, &input);
        assert_eq!((code(&output), stderr(&output)), (1, String::new()));
        let answers = json_lines(&stdout(&output));
        assert_eq!(answers.len(), LINES);
        let errors = answers.iter().filter(|answer| answer.get("error").is_some()).count();
        assert!((LINES / 10..LINES).contains(&errors), "{errors} errors for {seed}");
    }
}

#[test]
fn empty_inputs_are_no_fault() {
    for input in [&b""[..], b"\n", b"\n\n  \n"] {
        for command in [&["moves"][..], &["replay", "--json"]] {
            let output = run_with(command, input);
            assert_eq!((code(&output), stdout(&output)), (0, String::new()));
        }
    }
}

/// A program may ask, wait for the answer, and ask again.
#[test]
fn answers_come_before_the_next_question() {
    let mut child = oware(&["moves"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        stdin.write_all(format!("{START}\n").as_bytes()).unwrap();
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        assert!(line.starts_with("{\"rules\":\"abapa\""), "{line}");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

/// Whoever reads our output may stop at any time.
#[test]
fn a_closed_pipe_is_no_fault() {
    let lines = format!("{START}\nfrob\n").repeat(20_000);
    for args in [&["moves"][..], &["replay", "--json"], &["convert"]] {
        let mut child = oware(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut out = child.stdout.take().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let text = if args[0] == "convert" {
            "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\n".repeat(100_000)
        } else {
            lines.clone()
        };
        let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
        out.read_exact(&mut [0; 10]).unwrap();
        drop(out);
        assert_eq!(child.wait().unwrap().code(), Some(0), "{args:?}");
        assert!(writer.join().unwrap().is_err(), "the reader left early");
    }
    for args in [&["perft", "--depth", "5"][..], &["rules"], &["man"], &["completions", "bash"]] {
        let mut child = oware(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((code(&output), stderr(&output)), (0, String::new()), "{args:?}");
    }
}

#[test]
fn files_that_fail_are_named_and_the_others_read() {
    let dir = tempfile::tempdir().unwrap();
    let good = dir.path().join("good.jsonl");
    std::fs::write(&good, format!("{START}\nfrob\n")).unwrap();
    let good = good.to_str().unwrap();
    let missing = dir.path().join("missing.jsonl");
    let output = run(&["moves", missing.to_str().unwrap(), dir.path().to_str().unwrap(), good]);
    assert_eq!(code(&output), 1);
    let errors = stderr(&output);
    assert_eq!(errors.lines().count(), 2, "{errors}");
    assert!(errors.contains("missing.jsonl"), "{errors}");
    let answers = json_lines(&stdout(&output));
    assert_eq!(answers.len(), 2);
    assert_eq!((&answers[1]["line"], &answers[1]["file"]), (&json!(2), &json!(good)));
}

/// Highest resident memory of a running process in KiB.
#[cfg(target_os = "linux")]
fn peak_memory_kib(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// 200,000 lines and a few enormous ones: memory stays flat.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_flat() {
    const LINES: usize = 200_000;
    let mut child = oware(&["moves"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let process = child.id();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    let writer = std::thread::spawn(move || {
        let many = format!("{START}\n").repeat(1000);
        for place in 0..LINES / 1000 {
            if place % 50 == 0 {
                let mut long = vec![b'['; 20 << 20];
                long.push(b'\n');
                stdin.write_all(&long).unwrap();
            }
            stdin.write_all(many.as_bytes()).unwrap();
        }
        stdin
    });
    let mut line = String::new();
    let mut errors = 0;
    for _ in 0..LINES + 4 {
        line.clear();
        assert!(answers.read_line(&mut line).unwrap() > 0);
        errors += usize::from(line.starts_with("{\"error\""));
    }
    assert_eq!(errors, 4);
    let peak = peak_memory_kib(process);
    assert!(peak < 64 << 10, "{peak} KiB");
    drop(writer.join().unwrap());
    assert_eq!(child.wait().unwrap().code(), Some(1));
}
