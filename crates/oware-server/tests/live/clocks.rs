//! Time: clocks, days, flags, and what a stop of the server does to them.

use std::sync::Arc;

use oware_server::clock::Clock;
use oware_server::game::Refusal;
use oware_server::live::Who;
use oware_server::store::memory::MemoryStore;
use oware_server::wire::{Action, Happening, NewGame, OfferKind, Side, Status, TimeControl};

use crate::support::{Club, clock, offer, plain, play};

const DAY: i64 = 24 * 3600 * 1000;

async fn pair(club: &Club) -> (Who, Who) {
    (club.person("ann").await, club.person("ben").await)
}

#[tokio::test]
async fn clocks_run_from_the_third_ply_on() {
    let club = Club::new();
    let (ann, ben) = pair(&club).await;
    let game = club.game(&ann, &ben, clock(60, 2)).await;
    club.pass(5_000);
    club.play(&ann, &game.id, "F").await.expect("legal");
    club.pass(7_000);
    let view = club.view(&game.id).await;
    let shown = view.clock.expect("clocks");
    assert_eq!((shown.left_ms, shown.running), ([60_000; 2], None));
    club.play(&ben, &game.id, "f").await.expect("legal");
    assert_eq!(club.view(&game.id).await.clock.expect("clocks").running, Some(Side::South));
    club.pass(10_000);
    club.play(&ann, &game.id, "E").await.expect("in time");
    let view = club.view(&game.id).await;
    let left = view.clock.expect("clocks").left_ms;
    assert!((51_000..=52_000).contains(&left[0]), "{left:?}");
    let spent = view.plies[2].spent_ms.expect("a clock ran");
    assert!((10_000..11_000).contains(&spent), "{spent}");
    assert_eq!(view.plies[0].spent_ms, None);
}

#[tokio::test]
async fn the_server_ends_a_game_whose_time_is_over() {
    let club = Club::new();
    let (ann, ben) = pair(&club).await;
    let game = club.game(&ann, &ben, clock(60, 0)).await;
    let mut tab = club.tab(&ben);
    club.hub.watch(&tab.line, &game.id, None).await.expect("watches");
    club.play_all(&game.id, [&ann, &ben], "Ff").await;
    club.pass(59_000);
    assert_eq!(club.view(&game.id).await.status, Status::Playing);
    club.pass(5_000);
    let event = tab.until(|what| matches!(what, Happening::Ended { .. })).await;
    let Happening::Ended { ending, clock, .. } = event.what else { panic!("an end") };
    assert_eq!((ending.reason.as_str(), ending.winner), ("time", Some(Side::North)));
    assert_eq!(clock.expect("clocks").left_ms, [0, 60_000]);
    assert_eq!(club.play(&ann, &game.id, "E").await, Err(Refusal::Over));
}

#[tokio::test]
async fn a_move_that_comes_too_late_ends_the_game() {
    let club = Club::new();
    let (ann, ben) = pair(&club).await;
    let game = club.game(&ann, &ben, clock(60, 0)).await;
    club.play_all(&game.id, [&ann, &ben], "Ff").await;
    // Not told to look at the time: the move is what finds out.
    club.clock.advance(60_500);
    assert_eq!(club.play(&ann, &game.id, "E").await, Err(Refusal::Over));
    let view = club.view(&game.id).await;
    assert_eq!(view.state.ending.expect("over").reason, "time");
    assert_eq!(view.plies.len(), 2);
}

#[tokio::test]
async fn lag_that_the_server_measured_is_given_back() {
    let club = Club::new();
    let (ann, ben) = pair(&club).await;
    let game = club.game(&ann, &ben, clock(180, 2)).await;
    club.play_all(&game.id, [&ann, &ben], "Ff").await;
    club.clock.advance(5_000);
    let action = |lag_ms| Action::Move { ply: 3, house: "E".into(), lag_ms: Some(lag_ms) };
    let seq = club.hub.act(&ann, &game.id, Some("m3"), action(9_000), Some(800)).await;
    let events = club.hub.events(&game.id, seq.expect("legal") - 1).await.expect("events");
    let Happening::Moved { ply, lag_ms, .. } = &events[0].what else { panic!("a move") };
    assert_eq!(*lag_ms, 800, "what the client says beyond that is not believed");
    let spent = ply.spent_ms.expect("a clock ran");
    assert!((4_200..4_900).contains(&spent), "{spent}");
}

