//! Games over lines that drop, delay, double and reorder what they carry, fall silent, and break.

#![allow(clippy::print_stderr, reason = "a test says its seed and what happened")]

mod common;

use common::{begin, finish, is_long, seed, site};
use oware_siege::player::Habits;
use oware_siege::proxy::{Faults, Proxy};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_games_over_a_terrible_network_lose_no_move() {
    let mut random = seed("twenty_games_over_a_terrible_network_lose_no_move");
    let folder = tempfile::tempdir().unwrap();
    let site = site(folder.path());
    let proxy = Proxy::start(site.address, Faults::TERRIBLE, random.branch()).await.unwrap();
    let games = if is_long() { 200 } else { 20 };
    let habits = Habits { cut: 5, ..Habits::QUICK };
    let running = begin(site.address, proxy.address, games, habits, &mut random).await.unwrap();
    let sum = finish(running, site).await;
    let happened = proxy.happened.counts();
    eprintln!("{sum:?}\ndropped, doubled, delayed, passed, muted, cut, frames: {happened:?}");
    assert_eq!(sum.games, games);
    assert!(happened.iter().all(|count| *count > 0), "every fault must have happened");
    assert!(sum.gaps > 0 && sum.doubles > 0 && sum.resent > 0 && sum.opened > 2 * games);
}

/// The proxy itself is no fault: without any of its own nothing is sent twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_good_network_needs_nothing_twice() {
    let mut random = seed("a_good_network_needs_nothing_twice");
    let folder = tempfile::tempdir().unwrap();
    let site = site(folder.path());
    let proxy = Proxy::start(site.address, Faults::NONE, random.branch()).await.unwrap();
    let running = begin(site.address, proxy.address, 2, Habits::QUICK, &mut random).await.unwrap();
    let sum = finish(running, site).await;
    assert_eq!((sum.games, sum.opened, sum.gaps), (2, 4, 0), "{sum:?}");
}
