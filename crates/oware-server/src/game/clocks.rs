//! Two clocks, by the server's time, with an increment and something back for a slow line.
//!
//! What lag costs is given back from a quota, as lila's clocks do it (lichess-org/scalachess,
//! `LagTracker`): a *gain* is what a move may cost the line, the quota begins with three gains,
//! never holds more than seven, grows by one with each move and shrinks by what was given. Never
//! more is given than the client says it lost, nor more than the server measured itself by
//! pings of the frame layer, which no page can answer late on purpose.

use oware_rules::Side;

use crate::clock::Millis;

/// Gains in the quota at first, and at most.
const FIRST_GAINS: Millis = 3;
const MOST_GAINS: Millis = 7;
/// The longest gain.
const MOST_GAIN: Millis = 1_000;
/// How long a move may still arrive after the time is over.
const MOST_GRACE: Millis = 2_000;
/// The computer is charged at most this part of what it has left, so that it never loses on
/// time for want of a processor.
const COMPUTERS_PART: Millis = 20;

/// What a move costs its clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charge {
    /// What the clock took.
    pub spent: Millis,
    /// What was given back for lag.
    pub lag: Millis,
    /// Both clocks after the move, increment included, South's first.
    pub left: [Millis; 2],
}

/// The clocks of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    left: [Millis; 2],
    increment: Millis,
    gain: Millis,
    quota: [Millis; 2],
    running: Option<(Side, Millis)>,
}

impl Clocks {
    /// Full clocks that stand.
    #[must_use]
    pub fn new(initial_s: u32, increment_s: u32) -> Clocks {
        let (initial, increment) = (Millis::from(initial_s), Millis::from(increment_s));
        // Of a game of forty moves a side: two fifths of its seconds, in hundredths, and 15.
        let hundredths = (initial + 40 * increment) * 2 / 5 + 15;
        let gain = MOST_GAIN.min(hundredths * 10);
        Clocks {
            left: [initial * 1_000; 2],
            increment: increment * 1_000,
            gain,
            quota: [gain * FIRST_GAINS; 2],
            running: None,
        }
    }

    /// What each side has left at a time, South's first; never below 0.
    #[must_use]
    pub fn left(&self, now: Millis) -> [Millis; 2] {
        let mut left = self.left;
        if let Some((side, since)) = self.running {
            let side = &mut left[side.index()];
            *side = (*side - (now - since).max(0)).max(0);
        }
        left
    }

    /// What each side had left when its turn began.
    #[must_use]
    pub fn standing(&self) -> [Millis; 2] {
        self.left
    }

    /// Whose clock runs.
    #[must_use]
    pub fn running(&self) -> Option<Side> {
        self.running.map(|(side, _)| side)
    }

    /// When the running clock has nothing left.
    #[must_use]
    pub fn due_at(&self) -> Option<Millis> {
        self.running.map(|(side, since)| since + self.left[side.index()])
    }

    /// When the running clock has lost, a move on its way included.
    #[must_use]
    pub fn lost_at(&self) -> Option<Millis> {
        let (side, _) = self.running?;
        Some(self.due_at()? + self.quota[side.index()].min(MOST_GRACE))
    }

    /// What a move costs that arrives now; `None` if the time was over before it was made.
    ///
    /// `claimed` is the lag of which the client says that it cost the player time, `measured`
    /// what the server knows of the line (nothing is given without).
    #[must_use]
    pub fn charge(
        &self,
        now: Millis,
        claimed: Option<Millis>,
        measured: Option<Millis>,
    ) -> Option<Charge> {
        let (side, since) = self.running?;
        let elapsed = (now - since).max(0);
        let measured = measured.unwrap_or(0).max(0);
        let lost = claimed.unwrap_or(measured).clamp(0, measured);
        let lag = lost.min(self.quota[side.index()]).min(elapsed);
        let spent = elapsed - lag;
        (spent < self.left[side.index()]).then(|| self.charged(side, spent, lag))
    }

    /// What a move of the computer costs: its time, but never so much that it could lose by it.
    #[must_use]
    pub fn charge_computer(&self, now: Millis) -> Option<Charge> {
        let (side, since) = self.running?;
        let most = self.left[side.index()] / COMPUTERS_PART;
        Some(self.charged(side, (now - since).clamp(0, most), 0))
    }

