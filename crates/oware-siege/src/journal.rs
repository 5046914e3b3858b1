//! What a client knows of a game: the view it was sent, brought up to date by every event, as the
//! pages do it.

use std::collections::BTreeMap;

use oware_server::wire::{GameEvent, GameView, Happening, OfferView, Seat, Side, Status};

use crate::check::difference;

/// What an event was to a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// The next one.
    New,
    /// One that it has.
    Old,
    /// Some before it are missing.
    Gap,
}

/// What a client knows of a game.
#[derive(Clone, Debug)]
pub struct Journal {
    /// The game as it is shown.
    pub view: GameView,
    /// Every event that was received, in order, each once.
    pub events: BTreeMap<u32, GameEvent>,
    /// What must not be: the same number with other contents, a view that is older.
    pub faults: Vec<String>,
}

impl Journal {
    /// From the first view.
    #[must_use]
    pub fn new(view: GameView) -> Journal {
        Journal { view, events: BTreeMap::new(), faults: Vec::new() }
    }

    /// Takes an event.
    pub fn take(&mut self, event: GameEvent) -> Taken {
        if event.seq > self.view.seq + 1 {
            return Taken::Gap;
        }
        if event.seq <= self.view.seq {
            if let Some(known) = self.events.get(&event.seq)
                && plain(known.clone()) != plain(event.clone())
            {
                let difference = difference(known, &event);
                self.faults.push(format!("event {} has changed: {difference}", event.seq));
            }
            return Taken::Old;
        }
        apply(&mut self.view, &event);
        self.events.insert(event.seq, event);
        Taken::New
    }

    /// Takes a whole view, unless what is known is newer.
    pub fn see(&mut self, view: GameView) {
        if view.seq > self.view.seq {
            self.view = view;
        } else if view.seq == self.view.seq {
            let (known, told) = (bare(&self.view), bare(&view));
            if known != told {
                let difference = difference(&known, &told);
                self.faults.push(format!("event by event, and as a whole: {difference}"));
            }
        }
    }
}

/// An event without what is true only of the moment at which it is told.
#[must_use]
pub fn plain(mut event: GameEvent) -> GameEvent {
    if let Happening::Joined { seat, .. } = &mut event.what {
        leave(seat);
    }
    event
}

fn leave(seat: &mut Seat) {
    seat.online = seat.kind == "computer";
    seat.claim_at = None;
}

/// A view without what is true only of the moment, or only for one of those who look.
#[must_use]
pub fn bare(view: &GameView) -> GameView {
    let mut view = view.clone();
    leave(&mut view.south);
    leave(&mut view.north);
    view.you.clear();
    view.watchers = 0;
    if let Some(clock) = &mut view.clock {
        // What is left is told as of `at`; a clock that runs shows something else each time.
        if let Some(side) = clock.running {
            clock.left_ms[index(side)] = 0;
        }
        clock.at = 0;
    }
    // What the log says of presence and of which clock runs is of the moment, too.
    view.log = view.log.into_iter().map(plain).collect();
    for event in &mut view.log {
        if let Happening::ClockShifted { clock: Some(clock), .. } = &mut event.what {
            clock.running = None;
        }
    }
    view
}

/// 0 for South, 1 for North.
#[must_use]
pub const fn index(side: Side) -> usize {
    match side {
        Side::South => 0,
        Side::North => 1,
    }
}

/// What an event does to a view.
fn apply(view: &mut GameView, event: &GameEvent) {
    view.seq = event.seq;
    let kept = !matches!(event.what, Happening::Moved { .. } | Happening::TakenBack { .. });
    if kept {
        view.log.push(event.clone());
    }
    match event.what.clone() {
        Happening::Joined { side, seat } => {
            view.status = Status::Playing;
            *seat_of(view, side) = seat;
        }
        Happening::Moved { ply, state, clock, .. } => {
            view.plies.push(*ply);
            view.state = *state;
            view.clock = clock;
        }
        Happening::Offered { by, offer } => view.offer = Some(OfferView { by, offer }),
        Happening::Declined { .. } => view.offer = None,
        Happening::TakenBack { plies, state, clock } => {
            let left = view.plies.len().saturating_sub(plies as usize);
            view.plies.truncate(left);
            view.state = *state;
            view.clock = clock;
            view.offer = None;
        }
        Happening::Ended { state, clock, rating_change, .. } => {
            view.status = Status::Over;
            view.state = *state;
            view.clock = clock;
            view.offer = None;
            if let Some([south, north]) = rating_change {
                view.south.rating_change = Some(south);
                view.north.rating_change = Some(north);
            }
        }
        Happening::ClockShifted { clock, .. } => {
            if clock.is_some() {
                view.clock = clock;
            }
        }
        Happening::Said { .. } => {}
        Happening::RematchWished { by } => {
            if !view.rematch_wishes.contains(&by) {
                view.rematch_wishes.push(by);
                view.rematch_wishes.sort_by_key(|side| index(*side));
            }
        }
        Happening::Next { game, rematch: true } => view.rematch = Some(game),
        Happening::Next { game, rematch: false } => {
            if let Some(of) = &mut view.match_ {
                of.next = Some(game);
            }
        }
    }
}

fn seat_of(view: &mut GameView, side: Side) -> &mut Seat {
    match side {
        Side::South => &mut view.south,
        Side::North => &mut view.north,
    }
}
