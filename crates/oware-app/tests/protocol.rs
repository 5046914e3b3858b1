//! Sessions of the engine protocol without a process: what holds answers back, what options do,
//! and what no input can do.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use oware_app::Opening;
use oware_app::protocol::{Event, Lost, Session, Settings, Setup, laws};
use oware_retro::{BuildJob, Target, build};
use oware_rules::{Board, Game, Move, Rules};
use oware_testkit::TestRng;

/// Longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// One seed each: the search sees the end of everything in no time.
const SMALL: &str = "position fen 0-0-0-0-0-0-1-0-0-0-0-1-23-23-N";

struct Talk {
    events: Sender<Event>,
    said: Receiver<String>,
    session: JoinHandle<Result<(), Lost>>,
}

impl Talk {
    fn begin(opening: Option<Arc<dyn Opening>>) -> Talk {
        let (events, received) = channel();
        let (say, said) = channel();
        let say = Mutex::new(say);
        let output = move |text: &str| {
            for line in text.lines() {
                // A test that failed does not listen.
                let _ = say.lock().unwrap().send(line.to_owned());
            }
        };
        let setup = Setup {
            name: "Test 1".into(),
            author: "nobody".into(),
            settings: Settings { hash_mib: 1, ..Settings::default() },
            opening,
        };
        let session = Session::new(setup, Arc::new(output), events.clone()).unwrap();
        let session = thread::spawn(move || session.run(received));
        Talk { events, said, session }
    }

    fn send(&self, line: &str) {
        self.events.send(Event::Line(line.to_owned())).unwrap();
    }

    /// The lines up to one that begins like this.
    #[track_caller]
    fn until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let Ok(line) = self.said.recv_timeout(PATIENCE) else {
                panic!("nothing like {start:?} was said: {lines:#?}");
            };
            let last = line.starts_with(start);
            lines.push(line);
            if last {
                return lines;
            }
        }
    }

    /// Sends a line and gives what is said up to the answer to `go`, and that answer.
    #[track_caller]
    fn go(&self, line: &str) -> (Vec<String>, String) {
        self.send(line);
        let mut lines = self.until("bestmove ");
        let answer = lines.pop().unwrap();
        (lines, answer)
    }

    /// What was said before the answer to `isready`.
    #[track_caller]
    fn ready(&self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Ends it and gives what else was said.
    fn end(self) -> (Result<(), Lost>, Vec<String>) {
        self.events.send(Event::End).unwrap();
        let result = self.session.join().expect("the session ends by itself");
        (result, self.said.try_iter().collect())
    }
}

/// A number behind a word of an info line.
fn number(line: &str, word: &str) -> u64 {
    let mut words = line.split(' ').skip_while(|&found| found != word);
    words.nth(1).unwrap_or_else(|| panic!("no {word} in {line}")).parse().unwrap()
}

fn last_info(lines: &[String]) -> &str {
    lines.iter().rev().find(|line| line.starts_with("info depth")).unwrap()
}

#[test]
fn a_search_that_has_seen_everything_waits_for_its_word() {
    for (go, word) in [
        ("go infinite", "stop"),
        ("go infinite depth 2", "stop"),
        ("go ponder depth 2", "ponderhit"),
        ("go ponder wtime 100 btime 100", "ponderhit"),
        ("go ponder", "ponderhit"),
        ("go ponder depth 2", "stop"),
        ("go", "stop"),
    ] {
        let talk = Talk::begin(None);
        talk.send(SMALL);
        talk.send(go);
        thread::sleep(Duration::from_millis(100));
        let before = talk.ready();
        assert!(!before.iter().any(|line| line.starts_with("bestmove")), "{go}: {before:#?}");
        let (_, answer) = talk.go(word);
        assert_eq!(answer, "bestmove f ponder A", "{go}");
        assert_eq!(talk.ready(), Vec::<String>::new(), "{go}");
        assert_eq!(talk.end(), (Ok(()), Vec::new()));
    }
}

