//! From decided events to committed ones: written, applied, shown.

use std::sync::Arc;

use super::faces::player;
use super::hub::{Hub, has_computer, internal};
use super::line::Sent;
use super::table::{Live, Table};
use crate::clock::Millis;
use crate::game::{self, Event, GameState, Refusal, Stamped, pace};
use crate::ids;
use crate::store::{Door, GameRow, Rate, Write, WriteRefused, Written};
use crate::view;
use crate::wire::{GameEvent, Happening, ServerFrame, Status};

/// What is about to be written.
struct Draft {
    state: GameState,
    stamped: Vec<Stamped>,
    told: Vec<GameEvent>,
    follower: Option<GameRow>,
}

impl Hub {
    /// Writes events, applies them and shows them. The answer is the number of the first.
    pub(super) async fn commit(
        &self,
        table: &Arc<Table>,
        live: &mut Live,
        events: Vec<Event>,
        action: Option<(String, String)>,
    ) -> Result<u32, Refusal> {
        if let Some(Event::Joined { side, player }) = events.first() {
            self.meet(live, view::side_of(*side), player).await?;
        }
        let now = self.clock.now().max(live.state.row().updated_at);
        let draft = draft(live, events, action, now).map_err(|damaged| {
            tracing::error!("a decision that cannot be applied: {damaged}");
            Refusal::Internal
        })?;
        let first = live.state.seq() + 1;
        match self.write(&live.state, &draft).await? {
            Ok(written) => {
                self.settle(table, live, draft, &written);
                Ok(first)
            }
            Err(WriteRefused::Repeated(seq)) => {
                // It was written, and the answer was lost on its way from the store: the memory
                // does not know of it yet.
                self.reload(table, live).await?;
                Ok(seq)
            }
            Err(WriteRefused::Conflict) => {
                self.reload(table, live).await?;
                Err(Refusal::Changed)
            }
        }
    }

    async fn write(
        &self,
        before: &GameState,
        draft: &Draft,
    ) -> Result<Result<Written, WriteRefused>, Refusal> {
        let back = draft.stamped.iter().find_map(|stamped| match stamped.event {
            Event::TakenBack { plies, .. } => Some(plies),
            _ => None,
        });
        let mut writes = vec![Write::Append {
            row: Box::new(draft.state.row().clone()),
            events: draft.stamped.iter().map(Stamped::row).collect(),
            retract_from: back.map(|plies| before.row().plies - plies + 1),
            rate: rate(before, &draft.state),
        }];
        // The game that follows is begun by the same commit, so that no match is left hanging.
        let follower = draft.follower.iter();
        writes.extend(follower.map(|row| Write::Create(Box::new(row.clone()), Vec::new())));
        let mut results = self.writer.write(writes).await?.into_iter();
        results.next().ok_or(Refusal::Internal)
    }

    /// Takes over what was written, and shows it.
    fn settle(&self, table: &Arc<Table>, live: &mut Live, draft: Draft, written: &Written) {
        let Draft { state, stamped, mut told, follower } = draft;
        let before = std::mem::replace(&mut live.state, state);
        if let Some(changes) = written.ratings {
            live.faces.set_rating_change(changes);
            for event in &mut told {
                if let Happening::Ended { rating_change, .. } = &mut event.what {
                    *rating_change = live.faces.rating_change();
                }
            }
        }
        let moves = stamped.iter().filter(|one| matches!(one.event, Event::Moved { .. })).count();
        self.settings.metrics.moves.inc_by(moves as u64);
        told.into_iter().for_each(|event| live.show(event));
        self.timers.set(&table.id, live.state.wakes_at());
        self.secrets.note(&live.state);
        if before.row().status != live.state.row().status {
            self.note_absent(live);
            if before.row().door == Door::Lobby {
                self.lobby.changed();
            }
        }
        let turned = before.to_move() != live.state.to_move()
            || before.row().plies != live.state.row().plies;
        if turned {
            if let Some(thinking) = live.thinking.take() {
                thinking.stop();
            }
            self.tell_turn(live.state.row());
        }
        self.think(table, live);
        if let (Some((by, offer)), true) = (live.state.offer(), has_computer(&live.state))
            && before.offer() != live.state.offer()
        {
            self.consider(table, live, by, offer);
        }
        if let Some(row) = follower {
            self.begin(&row);
        }
    }

