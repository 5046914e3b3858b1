//! Players, accounts, sessions, what is between players, and the server's own values.

use super::driver::{Base, Row, Tried, values};
use super::rows::{Names, by_name, name_of};
use crate::clock::Millis;
use crate::store::{PlayerRow, Relation, ReportRow, SessionRow, Standing};

/// How often a transaction that PostgreSQL gave up is begun again.
const TRIES: u32 = 10;

/// Players that are removed in one transaction.
const FORGOTTEN: u32 = 500;

const RELATION: Names<Relation> = &[("blocks", Relation::Blocks), ("mutes", Relation::Mutes)];
const PLAYER: &str = "id, name, password, admin, banned, language, created_at";
const SESSION: &str = "id, secret_hash, player, agent, created_at, seen_at";

/// What names are compared by.
fn name_key(name: &str) -> String {
    name.to_lowercase()
}

/// Makes a player.
pub(super) async fn create(base: &Base, id: &str, now: Millis) -> Tried<()> {
    let sql = "INSERT INTO players (id, created_at) VALUES ($1, $2)";
    base.execute(sql, values![id, now]).await?;
    Ok(())
}

/// A player, by id.
pub(super) async fn player(base: &Base, id: &str) -> Tried<Option<PlayerRow>> {
    let sql = format!("SELECT {PLAYER} FROM players WHERE id = $1");
    base.fetch_one(&sql, values![id]).await?.map(read_player).transpose()
}

/// Several players.
pub(super) async fn players(base: &Base, ids: &[String]) -> Tried<Vec<PlayerRow>> {
    let mut found = Vec::with_capacity(ids.len());
    // In parts, since a statement takes only so many values.
    for part in ids.chunks(500) {
        let places: Vec<String> = (1..=part.len()).map(|n| format!("${n}")).collect();
        let sql = format!("SELECT {PLAYER} FROM players WHERE id IN ({})", places.join(", "));
        let rows = base.fetch(&sql, part.iter().map(Into::into).collect()).await?;
        for row in rows {
            found.push(read_player(row)?);
        }
    }
    Ok(found)
}

/// A player, by the account's name.
pub(super) async fn by_name_of_account(base: &Base, name: &str) -> Tried<Option<PlayerRow>> {
    let sql = format!("SELECT {PLAYER} FROM players WHERE name_key = $1");
    base.fetch_one(&sql, values![name_key(name)]).await?.map(read_player).transpose()
}

/// Gives a player an account; false if the name is in use or there is an account already.
pub(super) async fn create_account(base: &Base, id: &str, name: &str, hash: &str) -> Tried<bool> {
    let sql = "UPDATE players SET name = $2, name_key = $3, password = $4 \
         WHERE id = $1 AND name IS NULL";
    match base.execute(sql, values![id, name, name_key(name), hash]).await {
        Ok(rows) => Ok(rows == 1),
        Err(trouble) if trouble.is_unique() => Ok(false),
        Err(trouble) => Err(trouble),
    }
}

/// Changes the password of an account.
pub(super) async fn set_password(base: &Base, id: &str, hash: &str) -> Tried<()> {
    let sql = "UPDATE players SET password = $2 WHERE id = $1 AND name IS NOT NULL";
    base.execute(sql, values![id, hash]).await?;
    Ok(())
}

/// Sets what an account may.
pub(super) async fn set_standing(base: &Base, id: &str, standing: Standing) -> Tried<()> {
    let sql = "UPDATE players SET admin = $2, banned = $3 WHERE id = $1";
    base.execute(sql, values![id, standing.admin, standing.banned]).await?;
    Ok(())
}

/// Sets a language.
pub(super) async fn set_language(base: &Base, id: &str, language: &str) -> Tried<()> {
    let sql = "UPDATE players SET language = $2 WHERE id = $1";
    base.execute(sql, values![id, language]).await?;
    Ok(())
}

/// Deletes what is kept of a player, but for the games.
pub(super) async fn delete(base: &Base, id: &str) -> Tried<()> {
    let mut tries = 0;
    loop {
        match delete_once(base, id).await {
            Err(trouble) if trouble.is_passing() && tries < TRIES => tries += 1,
            done => return done,
        }
    }
}