#[test]
fn a_finished_game_waits_for_its_word_too() {
    let talk = Talk::begin(None);
    talk.send("position fen 0-0-0-0-0-0-0-0-0-0-0-0-24-24-S");
    talk.send("go infinite");
    assert_eq!(talk.until("info"), ["info string game over: even, 24-24"]);
    assert_eq!(talk.ready(), Vec::<String>::new());
    assert_eq!(talk.go("stop").1, "bestmove 0000");
    // Infinite is stronger than ponder.
    talk.send("go infinite ponder");
    talk.send("ponderhit");
    let lines = talk.ready();
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:#?}");
    assert_eq!(talk.go("stop").1, "bestmove 0000");
    talk.end().0.unwrap();
}

#[test]
fn the_answer_comes_before_what_stopped_the_search() {
    for (line, said) in [
        ("position startpos moves a", "info string error: ply 1"),
        ("position", "info string error: position"),
        ("setoption name Hash value 0", "info string error: option Hash"),
        ("go depth 0", "info string error: go: depth"),
    ] {
        let talk = Talk::begin(None);
        talk.send(SMALL);
        talk.send("go infinite");
        talk.until("info string source");
        talk.send(line);
        let lines = talk.until(said);
        let answers = lines.iter().filter(|line| line.starts_with("bestmove f"));
        assert_eq!(answers.count(), 1, "{line}: {lines:#?}");
        talk.end().0.unwrap();
    }
}

#[test]
fn several_lines_are_told_and_moves_can_be_chosen() {
    let talk = Talk::begin(None);
    talk.send("setoption name MultiPV value 6");
    let (lines, _) = talk.go("go depth 3");
    for index in 1..=6 {
        let part = format!(" multipv {index} score cp ");
        assert!(lines.iter().any(|line| line.contains(&part)), "{lines:#?}");
    }
    let (lines, answer) = talk.go("go depth 3 searchmoves BD");
    assert!(lines.iter().all(|line| !line.contains(" multipv 3 ")), "{lines:#?}");
    assert!(answer.starts_with("bestmove B ") || answer.starts_with("bestmove D "), "{answer}");
    talk.end().0.unwrap();
}

#[test]
fn without_cache_a_search_knows_nothing_of_others() {
    let nodes = |use_cache: bool| {
        let talk = Talk::begin(None);
        talk.send(&format!("setoption name UseCache value {use_cache}"));
        let search = |position: &str| {
            talk.send(position);
            let (lines, answer) = talk.go("go depth 7");
            (number(last_info(&lines), "nodes"), answer)
        };
        let first = search("position startpos");
        search("position startpos moves Ff");
        let again = search("position startpos");
        talk.end().0.unwrap();
        (first, again)
    };
    let (first, again) = nodes(false);
    assert_eq!(first, again);
    let (first, again) = nodes(true);
    assert!(again.0 < first.0, "{first:?} {again:?}");
}

#[test]
fn noise_follows_the_seed_and_draws_are_sought() {
    let talk = Talk::begin(None);
    talk.send("setoption name NoiseLevel value 1000");
    let mut answers = Vec::new();
    for seed in 0..20 {
        talk.send(&format!("setoption name Seed value {seed}"));
        talk.send("setoption name Clear Hash");
        let (_, answer) = talk.go("go depth 3");
        talk.send("setoption name Clear Hash");
        assert_eq!(talk.go("go depth 3").1, answer);
        answers.push(answer);
    }
    answers.sort();
    answers.dedup();
    assert!(answers.len() > 2, "{answers:?}");
    talk.send("setoption name NoiseLevel value 0");
    // E captures nine; the others capture nothing, and lie nearer to a draw at 12-15.
    talk.send("position fen 1-0-0-0-4-0-2-2-2-0-5-5-12-15-S");
    assert!(talk.go("go depth 1").1.starts_with("bestmove E"));
    talk.send("setoption name DrawSearch value true");
    let (lines, answer) = talk.go("go depth 1");
    assert!(!answer.starts_with("bestmove E"), "{answer}");
    assert!(lines.last().unwrap().contains("instead of E ("), "{lines:#?}");
    talk.end().0.unwrap();
}

