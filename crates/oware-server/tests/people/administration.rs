//! What administrators do, and nobody else can.

use axum::http::{Method, StatusCode};
use oware_server::people;
use serde_json::{Value, json};

use crate::browser::{Browser, PASSWORD, Site};

/// The first administrator.
async fn administrator(site: &Site) -> Browser {
    let token = people::begin(&site.app).await.unwrap().expect("there is none yet");
    let boss = site.member("Boss").await;
    boss.done(Method::POST, "/admin/claim", Some(json!({"token": token}))).await;
    boss
}

#[tokio::test(flavor = "multi_thread")]
async fn the_printed_token_makes_one_administrator() {
    let site = Site::new().await;
    let old = people::begin(&site.app).await.unwrap().expect("a token");
    let token = people::begin(&site.app).await.unwrap().expect("another at each start");
    assert_ne!(old, token);
    let claim = |token: &str| Some(json!({"token": token}));
    let path = "/admin/claim";
    let signed_out = (401, "not_signed_in".to_owned());
    let nobody = site.browser();
    assert_eq!(nobody.refused(Method::POST, path, claim(&token)).await, signed_out);
    nobody.offer(json!({})).await;
    assert_eq!(nobody.refused(Method::POST, path, claim(&token)).await, signed_out);
    let (ann, ben) = (site.member("Ann").await, site.member("Ben").await);
    let forbidden = (403, "forbidden".to_owned());
    for wrong in ["", "guess", &old, "used"] {
        assert_eq!(ann.refused(Method::POST, path, claim(wrong)).await, forbidden, "{wrong}");
    }
    ann.done(Method::POST, path, claim(&token)).await;
    assert_eq!(ann.read("/me").await["admin"], true);
    for again in [token.as_str(), "used"] {
        assert_eq!(ben.refused(Method::POST, path, claim(again)).await, forbidden, "{again}");
    }
    assert_eq!(people::begin(&site.app).await.unwrap(), None, "none is needed any more");
}

#[tokio::test(flavor = "multi_thread")]
async fn others_may_do_nothing_of_it() {
    let site = Site::new().await;
    administrator(&site).await;
    let (ann, nobody) = (site.member("Ann").await, site.browser());
    for (method, path, body) in [
        (Method::POST, "/admin/announcement", Some(json!({"text": "I was here"}))),
        (Method::POST, "/admin/restart", Some(json!({"in_ms": 1000}))),
        (Method::POST, "/admin/bans", Some(json!({"name": "Boss"}))),
        (Method::DELETE, "/admin/bans/Ann", None),
        (Method::GET, "/admin/reports", None),
        (Method::DELETE, "/admin/reports/x", None),
    ] {
        let refused = ann.refused(method.clone(), path, body.clone()).await;
        assert_eq!(refused, (403, "forbidden".to_owned()), "{path}");
        let refused = nobody.refused(method, path, body).await;
        assert_eq!(refused, (401, "not_signed_in".to_owned()), "{path}");
    }
    assert_eq!(ann.read("/me").await["announcement"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_reads_what_is_announced() {
    let site = Site::new().await;
    let boss = administrator(&site).await;
    let somebody = site.browser();
    let tell = |text: Value| Some(json!({"text": text}));
    boss.done(Method::POST, "/admin/announcement", tell(json!(" Cup on Friday "))).await;
    assert_eq!(somebody.read("/me").await["announcement"], "Cup on Friday");
    for wrong in ["", "  ", &"x".repeat(501)] {
        let refused = boss.refused(Method::POST, "/admin/announcement", tell(json!(wrong))).await;
        assert_eq!(refused, (422, "bad_field text".to_owned()));
    }
    boss.done(Method::POST, "/admin/announcement", tell(Value::Null)).await;
    assert_eq!(somebody.read("/me").await["announcement"], Value::Null);
    let restart = |in_ms: Value| Some(json!({"in_ms": in_ms}));
    let before = site.app.clock.now();
    boss.done(Method::POST, "/admin/restart", restart(json!(600_000))).await;
    let at = somebody.read("/me").await["restart_at"].as_i64().unwrap();
    assert!((before + 600_000..=site.app.clock.now() + 600_000).contains(&at));
    for wrong in [json!(-1), json!(86_400_001)] {
        let refused = boss.refused(Method::POST, "/admin/restart", restart(wrong)).await;
        assert_eq!(refused, (422, "bad_field in_ms".to_owned()));
    }
    boss.done(Method::POST, "/admin/restart", restart(Value::Null)).await;
    assert_eq!(somebody.read("/me").await["restart_at"], Value::Null);
    // The restart itself takes the announcement of it back.
    boss.done(Method::POST, "/admin/restart", restart(json!(1_000))).await;
    people::begin(&site.app).await.unwrap();
    assert_eq!(somebody.read("/me").await["restart_at"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_banned_is_out_everywhere() {
    let site = Site::new().await;
    let boss = administrator(&site).await;
    let ann = site.member("Ann").await;
    let ban = |name: &str| Some(json!({"name": name, "reason": "an engine"}));
    boss.done(Method::POST, "/admin/bans", ban("ann")).await;
    assert_eq!(ann.read("/me").await["player"], "");
    assert_eq!(ann.sign_in("Ann", PASSWORD).await, StatusCode::FORBIDDEN);
    let itself = boss.refused(Method::POST, "/admin/bans", ban("boss")).await;
    assert_eq!(itself, (403, "forbidden".to_owned()));
    let missing = boss.refused(Method::POST, "/admin/bans", ban("nobody")).await;
    assert_eq!(missing, (404, "not_found".to_owned()));
    boss.done(Method::DELETE, "/admin/bans/Ann", None).await;
    assert_eq!(ann.sign_in("Ann", PASSWORD).await, StatusCode::CREATED);
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_are_read_and_closed() {
    let site = Site::new().await;
    let boss = administrator(&site).await;
    let ann = site.member("Ann").await;
    site.member("Ben").await;
    assert_eq!(boss.read("/admin/reports").await, json!([]));
    ann.done(Method::POST, "/players/ben/reports", Some(json!({"reason": "rude"}))).await;
    site.browser()
        .done(Method::POST, "/players/ben/reports", Some(json!({"reason": "other"})))
        .await;
    let reports = boss.read("/admin/reports").await;
    let reports = reports.as_array().unwrap();
    let first = reports.iter().find(|one| one["by"] == "Ann").expect("the first");
    assert_eq!((&first["about"], &first["reason"]), (&json!("Ben"), &json!("rude")));
    assert!(reports.iter().any(|one| one["by"] == Value::Null), "somebody without an account");
    let path = format!("/admin/reports/{}", first["id"].as_str().unwrap());
    boss.done(Method::DELETE, &path, None).await;
    let again = boss.refused(Method::DELETE, &path, None).await;
    assert_eq!(again, (404, "not_found".to_owned()));
    assert_eq!(boss.read("/admin/reports").await.as_array().unwrap().len(), 1);
}
