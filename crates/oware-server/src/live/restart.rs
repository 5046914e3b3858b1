//! Coming back after a stop: all games go on, and no player pays for the time in between.

use std::time::Duration;

use futures_util::StreamExt;

use super::hub::{Hub, internal};
use crate::clock::Millis;
use crate::game::Refusal;
use crate::store::{GameRow, Stored};
use crate::wire::{Status, TimeControl};

/// The value that says when the server was last alive.
const HEARTBEAT: &str = "heartbeat";
/// How often it is written.
const BEAT: Duration = Duration::from_secs(2);
/// Games that are taken up at the same time, so that their writes share commits.
const AT_ONCE: usize = 64;

impl Hub {
    /// Takes up all games that are not over, and begins to note that the server is alive.
    /// Must be done before anybody is let in.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn take_up(&self) -> Stored<usize> {
        let now = self.clock.now();
        let noted = self.store.value(HEARTBEAT).await?;
        let alive = noted.and_then(|text| text.parse().ok()).unwrap_or(now);
        let rows = self.store.unfinished().await?;
        let count = rows.len();
        let shifts = rows.into_iter().map(|row| self.take_up_one(row, alive, now));
        let mut shifts = futures_util::stream::iter(shifts).buffer_unordered(AT_ONCE);
        while let Some(done) = shifts.next().await {
            if let Err((game, refusal)) = done {
                tracing::error!("game {game} was not taken up: {refusal}");
            }
        }
        drop(shifts);
        self.beat().await;
        let hub = self.clone();
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    () = tokio::time::sleep(BEAT) => hub.beat().await,
                    () = hub.stop.cancelled() => return,
                }
            }
        });
        Ok(count)
    }

    async fn take_up_one(
        &self,
        row: GameRow,
        alive: Millis,
        now: Millis,
    ) -> Result<(), (String, Refusal)> {
        self.secrets.note_row(&row);
        let runs = row.status == Status::Playing && row.time != TimeControl::Unlimited;
        if !runs {
            return Ok(());
        }
        self.shift(&row.id, alive, now).await.map_err(|refusal| (row.id, refusal))
    }

    async fn shift(&self, id: &str, alive: Millis, now: Millis) -> Result<(), Refusal> {
        let table = self.table(id);
        // Not through `load`, which would let a time be over that is about to be shifted.
        let mut guard = table.live.lock().await;
        let live = guard.insert(self.read(id).await?);
        self.settings.metrics.games.inc();
        match live.state.shifted(alive, now) {
            Some(event) => {
                self.commit(&table, live, vec![event], None).await?;
            }
            None => {
                self.timers.set(id, live.state.wakes_at());
                self.think(&table, live);
            }
        }
        self.note_absent(live);
        Ok(())
    }

    /// Notes that the server is alive.
    pub(super) async fn beat(&self) {
        let now = self.clock.now().to_string();
        if let Err(error) = self.store.set_value(HEARTBEAT, Some(&now)).await {
            let _ = internal(error);
        }
    }
}
