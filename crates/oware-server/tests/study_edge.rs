//! Analysis and puzzles over HTTP: what is sent, what is refused, and which field is named.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use oware_server::app::App;
use oware_server::clock::Clock;
use oware_server::config::Config;
use oware_server::{http, store};
use serde_json::{Value, json};
use tower::ServiceExt;

struct Site {
    app: App,
    _data: tempfile::TempDir,
}

async fn site() -> Site {
    let data = tempfile::tempdir().unwrap();
    let config = Config { table_seeds: 0, ..Config::new(data.path()) };
    let store = store::open(&config.database()).await.unwrap();
    Site { app: App::new(config, Clock::system(), store), _data: data }
}

impl Site {
    async fn send(&self, request: Request<Body>) -> (StatusCode, String) {
        let response = http::router(self.app.clone()).oneshot(request).await.unwrap();
        let status = response.status();
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 22).await.unwrap();
        (status, String::from_utf8(bytes.to_vec()).unwrap())
    }

    async fn get(&self, path: &str) -> (StatusCode, Value) {
        let request = Request::get(format!("/api/v1{path}")).body(Body::empty()).unwrap();
        let (status, text) = self.send(request).await;
        (status, serde_json::from_str(&text).unwrap())
    }

    /// The lines of the answer.
    async fn post(&self, path: &str, body: &Value) -> (StatusCode, Vec<Value>) {
        let request = Request::post(format!("/api/v1{path}"))
            .header("content-type", "application/json")
            .body(Body::from(body.to_string()))
            .unwrap();
        let (status, text) = self.send(request).await;
        (status, text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
    }

    async fn refused(&self, path: &str, body: &Value) -> String {
        let (status, lines) = self.post(path, body).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{path} {body}: {lines:?}");
        lines[0]["field"].as_str().unwrap_or_default().to_owned()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_comes_line_by_line() {
    let site = site().await;
    let body = json!({"moves": "FfBe", "lines": 2, "milliseconds": 100});
    let (status, lines) = site.post("/analysis", &body).await;
    assert_eq!(status, StatusCode::OK);
    let last = lines.last().unwrap();
    assert_eq!(last["kind"], "done");
    assert_eq!(last["moves"].as_array().unwrap().len(), 2);
    assert!(lines.len() > 2 && lines[0]["kind"] == "depth");
    let (status, lines) = site.post("/report", &json!({"moves": "FfBe", "effort": "quick"})).await;
    assert_eq!((status, lines.len()), (StatusCode::OK, 5));
    assert_eq!(lines[4]["plies"].as_array().unwrap().len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_named() {
    let site = site().await;
    for (path, body, field) in [
        ("/analysis", json!({"lines": 7}), "lines"),
        ("/analysis", json!({"lines": 0}), "lines"),
        ("/analysis", json!({"milliseconds": 49}), "milliseconds"),
        ("/analysis", json!({"milliseconds": 30_001}), "milliseconds"),
        ("/analysis", json!({"moves": "FF"}), "moves"),
        ("/analysis", json!({"rules": "chess"}), "rules"),
        ("/analysis", json!({"start": "4-4"}), "start"),
        ("/analysis", json!({"deep": true}), "deep"),
        ("/report", json!({}), "moves"),
        ("/report", json!({"moves": "F", "effort": "endless"}), "effort"),
        ("/probe", json!({"moves": "z"}), "moves"),
        ("/convert", json!({"action": "read", "text": "?"}), "text"),
        ("/convert", json!({"action": "read"}), "text"),
        ("/convert", json!({"action": "read", "text": 3}), "text"),
        ("/convert", json!({"action": "write", "at": 1}), "tree"),
        ("/convert", json!({"action": "write", "tree": {"start": []}}), "tree.start"),
        (
            "/convert",
            json!({"action": "write", "tree": {"nodes": [{"parent": 0}]}}),
            "tree.nodes[0]",
        ),
        ("/convert", json!({"action": "burn"}), "action"),
        ("/puzzles/w5-4005/attempts", json!({"moves": "CX"}), "moves"),
    ] {
        assert_eq!(site.refused(path, &body).await, field, "{path} {body}");
    }
    let (status, fault) = site.get("/puzzles?difficulty=9").await;
    assert_eq!((status, &fault["field"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("difficulty")));
    let (status, fault) = site.get("/puzzles?theme=luck").await;
    assert_eq!((status, &fault["field"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("theme")));
    assert_eq!(site.get("/puzzles/nothing").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn puzzles_are_listed_tried_and_solved() {
    let site = site().await;
    let (_, all) = site.get("/puzzles").await;
    let all = all.as_array().unwrap();
    assert!(all.len() >= 200);
    let (_, some) = site.get("/puzzles?difficulty=2&goal=draw&theme=capture").await;
    let some = some.as_array().unwrap();
    assert!(!some.is_empty() && some.len() < all.len());
    assert!(some.iter().all(|puzzle| puzzle["difficulty"] == 2 && puzzle["goal"] == "draw"));
    let id = some[0]["id"].as_str().unwrap();
    let (_, puzzle) = site.get(&format!("/puzzles/{id}")).await;
    let legal = puzzle["state"]["legal"].as_array().unwrap();
    let mut right = 0;
    for trace in legal {
        let body = json!({"moves": trace["house"]});
        let (status, verdict) = site.post(&format!("/puzzles/{id}/attempts"), &body).await;
        assert_eq!(status, StatusCode::OK);
        right += usize::from(verdict[0]["right"] == true);
        let wrong = verdict[0]["right"] == false;
        assert_eq!(verdict[0]["result"].is_string(), wrong);
    }
    assert_eq!(right, 1);
    let (status, solution) = site.get(&format!("/puzzles/{id}/solution")).await;
    assert_eq!(status, StatusCode::OK);
    assert!(!solution["plies"].as_array().unwrap().is_empty());
}

/// Somebody with a session, whose secret is the name.
async fn sit_down(site: &Site, name: &str) {
    let player = oware_server::ids::player();
    site.app.store.create_player(&player, 1).await.unwrap();
    let session = oware_server::store::SessionRow {
        id: name.to_owned(),
        secret_hash: http::secret_hash(name),
        player,
        agent: String::new(),
        created_at: 1,
        seen_at: 1,
    };
    site.app.store.create_session(&session).await.unwrap();
}

/// What somebody with a session asks.
async fn ask(site: &Site, who: &str, path: &str, body: &Value) -> (StatusCode, String) {
    let request = Request::post(format!("/api/v1{path}"))
        .header("content-type", "application/json")
        .header("cookie", format!("oware={who}"))
        .body(Body::from(body.to_string()))
        .unwrap();
    site.send(request).await
}

/// Ama and Kofi play with a clock: F, f.
async fn play(site: &Site) {
    let game = json!({
        "opponent": {"kind": "link"},
        "seat": "south",
        "time": {"kind": "clock", "initial_s": 600, "increment_s": 5},
    });
    let (status, made) = ask(site, "ama", "/games", &game).await;
    assert!(status.is_success(), "{made}");
    let made: Value = serde_json::from_str(&made).unwrap();
    let actions = format!("/games/{}/actions", made["id"].as_str().unwrap());
    for (who, action) in [
        ("kofi", json!({"id": "1", "action": "join"})),
        ("ama", json!({"id": "2", "action": "move", "ply": 1, "house": "F"})),
        ("kofi", json!({"id": "3", "action": "move", "ply": 2, "house": "f"})),
    ] {
        let (status, answer) = ask(site, who, &actions, &action).await;
        assert!(status.is_success(), "{who} {action}: {answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_told_about_their_own_live_game() {
    let site = site().await;
    for name in ["ama", "kofi", "yaa"] {
        sit_down(&site, name).await;
    }
    play(&site).await;
    for (who, path, moves, expected) in [
        ("ama", "/analysis", "Ff", StatusCode::FORBIDDEN),
        ("kofi", "/analysis", "Ff", StatusCode::FORBIDDEN),
        ("ama", "/analysis", "FfB", StatusCode::FORBIDDEN),
        ("ama", "/report", "FfB", StatusCode::FORBIDDEN),
        ("ama", "/probe", "Ff", StatusCode::FORBIDDEN),
        ("ama", "/analysis", "Fe", StatusCode::OK),
        ("ama", "/probe", "F", StatusCode::OK),
        // Somebody else may look.
        ("yaa", "/analysis", "Ff", StatusCode::OK),
    ] {
        let mut body = json!({"moves": moves});
        if path == "/analysis" {
            body["milliseconds"] = json!(50);
        }
        assert_eq!(ask(&site, who, path, &body).await.0, expected, "{who} {path} {moves}");
    }
}
