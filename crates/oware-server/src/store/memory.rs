//! A store that keeps everything in memory and forgets it at the end: for tests, and as the
//! plainest telling of what the other two must do. It passes the same suite.

mod games;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use super::{
    EventRow, GameFilter, GameRow, PlayerRow, Rating, RatingChange, Relation, ReportRow,
    SessionRow, Standing, Store, StoreError, Stored, Write, WriteRefused, Written,
};
use crate::clock::Millis;
use crate::wire::{Pace, RatingView, Status};
use games::{matches, player};

/// Most rows that one listing gives.
const MOST: usize = 100;
/// Most changes of a rating that are given.
const HISTORY: usize = 1_000;

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
    ratings: HashMap<(String, Pace), Rating>,
    history: Vec<(String, Pace, RatingChange)>,
    relations: HashSet<(String, String, Relation)>,
    /// With whether it is closed.
    reports: BTreeMap<String, (ReportRow, bool)>,
    values: BTreeMap<String, String>,
}

/// The store in memory.
#[derive(Default)]
pub struct MemoryStore {
    tables: Mutex<Tables>,
    broken: AtomicBool,
    /// Held while writes to games shall wait.
    gate: tokio::sync::Mutex<()>,
    commits: AtomicUsize,
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

    /// Lets every write to games wait until the guard is dropped: the slow disk of tests.
    pub async fn hold_writes(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.gate.lock().await
    }

