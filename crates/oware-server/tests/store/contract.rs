//! What every back end does with games.

use oware_server::store::{
    Door, EventRow, GameFilter, GameRow, MatchRow, SeatRow, Store, Write, WriteRefused,
};
use oware_server::wire::{Pace, Status, TimeControl};

use crate::rows::{
    after, append, event, full, game, make_games, make_players, ply, rated_end, write,
};

pub(crate) async fn keeps_every_field(store: &dyn Store) {
    make_players(store, &["ann", "ben"]).await;
    let mut games = vec![full("full", "ann"), game("plain", "ann", "ben")];
    for (id, door) in [("lobby", Door::Lobby), ("link", Door::Link)] {
        let time = TimeControl::Unlimited;
        let status = Status::Waiting;
        games.push(GameRow { door, time, status, ..game(id, "ann", "ben") });
    }
    make_games(store, &games).await;
    for row in &games {
        assert_eq!(store.game(&row.id).await.expect("read").as_ref(), Some(row));
    }
    assert_eq!(store.game("none").await.expect("read"), None);
    let events = vec![event(2), ply(3, 1, "ann", "x-1"), event(4)];
    let moved = GameRow { plies: 1, ..after(&games[1], &events) };
    write(store, append(&moved, events.clone())).await.expect("accepted");
    assert_eq!(store.game("plain").await.expect("read"), Some(moved));
    assert_eq!(store.events("plain", 1).await.expect("read"), events);
    assert_eq!(store.events("plain", 3).await.expect("read"), events[2..]);
    assert_eq!(store.events("plain", 4).await.expect("read"), []);
    assert_eq!(store.events("none", 0).await.expect("read"), []);
    store.check().await.expect("answers");
}

pub(crate) async fn refuses_what_does_not_follow(store: &dyn Store) {
    make_players(store, &["ann", "ben"]).await;
    let row = game("g", "ann", "ben");
    let conflict = Err(WriteRefused::Conflict);
    assert_eq!(write(store, append(&row, vec![event(2)])).await, conflict, "no such game");
    make_games(store, std::slice::from_ref(&row)).await;
    let again = Write::Create(Box::new(row.clone()), vec![event(1)]);
    assert_eq!(write(store, again).await, conflict, "a game of this id is there");
    let moved = append(&row, vec![ply(2, 1, "ann", "a")]);
    write(store, moved).await.expect("accepted");
    let before = (store.game("g").await.expect("read"), store.events("g", 0).await.expect("read"));
    let wrong: [(&str, Vec<EventRow>); 6] = [
        ("the number is in use", vec![event(2)]),
        ("a number is left out", vec![event(4)]),
        ("a gap among them", vec![event(3), event(5)]),
        ("the ply is in use", vec![ply(3, 1, "ben", "b")]),
        ("a ply twice", vec![ply(3, 2, "ben", "b"), ply(4, 2, "ben", "c")]),
        ("an action twice", vec![ply(3, 2, "ben", "b"), ply(4, 3, "ben", "b")]),
    ];
    for (why, events) in wrong {
        assert_eq!(write(store, append(&row, events)).await, conflict, "{why}");
    }
    let Write::Append { row: mut ahead, events, .. } = append(&row, vec![event(3)]) else {
        unreachable!("made above");
    };
    ahead.seq = 9;
    let ahead = Write::Append { row: ahead, events, retract_from: None, rate: None };
    assert_eq!(write(store, ahead).await, conflict, "the row says something else");
    let stranger = GameRow {
        seats: [SeatRow::Player("nobody".to_owned()), SeatRow::Open],
        ..game("h", "ann", "ben")
    };
    let stranger = Write::Create(Box::new(stranger), vec![event(1)]);
    assert_eq!(write(store, stranger).await, conflict, "a player who does not exist");
    let now = (store.game("g").await.expect("read"), store.events("g", 0).await.expect("read"));
    assert_eq!(now, before, "nothing changed");
}

