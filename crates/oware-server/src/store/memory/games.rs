//! Games in memory: the same refusals, in the same order, as in a database.

use std::collections::HashSet;

use super::{Kept, Tables};
use crate::store::{
    Door, EventRow, GameFilter, GameRow, Rate, Rating, RatingChange, SeatRow, WriteRefused,
    Written, rate,
};
use crate::wire::Status;

impl Tables {
    pub(super) fn create(
        &mut self,
        row: &GameRow,
        events: &[EventRow],
    ) -> Result<Written, WriteRefused> {
        let sitting = row.seats.iter().filter_map(player);
        let asked = match &row.door {
            Door::Player(asked) => Some(asked),
            _ => None,
        };
        let mut people = sitting.chain(asked).chain([&row.creator]);
        let strangers = people.any(|id| !self.players.contains_key(id));
        if strangers || self.games.contains_key(&row.id) || !follows(0, row, events) {
            return Err(WriteRefused::Conflict);
        }
        let kept = Kept { row: row.clone(), events: events.to_vec(), ratings: Vec::new() };
        self.games.insert(row.id.clone(), kept);
        Ok(Written::default())
    }

    pub(super) fn append(
        &mut self,
        row: &GameRow,
        events: &[EventRow],
        retract_from: Option<u32>,
        rate: Option<&Rate>,
    ) -> Result<Written, WriteRefused> {
        let kept = self.games.get(&row.id).ok_or(WriteRefused::Conflict)?;
        for event in events {
            let same = |old: &&EventRow| event.action.is_some() && old.action == event.action;
            if let Some(old) = kept.events.iter().find(same) {
                return Err(WriteRefused::Repeated(old.seq));
            }
        }
        if !follows(kept.row.seq, row, events) {
            return Err(WriteRefused::Conflict);
        }
        let mut all = kept.events.clone();
        if let Some(from) = retract_from {
            let back = all.iter_mut().filter(|event| event.ply.is_some_and(|ply| ply >= from));
            back.for_each(|event| event.retracted = true);
        }
        all.extend_from_slice(events);
        let standing = all.iter().filter(|event| !event.retracted);
        let plies: Vec<u32> = standing.filter_map(|event| event.ply).collect();
        if plies.iter().collect::<HashSet<_>>().len() < plies.len() {
            return Err(WriteRefused::Conflict);
        }
        let written = rate.map_or_else(Written::default, |rate| self.rate(row, rate));
        let kept = self.games.get_mut(&row.id).ok_or(WriteRefused::Conflict)?;
        if let (Some(rate), Some(changes)) = (rate, written.ratings) {
            let changed = rate.players.iter().zip(changes);
            kept.ratings = changed.map(|(who, (old, new))| (who.clone(), old, new)).collect();
        }
        kept.row = row.clone();
        kept.events = all;
        Ok(written)
    }

    fn rate(&mut self, row: &GameRow, rated: &Rate) -> Written {
        let now = row.updated_at;
        let keys = rated.players.clone().map(|player| (player, rated.pace));
        let of = |key| self.ratings.get(key).copied().unwrap_or_else(|| Rating::new(now));
        let before = [of(&keys[0]), of(&keys[1])];
        let after = rate(before, rated.south, now);
        let changes = [0, 1].map(|side| (before[side].rating, after[side].rating));
        for ((key, rating), (before, after)) in keys.into_iter().zip(after).zip(changes) {
            let change = RatingChange { game: row.id.clone(), before, after, at: now };
            self.history.push((key.0.clone(), key.1, change));
            self.ratings.insert(key, rating);
        }
        Written { ratings: Some(changes) }
    }
}

/// The player of a seat.
pub(super) fn player(seat: &SeatRow) -> Option<&String> {
    match seat {
        SeatRow::Player(id) => Some(id),
        _ => None,
    }
}

/// Whether events follow the last one kept, the row says so, and no ply or action occurs twice
/// among them.
fn follows(last: u32, row: &GameRow, events: &[EventRow]) -> bool {
    let (mut plies, mut actions) = (HashSet::new(), HashSet::new());
    let numbers = events.iter().map(|event| event.seq);
    let news = events.iter().all(|event| {
        let stands = event.ply.filter(|_| !event.retracted);
        stands.is_none_or(|ply| plies.insert(ply))
            && event.action.as_ref().is_none_or(|action| actions.insert(action))
    });
    news && numbers.eq(last + 1..=row.seq)
}

/// Whether a game is looked for.
pub(super) fn matches(row: &GameRow, filter: &GameFilter) -> bool {
    let plays = |id: &String| row.seats.iter().filter_map(player).any(|player| player == id);
    let alone = filter.player.is_some() && filter.player == filter.opponent;
    filter.player.as_ref().is_none_or(plays)
        && filter.opponent.as_ref().is_none_or(plays)
        && (!alone || row.seats[0] == row.seats[1])
        && filter.invited.as_ref().is_none_or(|id| row.door == Door::Player(id.clone()))
        && filter.status.is_none_or(|status| status == row.status)
        && filter.rules.as_ref().is_none_or(|rules| *rules == row.rules)
        && filter.rated.is_none_or(|rated| rated == row.rated)
        && (!filter.in_lobby || (row.door == Door::Lobby && row.status == Status::Waiting))
        && filter.before.as_ref().is_none_or(|(at, id)| (row.updated_at, &row.id) < (*at, id))
}
