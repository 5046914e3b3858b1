//! Random games of random people: whatever they do, the rules of the table hold.

use oware_rules::{PRESETS, Side};
use oware_testkit::TestRng;

use super::*;
use crate::store::{Door, EventRow, GameRow, SeatRow};
use crate::wire::{Action, CountsWish, OfferKind, PHRASES, Status, TimeControl};

fn row(rng: &mut TestRng, seats: [SeatRow; 2]) -> GameRow {
    let times = [
        TimeControl::Unlimited,
        TimeControl::Clock { initial_s: 30, increment_s: 2 },
        TimeControl::Clock { initial_s: 600, increment_s: 0 },
        TimeControl::Days { days: 3 },
    ];
    let open = seats.contains(&SeatRow::Open);
    GameRow {
        id: "game0000".into(),
        seq: 0,
        status: if open { Status::Waiting } else { Status::Playing },
        rules: rng.pick(&PRESETS).rules.id(),
        start: None,
        time: *rng.pick(&times),
        rated: rng.below(4) == 0,
        counts: CountsWish::Free,
        seats,
        creator: "ann".into(),
        door: Door::Link,
        match_: None,
        plies: 0,
        position: String::new(),
        to_move: Side::South,
        due_at: None,
        ending: None,
        created_at: 1_000_000,
        updated_at: 1_000_000,
    }
}

fn seats(rng: &mut TestRng) -> [SeatRow; 2] {
    let person = |id: &str| SeatRow::Player(id.into());
    let computer = SeatRow::Computer { level: 3, seed: 5 };
    let all = [
        [person("ann"), person("ben")],
        [person("ann"), SeatRow::Open],
        [SeatRow::Open, person("ann")],
        [person("ann"), computer],
        [person("ann"), person("ann")],
    ];
    rng.pick(&all).clone()
}

/// Something that somebody might do, sensible or not.
fn action(rng: &mut TestRng, state: &GameState) -> Action {
    let offers = [OfferKind::Draw, OfferKind::Loop, OfferKind::Takeback];
    let side = *rng.pick(&[None, Some(crate::wire::Side::South), Some(crate::wire::Side::North)]);
    match rng.below(40) {
        0 => Action::Join,
        1 | 2 => Action::Offer { offer: *rng.pick(&offers), side },
        3 => Action::Accept,
        4 => Action::Decline,
        5 if rng.below(6) == 0 => Action::Resign { side },
        6 if rng.below(6) == 0 => Action::Abort,
        7 => Action::Claim,
        8 => Action::Say { phrase: (*rng.pick(&PHRASES)).into() },
        9 => Action::Rematch,
        10 => Action::Move { ply: 1, house: "A".into(), lag_ms: None },
        _ => {
            let legal: Vec<_> = state.game().legal_moves().iter().collect();
            let mover = state.game().position().to_move();
            let house = match legal.is_empty() {
                true => 'F',
                false => oware_rules::House::of(mover, *rng.pick(&legal)).letter(),
            };
            let lag_ms = (rng.below(2) == 0).then_some(300);
            Action::Move { ply: state.row().plies + 1, house: house.into(), lag_ms }
        }
    }
}

