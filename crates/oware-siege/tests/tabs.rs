//! One player in two tabs, and fingers that tap twice.

#![allow(clippy::print_stderr, reason = "a test says its seed and what happened")]

mod common;

use common::{CLOCK, WITHIN, end_of, kept, seed, site};
use oware_server::wire::{Action, Happening, Status};
use oware_siege::check::{Evidence, Told};
use oware_siege::http::Visitor;
use oware_siege::line::{Line, News, Patience};
use oware_siege::player::{Company, Habits, Played, Player, sit_down};

/// Both tabs move whenever it is their turn, the same house or another: of each ply one stands.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_tabs_of_each_player_make_one_game() {
    let mut random = seed("two_tabs_of_each_player_make_one_game");
    let folder = tempfile::tempdir().unwrap();
    let mut site = site(folder.path());
    let mut south = Visitor::new(site.address);
    let mut north = Visitor::new(site.address);
    let views = sit_down(&mut south, &mut north, CLOCK).await.unwrap();
    let habits = Habits { think_ms: 5, talk: 30, ..Habits::QUICK };
    let company = Company::of(4);
    let tab = |name: &str, visitor: &Visitor, view, random| {
        Player::new(name, visitor.clone(), view, Patience::HASTY, habits, &company, random)
            .play(WITHIN)
    };
    let (a, b, c, d) = tokio::try_join!(
        tab("south-1", &south, &views[0], random.branch()),
        tab("south-2", &south, &views[0], random.branch()),
        tab("north-1", &north, &views[1], random.branch()),
        tab("north-2", &north, &views[1], random.branch()),
    )
    .unwrap();
    let told = Told::by(&mut south, &views[0].id).await.unwrap();
    let evidence = Evidence::add(told, kept(&mut site).await.as_ref()).await.unwrap();
    let tabs: [&Played; 4] = [&a, &b, &c, &d];
    let faults = evidence.faults(&tabs);
    assert!(faults.is_empty(), "{}\n{}", faults.join("\n"), end_of(&site.log()));
    let late: usize = tabs.iter().map(|tab| tab.refused.len()).sum();
    eprintln!("{} plies, {late} refused", evidence.row.plies);
    assert!(late > 0, "two tabs that move at once must have met");
}

/// Two taps within 30 ms, on the same house and on two: one move.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_double_click_is_one_move() {
    let mut random = seed("a_double_click_is_one_move");
    let folder = tempfile::tempdir().unwrap();
    let mut site = site(folder.path());
    let mut visitor = Visitor::new(site.address);
    let asked = serde_json::json!({ "opponent": { "kind": "same_device" } });
    let view: oware_server::wire::GameView =
        visitor.post("/api/v1/games", &asked).await.unwrap().json().unwrap();
    let game = view.id;
    let mut line = Line::new(visitor.clone(), Patience::PAGES, random.branch());
    line.watch(&game).await;
    let mut twice = [0, 0];
    for round in 0..30u32 {
        while line.journal(&game).is_none() {
            line.next().await;
        }
        let view = line.journal(&game).unwrap().view.clone();
        if view.status == Status::Over {
            break;
        }
        let ply = u32::try_from(view.plies.len()).unwrap() + 1;
        let houses: Vec<String> = view.state.legal.iter().map(|one| one.house.clone()).collect();
        let first = random.one_of(&houses).unwrap().clone();
        let second =
            if round % 2 == 0 { first.clone() } else { random.one_of(&houses).unwrap().clone() };
        line.act(&game, &format!("{ply}-a"), act(ply, &first)).await;
        tokio::time::sleep(random.up_to_ms(30)).await;
        line.act(&game, &format!("{ply}-b"), act(ply, &second)).await;
        let mut answers = [None, None];
        while answers.contains(&None)
            || line.journal(&game).unwrap().view.plies.len() < ply as usize
        {
            match line.next().await {
                News::Acked { id, seq, .. } => answers[usize::from(id.ends_with('b'))] = Some(seq),
                News::Refused { id, fault } => {
                    assert_eq!(
                        (fault.code.as_str(), id.ends_with('b')),
                        ("stale", true),
                        "{fault:?}"
                    );
                    answers[1] = Some(0);
                }
                _ => {}
            }
        }
        if first == second {
            // The same move again is the same move, by whatever name.
            assert_eq!(answers[0], answers[1]);
        } else {
            assert_eq!(answers[1], Some(0));
        }
        twice[usize::from(first == second)] += 1;
        let events = &line.journal(&game).unwrap().events;
        let moves = events.values().filter(|event| matches!(event.what, Happening::Moved { .. }));
        assert_eq!(moves.count(), ply as usize);
    }
    assert!(twice[0] >= 3 && twice[1] >= 3, "{twice:?}");
    let told = Told::by(&mut visitor, &game).await.unwrap();
    let evidence = Evidence::add(told, kept(&mut site).await.as_ref()).await.unwrap();
    assert_eq!(evidence.faults(&[]), Vec::<String>::new());
}

fn act(ply: u32, house: &str) -> Action {
    Action::Move { ply, house: house.to_owned(), lag_ms: None }
}
