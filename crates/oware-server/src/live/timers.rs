//! When each game next does something by itself: one task for all of them.

use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;
use std::time::Duration;

use tokio::sync::Notify;

use super::hub::Hub;
use super::line::locked;
use crate::clock::Millis;

/// How long the task sleeps at most.
const LONGEST: Millis = 30_000;

#[derive(Debug, Default)]
struct Due {
    by_time: BTreeSet<(Millis, String)>,
    by_game: HashMap<String, Millis>,
}

/// When each game next does something by itself.
#[derive(Debug, Default)]
pub(super) struct Timers {
    due: Mutex<Due>,
    changed: Notify,
}

impl Timers {
    /// Sets or removes a game's time.
    pub(super) fn set(&self, game: &str, at: Option<Millis>) {
        let mut due = locked(&self.due);
        let old = match at {
            Some(at) => due.by_game.insert(game.to_owned(), at),
            None => due.by_game.remove(game),
        };
        if old == at {
            return;
        }
        if let Some(old) = old {
            due.by_time.remove(&(old, game.to_owned()));
        }
        let first = due.by_time.first().map(|(first, _)| *first);
        if let Some(at) = at {
            due.by_time.insert((at, game.to_owned()));
            if first.is_none_or(|first| at < first) {
                self.changed.notify_one();
            }
        }
    }

    /// Lets the task look at the time again: for tests that move the clock by hand.
    pub(super) fn nudge(&self) {
        self.changed.notify_one();
    }

    fn take_due(&self, now: Millis) -> (Vec<String>, Millis) {
        let mut due = locked(&self.due);
        let mut games = Vec::new();
        while let Some((at, _)) = due.by_time.first()
            && *at <= now
        {
            if let Some((_, game)) = due.by_time.pop_first() {
                due.by_game.remove(&game);
                games.push(game);
            }
        }
        let next = due.by_time.first().map_or(now + LONGEST, |(at, _)| *at);
        (games, (next - now).clamp(1, LONGEST))
    }
}

/// Wakes games when their time has come, until the server stops.
pub(super) async fn run(hub: Hub) {
    loop {
        let (games, wait) = hub.timers.take_due(hub.clock.now());
        for game in games {
            let hub = hub.clone();
            hub.tasks.clone().spawn(async move { hub.on_time(&game).await });
        }
        let wait = Duration::from_millis(wait.unsigned_abs());
        tokio::select! {
            // The end first: what is due afterwards is the next server's.
            biased;
            () = hub.stop.cancelled() => return,
            () = hub.timers.changed.notified() => {}
            () = tokio::time::sleep(wait) => {}
        }
    }
}
