//! A tab's line to the server, as the pages keep it: opened again when it breaks, with what was
//! watched; what was asked for and not answered is asked for again under the same id.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use anyhow::{Context, Result};
use futures_util::{SinkExt, StreamExt};
use oware_server::wire::{Action, ClientFrame, Fault, ServerFrame};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;

use crate::http::{Visitor, connect};
use crate::journal::{Journal, Taken};
use crate::random::Random;

/// The socket as clients have it.
pub type Socket = WebSocketStream<TcpStream>;

/// How long a line waits for what.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// From ping to ping.
    pub ping: Duration,
    /// Nothing heard for so long after a ping: the line is dead.
    pub silence: Duration,
    /// An action without an answer is sent again.
    pub resend: Duration,
    /// Nothing new in a watched game: it is asked for again.
    pub look_again: Duration,
    /// Before the line is opened again, the first time, the second and so on.
    pub backoff: [Duration; 4],
}

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

impl Patience {
    /// That of the pages.
    pub const PAGES: Patience = Patience {
        ping: ms(2_500),
        silence: ms(6_500),
        resend: ms(2_500),
        look_again: ms(60_000),
        backoff: [ms(300), ms(1_000), ms(2_000), ms(5_000)],
    };
    /// About eight times less, so that a test sees as many faults in an eighth of the time.
    pub const HASTY: Patience = Patience {
        ping: ms(400),
        silence: ms(1_000),
        resend: ms(400),
        look_again: ms(1_000),
        backoff: [ms(40), ms(120), ms(250), ms(500)],
    };
}

/// What a line went through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Times it was open.
    pub opened: u32,
    /// Times it was given up because nothing was heard.
    pub silent: u32,
    /// Actions sent again.
    pub resent: u32,
    /// Events that came before one that was missing.
    pub gaps: u32,
    /// Events that came again.
    pub doubles: u32,
    /// Frames received.
    pub frames: u64,
}

/// What a line tells.
#[derive(Debug)]
pub enum News {
    /// A watched game has changed.
    Changed(String),
    /// An action is committed, as this event; asked for so long ago.
    Acked {
        /// The action.
        id: String,
        /// The event.
        seq: u32,
        /// From the first time it was sent.
        after: Duration,
    },
    /// An action was refused.
    Refused {
        /// The action.
        id: String,
        /// Why.
        fault: Fault,
    },
    /// Another frame.
    Frame(Box<ServerFrame>),
    /// The line broke, with the code of the closing frame if there was one.
    Lost(Option<u16>),
}

#[derive(Debug)]
struct Asked {
    text: String,
    first: Instant,
    last: Instant,
}

#[derive(Debug)]
struct Watched {
    journal: Option<Journal>,
    heard: Instant,
}

/// A tab's line to the server.
#[derive(Debug)]
pub struct Line {
    visitor: Visitor,
    patience: Patience,
    random: Random,
    socket: Option<Socket>,
    open_at: Instant,
    tries: usize,
    heard: Instant,
    pinged: Option<Instant>,
    ping_at: Instant,
    n: u32,
    watched: BTreeMap<String, Watched>,
    asked: BTreeMap<String, Asked>,
    news: VecDeque<News>,
    /// What it went through.
    pub tally: Tally,
    /// What the server sent and no client understands.
    pub unreadable: Vec<String>,
}

/// Opens a visitor's socket.
///
/// # Errors
/// When it is refused.
pub async fn open(visitor: &Visitor) -> Result<Socket> {
    let mut request = format!("ws://{}/api/v1/socket", visitor.to).into_client_request()?;
    let headers = request.headers_mut();
    if let Some(cookie) = &visitor.cookie {
        headers.insert("cookie", HeaderValue::from_str(cookie)?);
    }
    headers.insert("origin", HeaderValue::from_str(&format!("http://{}", visitor.to))?);
    let stream = connect(visitor.from, visitor.to).await?;
    let (socket, _) = tokio_tungstenite::client_async(request, stream).await?;
    Ok(socket)
}

