//! The socket: one line to one tab. What comes in is read here and done by the hub, in order;
//! what goes out waits in the line's own queue, so that neither waits for the other.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{FromRequestParts, Request, State};
use axum::response::Response;
use axum::routing::any;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::sync::mpsc;

use super::error::ApiError;
use super::games::who;
use super::guard::is_own_origin;
use super::visitor::{Address, Visitor};
use crate::app::Shared;
use crate::game::Refusal;
use crate::live::{Goodbye, Line, Sent, Who};
use crate::wire::{ClientFrame, Fault, ServerFrame};

/// Bytes of a frame at most.
const LONGEST: usize = 16 * 1024;
/// Frames that a tab may send at once, and how long it takes until it may send as many again.
const CREDIT: f64 = 100.0;
const CREDIT_TIME: Duration = Duration::from_secs(20);
/// Frames that are refused for want of credit or sense before the line is ended.
const PATIENCE: u32 = 100;
/// What may wait to be done for one tab.
const WAITING: usize = 64;
/// Bytes that are set aside for each tab to read into; a longer frame takes more. The library's
/// own 128 KiB would be most of what a tab costs.
const READ_BUFFER: usize = 4 * 1024;
/// How often the line is measured, while games are watched and otherwise.
const BEAT: Duration = Duration::from_millis(2_500);
const IDLE_BEAT: Duration = Duration::from_secs(25);
/// Without a sign of life for this long the line is lost.
const LOST: Duration = Duration::from_secs(15);
const IDLE_LOST: Duration = Duration::from_secs(60);
/// How long a tab has to take what is sent at the end.
const FAREWELL: Duration = Duration::from_secs(1);

pub(super) fn router() -> Router<Shared> {
    Router::new().route("/api/v1/socket", any(socket))
}

async fn socket(State(app): State<Shared>, request: Request) -> Result<Response, ApiError> {
    let (mut parts, _) = request.into_parts();
    // Browsers let any page open a socket to anywhere, cookies included. Asked first, so that
    // no page elsewhere makes visitors of its readers.
    if !is_own_origin(&app, &parts.headers) {
        return Err(ApiError::forbidden("pages of other sites may not open this socket"));
    }
    let upgrade = WebSocketUpgrade::from_request_parts(&mut parts, &app).await;
    let upgrade = upgrade.map_err(|error| {
        ApiError::new(error.status(), "bad_request", format!("this is a socket: {error}"))
    })?;
    let visitor = Visitor::from_request_parts(&mut parts, &app).await?;
    let address = Address::from_request_parts(&mut parts, &app).await?;
    let upgrade = upgrade.max_message_size(LONGEST).max_frame_size(LONGEST);
    let upgrade = upgrade.read_buffer_size(READ_BUFFER);
    let opened = app.hub.open_line(&visitor.session, &visitor.player.id, address.network());
    let Some((line, frames)) = opened else {
        return Err(ApiError::too_many("too many tabs are open"));
    };
    // Should the line break before it is one, it is still taken off the list.
    let failed = (app.hub.clone(), Arc::clone(&line));
    let upgrade = upgrade.on_failed_upgrade(move |_| {
        tokio::spawn(async move { failed.0.close_line(&failed.1).await });
    });
    let who = who(&visitor);
    Ok(upgrade.on_upgrade(async move |socket| {
        let hub = app.hub.clone();
        hub.track(talk(app, who, line, frames, socket)).await;
    }))
}

