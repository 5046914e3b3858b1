//! Games as the wire tells them.

use oware_rules::{Game, PRESETS, Rules, Side};

use super::{Clocks, Event, GameState, Score, Stamped, pace};
use crate::clock::Millis;
use crate::store::{GameRow, SeatRow};
use crate::view;
use crate::wire::{
    ClockView, GameEvent, GameSummary, GameView, Happening, MatchView, OfferView, PlyView,
    PositionView, Seat, Status,
};

/// Entries of the log that a view has; older ones are left out.
const LOG_KEPT: usize = 100;

/// What people see of a seat's player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Face {
    /// The account's name.
    pub name: Option<String>,
    /// Rating, and whether it is provisional.
    pub rating: Option<(f64, bool)>,
    /// How the game changed it.
    pub change: Option<i32>,
}

/// What a view needs that is not the game's own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Faces {
    /// South and North.
    pub faces: [Face; 2],
    /// Which sides are there.
    pub online: [bool; 2],
    /// From when a side that stays away may be held to have left.
    pub claim_at: [Option<Millis>; 2],
    /// How many watch.
    pub watchers: u32,
    /// The score of the match before this game.
    pub score: Score,
}

#[allow(clippy::cast_possible_truncation, reason = "ratings lie between 0 and 4,000")]
fn rounded(value: f64) -> i32 {
    value.round() as i32
}

impl Faces {
    /// How ratings changed, South's first, where they did.
    #[must_use]
    pub fn rating_change(&self) -> Option<[i32; 2]> {
        Some([self.faces[0].change?, self.faces[1].change?])
    }

    /// Notes how ratings changed: before and after, South's first.
    pub fn set_rating_change(&mut self, changes: [(f64, f64); 2]) {
        for (face, (before, after)) in self.faces.iter_mut().zip(changes) {
            face.change = Some(rounded(after) - rounded(before));
            face.rating = Some((before, face.rating.is_some_and(|(_, provisional)| provisional)));
        }
    }

    fn seat(&self, seat: &SeatRow, side: Side) -> Seat {
        let face = &self.faces[side.index()];
        let (kind, level) = match seat {
            SeatRow::Open => ("open", None),
            SeatRow::Player(_) => ("person", None),
            SeatRow::Computer { level, .. } => ("computer", Some(*level)),
        };
        let person = kind == "person";
        Seat {
            kind: kind.to_owned(),
            name: face.name.clone().filter(|_| person),
            level,
            rating: face.rating.map(|(rating, _)| rounded(rating)).filter(|_| person),
            provisional: person && face.rating.is_some_and(|(_, provisional)| provisional),
            rating_change: face.change.filter(|_| person),
            online: level.is_some() || self.online[side.index()],
            claim_at: self.claim_at[side.index()],
        }
    }
}

fn sides(of: [bool; 2]) -> Vec<crate::wire::Side> {
    Side::BOTH.into_iter().filter(|side| of[side.index()]).map(view::side).collect()
}

/// The name of the preset that rules are, if they are one.
fn preset(rules: &Rules) -> Option<String> {
    PRESETS.iter().find(|preset| preset.rules == *rules).map(|preset| preset.name.to_owned())
}

impl GameState {
    /// The clocks at a time.
    #[must_use]
    pub fn clock_view(&self, now: Millis) -> Option<ClockView> {
        self.clocks.as_ref().map(|clocks| ClockView {
            left_ms: clocks.left(now),
            running: clocks.running().map(view::side),
            at: now,
        })
    }

    /// The position now, the end that people decided included.
    #[must_use]
    pub fn position_view(&self) -> PositionView {
        let mut shown = view::position(&self.game);
        if let (None, Some(ending)) = (&shown.ending, &self.row.ending) {
            shown.ending = Some(ending.clone());
            shown.legal.clear();
            shown.forbidden.clear();
        }
        shown
    }

    fn ply_view(&self, number: usize) -> Option<PlyView> {
        let moment = self.moments.get(number.checked_sub(1)?)?;
        let ply = view::ply(&self.game, number)?;
        Some(PlyView { played_at: moment.at, spent_ms: moment.spent_ms, ..ply })
    }