pub(crate) async fn one_refusal_spares_the_rest(store: &dyn Store) {
    make_players(store, &["ann", "ben"]).await;
    let games = ["g0", "g1", "g2"].map(|id| game(id, "ann", "ben"));
    make_games(store, &games[..2]).await;
    let nobody = GameRow { creator: "nobody".to_owned(), ..game("g3", "ann", "ben") };
    let writes = vec![
        append(&games[0], vec![ply(2, 1, "ann", "a")]),
        append(&games[1], vec![event(7)]),
        Write::Create(Box::new(nobody), vec![event(1)]),
        Write::Create(Box::new(games[2].clone()), vec![event(1)]),
        append(&games[2], vec![event(2)]),
        append(&games[0], vec![ply(2, 1, "ann", "a")]),
        append(&games[0], vec![event(3)]),
    ];
    let done = store.write(writes).await.expect("written");
    let done: Vec<_> = done.into_iter().map(Result::err).collect();
    let conflict = Some(WriteRefused::Conflict);
    let repeated = Some(WriteRefused::Repeated(2));
    assert_eq!(done, [None, conflict.clone(), conflict, None, None, repeated, None]);
    for (id, seq) in [("g0", 3), ("g1", 1), ("g2", 2)] {
        let row = store.game(id).await.expect("read").expect("there");
        assert_eq!(row.seq, seq, "{id}");
        assert_eq!(store.events(id, 0).await.expect("read").len(), seq as usize);
    }
    assert_eq!(store.write(Vec::new()).await.expect("nothing to do"), []);
}

pub(crate) async fn tells_a_repeated_action(store: &dyn Store) {
    make_players(store, &["ann", "ben"]).await;
    let row = game("g", "ann", "ben");
    make_games(store, std::slice::from_ref(&row)).await;
    let first = append(&row, vec![ply(2, 1, "ann", "a"), event(3)]);
    write(store, first.clone()).await.expect("accepted");
    assert_eq!(write(store, first).await, Err(WriteRefused::Repeated(2)));
    let later = append(&row, vec![event(4), ply(5, 2, "ann", "a")]);
    assert_eq!(write(store, later).await, Err(WriteRefused::Repeated(2)), "whatever it is");
    // The same id of another player, and of another game, is another action.
    write(store, append(&row, vec![ply(4, 2, "ben", "a")])).await.expect("accepted");
    let other = game("h", "ann", "ben");
    make_games(store, std::slice::from_ref(&other)).await;
    write(store, append(&other, vec![ply(2, 1, "ann", "a")])).await.expect("accepted");
}

pub(crate) async fn takes_back_and_plays_again(store: &dyn Store) {
    make_players(store, &["ann", "ben"]).await;
    let row = game("g", "ann", "ben");
    make_games(store, std::slice::from_ref(&row)).await;
    let moves = vec![ply(2, 1, "ann", "a"), ply(3, 2, "ben", "b"), ply(4, 3, "ann", "c")];
    write(store, append(&row, moves)).await.expect("accepted");
    let back = |events: Vec<EventRow>| {
        let row = Box::new(after(&row, &events));
        Write::Append { row, events, retract_from: Some(2), rate: None }
    };
    // Refused as a whole: nothing is retracted.
    assert_eq!(write(store, back(vec![event(9)])).await, Err(WriteRefused::Conflict));
    let taken = ply(5, 1, "ben", "d");
    assert_eq!(write(store, back(vec![taken])).await, Err(WriteRefused::Conflict));
    let stands = |events: &[EventRow]| {
        let stand = events.iter().filter(|event| !event.retracted);
        stand.filter_map(|event| event.ply).collect::<Vec<_>>()
    };
    assert_eq!(stands(&store.events("g", 0).await.expect("read")), [1, 2, 3]);
    write(store, back(vec![event(5)])).await.expect("accepted");
    assert_eq!(stands(&store.events("g", 0).await.expect("read")), [1]);
    write(store, append(&row, vec![ply(6, 2, "ben", "e")])).await.expect("accepted");
    let events = store.events("g", 0).await.expect("read");
    assert_eq!(stands(&events), [1, 2]);
    assert_eq!(events.iter().filter(|event| event.retracted).count(), 2);
    let again = append(&row, vec![ply(7, 2, "ben", "f")]);
    assert_eq!(write(store, again).await, Err(WriteRefused::Conflict));
    // What was taken back keeps its id.
    let old = append(&row, vec![ply(7, 3, "ben", "b")]);
    assert_eq!(write(store, old).await, Err(WriteRefused::Repeated(3)));
}

async fn found(store: &dyn Store, filter: GameFilter) -> Vec<String> {
    let filter = if filter.limit == 0 { GameFilter { limit: 100, ..filter } } else { filter };
    store.games(&filter).await.expect("read").into_iter().map(|row| row.id).collect()
}