#[test]
fn rules_begin_a_new_game() {
    let talk = Talk::begin(None);
    talk.send(SMALL);
    talk.send("setoption name Rules value abapa");
    assert_eq!(talk.go("go depth 2").1, "bestmove f ponder A");
    talk.send("setoption name Rules value awari");
    let (_, answer) = talk.go("go depth 2");
    assert!(answer.as_bytes()[9].is_ascii_uppercase(), "South begins: {answer}");
    talk.send("position startpos moves a");
    talk.until("info string error: ply 1");
    talk.send("setoption name Rules value abapa");
    assert_ne!(talk.go("go depth 2").1, "bestmove 0000");
    talk.end().0.unwrap();
}

/// Always the leftmost move, or a panic.
struct Book(bool);

impl Opening for Book {
    fn choose(&self, game: &Game, _: Board) -> Option<Move> {
        assert!(self.0, "this book is broken, as it should be");
        game.legal_moves().iter().next()
    }
}

#[test]
fn a_book_is_played_from_where_there_is_one() {
    let talk = Talk::begin(Some(Arc::new(Book(true))));
    talk.send("uci");
    let lines = talk.until("uciok");
    assert!(lines.contains(&"option name OwnBook type check default true".to_owned()));
    let (lines, answer) = talk.go("go depth 3");
    assert_eq!(lines.last().unwrap(), "info string source book");
    assert_eq!(answer, "bestmove A");
    talk.send("setoption name OwnBook value false");
    let (lines, _) = talk.go("go depth 3");
    assert!(!lines.contains(&"info string source book".to_owned()), "{lines:#?}");
    talk.end().0.unwrap();
    let none = Talk::begin(None);
    none.send("setoption name OwnBook value true");
    none.until("info string error: option OwnBook: there is no book here");
    none.end().0.unwrap();
}

#[test]
fn a_fault_in_the_program_is_not_waited_for() {
    let talk = Talk::begin(Some(Arc::new(Book(false))));
    talk.send("go depth 3");
    assert_eq!(talk.session.join().unwrap(), Err(Lost));
}

fn build_tables(root: &Path) {
    build(&BuildJob::quiet(root, Rules::ABAPA.table_rules(), &Target::ALL, 5)).unwrap();
}

#[test]
fn tables_are_opened_and_laid_aside() {
    let folder = tempfile::tempdir().unwrap();
    build_tables(folder.path());
    let talk = Talk::begin(None);
    talk.send("setoption name TablesSeeds value 3");
    talk.send(&format!("setoption name TablesPath value {}", folder.path().display()));
    assert_eq!(
        talk.ready(),
        ["info string tables: 36 for abapa, even values of layers 0 to 3 held in memory"]
    );
    // Four seeds: chosen at the root, and told by which convention.
    talk.send("position fen 0-0-0-0-0-1-1-1-0-0-0-1-24-20-S");
    let (lines, answer) = talk.go("go depth 9");
    assert!(lines.last().unwrap().starts_with("info string source table ("), "{lines:#?}");
    assert_eq!(answer, "bestmove F");
    // Analysis looks further, and into the leaves.
    let (lines, _) = talk.go("go depth 9 searchmoves F");
    assert!(number(last_info(&lines), "tbhits") > 0, "{lines:#?}");
    talk.send("go infinite");
    thread::sleep(Duration::from_millis(50));
    let (lines, _) = talk.go("stop");
    assert!(last_info(&lines).contains(" nodes "), "{lines:#?}");
    talk.send("setoption name UseLeaves value false");
    talk.until("info string tables: 36 for abapa, none held in memory");
    let (lines, _) = talk.go("go depth 9 searchmoves F");
    assert_eq!(number(last_info(&lines), "tbhits"), 0, "{lines:#?}");
    talk.send("setoption name TablesPath value <empty>");
    let (lines, _) = talk.go("go depth 9");
    assert!(!lines.last().unwrap().contains("table"), "{lines:#?}");
    // Every file is damaged.
    let directory = oware_tables::set::directory(folder.path(), Rules::ABAPA.table_rules());
    for file in std::fs::read_dir(&directory).unwrap() {
        let file = file.unwrap().path();
        let mut bytes = std::fs::read(&file).unwrap();
        if let Some(byte) = bytes.get_mut(20) {
            *byte ^= 1;
        }
        std::fs::write(&file, bytes).unwrap();
    }
    talk.send(&format!("setoption name TablesPath value {}", folder.path().display()));
    talk.until("info string error: option TablesPath: ");
    assert_ne!(talk.go("go depth 9").1, "bestmove 0000");
    talk.end().0.unwrap();
}