/// One more thing happens, or is refused; the events that came of it.
fn step(rng: &mut TestRng, state: &mut GameState, now: i64, number: usize) -> Vec<Stamped> {
    let action = action(rng, state);
    let id = format!("a{}", if rng.below(20) == 0 { 0 } else { number });
    let (who, actor) = match rng.below(5) {
        0 | 1 => ("ann", Actor::Player("ann")),
        2 | 3 => ("ben", Actor::Player("ben")),
        _ => match state.row().seats.iter().position(|s| matches!(s, SeatRow::Computer { .. })) {
            Some(side) => ("", Actor::Computer(Side::BOTH[side])),
            None => ("eve", Actor::Player("eve")),
        },
    };
    let claim_at = if rng.below(2) == 0 { [Some(now - 1); 2] } else { [None; 2] };
    let account = rng.below(2) == 0;
    let request =
        Request { actor, id: Some(&id), action: &action, lag: Some(200), claim_at, account };
    let before = state.clone();
    let decided = state.decide(&request, now);
    assert_eq!(*state, before, "deciding changes nothing");
    let events = match decided {
        Ok(Decision::Do(events) | Decision::TooLate(events)) => events,
        Ok(Decision::Done(seq)) => {
            assert!(seq <= state.seq());
            return Vec::new();
        }
        Err(refusal) => {
            assert!(!refusal.fault().code.is_empty());
            return Vec::new();
        }
    };
    let mut named = (!who.is_empty()).then(|| (who.to_owned(), id));
    let stamp = |event| {
        let seq = state.seq() + 1;
        let stamped = Stamped { seq, at: now, action: named.take(), event };
        state.apply(&stamped).expect("what was decided can be applied");
        stamped
    };
    events.into_iter().map(stamp).collect()
}

fn check(before: &GameState, state: &GameState, now: i64) {
    let position = state.game().position();
    let seeds: u32 =
        position.houses().iter().chain(&position.stores()).map(|n| u32::from(*n)).sum();
    assert_eq!(seeds, 48);
    let row = state.row();
    assert_eq!(row.plies as usize, state.game().plies().len());
    assert_eq!(row.ending.is_some(), row.status == Status::Over);
    assert!(state.game().ending().is_none() || row.status == Status::Over);
    if before.row().status == Status::Over {
        assert_eq!(before.row().ending, row.ending, "an end is the end");
        assert_eq!(before.row().plies, row.plies);
    }
    if let Some(clocks) = state.clocks() {
        assert!(clocks.left(now).iter().all(|left| *left >= 0));
        assert!(row.plies >= 2 || clocks.running().is_none());
        assert!(row.status == Status::Playing || clocks.running().is_none());
    }
    let faces = Faces::default();
    let view = state.view(&faces, Some("ann"), now);
    assert_eq!((view.plies.len(), view.seq), (row.plies as usize, row.seq));
    assert!(view.state.legal.is_empty() || view.status != Status::Over);
}

/// A clock only loses what its owner spends, and only its owner's moves add to it.
fn check_clocks(before: &GameState, state: &GameState, events: &[Stamped], now: i64) {
    let (Some(old), Some(new)) = (before.clocks(), state.clocks()) else { return };
    let moved = events.iter().any(|one| matches!(one.event, Event::Moved { .. }));
    if events.iter().any(|one| matches!(one.event, Event::TakenBack { .. })) {
        return;
    }
    let mover = before.game().position().to_move();
    let (was, is) = (old.left(now), new.left(now));
    let waiting = mover.other().index();
    assert_eq!(was[waiting], is[waiting], "who waits pays nothing");
    let gained = is[mover.index()] - was[mover.index()];
    let computer = matches!(before.seat(mover), SeatRow::Computer { .. });
    // The increment, and what was given back for lag; the computer pays less than it takes.
    let most = if moved { 2_000 + 200 } else { 0 };
    assert!(gained >= 0 && (gained <= most || computer), "{gained}");
}

#[test]
fn whatever_happens_a_game_is_the_fold_of_its_events() {
    let mut rng = TestRng::from_env("whatever_happens_a_game_is_the_fold_of_its_events");
    let (mut endings, mut longest) = (std::collections::BTreeMap::new(), 0);
    for _ in 0..400 {
        let seats = seats(&mut rng);
        let row = row(&mut rng, seats);
        let first = GameState::new(row).expect("a game");
        let (mut state, mut kept) = (first.clone(), Vec::<EventRow>::new());
        let mut now = 1_000_000;
        for number in 0..rng.below(400) {
            now += i64::try_from(rng.below(3_000)).expect("small");
            let before = state.clone();
            let events = step(&mut rng, &mut state, now, number);
            check(&before, &state, now);
            check_clocks(&before, &state, &events, now);
            kept.extend(events.iter().map(Stamped::row));
        }
        // From the row as it is in the end, and the texts of the events.
        let again = GameState::restore(state.row(), &kept).expect("what was kept makes a game");
        assert_eq!(again, state);
        let told = GameState::tell_again(state.row(), &kept, 0, &Faces::default()).expect("told");
        assert_eq!(told.len(), kept.len());
        longest = longest.max(state.row().plies);
        let reason = state.row().ending.as_ref().map(|ending| ending.reason.clone());
        *endings.entry(reason).or_insert(0) += 1;
    }
    // The scripts reach what they shall test.
    assert!(longest > 60 && endings.len() >= 6, "{longest} {endings:?}");
}

