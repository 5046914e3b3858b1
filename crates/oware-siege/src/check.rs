//! What must be true of a game whatever happened to it: those who played it, the site and the
//! database know the same; no move is lost or was made twice; all seeds are there at every ply;
//! clocks only run down, and only the mover's.

use std::collections::{BTreeSet, HashSet};

use anyhow::{Context, Result};
use oware_server::store::{EventRow, GameRow, Store};
use oware_server::wire::{
    Action, GameEvent, GameView, Happening, PositionView, Status, TimeControl,
};
use serde::Serialize;
use serde_json::Value;

use crate::http::Visitor;
use crate::journal::{bare, index, plain};
use crate::player::Played;

/// Seeds of a game.
const SEEDS: u32 = 48;

/// What the site tells of a game.
#[derive(Clone, Debug)]
pub struct Told {
    /// The game as it is.
    pub view: GameView,
    /// Its events, all of them.
    pub events: Vec<GameEvent>,
}

impl Told {
    /// Asks the site.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn by(visitor: &mut Visitor, game: &str) -> Result<Told> {
        let path = format!("/api/v1/games/{game}");
        let view = visitor.get(&path).await?.json()?;
        let events = visitor.get(&format!("{path}/events?after=0")).await?.json()?;
        Ok(Told { view, events })
    }
}

/// What is known of a game.
#[derive(Debug)]
pub struct Evidence {
    /// The site's view.
    pub view: GameView,
    /// The site's events, all of them.
    pub events: Vec<GameEvent>,
    /// The database's row.
    pub row: GameRow,
    /// The database's events.
    pub rows: Vec<EventRow>,
}

impl Evidence {
    /// Adds what the database has to what the site tells. A database has one server at a time, so
    /// that the site must have ended before it is opened here.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn add(told: Told, store: &dyn Store) -> Result<Evidence> {
        let Told { view, events } = told;
        let row = store.game(&view.id).await?;
        let row = row.with_context(|| format!("{} is not kept", view.id))?;
        let rows = store.events(&view.id, 0).await?;
        Ok(Evidence { view, events, row, rows })
    }

    /// What is wrong. Nothing, if all is well.
    #[must_use]
    pub fn faults(&self, players: &[&Played]) -> Vec<String> {
        let mut faults = Vec::new();
        self.check_numbers(&mut faults);
        self.check_moves(&mut faults);
        self.check_seeds(&mut faults);
        self.check_clocks(&mut faults);
        for (number, played) in players.iter().enumerate() {
            self.check_player(&format!("player {number}"), played, &mut faults);
        }
        for fault in &mut faults {
            *fault = format!("game {}: {fault}", self.view.id);
        }
        faults
    }

    /// Events are numbered from 1 without a gap, everywhere the same.
    fn check_numbers(&self, faults: &mut Vec<String>) {
        let expected: Vec<u32> = (1..=self.row.seq).collect();
        let rows: Vec<u32> = self.rows.iter().map(|row| row.seq).collect();
        if rows != expected {
            faults
                .push(format!("the database has events {rows:?}, its game says {}", self.row.seq));
        }
        if self.view.seq != self.row.seq {
            faults.push(format!(
                "the site is at {}, the database at {}",
                self.view.seq, self.row.seq
            ));
        }
        let mut names = HashSet::new();
        for action in self.rows.iter().filter_map(|row| row.action.as_ref()) {
            if !names.insert(action) {
                faults.push(format!("{action:?} was done twice"));
            }
        }
        if !self.rows.is_sorted_by_key(|row| row.at) {
            faults.push("times run backwards".to_owned());
        }
    }

    /// Each ply stands once, and is the same on the site and in the database.
    fn check_moves(&self, faults: &mut Vec<String>) {
        let standing = self.rows.iter().filter(|row| !row.retracted);
        let kept: Vec<(u32, String)> =
            standing.filter_map(|row| Some((row.ply?, house_of(&row.body)))).collect();
        let shown: Vec<(u32, String)> =
            self.view.plies.iter().map(|ply| (ply.ply, ply.trace.house.clone())).collect();
        if kept != shown {
            faults.push(format!("kept {kept:?}, shown {shown:?}"));
        }
        let numbers = shown.iter().map(|(ply, _)| *ply);
        if !numbers.eq(1..=self.row.plies) {
            faults.push(format!("plies {shown:?}, expected {}", self.row.plies));
        }
        for pair in self.view.plies.windows(2) {
            if pair[0].trace.side == pair[1].trace.side && pair[1].trace.lifted == 0 {
                faults.push(format!("ply {} lifts nothing", pair[1].ply));
            }
        }
    }

    /// 48 seeds after every ply.
    fn check_seeds(&self, faults: &mut Vec<String>) {
        for event in &self.events {
            let state = match &event.what {
                Happening::Moved { ply, state, .. } => {
                    let seeds = sum(&ply.trace.houses) + sum(&ply.trace.stores);
                    if seeds != SEEDS {
                        faults.push(format!("{seeds} seeds after ply {}", ply.ply));
                    }
                    state
                }
                Happening::TakenBack { state, .. } | Happening::Ended { state, .. } => state,
                _ => continue,
            };
            if !has_all(state) {
                faults.push(format!("event {}: seeds are missing: {state:?}", event.seq));
            }
        }
    }

    /// A clock never shows less than nothing, changes only by the mover's time and increment, and
    /// is only ever given something when the server was away.
    fn check_clocks(&self, faults: &mut Vec<String>) {
        let TimeControl::Clock { initial_s, increment_s } = self.view.time else { return };
        let increment = i64::from(increment_s) * 1_000;
        let mut left = [i64::from(initial_s) * 1_000; 2];
        let mut before = vec![left];
        for event in &self.events {
            let now = match &event.what {
                Happening::Moved { ply, clock: Some(clock), .. } => {
                    let mut expected = left;
                    if let Some(spent) = ply.spent_ms {
                        expected[index(ply.trace.side)] += increment - spent;
                        if spent < 0 {
                            faults.push(format!("ply {} took {spent} ms", ply.ply));
                        }
                    }
                    if clock.left_ms != expected {
                        let told = clock.left_ms;
                        faults.push(format!("ply {}: clocks {told:?}, not {expected:?}", ply.ply));
                    }
                    before.push(clock.left_ms);
                    clock.left_ms
                }
                Happening::TakenBack { plies, clock: Some(clock), .. } => {
                    before.truncate(before.len().saturating_sub(*plies as usize).max(1));
                    clock.left_ms
                }
                Happening::ClockShifted { gift_ms, clock: Some(clock), .. } => {
                    // The mover's may have run until the server went down.
                    if clock.left_ms.iter().zip(left).any(|(now, old)| *now > old + gift_ms) {
                        faults.push(format!("{left:?} became {:?}", clock.left_ms));
                    }
                    clock.left_ms
                }
                Happening::Ended { clock: Some(clock), .. } => {
                    if clock.left_ms.iter().zip(left).any(|(now, old)| *now > old) {
                        faults.push(format!("{left:?} ended as {:?}", clock.left_ms));
                    }
                    clock.left_ms
                }
                _ => continue,
            };
            if now.iter().any(|left| *left < 0) {
                faults.push(format!("event {}: clocks {now:?}", event.seq));
            }
            left = now;
        }
    }

    /// A player saw what happened, and what was acknowledged to them did.
    fn check_player(&self, name: &str, played: &Played, faults: &mut Vec<String>) {
        let mut fault = |text: String| faults.push(format!("{name}: {text}"));
        for text in played.journal.faults.iter().chain(&played.unreadable) {
            fault(text.clone());
        }
        let (saw, is) = (bare(&played.journal.view), bare(&self.view));
        if saw != is {
            fault(format!("what they saw, and what the site says: {}", difference(&saw, &is)));
        }
        for (seq, event) in &played.journal.events {
            let told = self.events.iter().find(|told| told.seq == *seq).cloned().map(plain);
            let saw = Some(plain(event.clone()));
            if told != saw {
                fault(format!("event {seq} as seen, and as told: {}", difference(&saw, &told)));
            }
        }
        for done in &played.done {
            let row = self.rows.iter().find(|row| row.seq == done.seq);
            let is_it = row.is_some_and(|row| match &done.action {
                Action::Move { ply, house, .. } => {
                    row.ply == Some(*ply) && house_of(&row.body) == *house
                }
                // An offer that stands already is not made again: its own event is named.
                Action::Offer { .. } => kind_of(&row.body) == "offered",
                _ => row.action.as_ref().is_some_and(|(_, id)| *id == done.id),
            });
            if !is_it {
                fault(format!("{done:?} was acknowledged, but {row:?} is kept"));
            }
        }
    }
}