async fn delete_once(base: &Base, id: &str) -> Tried<()> {
    let statements = [
        "UPDATE players SET name = NULL, name_key = NULL, password = NULL, admin = 0, \
         banned = 0, language = NULL WHERE id = $1",
        "DELETE FROM sessions WHERE player = $1",
        "DELETE FROM ratings WHERE player = $1",
        "DELETE FROM rating_changes WHERE player = $1",
        "DELETE FROM relations WHERE of_player = $1 OR to_player = $1",
        "DELETE FROM reports WHERE by_player = $1 OR about = $1",
    ];
    let mut tx = base.begin().await?;
    for sql in statements {
        tx.execute(sql, values![id]).await?;
    }
    tx.commit().await
}

/// Begins a session.
pub(super) async fn create_session(base: &Base, session: &SessionRow) -> Tried<()> {
    let sql = format!("INSERT INTO sessions ({SESSION}) VALUES ($1, $2, $3, $4, $5, $6)");
    let SessionRow { id, secret_hash, player, agent, created_at, seen_at } = session;
    base.execute(&sql, values![id, secret_hash, player, agent, *created_at, *seen_at]).await?;
    Ok(())
}

/// A session, by the hash of its secret.
pub(super) async fn session(base: &Base, secret_hash: &str) -> Tried<Option<SessionRow>> {
    let sql = format!("SELECT {SESSION} FROM sessions WHERE secret_hash = $1");
    base.fetch_one(&sql, values![secret_hash]).await?.map(read_session).transpose()
}

/// A player's sessions, newest first.
pub(super) async fn sessions(base: &Base, player: &str) -> Tried<Vec<SessionRow>> {
    let sql =
        format!("SELECT {SESSION} FROM sessions WHERE player = $1 ORDER BY created_at DESC, id");
    let rows = base.fetch(&sql, values![player]).await?;
    rows.into_iter().map(read_session).collect()
}

/// Notes that a session was used.
pub(super) async fn touch_session(base: &Base, id: &str, now: Millis) -> Tried<()> {
    let sql = "UPDATE sessions SET seen_at = $2 WHERE id = $1 AND seen_at < $2";
    base.execute(sql, values![id, now]).await?;
    Ok(())
}

/// Ends a session of a player.
pub(super) async fn end_session(base: &Base, player: &str, id: &str) -> Tried<bool> {
    let sql = "DELETE FROM sessions WHERE id = $1 AND player = $2";
    Ok(base.execute(sql, values![id, player]).await? == 1)
}

/// Ends sessions and removes players that nobody uses; how many players.
pub(super) async fn forget(base: &Base, idle: Millis, old: Millis) -> Tried<u64> {
    base.execute("DELETE FROM sessions WHERE seen_at < $1", values![old]).await?;
    let sql = "DELETE FROM sessions WHERE seen_at < $1 AND player IN \
         (SELECT id FROM players WHERE name IS NULL)";
    base.execute(sql, values![idle]).await?;
    let unused = [
        ("sessions", "player"),
        ("games", "south_player"),
        ("games", "north_player"),
        ("games", "creator"),
        ("games", "door_player"),
        ("rating_changes", "player"),
        ("relations", "of_player"),
        ("relations", "to_player"),
        ("reports", "by_player"),
        ("reports", "about"),
    ];
    let unused = unused.map(|(table, column)| {
        format!(" AND NOT EXISTS (SELECT 1 FROM {table} WHERE {column} = players.id)")
    });
    let sql = format!(
        "DELETE FROM players WHERE id IN (SELECT id FROM players \
         WHERE name IS NULL AND created_at < $1{} LIMIT $2)",
        unused.concat()
    );
    // Some at a time: moves of games shall not wait for all of them.
    let mut removed = 0;
    loop {
        let some = base.execute(&sql, values![idle, FORGOTTEN]).await?;
        removed += some;
        if some < u64::from(FORGOTTEN) {
            return Ok(removed);
        }
    }
}

