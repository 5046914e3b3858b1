//! The store: one suite of tests, passed by each back end, and what only one of them can do.

mod contract;
mod faults;
mod people;
mod postgres;
mod rows;
mod sqlite;

use std::sync::Arc;

use oware_server::store::memory::MemoryStore;
use oware_server::store::{Store, open};

/// Calls `$each` with every test of the contract.
macro_rules! contract {
    ($each:ident) => {
        $each! {
            contract::{
                keeps_every_field, refuses_what_does_not_follow, one_refusal_spares_the_rest,
                tells_a_repeated_action, takes_back_and_plays_again, finds_games, counts_games,
                rates_inside_the_write, keeps_what_two_writers_did,
            },
            people::{
                players_and_accounts, sessions, relations, reports, values, deletes_a_player,
                leaders_are_sure_and_present,
            },
        }
    };
}

/// A database that goes when it is dropped.
struct Database {
    store: Arc<dyn Store>,
    _folder: Option<tempfile::TempDir>,
}

async fn in_a_file() -> Database {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("site.db");
    let store = open(path.to_str().expect("UTF-8")).await.expect("opens");
    Database { store, _folder: Some(folder) }
}

async fn memory() -> Database {
    Database { store: Arc::new(MemoryStore::new()), _folder: None }
}

/// Makes a test of each, on a database of its own.
macro_rules! one_by_one {
    ($database:ident, $($suite:ident::{$($test:ident),* $(,)?}),* $(,)?) => {$($(
        #[tokio::test]
        async fn $test() {
            let database = super::$database().await;
            crate::$suite::$test(&*database.store).await;
        }
    )*)*};
}

mod in_memory {
    macro_rules! each {
        ($($suites:tt)*) => { one_by_one! { memory, $($suites)* } };
    }

    contract!(each);
}

mod in_sqlite {
    macro_rules! each {
        ($($suites:tt)*) => { one_by_one! { in_a_file, $($suites)* } };
    }

    contract!(each);
}

/// All on one server, since its start takes longer than the tests.
#[tokio::test]
async fn in_postgres() {
    let server = postgres::Server::start();
    macro_rules! all {
        ($($suite:ident::{$($test:ident),* $(,)?}),* $(,)?) => {$($(
            let url = server.create_database(stringify!($test)).await;
            let store = open(&url).await.expect("opens");
            $suite::$test(&*store).await;
        )*)*};
    }
    contract!(all);
}

#[tokio::test]
async fn postgres_keeps_what_was_written_and_is_refused_by_an_older_release() {
    let server = postgres::Server::start();
    let url = server.create_database("again").await;
    let store = open(&url).await.expect("opens");
    store.set_value("k", Some("v")).await.expect("set");
    drop(store);
    let store = open(&url).await.expect("opens again");
    assert_eq!(store.value("k").await.expect("read").as_deref(), Some("v"));
    let error = store.back_up(std::path::Path::new("x")).await.expect_err("SQLite only");
    assert!(error.to_string().contains("pg_dump"), "{error}");
    server.pretend_newer(&url).await;
    let error = open(&url).await.err().expect("refused").to_string();
    assert!(error.contains("newer release") && error.contains("schema 999"), "{error}");
    let nowhere = url.replace("/again", "/nowhere");
    let error = open(&nowhere).await.err().expect("refused").to_string();
    assert!(error.contains("nowhere") && error.contains("does not exist"), "{error}");
    let error = open("postgres://127.0.0.1:1/x").await.err().expect("refused").to_string();
    assert!(error.contains("PostgreSQL at 127.0.0.1, database x"), "{error}");
    server.stop();
    let error = store.check().await.expect_err("the server is gone");
    assert!(matches!(error, oware_server::store::StoreError::Database(_)), "{error}");
}
