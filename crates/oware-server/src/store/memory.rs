//! A store that keeps everything in memory and forgets it at the end: for tests, and as the
//! plainest telling of what the other two must do. It passes the same suite.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use super::{
    Door, EventRow, GameFilter, GameRow, PlayerRow, Rate, Relation, ReportRow, SessionRow,
    Standing, Store, StoreError, Stored, Write, WriteRefused, Written,
};
use crate::clock::Millis;
use crate::wire::{Pace, RatingView, Status};

/// Most rows that one listing gives.
const MOST: usize = 100;

/// A game with its events.
#[derive(Clone)]
struct Kept {
    row: GameRow,
    events: Vec<EventRow>,
    ratings: Vec<(String, f64, f64)>,
}

#[derive(Default)]
struct Tables {
    games: BTreeMap<String, Kept>,
    players: BTreeMap<String, PlayerRow>,
    sessions: BTreeMap<String, SessionRow>,
    ratings: HashMap<(String, Pace), RatingView>,
    relations: HashSet<(String, String, Relation)>,
    reports: BTreeMap<String, ReportRow>,
    values: BTreeMap<String, String>,
}

/// The store in memory.
#[derive(Default)]
pub struct MemoryStore {
    tables: Mutex<Tables>,
    broken: AtomicBool,
}

impl MemoryStore {
    /// An empty one.
    #[must_use]
    pub fn new() -> MemoryStore {
        MemoryStore::default()
    }

