//! Rows for tests.

use oware_rules::Side;
use oware_server::store::{
    Door, EventRow, GameRow, MatchRow, Rate, SeatRow, Store, Write, WriteRefused, Written,
};
use oware_server::wire::{CountsWish, Ending, Pace, Status, TimeControl};

/// A game between two players, with one event.
pub(crate) fn game(id: &str, south: &str, north: &str) -> GameRow {
    GameRow {
        id: id.to_owned(),
        seq: 1,
        status: Status::Playing,
        rules: "abapa".to_owned(),
        start: None,
        time: TimeControl::Clock { initial_s: 300, increment_s: 3 },
        rated: false,
        counts: CountsWish::Free,
        seats: [SeatRow::Player(south.to_owned()), SeatRow::Player(north.to_owned())],
        creator: south.to_owned(),
        door: Door::Closed,
        match_: None,
        plies: 0,
        position: "4,4,4,4,4,4/4,4,4,4,4,4".to_owned(),
        to_move: Side::South,
        due_at: None,
        ending: None,
        created_at: 1_000,
        updated_at: 1_000,
    }
}

/// A game in which every field that may be something is something.
pub(crate) fn full(id: &str, player: &str) -> GameRow {
    GameRow {
        status: Status::Over,
        start: Some("1,1,1,1,1,1/1,1,1,1,1,1".to_owned()),
        time: TimeControl::Days { days: 7 },
        rated: true,
        counts: CountsWish::Never,
        seats: [SeatRow::Computer { level: 12, seed: u64::MAX - 1 }, SeatRow::Open],
        door: Door::Player(player.to_owned()),
        match_: Some(MatchRow { id: "m1".to_owned(), number: 2, games: 4 }),
        plies: 33,
        to_move: Side::North,
        due_at: Some(1_700_000_000_123),
        ending: Some(Ending {
            reason: "repetition".to_owned(),
            score: [24.5, 23.5],
            winner: Some(oware_server::wire::Side::South),
        }),
        updated_at: 1_700_000_000_000,
        ..game(id, player, player)
    }
}

/// An event that is no move.
pub(crate) fn event(seq: u32) -> EventRow {
    EventRow {
        seq,
        at: 1_000 + i64::from(seq),
        ply: None,
        retracted: false,
        action: None,
        body: format!(r#"{{"event":{seq}}}"#),
    }
}

/// A move by a player.
pub(crate) fn ply(seq: u32, ply: u32, player: &str, action: &str) -> EventRow {
    let action = Some((player.to_owned(), action.to_owned()));
    EventRow { ply: Some(ply), action, ..event(seq) }
}

/// The row after these events.
pub(crate) fn after(row: &GameRow, events: &[EventRow]) -> GameRow {
    let seq = events.last().map_or(row.seq, |last| last.seq);
    GameRow { seq, updated_at: 1_000 + i64::from(seq), ..row.clone() }
}

/// A write of events to a game.
pub(crate) fn append(row: &GameRow, events: Vec<EventRow>) -> Write {
    let row = Box::new(after(row, &events));
    Write::Append { row, events, retract_from: None, rate: None }
}

/// A write that ends a game between two and rates it.
pub(crate) fn rated_end(
    row: &GameRow,
    pace: Pace,
    players: [&str; 2],
    south: f64,
    at: i64,
) -> Write {
    let events = vec![event(row.seq + 1)];
    let ended = GameRow {
        status: Status::Over,
        ending: Some(Ending {
            reason: "majority".to_owned(),
            score: [25.0, 20.0],
            winner: Some(oware_server::wire::Side::South),
        }),
        updated_at: at,
        seq: row.seq + 1,
        ..row.clone()
    };
    let rate = Some(Rate { pace, players: players.map(str::to_owned), south });
    Write::Append { row: Box::new(ended), events, retract_from: None, rate }
}

/// Makes players with these ids.
pub(crate) async fn make_players(store: &dyn Store, ids: &[&str]) {
    for id in ids {
        store.create_player(id, 500).await.expect("a player");
    }
}

/// Writes games, with one event each.
pub(crate) async fn make_games(store: &dyn Store, games: &[GameRow]) {
    let create = |game: &GameRow| Write::Create(Box::new(game.clone()), vec![event(1)]);
    let done = store.write(games.iter().map(create).collect()).await.expect("written");
    assert!(done.iter().all(Result::is_ok), "{done:?}");
}

/// Does one write.
pub(crate) async fn write(store: &dyn Store, write: Write) -> Result<Written, WriteRefused> {
    let mut done = store.write(vec![write]).await.expect("the database works");
    assert_eq!(done.len(), 1);
    done.remove(0)
}
