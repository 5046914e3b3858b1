//! Looking for games and for what happened in them.

use super::driver::{Base, Tried, Value, values};
use super::rows::{COLUMNS, STATUS, name_of, read_event, read_game};
use crate::store::{EventRow, GameFilter, GameRow};

/// A game, by id.
pub(super) async fn game(base: &Base, id: &str) -> Tried<Option<GameRow>> {
    let rows = select(base, "WHERE id = $1", values![id]).await?;
    Ok(rows.into_iter().next())
}

/// The events of a game after one.
pub(super) async fn events(base: &Base, game: &str, after: u32) -> Tried<Vec<EventRow>> {
    let sql = "SELECT seq, at, ply, retracted, player, action, body FROM events \
         WHERE game = $1 AND seq > $2 ORDER BY seq";
    let rows = base.fetch(sql, values![game, after]).await?;
    rows.into_iter().map(read_event).collect()
}

/// The games that are not over, oldest change first.
pub(super) async fn unfinished(base: &Base) -> Tried<Vec<GameRow>> {
    select(base, "WHERE status <> 'over' ORDER BY updated_at, id", Vec::new()).await
}

/// The games of a match.
pub(super) async fn match_games(base: &Base, match_id: &str) -> Tried<Vec<GameRow>> {
    select(base, "WHERE match_id = $1 ORDER BY match_number", values![match_id]).await
}

/// The games that match a filter, the last changed first.
pub(super) async fn games(base: &Base, filter: &GameFilter) -> Tried<Vec<GameRow>> {
    let mut values: Vec<Value> = Vec::new();
    let mut wheres: Vec<String> = Vec::new();
    for player in [&filter.player, &filter.opponent].into_iter().flatten() {
        values.push(player.into());
        let n = values.len();
        wheres.push(format!("(south_player = ${n} OR north_player = ${n})"));
    }
    if filter.player.is_some() && filter.player == filter.opponent {
        // Against oneself: at one device.
        wheres.push("south_player = north_player".to_owned());
    }
    let equal = [
        ("door_player", filter.invited.as_deref().map(Value::from)),
        ("status", filter.status.map(|status| Value::from(name_of(STATUS, status)))),
        ("rules", filter.rules.as_deref().map(Value::from)),
        ("rated", filter.rated.map(Value::from)),
    ];
    for (column, value) in equal {
        let Some(value) = value else { continue };
        values.push(value);
        wheres.push(format!("{column} = ${}", values.len()));
    }
    if filter.in_lobby {
        wheres.push("status = 'waiting' AND door = 'lobby'".to_owned());
    }
    if let Some((at, id)) = &filter.before {
        values.extend([Value::from(*at), Value::from(id)]);
        let n = values.len();
        wheres.push(format!("(updated_at, id) < (${}, ${n})", n - 1));
    }
    values.push(filter.limit.min(100).into());
    let conditions = if wheres.is_empty() { "1 = 1".to_owned() } else { wheres.join(" AND ") };
    let limit = values.len();
    let tail = format!("WHERE {conditions} ORDER BY updated_at DESC, id DESC LIMIT ${limit}");
    select(base, &tail, values).await
}

/// In how many games it is a player's turn, those at one device left out.
pub(super) async fn turns(base: &Base, player: &str) -> Tried<u32> {
    let sql = "SELECT COUNT(*) FROM games WHERE status = 'playing' \
         AND (south_player = $1 OR north_player = $1) \
         AND CASE to_move WHEN 'south' THEN south_player ELSE north_player END = $1 \
         AND COALESCE(south_player, '') <> COALESCE(north_player, '')";
    base.fetch_one(sql, values![player]).await?.map_or(Ok(0), |mut row| row.count())
}

/// Games won, drawn and lost against other people.
pub(super) async fn results(base: &Base, player: &str) -> Tried<[u32; 3]> {
    let sql = "SELECT CASE winner WHEN 'south' THEN south_player WHEN 'north' THEN north_player \
         END, COUNT(*) FROM games WHERE (south_player = $1 OR north_player = $1) \
         AND status = 'over' AND ending <> 'aborted' AND south_player <> north_player \
         GROUP BY 1";
    let mut results = [0; 3];
    for mut row in base.fetch(sql, values![player]).await? {
        let place = match row.maybe_text()? {
            Some(winner) if winner == player => 0,
            None => 1,
            Some(_) => 2,
        };
        results[place] += row.count::<u32>()?;
    }
    Ok(results)
}

async fn select(base: &Base, tail: &str, values: Vec<Value>) -> Tried<Vec<GameRow>> {
    let rows = base.fetch(&format!("SELECT {COLUMNS} FROM games {tail}"), values).await?;
    rows.into_iter().map(read_game).collect()
}
