//! Who is there: watching, leaving, and being away so long that the other may claim the game.

use std::sync::Arc;

use oware_rules::Side;

use super::faces::player;
use super::hub::{Hub, check_game_id};
use super::line::{Line, Sent};
use super::table::Live;
use crate::clock::Millis;
use crate::game::Refusal;
use crate::wire::ServerFrame;

/// After how long a player who left may be held to have gone, and one whose line was lost.
const LEFT: Millis = 10_000;
const LOST: Millis = 40_000;
/// Games that one tab may watch.
const WATCHED: usize = 50;
/// Above so many watchers only every tenth change of their number is told.
const CROWD: u32 = 20;

impl Hub {
    /// Lets a tab see a game from now on, after what it has seen already: the events since
    /// then, or the whole game.
    ///
    /// # Errors
    /// When there is no such game, or the tab watches too many.
    pub async fn watch(
        &self,
        line: &Arc<Line>,
        game: &str,
        seq: Option<u32>,
    ) -> Result<(), Refusal> {
        check_game_id(game)?;
        if line.watched().len() >= WATCHED {
            return Err(Refusal::TooMany("one tab may watch at most 50 games"));
        }
        let table = self.table(game);
        let mut guard = self.load(&table).await?;
        let live = guard.as_mut().ok_or(Refusal::NotFound)?;
        live.watchers.retain(|other| other.number != line.number);
        live.watchers.push(Arc::clone(line));
        line.note_watched(game, true);
        let changed = self.look_who_is_there(live, LOST);
        match seq.and_then(|seq| live.since(seq)) {
            Some(missed) => missed.iter().for_each(|sent| line.send(sent)),
            None => {
                let now = self.clock.now();
                let game = Box::new(live.state.view(&live.faces, Some(&line.player), now));
                line.send(&Sent::new(ServerFrame::Snapshot { game }));
            }
        }
        let present = presence(live);
        if changed {
            live.broadcast(&present);
        } else {
            line.send(&present);
        }
        Ok(())
    }

    /// A tab does not want to see a game any longer: its player leaves.
    pub async fn unwatch(&self, line: &Line, game: &str) {
        if line.note_watched(game, false) {
            self.leave(line, game, LEFT).await;
        }
    }

    /// A line is gone.
    pub async fn close_line(&self, line: &Line) {
        if !self.lines.close(line) {
            return;
        }
        self.settings.metrics.sockets.dec();
        self.lobby.leave(line);
        self.lobby.people_changed();
        for game in line.watched() {
            self.leave(line, &game, LOST).await;
        }
    }

    async fn leave(&self, line: &Line, game: &str, claim_after: Millis) {
        let table = self.table(game);
        let mut guard = table.live.lock().await;
        let Some(live) = guard.as_mut() else { return };
        live.watchers.retain(|other| other.number != line.number);
        self.refresh(live, claim_after);
    }

    /// Looks who is there, and tells all who watch if that has changed.
    fn refresh(&self, live: &mut Live, claim_after: Millis) {
        if self.look_who_is_there(live, claim_after) {
            live.broadcast(&presence(live));
        }
    }

    /// Looks who is there; whether something has changed that is worth telling.
    fn look_who_is_there(&self, live: &mut Live, claim_after: Millis) -> bool {
        let before = (live.faces.online, live.faces.claim_at, live.faces.watchers);
        live.faces.online = Side::BOTH.map(|side| {
            let sits = player(live.state.seat(side));
            live.watchers.iter().any(|line| Some(&line.player) == sits)
        });
        let state = &live.state;
        let strangers =
            live.watchers.iter().filter(|line| state.sides_of(&line.player) == [false; 2]);
        live.faces.watchers = u32::try_from(strangers.count()).unwrap_or(u32::MAX);
        self.set_claims(live, claim_after);
        let faces = &live.faces;
        let sides = (faces.online, faces.claim_at) != (before.0, before.1);
        let crowd = faces.watchers != before.2
            && (faces.watchers <= CROWD || faces.watchers.is_multiple_of(10));
        sides || crowd
    }

    fn set_claims(&self, live: &mut Live, claim_after: Millis) {
        let claimable = live.state.is_claimable();
        for side in [0, 1] {
            let there = live.faces.online[side];
            let claim_at = &mut live.faces.claim_at[side];
            if there || !claimable {
                *claim_at = None;
            } else if claim_at.is_none() {
                *claim_at = Some(self.clock.now() + claim_after);
            }
        }
    }

    /// A game begins, ends, or comes into memory: whoever is not there is away from now on.
    pub(super) fn note_absent(&self, live: &mut Live) {
        self.refresh(live, LOST);
    }

    /// A player without a socket has done something, and so is not away.
    pub(super) fn note_alive(&self, live: &mut Live, who: &str) {
        let now = self.clock.now();
        let sides = live.state.sides_of(who);
        for (side, claim_at) in live.faces.claim_at.iter_mut().enumerate() {
            if sides[side] && claim_at.is_some() {
                *claim_at = Some(now + LOST);
            }
        }
    }
}

fn presence(live: &Live) -> Arc<Sent> {
    Sent::new(ServerFrame::Presence {
        game: live.state.row().id.clone(),
        online: live.faces.online,
        claim_at: live.faces.claim_at,
        watchers: live.faces.watchers,
    })
}
