//! What can happen to a file: opened wrongly, locked, full, copied, damaged.

use std::path::Path;
use std::time::{Duration, Instant};

use oware_server::store::{GameFilter, GameRow, StoreError, Write, back_up, open, restore};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions};

use crate::rows::{append, event, game, make_games, make_players, ply, write};

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// Opens a file that cannot be used; why.
async fn refusal(url: &str) -> String {
    open(url).await.err().expect("refused").to_string()
}

/// Another program's connection to a file.
async fn raw(path: &Path) -> SqliteConnection {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .connect()
        .await
        .expect("connects")
}

async fn run(connection: &mut SqliteConnection, sql: &str) {
    let sql = AssertSqlSafe(sql.to_owned());
    sqlx::raw_sql(sql).execute(connection).await.expect("done");
}

#[tokio::test]
async fn opens_by_every_kind_of_name() {
    let folder = tempfile::tempdir().expect("a folder");
    for (number, prefix) in ["", "sqlite:", "sqlite://"].into_iter().enumerate() {
        let path = folder.path().join(format!("{number} ü?#%.db"));
        let store = open(&format!("{prefix}{}", text(&path))).await.expect("opens");
        store.check().await.expect("answers");
        assert!(path.is_file());
    }
}

#[tokio::test]
async fn says_why_a_file_cannot_be_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("site.db");
    let error = refusal(text(&folder.path().join("nowhere/site.db"))).await;
    assert!(error.contains("there is no folder") && error.contains("nowhere"), "{error}");
    let error = refusal("sqlite:").await;
    assert!(error.contains("a path was expected"), "{error}");
    let error = refusal(text(folder.path())).await;
    assert!(error.contains("it is a folder"), "{error}");
    std::fs::write(&path, "something that is no database".repeat(200)).expect("written");
    let error = refusal(text(&path)).await;
    assert!(error.contains("site.db") && error.contains("not a database"), "{error}");
    let other = folder.path().join("other.db");
    run(&mut raw(&other).await, "CREATE TABLE theirs (a)").await;
    let before = std::fs::read(&other).expect("read");
    let error = refusal(text(&other)).await;
    assert!(error.contains("not of this program"), "{error}");
    assert_eq!(std::fs::read(&other).expect("read"), before, "nothing was written");
}

#[tokio::test]
async fn only_the_owner_reads_what_is_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let (path, copy) = (folder.path().join("site.db"), folder.path().join("copy.db"));
    let store = open(text(&path)).await.expect("opens");
    store.set_value("k", Some("v")).await.expect("set");
    store.back_up(&copy).await.expect("copied");
    for name in ["site.db", "site.db-wal", "copy.db"] {
        let mode = std::fs::metadata(folder.path().join(name)).expect(name).permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

#[tokio::test]
async fn belongs_to_one_server_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("site.db");
    let store = open(text(&path)).await.expect("opens");
    let error = refusal(text(&path)).await;
    assert!(error.contains("in use by another server"), "{error}");
    drop(store);
    open(text(&path)).await.expect("opens again");
}

#[tokio::test]
async fn a_newer_release_s_file_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("site.db");
    drop(open(text(&path)).await.expect("opens"));
    let later = "INSERT INTO _sqlx_migrations (version, description, success, checksum, \
         execution_time) VALUES (999, 'later', 1, x'00', 0)";
    run(&mut raw(&path).await, later).await;
    let error = refusal(text(&path)).await;
    assert!(error.contains("newer release (schema 999"), "{error}");
    let error = refusal(text(&path)).await;
    assert!(error.contains("newer release"), "as before: {error}");
}

