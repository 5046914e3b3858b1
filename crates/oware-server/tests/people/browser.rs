//! A site, and browsers that keep their cookie.

use std::sync::Mutex;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, COOKIE, SET_COOKIE, USER_AGENT};
use axum::http::{Method, Request, StatusCode};
use oware_server::app::App;
use oware_server::clock::Clock;
use oware_server::config::Config;
use oware_server::{http, store};
use serde_json::{Value, json};
use tower::ServiceExt;

/// A site on a database of its own.
pub(crate) struct Site {
    pub(crate) app: App,
    _data: tempfile::TempDir,
}

impl Site {
    pub(crate) async fn new() -> Site {
        let data = tempfile::tempdir().unwrap();
        let config = Config { table_seeds: 0, ..Config::new(data.path()) };
        let store = store::open(&config.database()).await.unwrap();
        Site { app: App::new(config, Clock::system(), store), _data: data }
    }

    /// A browser that was never here.
    pub(crate) fn browser(&self) -> Browser {
        Browser { app: self.app.clone(), cookie: Mutex::default() }
    }

    /// A browser whose player has an account; the password is [`PASSWORD`].
    pub(crate) async fn member(&self, name: &str) -> Browser {
        let browser = self.browser();
        let asked = json!({"name": name, "password": PASSWORD});
        let (status, answer) = browser.post("/accounts", asked).await;
        assert_eq!(status, StatusCode::CREATED, "{answer}");
        browser
    }
}

pub(crate) const PASSWORD: &str = "a long password";

/// Somebody's browser.
pub(crate) struct Browser {
    pub(crate) app: App,
    cookie: Mutex<Option<String>>,
}

impl Browser {
    /// Sends a request; the status and the answer, which is null if there is none.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (StatusCode, Value) {
        let mut request = Request::builder().method(method).uri(format!("/api/v1{path}"));
        request = request.header(USER_AGENT, "A browser of the test");
        if let Some(cookie) = self.cookie() {
            request = request.header(COOKIE, cookie);
        }
        let request = match body {
            Some(body) => {
                request.header(CONTENT_TYPE, "application/json").body(body.to_string().into())
            }
            None => request.body(Body::empty()),
        };
        let router = http::router(self.app.clone());
        let response = router.oneshot(request.unwrap()).await.unwrap();
        if let Some(set) = response.headers().get(SET_COOKIE) {
            let pair = set.to_str().unwrap().split(';').next().unwrap().to_owned();
            assert!(set.to_str().unwrap().contains("HttpOnly; SameSite=Lax"));
            let gone = pair.ends_with('=');
            *self.cookie.lock().unwrap() = Some(pair).filter(|_| !gone);
        }
        let status = response.status();
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 24).await.unwrap();
        (status, serde_json::from_slice(&bytes).unwrap_or_default())
    }

    pub(crate) fn cookie(&self) -> Option<String> {
        self.cookie.lock().unwrap().clone()
    }

    /// Another browser with the same cookie: a thief's, or one from before.
    pub(crate) fn copy(&self) -> Browser {
        Browser { app: self.app.clone(), cookie: Mutex::new(self.cookie()) }
    }

    pub(crate) async fn get(&self, path: &str) -> (StatusCode, Value) {
        self.send(Method::GET, path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> (StatusCode, Value) {
        self.send(Method::POST, path, Some(body)).await
    }

    /// What a reading request gives.
    pub(crate) async fn read(&self, path: &str) -> Value {
        let (status, answer) = self.get(path).await;
        assert_eq!(status, StatusCode::OK, "{path}: {answer}");
        answer
    }

    /// Does something that has no answer.
    pub(crate) async fn done(&self, method: Method, path: &str, body: Option<Value>) {
        let (status, answer) = self.send(method, path, body).await;
        assert_eq!(status, StatusCode::NO_CONTENT, "{path}: {answer}");
    }

    /// Is refused; the fault's code, and the field if there is one.
    pub(crate) async fn refused(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (u16, String) {
        let (status, answer) = self.send(method, path, body).await;
        assert!(status.is_client_error(), "{path}: {status} {answer}");
        let text = |key: &str| answer[key].as_str().map(str::to_owned);
        let code = text("code").expect("a fault");
        assert!(!text("message").expect("words").is_empty());
        (status.as_u16(), text("field").map_or(code.clone(), |field| format!("{code} {field}")))
    }

    /// Signs in.
    pub(crate) async fn sign_in(&self, name: &str, password: &str) -> StatusCode {
        self.post("/sessions", json!({"name": name, "password": password})).await.0
    }

    /// Makes a game that somebody may join; its id.
    pub(crate) async fn offer(&self, more: Value) -> String {
        let mut asked = json!({"opponent": {"kind": "link"}, "seat": "south"});
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let (status, game) = self.post("/games", asked).await;
        assert_eq!(status, StatusCode::CREATED, "{game}");
        game["id"].as_str().unwrap().to_owned()
    }

    /// Does something in a game; the status and the answer.
    pub(crate) async fn act(&self, game: &str, action: Value) -> (StatusCode, Value) {
        self.post(&format!("/games/{game}/actions"), action).await
    }

    /// Does something in a game that must be accepted; the game after it.
    pub(crate) async fn acts(&self, game: &str, action: Value) -> Value {
        let (status, answer) = self.act(game, action).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        answer["game"].clone()
    }
}
