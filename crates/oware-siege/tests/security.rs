//! People who do not keep to the rules of the wire, over real sockets.

#![allow(clippy::print_stderr, reason = "a test says its seed and what happened")]

mod common;

use std::net::IpAddr;
use std::time::Duration;

use common::{seed, site};
use futures_util::{SinkExt, StreamExt};
use oware_server::wire::{ClientFrame, GameView, ServerFrame, SessionView, Side};
use oware_siege::http::{Answer, Visitor, connect, exchange};
use oware_siege::line::{Socket, open};
use oware_siege::player::sit_down;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// Longer than anything should take.
const SOON: Duration = Duration::from_secs(20);

async fn send(socket: &mut Socket, value: &Value) {
    socket.send(Message::text(value.to_string())).await.unwrap();
}

/// The next frame but those about presence; none when the line has ended.
async fn frame(socket: &mut Socket) -> Option<ServerFrame> {
    loop {
        match timeout(SOON, socket.next()).await.expect("an answer") {
            Some(Ok(Message::Text(text))) => match serde_json::from_str(&text).unwrap() {
                ServerFrame::Hello { .. }
                | ServerFrame::Presence { .. }
                | ServerFrame::Turn { .. } => {}
                frame => return Some(frame),
            },
            Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
            Some(Ok(_)) => {}
        }
    }
}

/// The code of a refusal, which must be what comes next.
async fn refusal(socket: &mut Socket) -> String {
    match frame(socket).await {
        Some(ServerFrame::Refused { fault, .. }) => fault.code,
        other => panic!("{other:?}"),
    }
}