/// A database that the first release wrote, by its program: played, rated, reported. Everything
/// of it is there, and it can be written.
#[tokio::test]
async fn a_database_of_schema_1_is_brought_up_to_date() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("site.db");
    std::fs::write(&path, include_bytes!("schema-1.db")).expect("written");
    for _ in 0..2 {
        let store = open(text(&path)).await.expect("opens");
        let ann = store.player_by_name("ann").await.expect("read").expect("there");
        let ben = store.player_by_name("Ben").await.expect("read").expect("there");
        assert!(ann.standing.admin && !ben.standing.admin);
        assert!(ben.password.expect("a hash").starts_with("$argon2id$"));
        let filter = GameFilter { limit: 100, ..GameFilter::default() };
        let games = store.games(&filter).await.expect("read");
        assert_eq!(games.len(), 4);
        for row in &games {
            let events = store.events(&row.id, 0).await.expect("read");
            assert_eq!(events.len(), row.seq as usize, "{}", row.id);
        }
        let rated = games.iter().find(|row| row.rated).expect("one");
        assert_eq!((rated.plies, rated.ending.is_some()), (7, true));
        assert_eq!(store.rating_changes(&rated.id).await.expect("read").len(), 2);
        assert!(store.ratings(&ann.id, rated.updated_at).await.expect("read")[0].rating > 1600.0);
        assert_eq!(store.results(&ann.id).await.expect("read"), [1, 0, 0]);
        assert_eq!(store.relations(&ann.id).await.expect("read").len(), 1);
        assert_eq!(store.reports().await.expect("read").len(), 1);
        assert_eq!(store.sessions(&ben.id).await.expect("read").len(), 1);
        assert_eq!(store.value("announcement").await.expect("read").as_deref(), Some("Hello"));
        let played = games.iter().find(|row| row.plies == 5).expect("one");
        let write = append(played, vec![event(played.seq + 1)]);
        let Write::Append { row, events, .. } = write else { unreachable!("made so") };
        let row = Box::new(GameRow { updated_at: played.updated_at, ..*row });
        let write = Write::Append { row, events, retract_from: None, rate: None };
        assert!(store.write(vec![write]).await.expect("written")[0].is_ok());
    }
    let schema = "SELECT MAX(version) FROM _sqlx_migrations";
    let schema: i64 =
        sqlx::query_scalar(schema).fetch_one(&mut raw(&path).await).await.expect("read");
    assert!(schema >= 2);
}

/// Somebody holds the file: for less than five seconds the write waits, for more it fails
/// whole, and the next one is done.
#[tokio::test]
async fn waits_for_a_lock_and_survives_a_longer_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("site.db");
    let store = open(text(&path)).await.expect("opens");
    make_players(&*store, &["ann"]).await;
    let row = game("g", "ann", "ann");
    make_games(&*store, std::slice::from_ref(&row)).await;
    let mut other = raw(&path).await;
    run(&mut other, "BEGIN IMMEDIATE").await;
    let since = Instant::now();
    let release = async {
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        run(&mut other, "COMMIT").await;
    };
    let (done, ()) = tokio::join!(write(&*store, append(&row, vec![event(2)])), release);
    assert!(done.is_ok() && since.elapsed() >= Duration::from_millis(1_500), "{done:?}");
    run(&mut other, "BEGIN IMMEDIATE").await;
    let locked = store.write(vec![append(&row, vec![event(3)])]).await;
    let Err(StoreError::Database(why)) = locked else { panic!("{locked:?}") };
    assert!(why.contains("locked"), "{why}");
    assert_eq!(store.events("g", 0).await.expect("reading goes on").len(), 2);
    run(&mut other, "COMMIT").await;
    write(&*store, append(&row, vec![event(3)])).await.expect("accepted");
}

