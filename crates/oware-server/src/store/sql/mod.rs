//! The store in a database: SQLite in a file, or PostgreSQL on a server, by one body of code.
//!
//! A write is one transaction. In SQLite a single connection writes (WAL, `synchronous = FULL`:
//! what was committed survives a loss of power) and others read beside it. In PostgreSQL the
//! row of a game is locked while it changes, so that two servers cannot both add to it.

mod copy;
mod driver;
mod games;
mod open;
mod people;
mod ratings;
mod rows;
mod write;

pub use copy::{back_up, restore};
pub use open::open;

use std::path::Path;

use async_trait::async_trait;

use driver::Base;

use crate::clock::Millis;
use crate::store::{
    EventRow, GameFilter, GameRow, PlayerRow, RatingChange, Relation, ReportRow, SessionRow,
    Standing, Store, StoreError, Stored, Write, WriteRefused, Written,
};
use crate::wire::{Pace, RatingView};

/// A database that is open.
#[derive(Debug)]
struct SqlStore {
    base: Base,
    /// Held while the file is in use, so that no second server takes it.
    _lock: Option<std::fs::File>,
}

#[async_trait]
impl Store for SqlStore {
    async fn write(&self, writes: Vec<Write>) -> Stored<Vec<Result<Written, WriteRefused>>> {
        Ok(write::write(&self.base, &writes).await?)
    }

    async fn game(&self, id: &str) -> Stored<Option<GameRow>> {
        Ok(games::game(&self.base, id).await?)
    }

    async fn events(&self, game: &str, after: u32) -> Stored<Vec<EventRow>> {
        Ok(games::events(&self.base, game, after).await?)
    }

    async fn unfinished(&self) -> Stored<Vec<GameRow>> {
        Ok(games::unfinished(&self.base).await?)
    }

    async fn games(&self, filter: &GameFilter) -> Stored<Vec<GameRow>> {
        Ok(games::games(&self.base, filter).await?)
    }

    async fn match_games(&self, match_id: &str) -> Stored<Vec<GameRow>> {
        Ok(games::match_games(&self.base, match_id).await?)
    }

    async fn turns(&self, player: &str) -> Stored<u32> {
        Ok(games::turns(&self.base, player).await?)
    }

    async fn results(&self, player: &str) -> Stored<[u32; 3]> {
        Ok(games::results(&self.base, player).await?)
    }

    async fn rating_changes(&self, game: &str) -> Stored<Vec<(String, f64, f64)>> {
        Ok(ratings::changes(&self.base, game).await?)
    }

    async fn create_player(&self, id: &str, now: Millis) -> Stored<()> {
        Ok(people::create(&self.base, id, now).await?)
    }

    async fn player(&self, id: &str) -> Stored<Option<PlayerRow>> {
        Ok(people::player(&self.base, id).await?)
    }

    async fn players(&self, ids: &[String]) -> Stored<Vec<PlayerRow>> {
        Ok(people::players(&self.base, ids).await?)
    }

    async fn player_by_name(&self, name: &str) -> Stored<Option<PlayerRow>> {
        Ok(people::by_name_of_account(&self.base, name).await?)
    }

    async fn create_account(&self, id: &str, name: &str, hash: &str, _now: Millis) -> Stored<()> {
        if people::create_account(&self.base, id, name, hash).await? {
            return Ok(());
        }
        Err(StoreError::Taken(name.to_owned()))
    }

    async fn set_password(&self, id: &str, hash: &str) -> Stored<()> {
        Ok(people::set_password(&self.base, id, hash).await?)
    }

    async fn set_standing(&self, id: &str, standing: Standing) -> Stored<()> {
        Ok(people::set_standing(&self.base, id, standing).await?)
    }

    async fn set_language(&self, id: &str, language: &str) -> Stored<()> {
        Ok(people::set_language(&self.base, id, language).await?)
    }

    async fn delete_player(&self, id: &str) -> Stored<()> {
        Ok(people::delete(&self.base, id).await?)
    }

    async fn create_session(&self, session: &SessionRow) -> Stored<()> {
        Ok(people::create_session(&self.base, session).await?)
    }

    async fn session(&self, secret_hash: &str) -> Stored<Option<SessionRow>> {
        Ok(people::session(&self.base, secret_hash).await?)
    }

    async fn sessions(&self, player: &str) -> Stored<Vec<SessionRow>> {
        Ok(people::sessions(&self.base, player).await?)
    }

    async fn touch_session(&self, id: &str, now: Millis) -> Stored<()> {
        Ok(people::touch_session(&self.base, id, now).await?)
    }

    async fn end_session(&self, player: &str, id: &str) -> Stored<bool> {
        Ok(people::end_session(&self.base, player, id).await?)
    }

    async fn forget(&self, idle: Millis, old: Millis) -> Stored<u64> {
        Ok(people::forget(&self.base, idle, old).await?)
    }

    async fn ratings(&self, player: &str, now: Millis) -> Stored<Vec<RatingView>> {
        Ok(ratings::of(&self.base, player, now).await?)
    }

    async fn leaders(
        &self,
        pace: Pace,
        limit: u32,
        now: Millis,
    ) -> Stored<Vec<(String, RatingView)>> {
        Ok(ratings::leaders(&self.base, pace, limit, now).await?)
    }

    async fn rating_history(&self, player: &str, pace: Pace) -> Stored<Vec<RatingChange>> {
        Ok(ratings::history(&self.base, player, pace).await?)
    }

    async fn set_relation(&self, of: &str, to: &str, relation: Relation, on: bool) -> Stored<()> {
        Ok(people::set_relation(&self.base, of, to, relation, on).await?)
    }

    async fn relation(&self, of: &str, to: &str, relation: Relation) -> Stored<bool> {
        let all = people::relations(&self.base, of, Some(to)).await?;
        Ok(all.iter().any(|(_, one)| *one == relation))
    }

    async fn relations(&self, of: &str) -> Stored<Vec<(String, Relation)>> {
        Ok(people::relations(&self.base, of, None).await?)
    }

    async fn report(&self, report: &ReportRow) -> Stored<()> {
        Ok(people::report(&self.base, report).await?)
    }

    async fn reports(&self) -> Stored<Vec<ReportRow>> {
        Ok(people::reports(&self.base, None).await?)
    }

    async fn reports_by(&self, player: &str) -> Stored<Vec<ReportRow>> {
        Ok(people::reports(&self.base, Some(player)).await?)
    }

    async fn close_report(&self, id: &str) -> Stored<bool> {
        Ok(people::close_report(&self.base, id).await?)
    }

    async fn value(&self, key: &str) -> Stored<Option<String>> {
        Ok(people::value(&self.base, key).await?)
    }

    async fn set_value(&self, key: &str, value: Option<&str>) -> Stored<()> {
        Ok(people::set_value(&self.base, key, value).await?)
    }

    async fn back_up(&self, to: &Path) -> Stored<()> {
        match &self.base {
            Base::Sqlite { read, .. } => copy::copy(read, to).await,
            Base::Postgres(_) => Err(copy::not_here()),
        }
    }

    async fn check(&self) -> Stored<()> {
        self.base.fetch("SELECT key FROM server_values LIMIT 1", Vec::new()).await?;
        Ok(())
    }
}
