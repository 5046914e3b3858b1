//! A game in memory, with those who look at it.

use std::collections::VecDeque;
use std::sync::Arc;

use oware_app::Control;

use super::line::{Line, Sent};
use crate::clock::Millis;
use crate::game::{Faces, GameState};
use crate::wire::GameEvent;

/// Events that are kept to fill the gaps of lines that were lost for a moment.
const RECENT: usize = 64;

/// The place of a game in memory; empty while it is only in the store.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) id: String,
    pub(super) live: tokio::sync::Mutex<Option<Live>>,
}

impl Table {
    pub(super) fn new(id: &str) -> Arc<Table> {
        Arc::new(Table { id: id.to_owned(), live: tokio::sync::Mutex::new(None) })
    }
}

/// A game in memory.
#[derive(Debug)]
pub(super) struct Live {
    pub(super) state: GameState,
    pub(super) faces: Faces,
    pub(super) watchers: Vec<Arc<Line>>,
    /// The last events as they were sent.
    pub(super) recent: VecDeque<(u32, Arc<Sent>)>,
    /// The search of the computer's next move.
    pub(super) thinking: Option<Arc<Control>>,
}

impl Live {
    pub(super) fn new(state: GameState, faces: Faces) -> Live {
        let (watchers, recent) = (Vec::new(), VecDeque::new());
        Live { state, faces, watchers, recent, thinking: None }
    }

    /// Sends to all who watch.
    pub(super) fn broadcast(&self, sent: &Arc<Sent>) {
        self.watchers.iter().for_each(|line| line.send(sent));
    }

    /// Shows an event to all who watch, and keeps it for those who come back.
    pub(super) fn show(&mut self, event: GameEvent) {
        let seq = event.seq;
        let game = self.state.row().id.clone();
        let frame = crate::wire::ServerFrame::Event { game, event: Box::new(event) };
        let sent = Sent::new(frame);
        self.broadcast(&sent);
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back((seq, sent));
    }

    /// What came after an event, if all of it is at hand.
    pub(super) fn since(&self, seq: u32) -> Option<Vec<Arc<Sent>>> {
        let missing = self.state.seq().checked_sub(seq)? as usize;
        let first = self.recent.len().checked_sub(missing)?;
        Some(self.recent.iter().skip(first).map(|(_, sent)| Arc::clone(sent)).collect())
    }

    /// Whether nobody looks and nothing is being done: the game can wait in the store.
    pub(super) fn is_idle(&self) -> bool {
        self.watchers.is_empty() && self.thinking.is_none()
    }

    /// When the side's absence can be claimed.
    pub(super) fn claim_at(&self) -> [Option<Millis>; 2] {
        self.faces.claim_at
    }
}