impl Line {
    /// A line that will be opened.
    #[must_use]
    pub fn new(visitor: Visitor, patience: Patience, random: Random) -> Line {
        let now = Instant::now();
        Line {
            visitor,
            patience,
            random,
            socket: None,
            open_at: now,
            tries: 0,
            heard: now,
            pinged: None,
            ping_at: now,
            n: 0,
            watched: BTreeMap::new(),
            asked: BTreeMap::new(),
            news: VecDeque::new(),
            tally: Tally::default(),
            unreadable: Vec::new(),
        }
    }

    /// Watches a game from now on.
    pub async fn watch(&mut self, game: &str) {
        let watched = Watched { journal: None, heard: Instant::now() };
        self.watched.insert(game.to_owned(), watched);
        self.look_again(game).await;
    }

    /// What is known of a game, once something is.
    #[must_use]
    pub fn journal(&self, game: &str) -> Option<&Journal> {
        self.watched.get(game)?.journal.as_ref()
    }

    /// Whether an action has not been answered yet.
    #[must_use]
    pub fn waits(&self) -> bool {
        !self.asked.is_empty()
    }

    /// Does something, and again until it is answered.
    pub async fn act(&mut self, game: &str, id: &str, action: Action) {
        let frame = ClientFrame::Act { id: id.to_owned(), game: game.to_owned(), action };
        let text = serde_json::to_string(&frame).unwrap_or_default();
        let now = Instant::now();
        self.asked.insert(id.to_owned(), Asked { text: text.clone(), first: now, last: now });
        self.send(text).await;
    }

    /// Lets go of the line, as when the network changed.
    pub fn cut(&mut self) {
        if self.socket.take().is_some() {
            self.lost(None);
        }
    }

    /// The next thing that happens.
    pub async fn next(&mut self) -> News {
        loop {
            if let Some(news) = self.news.pop_front() {
                return news;
            }
            let due = self.due();
            let Some(socket) = &mut self.socket else {
                sleep_until(self.open_at).await;
                self.connect().await;
                continue;
            };
            tokio::select! {
                message = socket.next() => self.receive(message).await,
                () = sleep_until(due) => self.look().await,
            }
        }
    }

    async fn connect(&mut self) {
        // Before the next await, so that a caller who gives up waiting does not try at once again.
        let wait = self.patience.backoff[self.tries.min(3)];
        self.tries += 1;
        let spread = wait.mul_f64(0.7 + 0.6 * self.random.unit());
        self.open_at = Instant::now() + spread;
        let Ok(Ok(socket)) = timeout(self.patience.silence, open(&self.visitor)).await else {
            return;
        };
        self.socket = Some(socket);
        self.tally.opened += 1;
        let now = Instant::now();
        (self.heard, self.pinged, self.ping_at) = (now, None, now);
        let games: Vec<String> = self.watched.keys().cloned().collect();
        for game in games {
            self.look_again(&game).await;
        }
        let texts: Vec<String> = self
            .asked
            .values_mut()
            .map(|asked| {
                asked.last = now;
                asked.text.clone()
            })
            .collect();
        self.tally.resent += u32::try_from(texts.len()).unwrap_or(u32::MAX);
        for text in texts {
            self.send(text).await;
        }
    }

    fn lost(&mut self, code: Option<u16>) {
        self.socket = None;
        self.news.push_back(News::Lost(code));
    }

    async fn send(&mut self, text: String) {
        let Some(socket) = &mut self.socket else { return };
        let sent = timeout(self.patience.silence, socket.send(Message::text(text))).await;
        if !matches!(sent, Ok(Ok(()))) {
            self.lost(None);
        }
    }

    async fn look_again(&mut self, game: &str) {
        let Some(watched) = self.watched.get_mut(game) else { return };
        watched.heard = Instant::now();
        let seq = watched.journal.as_ref().map(|journal| journal.view.seq);
        let frame = ClientFrame::Watch { game: game.to_owned(), seq };
        self.send(serde_json::to_string(&frame).unwrap_or_default()).await;
    }

