//! A server of one's own, people at its tables, and the check after their games.
#![allow(dead_code, reason = "each test takes what it needs")]
#![allow(clippy::print_stderr, reason = "a test says its seed and what happened")]

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use oware_server::store::{self, Store};
use oware_server::wire::{Action, Fault, GameEvent, TimeControl};
use oware_siege::check::{Evidence, Told};
use oware_siege::http::Visitor;
use oware_siege::line::Patience;
use oware_siege::player::{Company, Habits, Played, Player, sit_down};
use oware_siege::random::Random;
use oware_siege::site::{Site, Start};
use tokio::task::JoinSet;

/// How long a game of a test may take.
pub(crate) const WITHIN: Duration = Duration::from_secs(60);

/// Whether the long run was asked for, by `OWARE_LONG=1`.
pub(crate) fn is_long() -> bool {
    std::env::var("OWARE_LONG").is_ok_and(|value| value == "1")
}

/// The seed of a test, printed.
pub(crate) fn seed(name: &str) -> Random {
    let seed = Random::seed_of(name).unwrap();
    eprintln!("{name}: OWARE_SEED={seed:#018x}");
    Random::new(seed)
}

/// How a server is started in a folder.
pub(crate) fn start_in(data: &Path) -> Start {
    Start {
        program: env!("CARGO_BIN_EXE_siege").into(),
        data: data.to_owned(),
        database: None,
        file_bytes: None,
    }
}

/// A server in a folder of its own.
pub(crate) fn site(data: &Path) -> Site {
    Site::start(start_in(data)).unwrap()
}

/// A clock of five minutes and two seconds a move.
pub(crate) const CLOCK: Option<TimeControl> =
    Some(TimeControl::Clock { initial_s: 300, increment_s: 2 });

/// What two people saw of a game, and its name.
pub(crate) struct Pair {
    pub(crate) game: String,
    pub(crate) south: Visitor,
    pub(crate) played: [Played; 2],
}

/// Starts games between two people each, who sit down at `site` and play over `lines`.
pub(crate) async fn begin(
    site: SocketAddr,
    lines: SocketAddr,
    games: u32,
    habits: Habits,
    random: &mut Random,
) -> Result<JoinSet<Result<Pair>>> {
    let mut running = JoinSet::new();
    for number in 0..games {
        let mut south = Visitor::from_number(site, number / 20);
        let mut north = Visitor::from_number(site, number / 20);
        let views = sit_down(&mut south, &mut north, CLOCK).await?;
        let company = Company::of(2);
        let over = |visitor: &Visitor| Visitor { to: lines, ..visitor.clone() };
        let [one, other] = [(&south, &views[0], "south"), (&north, &views[1], "north")].map(
            |(visitor, view, name)| {
                let random = random.branch();
                Player::new(name, over(visitor), view, Patience::HASTY, habits, &company, random)
            },
        );
        let game = views[0].id.clone();
        running.spawn(async move {
            match tokio::join!(one.play(WITHIN), other.play(WITHIN)) {
                (Ok(one), Ok(other)) => Ok(Pair { game, south, played: [one, other] }),
                (one, other) => bail!("{:?}\n{:?}", one.map(|_| ()), other.map(|_| ())),
            }
        });
    }
    Ok(running)
}

/// What the players of all games went through.
#[derive(Debug, Default)]
pub(crate) struct Sum {
    pub(crate) games: u32,
    pub(crate) plies: u32,
    pub(crate) events: u32,
    pub(crate) opened: u32,
    pub(crate) silent: u32,
    pub(crate) resent: u32,
    pub(crate) gaps: u32,
    pub(crate) doubles: u32,
    pub(crate) later: u32,
    pub(crate) shifted: u32,
}

/// Waits for all games and ends the site, then holds what players, site and database know against
/// each other.
pub(crate) async fn finish(mut running: JoinSet<Result<Pair>>, mut site: Site) -> Sum {
    let mut sum = Sum::default();
    let (mut faults, mut games) = (Vec::new(), Vec::new());
    while let Some(pair) = running.join_next().await {
        match pair.unwrap() {
            Ok(mut pair) => {
                games.push((Told::by(&mut pair.south, &pair.game).await.unwrap(), pair));
            }
            Err(error) => faults.push(format!("{error:#}")),
        }
    }
    let store = kept(&mut site).await;
    for (told, pair) in games {
        faults.extend(look_at(told, pair, &store, &mut sum).await);
    }
    let log = site.log();
    assert!(faults.is_empty(), "{}\n{}", faults.join("\n"), end_of(&log));
    assert!(!log.contains("panicked"), "{}", end_of(&log));
    sum
}

/// Ends the site, and opens what it kept.
pub(crate) async fn kept(site: &mut Site) -> Arc<dyn Store> {
    let took = tokio::task::block_in_place(|| site.end().unwrap());
    assert!(took < Duration::from_secs(30), "{took:?}");
    store::open(&site.database()).await.unwrap()
}

/// The last lines of a log.
pub(crate) fn end_of(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}

async fn look_at(told: Told, pair: Pair, store: &Arc<dyn Store>, sum: &mut Sum) -> Vec<String> {
    let evidence = Evidence::add(told, store.as_ref()).await.unwrap();
    let [south, north] = &pair.played;
    sum.games += 1;
    sum.plies += evidence.row.plies;
    sum.events += evidence.row.seq;
    for played in [south, north] {
        sum.opened += played.tally.opened;
        sum.silent += played.tally.silent;
        sum.resent += played.tally.resent;
        sum.gaps += played.tally.gaps;
        sum.doubles += played.tally.doubles;
        sum.later += played.later;
    }
    sum.shifted += evidence.events.iter().filter(|event| is_shift(event)).count() as u32;
    let mut faults = evidence.faults(&[south, north]);
    for played in [south, north] {
        let refused = played.refused.iter();
        faults.extend(
            refused
                .filter(|(action, fault)| !is_fair(action, fault))
                .map(|refused| format!("game {}: refused without reason: {refused:?}", pair.game)),
        );
    }
    faults
}

fn is_shift(event: &GameEvent) -> bool {
    matches!(event.what, oware_server::wire::Happening::ClockShifted { .. })
}

/// Refusals that people must expect who act on what they saw a moment ago: somebody was faster,
/// an offer has lapsed or waits already, the game is over, enough was said or offered.
fn is_fair(action: &Action, fault: &Fault) -> bool {
    let codes: &[&str] = match action {
        Action::Move { .. } => &["stale", "game_over"],
        Action::Offer { .. } => &["stale", "game_over", "too_many", "bad_field", "forbidden"],
        _ => &["stale", "game_over", "too_many", "no_offer", "forbidden"],
    };
    codes.contains(&fault.code.as_str())
}
