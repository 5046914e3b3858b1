//! What happens when something is too slow, too much, or goes away.

use std::sync::Arc;
use std::time::Duration;

use oware_rules::{Game, Rules};
use oware_server::game::Refusal;
use oware_server::live::{Goodbye, Writer};
use oware_server::store::Store;
use oware_server::study::LivePositions;
use oware_server::wire::{Action, ServerFrame};
use tokio_util::task::TaskTracker;

use crate::support::{Club, clock, plain, play};

#[tokio::test(flavor = "multi_thread")]
async fn moves_that_wait_share_one_commit() {
    let club = Club::new();
    let (ann, ben) = (club.person("ann").await, club.person("ben").await);
    let mut games = Vec::new();
    for _ in 0..50 {
        games.push(club.game(&ann, &ben, plain()).await.id);
    }
    let before = club.store.commits();
    let gate = club.store.hold_writes().await;
    let moves: Vec<_> = games
        .iter()
        .map(|game| {
            let (hub, who, game) = (club.hub.clone(), ann.clone(), game.clone());
            tokio::spawn(async move { hub.act(&who, &game, None, play(1, "F"), None).await })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(moves.iter().all(|one| !one.is_finished()), "none is acknowledged before its commit");
    drop(gate);
    for one in moves {
        assert_eq!(one.await.expect("no panic"), Ok(2));
    }
    let commits = club.store.commits() - before;
    assert!(commits <= 10, "{commits} commits for 50 moves");
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_writes_are_refused_not_piled_up() {
    let club = Club::new();
    let tasks = TaskTracker::new();
    let writer = Writer::start(Arc::clone(&club.store) as Arc<dyn Store>, &tasks);
    let gate = club.store.hold_writes().await;
    let writes: Vec<_> = (0..4_000)
        .map(|_| {
            let writer = writer.clone();
            tokio::spawn(async move { writer.write(Vec::new()).await })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(300)).await;
    drop(gate);
    let (mut done, mut busy) = (0, 0);
    for write in writes {
        match write.await.expect("no panic") {
            Ok(_) => done += 1,
            Err(Refusal::Busy) => busy += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert!(done >= 2_048 && busy > 0, "{done} {busy}");
    // With the last writer goes the task.
    drop(writer);
    tasks.close();
    tokio::time::timeout(Duration::from_secs(20), tasks.wait()).await.expect("it ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_read_is_let_go_and_holds_up_nobody() {
    let club = Club::new();
    let me = club.person("me").await;
    let eve = club.person("eve").await;
    let device = oware_server::wire::Opponent::SameDevice;
    let asked = oware_server::wire::NewGame { opponent: device, ..plain() };
    let game = club.hub.create(&me, &asked).await.expect("a game");
    let tab = club.tab(&eve);
    club.hub.watch(&tab.line, &game.id, None).await.expect("watches");
    // A move and its taking back, over and over.
    for _ in 0..160 {
        club.act(&me, &game.id, play(1, "F")).await.expect("legal");
        let back = crate::support::offer(oware_server::wire::OfferKind::Takeback);
        club.act(&me, &game.id, back).await.expect("granted");
    }
    assert_eq!(tab.line.ended().await, Goodbye::Slow);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_begun_is_finished_though_nobody_waits() {
    let club = Club::new();
    let (ann, ben) = (club.person("ann").await, club.person("ben").await);
    let game = club.game(&ann, &ben, plain()).await;
    let gate = club.store.hold_writes().await;
    let asked = {
        let (hub, who, game) = (club.hub.clone(), ann.clone(), game.id.clone());
        tokio::spawn(async move { hub.act(&who, &game, Some("m1"), play(1, "F"), None).await })
    };
    tokio::time::sleep(Duration::from_millis(100)).await;
    // The line breaks while the write waits.
    asked.abort();
    drop(gate);
    club.until(&game.id, |view| view.plies.len() == 1).await;
    club.play(&ben, &game.id, "f").await.expect("memory and store agree");
    assert_eq!(club.hub.act(&ann, &game.id, Some("m1"), play(1, "F"), None).await, Ok(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_site_keeps_quiet_about_positions_that_are_played() {
    let club = Club::new();
    let (ann, ben) = (club.person("ann").await, club.person("ben").await);
    let start = *Game::new(Rules::ABAPA).position();
    let live = async |who: &str| club.hub.is_live_position(who, &start).await;
    // Without a clock anybody may look.
    club.game(&ann, &ben, plain()).await;
    assert!(!live("ann").await);
    let game = club.game(&ann, &ben, clock(300, 0)).await;
    assert!(live("ann").await && live("ben").await && !live("eve").await);
    club.play(&ann, &game.id, "F").await.expect("legal");
    assert!(!live("ann").await);
    let second = club.game(&ann, &ben, clock(300, 0)).await;
    assert!(live("ann").await);
    club.act(&ann, &second.id, Action::Abort).await.expect("aborted");
    assert!(!live("ann").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn players_and_strangers_are_counted_apart() {
    let club = Club::new();
    let (ann, ben) = (club.person("ann").await, club.person("ben").await);
    let game = club.game(&ann, &ben, plain()).await;
    let mut mine = club.tab(&ann);
    club.hub.watch(&mine.line, &game.id, Some(1)).await.expect("watches");
    let present = |frame: ServerFrame| match frame {
        ServerFrame::Presence { online, watchers, .. } => (online, watchers),
        other => panic!("{other:?}"),
    };
    assert_eq!(present(mine.next().await), ([true, false], 0));
    let stranger = club.person("eve").await;
    let theirs = club.tab(&stranger);
    club.hub.watch(&theirs.line, &game.id, Some(1)).await.expect("watches");
    assert_eq!(present(mine.next().await), ([true, false], 1));
    let other = club.tab(&ben);
    club.hub.watch(&other.line, &game.id, Some(1)).await.expect("watches");
    assert_eq!(present(mine.next().await), ([true, true], 1));
    club.hub.close_line(&theirs.line).await;
    assert_eq!(present(mine.next().await), ([true, true], 0));
}
