//! The computer at the table: it thinks on the blocking pool, moves through the same door as
//! everybody, and answers offers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use oware_app::{Computer, Control, Level};
use oware_rules::{Game, Side};

use super::hub::Hub;
use super::table::{Live, Table};
use crate::clock::Millis;
use crate::game::{Actor, Decision, Refusal, Request};
use crate::store::SeatRow;
use crate::wire::{Action, OfferKind};

/// With a clock the computer uses at most this part of what it has left on a move.
const PART: Millis = 25;
/// The least it may think with a clock.
const LEAST: Millis = 30;
/// How long it waits when its move could not be written.
const AGAIN: Duration = Duration::from_millis(500);

/// What it needs to find a move.
struct Task {
    computer: Computer,
    side: Side,
    game: Game,
    control: Arc<Control>,
    /// How long the person waits for the move at least.
    pause: Duration,
    /// After how long it must stop searching.
    limit: Option<Duration>,
}

fn computer_of(seat: &SeatRow) -> Option<Computer> {
    match seat {
        SeatRow::Computer { level, seed } => Some(Computer::new(Level::new(*level)?, *seed)),
        _ => None,
    }
}

fn millis(time: Millis) -> Duration {
    Duration::from_millis(time.max(0).unsigned_abs())
}

impl Hub {
    /// Lets the computer think if it is its turn and it does not think yet.
    pub(super) fn think(&self, table: &Arc<Table>, live: &mut Live) {
        if live.thinking.is_some() || self.stop.is_cancelled() {
            return;
        }
        let Some(side) = live.state.to_move() else { return };
        let Some(computer) = computer_of(live.state.seat(side)) else { return };
        let control = Arc::new(Control::new());
        let now = self.clock.now();
        let clocks = live.state.clocks().filter(|clocks| clocks.running().is_some());
        let limit = clocks.map(|clocks| (clocks.left(now)[side.index()] / PART).max(LEAST));
        let pause = self.pause(&live.state.game().position().to_string());
        let task = Task {
            computer,
            side,
            game: live.state.game().clone(),
            control: Arc::clone(&control),
            pause: limit.map_or(pause, |limit| pause.min(millis(limit))),
            limit: limit.map(millis),
        };
        live.thinking = Some(control);
        let (hub, table) = (self.clone(), Arc::clone(table));
        self.tasks.spawn(async move { hub.think_on(&table, task).await });
    }

    /// How long the move is waited for: drawn from the position, between the two bounds.
    fn pause(&self, position: &str) -> Duration {
        let (least, most) = self.settings.think_ms;
        let drawn = position.bytes().fold(7_u64, |sum, byte| sum * 31 % 9_973 + u64::from(byte));
        let spread = most.saturating_sub(least);
        // Mostly short: people do not want to wait for every move.
        let part = (drawn % 100) * (drawn % 100);
        Duration::from_millis(least + spread * part / 10_000)
    }

    async fn think_on(&self, table: &Arc<Table>, task: Task) {
        let begun = Instant::now();
        let Task { computer, side, game, control, pause, limit } = task;
        let ply = u32::try_from(game.plies().len() + 1).unwrap_or(u32::MAX);
        let tables = self.settings.tables.clone();
        let Some(place) = self.place().await else { return };
        let searching = Arc::clone(&control);
        let search = tokio::task::spawn_blocking(move || {
            let _place = place;
            // Opening tables reads files.
            let knowledge = tables.and_then(|tables| tables(game.rules()));
            computer.choose(&game, knowledge.as_ref(), &searching)
        });
        let alarm = async {
            match limit {
                Some(limit) => tokio::time::sleep(limit.saturating_sub(begun.elapsed())).await,
                None => std::future::pending().await,
            }
        };
        let mut search = std::pin::pin!(search);
        let choice = tokio::select! {
            choice = &mut search => choice,
            () = alarm => { control.stop(); search.await }
        };
        let Ok(Some(choice)) = choice else { return };
        tokio::select! {
            () = tokio::time::sleep(pause.saturating_sub(begun.elapsed())) => {}
            () = self.stop.cancelled() => return,
        }
        let house = choice.house.to_string();
        let action = Action::Move { ply, house, lag_ms: None };
        loop {
            match self.act_as_computer(table, side, &action, Some(&control)).await {
                Err(Refusal::Internal | Refusal::Busy) if !self.stop.is_cancelled() => {
                    tokio::time::sleep(AGAIN).await;
                }
                _ => return,
            }
        }
    }

    /// Does something as the computer. With a search, only while that is the one that counts.
    async fn act_as_computer(
        &self,
        table: &Arc<Table>,
        side: Side,
        action: &Action,
        search: Option<&Arc<Control>>,
    ) -> Result<u32, Refusal> {
        let mut guard = self.load(table).await?;
        let live = guard.as_mut().ok_or(Refusal::NotFound)?;
        if let Some(search) = search
            && !live.thinking.as_ref().is_some_and(|current| Arc::ptr_eq(current, search))
        {
            return Err(Refusal::Changed);
        }
        let request = Request {
            actor: Actor::Computer(side),
            id: None,
            action,
            lag: None,
            claim_at: [None; 2],
            account: false,
        };
        match live.state.decide(&request, self.clock.now())? {
            Decision::Do(events) => self.commit(table, live, events, None).await,
            Decision::Done(seq) => Ok(seq),
            Decision::TooLate(events) => self.commit(table, live, events, None).await,
        }
    }

    /// Lets the computer answer an offer.
    pub(super) fn consider(&self, table: &Arc<Table>, live: &Live, by: Side, offer: OfferKind) {
        let me = by.other();
        let kind = match offer {
            OfferKind::Draw => oware_rules::OfferKind::Draw,
            OfferKind::Loop => oware_rules::OfferKind::Loop,
            // Granted when it is asked for.
            OfferKind::Takeback => return,
        };
        let Some(computer) = computer_of(live.state.seat(me)) else { return };
        let game = live.state.game().clone();
        let pause = self.pause(&game.position().to_string());
        let (hub, table) = (self.clone(), Arc::clone(table));
        self.tasks.spawn(async move {
            let begun = Instant::now();
            let Some(place) = hub.place().await else { return };
            let weighed = tokio::task::spawn_blocking(move || {
                let _place = place;
                computer.accepts(&game, me, kind, &Control::new())
            });
            let accepts = weighed.await.unwrap_or(false);
            tokio::select! {
                () = tokio::time::sleep(pause.saturating_sub(begun.elapsed())) => {}
                () = hub.stop.cancelled() => return,
            }
            let action = if accepts { Action::Accept } else { Action::Decline };
            // If the game has moved on there is no offer any more, and nothing to answer.
            let _ = hub.act_as_computer(&table, me, &action, None).await;
        });
    }
}
