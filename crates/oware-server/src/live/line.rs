//! A line to one tab: what is sent to it waits in a bounded queue, and who reads too slowly is
//! let go, so that nobody holds up a game.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::clock::Millis;
use crate::wire::ServerFrame;

/// Frames that may wait for one tab.
const QUEUE: usize = 256;
/// Tabs of one session.
const PER_SESSION: usize = 30;
/// Tabs of one network: enough for a school.
const PER_NETWORK: usize = 1_000;

/// A frame; its text is made once for all who get it.
#[derive(Debug)]
pub struct Sent {
    /// What.
    pub frame: ServerFrame,
    text: OnceLock<Utf8Bytes>,
}

impl Sent {
    /// A frame to be sent.
    #[must_use]
    pub fn new(frame: ServerFrame) -> Arc<Sent> {
        Arc::new(Sent { frame, text: OnceLock::new() })
    }

    /// As JSON.
    ///
    /// # Panics
    /// Never: frames are plain data with keys of text.
    #[must_use]
    pub fn text(&self) -> Utf8Bytes {
        let json = || serde_json::to_string(&self.frame).expect("frames are plain data");
        self.text.get_or_init(|| json().into()).clone()
    }
}

/// Why a line is ended by the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goodbye {
    /// It does not keep up with what is sent.
    Slow,
    /// The server is started again.
    Restarting,
    /// The session was ended.
    Revoked,
    /// It sends too much that cannot be read.
    Unreadable,
}

impl Goodbye {
    /// A word for the closing frame.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Goodbye::Slow => "too slow",
            Goodbye::Restarting => "restarting",
            Goodbye::Revoked => "revoked",
            Goodbye::Unreadable => "too much that cannot be served",
        }
    }

    /// The code of the closing frame.
    #[must_use]
    pub const fn code(self) -> u16 {
        match self {
            Goodbye::Slow => 1013,
            Goodbye::Restarting => 1012,
            Goodbye::Revoked => 4001,
            Goodbye::Unreadable => 1008,
        }
    }
}

/// A line to one tab.
#[derive(Debug)]
pub struct Line {
    /// Its number, from 1.
    pub number: u64,
    /// The session.
    pub session: String,
    /// The player.
    pub player: String,
    network: IpAddr,
    queue: mpsc::Sender<Arc<Sent>>,
    goodbye: OnceLock<Goodbye>,
    ended: CancellationToken,
    lag: AtomicI64,
    watched: Mutex<HashSet<String>>,
}

/// Asks more of a lock than that it be whole: nothing is left half done under these.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Line {
    /// Sends a frame, or lets the line go if it does not keep up.
    pub fn send(&self, sent: &Arc<Sent>) {
        if self.queue.try_send(Arc::clone(sent)).is_err() {
            self.end(Goodbye::Slow);
        }
    }

    /// Ends the line; the first reason counts.
    pub fn end(&self, goodbye: Goodbye) {
        let _ = self.goodbye.set(goodbye);
        self.ended.cancel();
    }

    /// Waits until the server ends the line.
    pub async fn ended(&self) -> Goodbye {
        self.ended.cancelled().await;
        self.goodbye.get().copied().unwrap_or(Goodbye::Slow)
    }

    /// Notes the lag that the server measured, there and back.
    pub fn set_lag(&self, lag: Millis) {
        // A mean over the last few, so that a single hiccup is no credit.
        let old = self.lag.load(Ordering::Relaxed);
        let new = if old < 0 { lag } else { (3 * old + lag) / 4 };
        self.lag.store(new, Ordering::Relaxed);
    }

    /// The lag that the server measured, there and back, if it has.
    #[must_use]
    pub fn lag(&self) -> Option<Millis> {
        Some(self.lag.load(Ordering::Relaxed)).filter(|lag| *lag >= 0)
    }

    pub(super) fn note_watched(&self, game: &str, on: bool) -> bool {
        let mut watched = locked(&self.watched);
        if on { watched.insert(game.to_owned()) } else { watched.remove(game) }
    }

    /// Whether it watches any game.
    #[must_use]
    pub fn is_watching(&self) -> bool {
        !locked(&self.watched).is_empty()
    }

    pub(super) fn watched(&self) -> Vec<String> {
        locked(&self.watched).iter().cloned().collect()
    }
}

/// All lines.
#[derive(Debug, Default)]
pub(super) struct Lines {
    lists: Mutex<Lists>,
    next: AtomicU64,
}

/// The lines, found in several ways.
#[derive(Debug, Default)]
struct Lists {
    all: HashMap<u64, Arc<Line>>,
    by_player: HashMap<String, Vec<Arc<Line>>>,
    by_network: HashMap<IpAddr, usize>,
}

impl Lines {
    /// A new line; none if the session or the network has too many.
    pub(super) fn open(
        &self,
        session: &str,
        player: &str,
        network: IpAddr,
    ) -> Option<(Arc<Line>, mpsc::Receiver<Arc<Sent>>)> {
        let mut lists = locked(&self.lists);
        let of_network = lists.by_network.get(&network).copied().unwrap_or(0);
        let own = lists.by_player.get(player).map_or(&[][..], Vec::as_slice);
        let of_session = own.iter().filter(|line| line.session == session).count();
        if of_network >= PER_NETWORK || of_session >= PER_SESSION {
            return None;
        }
        let (queue, frames) = mpsc::channel(QUEUE);
        let line = Arc::new(Line {
            number: self.next.fetch_add(1, Ordering::Relaxed) + 1,
            session: session.to_owned(),
            player: player.to_owned(),
            network,
            queue,
            goodbye: OnceLock::new(),
            ended: CancellationToken::new(),
            lag: AtomicI64::new(-1),
            watched: Mutex::default(),
        });
        lists.by_network.insert(network, of_network + 1);
        lists.by_player.entry(player.to_owned()).or_default().push(Arc::clone(&line));
        lists.all.insert(line.number, Arc::clone(&line));
        Some((line, frames))
    }

    /// Takes a line off; whether it was there.
    pub(super) fn close(&self, line: &Line) -> bool {
        let mut lists = locked(&self.lists);
        if lists.all.remove(&line.number).is_none() {
            return false;
        }
        if let Some(count) = lists.by_network.get_mut(&line.network) {
            *count -= 1;
            if *count == 0 {
                lists.by_network.remove(&line.network);
            }
        }
        if let Some(own) = lists.by_player.get_mut(&line.player) {
            own.retain(|other| other.number != line.number);
            if own.is_empty() {
                lists.by_player.remove(&line.player);
            }
        }
        true
    }

    pub(super) fn of_player(&self, player: &str) -> Vec<Arc<Line>> {
        locked(&self.lists).by_player.get(player).cloned().unwrap_or_default()
    }

    pub(super) fn is_there(&self, player: &str) -> bool {
        locked(&self.lists).by_player.contains_key(player)
    }

    pub(super) fn all(&self) -> Vec<Arc<Line>> {
        locked(&self.lists).all.values().cloned().collect()
    }

    pub(super) fn count(&self) -> usize {
        locked(&self.lists).all.len()
    }
}
