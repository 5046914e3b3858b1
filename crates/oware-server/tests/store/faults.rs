//! A process that writes is killed, or its disk is full: what it said was kept is there, and
//! nothing is there by half. The writer is this very program, started again with a path.

use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use oware_server::store::{GameRow, Store, Write, open};
use oware_server::wire::Pace;
use oware_testkit::TestRng;

use crate::rows::{append, event, game, make_games, make_players, ply, rated_end};

/// Tells the started program which database it shall write to until it ends.
const PATH: &str = "OWARE_TEST_WRITE_TO";
/// How often the writer is killed.
const KILLS: u32 = 20;
/// Every so many groups a rated game is played beside the others.
const RATED_EVERY: u32 = 5;

const GAMES: [&str; 3] = ["a", "b", "c"];

/// Not a test by itself: the writer. It adds one event to each of three games at a time, in one
/// group, and says so once they are kept.
#[tokio::test]
async fn writer() {
    let Some(path) = std::env::var_os(PATH) else { return };
    let store = open(path.to_str().expect("UTF-8")).await.expect("opens");
    if store.game("a").await.expect("read").is_none() {
        make_players(&*store, &["ann", "ben"]).await;
        make_games(&*store, &GAMES.map(|id| game(id, "ann", "ben"))).await;
    }
    let mut seq = store.game("a").await.expect("read").expect("there").seq;
    loop {
        seq += 1;
        let moves = group(seq);
        match store.write(moves).await {
            Ok(done) => {
                assert!(done.iter().all(Result::is_ok), "{done:?}");
                say(&format!("kept {seq}"));
            }
            Err(error) => {
                say(&format!("failed {seq}: {error}"));
                // Goes on when it is told to.
                std::io::stdin().read_line(&mut String::new()).expect("told");
                seq -= 1;
            }
        }
    }
}

/// The writes of a group: a move in each game, of a size that makes the file grow, and now and
/// then a whole rated game.
fn group(seq: u32) -> Vec<Write> {
    let long = "x".repeat(2_000);
    let moved = |id: &str| {
        let mut moved = ply(seq, seq, "ann", &format!("action{seq}"));
        moved.body = format!("{{\"text\":\"{long}\"}}");
        append(&GameRow { plies: seq, ..game(id, "ann", "ben") }, vec![moved])
    };
    let mut writes: Vec<Write> = GAMES.iter().map(|id| moved(id)).collect();
    if seq.is_multiple_of(RATED_EVERY) {
        let row = game(&format!("rated{seq}"), "ann", "ben");
        writes.push(Write::Create(Box::new(row.clone()), vec![event(1)]));
        writes.push(rated_end(&row, Pace::Blitz, ["ann", "ben"], 1.0, i64::from(seq)));
    }
    writes
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).expect("somebody listens");
}

/// Starts the writer, by a shell's words if there are any.
fn start(path: &Path, shell: Option<&str>) -> Child {
    let program = std::env::current_exe().expect("a path");
    let mut command = match shell {
        None => Command::new(program),
        Some(words) => {
            let mut command = Command::new("sh");
            command.args(["-c", words]).arg(program);
            command
        }
    };
    command.args(["--exact", "faults::writer", "--nocapture"]).env(PATH, path);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    command.spawn().expect("the writer starts")
}

/// The number after a word of the writer, if the line holds it.
fn number(line: &str, word: &str) -> Option<u32> {
    let rest = line.split_once(word)?.1.trim_start();
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Everything up to `kept` is there, and nothing by half; the last number that is there.
async fn check(store: &dyn Store, kept: u32) -> u32 {
    let mut last = None;
    for id in GAMES {
        let row = store.game(id).await.expect("read").expect("there");
        let events = store.events(id, 0).await.expect("read");
        assert_eq!(events.len(), row.seq as usize, "{id}");
        assert!(events.iter().zip(1..).all(|(event, seq)| event.seq == seq), "{id}");
        assert!(row.seq >= kept, "{id}: {kept} was said to be kept, and {} is", row.seq);
        assert!(row.seq <= kept + 1, "{id}: one group at a time is written");
        assert_eq!(*last.get_or_insert(row.seq), row.seq, "{id}: a group is whole or not there");
    }
    let last = last.expect("three games");
    let rated = last / RATED_EVERY;
    let history = store.rating_history("ann", Pace::Blitz).await.expect("read");
    assert_eq!(history.len(), rated as usize);
    let ratings = store.ratings("ann", 0).await.expect("read");
    assert_eq!(ratings.first().map_or(0, |view| view.games), rated);
    assert_eq!(ratings.first().map(|view| view.rating), history.last().map(|last| last.after));
    last
}

#[tokio::test]
async fn killed_at_any_moment() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("site.db");
    let mut random = TestRng::from_env("killed_at_any_moment");
    let mut before = 0;
    for kill in 0..KILLS {
        let mut writer = start(&path, None);
        let lines = BufReader::new(writer.stdout.take().expect("piped")).lines();
        let mut lines = lines.map(|line| line.expect("text"));
        let mut kept = lines.by_ref().find_map(|line| number(&line, "kept"));
        // The first killed ones may not have come far; there is always one acknowledgement.
        assert!(kept.is_some(), "the writer ended by itself");
        std::thread::sleep(Duration::from_millis(random.below(80) as u64));
        writer.kill().expect("killed");
        writer.wait().expect("ended");
        kept = lines.filter_map(|line| number(&line, "kept")).last().or(kept);
        let store = open(path.to_str().expect("UTF-8")).await.expect("opens");
        let last = check(&*store, kept.expect("seen above")).await;
        assert!(last > before, "kill {kill}: nothing was written");
        before = last;
    }
}

/// A file that may not grow stands for the full disk: every write fails whole and says so,
/// reading goes on, and when there is room again, writing does.
#[tokio::test]
async fn no_room_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("site.db");
    drop(open(path.to_str().expect("UTF-8")).await.expect("opens"));
    // Blocks of 512 bytes: 1.5 MB. The signal, which would end the process, is ignored.
    let mut writer = start(&path, Some(r#"trap "" XFSZ; ulimit -S -f 3000; exec "$0" "$@""#));
    let mut tell = writer.stdin.take().expect("piped");
    let lines = BufReader::new(writer.stdout.take().expect("piped")).lines();
    let mut lines = lines.map(|line| line.expect("text"));
    let (mut kept, mut failures, mut after) = (0, 0, 0);
    while after < 5 {
        let line = lines.next().expect("the writer goes on");
        assert!(failures < 20, "it does not recover: {line}");
        if let Some(seq) = number(&line, "kept") {
            assert!(seq == kept + 1 || kept == 0, "{line}");
            kept = seq;
            after += u32::from(failures > 0);
        } else if let Some(seq) = number(&line, "failed") {
            assert_eq!(seq, kept + 1, "{line}");
            assert!(line.contains("the database: "), "{line}");
            failures += 1;
            if failures == 3 {
                let process = writer.id().to_string();
                let mut limit = Command::new("prlimit");
                let done = limit.args(["--fsize=unlimited", "--pid", &process]).status();
                assert!(done.is_ok_and(|status| status.success()), "prlimit, of util-linux");
            }
            writeln!(tell, "go on").expect("told");
        }
    }
    assert!(failures >= 3, "{failures}");
    writer.kill().expect("killed");
    writer.wait().expect("ended");
    kept = lines.filter_map(|line| number(&line, "kept")).last().unwrap_or(kept);
    let store = open(path.to_str().expect("UTF-8")).await.expect("opens");
    check(&*store, kept).await;
}
