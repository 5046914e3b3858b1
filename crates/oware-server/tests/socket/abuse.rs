//! What a socket refuses.

use oware_server::wire::{ClientFrame, ServerFrame};
use tokio_tungstenite::tungstenite::Error;

use crate::support::Site;

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_sites_open_no_socket() {
    let site = Site::open().await;
    let own = format!("http://{}", site.address);
    let _own = site.connect(None, Some(&own)).await.expect("a page of the site");
    for other in ["http://evil.example", "null", "https://127.0.0.1:1", "http://127.0.0.1"] {
        match site.connect(None, Some(other)).await {
            Err(Error::Http(response)) => assert_eq!(response.status(), 403, "{other}"),
            other => panic!("{:?}", other.map(|client| client.cookie)),
        }
    }
    assert_eq!(site.app.hub.people(), 1, "none is left hanging");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_is_refused_and_then_ended() {
    let site = Site::open().await;
    let mut client = site.visitor().await;
    let bad = [
        "",
        "x",
        "{}",
        "[]",
        r#"{"t":"fly"}"#,
        r#"{"t":"watch"}"#,
        r#"{"t":"act","id":"a","game":"g","action":"move","ply":-1,"house":"A"}"#,
        r#"{"t":"act","id":"a","game":"g","action":"move","ply":1,"house":"A","more":1}"#,
    ];
    for text in bad {
        assert_eq!(client.act(text).await, Err("bad_json".into()), "{text}");
    }
    let act = |id: &str, game: &str| {
        format!(r#"{{"t":"act","id":"{id}","game":"{game}","action":"abort"}}"#)
    };
    assert_eq!(client.act(&act("a", "nothere0")).await, Err("not_found".into()));
    assert_eq!(client.act(&act("a", "../../etc")).await, Err("not_found".into()));
    assert_eq!(client.act(&act("", "nothere0")).await, Err("bad_field".into()));
    assert_eq!(client.act(&act(&"a".repeat(41), "nothere0")).await, Err("bad_field".into()));
    for _ in 0..120 {
        client.send_text("rubbish").await;
    }
    assert_eq!(client.ended().await, Some(1008));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_megabyte_is_too_much() {
    let site = Site::open().await;
    let mut client = site.visitor().await;
    let mut other = site.visitor().await;
    // The server may cut the line before all of it is sent.
    let text = "x".repeat(1 << 20);
    let message = tokio_tungstenite::tungstenite::Message::text(text);
    let _ = futures_util::SinkExt::send(&mut client.socket, message).await;
    client.ended().await;
    other.send(&ClientFrame::Ping { n: 7 }).await;
    other.until(|frame| matches!(frame, ServerFrame::Pong { n: 7, .. }).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_is_refused_and_spares_others() {
    let site = Site::open().await;
    let (mut client, mut other) = (site.visitor().await, site.visitor().await);
    let mut refused = 0;
    for _ in 0..150 {
        let code = client.act(r#"{"t":"act","id":"a","game":"nothere0","action":"join"}"#).await;
        refused += u32::from(code == Err("too_many".into()));
    }
    // A hundred at once, and those that come back meanwhile.
    assert!((1..=50).contains(&refused), "{refused}");
    other.send(&ClientFrame::Ping { n: 1 }).await;
    other.until(|frame| matches!(frame, ServerFrame::Pong { .. }).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_has_so_many_tabs_and_loses_them_when_it_ends() {
    let site = Site::open().await;
    let first = site.visitor().await;
    let cookie = first.cookie.clone();
    let mut tabs = vec![first];
    for _ in 1..30 {
        tabs.push(site.connect(Some(&cookie), None).await.expect("a tab"));
    }
    match site.connect(Some(&cookie), None).await {
        Err(Error::Http(response)) => assert_eq!(response.status(), 429),
        other => panic!("{:?}", other.map(|client| client.cookie)),
    }
    let secret = cookie.split_once('=').expect("a cookie").1;
    let hash = oware_server::http::secret_hash(secret);
    let session = site.app.store.session(&hash).await.expect("read").expect("a session");
    let begun = std::time::Instant::now();
    site.app.hub.revoke(&session.id);
    for tab in &mut tabs {
        assert_eq!(tab.ended().await, Some(4001));
    }
    assert!(begun.elapsed().as_secs() < 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_measures_the_line_itself() {
    let site = Site::open().await;
    let mut client = site.visitor().await;
    for n in 0.. {
        client.send(&ClientFrame::Ping { n }).await;
        let lag = client
            .until(|frame| match frame {
                ServerFrame::Pong { lag_ms, .. } => Some(lag_ms),
                _ => None,
            })
            .await;
        if lag.is_some() {
            return;
        }
        assert!(n < 300, "never measured");
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
}