#[tokio::test]
async fn a_backup_is_the_whole_at_one_moment() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, copy) = (folder.path().join("site.db"), folder.path().join("copy.db"));
    let url = format!("sqlite:{}", text(&path));
    let store = open(&url).await.expect("opens");
    make_players(&*store, &["ann"]).await;
    let row = game("g", "ann", "ann");
    make_games(&*store, std::slice::from_ref(&row)).await;
    let writing = async {
        for seq in 2..60 {
            write(&*store, append(&row, vec![ply(seq, seq, "ann", &seq.to_string())]))
                .await
                .expect("accepted");
        }
    };
    let ((), copied) = tokio::join!(writing, store.back_up(&copy));
    copied.expect("copied");
    let files = std::fs::read_dir(folder.path()).expect("read").flatten();
    let left = files.filter(|file| file.path().extension().is_some_and(|end| end == "part"));
    assert_eq!(left.count(), 0);
    let other = open(text(&copy)).await.expect("opens");
    let (row, events) = (other.game("g").await, other.events("g", 0).await);
    let (row, events) = (row.expect("read").expect("there"), events.expect("read"));
    assert_eq!(row.seq as usize, events.len());
    // From outside, while the server runs.
    let again = folder.path().join("again.db");
    back_up(&url, &again).await.expect("copied");
    let other = open(text(&again)).await.expect("opens");
    assert_eq!(other.events("g", 0).await.expect("read").len(), 59);
    let wrong = [
        (back_up(&url, &again).await, "exists already"),
        (store.back_up(&again).await, "exists already"),
        (back_up(&url, &folder.path().join("no/copy.db")).await, "there is no folder"),
        (back_up("sqlite:nowhere.db", &folder.path().join("x.db")).await, "no such database"),
        (back_up("postgres://x/y", &folder.path().join("x.db")).await, "pg_dump"),
    ];
    for (answer, expected) in wrong {
        let error = answer.expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[tokio::test]
async fn a_restore_replaces_the_whole_or_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, copy) = (folder.path().join("site.db"), folder.path().join("copy.db"));
    let url = format!("sqlite:{}", text(&path));
    let store = open(&url).await.expect("opens");
    store.set_value("k", Some("old")).await.expect("set");
    store.back_up(&copy).await.expect("copied");
    store.set_value("k", Some("new")).await.expect("set");
    let error = restore(&url, &copy).await.expect_err("in use").to_string();
    assert!(error.contains("in use by another server"), "{error}");
    drop(store);
    let rubbish = folder.path().join("rubbish.db");
    std::fs::write(&rubbish, vec![7; 10_000]).expect("written");
    let mut damaged = std::fs::read(&copy).expect("read");
    let middle = damaged.len() / 2 / 4096 * 4096;
    damaged[middle..middle + 4096].fill(0xa5);
    let damaged_path = folder.path().join("damaged.db");
    std::fs::write(&damaged_path, damaged).expect("written");
    for (file, expected) in [
        (&rubbish, "not a database"),
        (&damaged_path, "damaged"),
        (&folder.path().join("none.db"), "no such file"),
    ] {
        let error = restore(&url, file).await.expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    }
    let store = open(&url).await.expect("opens");
    assert_eq!(store.value("k").await.expect("read").as_deref(), Some("new"), "untouched");
    drop(store);
    let kept = restore(&url, &copy).await.expect("restored").expect("the old one is kept");
    for (file, expected) in [(&path, "old"), (&kept, "new")] {
        let store = open(text(file)).await.expect("opens");
        assert_eq!(store.value("k").await.expect("read").as_deref(), Some(expected));
    }
    // In the place of nothing, and of something beyond repair.
    let fresh = folder.path().join("fresh.db");
    assert_eq!(restore(text(&fresh), &copy).await.expect("restored"), None);
    std::fs::write(&path, vec![7; 10_000]).expect("written");
    let kept = restore(&url, &copy).await.expect("restored").expect("kept");
    assert_eq!(std::fs::read(kept).expect("read"), vec![7; 10_000]);
    let store = open(&url).await.expect("opens");
    assert_eq!(store.value("k").await.expect("read").as_deref(), Some("old"));
}

#[tokio::test]
async fn damage_is_told_and_brings_nothing_down() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("site.db");
    let copy = folder.path().join("copy.db");
    let store = open(text(&path)).await.expect("opens");
    make_players(&*store, &["ann"]).await;
    for id in 0..300 {
        make_games(&*store, &[game(&format!("g{id}"), "ann", "ann")]).await;
    }
    store.back_up(&copy).await.expect("copied");
    let whole = std::fs::read(&copy).expect("read");
    let mut told = 0;
    for page in 1..whole.len() / 4096 {
        let mut bytes = whole.clone();
        bytes[page * 4096..page * 4096 + 512].fill(0xa5);
        let file = folder.path().join(format!("damaged{page}.db"));
        std::fs::write(&file, bytes).expect("written");
        let Ok(store) = open(text(&file)).await else {
            told += 1;
            continue;
        };
        let answers = [
            store.unfinished().await.err(),
            store.events("g1", 0).await.err(),
            store.write(vec![append(&game("g1", "ann", "ann"), vec![event(2)])]).await.err(),
            store.player("ann").await.err(),
        ];
        told += usize::from(answers.iter().any(Option::is_some));
    }
    assert!(told > 0, "no damage was noticed");
}
