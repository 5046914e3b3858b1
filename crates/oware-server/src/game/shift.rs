//! What a stop of the server does to the time of a game.

use super::state::BEGUN;
use super::{Event, GameState};
use crate::clock::Millis;
use crate::wire::{Status, TimeControl};

/// What each player gets on top when a running clock is shifted: for finding the way back.
const GIFT: Millis = 10_000;
/// Games by days are shifted when the server was away for longer than this.
const NOTICED: Millis = 10 * 60_000;

impl GameState {
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
