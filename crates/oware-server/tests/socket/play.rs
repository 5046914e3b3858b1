//! Playing over the socket, and over requests.

use oware_server::wire::{Happening, ServerFrame};
use serde_json::json;

use crate::support::{Client, Site};

async fn new_game(site: &Site, client: &Client, body: &str) -> String {
    let (status, game) = site.request("POST", "/games", &client.cookie, body).await;
    assert_eq!(status, 201, "{game}");
    game["id"].as_str().expect("an id").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_play_and_a_third_watches() {
    let site = Site::open().await;
    let (mut ann, mut ben) = (site.visitor().await, site.visitor().await);
    let mut eve = site.visitor().await;
    assert!(matches!(ann.next().await, Ok(ServerFrame::Hello { .. })), "hello comes first");
    let link = r#"{"opponent":{"kind":"link"},"seat":"south",
        "time":{"kind":"clock","initial_s":300,"increment_s":3}}"#;
    let id = new_game(&site, &ann, link).await;
    for client in [&mut ann, &mut ben, &mut eve] {
        client.send_text(&format!(r#"{{"t":"watch","game":"{id}"}}"#)).await;
        client.until(|frame| matches!(frame, ServerFrame::Snapshot { .. }).then_some(())).await;
    }
    let act =
        |name: &str, rest: &str| format!(r#"{{"t":"act","id":"{name}","game":"{id}",{rest}}}"#);
    let house = |ply: u32, house: &str| {
        act(&format!("m{ply}"), &format!(r#""action":"move","ply":{ply},"house":"{house}""#))
    };
    assert_eq!(eve.act(&house(1, "A")).await, Err("not_yours".into()));
    assert_eq!(ben.act(&act("j", r#""action":"join""#)).await, Ok(1));
    assert_eq!(ben.act(&house(1, "A")).await, Err("not_your_turn".into()));
    for (ply, name) in (1..).zip(["F", "f", "E", "e"]) {
        let mover = if ply % 2 == 1 { &mut ann } else { &mut ben };
        assert_eq!(mover.act(&house(ply, name)).await, Ok(ply + 1));
        assert_eq!(mover.act(&house(ply, name)).await, Ok(ply + 1), "once more");
    }
    assert_eq!(ben.act(&act("x", r#""action":"resign""#)).await, Ok(6));
    let mut seqs = Vec::new();
    loop {
        let (seq, over) = eve
            .until(|frame| match frame {
                ServerFrame::Event { event, .. } => {
                    Some((event.seq, matches!(event.what, Happening::Ended { .. })))
                }
                _ => None,
            })
            .await;
        seqs.push(seq);
        if over {
            break;
        }
    }
    assert_eq!(seqs, [1, 2, 3, 4, 5, 6]);
    let (_, view) = site.request("GET", &format!("/games/{id}"), &ben.cookie, "").await;
    assert_eq!(view["you"], json!(["north"]));
    assert_eq!(view["state"]["ending"]["reason"], "resignation");
    assert_eq!(view["clock"]["running"], json!(null));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_with_the_computer_needs_no_socket() {
    let site = Site::open().await;
    let client = site.visitor().await;
    let body = r#"{"opponent":{"kind":"computer","level":2},"seat":"south"}"#;
    let id = new_game(&site, &client, body).await;
    let actions = format!("/games/{id}/actions");
    let body = r#"{"id":"one","action":"move","ply":1,"house":"F"}"#;
    let (status, answer) = site.request("POST", &actions, &client.cookie, body).await;
    assert_eq!((status, &answer["seq"]), (200, &json!(1)), "{answer}");
    let (status, answer) = site.request("POST", &actions, &client.cookie, body).await;
    assert_eq!((status, &answer["seq"]), (200, &json!(1)), "{answer}");
    let path = format!("/games/{id}/events?after=1");
    let answered = loop {
        let (_, events) = site.request("GET", &path, &client.cookie, "").await;
        if let Some(event) = events.as_array().and_then(|events| events.first()) {
            break event.clone();
        }
    };
    assert_eq!((answered["kind"].as_str(), &answered["seq"]), (Some("moved"), &json!(2)));
    let (_, list) = site.request("GET", "/games", &client.cookie, "").await;
    assert_eq!(list[0]["id"], json!(id));
    assert_eq!(list[0]["north"]["level"], 2);
    let (status, record) = site.raw("GET", &format!("/games/{id}/record"), "", "").await;
    assert_eq!(status, 200);
    assert!(record.contains("[North \"Computer (level 2)\"]"), "{record}");
    assert!(oware_notation::ogn::parse(&record).is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_of_requests_name_the_field() {
    let site = Site::open().await;
    let client = site.visitor().await;
    let cases = [
        (r#"{"opponent":{"kind":"computer","level":77}}"#, 422, "opponent.level"),
        (r#"{"opponent":{"kind":"link"},"games":3}"#, 422, "games"),
        (r#"{"opponent":{"kind":"link"},"rules":"kalah"}"#, 422, "rules"),
        (r#"{"opponent":{"kind":"player","name":"Nobody"}}"#, 422, "opponent.name"),
        (r#"{"seat":"south"}"#, 422, "opponent"),
    ];
    for (body, status, field) in cases {
        let (got, fault) = site.request("POST", "/games", &client.cookie, body).await;
        assert_eq!((got, fault["field"].as_str()), (status, Some(field)), "{body}: {fault}");
    }
    let rated = r#"{"opponent":{"kind":"link"},"rated":true,"time":{"kind":"days","days":2}}"#;
    let (status, fault) = site.request("POST", "/games", &client.cookie, rated).await;
    assert_eq!((status, fault["code"].as_str()), (401, Some("not_signed_in")));
    for path in ["/games/nothere0", "/games/nothere0/events", "/games/nothere0/record"] {
        let (status, fault) = site.request("GET", path, &client.cookie, "").await;
        assert_eq!((status, fault["code"].as_str()), (404, Some("not_found")), "{path}");
    }
    let (status, _) = site.request("GET", "/games?limit=0", &client.cookie, "").await;
    assert_eq!(status, 422);
    let (status, _) = site.request("GET", "/games?player=Nobody", &client.cookie, "").await;
    assert_eq!(status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lobby_shows_who_waits() {
    let site = Site::open().await;
    let (ann, mut ben) = (site.visitor().await, site.visitor().await);
    ben.send_text(r#"{"t":"lobby","on":true}"#).await;
    let seeks = |frame| match frame {
        ServerFrame::Lobby { seeks, .. } => Some(seeks),
        _ => None,
    };
    assert_eq!(ben.until(seeks).await.len(), 0);
    let id = new_game(&site, &ann, r#"{"opponent":{"kind":"anybody"}}"#).await;
    let open = loop {
        let open = ben.until(seeks).await;
        if !open.is_empty() {
            break open;
        }
    };
    assert_eq!(open[0].id, id);
    let join = format!(r#"{{"t":"act","id":"j","game":"{id}","action":"join"}}"#);
    assert_eq!(ben.act(&join).await, Ok(1));
    loop {
        if ben.until(seeks).await.is_empty() {
            break;
        }
    }
    // A quick game whose creator has left is nobody's to join.
    let id = new_game(&site, &ann, r#"{"opponent":{"kind":"anybody"}}"#).await;
    loop {
        if ben.until(seeks).await.iter().any(|seek| seek.id == id) {
            break;
        }
    }
    drop(ann);
    loop {
        if ben.until(seeks).await.is_empty() {
            break;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_is_told_and_waits_for_nobody() {
    let site = Site::open().await;
    let (mut ann, mut ben) = (site.visitor().await, site.visitor().await);
    let id = new_game(&site, &ann, r#"{"opponent":{"kind":"same_device"}}"#).await;
    let begun = std::time::Instant::now();
    site.stop.cancel();
    site.app.hub.shut_down().await;
    assert!(begun.elapsed().as_secs() < 5);
    for client in [&mut ann, &mut ben] {
        let mut told = false;
        let code = loop {
            match client.next().await {
                Ok(frame) => told |= matches!(frame, ServerFrame::Restarting {}),
                Err(code) => break code,
            }
        };
        assert_eq!((told, code), (true, Some(1012)));
    }
    assert!(site.app.store.game(&id).await.expect("read").is_some());
}
