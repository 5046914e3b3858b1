//! A site on a port of its own, and clients that talk to it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use oware_server::app::App;
use oware_server::clock::Clock;
use oware_server::config::Config;
use oware_server::http::{router, serve};
use oware_server::store::Store;
use oware_server::store::memory::MemoryStore;
use oware_server::wire::{ClientFrame, ServerFrame};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use tokio_util::sync::CancellationToken;

/// How long a test waits for something that must happen.
const PATIENCE: Duration = Duration::from_secs(60);

/// A site.
pub(crate) struct Site {
    pub(crate) app: App,
    pub(crate) address: SocketAddr,
    pub(crate) stop: CancellationToken,
}

impl Site {
    pub(crate) async fn open() -> Site {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let mut config = Config::new("data");
        config.think_ms = (0, 1);
        config.table_seeds = 0;
        let app = App::new(config, Clock::system(), store);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound");
        let stop = CancellationToken::new();
        tokio::spawn(serve(listener, router(app.clone()), Vec::new(), stop.clone()));
        Site { app, address, stop }
    }

    /// A visitor with a session of its own, over a socket.
    pub(crate) async fn visitor(&self) -> Client {
        self.connect(None, None).await.expect("a socket")
    }

    /// Opens a socket with a session and from a page.
    pub(crate) async fn connect(
        &self,
        cookie: Option<&str>,
        origin: Option<&str>,
    ) -> Result<Client, Error> {
        let address = format!("ws://{}/api/v1/socket", self.address);
        let mut request = address.into_client_request()?;
        let headers = request.headers_mut();
        if let Some(cookie) = cookie {
            headers.insert("cookie", cookie.parse().expect("a header"));
        }
        if let Some(origin) = origin {
            headers.insert("origin", origin.parse().expect("a header"));
        }
        let (socket, response) = connect_async(request).await?;
        let set = response.headers().get("set-cookie").and_then(|set| set.to_str().ok());
        let made = set.and_then(|set| set.split(';').next()).map(str::to_owned);
        let cookie = cookie.map(str::to_owned).or(made).expect("a session");
        Ok(Client { socket, cookie })
    }

    /// A request; the status and the body.
    pub(crate) async fn request(
        &self,
        method: &str,
        path: &str,
        cookie: &str,
        body: &str,
    ) -> (u16, serde_json::Value) {
        let (status, text) = self.raw(method, path, cookie, body).await;
        (status, serde_json::from_str(&text).unwrap_or(serde_json::Value::String(text)))
    }

    pub(crate) async fn raw(
        &self,
        method: &str,
        path: &str,
        cookie: &str,
        body: &str,
    ) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).await.expect("a connection");
        let request = format!(
            "{method} /api/v1{path} HTTP/1.1\r\nhost: {}\r\ncookie: {cookie}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\
             connection: close\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.expect("an answer");
        let answer = String::from_utf8(answer).expect("text");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.expect("a status"), unchunked(head, body))
    }
}

/// The body without the lengths of its pieces.
fn unchunked(head: &str, body: &str) -> String {
    if !head.to_lowercase().contains("transfer-encoding: chunked") {
        return body.to_owned();
    }
    let (mut rest, mut text) = (body, String::new());
    while let Some((size, more)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).expect("a length");
        text += &more[..size];
        rest = &more[(size + 2).min(more.len())..];
    }
    text
}

/// A client with a socket.
pub(crate) struct Client {
    pub(crate) socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub(crate) cookie: String,
}

impl Client {
    pub(crate) async fn send(&mut self, frame: &ClientFrame) {
        self.send_text(&serde_json::to_string(frame).expect("plain data")).await;
    }

    pub(crate) async fn send_text(&mut self, text: &str) {
        self.socket.send(Message::text(text)).await.expect("sent");
    }

    /// The next frame that is one of ours; the code of the end if it ends before.
    pub(crate) async fn next(&mut self) -> Result<ServerFrame, Option<u16>> {
        loop {
            let message = tokio::time::timeout(PATIENCE, self.socket.next()).await;
            match message.expect("something comes") {
                Some(Ok(Message::Text(text))) => {
                    return Ok(serde_json::from_str(&text).expect("a frame of ours"));
                }
                Some(Ok(Message::Close(close))) => {
                    return Err(close.map(|close| close.code.into()));
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Err(None),
            }
        }
    }

    /// Waits for a frame of a kind.
    pub(crate) async fn until<T>(&mut self, wish: impl Fn(ServerFrame) -> Option<T>) -> T {
        loop {
            if let Some(found) = wish(self.next().await.expect("the line is open")) {
                return found;
            }
        }
    }

    /// Sends, and waits for what became of it: the number of the event, or the code.
    pub(crate) async fn act(&mut self, text: &str) -> Result<u32, String> {
        self.send_text(text).await;
        self.until(|frame| match frame {
            ServerFrame::Ack { seq, .. } => Some(Ok(seq)),
            ServerFrame::Refused { fault, .. } => Some(Err(fault.code)),
            _ => None,
        })
        .await
    }

    /// Waits until the server ends the line; the code.
    pub(crate) async fn ended(&mut self) -> Option<u16> {
        loop {
            if let Err(code) = self.next().await {
                return code;
            }
        }
    }
}
