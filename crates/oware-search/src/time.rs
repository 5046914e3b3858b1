//! How long a search may take.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::{Clock, Control, Limits};

/// Plies that a game is expected to last yet, when the clock says nothing of it.
const MOVES_LEFT: u32 = 24;

/// When a search has to end. No clock is read where no limit is of time.
#[derive(Debug)]
pub(crate) struct Deadline {
    /// After this long it ends at once.
    hard: Option<Duration>,
    /// After this long no new depth is begun.
    soft: Option<Duration>,
    /// When time began to count: at once, or when the opponent played what was expected.
    begun: OnceLock<Instant>,
}

impl Deadline {
    /// Time begins to count now, or when pondering ends.
    pub(crate) fn new(limits: &Limits, control: &Control) -> Deadline {
        let (soft, hard) = match limits.clock {
            Some(clock) => {
                let (soft, hard) = shares(clock);
                (Some(soft), Some(hard))
            }
            None => (None, None),
        };
        let hard = [hard, limits.time].into_iter().flatten().min();
        let deadline = Deadline { hard, soft, begun: OnceLock::new() };
        deadline.elapsed(control);
        deadline
    }

    /// The time that counts; `None` while pondering, or where no time is limited.
    fn elapsed(&self, control: &Control) -> Option<Duration> {
        self.hard?;
        if control.is_pondering() {
            return None;
        }
        Some(self.begun.get_or_init(Instant::now).elapsed())
    }

    /// Whether the search has to end.
    pub(crate) fn is_past(&self, control: &Control) -> bool {
        self.elapsed(control).zip(self.hard).is_some_and(|(elapsed, hard)| elapsed >= hard)
    }

    /// Whether it is not worth while to begin another depth. `calm` is 1 where the last depths
    /// agreed, and more where they did not.
    pub(crate) fn is_near(&self, control: &Control, calm: f64) -> bool {
        let soft = self.soft.map(|soft| soft.mul_f64(calm));
        self.elapsed(control).zip(soft).is_some_and(|(elapsed, soft)| elapsed >= soft)
    }

    /// Whether the time is the search's to divide.
    pub(crate) fn is_shared_out(&self) -> bool {
        self.soft.is_some()
    }
}

/// Of a clock: after how long no new depth is begun, and after how long the search ends at once.
/// Never more than what is left.
fn shares(clock: Clock) -> (Duration, Duration) {
    let moves = clock.moves_to_go.map_or(MOVES_LEFT, |moves| moves.clamp(1, MOVES_LEFT));
    let share = clock.remaining / moves + clock.increment * 3 / 4;
    // One long thought is allowed, but not two.
    let most = if moves == 1 { clock.remaining * 9 / 10 } else { clock.remaining * 2 / 5 };
    let hard = (share * 4).min(most);
    ((share * 6 / 10).min(hard), hard)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_clock_is_never_spent_at_once() {
        for remaining in [0, 1, 50, 1_000, 60_000].map(Duration::from_millis) {
            for increment in [Duration::ZERO, SECOND / 10, 5 * SECOND] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let clock = Clock { remaining, increment, moves_to_go };
                    let (soft, hard) = shares(clock);
                    assert!(soft <= hard, "{clock:?}");
                    assert!(hard <= remaining * 9 / 10, "{clock:?}");
                }
            }
        }
    }

    #[test]
    fn time_stands_still_while_pondering() {
        let limits = Limits::time(Duration::ZERO);
        let control = Control::pondering();
        let deadline = Deadline::new(&limits, &control);
        assert!(!deadline.is_past(&control));
        control.ponder_hit();
        assert!(deadline.is_past(&control));
    }

    #[test]
    fn without_a_limit_there_is_no_end() {
        let control = Control::new();
        let deadline = Deadline::new(&Limits::nodes(5), &control);
        assert!(!deadline.is_past(&control) && !deadline.is_near(&control, 1.0));
    }
}