pub(crate) async fn finds_games(store: &dyn Store) {
    make_players(store, &["ann", "ben", "eve"]).await;
    let open = |id: &str, door: Door, at| GameRow {
        status: Status::Waiting,
        seats: [SeatRow::Player("ann".to_owned()), SeatRow::Open],
        door,
        updated_at: at,
        ..game(id, "ann", "ann")
    };
    let games = [
        open("lob", Door::Lobby, 50),
        open("lnk", Door::Link, 40),
        open("inv", Door::Player("eve".to_owned()), 30),
        GameRow { rated: true, updated_at: 20, ..game("ab", "ann", "ben") },
        GameRow { updated_at: 20, ..game("be", "ben", "eve") },
        GameRow { updated_at: 20, ..game("aa", "ann", "ann") },
        GameRow { updated_at: 10, rules: "other".to_owned(), ..game("oth", "ben", "ann") },
        GameRow {
            updated_at: 5,
            match_: Some(MatchRow { id: "m1".to_owned(), number: 1, games: 4 }),
            ..full("over", "ann")
        },
        GameRow { updated_at: 4, ..full("next", "ann") },
    ];
    make_games(store, &games).await;
    let all = GameFilter::default;
    let player = |id: &str| Some(id.to_owned());
    assert_eq!(
        found(store, all()).await,
        ["lob", "lnk", "inv", "be", "ab", "aa", "oth", "over", "next"]
    );
    let of_ben = GameFilter { player: player("ben"), ..all() };
    assert_eq!(found(store, of_ben.clone()).await, ["be", "ab", "oth"]);
    let pair = GameFilter { opponent: player("ann"), ..of_ben };
    assert_eq!(found(store, pair.clone()).await, ["ab", "oth"]);
    assert_eq!(found(store, GameFilter { rated: Some(true), ..pair.clone() }).await, ["ab"]);
    assert_eq!(found(store, GameFilter { rules: player("other"), ..pair }).await, ["oth"]);
    let alone = GameFilter { player: player("ann"), opponent: player("ann"), ..all() };
    assert_eq!(found(store, alone).await, ["aa"]);
    let invited = GameFilter { invited: player("eve"), ..all() };
    assert_eq!(found(store, invited).await, ["inv"]);
    assert_eq!(found(store, GameFilter { in_lobby: true, ..all() }).await, ["lob"]);
    let over = GameFilter { status: Some(Status::Over), ..all() };
    assert_eq!(found(store, over).await, ["over", "next"]);
    let page = GameFilter { limit: 4, ..all() };
    assert_eq!(found(store, page.clone()).await, ["lob", "lnk", "inv", "be"]);
    let next = GameFilter { before: Some((20, "be".to_owned())), ..page };
    assert_eq!(found(store, next).await, ["ab", "aa", "oth", "over"]);
    let in_play = store.unfinished().await.expect("read");
    let in_play: Vec<_> = in_play.into_iter().map(|row| row.id).collect();
    assert_eq!(in_play, ["oth", "aa", "ab", "be", "inv", "lnk", "lob"]);
    let of_match = store.match_games("m1").await.expect("read");
    let of_match: Vec<_> = of_match.into_iter().map(|row| row.id).collect();
    assert_eq!(of_match, ["over", "next"]);
    assert_eq!(store.match_games("none").await.expect("read"), []);
}

pub(crate) async fn counts_games(store: &dyn Store) {
    make_players(store, &["ann", "ben", "eve"]).await;
    let over = |id: &str, south: &str, north: &str, winner| {
        let ending = full(id, south).ending;
        let ending = ending.map(|end| oware_server::wire::Ending { winner, ..end });
        GameRow { status: Status::Over, ending, ..game(id, south, north) }
    };
    let south = Some(oware_server::wire::Side::South);
    let north = Some(oware_server::wire::Side::North);
    let mut aborted = over("abo", "ann", "ben", None);
    aborted.ending.as_mut().expect("it is over").reason = "aborted".to_owned();
    let computer = SeatRow::Computer { level: 3, seed: 7 };
    let games = [
        over("w1", "ann", "ben", south),
        over("w2", "eve", "ann", north),
        over("d1", "ann", "ben", None),
        over("l1", "ann", "ben", north),
        over("oo", "ann", "ann", south),
        aborted,
        GameRow {
            seats: [computer, SeatRow::Player("ann".to_owned())],
            ..over("cp", "ann", "ann", north)
        },
        game("p1", "ann", "ben"),
        GameRow { to_move: oware_rules::Side::North, ..game("p2", "ann", "ben") },
        game("p3", "ann", "ann"),
    ];
    make_games(store, &games).await;
    assert_eq!(store.results("ann").await.expect("read"), [2, 1, 1]);
    assert_eq!(store.results("ben").await.expect("read"), [1, 1, 1]);
    assert_eq!(store.results("none").await.expect("read"), [0, 0, 0]);
    assert_eq!(store.turns("ann").await.expect("read"), 1);
    assert_eq!(store.turns("ben").await.expect("read"), 1);
    assert_eq!(store.turns("eve").await.expect("read"), 0);
}