#[test]
fn no_bytes_make_the_reader_fail() {
    const WORDS: [&str; 34] = [
        "uci",
        "debug",
        "on",
        "isready",
        "setoption",
        "name",
        "value",
        "Hash",
        "Rules",
        "awari",
        "position",
        "startpos",
        "fen",
        "moves",
        "FfBe",
        "go",
        "depth",
        "nodes",
        "movetime",
        "infinite",
        "ponder",
        "movestogo",
        "wtime",
        "btime",
        "winc",
        "binc",
        "searchmoves",
        "stop",
        "wait",
        "quit",
        "18446744073709551615",
        "-1",
        "\u{e9}",
        "0",
    ];
    let mut rng = TestRng::from_env("no_bytes_make_the_reader_fail");
    let mut commands = 0;
    for _ in 0..20_000 {
        let mut bytes = Vec::new();
        for _ in 0..rng.below(24) {
            match rng.below(12) {
                0 => bytes.push(rng.below(256) as u8),
                1 => bytes.push(b'\n'),
                _ => bytes.extend(rng.pick(&WORDS).bytes()),
            }
            if rng.below(8) > 0 {
                bytes.push(*rng.pick(b"  \t\r\n"));
            }
        }
        commands += laws::input(&bytes);
    }
    assert!(commands > 5_000, "{commands} commands");
}

/// Lines of all sorts, with searches that end in no time; every `go` is answered once.
#[test]
fn random_sessions_answer_every_go_once() {
    const LINES: [&str; 22] = [
        "uci",
        "isready",
        "debug on",
        "debug off",
        "ucinewgame",
        "stop",
        "ponderhit",
        "register",
        "setoption name MultiPV value 3",
        "setoption name NoiseLevel value 100",
        "setoption name Rules value awari",
        "setoption name Frob",
        "position startpos moves Ff",
        SMALL,
        "position startpos moves a",
        "go depth 3",
        "go infinite",
        "go ponder nodes 50",
        "go depth x",
        "go movetime 5",
        "wait",
        "frob",
    ];
    let mut rng = TestRng::from_env("random_sessions_answer_every_go_once");
    for _ in 0..60 {
        let talk = Talk::begin(None);
        let mut asked = 0;
        for _ in 0..rng.below(60) {
            let line = *rng.pick(&LINES);
            asked += usize::from(line.starts_with("go"));
            talk.send(line);
            if rng.one_in(10) {
                thread::sleep(Duration::from_millis(2));
            }
        }
        let (result, lines) = talk.end();
        assert_eq!(result, Ok(()));
        let answers = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(answers, asked, "{lines:#?}");
    }
}

/// The end waits for an output that is slow, as long as it takes what is said.
#[test]
fn every_answer_is_said_before_the_end() {
    let (events, received) = channel();
    let answers = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&answers);
    let output = move |text: &str| {
        thread::sleep(Duration::from_millis(150));
        *counted.lock().unwrap() +=
            text.lines().filter(|line| line.starts_with("bestmove")).count();
    };
    let setup = Setup {
        name: "Test 1".into(),
        author: "nobody".into(),
        settings: Settings { hash_mib: 1, ..Settings::default() },
        opening: None,
    };
    let session = Session::new(setup, Arc::new(output), events.clone()).unwrap();
    for line in ["position startpos"].into_iter().chain(["go depth 1"; 6]) {
        events.send(Event::Line(line.into())).unwrap();
    }
    events.send(Event::End).unwrap();
    session.run(received).unwrap();
    assert_eq!(*answers.lock().unwrap(), 6);
}