/// Serves one tab until either side ends it.
async fn talk(
    app: Shared,
    who: Who,
    line: Arc<Line>,
    mut frames: mpsc::Receiver<Arc<Sent>>,
    socket: WebSocket,
) {
    let hub = app.hub.clone();
    line.send(&Sent::new(ServerFrame::Hello {
        now: app.clock.now(),
        boot: app.boot.to_string(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }));
    let (mut sink, mut stream) = socket.split();
    let (orders, waiting) = mpsc::channel(WAITING);
    let worker = tokio::spawn(work(app.clone(), who, Arc::clone(&line), waiting));
    let (heard, pings) = (Heard::default(), mpsc::channel::<Instant>(4));
    let mut ears = Ears { app: &app, line: &line, orders, heard, pings: pings.0 };
    tokio::select! {
        () = speak(&mut sink, &mut frames, &line, pings.1) => {}
        () = ears.listen(&mut stream) => {}
        goodbye = line.ended() => farewell(&mut sink, &mut frames, goodbye).await,
    }
    drop(ears);
    hub.close_line(&line).await;
    // What was asked for is finished; the worker ends when nothing waits any more.
    let _ = worker.await;
}

/// Sends what waits, and measures the line.
async fn speak(
    sink: &mut SplitSink<WebSocket, Message>,
    frames: &mut mpsc::Receiver<Arc<Sent>>,
    line: &Line,
    mut answers: mpsc::Receiver<Instant>,
) {
    let mut last_answer = Instant::now();
    let mut asked: Option<Instant> = None;
    loop {
        let live = line.is_watching();
        let (beat, lost) = if live { (BEAT, LOST) } else { (IDLE_BEAT, IDLE_LOST) };
        let due = asked.map_or(Duration::ZERO, |asked| beat.saturating_sub(asked.elapsed()));
        // Never longer than a beat of a game, since one may be watched from the next moment on.
        let due = due.min(BEAT);
        let sent = tokio::select! {
            frame = frames.recv() => match frame {
                Some(frame) => sink.send(Message::Text(frame.text())).await,
                None => return,
            },
            Some(at) = answers.recv() => {
                last_answer = at;
                if let Some(asked) = asked {
                    let lag = at.saturating_duration_since(asked).as_millis();
                    line.set_lag(i64::try_from(lag).unwrap_or(i64::MAX));
                }
                continue;
            }
            () = tokio::time::sleep(due) => {
                if last_answer.elapsed() > lost {
                    return;
                }
                if asked.is_some_and(|asked| asked.elapsed() < beat) {
                    continue;
                }
                asked = Some(Instant::now());
                sink.send(Message::Ping(axum::body::Bytes::new())).await
            }
        };
        if sent.is_err() {
            return;
        }
    }
}

/// Sends what still waits, why it ends, and ends it.
async fn farewell(
    sink: &mut SplitSink<WebSocket, Message>,
    frames: &mut mpsc::Receiver<Arc<Sent>>,
    goodbye: Goodbye,
) {
    let last = async {
        // Who is too slow would not take the rest either.
        while goodbye != Goodbye::Slow
            && let Ok(frame) = frames.try_recv()
        {
            if sink.send(Message::Text(frame.text())).await.is_err() {
                return;
            }
        }
        let close = CloseFrame { code: goodbye.code(), reason: goodbye.reason().into() };
        let _ = sink.send(Message::Close(Some(close))).await;
        let _ = sink.close().await;
    };
    let _ = tokio::time::timeout(FAREWELL, last).await;
}

/// What is counted of what comes in.
struct Heard {
    credit: f64,
    counted: Instant,
    /// Frames without sense, or beyond the credit.
    bad: u32,
}

impl Default for Heard {
    fn default() -> Heard {
        Heard { credit: CREDIT, counted: Instant::now(), bad: 0 }
    }
}

impl Heard {
    /// Takes from the credit, which comes back with time.
    fn pays(&mut self, price: f64) -> bool {
        let back = self.counted.elapsed().as_secs_f64() * CREDIT / CREDIT_TIME.as_secs_f64();
        self.credit = (self.credit + back).min(CREDIT);
        self.counted = Instant::now();
        let can = self.credit >= price;
        if can {
            self.credit -= price;
        }
        can
    }
}

/// The listening side of a line.
struct Ears<'a> {
    app: &'a Shared,
    line: &'a Arc<Line>,
    orders: mpsc::Sender<ClientFrame>,
    heard: Heard,
    pings: mpsc::Sender<Instant>,
}

