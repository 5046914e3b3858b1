//! Two people at a table.

use std::sync::Arc;

use oware_server::game::Refusal;
use oware_server::wire::{Action, Happening, OfferKind, ServerFrame, Status};

use crate::support::{Club, NEARLY_WON, offer, plain, play};

#[tokio::test]
async fn the_first_who_opens_the_link_sits_down() {
    let club = Club::new();
    let (ann, ben, eve) =
        (club.person("ann").await, club.person("ben").await, club.person("eve").await);
    let game = club.hub.create(&ann, &plain()).await.expect("a game");
    assert_eq!((game.status, game.north.kind.as_str()), (Status::Waiting, "open"));
    assert_eq!(club.play(&ann, &game.id, "F").await, Err(Refusal::Waiting));
    assert!(club.act(&ann, &game.id, Action::Join).await.is_err());
    assert_eq!(club.act(&eve, &game.id, play(1, "F")).await, Err(Refusal::NotYours));
    assert_eq!(club.act(&ben, &game.id, Action::Join).await, Ok(1));
    assert_eq!(club.act(&eve, &game.id, Action::Join).await, Err(Refusal::Taken));
    // Who is in already is told so, and nothing happens again.
    assert_eq!(club.act(&ben, &game.id, Action::Join).await, Ok(1));
    assert_eq!(club.act(&ben, &game.id, play(1, "F")).await, Err(Refusal::NotYourTurn));
    assert_eq!(club.play(&ann, &game.id, "F").await, Ok(2));
    assert_eq!(club.hub.view("nothere1", None).await, Err(Refusal::NotFound));
    assert_eq!(club.hub.view("not/there", None).await, Err(Refusal::NotFound));
}

