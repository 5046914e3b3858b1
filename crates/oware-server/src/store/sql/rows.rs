//! Rows of the database from and to the store's own.

use oware_rules::Side;

use super::driver::{Row, Tried, Trouble, Value, values};
use crate::store::{Door, EventRow, GameRow, MatchRow, SeatRow};
use crate::wire::{self, CountsWish, Ending, Pace, Status};

/// The columns of a game, in the order of [`read_game`] and [`game_values`].
pub(super) const COLUMNS: &str = "id, seq, status, rules, start_position, time_control, rated, \
     counts, \
     south_player, south_level, south_seed, north_player, north_level, north_seed, creator, \
     door, door_player, match_id, match_number, match_games, plies, position_now, to_move, \
     due_at, ending, south_score, north_score, winner, created_at, updated_at";

/// An event.
pub(super) fn read_event(mut row: Row) -> Tried<EventRow> {
    Ok(EventRow {
        seq: row.count()?,
        at: row.int()?,
        ply: row.maybe_count()?,
        retracted: row.flag()?,
        action: row.maybe_text()?.zip(row.maybe_text()?),
        body: row.text()?,
    })
}

/// A game, from [`COLUMNS`].
pub(super) fn read_game(mut row: Row) -> Tried<GameRow> {
    Ok(GameRow {
        id: row.text()?,
        seq: row.count()?,
        status: by_name(STATUS, &row.text()?)?,
        rules: row.text()?,
        start: row.maybe_text()?,
        time: from_json(&row.text()?)?,
        rated: row.flag()?,
        counts: by_name(COUNTS, &row.text()?)?,
        seats: [read_seat(&mut row)?, read_seat(&mut row)?],
        creator: row.text()?,
        door: read_door(&mut row)?,
        match_: read_match(&mut row)?,
        plies: row.count()?,
        position: row.text()?,
        to_move: by_name(SIDE, &row.text()?)?,
        due_at: row.maybe_int()?,
        ending: read_ending(&mut row)?,
        created_at: row.int()?,
        updated_at: row.int()?,
    })
}

/// The values of [`COLUMNS`].
pub(super) fn game_values(row: &GameRow) -> Vec<Value> {
    let (door, door_player) = match &row.door {
        Door::Lobby => ("lobby", None),
        Door::Link => ("link", None),
        Door::Player(id) => ("player", Some(id.as_str())),
        Door::Closed => ("closed", None),
    };
    let mut values = values![
        &row.id,
        row.seq,
        name_of(STATUS, row.status),
        &row.rules,
        row.start.as_deref(),
        serde_json::to_string(&row.time).unwrap_or_default(),
        row.rated,
        name_of(COUNTS, row.counts),
    ];
    for seat in &row.seats {
        values.extend(match seat {
            SeatRow::Open => values![None::<&str>, None::<i64>, None::<i64>],
            SeatRow::Player(id) => values![id, None::<i64>, None::<i64>],
            // The databases know no unsigned numbers: the bits are kept.
            SeatRow::Computer { level, seed } => {
                values![None::<&str>, *level, seed.cast_signed()]
            }
        });
    }
    values.extend(values![&row.creator, door, door_player]);
    let of_match = row.match_.as_ref();
    values.extend(values![
        of_match.map(|one| one.id.as_str()),
        of_match.map(|one| one.number),
        of_match.map(|one| one.games),
        row.plies,
        &row.position,
        name_of(SIDE, row.to_move),
        row.due_at,
    ]);
    let ending = row.ending.as_ref();
    values.extend(values![
        ending.map(|end| end.reason.as_str()),
        ending.map(|end| end.score[0]),
        ending.map(|end| end.score[1]),
        ending.and_then(|end| end.winner).map(|side| name_of(WIRE_SIDE, side)),
        row.created_at,
        row.updated_at,
    ]);
    values
}

fn read_seat(row: &mut Row) -> Tried<SeatRow> {
    let (player, level, seed) = (row.maybe_text()?, row.maybe_count()?, row.maybe_int()?);
    Ok(match (player, level, seed) {
        (Some(id), _, _) => SeatRow::Player(id),
        (None, Some(level), Some(seed)) => SeatRow::Computer { level, seed: seed.cast_unsigned() },
        _ => SeatRow::Open,
    })
}

fn read_door(row: &mut Row) -> Tried<Door> {
    let (door, player) = (row.text()?, row.maybe_text()?);
    Ok(match (door.as_str(), player) {
        ("lobby", _) => Door::Lobby,
        ("link", _) => Door::Link,
        ("closed", _) => Door::Closed,
        ("player", Some(id)) => Door::Player(id),
        _ => return Err(Trouble::Damaged(format!("{door:?} is no door"))),
    })
}

fn read_match(row: &mut Row) -> Tried<Option<MatchRow>> {
    let (id, number, games) = (row.maybe_text()?, row.maybe_count()?, row.maybe_count()?);
    Ok(id.zip(number).zip(games).map(|((id, number), games)| MatchRow { id, number, games }))
}

fn read_ending(row: &mut Row) -> Tried<Option<Ending>> {
    let reason = row.maybe_text()?;
    let scores = (row.maybe_real()?, row.maybe_real()?);
    let winner = row.maybe_text()?;
    let (Some(reason), (Some(south), Some(north))) = (reason, scores) else { return Ok(None) };
    let winner = winner.map(|name| by_name(WIRE_SIDE, &name)).transpose()?;
    Ok(Some(Ending { reason, score: [south, north], winner }))
}

/// The names of values in the database. They are kept for ever, so they stand here and do not
/// follow a renaming elsewhere.
pub(super) type Names<T> = &'static [(&'static str, T)];

/// Where games stand.
pub(super) const STATUS: Names<Status> =
    &[("waiting", Status::Waiting), ("playing", Status::Playing), ("over", Status::Over)];
const COUNTS: Names<CountsWish> = &[("free", CountsWish::Free), ("never", CountsWish::Never)];
const SIDE: Names<Side> = &[("south", Side::South), ("north", Side::North)];
const WIRE_SIDE: Names<wire::Side> = &[("south", wire::Side::South), ("north", wire::Side::North)];
/// The paces.
pub(super) const PACE: Names<Pace> = &[
    ("blitz", Pace::Blitz),
    ("rapid", Pace::Rapid),
    ("slow", Pace::Slow),
    ("correspondence", Pace::Correspondence),
];

/// What a value is called in the database.
pub(super) fn name_of<T: Copy + PartialEq>(names: Names<T>, value: T) -> &'static str {
    names.iter().find(|(_, one)| *one == value).map_or("", |(name, _)| name)
}

/// What a name of the database means.
pub(super) fn by_name<T: Copy>(names: Names<T>, name: &str) -> Tried<T> {
    let found = names.iter().find(|(one, _)| *one == name);
    found.map(|(_, value)| *value).ok_or_else(|| Trouble::Damaged(format!("{name:?} is unknown")))
}

fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> Tried<T> {
    serde_json::from_str(text).map_err(|error| Trouble::Damaged(error.to_string()))
}