    /// When something has to be looked after.
    fn due(&self) -> Instant {
        let silent = self.pinged.map(|_| self.heard + self.patience.silence);
        let resend = self.asked.values().map(|asked| asked.last + self.patience.resend).min();
        let again = self.watched.values().map(|one| one.heard + self.patience.look_again).min();
        let others = [silent, resend, again].into_iter().flatten();
        others.min().map_or(self.ping_at, |other| other.min(self.ping_at))
    }

    async fn look(&mut self) {
        let now = Instant::now();
        if self.pinged.is_some() && now >= self.heard + self.patience.silence {
            self.tally.silent += 1;
            self.lost(None);
            return;
        }
        let late: Vec<String> = self
            .asked
            .values_mut()
            .filter(|asked| now >= asked.last + self.patience.resend)
            .map(|asked| {
                asked.last = now;
                asked.text.clone()
            })
            .collect();
        self.tally.resent += u32::try_from(late.len()).unwrap_or(u32::MAX);
        for text in late {
            self.send(text).await;
        }
        let quiet =
            self.watched.iter().filter(|(_, one)| now >= one.heard + self.patience.look_again);
        let quiet: Vec<String> = quiet.map(|(game, _)| game.clone()).collect();
        for game in quiet {
            self.look_again(&game).await;
        }
        if now >= self.ping_at {
            self.n += 1;
            self.ping_at = now + self.patience.ping;
            if self.pinged.is_none() {
                self.pinged = Some(now);
                // What was heard long ago says nothing of the line now.
                self.heard = now;
            }
            let frame = ClientFrame::Ping { n: self.n };
            self.send(serde_json::to_string(&frame).unwrap_or_default()).await;
        }
    }

    async fn receive(
        &mut self,
        message: Option<Result<Message, tokio_tungstenite::tungstenite::Error>>,
    ) {
        match message {
            Some(Ok(Message::Text(text))) => {
                self.tally.frames += 1;
                self.heard = Instant::now();
                match serde_json::from_str(&text).with_context(|| text.to_string()) {
                    Ok(frame) => self.take(frame).await,
                    Err(error) => self.unreadable.push(format!("{error:#}")),
                }
            }
            Some(Ok(Message::Close(close))) => {
                self.lost(close.map(|close| close.code.into()));
            }
            Some(Ok(_)) => self.heard = Instant::now(),
            Some(Err(_)) | None => self.lost(None),
        }
    }

    async fn take(&mut self, frame: ServerFrame) {
        match frame {
            ServerFrame::Hello { .. } => self.tries = 0,
            ServerFrame::Pong { .. } => self.pinged = None,
            ServerFrame::Ack { id, seq, .. } => {
                if let Some(asked) = self.asked.remove(&id) {
                    self.news.push_back(News::Acked { id, seq, after: asked.first.elapsed() });
                }
            }
            ServerFrame::Refused { id: Some(id), fault, .. } => {
                if self.asked.remove(&id).is_some() {
                    self.news.push_back(News::Refused { id, fault });
                }
            }
            ServerFrame::Snapshot { game: view } => {
                let Some(watched) = self.watched.get_mut(&view.id) else { return };
                watched.heard = Instant::now();
                self.news.push_back(News::Changed(view.id.clone()));
                match &mut watched.journal {
                    Some(journal) => journal.see(*view),
                    None => watched.journal = Some(Journal::new(*view)),
                }
            }
            ServerFrame::Event { game, event } => {
                let Some(watched) = self.watched.get_mut(&game) else { return };
                // Without a view first an event says nothing; the view is on its way.
                let Some(journal) = &mut watched.journal else { return };
                match journal.take(*event) {
                    Taken::New => {
                        watched.heard = Instant::now();
                        self.news.push_back(News::Changed(game));
                    }
                    Taken::Old => self.tally.doubles += 1,
                    Taken::Gap => {
                        self.tally.gaps += 1;
                        self.look_again(&game).await;
                    }
                }
            }
            other => self.news.push_back(News::Frame(Box::new(other))),
        }
    }
}