    /// A game was created that is played already.
    pub(super) fn begin(&self, row: &GameRow) {
        self.tell_turn(row);
        let (hub, id) = (self.clone(), row.id.clone());
        // Loading sets its times and lets the computer think.
        self.tasks.spawn(async move {
            let table = hub.table(&id);
            let _ = hub.load(&table).await;
        });
    }

    /// Tells the players of a game, wherever they are on the site, whose turn it is.
    pub(super) fn tell_turn(&self, row: &GameRow) {
        let to_move = (row.status == Status::Playing).then(|| view::side(row.to_move));
        let sent = Sent::new(ServerFrame::Turn { game: row.id.clone(), to_move });
        let mut players: Vec<&String> = row.seats.iter().filter_map(player).collect();
        if let Door::Player(asked) = &row.door {
            players.push(asked);
        }
        players.sort_unstable();
        players.dedup();
        for player in players {
            self.lines.of_player(player).iter().for_each(|line| line.send(&sent));
        }
    }

    /// The name and rating of who joins.
    async fn meet(
        &self,
        live: &mut Live,
        side: oware_rules::Side,
        player: &str,
    ) -> Result<(), Refusal> {
        let mut row = live.state.row().clone();
        row.seats[side.index()] = crate::store::SeatRow::Player(player.to_owned());
        let faces = self.faces(&row).await.map_err(internal)?;
        live.faces.faces = faces.faces;
        Ok(())
    }

    /// The store knows more than the memory: that is read anew, and everybody sees it.
    async fn reload(&self, table: &Arc<Table>, live: &mut Live) -> Result<(), Refusal> {
        tracing::warn!("game {} was changed by somebody else", table.id);
        let fresh = self.read(&table.id).await?;
        if let Some(thinking) = live.thinking.take() {
            thinking.stop();
        }
        live.state = fresh.state;
        live.faces.faces = fresh.faces.faces;
        live.recent.clear();
        let now = self.clock.now();
        for line in &live.watchers {
            let game = Box::new(live.state.view(&live.faces, Some(&line.player), now));
            line.send(&Sent::new(ServerFrame::Snapshot { game }));
        }
        self.timers.set(&table.id, live.state.wakes_at());
        self.think(table, live);
        Ok(())
    }
}

fn draft(
    live: &Live,
    events: Vec<Event>,
    action: Option<(String, String)>,
    now: Millis,
) -> Result<Draft, game::Damaged> {
    let state = live.state.clone();
    let mut draft = Draft { state, stamped: Vec::new(), told: Vec::new(), follower: None };
    let mut action = action;
    for event in events {
        draft.push(live, event, action.take(), now)?;
    }
    let follow = if draft.state.goes_on() {
        Some(false)
    } else {
        draft.state.wants_rematch().then_some(true)
    };
    if let Some(rematch) = follow {
        let id = ids::game();
        let row = if rematch {
            game::rematch(&draft.state, id.clone(), ids::game(), super::create::seed(), now)
        } else {
            game::next_in_match(&draft.state, id.clone(), super::create::seed(), now)
        };
        draft.follower = Some(row);
        draft.push(live, Event::Next { game: id, rematch }, None, now)?;
    }
    Ok(draft)
}

impl Draft {
    fn push(
        &mut self,
        live: &Live,
        event: Event,
        action: Option<(String, String)>,
        at: Millis,
    ) -> Result<(), game::Damaged> {
        let stamped = Stamped { seq: self.state.seq() + 1, at, action, event };
        self.state.apply(&stamped)?;
        self.told.extend(self.state.tell(&stamped, &live.faces));
        self.stamped.push(stamped);
        Ok(())
    }
}

/// What is to be rated when a game ends.
fn rate(before: &GameState, after: &GameState) -> Option<Rate> {
    let row = after.row();
    let ends = before.row().status != Status::Over && row.status == Status::Over;
    if !ends || !row.rated || after.is_aborted() {
        return None;
    }
    let ending = row.ending.as_ref()?;
    let [south, north] = &row.seats;
    let south_gets = match ending.winner {
        Some(crate::wire::Side::South) => 1.0,
        Some(crate::wire::Side::North) => 0.0,
        None => 0.5,
    };
    Some(Rate {
        pace: pace(row.time)?,
        players: [player(south)?.clone(), player(north)?.clone()],
        south: south_gets,
    })
}
