//! Profiles, ratings, blocks, mutes, reports.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::browser::{Browser, Site};

/// A rated game that `loser` resigns after two moves; its id.
async fn rated(winner: &Browser, loser: &Browser) -> String {
    let time = json!({"kind": "clock", "initial_s": 600, "increment_s": 5});
    let game = winner.offer(json!({"time": time, "rated": true})).await;
    loser.acts(&game, json!({"action": "join"})).await;
    for (browser, house, ply) in [(winner, "C", 1), (loser, "c", 2)] {
        browser.acts(&game, json!({"action": "move", "house": house, "ply": ply})).await;
    }
    loser.acts(&game, json!({"action": "resign"})).await;
    game
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_shows_ratings_and_results() {
    let site = Site::new().await;
    let (ann, ben) = (site.member("Ann").await, site.member("Ben").await);
    let games = [rated(&ann, &ben).await, rated(&ann, &ben).await];
    let looker = site.browser();
    let profile = looker.read("/players/aNN").await;
    assert_eq!(profile["name"], "Ann");
    assert_eq!(profile["results"], json!([2, 0, 0]));
    let rating = &profile["ratings"][0];
    assert_eq!((&rating["pace"], &rating["games"]), (&json!("rapid"), &json!(2)));
    assert!(rating["rating"].as_f64().unwrap() > 1600.0);
    assert_eq!(rating["provisional"], true);
    assert_eq!(looker.read("/players/Ben").await["results"], json!([0, 0, 2]));
    let history = looker.read("/players/Ann/ratings?pace=rapid").await;
    let steps = history.as_array().unwrap();
    assert_eq!(steps.len(), 2);
    assert_eq!((&steps[0]["game"], &steps[1]["game"]), (&json!(games[0]), &json!(games[1])));
    assert_eq!(steps[1]["rating"], rating["rating"]);
    assert_eq!(looker.read("/players/Ann/ratings?pace=blitz").await, json!([]));
    let pace = looker.refused(Method::GET, "/players/Ann/ratings?pace=fast", None).await;
    assert_eq!(pace, (422, "bad_field pace".to_owned()));
    assert_eq!(looker.read("/leaders?pace=rapid").await, json!([]), "both are provisional");
    let limit = looker.refused(Method::GET, "/leaders?pace=rapid&limit=101", None).await;
    assert_eq!(limit, (422, "bad_field limit".to_owned()));
    let found = looker.read("/games?player=ann&opponent=ben&rated=true").await;
    assert_eq!(found.as_array().unwrap().len(), 2);
    for name in ["Nobody", "%00", "a%2Fb", "%E3%81%82"] {
        let path = format!("/players/{name}");
        assert_eq!(looker.get(&path).await.0, StatusCode::NOT_FOUND, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_blocked_cannot_play_with_one() {
    let site = Site::new().await;
    let (ann, ben) = (site.member("Ann").await, site.member("Ben").await);
    ann.done(Method::PUT, "/players/ben/block", Some(json!({}))).await;
    assert_eq!(ann.read("/players/Ben").await["blocked"], true);
    assert_eq!(ben.read("/players/Ann").await["blocked"], false, "the other is not told");
    let asked = json!({"opponent": {"kind": "player", "name": "Ann"}});
    let (_, fault) = ben.refused(Method::POST, "/games", Some(asked.clone())).await;
    assert_eq!(fault, "forbidden");
    let game = ann.offer(json!({})).await;
    let (status, _) = ben.act(&game, json!({"action": "join"})).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    ann.done(Method::DELETE, "/players/ben/block", None).await;
    ben.acts(&game, json!({"action": "join"})).await;
    assert_eq!(ben.post("/games", asked).await.0, StatusCode::CREATED);
}

#[tokio::test(flavor = "multi_thread")]
async fn mutes_and_blocks_are_listed() {
    let site = Site::new().await;
    let ann = site.member("Ann").await;
    site.member("Ben").await;
    site.member("Cyd").await.cookie().unwrap();
    for path in ["/players/ben/block", "/players/ben/mute", "/players/cyd/mute"] {
        ann.done(Method::PUT, path, Some(json!({}))).await;
    }
    let relations = json!([
        {"name": "Ben", "blocked": true, "muted": true},
        {"name": "Cyd", "blocked": false, "muted": true},
    ]);
    assert_eq!(ann.read("/me/relations").await, relations);
    ann.done(Method::DELETE, "/players/ben/mute", None).await;
    let profile = ann.read("/players/Ben").await;
    assert_eq!((&profile["blocked"], &profile["muted"]), (&json!(true), &json!(false)));
    let own = ann.refused(Method::PUT, "/players/ann/block", Some(json!({}))).await;
    assert_eq!(own, (403, "forbidden".to_owned()));
    let missing = ann.refused(Method::PUT, "/players/nobody/mute", Some(json!({}))).await;
    assert_eq!(missing, (404, "not_found".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_name_a_reason_and_a_game_of_the_reported() {
    let site = Site::new().await;
    let (ann, ben) = (site.member("Ann").await, site.member("Ben").await);
    let game = ann.offer(json!({})).await;
    let path = "/players/ben/reports";
    let refused = async |body: Value| ann.refused(Method::POST, path, Some(body)).await.1;
    assert_eq!(refused(json!({"reason": "ugly"})).await, "bad_field reason");
    assert_eq!(refused(json!({})).await, "bad_field reason");
    assert_eq!(refused(json!({"reason": "rude", "game": game})).await, "bad_field game");
    assert_eq!(refused(json!({"reason": "rude", "game": "none"})).await, "bad_field game");
    ben.acts(&game, json!({"action": "join"})).await;
    ann.done(Method::POST, path, Some(json!({"reason": "rude", "game": game}))).await;
    for _ in 1..10 {
        ann.done(Method::POST, path, Some(json!({"reason": "other"}))).await;
    }
    assert_eq!(refused(json!({"reason": "rude"})).await, "too_many");
    // Tomorrow is another day.
    site.app.clock.advance(25 * 3600 * 1_000);
    ann.done(Method::POST, path, Some(json!({"reason": "unfair"}))).await;
}