    /// The whole game, as a player (or a stranger) sees it.
    #[must_use]
    pub fn view(&self, faces: &Faces, player: Option<&str>, now: Millis) -> GameView {
        let row = &self.row;
        let rules = *self.game.rules();
        let skipped = self.log.len().saturating_sub(LOG_KEPT);
        let log = &self.log[skipped..];
        GameView {
            id: row.id.clone(),
            seq: row.seq,
            status: row.status,
            rules: rules.id(),
            preset: preset(&rules),
            time: row.time,
            pace: pace(row.time),
            rated: row.rated,
            counts: row.counts,
            south: faces.seat(&row.seats[0], Side::South),
            north: faces.seat(&row.seats[1], Side::North),
            you: player.map(|player| sides(self.sides_of(player))).unwrap_or_default(),
            start: view::position(&Game::from_position(*self.game.start())),
            plies: (1..=self.moments.len()).filter_map(|number| self.ply_view(number)).collect(),
            state: self.position_view(),
            clock: self.clock_view(now),
            offer: self.offer.map(|(by, offer)| OfferView { by: view::side(by), offer }),
            match_: row.match_.as_ref().map(|of| MatchView {
                id: of.id.clone(),
                game: of.number,
                games: of.games,
                points: faces.score.points,
                seeds: faces.score.seeds,
                next: self.next.clone(),
            }),
            rematch: self.rematch.clone(),
            rematch_wishes: sides(self.wishes),
            created_at: row.created_at,
            watchers: faces.watchers,
            log: log.iter().filter_map(|stamped| self.tell(stamped, faces)).collect(),
        }
    }

    /// An event as the wire tells it, by the state right after it. `None` if the state does not
    /// have what is to be told, which is so for moves of the past only.
    #[must_use]
    pub fn tell(&self, stamped: &Stamped, faces: &Faces) -> Option<GameEvent> {
        let clock = |left: &Option<[Millis; 2]>| {
            left.map(|left_ms| ClockView {
                left_ms,
                running: self.clocks.as_ref().and_then(Clocks::running).map(view::side),
                at: stamped.at,
            })
        };
        let what = match stamped.event.clone() {
            Event::Joined { side, .. } => {
                let inner = view::side_of(side);
                Happening::Joined { side, seat: faces.seat(self.seat(inner), inner) }
            }
            Event::Moved { ply, lag_ms, left_ms, .. } => Happening::Moved {
                ply: Box::new(self.ply_view(ply as usize)?),
                state: Box::new(self.position_view()),
                clock: clock(&left_ms),
                id: stamped.action.as_ref().map(|(_, id)| id.clone()).unwrap_or_default(),
                lag_ms,
            },
            Event::Offered { by, offer } => Happening::Offered { by, offer },
            Event::Declined { by, offer } => Happening::Declined { by, offer },
            Event::TakenBack { plies, left_ms } => Happening::TakenBack {
                plies,
                state: Box::new(self.position_view()),
                clock: clock(&left_ms),
            },
            Event::Ended { by, left_ms, .. } => Happening::Ended {
                ending: self.row.ending.clone()?,
                by,
                state: Box::new(self.position_view()),
                clock: left_ms.map(|left_ms| ClockView { left_ms, running: None, at: stamped.at }),
                rating_change: faces.rating_change(),
            },
            Event::ClockShifted { away_ms, gift_ms, left_ms } => {
                Happening::ClockShifted { away_ms, gift_ms, clock: clock(&left_ms) }
            }
            Event::Said { by, phrase } => Happening::Said { by, phrase },
            Event::RematchWished { by } => Happening::RematchWished { by },
            Event::Next { game, rematch } => Happening::Next { game, rematch },
        };
        Some(GameEvent { seq: stamped.seq, at: stamped.at, what })
    }

    /// The events after a number as the wire tells them, from the rows of the store.
    ///
    /// # Errors
    /// When the rows do not make a game.
    pub fn tell_again(
        row: &GameRow,
        events: &[crate::store::EventRow],
        after: u32,
        faces: &Faces,
    ) -> Result<Vec<GameEvent>, super::Damaged> {
        let stamped = super::state::read_events(row, events)?;
        let mut state = GameState::first(row, &stamped)?;
        let mut told = Vec::new();
        for event in &stamped {
            state.apply(event)?;
            if event.seq > after {
                told.extend(state.tell(event, faces));
            }
        }
        Ok(told)
    }
}

/// A line of a list, from the row alone.
#[must_use]
pub fn summary(row: &GameRow, faces: &Faces, player: Option<&str>) -> GameSummary {
    let plays = |side: Side| {
        let seat = &row.seats[side.index()];
        matches!(seat, SeatRow::Player(id) if Some(id.as_str()) == player)
    };
    let name = row.rules.parse::<Rules>().ok().and_then(|rules| preset(&rules));
    GameSummary {
        id: row.id.clone(),
        status: row.status,
        rules: name.unwrap_or_else(|| row.rules.clone()),
        time: row.time,
        rated: row.rated,
        south: faces.seat(&row.seats[0], Side::South),
        north: faces.seat(&row.seats[1], Side::North),
        you: sides(Side::BOTH.map(plays)),
        plies: row.plies,
        position: row.position.clone(),
        to_move: view::side(row.to_move),
        due_at: row.due_at.filter(|_| row.status != Status::Over),
        ending: row.ending.clone(),
        games: row.match_.as_ref().map_or(1, |of| of.games),
        created_at: row.created_at,
        updated_at: row.updated_at,
    }
}
