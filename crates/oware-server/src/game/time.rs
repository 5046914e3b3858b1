//! What time does to a game: when something is due, what happens then, and what a stop of the
//! server does to it.

use super::clocks::Clocks;
use super::state::BEGUN;
use super::{End, Event, GameState};
use crate::clock::Millis;
use crate::store::SeatRow;
use crate::wire::{Status, TimeControl};

/// Milliseconds of a day.
const DAY: Millis = 24 * 3600 * 1000;
/// With clocks, how long each side has for its first move, before its clock runs.
const FIRST_MOVE: Millis = 60_000;
/// What each player gets on top when a running clock is shifted: for finding the way back.
const GIFT: Millis = 10_000;
/// Games by days are shifted when the server was away for longer than this.
const NOTICED: Millis = 10 * 60_000;

impl GameState {
    /// When something happens by itself if nobody does anything: a clock or a term is over.
    #[must_use]
    pub fn wakes_at(&self) -> Option<Millis> {
        let lost = self.clocks.as_ref().and_then(Clocks::lost_at);
        match self.row.due_at {
            Some(due) => Some(lost.unwrap_or(due)),
            None => self.first_move_by(),
        }
    }

    /// Until when the mover must have made the first move of a game between two persons with
    /// clocks.
    pub(super) fn first_move_by(&self) -> Option<Millis> {
        let waits = self.row.status == Status::Playing
            && self.row.plies < BEGUN
            && self.clocks.is_some()
            && self.is_between_persons();
        waits.then_some(self.turn_since + FIRST_MOVE)
    }

    /// When the mover's time is over.
    pub(super) fn due_at(&self) -> Option<Millis> {
        let mover = self.to_move()?;
        if matches!(self.seat(mover), SeatRow::Computer { .. }) {
            return None;
        }
        match self.row.time {
            TimeControl::Unlimited => None,
            TimeControl::Clock { .. } => self.clocks.as_ref().and_then(Clocks::due_at),
            TimeControl::Days { days } => Some(self.turn_since + Millis::from(days) * DAY),
        }
    }

    /// What happens because time has passed; none while it has not.
    #[must_use]
    pub fn timed_out(&self, now: Millis) -> Option<Vec<Event>> {
        let mover = self.to_move()?;
        if self.wakes_at().is_none_or(|at| now < at) {
            return None;
        }
        let has_begun =
            self.row.plies >= BEGUN || matches!(self.row.time, TimeControl::Days { .. });
        let ended = if has_begun {
            self.ended(End::Time, None, Some(mover), now)
        } else if self.is_later_in_match() {
            // Who does not come to the next game of a match has left it.
            self.ended(End::Abandoned, None, Some(mover), now)
        } else {
            self.ended(End::Aborted, None, None, now)
        };
        Some(vec![ended])
    }

    /// What is to be noted when the server was last alive at `alive` and is back now: time in
    /// which nobody could move is no player's. `None` where no time runs.
    #[must_use]
    pub fn shifted(&self, alive: Millis, now: Millis) -> Option<Event> {
        if self.row.status != Status::Playing {
            return None;
        }
        // A move may be younger than the last sign of life.
        let alive = alive.max(self.turn_since).min(now);
        let away_ms = now - alive;
        match (self.row.time, &self.clocks) {
            (TimeControl::Clock { .. }, Some(clocks)) if self.row.plies >= BEGUN => {
                let left = clocks.left(alive).map(|left| left + GIFT);
                Some(Event::ClockShifted { away_ms, gift_ms: GIFT, left_ms: Some(left) })
            }
            (TimeControl::Clock { .. }, _) if self.first_move_by().is_some() => {
                Some(Event::ClockShifted { away_ms, gift_ms: 0, left_ms: None })
            }
            (TimeControl::Days { .. }, _) if away_ms > NOTICED => {
                Some(Event::ClockShifted { away_ms, gift_ms: 0, left_ms: None })
            }
            _ => None,
        }
    }
}
