//! What an engine may spend on a move, and its clock.

use std::fmt;
use std::time::Duration;

use oware_search::{Clock, DEEPEST, Limits};

/// The longest time that can be asked for: a day.
const LONGEST: Duration = Duration::from_hours(24);

/// The limits of an engine in a match. Of several the first that is met counts; at least one is
/// set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Positions for each move.
    pub nodes: Option<u64>,
    /// Plies looked ahead.
    pub depth: Option<u32>,
    /// Time for each move.
    pub movetime: Option<Duration>,
    /// Time for the game, and what each move adds to it.
    pub clock: Option<(Duration, Duration)>,
}

impl Budget {
    /// Whether nothing is limited.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Budget::default()
    }

    /// Whether the moves do not depend on how fast the machine is.
    #[must_use]
    pub fn is_timeless(&self) -> bool {
        self.movetime.is_none() && self.clock.is_none()
    }

    /// Sets one limit from a text. Gives `false` if the key names none.
    ///
    /// # Errors
    /// What was expected as value.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, String> {
        match key {
            "nodes" => self.nodes = Some(number(value, 1, u64::MAX)?),
            "depth" => self.depth = Some(number(value, 1, u64::from(DEEPEST))? as u32),
            "movetime" => {
                let most = LONGEST.as_millis() as u64;
                self.movetime = Some(Duration::from_millis(number(value, 1, most)?));
            }
            "clock" => self.clock = Some(clock(value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The same limits for the search, with what is left on the clock.
    #[must_use]
    pub fn limits(&self, left: Option<Duration>) -> Limits {
        let clock = self.clock.map(|(base, increment)| Clock {
            remaining: left.unwrap_or(base),
            increment,
            moves_to_go: None,
        });
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: self.movetime,
            clock,
            ..Limits::default()
        }
    }
}

impl fmt::Display for Budget {
    /// As on the command line: `nodes=20000,clock=10+0.1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes = self.nodes.map(|nodes| format!("nodes={nodes}"));
        let depth = self.depth.map(|depth| format!("depth={depth}"));
        let movetime = self.movetime.map(|time| format!("movetime={}", time.as_millis()));
        let clock = self.clock.map(|(base, increment)| {
            format!("clock={}+{}", base.as_secs_f64(), increment.as_secs_f64())
        });
        let parts: Vec<String> = [nodes, depth, movetime, clock].into_iter().flatten().collect();
        f.write_str(&parts.join(","))
    }
}

/// A whole number in a range.
pub(super) fn number(text: &str, least: u64, most: u64) -> Result<u64, String> {
    let wrong = || match most {
        u64::MAX => format!("expected a whole number of {least} or more"),
        _ => format!("expected a whole number from {least} to {most}"),
    };
    text.parse().ok().filter(|n| (least..=most).contains(n)).ok_or_else(wrong)
}

/// Seconds for the game, a plus, seconds for each move; the latter may be left out.
fn clock(text: &str) -> Result<(Duration, Duration), String> {
    let wrong = || "expected seconds for the game and for each move, such as 10+0.1".to_owned();
    let seconds = |text: &str| {
        let seconds = text.parse::<f64>().ok().filter(|s| s.is_finite() && *s >= 0.0);
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        // Whole milliseconds, since that is what engines are told.
        let time = time.map(|time| Duration::from_millis(time.as_millis() as u64));
        time.filter(|time| *time <= LONGEST).ok_or_else(wrong)
    };
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let clock = (seconds(base)?, seconds(increment)?);
    if clock.0.is_zero() { Err(wrong()) } else { Ok(clock) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_and_written() {
        assert_eq!(clock("10+0.1"), Ok((Duration::from_secs(10), Duration::from_millis(100))));
        assert_eq!(clock("3"), Ok((Duration::from_secs(3), Duration::ZERO)));
        for wrong in ["", "0", "-1+1", "1+x", "nan", "inf+1", "1e9", "100000"] {
            assert!(clock(wrong).is_err(), "{wrong}");
        }
        let mut budget = Budget::default();
        assert_eq!(budget.set("clock", "0.5+0.01"), Ok(true));
        assert_eq!(budget.set("depth", "4"), Ok(true));
        assert_eq!(budget.set("hash", "4"), Ok(false));
        assert!(budget.set("nodes", "0").is_err());
        assert_eq!(budget.to_string(), "depth=4,clock=0.5+0.01");
        assert!(!budget.is_timeless());
    }
}