#[tokio::test]
async fn taking_back_gives_the_time_back() {
    let club = Club::new();
    let (ann, ben) = pair(&club).await;
    let game = club.game(&ann, &ben, clock(60, 0)).await;
    club.play_all(&game.id, [&ann, &ben], "Ff").await;
    club.pass(20_000);
    club.play(&ann, &game.id, "E").await.expect("legal");
    club.act(&ann, &game.id, offer(OfferKind::Takeback)).await.expect("asked");
    club.act(&ben, &game.id, Action::Accept).await.expect("granted");
    let view = club.view(&game.id).await;
    let shown = view.clock.expect("clocks");
    assert!(shown.left_ms[0] > 59_000, "{shown:?}");
    assert_eq!((shown.running, view.plies.len()), (Some(Side::South), 2));
}

#[tokio::test]
async fn who_does_not_begin_loses_nothing() {
    let club = Club::new();
    let (ann, ben) = pair(&club).await;
    let game = club.game(&ann, &ben, clock(60, 0)).await;
    club.play(&ann, &game.id, "F").await.expect("legal");
    club.pass(61_000);
    let view = club.until(&game.id, |view| view.status == Status::Over).await;
    assert_eq!(view.state.ending.expect("over").reason, "aborted");
}

#[tokio::test]
async fn days_are_counted_for_each_move() {
    let club = Club::new();
    let (ann, ben) = pair(&club).await;
    let time = Some(TimeControl::Days { days: 2 });
    let game = club.game(&ann, &ben, NewGame { time, ..plain() }).await;
    for (mover, house) in [(&ann, "F"), (&ben, "f"), (&ann, "E")] {
        club.pass(2 * DAY - 60_000);
        club.play(mover, &game.id, house).await.expect("in time");
    }
    // Put away meanwhile: time goes on all the same.
    club.hub.put_away();
    assert_eq!(club.hub.games_in_memory(), 0);
    club.pass(2 * DAY + 1);
    let view = club.until(&game.id, |view| view.status == Status::Over).await;
    let ending = view.state.ending.expect("over");
    assert_eq!((ending.reason.as_str(), ending.winner), ("time", Some(Side::South)));
}

#[tokio::test]
async fn staying_away_can_be_claimed_after_a_while() {
    let club = Club::new();
    let (ann, ben) = pair(&club).await;
    let game = club.game(&ann, &ben, clock(600, 0)).await;
    let (ann_tab, ben_tab) = (club.tab(&ann), club.tab(&ben));
    for tab in [&ann_tab, &ben_tab] {
        club.hub.watch(&tab.line, &game.id, None).await.expect("watches");
    }
    club.play_all(&game.id, [&ann, &ben], "Ff").await;
    assert!(club.act(&ann, &game.id, Action::Claim).await.is_err(), "both are there");
    // A line is lost: 40 seconds; and it may come back.
    club.hub.close_line(&ben_tab.line).await;
    let view = club.view(&game.id).await;
    assert!(!view.north.online && view.south.online);
    let wait = view.north.claim_at.expect("away") - club.clock.now();
    assert!((39_000..=40_000).contains(&wait), "{wait}");
    club.pass(20_000);
    assert!(matches!(club.act(&ann, &game.id, Action::Claim).await, Err(Refusal::Forbidden(_))));
    let ben_tab = club.tab(&ben);
    club.hub.watch(&ben_tab.line, &game.id, None).await.expect("watches");
    assert_eq!(club.view(&game.id).await.north.claim_at, None);
    club.pass(25_000);
    assert!(club.act(&ann, &game.id, Action::Claim).await.is_err(), "back again");
    // To leave is 10 seconds.
    club.hub.unwatch(&ben_tab.line, &game.id).await;
    club.pass(10_001);
    assert!(club.act(&ben, &game.id, Action::Claim).await.is_err(), "the other one is there");
    club.act(&ann, &game.id, Action::Claim).await.expect("claimed");
    let ending = club.view(&game.id).await.state.ending.expect("over");
    assert_eq!((ending.reason.as_str(), ending.winner), ("abandonment", Some(Side::South)));
}

