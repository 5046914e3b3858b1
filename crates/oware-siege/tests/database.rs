//! A database that is locked, and a disk that is full.

#![allow(clippy::print_stderr, reason = "a test says its seed and what happened")]

mod common;

use std::time::{Duration, Instant};

use common::{begin, end_of, finish, seed, site, start_in};
use oware_siege::http::Visitor;
use oware_siege::player::Habits;
use oware_siege::site::{Site, lift_file_bound};
use sqlx::Connection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

/// Somebody else holds the database for longer than it waits: moves are late or refused for the
/// time being, none is lost, and then all goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_database_delays_and_loses_nothing() {
    let mut random = seed("a_locked_database_delays_and_loses_nothing");
    let folder = tempfile::tempdir().unwrap();
    let site = site(folder.path());
    let habits = Habits { think_ms: 100, ..Habits::QUICK };
    let running = begin(site.address, site.address, 6, habits, &mut random).await.unwrap();
    let options = SqliteConnectOptions::new().filename(folder.path().join("oware.db"));
    let mut other = SqliteConnection::connect_with(&options).await.unwrap();
    tokio::time::sleep(Duration::from_millis(500)).await;
    sqlx::raw_sql("BEGIN EXCLUSIVE").execute(&mut other).await.unwrap();
    let from = Instant::now();
    // Reading goes on, and nobody waits for who writes.
    let mut reader = Visitor::new(site.address);
    while from.elapsed() < Duration::from_millis(5_500) {
        let asked = Instant::now();
        assert_eq!(reader.get("/api/v1/lobby").await.unwrap().status, 200);
        assert!(asked.elapsed() < Duration::from_secs(4), "{:?}", asked.elapsed());
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
    drop(other);
    let sum = finish(running, site).await;
    eprintln!("{sum:?}");
    assert_eq!(sum.games, 6);
    assert!(sum.later > 0 || sum.resent > 0, "the lock was felt: {sum:?}");
}

/// The files may not grow any more: what cannot be kept is refused with a reason, nothing is half
/// done, and once there is room again all goes on.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_refuses_and_recovers() {
    let mut random = seed("a_full_disk_refuses_and_recovers");
    let folder = tempfile::tempdir().unwrap();
    // Room for the tables and the first moves.
    let start = oware_siege::site::Start { file_bytes: Some(3 << 20), ..start_in(folder.path()) };
    let mut site = Site::start(start).unwrap();
    let habits = Habits { think_ms: 5, ..Habits::QUICK };
    let running = begin(site.address, site.address, 4, habits, &mut random).await.unwrap();
    let mut visitor = Visitor::new(site.address);
    let asked = serde_json::json!({ "opponent": { "kind": "same_device" } });
    let from = Instant::now();
    let refused = loop {
        let answer = visitor.post("/api/v1/games", &asked).await.unwrap();
        if answer.status >= 400 && answer.status != 429 {
            break answer;
        }
        assert!(from.elapsed() < Duration::from_secs(60), "the disk never was full");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    let fault: oware_server::wire::Fault = serde_json::from_slice(&refused.body).unwrap();
    assert_eq!((refused.status, fault.code.as_str()), (503, "internal"), "{fault:?}");
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(site.is_up(), "{}", end_of(&site.log()));
    lift_file_bound(site.pid()).unwrap();
    let sum = finish(running, site).await;
    eprintln!("{sum:?}");
    assert!(sum.later > 0, "players were told: {sum:?}");
}