impl Ears<'_> {
    async fn listen(&mut self, stream: &mut SplitStream<WebSocket>) {
        while let Some(Ok(message)) = stream.next().await {
            match message {
                Message::Text(text) => self.take(text.as_bytes()),
                Message::Binary(bytes) => self.take(&bytes),
                Message::Pong(_) => {
                    let _ = self.pings.try_send(Instant::now());
                }
                Message::Ping(_) => {}
                Message::Close(_) => return,
            }
        }
    }

    fn take(&mut self, text: &[u8]) {
        let frame = match serde_json::from_slice::<ClientFrame>(text) {
            Ok(frame) => frame,
            Err(error) => {
                self.heard.pays(1.0);
                let message = format!("this frame cannot be read: {error}");
                let fault = Fault { code: "bad_json".into(), field: None, message };
                self.refuse(None, None, fault);
                return;
            }
        };
        // Pings are cheap, and a tab that waits sends some.
        let price = if matches!(frame, ClientFrame::Ping { .. }) { 0.2 } else { 1.0 };
        let (id, game) = names(&frame);
        if !self.heard.pays(price) {
            let fault = Refusal::TooMany("too many frames; wait a little").fault();
            self.refuse(id, game, fault);
            return;
        }
        if let ClientFrame::Ping { n } = frame {
            let lag_ms = self.line.lag().and_then(|lag| u32::try_from(lag).ok());
            let now = self.app.clock.now();
            self.line.send(&Sent::new(ServerFrame::Pong { n, now, lag_ms }));
        } else if self.orders.try_send(frame).is_err() {
            self.refuse(id, game, Refusal::Busy.fault());
        }
    }

    /// Refuses what is no fair request; too many of them end the line.
    fn refuse(&mut self, id: Option<String>, game: Option<String>, fault: Fault) {
        self.heard.bad += 1;
        if self.heard.bad > PATIENCE {
            self.line.end(Goodbye::Unreadable);
            return;
        }
        self.line.send(&Sent::new(ServerFrame::Refused { id, game, fault }));
    }
}

/// What the client calls what it asks for, and the game it is about.
fn names(frame: &ClientFrame) -> (Option<String>, Option<String>) {
    match frame {
        ClientFrame::Act { id, game, .. } => (Some(id.clone()), Some(game.clone())),
        ClientFrame::Watch { game, .. } | ClientFrame::Unwatch { game } => {
            (None, Some(game.clone()))
        }
        ClientFrame::Lobby { .. } | ClientFrame::Ping { .. } => (None, None),
    }
}

/// Does what a tab asks for, one after the other.
async fn work(app: Shared, who: Who, line: Arc<Line>, mut orders: mpsc::Receiver<ClientFrame>) {
    let hub = &app.hub;
    while let Some(frame) = orders.recv().await {
        let (name, about) = names(&frame);
        let done = match frame {
            ClientFrame::Watch { game, seq } => hub.watch(&line, &game, seq).await,
            ClientFrame::Unwatch { game } => {
                hub.unwatch(&line, &game).await;
                Ok(())
            }
            ClientFrame::Act { id, game, action } => {
                let seq = hub.act(&who, &game, Some(&id), action, line.lag()).await;
                seq.map(|seq| line.send(&Sent::new(ServerFrame::Ack { id, game, seq })))
            }
            ClientFrame::Lobby { on: true } => hub.look_at_lobby(&line).await,
            ClientFrame::Lobby { on: false } => {
                hub.leave_lobby(&line);
                Ok(())
            }
            ClientFrame::Ping { .. } => Ok(()),
        };
        if let Err(refusal) = done {
            let fault = refusal.fault();
            line.send(&Sent::new(ServerFrame::Refused { id: name, game: about, fault }));
        }
    }
}
