//! The same with PostgreSQL: a server that is killed, and a database that hangs up on it.

#![allow(clippy::print_stderr, reason = "a test says its seed and what happened")]

mod common;
/// The store's own tests start such a server, too.
#[path = "../../oware-server/tests/store/postgres.rs"]
#[allow(dead_code, reason = "shared with the store's tests")]
mod server;

use std::time::Duration;

use common::{begin, finish, is_long, seed, start_in};
use oware_siege::player::Habits;
use oware_siege::site::{Site, Start};
use server::Server;
use sqlx::{Connection, PgConnection};

/// Slow enough that a game lasts as long as its server is being ill-treated.
const SLOW: Habits = Habits { think_ms: 60, plies: 300, ..Habits::QUICK };

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_go_on_after_kills() {
    let mut random = seed("games_go_on_after_kills");
    let postgres = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let database = Some(postgres.create_database("kills").await);
    let mut site = Site::start(Start { database, ..start_in(folder.path()) }).unwrap();
    let running = begin(site.address, site.address, 4, SLOW, &mut random).await.unwrap();
    for _ in 0..if is_long() { 40 } else { 8 } {
        tokio::time::sleep(Duration::from_millis(150) + random.up_to_ms(400)).await;
        tokio::task::block_in_place(|| {
            site.kill().unwrap();
            site.again().unwrap()
        });
    }
    let sum = finish(running, site).await;
    eprintln!("{sum:?}");
    assert!(sum.games == 4 && sum.opened > 8 && sum.shifted > 0, "{sum:?}");
}

/// The database ends the server's connections while it writes: whether a commit was done, the
/// server cannot know, and no move is lost or made twice all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_are_ended_lose_nothing() {
    let mut random = seed("connections_that_are_ended_lose_nothing");
    let postgres = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let url = postgres.create_database("hangs_up").await;
    let database = Some(url.clone());
    let site = Site::start(Start { database, ..start_in(folder.path()) }).unwrap();
    let running = begin(site.address, site.address, 4, SLOW, &mut random).await.unwrap();
    let mut judge = PgConnection::connect(&url).await.unwrap();
    for _ in 0..if is_long() { 200 } else { 30 } {
        tokio::time::sleep(random.up_to_ms(200)).await;
        let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                   WHERE datname = current_database() AND pid <> pg_backend_pid()";
        sqlx::query(end).execute(&mut judge).await.unwrap();
    }
    drop(judge);
    let sum = finish(running, site).await;
    eprintln!("{sum:?}");
    assert_eq!(sum.games, 4);
    assert!(sum.later > 0, "players were told: {sum:?}");
}
