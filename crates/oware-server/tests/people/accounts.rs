//! Signing up, in and out; passwords; deletion; data.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::browser::{PASSWORD, Site};

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_made_by_looking() {
    let site = Site::new().await;
    let browser = site.browser();
    let me = browser.read("/me").await;
    assert_eq!(me["player"], "");
    assert_eq!(me["name"], Value::Null);
    assert_eq!(browser.read("/sessions").await, json!([]));
    assert_eq!(browser.read("/me/relations").await, json!([]));
    let signed_out = (401, "not_signed_in".to_owned());
    assert_eq!(browser.refused(Method::GET, "/me/data", None).await, signed_out);
    assert_eq!(browser.cookie(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_keeps_the_games_of_before() {
    let site = Site::new().await;
    let browser = site.browser();
    let computer = json!({"opponent": {"kind": "computer", "level": 1}, "seat": "south"});
    let (status, game) = browser.post("/games", computer).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    let before = browser.read("/me").await["player"].clone();
    let asked = json!({"name": "Ann", "password": PASSWORD});
    let (status, me) = browser.post("/accounts", asked).await;
    assert_eq!(status, StatusCode::CREATED, "{me}");
    assert_eq!((&me["name"], &me["player"], &me["admin"]), (&json!("Ann"), &before, &json!(false)));
    let games = browser.read("/games?player=ann").await;
    assert_eq!(games[0]["id"], game["id"]);
    // From another browser, whatever the case of the name.
    let other = site.browser();
    assert_eq!(other.sign_in("aNN", PASSWORD).await, StatusCode::CREATED);
    assert_eq!(other.read("/me").await["player"], before);
    assert_eq!(other.read("/games").await[0]["id"], game["id"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn says_what_is_wrong_with_a_new_account() {
    let site = Site::new().await;
    site.member("Ann").await;
    let browser = site.browser();
    let name = "bad_field name";
    let password = "bad_field password";
    for (asked, expected) in [
        (json!({"name": "x", "password": PASSWORD}), name),
        (json!({"name": "two words", "password": PASSWORD}), name),
        (json!({"name": "admin", "password": PASSWORD}), name),
        (json!({"name": "Ben", "password": "short"}), password),
        (json!({"name": "Benjamin", "password": "benjamin"}), password),
        (json!({"name": "Ben", "password": "x".repeat(201)}), password),
        (json!({"name": "Ben"}), password),
        (json!({"name": 5, "password": PASSWORD}), name),
        (json!({"name": "Ben", "password": PASSWORD, "admin": true}), "bad_field admin"),
        (json!({"name": "ANN", "password": PASSWORD}), "taken"),
    ] {
        let (_, fault) = browser.refused(Method::POST, "/accounts", Some(asked.clone())).await;
        assert_eq!(fault, expected, "{asked}");
    }
    assert_eq!(browser.read("/me").await["name"], Value::Null);
    let again = json!({"name": "Other", "password": PASSWORD});
    let ann = site.browser();
    ann.sign_in("Ann", PASSWORD).await;
    let refused = ann.refused(Method::POST, "/accounts", Some(again)).await;
    assert_eq!(refused, (409, "taken".to_owned()), "one account each");
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_in_takes_the_password_and_changes_the_session() {
    let site = Site::new().await;
    site.member("Ann").await;
    let browser = site.browser();
    let wrong = (403, "wrong_password".to_owned());
    for (name, password) in [
        ("Ann", "another password"),
        ("Nobody", PASSWORD),
        ("", ""),
        ("a\u{0}b", PASSWORD),
        ("' OR 1=1 --", "x"),
    ] {
        let asked = json!({"name": name, "password": password});
        assert_eq!(browser.refused(Method::POST, "/sessions", Some(asked)).await, wrong, "{name}");
    }
    browser.offer(json!({})).await;
    let before = browser.copy();
    assert_eq!(browser.sign_in("Ann", PASSWORD).await, StatusCode::CREATED);
    assert_eq!(browser.read("/me").await["name"], "Ann");
    assert_ne!(browser.cookie(), before.cookie());
    // The session of before is over: whoever got hold of it has nothing.
    assert_eq!(before.read("/me").await["player"], "");
}

#[tokio::test(flavor = "multi_thread")]
async fn attempts_are_counted_by_name() {
    let site = Site::new().await;
    site.member("Ann").await;
    let thief = site.browser();
    let mut refused = 0;
    for _ in 0..14 {
        refused += u32::from(thief.sign_in("Ann", "guess").await == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refused >= 2, "{refused}");
    // Another name is not choked by it.
    assert_eq!(thief.sign_in("Ben", "guess").await, StatusCode::FORBIDDEN);
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_listed_and_ended() {
    let site = Site::new().await;
    let ann = site.member("Ann").await;
    let (phone, tablet) = (site.browser(), site.browser());
    for browser in [&phone, &tablet] {
        assert_eq!(browser.sign_in("Ann", PASSWORD).await, StatusCode::CREATED);
    }
    let sessions = ann.read("/sessions").await;
    let sessions = sessions.as_array().unwrap();
    assert_eq!(sessions.len(), 3);
    assert!(sessions.iter().all(|one| one["agent"] == "A browser of the test"));
    let current: Vec<_> = sessions.iter().filter(|one| one["current"] == true).collect();
    assert_eq!(current.len(), 1);
    let of_phone = phone.read("/sessions").await;
    let of_phone = of_phone.as_array().unwrap();
    let of_phone = of_phone.iter().find(|one| one["current"] == true).unwrap();
    let path = format!("/sessions/{}", of_phone["id"].as_str().unwrap());
    let missing = (404, "not_found".to_owned());
    let stranger = site.member("Ben").await;
    assert_eq!(stranger.refused(Method::DELETE, &path, None).await, missing, "not theirs");
    assert_eq!(site.browser().refused(Method::DELETE, &path, None).await, missing);
    ann.done(Method::DELETE, &path, None).await;
    assert_eq!(ann.refused(Method::DELETE, &path, None).await, missing, "ended already");
    assert_eq!(phone.read("/me").await["player"], "");
    assert_eq!(tablet.read("/me").await["name"], "Ann");
    ann.done(Method::DELETE, "/sessions", None).await;
    assert_eq!(tablet.read("/me").await["player"], "");
    // Signing out is ending one's own; the cookie goes, too.
    let own = ann.read("/sessions").await[0]["id"].as_str().unwrap().to_owned();
    ann.done(Method::DELETE, &format!("/sessions/{own}"), None).await;
    assert_eq!(ann.cookie(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_ends_other_sessions() {
    let site = Site::new().await;
    let ann = site.member("Ann").await;
    let other = site.browser();
    other.sign_in("Ann", PASSWORD).await;
    let change = |old: &str, new: &str| Some(json!({"old": old, "new": new}));
    let path = "/me/password";
    let wrong = ann.refused(Method::PUT, path, change("guess", "another one")).await;
    assert_eq!(wrong, (403, "wrong_password".to_owned()));
    let short = ann.refused(Method::PUT, path, change(PASSWORD, "short")).await;
    assert_eq!(short, (422, "bad_field new".to_owned()));
    let nobody = site.browser().refused(Method::PUT, path, change("a", "another one")).await;
    assert_eq!(nobody, (401, "not_signed_in".to_owned()));
    assert_eq!(other.read("/me").await["name"], "Ann");
    ann.done(Method::PUT, path, change(PASSWORD, "another one")).await;
    assert_eq!(ann.read("/me").await["name"], "Ann");
    assert_eq!(other.read("/me").await["player"], "");
    assert_eq!(other.sign_in("Ann", PASSWORD).await, StatusCode::FORBIDDEN);
    assert_eq!(other.sign_in("Ann", "another one").await, StatusCode::CREATED);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_language_is_kept() {
    let site = Site::new().await;
    let ann = site.member("Ann").await;
    let wrong = ann.refused(Method::PUT, "/me/language", Some(json!({"language": "tlh"}))).await;
    assert_eq!(wrong, (422, "bad_field language".to_owned()));
    ann.done(Method::PUT, "/me/language", Some(json!({"language": "ja"}))).await;
    assert_eq!(ann.read("/me").await["language"], "ja");
}

/// Two play; one deletes the account in the middle of another game.
#[tokio::test(flavor = "multi_thread")]
async fn deletion_leaves_the_games_to_the_other() {
    let site = Site::new().await;
    let (ann, ben) = (site.member("Ann").await, site.member("Ben").await);
    let over = ann.offer(json!({})).await;
    ben.acts(&over, json!({"action": "join"})).await;
    for (browser, house, ply) in [(&ann, "C", 1), (&ben, "c", 2)] {
        browser.acts(&over, json!({"action": "move", "house": house, "ply": ply})).await;
    }
    ben.acts(&over, json!({"action": "resign"})).await;
    let open = ann.offer(json!({})).await;
    ben.acts(&open, json!({"action": "join"})).await;
    for (browser, house, ply) in [(&ann, "C", 1), (&ben, "c", 2)] {
        browser.acts(&open, json!({"action": "move", "house": house, "ply": ply})).await;
    }
    let waiting = ann.offer(json!({})).await;
    let erase = |password: &str| Some(json!({"password": password}));
    let wrong = ann.refused(Method::DELETE, "/me", erase("guess")).await;
    assert_eq!(wrong, (403, "wrong_password".to_owned()));
    let nobody = site.browser().refused(Method::DELETE, "/me", erase(PASSWORD)).await;
    assert_eq!(nobody, (401, "not_signed_in".to_owned()));
    let thief = ann.copy();
    ann.done(Method::DELETE, "/me", erase(PASSWORD)).await;
    assert_eq!(ann.cookie(), None);
    assert_eq!(thief.read("/me").await["player"], "");
    assert_eq!(ben.get("/players/Ann").await.0, StatusCode::NOT_FOUND);
    assert_eq!(site.browser().sign_in("Ann", PASSWORD).await, StatusCode::FORBIDDEN);
    let left = ben.read(&format!("/games/{over}")).await;
    assert_eq!((&left["south"]["name"], &left["north"]["name"]), (&Value::Null, &json!("Ben")));
    assert_eq!(left["plies"].as_array().unwrap().len(), 2);
    let left = ben.read(&format!("/games/{open}")).await;
    assert_eq!(left["status"], "over");
    assert_eq!(left["state"]["ending"]["winner"], "north", "the one who stays wins");
    assert_eq!(ben.read(&format!("/games/{waiting}")).await["status"], "over");
    assert_eq!(ben.read("/players/Ben").await["results"], json!([1, 0, 1]));
    // The name is free again, for somebody new.
    let new = site.member("Ann").await;
    assert_eq!(new.read("/games").await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn all_data_are_given_in_one_document() {
    let site = Site::new().await;
    let (ann, ben) = (site.member("Ann").await, site.member("Ben").await);
    for _ in 0..3 {
        let game = ann.offer(json!({})).await;
        ben.acts(&game, json!({"action": "join"})).await;
        ann.acts(&game, json!({"action": "move", "house": "C", "ply": 1})).await;
    }
    ann.done(Method::PUT, "/players/ben/mute", Some(json!({}))).await;
    let data = ann.read("/me/data").await;
    assert_eq!((&data["name"], &data["language"]), (&json!("Ann"), &Value::Null));
    assert_eq!(data["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(data["relations"], json!([{"name": "Ben", "blocked": false, "muted": true}]));
    let games = data["games"].as_array().unwrap();
    assert_eq!(games.len(), 3);
    for game in games {
        assert_eq!((&game["south"], &game["north"]), (&json!("you"), &json!("somebody else")));
        let events = game["events"].as_array().unwrap();
        assert!(events.len() >= 2, "{events:?}");
        assert!(events.iter().zip(1..).all(|(event, seq)| event["seq"] == seq));
    }
    let text = data.to_string();
    assert!(!text.contains("argon2"), "no hash leaves the site");
    let cookie = ann.cookie().unwrap();
    assert!(!text.contains(cookie.split_once('=').unwrap().1));
}
