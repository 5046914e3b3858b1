//! `oware play` in a pseudo-terminal, as a person would see it.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

const OWARE: &str = env!("CARGO_BIN_EXE_oware");
/// How long a screen may take to show what is waited for, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A terminal with the program in it.
struct Terminal {
    screen: Arc<Mutex<vt100::Parser>>,
    bytes: Arc<Mutex<Vec<u8>>>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn parser() -> vt100::Parser {
    let [rows, cols] = [32, 90].map(|n| NonZero::new(n).unwrap());
    vt100::Parser::new(rows, cols, 1000)
}

impl Terminal {
    fn open(save: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Terminal {
        let pair = native_pty_system().openpty(size(90, 32)).unwrap();
        let mut command = CommandBuilder::new(OWARE);
        command.arg("play");
        command.args(arguments);
        command.arg("--save");
        command.arg(save);
        command.env("TERM", "xterm-256color");
        for (name, value) in variables {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let screen = Arc::new(Mutex::new(parser()));
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (shown, seen) = (Arc::clone(&screen), Arc::clone(&bytes));
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(n @ 1..) = reader.read(&mut buffer) {
                shown.lock().unwrap().process(&buffer[..n]);
                seen.lock().unwrap().extend_from_slice(&buffer[..n]);
            }
        });
        let keys = pair.master.take_writer().unwrap();
        Terminal { screen, bytes, keys, child, master: pair.master }
    }

    fn resize(&self, cols: u16, rows: u16) {
        let lengths = [rows, cols].map(|n| NonZero::new(n).unwrap());
        self.screen.lock().unwrap().screen_mut().set_size(lengths[0], lengths[1]);
        self.master.resize(size(cols, rows)).unwrap();
    }

    fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    #[track_caller]
    fn wait(&self, what: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let text = self.text();
            if what(&text) {
                return text;
            }
            assert!(start.elapsed() < PATIENCE, "never came:\n{text}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    #[track_caller]
    fn wait_for(&self, what: &str) -> String {
        self.wait(|text| text.contains(what))
    }

    #[track_caller]
    fn leaves(&mut self) -> u32 {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(start.elapsed() < PATIENCE, "never left:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("game.ogn");
    (folder, save)
}

/// Runs line mode on given input; its output and exit code.
fn lines(save: &Path, arguments: &[&str], input: &str) -> (String, i32) {
    let mut child = Command::new(OWARE)
        .args(["play", "--line", "--save"])
        .arg(save)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may leave before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (String::from_utf8(text).unwrap(), output.status.code().unwrap())
}

#[test]
fn a_whole_game_on_the_full_screen() {
    let (_folder, save) = folder();
    let mut terminal = Terminal::open(&save, &["--level", "easy", "--seed", "5"], &[]);
    terminal.wait_for("would do this");
    let start = Instant::now();
    loop {
        let text = terminal.wait(|text| text.contains("would do this") || text.contains("is over"));
        if text.contains("The game is over") {
            break;
        }
        terminal.press("\r");
        // Until the picture has changed: another ply, the computer's turn, or the end.
        terminal.wait(|now| now != text);
        assert!(start.elapsed() < Duration::from_secs(300), "no end:\n{text}");
    }
    terminal.press("q");
    assert_eq!(terminal.leaves(), 0);
    let record = std::fs::read_to_string(&save).unwrap();
    let replay = Command::new(OWARE).arg("replay").arg(&save).output().unwrap();
    assert!(replay.status.success(), "{record}\n{replay:?}");
}

#[test]
fn keys_do_what_they_say() {
    let (_folder, save) = folder();
    let mut terminal = Terminal::open(&save, &["--two"], &[]);
    let text = terminal.wait_for("A would do this");
    assert!(text.contains("[ 4 ]"), "the chosen house stands in brackets:\n{text}");
    terminal.press("\x1b[C");
    terminal.wait_for("B would do this");
    terminal.press("F");
    terminal.wait_for("F would do this");
    terminal.press("\r");
    let text = terminal.wait_for("South sows 4 seeds from F, the last falls in d.");
    assert!(text.contains("0-") && text.contains("5*") && text.contains("5+"), "marks:\n{text}");
    terminal.press("u");
    terminal.wait_for("ply 0");
    terminal.press("r");
    terminal.wait_for("ply 1");
    terminal.press("h");
    terminal.wait_for("Hint:");
    terminal.press("c");
    terminal.wait(|text| text.contains('●'));
    terminal.press("f");
    terminal.wait(|text| text.find("South").unwrap_or(0) < text.find("North").unwrap_or(0));
    terminal.press("d");
    terminal.wait_for("offers a draw");
    terminal.press("y");
    terminal.wait_for("The game is over: a draw");
    terminal.press("u");
    terminal.wait_for("Taken back");
    terminal.press("RR");
    terminal.wait_for("resigned");
    terminal.press("\x03");
    assert_eq!(terminal.leaves(), 0);
}

#[test]
fn resizing_never_hurts() {
    let (_folder, save) = folder();
    let mut terminal = Terminal::open(&save, &["--two"], &[]);
    terminal.wait_for("would do this");
    for (cols, rows) in [(1, 1), (20, 5), (49, 40), (200, 60)] {
        terminal.resize(cols, rows);
        std::thread::sleep(Duration::from_millis(100));
    }
    terminal.wait_for("would do this");
    terminal.press("\r");
    terminal.wait_for("ply 1");
    terminal.resize(40, 12);
    terminal.wait_for("too small");
    terminal.press("q");
    assert_eq!(terminal.leaves(), 0);
}

#[test]
fn a_killed_game_is_there_next_time() {
    let (_folder, save) = folder();
    let mut terminal = Terminal::open(&save, &["--two"], &[]);
    terminal.wait_for("would do this");
    terminal.press("F\r");
    terminal.wait_for("ply 1");
    terminal.child.kill().unwrap();
    terminal.leaves();
    let mut again = Terminal::open(&save, &[], &[]);
    again.wait_for("A game of 1 plies under abapa is saved.");
    again.press("\r");
    again.wait_for("ply 1");
    again.wait_for("Going on with the saved game");
    again.press("q");
    assert_eq!(again.leaves(), 0);
}

#[test]
fn a_signal_gives_the_terminal_back() {
    let (_folder, save) = folder();
    let mut terminal = Terminal::open(&save, &["--two"], &[]);
    terminal.wait_for("would do this");
    let id = terminal.child.process_id().unwrap().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert_eq!(terminal.leaves(), 0);
    let end = Instant::now();
    while terminal.screen.lock().unwrap().screen().alternate_screen() {
        assert!(end.elapsed() < PATIENCE, "still on the other screen");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn plain_terminals_get_plain_bytes() {
    let (_folder, save) = folder();
    let options = ["--two", "--ascii", "--counts", "hidden"];
    let mut terminal = Terminal::open(&save, &options, &[("NO_COLOR", "1")]);
    let text = terminal.wait_for("would do this");
    let house_row = text.lines().find(|line| line.contains("South")).unwrap();
    let houses = house_row.split("store").next().unwrap();
    assert!(!houses.contains(|c: char| c.is_ascii_digit()), "{houses}");
    terminal.press("q");
    assert_eq!(terminal.leaves(), 0);
    let bytes = terminal.bytes.lock().unwrap().clone();
    assert!(bytes.is_ascii(), "only ASCII");
    let text = String::from_utf8(bytes).unwrap();
    for colour in ["\x1b[31m", "\x1b[32m", "\x1b[38;5", "\x1b[48;5"] {
        assert!(!text.contains(colour), "no colour");
    }
}

#[test]
fn a_whole_game_in_lines() {
    let (_folder, save) = folder();
    let input = "E\nf\n".to_owned()
        + "D\nd\nnonsense\nmoves\ncount A\ncounts off\nboard\nhint\n\
        undo\nredo\noffer loop\ndecline\noffer draw\naccept\n";
    let (text, code) = lines(&save, &["--two"], &input);
    assert_eq!(code, 0, "{text}");
    for said in [
        "South sows 4 seeds from E, the last falls in c.",
        "North sows",
        "I do not know \"nonsense\": expected a letter from A to F",
        "A holds 6 seeds.",
        "empty",
        "Hint:",
        "Taken back to ply 3.",
        "Gone forward to ply 4.",
        "South offers a loop.",
        "Declined.",
        "The game is over: a draw",
    ] {
        assert!(text.contains(said), "{said} is missing in:\n{text}");
    }
    assert!(!text.contains('\x1b'), "no control sequence");
}

#[test]
fn surprises_are_explained() {
    let (_folder, save) = folder();
    let said = |position: &str, rules: &str, input: &str| {
        let options = ["--two", "--new", "--position", position, "--rules", rules];
        lines(&save, &options, input).0
    };
    let slam = said("0-0-0-0-1-1-1-0-0-0-0-0-22-23-S", "abapa", "F\n");
    assert!(slam.contains("grand slam") && slam.contains("captures nothing"), "{slam}");
    let refused = said("0-0-0-0-1-1-1-0-0-0-0-0-22-23-S", "slam-illegal", "F\n");
    assert!(refused.contains("would be a grand slam, which is not legal"), "{refused}");
    let lap = said("0-0-0-0-0-13-1-4-4-4-4-4-7-7-S", "abapa", "F\n");
    assert!(lap.contains("goes round the board"), "{lap}");
    let fed = said("1-0-0-0-0-2-0-0-0-0-0-0-22-23-S", "abapa", "A\nF\n");
    assert!(fed.contains("does not feed") && fed.contains("had no seeds"), "{fed}");
    let over = said("3-2-0-0-0-0-0-0-0-0-0-1-19-23-N", "abapa", "f\n");
    assert!(over.contains("South wins 25-23 (no_move"), "{over}");
}

#[test]
fn the_computer_plays_the_same_game_from_the_same_seed() {
    let (_folder, save) = folder();
    let both = ["--south", "easy", "--north", "easy", "--seed", "11", "--quiet", "--new"];
    let (first, code) = lines(&save, &[&both[..], &["--games", "2"]].concat(), "");
    assert_eq!(code, 0, "{first}");
    assert!(first.contains("After 2 of 2 games:"), "{first}");
    let (second, _) = lines(&save, &[&both[..], &["--games", "2"]].concat(), "");
    assert_eq!(first, second);
}

#[test]
fn a_save_with_the_old_names_of_levels_goes_on() {
    let (_folder, save) = folder();
    std::fs::write(&save, "[South \"person\"]\n[North \"easy\"]\n\n1. F *\n").unwrap();
    let (text, code) = lines(&save, &["--resume", "--seed", "3"], "quit\n");
    assert!(code == 0 && text.contains("Going on with the saved game"), "{text}");
    assert!(text.contains("North sows"), "{text}");
    let kept = std::fs::read_to_string(&save).unwrap();
    assert!(kept.contains("[North \"2\"]"), "{kept}");
}

#[test]
fn a_lot_is_drawn_for_all_to_see() {
    let (_folder, save) = folder();
    let drawn: std::collections::HashSet<String> = (0..12)
        .map(|seed| {
            let seed = seed.to_string();
            let options = ["--two", "--new", "--start", "lot", "--seed", &seed];
            let (text, _) = lines(&save, &options, "quit\n");
            let line = text.lines().find(|line| line.starts_with("The lot")).unwrap();
            line.rsplit_once("gives ").unwrap().1.to_owned()
        })
        .collect();
    assert_eq!(drawn.len(), 2, "{drawn:?}");
}

#[test]
fn bad_usage_is_refused_and_nothing_is_lost() {
    let (_folder, save) = folder();
    for (options, says) in [
        (&["--position", "1-2-3"][..], "--position"),
        (&["--rules", "ouril"], "Ouril's singleton rule"),
        (&["--level", "strong"], "expected a level from 1 to 12, easy (2)"),
        (&["--two", "--level", "easy"], "cannot be used with"),
        (&["--games", "0"], "--games"),
    ] {
        let (text, code) = lines(&save, options, "");
        assert!(code == 2 && text.contains(says), "{options:?} {code}: {text}");
    }
    std::fs::write(&save, "[South \"person\"]\n\n1. F F *\n").unwrap();
    let (text, code) = lines(&save, &["--two"], "quit\n");
    assert!(code == 0 && text.contains("cannot be read") && text.contains("kept as"), "{text}");
    let kept = std::fs::read_to_string(save.with_extension("1.ogn")).unwrap();
    assert!(kept.contains("1. F F"));
    let (text, _) = lines(&save, &["--two", "--new"], "F\n\u{1}\nsave /nonexistent/x\n");
    assert!(text.contains("Not saved") && text.contains("goes on next time"), "{text}");
    let long = "x".repeat(100_000) + "\nquit\n";
    assert_eq!(lines(&save, &["--two", "--resume"], &long).1, 0);
}

#[test]
fn a_finished_game_is_kept_when_the_next_begins() {
    let (_folder, save) = folder();
    lines(&save, &["--two"], "F\nresign\n");
    let finished = std::fs::read_to_string(&save).unwrap();
    assert!(finished.contains("[Reason \"resignation\"]"), "{finished}");
    lines(&save, &["--two"], "E\n");
    assert_eq!(std::fs::read_to_string(save.with_extension("1.ogn")).unwrap(), finished);
    assert!(std::fs::read_to_string(&save).unwrap().contains("1. E"));
}

#[test]
fn a_series_goes_on_where_it_was() {
    let (_folder, save) = folder();
    let (text, _) = lines(&save, &["--two", "--games", "3"], "F\nresign\nf\n");
    assert!(text.contains("After 1 of 3 games: South 1 wins, North 0;"), "{text}");
    let (text, code) = lines(&save, &[], "resign\nresign\n");
    assert!(text.contains("After 2 of 3 games:") && code == 0, "{text}");
    assert!(text.contains("After 3 of 3 games:"), "{text}");
    // Numbers that cannot be are left out, and the game goes on alone.
    lines(&save, &["--two", "--games", "2"], "F\n");
    let saved = std::fs::read_to_string(&save).unwrap();
    let forged = saved.replace("\"1 2 0 0 0 0\"", "\"9 2 4000000000 4000000000 0 0\"");
    assert_ne!(saved, forged, "{saved}");
    std::fs::write(&save, forged).unwrap();
    let (text, code) = lines(&save, &[], "resign\n");
    assert!(code == 0 && !text.contains("After"), "{text}");
}

#[test]
fn two_programs_do_not_share_a_save() {
    let (_folder, save) = folder();
    let mut terminal = Terminal::open(&save, &["--two"], &[]);
    terminal.wait_for("would do this");
    let (text, code) = lines(&save, &[], "");
    assert!(code == 1 && text.contains("another game is open"), "{text}");
    terminal.press("q");
    assert_eq!(terminal.leaves(), 0);
}