    /// How many groups of writes were committed.
    pub fn commits(&self) -> usize {
        self.commits.load(Ordering::SeqCst)
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn write(&self, writes: Vec<Write>) -> Stored<Vec<Result<Written, WriteRefused>>> {
        let _gate = self.gate.lock().await;
        if self.broken.load(Ordering::SeqCst) {
            return Err(StoreError::Database("no space left on device".into()));
        }
        self.commits.fetch_add(1, Ordering::SeqCst);
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
        let mut found: Vec<GameRow> =
            rows.filter(|row| row.status != Status::Over).cloned().collect();
        found.sort_by(|a, b| (a.updated_at, &a.id).cmp(&(b.updated_at, &b.id)));
        Ok(found)
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

    async fn turns(&self, id: &str) -> Stored<u32> {
        let tables = self.tables();
        let rows = tables.games.values().map(|kept| &kept.row);
        let turns = rows.filter(|row| {
            row.status == Status::Playing
                && row.seats[0] != row.seats[1]
                && player(&row.seats[row.to_move.index()]).is_some_and(|mover| mover == id)
        });
        Ok(u32::try_from(turns.count()).unwrap_or(u32::MAX))
    }

    async fn results(&self, id: &str) -> Stored<[u32; 3]> {
        let tables = self.tables();
        let mut results = [0; 3];
        for row in tables.games.values().map(|kept| &kept.row) {
            let [Some(south), Some(north)] = row.seats.each_ref().map(player) else { continue };
            let Some(ending) = row.ending.as_ref() else { continue };
            if south == north
                || ending.reason == "aborted"
                || ![south, north].contains(&&id.to_owned())
            {
                continue;
            }
            let winner = ending.winner.map(|side| match side {
                crate::wire::Side::South => south,
                crate::wire::Side::North => north,
            });
            results[winner.map_or(1, |winner| if winner == id { 0 } else { 2 })] += 1;
        }
        Ok(results)
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
            return Err(StoreError::Database(format!("player {id} exists")));
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
        match self.tables().players.get_mut(id).filter(|row| row.name.is_none()) {
            Some(row) => {
                row.name = Some(name.to_owned());
                row.password = Some(hash.to_owned());
                Ok(())
            }
            None => Err(StoreError::Taken(name.to_owned())),
        }
    }

    async fn set_password(&self, id: &str, hash: &str) -> Stored<()> {
        if let Some(row) = self.tables().players.get_mut(id) {
            row.password = Some(hash.to_owned());
        }
        Ok(())
    }

    async fn set_standing(&self, id: &str, standing: Standing) -> Stored<()> {
        if let Some(row) = self.tables().players.get_mut(id) {
            row.standing = standing;
        }
        Ok(())
    }

    async fn set_language(&self, id: &str, language: &str) -> Stored<()> {
        if let Some(row) = self.tables().players.get_mut(id) {
            row.language = Some(language.to_owned());
        }
        Ok(())
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
        tables.history.retain(|(player, ..)| player != id);
        tables.reports.retain(|_, (report, _)| report.by != id && report.about != id);
        for kept in tables.games.values_mut() {
            kept.ratings.retain(|(player, ..)| player != id);
        }
        Ok(())
    }

    async fn create_session(&self, session: &SessionRow) -> Stored<()> {
        let mut tables = self.tables();
        let same =
            |old: &SessionRow| old.id == session.id || old.secret_hash == session.secret_hash;
        if tables.sessions.values().any(same) || !tables.players.contains_key(&session.player) {
            return Err(StoreError::Database(format!("session {} is not new", session.id)));
        }
        tables.sessions.insert(session.id.clone(), session.clone());
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
            row.seen_at = now.max(row.seen_at);
        }
        Ok(())
    }

    async fn end_session(&self, player: &str, id: &str) -> Stored<bool> {
        let mut tables = self.tables();
        let theirs = tables.sessions.get(id).is_some_and(|row| row.player == player);
        Ok(theirs && tables.sessions.remove(id).is_some())
    }

    async fn ratings(&self, player: &str, now: Millis) -> Stored<Vec<RatingView>> {
        let tables = self.tables();
        let theirs = tables.ratings.iter().filter(|((id, _), _)| id == player);
        let mut found: Vec<RatingView> =
            theirs.map(|((_, pace), rating)| rating.view(*pace, now)).collect();
        found.sort_by_key(|rating| rating.pace as u8);
        Ok(found)
    }

    async fn leaders(
        &self,
        pace: Pace,
        limit: u32,
        now: Millis,
    ) -> Stored<Vec<(String, RatingView)>> {
        let tables = self.tables();
        let of_pace = tables.ratings.iter().filter(|((_, of), _)| *of == pace);
        let named = of_pace.filter_map(|((id, _), rating)| {
            let row = tables.players.get(id).filter(|row| !row.standing.banned)?;
            Some((row.name.clone()?, rating.view(pace, now)))
        });
        let mut found: Vec<_> = named.filter(|(_, view)| !view.provisional).collect();
        found.sort_by(|a, b| b.1.rating.total_cmp(&a.1.rating).then_with(|| a.0.cmp(&b.0)));
        found.truncate(limit as usize);
        Ok(found)
    }

    async fn rating_history(&self, player: &str, pace: Pace) -> Stored<Vec<RatingChange>> {
        let tables = self.tables();
        let own = tables.history.iter().filter(|(id, of, _)| id == player && *of == pace);
        let mut found: Vec<RatingChange> = own.map(|(.., change)| change.clone()).collect();
        found.sort_by(|a, b| (a.at, &a.game).cmp(&(b.at, &b.game)));
        Ok(found.split_off(found.len().saturating_sub(HISTORY)))
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

    async fn relations(&self, of: &str) -> Stored<Vec<(String, Relation)>> {
        let tables = self.tables();
        let own = tables.relations.iter().filter(|(by, ..)| by == of);
        let mut found: Vec<_> = own.map(|(_, to, relation)| (to.clone(), *relation)).collect();
        found.sort_by_key(|(to, relation)| (to.clone(), *relation as u8));
        Ok(found)
    }

    async fn report(&self, report: &ReportRow) -> Stored<()> {
        self.tables().reports.insert(report.id.clone(), (report.clone(), false));
        Ok(())
    }

    async fn reports(&self) -> Stored<Vec<ReportRow>> {
        let tables = self.tables();
        let open = tables.reports.values().filter(|(_, closed)| !closed);
        let mut found: Vec<ReportRow> = open.map(|(report, _)| report.clone()).collect();
        found.sort_by_key(|report| report.at);
        Ok(found)
    }

    async fn reports_by(&self, player: &str) -> Stored<Vec<ReportRow>> {
        let tables = self.tables();
        let theirs = tables.reports.values().filter(|(report, _)| report.by == player);
        let mut found: Vec<ReportRow> = theirs.map(|(report, _)| report.clone()).collect();
        found.sort_by_key(|report| report.at);
        Ok(found)
    }

    async fn close_report(&self, id: &str) -> Stored<bool> {
        let mut tables = self.tables();
        let open = tables.reports.get_mut(id).filter(|(_, closed)| !closed);
        Ok(open.map(|(_, closed)| *closed = true).is_some())
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
