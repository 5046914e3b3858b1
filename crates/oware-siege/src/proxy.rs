//! A bad network: a proxy that ends the sockets of both sides and relays their frames, some of
//! them late, twice, out of order or not at all; that at times stops relaying without a word, or
//! cuts the line.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};

use crate::line::Socket;
use crate::random::Random;

/// How often what goes wrong, in a thousand frames.
#[derive(Clone, Copy, Debug)]
pub struct Faults {
    /// A frame is not relayed.
    pub drop: u64,
    /// A frame is relayed twice, the second time later.
    pub double: u64,
    /// A frame is relayed late, and those behind it wait.
    pub delay: u64,
    /// A frame is relayed late, and others pass it.
    pub pass: u64,
    /// From here on nothing is relayed, and the line stays open.
    pub mute: u64,
    /// The line is cut.
    pub cut: u64,
    /// How late at most, in milliseconds.
    pub late_ms: u64,
}

impl Faults {
    /// A network with which nobody would play.
    pub const TERRIBLE: Faults =
        Faults { drop: 30, double: 40, delay: 60, pass: 60, mute: 4, cut: 12, late_ms: 120 };
    /// A good network.
    pub const NONE: Faults =
        Faults { drop: 0, double: 0, delay: 0, pass: 0, mute: 0, cut: 0, late_ms: 0 };
}

/// How often it happened.
#[derive(Debug, Default)]
pub struct Happened {
    /// Frames that were not relayed.
    pub dropped: AtomicU64,
    /// Relayed twice.
    pub doubled: AtomicU64,
    /// Late, with those behind.
    pub delayed: AtomicU64,
    /// Late, passed by others.
    pub passed: AtomicU64,
    /// Lines that fell silent.
    pub muted: AtomicU64,
    /// Lines that were cut.
    pub cut: AtomicU64,
    /// Frames in all.
    pub frames: AtomicU64,
}

impl Happened {
    /// All of it: dropped, doubled, delayed, passed, muted, cut, frames.
    #[must_use]
    pub fn counts(&self) -> [u64; 7] {
        let all = [&self.dropped, &self.doubled, &self.delayed, &self.passed, &self.muted];
        let [a, b, c, d, e] = all.map(|count| count.load(Ordering::Relaxed));
        let [f, g] = [&self.cut, &self.frames].map(|count| count.load(Ordering::Relaxed));
        [a, b, c, d, e, f, g]
    }
}

fn note(count: &AtomicU64) {
    count.fetch_add(1, Ordering::Relaxed);
}

/// How long a line that fell silent stays open.
const MUTE: Duration = Duration::from_secs(4);

/// A bad network before a server.
#[derive(Debug)]
pub struct Proxy {
    /// Where it listens.
    pub address: SocketAddr,
    /// What it did.
    pub happened: Arc<Happened>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Proxy {
    /// Starts one before a server.
    ///
    /// # Errors
    /// When nobody can listen.
    pub async fn start(to: SocketAddr, faults: Faults, mut random: Random) -> Result<Proxy> {
        let listener = TcpListener::bind("127.0.0.1:0").await.context("the proxy")?;
        let address = listener.local_addr()?;
        let happened = Arc::new(Happened::default());
        let shared = Arc::clone(&happened);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let line = Relay { to, faults, happened: Arc::clone(&shared) };
                let random = random.branch();
                // A line that breaks is what this is for.
                tokio::spawn(async move { line.relay(stream, random).await });
            }
        });
        Ok(Proxy { address, happened, task })
    }
}

struct Relay {
    to: SocketAddr,
    faults: Faults,
    happened: Arc<Happened>,
}

impl Relay {
    async fn relay(self, stream: TcpStream, mut random: Random) -> Result<()> {
        stream.set_nodelay(true)?;
        let mut asked = None;
        // The type of its error is the library's own.
        #[allow(clippy::result_large_err, reason = "the signature is the library's")]
        let look = |request: &Request, response: Response| {
            asked = Some((request.uri().path().to_owned(), request.headers().clone()));
            Ok(response)
        };
        let client = tokio_tungstenite::accept_hdr_async(stream, look).await?;
        let (path, headers) = asked.context("no request")?;
        let host = headers.get("host").and_then(|host| host.to_str().ok()).context("no host")?;
        let mut request = format!("ws://{host}{path}").into_client_request()?;
        for name in ["cookie", "origin", "user-agent"] {
            if let Some(value) = headers.get(name) {
                request.headers_mut().insert(name, value.clone());
            }
        }
        let stream = TcpStream::connect(self.to).await?;
        stream.set_nodelay(true)?;
        let (server, _) = tokio_tungstenite::client_async(request, stream).await?;
        let (to_client, from_client) = client.split();
        let (to_server, from_server) = server.split();
        let (down, up) = (random.branch(), random.branch());
        // Whoever ends first ends the other.
        tokio::select! {
            () = self.direction(from_client, to_server, up) => {}
            () = self.direction(from_server, to_client, down) => {}
        }
        Ok(())
    }

    async fn direction(
        &self,
        mut from: SplitStream<Socket>,
        mut to: SplitSink<Socket, Message>,
        mut random: Random,
    ) {
        let (queue, mut waiting) = mpsc::unbounded_channel::<Message>();
        let write = async {
            while let Some(message) = waiting.recv().await {
                if to.send(message).await.is_err() {
                    return;
                }
            }
        };
        let read = async {
            while let Some(Ok(message)) = from.next().await {
                if !message.is_text() {
                    // Pings belong to one side of the proxy; a farewell goes on.
                    if message.is_close() {
                        let _ = queue.send(message);
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        return;
                    }
                    continue;
                }
                if !self.pass_on(message, &queue, &mut random).await {
                    return;
                }
            }
        };
        tokio::select! {
            () = write => {}
            () = read => {}
        }
    }

    /// Relays a frame, or does what goes wrong; false when the line is cut.
    async fn pass_on(
        &self,
        message: Message,
        queue: &mpsc::UnboundedSender<Message>,
        random: &mut Random,
    ) -> bool {
        let (faults, happened) = (self.faults, &self.happened);
        note(&happened.frames);
        let late = random.up_to_ms(faults.late_ms);
        let mut lot = random.below(1_000);
        let mut falls = |share: u64| {
            let hit = lot < share;
            lot = if hit { u64::MAX } else { lot - share };
            hit
        };
        if falls(faults.drop) {
            note(&happened.dropped);
        } else if falls(faults.double) {
            note(&happened.doubled);
            let _ = queue.send(message.clone());
            send_later(queue.clone(), message, late);
        } else if falls(faults.delay) {
            note(&happened.delayed);
            tokio::time::sleep(late).await;
            let _ = queue.send(message);
        } else if falls(faults.pass) {
            note(&happened.passed);
            send_later(queue.clone(), message, late);
        } else if falls(faults.mute) {
            note(&happened.muted);
            tokio::time::sleep(MUTE).await;
            return false;
        } else if falls(faults.cut) {
            note(&happened.cut);
            return false;
        } else {
            let _ = queue.send(message);
        }
        true
    }
}

fn send_later(queue: mpsc::UnboundedSender<Message>, message: Message, late: Duration) {
    tokio::spawn(async move {
        tokio::time::sleep(late).await;
        let _ = queue.send(message);
    });
}