pub(crate) async fn rates_inside_the_write(store: &dyn Store) {
    make_players(store, &["ann", "ben"]).await;
    let games = ["g0", "g1", "g2"].map(|id| game(id, "ann", "ben"));
    make_games(store, &games).await;
    let pace = Pace::Rapid;
    let done = write(store, rated_end(&games[0], pace, ["ann", "ben"], 1.0, 2_000)).await;
    let [south, north] = done.expect("accepted").ratings.expect("rated");
    assert_eq!((south.0, north.0), (1500.0, 1500.0));
    assert!(south.1 > 1600.0 && north.1 < 1400.0, "{south:?} {north:?}");
    // Refused: rated once.
    let again = write(store, rated_end(&games[0], pace, ["ann", "ben"], 1.0, 2_000)).await;
    assert_eq!(again, Err(WriteRefused::Conflict));
    let changes = store.rating_changes("g0").await.expect("read");
    let expected = [("ann".to_owned(), south.0, south.1), ("ben".to_owned(), north.0, north.1)];
    assert_eq!(changes, expected);
    // Two in one group: the second begins where the first left off.
    let both = vec![
        rated_end(&games[1], pace, ["ann", "ben"], 0.5, 3_000),
        rated_end(&games[2], pace, ["ben", "ann"], 0.0, 3_000),
    ];
    let done = store.write(both).await.expect("written");
    let ratings = |at: usize| done[at].as_ref().expect("accepted").ratings.expect("rated");
    assert_eq!(ratings(0)[0].0, south.1);
    assert_eq!(ratings(1)[0].0, ratings(0)[1].1);
    let of_ann = store.ratings("ann", 3_000).await.expect("read");
    assert_eq!(of_ann.len(), 1);
    assert_eq!((of_ann[0].pace, of_ann[0].games), (pace, 3));
    assert_eq!(of_ann[0].rating, ratings(1)[1].1);
    assert!(of_ann[0].provisional && of_ann[0].deviation < 500.0);
    let history = store.rating_history("ann", pace).await.expect("read");
    let steps: Vec<_> = history.iter().map(|one| (one.game.as_str(), one.at)).collect();
    assert_eq!(steps, [("g0", 2_000), ("g1", 3_000), ("g2", 3_000)]);
    assert_eq!(history[2].after, of_ann[0].rating);
    assert_eq!(store.rating_history("ann", Pace::Blitz).await.expect("read"), []);
    assert_eq!(store.rating_changes("none").await.expect("read"), []);
}

/// Two writers at once on the same games: each number is given once.
pub(crate) async fn keeps_what_two_writers_did(store: &dyn Store) {
    make_players(store, &["ann", "ben"]).await;
    let games = ["g0", "g1"].map(|id| game(id, "ann", "ben"));
    make_games(store, &games).await;
    let writer = async |name: &str, order: [usize; 2]| {
        let mut accepted = [0, 0];
        for seq in 2..40 {
            let action = format!("{name}{seq}");
            let one = |game: usize| append(&games[game], vec![ply(seq, seq, "ann", &action)]);
            let done = store.write(order.map(one).to_vec()).await.expect("written");
            for (place, game) in order.into_iter().enumerate() {
                accepted[game] += usize::from(done[place].is_ok());
            }
        }
        accepted
    };
    // In opposite orders, so that PostgreSQL has a reason to give one up.
    let (a, b) = tokio::join!(writer("a", [0, 1]), writer("b", [1, 0]));
    for (game, id) in ["g0", "g1"].into_iter().enumerate() {
        let events = store.events(id, 0).await.expect("read");
        assert_eq!(events.len(), 39, "{id}");
        assert_eq!(a[game] + b[game], 38, "{id}");
        assert!(events.iter().zip(1..).all(|(event, seq)| event.seq == seq), "{id}");
    }
}