#[tokio::test]
async fn games_without_a_clock_are_never_claimed() {
    let club = Club::new();
    let (ann, ben) = pair(&club).await;
    for time in [None, Some(TimeControl::Days { days: 1 })] {
        let game = club.game(&ann, &ben, NewGame { time, ..plain() }).await;
        club.play_all(&game.id, [&ann, &ben], "Ff").await;
        club.pass(3_600_000);
        assert!(club.act(&ann, &game.id, Action::Claim).await.is_err());
        assert_eq!(club.view(&game.id).await.north.claim_at, None);
    }
}

/// A server that is gone for a while: the same store, a new hub, a later time.
async fn restarted(store: &Arc<MemoryStore>, clock: &Clock, away: i64) -> Club {
    clock.advance(away);
    let club = Club::with(Arc::clone(store), clock.clone());
    club.hub.take_up().await.expect("taken up");
    club
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_of_the_server_costs_no_player_time() {
    let club = Club::new();
    let (store, clock_of) = (Arc::clone(&club.store), club.clock.clone());
    club.hub.take_up().await.expect("nothing to take up");
    let (ann, ben) = pair(&club).await;
    let quick = club.game(&ann, &ben, clock(60, 0)).await;
    club.play_all(&quick.id, [&ann, &ben], "Ff").await;
    let time = Some(TimeControl::Days { days: 1 });
    let slow = club.game(&ann, &ben, NewGame { time, ..plain() }).await;
    let fresh = club.game(&ann, &ben, clock(60, 0)).await;
    club.clock.advance(20_000);
    club.hub.shut_down().await;
    let due = store_due(&store, &slow.id).await;
    drop(club);
    let club = restarted(&store, &clock_of, 3 * DAY).await;
    let view = club.view(&quick.id).await;
    assert_eq!(view.status, Status::Playing);
    let Happening::ClockShifted { away_ms, gift_ms, clock } = &view.log.last().expect("noted").what
    else {
        panic!("{:?}", view.log)
    };
    assert!((3 * DAY..3 * DAY + 60_000).contains(away_ms), "{away_ms}");
    assert_eq!(*gift_ms, 10_000);
    let left = clock.as_ref().expect("clocks").left_ms;
    assert!((49_000..=50_000).contains(&left[0]), "60 - 20 + 10: {left:?}");
    assert_eq!(left[1], 70_000);
    club.play(&ann, &quick.id, "E").await.expect("plays on");
    let later = store_due(&store, &slow.id).await;
    assert!((3 * DAY..3 * DAY + 60_000).contains(&(later - due)), "{later} {due}");
    // A game that nobody has begun has its minute again.
    club.act(&ann, &fresh.id, play(1, "F")).await.expect("still there");
    // And everything is still the fold of its events.
    for game in [&quick, &slow, &fresh] {
        let events = club.hub.events(&game.id, 0).await.expect("events");
        assert!(events.iter().zip(1..).all(|(event, seq)| event.seq == seq));
    }
}

async fn store_due(store: &MemoryStore, game: &str) -> i64 {
    use oware_server::store::Store;
    let row = store.game(game).await.expect("read").expect("there");
    row.due_at.expect("time is counted")
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_taken_up_where_they_were_even_after_a_crash() {
    let club = Club::new();
    let (store, clock_of) = (Arc::clone(&club.store), club.clock.clone());
    let (ann, ben) = pair(&club).await;
    let game = club.game(&ann, &ben, plain()).await;
    club.play_all(&game.id, [&ann, &ben], "FfEe").await;
    club.act(&ann, &game.id, offer(OfferKind::Draw)).await.expect("offered");
    let before = club.view(&game.id).await;
    // No farewell: the hub is simply not asked any more.
    let again = restarted(&store, &clock_of, 60_000).await;
    let after = again.view(&game.id).await;
    assert_eq!((after.seq, &after.plies, after.offer), (before.seq, &before.plies, before.offer));
    assert_eq!(after.state, before.state);
    again.act(&ben, &game.id, Action::Accept).await.expect("the offer still stands");
    // The old one learns that it is behind, does nothing, and shows what is.
    assert_eq!(club.play(&ann, &game.id, "D").await, Err(Refusal::Changed));
    assert_eq!(club.view(&game.id).await.status, Status::Over);
}
