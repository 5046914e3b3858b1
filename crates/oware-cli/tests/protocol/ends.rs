//! How a session ends, and what comes in that is no text.

use std::time::{Duration, Instant};

use crate::support::engine::Engine;
use crate::support::{code, run, stderr};

/// Far more than an end takes, far less than the searches here.
const PROMPT: Duration = Duration::from_secs(20);

#[test]
fn the_end_of_input_ends_a_search() {
    for last in ["go infinite", "go ponder wtime 1000 btime 1000", "go movetime 3600000"] {
        let mut engine = Engine::start(&[]);
        engine.send("position startpos");
        engine.send(last);
        engine.until("info string source");
        let start = Instant::now();
        engine.end_input();
        assert!(engine.end().success(), "{last}");
        assert!(start.elapsed() < PROMPT, "{last}");
        let lines = engine.rest(Duration::from_secs(5));
        let answers = lines.iter().filter(|line| line.starts_with("bestmove "));
        assert_eq!(answers.count(), 1, "{last}: {lines:?}");
    }
}

#[test]
fn quit_ends_a_search() {
    let mut engine = Engine::start(&[]);
    engine.send("go infinite");
    engine.send("quit");
    assert!(engine.end().success());
    let (_, lines) = engine.until("bestmove ");
    assert!(!lines.is_empty());
    assert_eq!(engine.next(), None);
}

#[test]
fn a_closed_output_ends_the_engine() {
    let mut engine = Engine::start(&[]);
    engine.close_output();
    let start = Instant::now();
    // The end is found out by writing.
    while start.elapsed() < PROMPT {
        engine.send("isready");
        std::thread::sleep(Duration::from_millis(5));
        if engine.has_ended() {
            break;
        }
    }
    assert!(engine.end().success());
    assert!(start.elapsed() < PROMPT);
}

#[test]
fn a_script_may_wait_past_its_end() {
    let mut engine = Engine::start(&[]);
    engine.send_bytes(b"setoption name OwnBook value false\n");
    engine.send_bytes(b"position startpos\ngo depth 5\nwait\n");
    engine.end_input();
    assert!(engine.end().success());
    let (_, lines) = engine.until("bestmove ");
    assert!(lines.iter().any(|line| line.starts_with("info depth 5 ")), "{lines:#?}");
    assert_eq!(engine.next(), None);
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let mut engine = Engine::start(&[]);
    engine.send_bytes(b"\xff\xfe\n");
    assert_eq!(
        engine.next().as_deref(),
        Some("info string error: the line is not UTF-8 at byte 1; it was not read")
    );
    engine.send_bytes(b"position startpos moves F\xff\n");
    assert!(engine.next().unwrap().starts_with("info string error: the line is not UTF-8"));
    engine.send("go depth 3");
    assert!(engine.next().unwrap().contains("there is no position"));
    assert_eq!(engine.next().as_deref(), Some("bestmove 0000"));
    engine.send("ucinewgame");
    engine.send_bytes(b"go depth 3 \xff\n");
    assert!(engine.next().unwrap().starts_with("info string error: the line is not UTF-8"));
    assert_eq!(engine.next().as_deref(), Some("bestmove 0000"));
    engine.send_bytes(&[b"position startpos moves ", &vec![b'F'; 100_000][..], b"\n"].concat());
    assert!(engine.next().unwrap().contains("longer than 65536 bytes"));
    engine.send("go depth 3");
    assert!(engine.next().unwrap().contains("there is no position"));
    assert_eq!(engine.next().as_deref(), Some("bestmove 0000"));
    engine.send_bytes(&vec![b'x'; 3_000_000]);
    engine.send("\nisready");
    assert!(engine.next().unwrap().contains("longer than 65536 bytes"));
    assert_eq!(engine.next().as_deref(), Some("readyok"));
}

#[test]
fn options_of_the_command_line_are_checked() {
    let mut engine = Engine::start(&["--option", "Hash=2", "--option", "rules=awari"]);
    engine.send("uci");
    let (_, lines) = engine.until("uciok");
    assert!(lines.iter().any(|line| line.starts_with("option name Hash type spin default 2 ")));
    assert!(lines.contains(&"option name Rules type string default awari".to_owned()));
    for (option, part) in
        [("Hash", "expected NAME=VALUE"), ("Hash=0", "from 1 to 65536"), ("Frob=1", "unknown")]
    {
        let output = run(&["engine", "--option", option]);
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
    }
}