    /// Lets every write to games fail from now on, or work again: the full disk of tests.
    pub fn break_writes(&self, broken: bool) {
        self.broken.store(broken, Ordering::SeqCst);
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tables {
    fn create(&mut self, row: &GameRow, events: &[EventRow]) -> Result<Written, WriteRefused> {
        if self.games.contains_key(&row.id) || !follow(0, events, row.seq) {
            return Err(WriteRefused::Conflict);
        }
        let kept = Kept { row: row.clone(), events: events.to_vec(), ratings: Vec::new() };
        self.games.insert(row.id.clone(), kept);
        Ok(Written::default())
    }

    fn append(
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
        if !follow(kept.row.seq, events, row.seq) {
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
        let written = rate.map_or_else(Written::default, |rate| self.rate(rate));
        let kept = self.games.get_mut(&row.id).ok_or(WriteRefused::Conflict)?;
        if let (Some(rate), Some(changes)) = (rate, written.ratings) {
            let changed = rate.players.iter().zip(changes);
            kept.ratings = changed.map(|(who, (old, new))| (who.clone(), old, new)).collect();
        }
        kept.row = row.clone();
        kept.events = all;
        Ok(written)
    }

    fn rating(&self, player: &str, pace: Pace) -> RatingView {
        self.ratings.get(&(player.to_owned(), pace)).cloned().unwrap_or(RatingView {
            pace,
            rating: 1500.0,
            deviation: 500.0,
            provisional: true,
            games: 0,
        })
    }

    /// Counts the game, and moves both by the same sixteenth of what was not expected (Elo's
    /// formula): tests look at who gains, not at how much.
    fn rate(&mut self, rate: &Rate) -> Written {
        let before = [0, 1].map(|index| self.rating(&rate.players[index], rate.pace));
        let difference = before[1].rating - before[0].rating;
        let expected = 1.0 / (1.0 + 10f64.powf(difference / 400.0));
        let gain = 32.0 * (rate.south - expected);
        let after = [before[0].rating + gain, before[1].rating - gain];
        for (index, old) in before.iter().enumerate() {
            let new = RatingView { rating: after[index], games: old.games + 1, ..old.clone() };
            self.ratings.insert((rate.players[index].clone(), rate.pace), new);
        }
        Written { ratings: Some([(before[0].rating, after[0]), (before[1].rating, after[1])]) }
    }
}

/// Whether events are numbered on from `last` and end with `end`.
fn follow(last: u32, events: &[EventRow], end: u32) -> bool {
    let numbers = events.iter().map(|event| event.seq);
    numbers.eq(last + 1..=end)
}

fn matches(row: &GameRow, filter: &GameFilter) -> bool {
    let plays = |player: &Option<String>| {
        player.as_ref().is_none_or(|player| {
            row.seats
                .iter()
                .any(|seat| matches!(seat, super::SeatRow::Player(id) if id == player))
                || row.door == Door::Player(player.clone())
        })
    };
    plays(&filter.player)
        && plays(&filter.opponent)
        && filter.status.is_none_or(|status| status == row.status)
        && filter.rules.as_ref().is_none_or(|rules| *rules == row.rules)
        && filter.rated.is_none_or(|rated| rated == row.rated)
        && (!filter.in_lobby || (row.door == Door::Lobby && row.status == Status::Waiting))
        && filter.before.as_ref().is_none_or(|(at, id)| (row.updated_at, &row.id) < (*at, id))
}

#[async_trait]
impl Store for MemoryStore {
    async fn write(&self, writes: Vec<Write>) -> Stored<Vec<Result<Written, WriteRefused>>> {
        if self.broken.load(Ordering::SeqCst) {
            return Err(StoreError::Database("no space left on device".into()));
        }
        let mut tables = self.tables();
        let each = writes.iter().map(|write| match write {
            Write::Create(row, events) => tables.create(row, events),
            Write::Append { row, events, retract_from, rate } => {
                tables.append(row, events, *retract_from, rate.as_ref())
            }
        });
        Ok(each.collect())
    }

    async fn game(&self, id: &str) -> Stored<Option<GameRow>> {
        Ok(self.tables().games.get(id).map(|kept| kept.row.clone()))
    }

    async fn events(&self, game: &str, after: u32) -> Stored<Vec<EventRow>> {
        let tables = self.tables();
        let events = tables.games.get(game).into_iter().flat_map(|kept| &kept.events);
        Ok(events.filter(|event| event.seq > after).cloned().collect())
    }

    async fn unfinished(&self) -> Stored<Vec<GameRow>> {
        let tables = self.tables();
        let rows = tables.games.values().map(|kept| &kept.row);
        Ok(rows.filter(|row| row.status != Status::Over).cloned().collect())
    }

    async fn games(&self, filter: &GameFilter) -> Stored<Vec<GameRow>> {
        let tables = self.tables();
        let rows = tables.games.values().map(|kept| &kept.row);
        let mut found: Vec<GameRow> = rows.filter(|row| matches(row, filter)).cloned().collect();
        found.sort_by(|a, b| (b.updated_at, &b.id).cmp(&(a.updated_at, &a.id)));
        found.truncate(MOST.min(filter.limit as usize));
        Ok(found)
    }

    async fn match_games(&self, match_id: &str) -> Stored<Vec<GameRow>> {
        let tables = self.tables();
        let of_match = |row: &&GameRow| row.match_.as_ref().is_some_and(|m| m.id == match_id);
        let rows = tables.games.values().map(|kept| &kept.row);
        let mut found: Vec<GameRow> = rows.filter(of_match).cloned().collect();
        found.sort_by_key(|row| row.match_.as_ref().map(|m| m.number));
        Ok(found)
    }

    async fn rating_changes(&self, game: &str) -> Stored<Vec<(String, f64, f64)>> {
        Ok(self.tables().games.get(game).map(|kept| kept.ratings.clone()).unwrap_or_default())
    }

    async fn create_player(&self, id: &str, now: Millis) -> Stored<()> {
        let row = PlayerRow {
            id: id.to_owned(),
            name: None,
            password: None,
            standing: Standing::default(),
            language: None,
            created_at: now,
        };
        let mut tables = self.tables();
        if tables.players.contains_key(id) {
            return Err(StoreError::Taken(id.to_owned()));
        }
        tables.players.insert(id.to_owned(), row);
        Ok(())
    }

    async fn player(&self, id: &str) -> Stored<Option<PlayerRow>> {
        Ok(self.tables().players.get(id).cloned())
    }

    async fn players(&self, ids: &[String]) -> Stored<Vec<PlayerRow>> {
        let tables = self.tables();
        Ok(ids.iter().filter_map(|id| tables.players.get(id)).cloned().collect())
    }

    async fn player_by_name(&self, name: &str) -> Stored<Option<PlayerRow>> {
        let tables = self.tables();
        let named = |row: &&PlayerRow| {
            row.name.as_ref().is_some_and(|other| other.eq_ignore_ascii_case(name))
        };
        Ok(tables.players.values().find(named).cloned())
    }

    async fn create_account(&self, id: &str, name: &str, hash: &str, _now: Millis) -> Stored<()> {
        if self.player_by_name(name).await?.is_some() {
            return Err(StoreError::Taken(name.to_owned()));
        }
        change(self.tables().players.get_mut(id), id, |row| {
            if row.name.is_some() {
                return Err(StoreError::Taken(id.to_owned()));
            }
            row.name = Some(name.to_owned());
            row.password = Some(hash.to_owned());
            Ok(())
        })
    }

    async fn set_password(&self, id: &str, hash: &str) -> Stored<()> {
        change(self.tables().players.get_mut(id), id, |row| {
            row.password = Some(hash.to_owned());
            Ok(())
        })
    }

    async fn set_standing(&self, id: &str, standing: Standing) -> Stored<()> {
        change(self.tables().players.get_mut(id), id, |row| {
            row.standing = standing;
            Ok(())
        })
    }

    async fn set_language(&self, id: &str, language: &str) -> Stored<()> {
        change(self.tables().players.get_mut(id), id, |row| {
            row.language = Some(language.to_owned());
            Ok(())
        })
    }

    async fn delete_player(&self, id: &str) -> Stored<()> {
        let mut tables = self.tables();
        if let Some(row) = tables.players.get_mut(id) {
            (row.name, row.password, row.language) = (None, None, None);
            row.standing = Standing::default();
        }
        tables.sessions.retain(|_, session| session.player != id);
        tables.ratings.retain(|(player, _), _| player != id);
        tables.relations.retain(|(of, to, _)| of != id && to != id);
        tables.reports.retain(|_, report| report.by != id && report.about != id);
        Ok(())
    }

    async fn create_session(&self, session: &SessionRow) -> Stored<()> {
        self.tables().sessions.insert(session.id.clone(), session.clone());
        Ok(())
    }

    async fn session(&self, secret_hash: &str) -> Stored<Option<SessionRow>> {
        let tables = self.tables();
        Ok(tables.sessions.values().find(|row| row.secret_hash == secret_hash).cloned())
    }

    async fn sessions(&self, player: &str) -> Stored<Vec<SessionRow>> {
        let tables = self.tables();
        let rows = tables.sessions.values().filter(|row| row.player == player);
        let mut found: Vec<SessionRow> = rows.cloned().collect();
        found.sort_by_key(|row| std::cmp::Reverse(row.created_at));
        Ok(found)
    }

    async fn touch_session(&self, id: &str, now: Millis) -> Stored<()> {
        if let Some(row) = self.tables().sessions.get_mut(id) {
            row.seen_at = now;
        }
        Ok(())
    }

    async fn end_session(&self, player: &str, id: &str) -> Stored<bool> {
        let mut tables = self.tables();
        let theirs = tables.sessions.get(id).is_some_and(|row| row.player == player);
        Ok(theirs && tables.sessions.remove(id).is_some())
    }

    async fn ratings(&self, player: &str) -> Stored<Vec<RatingView>> {
        let tables = self.tables();
        let theirs = tables.ratings.iter().filter(|((id, _), _)| id == player);
        let mut found: Vec<RatingView> = theirs.map(|(_, rating)| rating.clone()).collect();
        found.sort_by_key(|rating| rating.pace as u8);
        Ok(found)
    }

    async fn leaders(&self, pace: Pace, limit: u32) -> Stored<Vec<(String, RatingView)>> {
        let tables = self.tables();
        let sure = tables.ratings.iter().filter(|((_, of), rating)| {
            *of == pace && !rating.provisional
        });
        let named = sure.filter_map(|((id, _), rating)| {
            Some((tables.players.get(id)?.name.clone()?, rating.clone()))
        });
        let mut found: Vec<_> = named.collect();
        found.sort_by(|a, b| b.1.rating.total_cmp(&a.1.rating));
        found.truncate(limit as usize);
        Ok(found)
    }

    async fn set_relation(&self, of: &str, to: &str, relation: Relation, on: bool) -> Stored<()> {
        let entry = (of.to_owned(), to.to_owned(), relation);
        let mut tables = self.tables();
        if on {
            tables.relations.insert(entry);
        } else {
            tables.relations.remove(&entry);
        }
        Ok(())
    }

    async fn relation(&self, of: &str, to: &str, relation: Relation) -> Stored<bool> {
        Ok(self.tables().relations.contains(&(of.to_owned(), to.to_owned(), relation)))
    }

    async fn report(&self, report: &ReportRow) -> Stored<()> {
        self.tables().reports.insert(report.id.clone(), report.clone());
        Ok(())
    }

    async fn reports(&self) -> Stored<Vec<ReportRow>> {
        let mut found: Vec<ReportRow> = self.tables().reports.values().cloned().collect();
        found.sort_by_key(|report| report.at);
        Ok(found)
    }

    async fn close_report(&self, id: &str) -> Stored<bool> {
        Ok(self.tables().reports.remove(id).is_some())
    }

    async fn value(&self, key: &str) -> Stored<Option<String>> {
        Ok(self.tables().values.get(key).cloned())
    }

    async fn set_value(&self, key: &str, value: Option<&str>) -> Stored<()> {
        let mut tables = self.tables();
        match value {
            Some(value) => tables.values.insert(key.to_owned(), value.to_owned()),
            None => tables.values.remove(key),
        };
        Ok(())
    }

    async fn back_up(&self, _to: &Path) -> Stored<()> {
        Err(StoreError::Database("a store in memory cannot be backed up".into()))
    }

    async fn check(&self) -> Stored<()> {
        Ok(())
    }
}

/// Changes a player who must exist.
fn change(
    row: Option<&mut PlayerRow>,
    id: &str,
    change: impl FnOnce(&mut PlayerRow) -> Stored<()>,
) -> Stored<()> {
    row.map_or_else(|| Err(StoreError::Damaged(format!("no player {id}"))), change)
}
