//! The lobby: the games that anybody may join, shown to all who look, as they change.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::Notify;

use super::hub::{Hub, internal};
use super::line::{Line, Sent, locked};
use crate::game::{Faces, Refusal, summary};
use crate::store::{GameFilter, GameRow};
use crate::wire::{GameSummary, ServerFrame, TimeControl};

/// Changes within this time are shown together.
const TOGETHER: Duration = Duration::from_millis(200);
/// Games that are shown.
const SHOWN: u32 = 100;

/// Those who look at the lobby.
#[derive(Debug, Default)]
pub(super) struct Lobby {
    lookers: Mutex<HashMap<u64, Arc<Line>>>,
    stale: AtomicBool,
    changed: Notify,
}

impl Lobby {
    /// The open games have changed.
    pub(super) fn changed(&self) {
        self.stale.store(true, Ordering::Release);
        self.changed.notify_one();
    }

    /// Somebody came or went.
    pub(super) fn people_changed(&self) {
        if !locked(&self.lookers).is_empty() {
            self.changed();
        }
    }

    pub(super) fn leave(&self, line: &Line) {
        locked(&self.lookers).remove(&line.number);
    }

    fn lookers(&self) -> Vec<Arc<Line>> {
        locked(&self.lookers).values().cloned().collect()
    }
}

impl Hub {
    /// Shows a tab the lobby, now and as it changes.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn look_at_lobby(&self, line: &Arc<Line>) -> Result<(), Refusal> {
        locked(&self.lobby.lookers).insert(line.number, Arc::clone(line));
        if line.is_gone() {
            self.lobby.leave(line);
            return Ok(());
        }
        let open = self.open_games().await?;
        line.send(&self.lobby_for(&open, &line.player));
        Ok(())
    }

    /// A tab does not look at the lobby any longer.
    pub fn leave_lobby(&self, line: &Line) {
        self.lobby.leave(line);
    }

    /// The open games, as somebody sees them.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn seeks(&self, player: Option<&str>) -> Result<Vec<GameSummary>, Refusal> {
        let open = self.open_games().await?;
        Ok(open.iter().map(|(row, faces)| summary(row, faces, player)).collect())
    }

    /// Games that anybody may join and whose creator is there to play; those by days wait for
    /// the creator.
    async fn open_games(&self) -> Result<Vec<(GameRow, Faces)>, Refusal> {
        let filter = GameFilter { in_lobby: true, limit: SHOWN, ..GameFilter::default() };
        let mut rows = self.store.games(&filter).await.map_err(internal)?;
        rows.retain(|row| {
            matches!(row.time, TimeControl::Days { .. }) || self.lines.is_there(&row.creator)
        });
        let mut faces = self.faces_of_list(&rows).await.map_err(internal)?;
        for (faces, row) in faces.iter_mut().zip(&rows) {
            let sits = row.seats.each_ref().map(|seat| super::faces::player(seat));
            faces.online = sits.map(|id| id.is_some_and(|id| self.lines.is_there(id)));
        }
        Ok(rows.into_iter().zip(faces).collect())
    }

    fn lobby_for(&self, open: &[(GameRow, Faces)], player: &str) -> Arc<Sent> {
        let seeks = open.iter().map(|(row, faces)| summary(row, faces, Some(player)));
        let people = u32::try_from(self.lines.count()).unwrap_or(u32::MAX);
        Sent::new(ServerFrame::Lobby { seeks: seeks.collect(), people })
    }
}

/// Shows the lobby as it changes, until the server stops.
pub(super) async fn run(hub: Hub) {
    loop {
        tokio::select! {
            () = hub.lobby.changed.notified() => {}
            () = hub.stop.cancelled() => return,
        }
        tokio::time::sleep(TOGETHER).await;
        let lookers = hub.lobby.lookers();
        if !hub.lobby.stale.swap(false, Ordering::AcqRel) || lookers.is_empty() {
            continue;
        }
        match hub.open_games().await {
            Ok(open) => {
                for line in lookers {
                    line.send(&hub.lobby_for(&open, &line.player));
                }
            }
            Err(refusal) => tracing::warn!("the lobby is not shown: {refusal}"),
        }
    }
}