    fn charged(&self, side: Side, spent: Millis, lag: Millis) -> Charge {
        let mut left = self.left;
        left[side.index()] += self.increment - spent;
        Charge { spent, lag, left }
    }

    /// Sets the clocks after a move.
    pub(super) fn moved(&mut self, side: Side, left: [Millis; 2], lag: Millis) {
        let quota = &mut self.quota[side.index()];
        *quota = (*quota + self.gain - lag).clamp(0, self.gain * MOST_GAINS);
        debug_assert!(left.iter().all(|left| *left > 0), "who has moved had time: {left:?}");
        debug_assert!(left[side.other().index()] == self.left[side.other().index()]);
        self.left = left;
    }

    /// Sets both clocks, which then stand.
    pub(super) fn set(&mut self, left: [Millis; 2]) {
        self.left = left;
        self.running = None;
    }

    /// Lets a clock run from a time on.
    pub(super) fn run(&mut self, side: Side, since: Millis) {
        self.running = Some((side, since));
    }

    /// Lets both stand.
    pub(super) fn stand(&mut self) {
        self.running = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running(initial_s: u32, increment_s: u32) -> Clocks {
        let mut clocks = Clocks::new(initial_s, increment_s);
        clocks.run(Side::South, 1_000);
        clocks
    }

    #[test]
    fn gains_are_those_of_the_source() {
        assert_eq!(Clocks::new(180, 2).gain, 1_000);
        assert_eq!(Clocks::new(60, 0).gain, 390);
        assert_eq!(Clocks::new(60, 0).quota, [1_170; 2]);
    }

    #[test]
    fn a_move_costs_its_time_and_brings_the_increment() {
        let clocks = running(60, 2);
        let charge = clocks.charge(6_000, None, None).unwrap();
        assert_eq!(charge, Charge { spent: 5_000, lag: 0, left: [57_000, 60_000] });
        assert_eq!(clocks.left(6_000), [55_000, 60_000]);
        assert_eq!(clocks.left(90_000), [0, 60_000]);
        assert_eq!(clocks.due_at(), Some(61_000));
    }

    #[test]
    fn lag_is_given_back_as_far_as_it_was_measured() {
        let clocks = running(60, 0);
        let lag = |claimed, measured| clocks.charge(6_000, claimed, measured).unwrap().lag;
        assert_eq!(lag(Some(300), Some(200)), 200);
        assert_eq!(lag(Some(100), Some(200)), 100);
        assert_eq!(lag(None, Some(200)), 200);
        assert_eq!(lag(Some(300), None), 0);
        // And as far as the quota goes.
        assert_eq!(lag(Some(9_000), Some(9_000)), 1_170);
        // Never more than the move took.
        assert_eq!(clocks.charge(1_050, Some(300), Some(300)).unwrap().spent, 0);
    }

    #[test]
    fn the_quota_runs_out_and_comes_back() {
        let mut clocks = running(60, 0);
        for expected in [1_170, 390, 390] {
            let charge = clocks.charge(11_000, Some(5_000), Some(5_000)).unwrap();
            assert_eq!(charge.lag, expected);
            clocks.moved(Side::South, [60_000; 2], charge.lag);
        }
        for _ in 0..20 {
            clocks.moved(Side::South, [60_000; 2], 0);
        }
        assert_eq!(clocks.quota[0], 7 * 390);
    }

    #[test]
    fn time_is_over_at_zero_and_lag_can_save_a_move() {
        let clocks = running(15, 0);
        assert!(clocks.charge(15_999, None, None).is_some());
        assert!(clocks.charge(16_000, None, None).is_none());
        assert!(clocks.charge(16_050, None, Some(100)).is_some());
        // 15 s: a gain of 0.21 s, three in the quota.
        assert_eq!(clocks.lost_at(), Some(16_000 + 630));
    }

    #[test]
    fn the_computer_never_runs_out() {
        let mut clocks = running(15, 0);
        for _ in 0..1_000 {
            let charge = clocks.charge_computer(10_000_000).unwrap();
            assert!(charge.left[0] > 0);
            clocks.moved(Side::South, charge.left, 0);
        }
    }
}
