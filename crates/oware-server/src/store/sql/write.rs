//! Writes to the games: the one place where a move becomes fact.

use std::collections::HashSet;

use super::driver::{Base, Tried, Tx, values};
use super::ratings;
use super::rows::{COLUMNS, game_values};
use crate::store::{EventRow, GameRow, Rate, Write, WriteRefused, Written};

/// How often a transaction that PostgreSQL gave up is begun again.
const TRIES: u32 = 10;

/// Does several writes in one transaction, each accepted or refused on its own.
pub(super) async fn write(
    base: &Base,
    writes: &[Write],
) -> Tried<Vec<Result<Written, WriteRefused>>> {
    let mut tries = 0;
    loop {
        match write_once(base, writes).await {
            Err(trouble) if trouble.is_passing() && tries < TRIES => tries += 1,
            done => return done,
        }
    }
}

async fn write_once(base: &Base, writes: &[Write]) -> Tried<Vec<Result<Written, WriteRefused>>> {
    let mut tx = base.begin().await?;
    let mut done = Vec::with_capacity(writes.len());
    for write in writes {
        // What is checked beforehand refuses without an error. The savepoint is for what could
        // not be foreseen: one write that breaks the schema shall not undo its neighbours.
        tx.execute("SAVEPOINT one_write", Vec::new()).await?;
        let one = match write {
            Write::Create(row, events) => create(&mut tx, row, events).await,
            Write::Append { row, events, retract_from, rate } => {
                let rated = rate.as_ref();
                append(&mut tx, row, events, *retract_from, rated).await
            }
        };
        match one {
            Ok(Ok(written)) => done.push(Ok(written)),
            Ok(Err(refused)) => {
                tx.execute("ROLLBACK TO SAVEPOINT one_write", Vec::new()).await?;
                done.push(Err(refused));
            }
            Err(trouble) if trouble.is_constraint() => {
                tx.execute("ROLLBACK TO SAVEPOINT one_write", Vec::new()).await?;
                done.push(Err(WriteRefused::Conflict));
            }
            Err(trouble) => return Err(trouble),
        }
        tx.execute("RELEASE SAVEPOINT one_write", Vec::new()).await?;
    }
    tx.commit().await?;
    Ok(done)
}

type Outcome = Tried<Result<Written, WriteRefused>>;

async fn create(tx: &mut Tx, row: &GameRow, events: &[EventRow]) -> Outcome {
    if !follows(0, row, events) {
        return Ok(Err(WriteRefused::Conflict));
    }
    let values = game_values(row);
    let places = places(values.len());
    let sql = format!("INSERT INTO games ({COLUMNS}) VALUES ({places}) ON CONFLICT DO NOTHING");
    if tx.execute(&sql, values).await? == 0 {
        return Ok(Err(WriteRefused::Conflict));
    }
    insert_events(tx, &row.id, events).await?;
    Ok(Ok(Written::default()))
}

async fn append(
    tx: &mut Tx,
    row: &GameRow,
    events: &[EventRow],
    retract_from: Option<u32>,
    rate: Option<&Rate>,
) -> Outcome {
    let sql = format!("SELECT seq FROM games WHERE id = $1{}", tx.lock());
    let Some(mut kept) = tx.fetch_one(&sql, values![&row.id]).await? else {
        return Ok(Err(WriteRefused::Conflict));
    };
    // An action that was done already is told apart from a conflict first: a client that sends
    // it again, after a lost answer, gets that answer.
    for (player, action) in events.iter().filter_map(|event| event.action.as_ref()) {
        let sql = "SELECT seq FROM events WHERE game = $1 AND player = $2 AND action = $3";
        if let Some(mut row) = tx.fetch_one(sql, values![&row.id, player, action]).await? {
            return Ok(Err(WriteRefused::Repeated(row.count()?)));
        }
    }
    if !follows(kept.count()?, row, events) {
        return Ok(Err(WriteRefused::Conflict));
    }
    if let Some(from) = retract_from {
        let sql = "UPDATE events SET retracted = 1 WHERE game = $1 AND ply >= $2";
        tx.execute(sql, values![&row.id, from]).await?;
    }
    for ply in events.iter().filter(|event| !event.retracted).filter_map(|event| event.ply) {
        let sql = "SELECT seq FROM events WHERE game = $1 AND ply = $2 AND retracted = 0";
        if tx.fetch_one(sql, values![&row.id, ply]).await?.is_some() {
            return Ok(Err(WriteRefused::Conflict));
        }
    }
    let columns: Vec<&str> = COLUMNS.split(", ").collect();
    let sets: Vec<String> =
        columns.iter().enumerate().map(|(i, column)| format!("{column} = ${}", i + 1)).collect();
    let sql = format!("UPDATE games SET {} WHERE id = $1", sets.join(", "));
    tx.execute(&sql, game_values(row)).await?;
    insert_events(tx, &row.id, events).await?;
    let ratings = match rate {
        Some(rate) => Some(ratings::rate(tx, &row.id, rate, row.updated_at).await?),
        None => None,
    };
    Ok(Ok(Written { ratings }))
}

/// Whether these events follow the last one kept, the row says so, and no ply or action occurs
/// twice among them.
fn follows(last: u32, row: &GameRow, events: &[EventRow]) -> bool {
    let (mut seq, mut plies, mut actions) = (last, HashSet::new(), HashSet::new());
    for event in events {
        seq = seq.saturating_add(1);
        let stands = event.ply.filter(|_| !event.retracted);
        let ply_is_new = stands.is_none_or(|ply| plies.insert(ply));
        let action_is_new = event.action.as_ref().is_none_or(|action| actions.insert(action));
        if event.seq != seq || !ply_is_new || !action_is_new {
            return false;
        }
    }
    seq == row.seq
}

async fn insert_events(tx: &mut Tx, game: &str, events: &[EventRow]) -> Tried<()> {
    for event in events {
        let sql = "INSERT INTO events (game, seq, at, ply, retracted, player, action, body) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        let (player, action) = event.action.clone().unzip();
        let (seq, at, ply, retracted) = (event.seq, event.at, event.ply, event.retracted);
        let values = values![game, seq, at, ply, retracted, player, action, &event.body];
        tx.execute(sql, values).await?;
    }
    Ok(())
}

/// `$1, $2, ...`
fn places(count: usize) -> String {
    (1..=count).map(|i| format!("${i}")).collect::<Vec<_>>().join(", ")
}
