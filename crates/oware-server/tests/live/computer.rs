//! Games against the computer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use oware_rules::PRESETS;
use oware_server::clock::Clock;
use oware_server::live::Settings;
use oware_server::store::memory::MemoryStore;
use oware_server::wire::{
    Action, NewGame, OfferKind, Opponent, SeatWish, Side, Status, TimeControl,
};

use crate::support::{Club, offer, plain, play};

fn against(level: u8) -> NewGame {
    NewGame { opponent: Opponent::Computer { level }, ..plain() }
}

/// A whole game under each preset, the person playing the first legal move.
#[tokio::test(flavor = "multi_thread")]
async fn plays_to_the_end_under_every_preset() {
    let club = Club::new();
    let me = club.person("me").await;
    for (index, preset) in PRESETS.iter().enumerate() {
        let level = u8::try_from(index + 1).expect("few presets");
        let seat = if index % 2 == 0 { SeatWish::South } else { SeatWish::North };
        let asked = NewGame { rules: Some(preset.name.into()), seat, ..against(level) };
        let game = club.hub.create(&me, &asked).await.expect("a game");
        assert_eq!(game.preset.as_deref(), Some(preset.name));
        let mine = game.state.to_move;
        let mine = if seat == SeatWish::South { mine } else { Side::North };
        for _ in 0..400 {
            let view = club
                .until(&game.id, |view| view.status == Status::Over || view.state.to_move == mine)
                .await;
            if view.status == Status::Over {
                break;
            }
            if view.plies.len() > 120 {
                club.act(&me, &game.id, Action::Resign { side: None }).await.expect("resigned");
                break;
            }
            let house = view.state.legal[0].house.clone();
            club.play(&me, &game.id, &house).await.expect("legal");
        }
        let over = club.view(&game.id).await;
        assert_eq!(over.status, Status::Over, "{}", preset.name);
        let events = club.hub.events(&game.id, 0).await.expect("events");
        assert!(events.iter().zip(1..).all(|(event, seq)| event.seq == seq));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_level_answers_a_move() {
    let club = Club::new();
    let me = club.person("me").await;
    for level in 1..=12 {
        let game = club.hub.create(&me, &against(level)).await.expect("a game");
        club.play(&me, &game.id, "F").await.expect("legal");
        let view = club.until(&game.id, |view| view.plies.len() == 2).await;
        assert_eq!(view.north.level, Some(level));
        assert!(view.north.online && view.north.kind == "computer");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn takes_back_without_being_asked() {
    let club = Club::new();
    let me = club.person("me").await;
    let game = club.hub.create(&me, &against(1)).await.expect("a game");
    club.play(&me, &game.id, "C").await.expect("legal");
    club.until(&game.id, |view| view.plies.len() == 2).await;
    club.act(&me, &game.id, offer(OfferKind::Takeback)).await.expect("granted");
    let view = club.view(&game.id).await;
    assert_eq!((view.plies.len(), view.state.to_move), (0, Side::South));
    assert_eq!(view.offer, None);
    // And again right after moving, while the computer thinks.
    club.play(&me, &game.id, "F").await.expect("legal");
    club.act(&me, &game.id, offer(OfferKind::Takeback)).await.expect("granted");
    club.play(&me, &game.id, "A").await.expect("legal");
    let view = club.until(&game.id, |view| view.plies.len() == 2).await;
    assert_eq!(view.plies[0].trace.house, "A");
}

#[tokio::test(flavor = "multi_thread")]
async fn accepts_a_draw_only_when_it_is_not_better_off() {
    let club = Club::new();
    let me = club.person("me").await;
    // South has all but won; the computer, North, is glad of a draw.
    let start = Some("4-0-0-0-0-1-1-2-0-0-0-0-24-16-S".to_owned());
    let game = club.hub.create(&me, &NewGame { start, ..against(3) }).await.expect("a game");
    club.act(&me, &game.id, offer(OfferKind::Draw)).await.expect("offered");
    let view = club.until(&game.id, |view| view.status == Status::Over).await;
    assert_eq!(view.state.ending.expect("over").reason, "draw_agreed");
    // And here it is the other way round.
    let start = Some("4-0-2-2-0-1-1-2-0-0-1-1-10-24-S".to_owned());
    let game = club.hub.create(&me, &NewGame { start, ..against(3) }).await.expect("a game");
    club.act(&me, &game.id, offer(OfferKind::Draw)).await.expect("offered");
    let view = club.until(&game.id, |view| view.offer.is_none()).await;
    assert_eq!(view.status, Status::Playing);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_never_comes_at_once() {
    let think_ms = (400, 2_500);
    let settings = Settings { think_ms, ..Settings::new(1) };
    let store = Arc::new(MemoryStore::new());
    let club = Club::of(store, Clock::system(), settings);
    let me = club.person("me").await;
    let game = club.hub.create(&me, &against(1)).await.expect("a game");
    let begun = Instant::now();
    club.play(&me, &game.id, "F").await.expect("legal");
    club.until(&game.id, |view| view.plies.len() == 2).await;
    assert!(begun.elapsed() >= Duration::from_millis(400), "{:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn does_not_lose_on_time() {
    let club = Club::new();
    let me = club.person("me").await;
    let time = Some(TimeControl::Clock { initial_s: 15, increment_s: 0 });
    let game = club.hub.create(&me, &NewGame { time, ..against(12) }).await.expect("a game");
    for round in 0..6 {
        let view = club.view(&game.id).await;
        let ply = u32::try_from(view.plies.len() + 1).expect("small");
        let house = view.state.legal[0].house.clone();
        club.act(&me, &game.id, play(ply, &house)).await.expect("in time");
        // The clock runs far beyond what the computer has, as on a machine with no time for it.
        club.pass(20_000);
        let view = club.until(&game.id, |view| view.plies.len() == 2 * (round + 1)).await;
        assert!(view.clock.expect("clocks").left_ms[1] > 0);
        if round == 0 {
            // From the third ply on the person's own clock runs: no more time may pass.
            break;
        }
    }
    club.pass(16_000);
    let view = club.until(&game.id, |view| view.status == Status::Over).await;
    let ending = view.state.ending.expect("over");
    assert_eq!((ending.reason.as_str(), ending.winner), ("time", Some(Side::North)));
}