/// The first places where two things differ, with both values.
#[must_use]
pub fn difference(one: &impl Serialize, other: &impl Serialize) -> String {
    let json = |result: serde_json::Result<Value>| result.unwrap_or_default();
    let mut found = Vec::new();
    let (one, other) = (json(serde_json::to_value(one)), json(serde_json::to_value(other)));
    compare("", &one, &other, &mut found);
    found.truncate(4);
    found.join("; ")
}

fn compare(at: &str, one: &Value, other: &Value, found: &mut Vec<String>) {
    match (one, other) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for key in keys {
                let null = Value::Null;
                let (a, b) = (a.get(key).unwrap_or(&null), b.get(key).unwrap_or(&null));
                compare(&format!("{at}.{key}"), a, b, found);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                compare(&format!("{at}[{index}]"), a, b, found);
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            found.push(format!("{at}: {} and {} entries", a.len(), b.len()));
        }
        _ if one == other => {}
        _ => {
            let short = |value: &Value| value.to_string().chars().take(200).collect::<String>();
            found.push(format!("{at}: {} and {}", short(one), short(other)));
        }
    }
}

/// The house of a move, from the database's own JSON.
fn house_of(body: &str) -> String {
    field_of(body, "house")
}

fn kind_of(body: &str) -> String {
    field_of(body, "kind")
}

fn field_of(body: &str, field: &str) -> String {
    let value: Value = serde_json::from_str(body).unwrap_or_default();
    value.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn sum(seeds: &[u8]) -> u32 {
    seeds.iter().map(|seeds| u32::from(*seeds)).sum()
}

fn has_all(state: &PositionView) -> bool {
    let seeds = sum(&state.houses) + sum(&state.stores);
    // Halves are rounded down in the stores, and told in the score.
    match &state.ending {
        Some(ending) if seeds == SEEDS - 1 => ending.score.iter().sum::<f64>() == f64::from(SEEDS),
        _ => seeds == SEEDS,
    }
}

/// Whether a game is over.
#[must_use]
pub fn is_over(view: &GameView) -> bool {
    view.status == Status::Over
}