/// Sets or clears how a player stands to another.
pub(super) async fn set_relation(
    base: &Base,
    of: &str,
    to: &str,
    relation: Relation,
    on: bool,
) -> Tried<()> {
    let sql = if on {
        "INSERT INTO relations (of_player, to_player, relation) VALUES ($1, $2, $3) \
         ON CONFLICT DO NOTHING"
    } else {
        "DELETE FROM relations WHERE of_player = $1 AND to_player = $2 AND relation = $3"
    };
    base.execute(sql, values![of, to, name_of(RELATION, relation)]).await?;
    Ok(())
}

/// How a player stands to others, or to one.
pub(super) async fn relations(
    base: &Base,
    of: &str,
    to: Option<&str>,
) -> Tried<Vec<(String, Relation)>> {
    let mut sql = "SELECT to_player, relation FROM relations WHERE of_player = $1".to_owned();
    let mut values = values![of];
    if let Some(to) = to {
        sql.push_str(" AND to_player = $2");
        values.push(to.into());
    }
    sql.push_str(" ORDER BY to_player, relation");
    let mut all = Vec::new();
    for mut row in base.fetch(&sql, values).await? {
        all.push((row.text()?, by_name(RELATION, &row.text()?)?));
    }
    Ok(all)
}

/// Keeps a report.
pub(super) async fn report(base: &Base, report: &ReportRow) -> Tried<()> {
    let sql = "INSERT INTO reports (id, by_player, about, game, reason, at) \
         VALUES ($1, $2, $3, $4, $5, $6)";
    let ReportRow { id, by, about, game, reason, at } = report;
    base.execute(sql, values![id, by, about, game.as_deref(), reason, *at]).await?;
    Ok(())
}

/// The open reports, or all that a player made, oldest first.
pub(super) async fn reports(base: &Base, by: Option<&str>) -> Tried<Vec<ReportRow>> {
    let (which, values) = match by {
        Some(player) => ("by_player = $1", values![player]),
        None => ("closed = 0", Vec::new()),
    };
    let sql = format!(
        "SELECT id, by_player, about, game, reason, at FROM reports WHERE {which} \
         ORDER BY at, id"
    );
    let rows = base.fetch(&sql, values).await?;
    let read = |mut row: Row| {
        let (id, by, about) = (row.text()?, row.text()?, row.text()?);
        let (game, reason, at) = (row.maybe_text()?, row.text()?, row.int()?);
        Ok(ReportRow { id, by, about, game, reason, at })
    };
    rows.into_iter().map(read).collect()
}

/// Closes a report.
pub(super) async fn close_report(base: &Base, id: &str) -> Tried<bool> {
    let sql = "UPDATE reports SET closed = 1 WHERE id = $1 AND closed = 0";
    Ok(base.execute(sql, values![id]).await? == 1)
}

/// A value of the server.
pub(super) async fn value(base: &Base, key: &str) -> Tried<Option<String>> {
    let sql = "SELECT value FROM server_values WHERE key = $1";
    base.fetch_one(sql, values![key]).await?.map(|mut row| row.text()).transpose()
}

/// Sets or removes a value of the server.
pub(super) async fn set_value(base: &Base, key: &str, value: Option<&str>) -> Tried<()> {
    let Some(value) = value else {
        base.execute("DELETE FROM server_values WHERE key = $1", values![key]).await?;
        return Ok(());
    };
    let sql = "INSERT INTO server_values (key, value) VALUES ($1, $2) \
         ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    base.execute(sql, values![key, value]).await?;
    Ok(())
}

fn read_player(mut row: Row) -> Tried<PlayerRow> {
    Ok(PlayerRow {
        id: row.text()?,
        name: row.maybe_text()?,
        password: row.maybe_text()?,
        standing: Standing { admin: row.flag()?, banned: row.flag()? },
        language: row.maybe_text()?,
        created_at: row.int()?,
    })
}

fn read_session(mut row: Row) -> Tried<SessionRow> {
    Ok(SessionRow {
        id: row.text()?,
        secret_hash: row.text()?,
        player: row.text()?,
        agent: row.text()?,
        created_at: row.int()?,
        seen_at: row.int()?,
    })
}
