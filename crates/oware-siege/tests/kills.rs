//! A server that is killed in the middle of games, and started again on the same database.

#![allow(clippy::print_stderr, reason = "a test says its seed and what happened")]

mod common;

use std::time::Duration;

use common::{begin, finish, is_long, seed, site};
use oware_siege::player::Habits;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_go_on_after_twenty_kills() {
    let mut random = seed("games_go_on_after_twenty_kills");
    let folder = tempfile::tempdir().unwrap();
    let mut site = site(folder.path());
    let kills = if is_long() { 200 } else { 20 };
    // Games that last as long as the server is being killed.
    let habits =
        Habits { think_ms: 60, plies: if is_long() { 2_000 } else { 400 }, ..Habits::QUICK };
    let running = begin(site.address, site.address, 8, habits, &mut random).await.unwrap();
    let mut longest = Duration::ZERO;
    for _ in 0..kills {
        tokio::time::sleep(Duration::from_millis(100) + random.up_to_ms(400)).await;
        longest = longest.max(tokio::task::block_in_place(|| {
            site.kill().unwrap();
            site.again().unwrap()
        }));
    }
    let sum = finish(running, site).await;
    eprintln!("{sum:?}, longest start {longest:?}");
    assert_eq!(sum.games, 8);
    assert!(sum.opened > 16 && sum.resent > 0, "{sum:?}");
    assert!(sum.shifted > 0, "clocks are shifted, and the log says so: {sum:?}");
}