#[tokio::test]
async fn a_move_sent_again_is_done_once() {
    let club = Club::new();
    let (ann, ben) = (club.person("ann").await, club.person("ben").await);
    let game = club.game(&ann, &ben, plain()).await;
    let send = |who, id: &'static str, action| {
        let (hub, game) = (club.hub.clone(), game.id.clone());
        async move { hub.act(who, &game, Some(id), action, None).await }
    };
    assert_eq!(send(&ann, "a-1", play(1, "F")).await, Ok(2));
    assert_eq!(send(&ann, "a-1", play(1, "F")).await, Ok(2), "the same action");
    // The id of one action is not that of another, which would be taken for done.
    for other in [play(1, "D"), play(3, "F"), offer(OfferKind::Draw)] {
        let refused = send(&ann, "a-1", other).await;
        assert!(matches!(refused, Err(Refusal::Field { field: "id", .. })), "{refused:?}");
    }
    assert_eq!(send(&ann, "a-2", play(1, "F")).await, Ok(2), "the same move");
    let stale = Err(Refusal::Stale { asked: 1, next: 2 });
    assert_eq!(send(&ann, "a-3", play(1, "D")).await, stale, "another move");
    assert_eq!(send(&ben, "a-1", play(2, "f")).await, Ok(3), "somebody else's name for it");
    assert_eq!(send(&ben, "b-2", play(4, "e")).await, Err(Refusal::Stale { asked: 4, next: 3 }));
    assert!(matches!(send(&ann, "no id!", play(3, "D")).await, Err(Refusal::Field { .. })));
    assert!(matches!(send(&ann, "a-4", play(3, "Z")).await, Err(Refusal::Field { .. })));
    assert!(matches!(send(&ann, "a-5", play(3, "F")).await, Err(Refusal::Illegal(_))));
    assert_eq!(send(&ann, "a-6", play(3, "f")).await, Err(Refusal::NotYourTurn));
    let view = club.view(&game.id).await;
    assert_eq!((view.plies.len(), view.seq), (2, 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_sees_every_event_once_and_in_order() {
    let club = Club::new();
    let (ann, ben, eve) =
        (club.person("ann").await, club.person("ben").await, club.person("eve").await);
    let game = club.game(&ann, &ben, plain()).await;
    let mut tabs = [club.tab(&ann), club.tab(&ben), club.tab(&eve)];
    for tab in &tabs {
        club.hub.watch(&tab.line, &game.id, None).await.expect("watches");
    }
    club.play_all(&game.id, [&ann, &ben], "FfEeDdCc").await;
    for tab in &mut tabs {
        let ServerFrame::Snapshot { game } = tab.next().await else { panic!("a snapshot first") };
        assert_eq!((game.seq, game.you.len()), (1, usize::from(tab.line.player != "eve")));
        for seq in 2..=9 {
            let event = tab.event().await;
            assert_eq!(event.seq, seq);
            let Happening::Moved { ply, state, .. } = event.what else { panic!("a move") };
            assert_eq!(ply.ply, seq - 1);
            assert_eq!(ply.trace.houses, state.houses);
        }
    }
    // Who lost the line comes back with the last number it has.
    club.hub.close_line(&tabs[0].line).await;
    club.play_all(&game.id, [&ann, &ben], "AaB").await;
    let mut back = club.tab(&ann);
    club.hub.watch(&back.line, &game.id, Some(9)).await.expect("watches");
    for seq in 10..=12 {
        assert_eq!(back.event().await.seq, seq);
    }
    // What was never sent, or is too old, is a snapshot.
    let mut late = club.tab(&ann);
    club.hub.watch(&late.line, &game.id, Some(99)).await.expect("watches");
    assert!(matches!(late.next().await, ServerFrame::Snapshot { .. }));
    // And over requests the same is told.
    let told = club.hub.events(&game.id, 9).await.expect("events");
    assert_eq!(told.iter().map(|event| event.seq).collect::<Vec<_>>(), [10, 11, 12]);
}

#[tokio::test]
async fn offers_are_answered_or_lapse() {
    let club = Club::new();
    let (ann, ben) = (club.person("ann").await, club.person("ben").await);
    let game = club.game(&ann, &ben, plain()).await;
    let draw = || offer(OfferKind::Draw);
    assert_eq!(club.act(&ann, &game.id, Action::Accept).await, Err(Refusal::NoOffer));
    club.act(&ann, &game.id, draw()).await.expect("offered");
    assert_eq!(club.act(&ann, &game.id, Action::Accept).await, Err(Refusal::NoOffer));
    assert!(club.act(&ben, &game.id, offer(OfferKind::Loop)).await.is_err(), "one at a time");
    club.act(&ben, &game.id, Action::Decline).await.expect("declined");
    assert!(matches!(club.act(&ann, &game.id, draw()).await, Err(Refusal::TooMany(_))));
    // It stands while the one who made it moves, and lapses when the other does.
    club.play(&ann, &game.id, "F").await.expect("legal");
    club.act(&ann, &game.id, draw()).await.expect("offered after a move");
    club.play(&ben, &game.id, "f").await.expect("legal");
    assert_eq!(club.view(&game.id).await.offer, None);
    // To take back: the last move of whoever asks, and what followed.
    club.act(&ann, &game.id, offer(OfferKind::Takeback)).await.expect("asked");
    club.act(&ben, &game.id, Action::Accept).await.expect("granted");
    let view = club.view(&game.id).await;
    assert_eq!(view.plies.len(), 0);
    club.play(&ann, &game.id, "E").await.expect("legal");
    // Both offer the same: agreed.
    club.act(&ben, &game.id, draw()).await.expect("offered");
    club.act(&ann, &game.id, draw()).await.expect("agreed");
    let ending = club.view(&game.id).await.state.ending.expect("over");
    assert_eq!((ending.reason.as_str(), ending.winner), ("draw_agreed", None));
    assert_eq!(club.play(&ben, &game.id, "f").await, Err(Refusal::Over));
}

#[tokio::test]
async fn games_end_by_the_rules_and_by_people() {
    let club = Club::new();
    let (ann, ben) = (club.person("ann").await, club.person("ben").await);
    let near = || oware_server::wire::NewGame { start: Some(NEARLY_WON.into()), ..plain() };
    let game = club.game(&ann, &ben, near()).await;
    club.play(&ann, &game.id, "F").await.expect("legal");
    let view = club.view(&game.id).await;
    let ending = view.state.ending.clone().expect("over");
    assert_eq!((ending.reason.as_str(), view.status), ("majority", Status::Over));
    assert!(matches!(view.log.last().expect("logged").what, Happening::Ended { .. }));

    let game = club.game(&ann, &ben, near()).await;
    club.act(&ben, &game.id, Action::Resign { side: None }).await.expect("resigned");
    let ending = club.view(&game.id).await.state.ending.expect("over");
    assert_eq!(ending.reason, "resignation");
    assert_eq!(ending.winner, Some(oware_server::wire::Side::South));

    let game = club.game(&ann, &ben, plain()).await;
    club.act(&ben, &game.id, Action::Abort).await.expect("not begun");
    assert_eq!(club.view(&game.id).await.state.ending.expect("over").reason, "aborted");
    let game = club.game(&ann, &ben, plain()).await;
    club.play_all(&game.id, [&ann, &ben], "Ff").await;
    assert!(matches!(club.act(&ann, &game.id, Action::Abort).await, Err(Refusal::Forbidden(_))));
}

#[tokio::test]
async fn what_cannot_be_written_has_not_happened() {
    let club = Club::new();
    let (ann, ben) = (club.person("ann").await, club.person("ben").await);
    let game = club.game(&ann, &ben, plain()).await;
    let mut tab = club.tab(&ben);
    club.hub.watch(&tab.line, &game.id, Some(1)).await.expect("watches");
    club.store.break_writes(true);
    let send = || club.hub.act(&ann, &game.id, Some("m1"), play(1, "F"), None);
    assert_eq!(send().await, Err(Refusal::Internal));
    assert_eq!(club.view(&game.id).await.plies.len(), 0);
    assert_eq!(club.hub.create(&ann, &plain()).await, Err(Refusal::Internal));
    club.store.break_writes(false);
    assert_eq!(send().await, Ok(2), "the same again, and it works");
    assert_eq!(tab.event().await.seq, 2, "nobody has seen the first try");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_moves_at_once_are_one() {
    let club = Arc::new(Club::new());
    let (ann, ben) = (club.person("ann").await, club.person("ben").await);
    let game = club.game(&ann, &ben, plain()).await;
    let both: Vec<_> = ["B", "C", "B", "C", "D", "B"]
        .map(|house| {
            let (club, ann, id) = (Arc::clone(&club), ann.clone(), game.id.clone());
            tokio::spawn(async move { club.act(&ann, &id, play(1, house)).await })
        })
        .into_iter()
        .collect();
    let mut done = Vec::new();
    for one in both {
        done.push(one.await.expect("no panic"));
    }
    let view = club.view(&game.id).await;
    assert_eq!(view.plies.len(), 1);
    let played = &view.plies[0].trace.house;
    let accepted = done.iter().filter(|one| one.is_ok()).count();
    let same = ["B", "C", "B", "C", "D", "B"].iter().filter(|house| *house == played).count();
    assert_eq!(accepted, same, "{done:?}");
}
