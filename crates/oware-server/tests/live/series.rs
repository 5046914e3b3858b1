//! Matches, rematches, ratings, challenges, two at one device.

use oware_server::game::Refusal;
use oware_server::live::Who;
use oware_server::store::{Relation, Store};
use oware_server::wire::{
    Action, GameView, Happening, NewGame, OfferKind, Opponent, SeatWish, Side, Status, TimeControl,
};

use crate::support::{Club, clock, offer, plain, play};

fn match_of(games: u8) -> NewGame {
    NewGame { games: Some(games), ..plain() }
}

async fn resign(club: &Club, who: &Who, game: &str) {
    club.act(who, game, Action::Resign { side: None }).await.expect("resigned");
}

/// The game that follows in the match.
async fn next(club: &Club, game: &str) -> GameView {
    let view = club.view(game).await;
    let next = view.match_.expect("a match").next.expect("it goes on");
    club.view(&next).await
}

async fn south_of(club: &Club, who: &Who, game: &str) -> bool {
    let view = club.hub.view(game, Some(&who.player)).await.expect("there");
    view.you == [Side::South]
}

#[tokio::test(flavor = "multi_thread")]
async fn starts_alternate_and_points_add_up() {
    let club = Club::new();
    let (ann, ben) = (club.account("ann").await, club.account("ben").await);
    let first = club.game(&ann, &ben, match_of(4)).await;
    assert_eq!(first.match_.as_ref().map(|of| (of.game, of.games)), Some((1, 4)));
    resign(&club, &ben, &first.id).await;
    let second = next(&club, &first.id).await;
    assert!(south_of(&club, &ben, &second.id).await, "the other begins");
    let score = second.match_.as_ref().expect("a match");
    assert_eq!((score.game, score.points), (2, [0.0, 1.0]), "ann is North now");
    // A few seeds, and a draw.
    club.act(&ben, &second.id, offer(OfferKind::Draw)).await.expect("offered");
    club.act(&ann, &second.id, Action::Accept).await.expect("agreed");
    let third = next(&club, &second.id).await;
    assert!(south_of(&club, &ann, &third.id).await);
    assert_eq!(third.match_.as_ref().expect("a match").points, [1.5, 0.5]);
    resign(&club, &ann, &third.id).await;
    let fourth = next(&club, &third.id).await;
    assert_eq!(fourth.match_.as_ref().expect("a match").points, [1.5, 1.5]);
    assert!(matches!(club.act(&ann, &third.id, Action::Rematch).await, Err(Refusal::Forbidden(_))));
    resign(&club, &ann, &fourth.id).await;
    let last = club.view(&fourth.id).await;
    assert_eq!(last.match_.expect("a match").next, None, "it was the last");
    // The rematch is another match, in which the one begins who would have been next.
    club.act(&ben, &fourth.id, Action::Rematch).await.expect("wished");
    assert_eq!(club.view(&fourth.id).await.rematch_wishes.len(), 1);
    club.act(&ann, &fourth.id, Action::Rematch).await.expect("agreed");
    let rematch = club.view(&fourth.id).await.rematch.expect("there");
    let again = club.view(&rematch).await;
    let of = again.match_.as_ref().expect("a match");
    assert_eq!((of.game, of.games, of.points), (1, 4, [0.0, 0.0]));
    assert!(south_of(&club, &ann, &rematch).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_leaves_between_two_games_strands_nobody() {
    let club = Club::new();
    let (ann, ben) = (club.person("ann").await, club.person("ben").await);
    let asked = NewGame { games: Some(2), ..clock(300, 0) };
    let first = club.game(&ann, &ben, asked).await;
    club.play_all(&first.id, [&ann, &ben], "Ff").await;
    resign(&club, &ann, &first.id).await;
    let second = next(&club, &first.id).await;
    assert!(matches!(club.act(&ben, &second.id, Action::Abort).await, Err(Refusal::Forbidden(_))));
    // Ben, South now, does not come: he has left the match.
    club.pass(61_000);
    let view = club.until(&second.id, |view| view.status == Status::Over).await;
    let ending = view.state.ending.expect("over");
    assert_eq!((ending.reason.as_str(), ending.winner), ("abandonment", Some(Side::North)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_against_the_computer_goes_on_by_itself() {
    let club = Club::new();
    let me = club.person("me").await;
    let opponent = Opponent::Computer { level: 1 };
    let asked = NewGame { opponent, games: Some(2), ..plain() };
    let first = club.hub.create(&me, &asked).await.expect("a game");
    resign(&club, &me, &first.id).await;
    let second = next(&club, &first.id).await;
    assert_eq!(second.south.kind, "computer");
    let view = club.until(&second.id, |view| view.plies.len() == 1).await;
    assert_eq!(view.state.to_move, Side::North, "the computer has begun");
    resign(&club, &me, &second.id).await;
    club.act(&me, &second.id, Action::Rematch).await.expect("the computer wants to");
    let rematch = club.view(&second.id).await.rematch.expect("there");
    assert_eq!(club.view(&rematch).await.south.kind, "person");
}

#[tokio::test(flavor = "multi_thread")]
async fn rated_games_change_ratings_once() {
    let club = Club::new();
    let (ann, ben) = (club.account("ann").await, club.account("ben").await);
    let anybody = club.person("anybody").await;
    let time = Some(TimeControl::Clock { initial_s: 180, increment_s: 2 });
    let asked = NewGame { rated: true, time, ..plain() };
    assert_eq!(club.hub.create(&anybody, &asked).await, Err(Refusal::NotSignedIn));
    let open = club.hub.create(&ann, &asked).await.expect("a game");
    assert_eq!(club.act(&anybody, &open.id, Action::Join).await, Err(Refusal::NotSignedIn));
    let mut tab = club.tab(&ann);
    club.hub.watch(&tab.line, &open.id, None).await.expect("watches");
    club.act(&ben, &open.id, Action::Join).await.expect("joined");
    let view = club.view(&open.id).await;
    assert_eq!((view.north.name.as_deref(), view.north.rating), (Some("ben"), Some(1500)));
    assert!(view.north.provisional);
    club.play_all(&open.id, [&ann, &ben], "Ff").await;
    assert!(matches!(
        club.act(&ann, &open.id, offer(OfferKind::Takeback)).await,
        Err(Refusal::Forbidden(_))
    ));
    resign(&club, &ben, &open.id).await;
    let event = tab.until(|what| matches!(what, Happening::Ended { .. })).await;
    let Happening::Ended { rating_change: Some([south, north]), .. } = event.what else {
        panic!("rated")
    };
    assert!(south > 0 && north == -south, "{south} {north}");
    // Also for who looks later, from the store alone.
    club.hub.close_line(&tab.line).await;
    club.hub.put_away();
    let view = club.view(&open.id).await;
    assert_eq!((view.south.rating, view.south.rating_change), (Some(1500), Some(south)));
    let ratings = club.store.ratings("ann", club.clock.now()).await.expect("read");
    assert_eq!((ratings.len(), ratings[0].games), (1, 1));
    // One that was called off changes nothing.
    let second = club.game(&ann, &ben, asked).await;
    club.act(&ann, &second.id, Action::Abort).await.expect("aborted");
    let ratings = club.store.ratings("ann", club.clock.now()).await.expect("read");
    assert_eq!(ratings[0].games, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_is_for_one_and_may_be_declined() {
    let club = Club::new();
    let (ann, ben) = (club.account("ann").await, club.account("ben").await);
    let eve = club.account("eve").await;
    let asked =
        |name: &str| NewGame { opponent: Opponent::Player { name: name.into() }, ..plain() };
    let wrong = club.hub.create(&ann, &asked("nobody")).await;
    assert!(matches!(wrong, Err(Refusal::Field { field: "opponent.name", .. })));
    assert!(club.hub.create(&ann, &asked("ANN")).await.is_err(), "oneself");
    let mut tab = club.tab(&ben);
    let game = club.hub.create(&ann, &asked("Ben")).await.expect("a challenge");
    let told = tab.next().await;
    assert!(
        matches!(told, oware_server::wire::ServerFrame::Turn { game: id, .. } if id == game.id)
    );
    assert!(matches!(club.act(&eve, &game.id, Action::Join).await, Err(Refusal::Forbidden(_))));
    assert_eq!(club.act(&eve, &game.id, Action::Decline).await, Err(Refusal::NotYours));
    club.act(&ben, &game.id, Action::Decline).await.expect("declined");
    assert_eq!(club.view(&game.id).await.state.ending.expect("over").reason, "aborted");
    assert_eq!(club.act(&ben, &game.id, Action::Join).await, Err(Refusal::Over));
    let game = club.hub.create(&ann, &asked("ben")).await.expect("another");
    club.act(&ben, &game.id, Action::Join).await.expect("accepted");
    // Who is blocked can neither challenge nor join.
    club.store.set_relation("ben", "eve", Relation::Blocks, true).await.expect("set");
    assert!(matches!(club.hub.create(&eve, &asked("ben")).await, Err(Refusal::Forbidden(_))));
    assert!(matches!(club.hub.create(&ben, &asked("eve")).await, Err(Refusal::Forbidden(_))));
    let open = club.hub.create(&ben, &plain()).await.expect("a game");
    assert!(matches!(club.act(&eve, &open.id, Action::Join).await, Err(Refusal::Forbidden(_))));
}

#[tokio::test]
async fn two_at_one_device_play_both_sides() {
    let club = Club::new();
    let me = club.person("me").await;
    let asked = NewGame { opponent: Opponent::SameDevice, seat: SeatWish::Random, ..plain() };
    let game = club.hub.create(&me, &asked).await.expect("a game");
    let mine = club.hub.view(&game.id, Some("me")).await.expect("there");
    assert_eq!(mine.you, [Side::South, Side::North]);
    for (ply, house) in (1..).zip(["F", "f", "E"]) {
        club.act(&me, &game.id, play(ply, house)).await.expect("legal");
    }
    club.act(&me, &game.id, offer(OfferKind::Takeback)).await.expect("they asked each other");
    assert_eq!(club.view(&game.id).await.plies.len(), 2);
    club.act(&me, &game.id, play(3, "D")).await.expect("legal");
    let by_south = Action::Offer { offer: OfferKind::Loop, side: Some(Side::South) };
    club.act(&me, &game.id, by_south).await.expect("offered");
    club.act(&me, &game.id, Action::Accept).await.expect("by the other");
    let ending = club.view(&game.id).await.state.ending.expect("over");
    assert_eq!(ending.reason, "loop_agreed");
    let again = club.hub.create(&me, &asked).await.expect("a game");
    let resigns = Action::Resign { side: Some(Side::North) };
    club.act(&me, &again.id, resigns).await.expect("resigned");
    let ending = club.view(&again.id).await.state.ending.expect("over");
    assert_eq!(ending.winner, Some(Side::South));
    club.act(&me, &again.id, Action::Rematch).await.expect("both want it");
    assert!(club.view(&again.id).await.rematch.is_some());
}

#[tokio::test]
async fn only_the_phrases_are_said_and_not_too_often() {
    let club = Club::new();
    let (ann, ben) = (club.person("ann").await, club.person("ben").await);
    let game = club.game(&ann, &ben, plain()).await;
    let say = |phrase: &str| Action::Say { phrase: phrase.into() };
    let free = club.act(&ann, &game.id, say("you fool")).await;
    assert!(matches!(free, Err(Refusal::Field { field: "phrase", .. })));
    for _ in 0..5 {
        club.act(&ann, &game.id, say("hello")).await.expect("said");
    }
    assert!(matches!(club.act(&ann, &game.id, say("hello")).await, Err(Refusal::TooMany(_))));
    club.act(&ben, &game.id, say("hello")).await.expect("the other may");
    club.pass(31_000);
    club.act(&ann, &game.id, say("thanks")).await.expect("after a while");
    let view = club.view(&game.id).await;
    assert!(matches!(&view.log.last().expect("said").what,
        Happening::Said { phrase, .. } if phrase == "thanks"));
}

#[tokio::test]
async fn nobody_opens_more_games_than_can_be_joined() {
    let club = Club::new();
    let ann = club.person("ann").await;
    for _ in 0..20 {
        club.hub.create(&ann, &plain()).await.expect("a game");
    }
    assert!(matches!(club.hub.create(&ann, &plain()).await, Err(Refusal::TooMany(_))));
}
