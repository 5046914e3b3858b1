//! The door through which everything comes that happens in a game.

use std::sync::Arc;

use super::hub::{Hub, Who, check_game_id, internal};
use super::table::Table;
use crate::clock::Millis;
use crate::game::{Actor, Decision, Refusal, Request};
use crate::store::{Door, Relation};
use crate::wire::Action;

impl Hub {
    /// Does something in a game. The answer is the number of the (first) event it caused, which
    /// is committed; for an action that was done before, it is the event's number then.
    ///
    /// What has begun is finished even if nobody waits for the answer any more.
    ///
    /// # Errors
    /// Why it is refused; nothing has changed then, but that a time that was over has been
    /// noted.
    pub async fn act(
        &self,
        who: &Who,
        game: &str,
        id: Option<&str>,
        action: Action,
        lag: Option<Millis>,
    ) -> Result<u32, Refusal> {
        check_game_id(game)?;
        if let Some(id) = id {
            check_action_id(id)?;
        }
        if self.stop.is_cancelled() {
            return Err(Refusal::Restarting);
        }
        let begun = std::time::Instant::now();
        let (hub, who, game) = (self.clone(), who.clone(), game.to_owned());
        let id = id.map(str::to_owned);
        let task = self.tasks.spawn(async move {
            let table = hub.table(&game);
            hub.act_at(&table, &who, id.as_deref(), &action, lag).await
        });
        let done = task.await.unwrap_or(Err(Refusal::Internal));
        let metrics = &self.settings.metrics;
        match &done {
            Ok(_) => metrics.ack_seconds.observe(begun.elapsed().as_secs_f64()),
            Err(_) => {
                metrics.refusals.inc();
            }
        }
        done
    }

    async fn act_at(
        &self,
        table: &Arc<Table>,
        who: &Who,
        id: Option<&str>,
        action: &Action,
        lag: Option<Millis>,
    ) -> Result<u32, Refusal> {
        let mut guard = self.load(table).await?;
        let live = guard.as_mut().ok_or(Refusal::NotFound)?;
        let mut account = who.account;
        if *action == Action::Join {
            self.check_not_blocked(live.state.row(), &who.player).await?;
            // The line may be older than the account.
            let row = self.store.player(&who.player).await.map_err(internal)?;
            account = row.is_some_and(|row| row.name.is_some());
        }
        let request = Request {
            actor: Actor::Player(&who.player),
            id,
            action,
            lag,
            claim_at: live.claim_at(),
            account,
        };
        let now = self.clock.now();
        match live.state.decide(&request, now)? {
            Decision::Done(seq) => Ok(seq),
            Decision::Do(events) if events.is_empty() => Ok(live.state.seq()),
            Decision::Do(events) => {
                let action = id.map(|id| (who.player.clone(), id.to_owned()));
                let seq = self.commit(table, live, events, action).await?;
                self.note_alive(live, &who.player);
                Ok(seq)
            }
            Decision::TooLate(events) => {
                self.commit(table, live, events, None).await?;
                Err(Refusal::Over)
            }
        }
    }

    /// Neither of two players may have blocked the other.
    pub(super) async fn check_not_blocked(
        &self,
        row: &crate::store::GameRow,
        player: &str,
    ) -> Result<(), Refusal> {
        let creator = row.creator.as_str();
        if creator == player || row.door == Door::Closed {
            return Ok(());
        }
        for (of, to) in [(creator, player), (player, creator)] {
            if self.store.relation(of, to, Relation::Blocks).await.map_err(internal)? {
                return Err(Refusal::Forbidden("one of you does not want to play the other"));
            }
        }
        Ok(())
    }

    /// A game's time has come.
    pub(super) async fn on_time(&self, id: &str) {
        let table = self.table(id);
        let Ok(mut guard) = self.load(&table).await else { return };
        let Some(live) = guard.as_mut().filter(|_| !self.stop.is_cancelled()) else { return };
        match live.state.timed_out(self.clock.now()) {
            Some(events) => {
                if self.commit(&table, live, events, None).await.is_err() {
                    // The store failed: the time stays over, and is noted a little later.
                    self.timers.set(id, Some(self.clock.now() + 1_000));
                }
            }
            None => self.timers.set(id, live.state.wakes_at()),
        }
    }
}

fn check_action_id(id: &str) -> Result<(), Refusal> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if (1..=40).contains(&id.len()) && id.bytes().all(plain) {
        return Ok(());
    }
    Err(Refusal::field("id", "expected 1 to 40 letters, digits, - and _"))
}
