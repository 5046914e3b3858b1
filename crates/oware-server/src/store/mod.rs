//! What is kept, behind one trait: games and what happened in them, players, accounts, sessions,
//! ratings. Two back ends pass one suite of tests.
//!
//! A write is durable when its future is ready. Writes to games go through [`Store::write`],
//! which takes several at once and commits them together, each accepted or refused on its own.

mod glicko;
pub mod memory;
mod records;
mod sql;

pub use glicko::{PROVISIONAL, Rating, rate};
pub use records::*;
pub use sql::{back_up, open, restore};

use async_trait::async_trait;

use crate::clock::Millis;
use crate::wire::{Pace, RatingView};

/// Why the store could not do something.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database failed, or cannot be reached or written.
    #[error("the database: {0}")]
    Database(String),
    /// A name is taken.
    #[error("{0} is taken")]
    Taken(String),
    /// What is in the database is not what was put there.
    #[error("damaged data: {0}")]
    Damaged(String),
}

/// What the store answers.
pub type Stored<T> = Result<T, StoreError>;

/// A database with everything the site keeps.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    // --- games ---

    /// Does several writes in one transaction, in order. Each is accepted or refused on its
    /// own; an `Err` means that none was done.
    async fn write(&self, writes: Vec<Write>) -> Stored<Vec<Result<Written, WriteRefused>>>;
    /// A game.
    async fn game(&self, id: &str) -> Stored<Option<GameRow>>;
    /// What happened in a game after an event, in order, retracted moves included.
    async fn events(&self, game: &str, after: u32) -> Stored<Vec<EventRow>>;
    /// Every game that is not over, for the start of the server.
    async fn unfinished(&self) -> Stored<Vec<GameRow>>;
    /// Games that match, newest first.
    async fn games(&self, filter: &GameFilter) -> Stored<Vec<GameRow>>;
    /// The games of a match, in order.
    async fn match_games(&self, match_id: &str) -> Stored<Vec<GameRow>>;
    /// In how many games it is a player's turn. Games at one device do not count.
    async fn turns(&self, player: &str) -> Stored<u32>;
    /// How many games against other people a player won, drew and lost; aborted ones do not
    /// count.
    async fn results(&self, player: &str) -> Stored<[u32; 3]>;
    /// How ratings changed by a game: player, before, after; South's first.
    async fn rating_changes(&self, game: &str) -> Stored<Vec<(String, f64, f64)>>;

    // --- players and accounts ---

    /// Makes a player without an account.
    async fn create_player(&self, id: &str, now: Millis) -> Stored<()>;
    /// A player, with the account if there is one.
    async fn player(&self, id: &str) -> Stored<Option<PlayerRow>>;
    /// Several players at once; those that do not exist are left out.
    async fn players(&self, ids: &[String]) -> Stored<Vec<PlayerRow>>;
    /// The player with an account of this name, without regard to case.
    async fn player_by_name(&self, name: &str) -> Stored<Option<PlayerRow>>;
    /// Gives a player an account. [`StoreError::Taken`] if the name is in use, or the player
    /// has one already.
    async fn create_account(&self, id: &str, name: &str, hash: &str, now: Millis) -> Stored<()>;
    /// Changes the password's hash.
    async fn set_password(&self, id: &str, hash: &str) -> Stored<()>;
    /// Sets what an account may and may not.
    async fn set_standing(&self, id: &str, standing: Standing) -> Stored<()>;
    /// Sets a player's language.
    async fn set_language(&self, id: &str, language: &str) -> Stored<()>;
    /// Deletes a player's account, sessions, ratings, blocks and reports. Games stay, since
    /// they are the other player's too; the player in them has no name from then on.
    async fn delete_player(&self, id: &str) -> Stored<()>;

    // --- sessions ---

    /// Begins a session.
    async fn create_session(&self, session: &SessionRow) -> Stored<()>;
    /// The session whose secret has this hash.
    async fn session(&self, secret_hash: &str) -> Stored<Option<SessionRow>>;
    /// The sessions of a player, newest first.
    async fn sessions(&self, player: &str) -> Stored<Vec<SessionRow>>;
    /// Notes that a session was used.
    async fn touch_session(&self, id: &str, now: Millis) -> Stored<()>;
    /// Ends a session of a player; false if there is none.
    async fn end_session(&self, player: &str, id: &str) -> Stored<bool>;
    /// Ends sessions that were last used before `old`, of players without an account before
    /// `idle`; and removes players made before `idle` who have no account, no session, no game,
    /// and no part in a report or relation. How many players that were.
    async fn forget(&self, idle: Millis, old: Millis) -> Stored<u64>;

    // --- ratings ---

    /// A player's ratings, with their deviations now.
    async fn ratings(&self, player: &str, now: Millis) -> Stored<Vec<RatingView>>;
    /// The highest ratings of a pace that are not provisional now: name and rating. Whoever is
    /// banned, or has no account, is left out.
    async fn leaders(
        &self,
        pace: Pace,
        limit: u32,
        now: Millis,
    ) -> Stored<Vec<(String, RatingView)>>;
    /// How a player's rating changed, oldest first, the last 1,000 times.
    async fn rating_history(&self, player: &str, pace: Pace) -> Stored<Vec<RatingChange>>;

    // --- between players ---

    /// Sets how a player stands to another.
    async fn set_relation(&self, of: &str, to: &str, relation: Relation, on: bool) -> Stored<()>;
    /// Whether it is set.
    async fn relation(&self, of: &str, to: &str, relation: Relation) -> Stored<bool>;
    /// Everybody to whom a player stands in some way, by id.
    async fn relations(&self, of: &str) -> Stored<Vec<(String, Relation)>>;
    /// Keeps a report for the administrators.
    async fn report(&self, report: &ReportRow) -> Stored<()>;
    /// Reports that nobody has closed, oldest first.
    async fn reports(&self) -> Stored<Vec<ReportRow>>;
    /// Every report that a player made, closed or not, oldest first.
    async fn reports_by(&self, player: &str) -> Stored<Vec<ReportRow>>;
    /// Closes a report; false if none with this id is open.
    async fn close_report(&self, id: &str) -> Stored<bool>;

    // --- the server itself ---

    /// A value of the server: announcement, heartbeat, first administrator's token.
    async fn value(&self, key: &str) -> Stored<Option<String>>;
    /// Sets one, or removes it.
    async fn set_value(&self, key: &str, value: Option<&str>) -> Stored<()>;
    /// Writes a copy of everything to a file that must not exist (SQLite only; PostgreSQL has
    /// `pg_dump`, and says so).
    async fn back_up(&self, to: &std::path::Path) -> Stored<()>;
    /// Whether it answers.
    async fn check(&self) -> Stored<()>;
}
