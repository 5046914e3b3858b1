//! What happens to open sockets when sessions end, and what administrators say to them.

use std::time::{Duration, Instant};

use oware_server::people;
use oware_server::wire::{ClientFrame, ServerFrame};
use serde_json::json;

use crate::support::{Client, Site};

const PASSWORD: &str = "a long password";

/// A socket of somebody with an account.
async fn member(site: &Site, name: &str) -> Client {
    let client = site.visitor().await;
    let asked = json!({"name": name, "password": PASSWORD}).to_string();
    let (status, answer) = site.request("POST", "/accounts", &client.cookie, &asked).await;
    assert_eq!(status, 201, "{answer}");
    client
}

/// A socket of another session of the same account.
async fn again(site: &Site, name: &str) -> Client {
    let player = site.app.store.player_by_name(name).await.expect("read").expect("there");
    // As signing in does, whose cookie a plain request of these tests does not show.
    let secret = oware_server::ids::secret();
    let session = oware_server::store::SessionRow {
        id: oware_server::ids::random(12),
        secret_hash: oware_server::http::secret_hash(&secret),
        player: player.id,
        agent: "another".to_owned(),
        created_at: site.app.clock.now(),
        seen_at: site.app.clock.now(),
    };
    site.app.store.create_session(&session).await.expect("made");
    site.connect(Some(&format!("oware={secret}")), None).await.expect("a socket")
}

/// Still answers.
async fn is_open(client: &mut Client) {
    client.send(&ClientFrame::Ping { n: 7 }).await;
    client.until(|frame| matches!(frame, ServerFrame::Pong { n: 7, .. }).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ended_session_loses_its_sockets_and_no_other_does() {
    let site = Site::open().await;
    let mut here = member(&site, "Ann").await;
    let (mut phone, mut tablet) = (again(&site, "Ann").await, again(&site, "Ann").await);
    let mut stranger = member(&site, "Ben").await;
    let (_, sessions) = site.request("GET", "/sessions", &phone.cookie, "").await;
    let sessions = sessions.as_array().expect("a list");
    assert_eq!(sessions.len(), 3);
    let current = sessions.iter().find(|one| one["current"] == true).expect("this one");
    let path = format!("/sessions/{}", current["id"].as_str().expect("an id"));
    let begun = Instant::now();
    let (status, _) = site.request("DELETE", &path, &here.cookie, "").await;
    assert_eq!(status, 204);
    let told = phone.until(|frame| matches!(frame, ServerFrame::Revoked {}).then_some(()));
    told.await;
    assert_eq!(phone.ended().await, Some(4001));
    // A second in everyday life; the bound is wide for machines that do much else.
    assert!(begun.elapsed() < Duration::from_secs(10));
    let (_, me) = site.request("GET", "/me", &phone.cookie, "").await;
    assert_eq!(me["player"], "");
    is_open(&mut here).await;
    is_open(&mut tablet).await;
    let change = json!({"old": PASSWORD, "new": "another password"}).to_string();
    let (status, _) = site.request("PUT", "/me/password", &here.cookie, &change).await;
    assert_eq!(status, 204);
    assert_eq!(tablet.ended().await, Some(4001));
    is_open(&mut here).await;
    let erase = json!({"password": "another password"}).to_string();
    let (status, _) = site.request("DELETE", "/me", &here.cookie, &erase).await;
    assert_eq!(status, 204);
    assert_eq!(here.ended().await, Some(4001));
    is_open(&mut stranger).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn administrators_reach_every_open_page() {
    let site = Site::open().await;
    let token = people::begin(&site.app).await.expect("read").expect("a token");
    let mut boss = member(&site, "Boss").await;
    let claim = json!({"token": token}).to_string();
    let (status, _) = site.request("POST", "/admin/claim", &boss.cookie, &claim).await;
    assert_eq!(status, 204);
    let (mut ann, mut nobody) = (member(&site, "Ann").await, site.visitor().await);
    let say = |body: serde_json::Value| body.to_string();
    let tell = say(json!({"text": "Cup on Friday"}));
    site.request("POST", "/admin/announcement", &boss.cookie, &tell).await;
    let restart = say(json!({"in_ms": 600_000}));
    site.request("POST", "/admin/restart", &boss.cookie, &restart).await;
    let now = site.app.clock.now();
    for client in [&mut boss, &mut ann, &mut nobody] {
        let mut heard = Vec::new();
        while heard.len() < 2 {
            let one = client.until(|frame| match frame {
                ServerFrame::Announcement { text, restart_at } => Some((text, restart_at)),
                _ => None,
            });
            heard.push(one.await);
        }
        let text = Some("Cup on Friday".to_owned());
        assert_eq!(heard[0], (text.clone(), None));
        assert_eq!(heard[1].0, text, "one does not take the other back");
        let at = heard[1].1.expect("a time");
        assert!((at - now - 600_000).abs() < 60_000, "{at}");
    }
    let ban = say(json!({"name": "ann"}));
    let (status, _) = site.request("POST", "/admin/bans", &boss.cookie, &ban).await;
    assert_eq!(status, 204);
    assert_eq!(ann.ended().await, Some(4001));
    is_open(&mut nobody).await;
}