async fn is_well(visitor: &Visitor) {
    let answer = visitor.clone().get("/healthz").await.unwrap();
    assert_eq!((answer.status, answer.text().trim()), (200, "ok"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_sites_may_neither_post_nor_open_sockets() {
    let folder = tempfile::tempdir().unwrap();
    let site = site(folder.path());
    let mut victim = Visitor::new(site.address);
    let asked = json!({ "opponent": { "kind": "link" } });
    let game: GameView = victim.post("/api/v1/games", &asked).await.unwrap().json().unwrap();
    let body = json!({ "action": "abort" }).to_string();
    let act = format!("/api/v1/games/{}/actions", game.id);
    let own = format!("http://{}", site.address);
    let others = ["https://evil.example", "null", "http://127.0.0.1", "", "http://127.0.0.1:1"];
    for origin in others {
        for (method, path) in
            [("POST", act.as_str()), ("PUT", "/api/v1/me/language"), ("DELETE", "/api/v1/me")]
        {
            let headers = [("Origin", origin)];
            let answer = victim.request(method, path, &headers, Some(&body)).await.unwrap();
            assert_eq!(answer.status, 403, "{origin:?} {method}: {}", answer.text());
            assert_eq!(answer.header("set-cookie"), None);
        }
        let mut request =
            format!("ws://{}/api/v1/socket", site.address).into_client_request().unwrap();
        request.headers_mut().insert("origin", origin.parse().unwrap());
        request.headers_mut().insert("cookie", victim.cookie.clone().unwrap().parse().unwrap());
        let stream = connect(None, site.address).await.unwrap();
        let refused = tokio_tungstenite::client_async(request, stream).await.unwrap_err();
        assert!(refused.to_string().contains("403"), "{origin:?}: {refused}");
    }
    // A form of another page cannot send JSON, whatever it claims.
    let raw = format!(
        "POST {act} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nCookie: {}\r\n\
         Content-Type: text/plain\r\nContent-Length: {}\r\n\r\n{body}",
        site.address,
        victim.cookie.clone().unwrap(),
        body.len()
    );
    let answer = Answer::read(&exchange(None, site.address, raw.as_bytes()).await.unwrap());
    assert_eq!(answer.unwrap().status, 415);
    // The game is as it was; its own page may.
    let answer = victim.request("POST", &act, &[("Origin", &own)], Some(&body)).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.text());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_moves_for_somebody_else() {
    let folder = tempfile::tempdir().unwrap();
    let site = site(folder.path());
    let [mut south, mut north, mut third] = [0; 3].map(|_| Visitor::new(site.address));
    let [view, _] = sit_down(&mut south, &mut north, None).await.unwrap();
    let _: GameView = third
        .post("/api/v1/games", &json!({ "opponent": { "kind": "link" } }))
        .await
        .unwrap()
        .json()
        .unwrap();
    let game = view.id.as_str();
    let act = |id: &str, ply: u32, house: &str| {
        json!({
            "t": "act", "id": id, "game": game, "action": "move", "ply": ply, "house": house
        })
    };
    let mut one = open(&north).await.unwrap();
    send(&mut one, &act("a", 1, "A")).await;
    assert_eq!(refusal(&mut one).await, "not_your_turn");
    send(&mut one, &act("b", 1, "a")).await;
    assert_eq!(refusal(&mut one).await, "not_your_turn");
    let mut two = open(&third).await.unwrap();
    for action in ["resign", "accept", "decline", "abort", "claim", "rematch"] {
        send(&mut two, &json!({ "t": "act", "id": action, "game": game, "action": action })).await;
        assert_eq!(refusal(&mut two).await, "not_yours", "{action}");
    }
    send(&mut two, &act("c", 1, "A")).await;
    assert_eq!(refusal(&mut two).await, "not_yours");
    send(&mut two, &json!({ "t": "act", "id": "d", "game": game, "action": "join" })).await;
    assert_eq!(refusal(&mut two).await, "taken");
    // South may resign for South alone.
    let mut mine = open(&south).await.unwrap();
    let resign =
        json!({ "t": "act", "id": "e", "game": game, "action": "resign", "side": "north" });
    send(&mut mine, &resign).await;
    assert_eq!(refusal(&mut mine).await, "not_yours");
    // A secret that nobody has, one of another form, and a name where a secret should be.
    let long = "x".repeat(3_000);
    for secret in ["0".repeat(43).as_str(), "", "'; drop table sessions; --", "%00", &long] {
        let mut forged = Visitor { cookie: Some(format!("oware={secret}")), ..south.clone() };
        let seen: GameView =
            forged.get(&format!("/api/v1/games/{game}")).await.unwrap().json().unwrap();
        assert_eq!(seen.you, Vec::<Side>::new(), "{secret}");
    }
    let after: GameView =
        south.get(&format!("/api/v1/games/{game}")).await.unwrap().json().unwrap();
    assert_eq!((after.seq, after.plies.len()), (view.seq, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ids_that_are_none_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let site = site(folder.path());
    let mut visitor = Visitor::new(site.address);
    let asked = json!({ "opponent": { "kind": "same_device" } });
    let view: GameView = visitor.post("/api/v1/games", &asked).await.unwrap().json().unwrap();
    let mut socket = open(&visitor).await.unwrap();
    let long = "x".repeat(1_000);
    for game in ["", "00000000", "../../etc", "'; drop table games; --", "\u{0}", "ÄÖÜÄÖÜÄÖ", &long]
    {
        send(&mut socket, &json!({ "t": "watch", "game": game })).await;
        assert_eq!(refusal(&mut socket).await, "not_found", "{game:?}");
        let act = json!({ "t": "act", "id": "a", "game": game, "action": "resign" });
        send(&mut socket, &act).await;
        assert_eq!(refusal(&mut socket).await, "not_found", "{game:?}");
    }
    for id in ["", "a b", "ä", "\u{0}", &"x".repeat(41), &long] {
        let act = json!({ "t": "act", "id": id, "game": view.id, "action": "resign" });
        send(&mut socket, &act).await;
        assert_eq!(refusal(&mut socket).await, "bad_field", "{id:?}");
    }
    for (ply, house) in
        [(0, "A"), (2, "A"), (u32::MAX, "A"), (1, "G"), (1, ""), (1, "AB"), (1, "a")]
    {
        let game = &view.id;
        let act = json!({
            "t": "act", "id": "m", "game": game, "action": "move", "ply": ply, "house": house
        });
        send(&mut socket, &act).await;
        let code = refusal(&mut socket).await;
        assert!(["stale", "bad_field", "not_your_turn"].contains(&code.as_str()), "{code}");
    }
    for path in [
        "/api/v1/games/..%2f..%2fx",
        "/api/v1/games/%00",
        "/api/v1/players/%ff",
        "/..%2f..%2fetc/passwd",
        "//etc/passwd",
    ] {
        let answer = visitor.get(path).await.unwrap();
        assert!(
            (400..500).contains(&answer.status) || answer.status == 200,
            "{path}: {}",
            answer.status
        );
        assert!(!answer.text().contains("daemon:"), "{path}");
    }
    is_well(&visitor).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn frames_that_are_none_are_refused_and_too_many_end_the_line() {
    let mut random = seed("frames_that_are_none_are_refused_and_too_many_end_the_line");
    let folder = tempfile::tempdir().unwrap();
    let site = site(folder.path());
    let visitor = Visitor::new(site.address);
    let mut socket = open(&visitor).await.unwrap();
    let deep = "[".repeat(8_000);
    let deep_inside = format!("{{\"t\":\"watch\",\"game\":{}", "{\"a\":".repeat(2_500));
    let bad = [
        "",
        "null",
        "{}",
        "[]",
        "{\"t\":1}",
        "{\"t\":\"act\"}",
        "{\"t\":\"nothing\"}",
        "{\"t\":\"ping\",\"n\":-1}",
        "{\"t\":\"ping\",\"n\":1e99}",
        "{\"t\":\"watch\",\"game\":7}",
        &deep,
        &deep_inside,
        "\u{0}\u{0}",
    ];
    for text in bad {
        socket.send(Message::text(text)).await.unwrap();
        assert_eq!(refusal(&mut socket).await, "bad_json", "{:?}", &text[..text.len().min(40)]);
    }
    socket.send(Message::binary(vec![0xff; 1_000])).await.unwrap();
    assert_eq!(refusal(&mut socket).await, "bad_json");
    // Still a line like any other.
    send(&mut socket, &json!({ "t": "ping", "n": 5 })).await;
    assert!(matches!(frame(&mut socket).await, Some(ServerFrame::Pong { n: 5, .. })));
    // A message of a megabyte ends the line, in one frame or in many.
    let _ = socket.send(Message::text("x".repeat(1 << 20))).await;
    assert_eq!(frame(&mut socket).await, None);
    // Bytes that are no frames at all.
    let mut socket = open(&visitor).await.unwrap();
    assert!(timeout(SOON, socket.next()).await.unwrap().is_some());
    let noise: Vec<u8> = (0..4_000).map(|_| random.bits().to_le_bytes()[0] | 0x70).collect();
    let _ = socket.get_mut().write_all(&noise).await;
    assert_eq!(frame(&mut socket).await, None);
    // Whoever sends nothing but nonsense is shown the door.
    let mut socket = open(&visitor).await.unwrap();
    for _ in 0..400 {
        if socket.send(Message::text("nonsense")).await.is_err() {
            break;
        }
    }
    let mut refused = 0;
    while let Some(frame) = frame(&mut socket).await {
        assert!(matches!(frame, ServerFrame::Refused { .. }), "{frame:?}");
        refused += 1;
    }
    assert!(refused < 400, "{refused}");
    is_well(&visitor).await;
}

/// A tab that asks for much more than a person could is told so, and others do not notice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_frames_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let site = site(folder.path());
    let mut visitor = Visitor::new(site.address);
    let asked = json!({ "opponent": { "kind": "same_device" } });
    let view: GameView = visitor.post("/api/v1/games", &asked).await.unwrap().json().unwrap();
    let mut socket = open(&visitor).await.unwrap();
    let watch = serde_json::to_string(&ClientFrame::Watch { game: view.id, seq: None }).unwrap();
    for _ in 0..150 {
        socket.feed(Message::text(watch.clone())).await.unwrap();
    }
    socket.flush().await.unwrap();
    let mut codes = Vec::new();
    while codes.is_empty() {
        if let Some(ServerFrame::Refused { fault, .. }) = frame(&mut socket).await {
            codes.push(fault.code);
        }
    }
    assert!(codes[0] == "too_many" || codes[0] == "busy", "{codes:?}");
    is_well(&visitor).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_are_none_are_answered_or_cut() {
    let folder = tempfile::tempdir().unwrap();
    let site = site(folder.path());
    let host = format!("Host: {}\r\n", site.address);
    let deep = "[".repeat(60_000);
    let many = "X-A: b\r\n".repeat(5_000);
    let json_head = "Content-Type: application/json\r\nConnection: close\r\n";
    let posted = |to: &str, head: &str, body: &str| {
        format!("POST /api/v1/{to} HTTP/1.1\r\n{host}{json_head}{head}\r\n{body}")
    };
    let raw = [
        "\r\n\r\n".to_owned(),
        "GET\r\n\r\n".to_owned(),
        "GET / HTTP/9.9\r\n\r\n".to_owned(),
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}".repeat(50),
        format!("GET /{} HTTP/1.1\r\n{host}\r\n", "x".repeat(100_000)),
        format!("GET / HTTP/1.1\r\n{host}X: {}\r\n\r\n", "y".repeat(600_000)),
        format!("GET / HTTP/1.1\r\n{host}{many}\r\n"),
        format!("GET /api/v1/socket HTTP/1.1\r\n{host}Connection: close\r\n\r\n"),
        format!(
            "GET /api/v1/socket HTTP/1.1\r\n{host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
        ),
        posted("games", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
        posted("games", "Content-Length: -1\r\n", ""),
        posted("position", "Content-Length: 60000\r\n", &deep),
        posted("position", "Content-Length: 1048576\r\n", &"x".repeat(1 << 20)),
        posted("games", "Content-Length: 2\r\n", "\u{ff}\u{fe}"),
        format!("DELETE /api/v1/games HTTP/1.1\r\n{host}Connection: close\r\n\r\n"),
        format!("TRACE / HTTP/1.1\r\n{host}Connection: close\r\n\r\n"),
    ];
    for text in raw {
        let name = text.chars().take(60).collect::<String>();
        // Ended by our side, too, so that nobody waits for more.
        let answer = timeout(SOON, async {
            let mut stream = connect(None, site.address).await.unwrap();
            let _ = stream.write_all(text.as_bytes()).await;
            let _ = stream.shutdown().await;
            let mut bytes = Vec::new();
            let _ = tokio::io::AsyncReadExt::read_to_end(&mut stream, &mut bytes).await;
            bytes
        });
        let bytes = answer.await.unwrap_or_else(|_| panic!("{name:?} is neither answered nor cut"));
        if !bytes.is_empty() {
            let first = String::from_utf8_lossy(&bytes[..bytes.len().min(12)]).into_owned();
            assert!(
                first.starts_with("HTTP/1.") && first.get(9..10) == Some("4"),
                "{name:?}: {first}"
            );
        }
    }
    is_well(&Visitor::new(site.address)).await;
    assert!(!site.log().contains("panicked"), "{}", site.log());
}

/// Without a proxy of our own nobody chooses the address they are counted by.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_forwarded_address_is_not_believed() {
    let folder = tempfile::tempdir().unwrap();
    let site = site(folder.path());
    let body = json!({ "opponent": { "kind": "same_device" } }).to_string();
    let mut refused = 0;
    for number in 0..260u32 {
        let forwarded = format!("203.0.{}.{}", number / 250, number % 250);
        let headers = [
            ("X-Forwarded-For", forwarded.as_str()),
            ("Forwarded", "for=192.0.2.1"),
            ("X-Real-IP", &forwarded),
        ];
        let mut stranger = Visitor::new(site.address);
        let answer =
            stranger.request("POST", "/api/v1/games", &headers, Some(&body)).await.unwrap();
        match answer.status {
            201 => {}
            429 => refused += 1,
            other => panic!("{other}: {}", answer.text()),
        }
    }
    assert!(refused > 0, "260 newcomers from one address at once");
    // From elsewhere one may.
    let mut other = Visitor::from_number(site.address, 9);
    assert_eq!(other.request("POST", "/api/v1/games", &[], Some(&body)).await.unwrap().status, 201);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_connections_from_one_address_leave_room_for_others() {
    oware_server::run::allow_many_files();
    let folder = tempfile::tempdir().unwrap();
    let site = site(folder.path());
    let from = IpAddr::from([127, 0, 0, 9]);
    let mut held = Vec::new();
    let other = Visitor { from: Some(IpAddr::from([127, 0, 0, 10])), ..Visitor::new(site.address) };
    for number in 0..10_000u32 {
        // More than one network may hold, and no more than this process may.
        if held.len() >= 3_000 {
            held.drain(..1_000);
        }
        if let Ok(stream) =
            timeout(SOON, connect(Some(from), site.address)).await.expect("accepted")
        {
            held.push(stream);
        }
        if number % 2_500 == 2_499 {
            is_well(&other).await;
        }
    }
    assert!(held.len() > 1_500, "{}", held.len());
    // Of those that are held the site keeps no more than a thousand.
    let open = oware_siege::site::open_files(site.pid());
    assert!(open.is_none_or(|open| open < 1_300), "{open:?}");
    is_well(&other).await;
    let mut visitor = other.clone();
    let asked = json!({ "opponent": { "kind": "same_device" } });
    assert_eq!(visitor.post("/api/v1/games", &asked).await.unwrap().status, 201);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_headers_are_cut() {
    let folder = tempfile::tempdir().unwrap();
    let site = site(folder.path());
    let slow = async |begin: &str| {
        let mut stream = connect(None, site.address).await.unwrap();
        stream.write_all(begin.as_bytes()).await.unwrap();
        let (mut read, mut write) = stream.into_split();
        let drip = async {
            // A byte a second never makes a header.
            for _ in 0..60 {
                tokio::time::sleep(Duration::from_secs(1)).await;
                if write.write_all(b"a").await.is_err() {
                    return;
                }
            }
        };
        let mut bytes = Vec::new();
        tokio::select! {
            () = drip => panic!("a header may take a minute"),
            _ = tokio::io::AsyncReadExt::read_to_end(&mut read, &mut bytes) => {}
        }
    };
    tokio::join!(slow("GET / HTTP/1.1\r\nX-Slow: "), slow("GE"));
    is_well(&Visitor::new(site.address)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_is_ended_closes_its_socket() {
    let folder = tempfile::tempdir().unwrap();
    let site = site(folder.path());
    let mut desk = Visitor::new(site.address);
    let account = json!({ "name": "Besieged", "password": "correct horse battery" });
    let made = desk.post("/api/v1/accounts", &account).await.unwrap();
    assert!(made.status < 300, "{}", made.text());
    let mut phone = Visitor::new(site.address);
    let signed = phone.post("/api/v1/sessions", &account).await.unwrap();
    assert!(signed.status < 300, "{}", signed.text());
    let mut socket = open(&phone).await.unwrap();
    send(&mut socket, &json!({ "t": "ping", "n": 1 })).await;
    assert!(matches!(frame(&mut socket).await, Some(ServerFrame::Pong { .. })));
    let sessions: Vec<SessionView> = desk.get("/api/v1/sessions").await.unwrap().json().unwrap();
    let lost = sessions.iter().find(|session| !session.current).expect("the phone's");
    // Not by somebody else.
    let path = format!("/api/v1/sessions/{}", lost.id);
    let mut stranger = Visitor::new(site.address);
    let answer = stranger.request("DELETE", &path, &[], None).await.unwrap();
    assert!((400..500).contains(&answer.status), "{}", answer.status);
    let answer = desk.request("DELETE", &path, &[], None).await.unwrap();
    assert!(answer.status < 300, "{}", answer.text());
    assert!(matches!(frame(&mut socket).await, Some(ServerFrame::Revoked {})));
    let last = timeout(SOON, socket.next()).await.unwrap();
    let code = match last {
        Some(Ok(Message::Close(Some(close)))) => u16::from(close.code),
        other => panic!("{other:?}"),
    };
    assert_eq!(code, 4001);
    let me: Value = phone.get("/api/v1/me").await.unwrap().json().unwrap();
    assert_eq!(me["name"], Value::Null, "the session is gone");
}