/// Two games, the same but for who sits where and what that does to the names, go the same way.
#[test]
fn the_seats_are_alike() {
    let mut rng = TestRng::from_env("the_seats_are_alike");
    for _ in 0..50 {
        let person = |id: &str| SeatRow::Player(id.into());
        let one = row(&mut rng, [person("ann"), person("ben")]);
        let two = GameRow { seats: [person("ben"), person("ann")], ..one.clone() };
        let mut pair = [one, two].map(|row| GameState::new(row).expect("a game"));
        let mut now = 1_000_000;
        for _ in 0..80 {
            now += 700;
            let action = action(&mut rng, &pair[0]);
            let who = *rng.pick(&["ann", "ben"]);
            let other = if who == "ann" { "ben" } else { "ann" };
            let decided = [who, other].map(|who| Request {
                actor: Actor::Player(who),
                id: None,
                action: &action,
                lag: None,
                claim_at: [Some(now - 5), None],
                account: true,
            });
            let results = [0, 1].map(|at| pair[at].decide(&decided[at], now));
            assert_eq!(results[0], results[1], "{action:?} by {who}");
            let Ok(Decision::Do(events) | Decision::TooLate(events)) = &results[0] else {
                continue;
            };
            for state in &mut pair {
                for event in events {
                    let seq = state.seq() + 1;
                    let stamped = Stamped { seq, at: now, action: None, event: event.clone() };
                    state.apply(&stamped).expect("decided");
                }
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_damaged_not_a_panic() {
    let mut rng = TestRng::from_env("what_does_not_fit_is_damaged_not_a_panic");
    let people = [SeatRow::Player("ann".into()), SeatRow::Player("ben".into())];
    let good = row(&mut rng, people);
    let damaged = |row: GameRow, events: &[EventRow]| {
        GameState::restore(&row, events).expect_err("damaged").to_string()
    };
    let bad_rules = GameRow { rules: "kalah".into(), ..good.clone() };
    assert!(damaged(bad_rules, &[]).contains("rules"));
    let bad_start = GameRow { start: Some("4-4".into()), ..good.clone() };
    assert!(damaged(bad_start, &[]).contains("start"));
    let event = |seq, event| Stamped { seq, at: 0, action: None, event }.row();
    let moved = |seq, ply, house| {
        event(seq, Event::Moved { ply, house, spent_ms: None, lag_ms: 0, left_ms: None })
    };
    let row = |seq| GameRow { seq, ..good.clone() };
    assert!(damaged(row(2), &[moved(2, 1, 'F')]).contains("not the next number"));
    assert!(damaged(row(1), &[moved(1, 2, 'F')]).contains("not the next move"));
    assert!(damaged(row(1), &[moved(1, 1, 'f')]).contains("not the next move"));
    assert!(damaged(row(1), &[moved(1, 1, 'x')]).contains("house"));
    let back = event(1, Event::TakenBack { plies: 3, left_ms: None });
    assert!(damaged(row(1), &[back]).contains("taken back"));
    assert!(damaged(row(5), &[moved(1, 1, 'F')]).contains("its row says 5"));
    let rubbish = EventRow { body: "{".into(), ..moved(1, 1, 'F') };
    assert!(damaged(row(1), &[rubbish]).contains("event 1"));
}
