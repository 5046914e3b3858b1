//! Values in hundredths of a seed.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// What a player expects, in hundredths of a seed: his seeds minus his opponent's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Score(pub(crate) i32);

impl Score {
    /// A whole number of seeds.
    #[must_use]
    pub const fn whole(seeds: i32) -> Score {
        Score(seeds * 100)
    }

    /// Hundredths of a seed.
    #[must_use]
    pub const fn hundredths(self) -> i32 {
        self.0
    }

    /// Seeds, with a fraction where the value is an estimate.
    #[must_use]
    pub fn seeds(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add for Score {
    type Output = Score;

    fn add(self, other: Score) -> Score {
        Score(self.0 + other.0)
    }
}

impl Sub for Score {
    type Output = Score;

    fn sub(self, other: Score) -> Score {
        Score(self.0 - other.0)
    }
}

impl fmt::Display for Score {
    /// With a sign and two decimals: `+1.25`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = self.0.unsigned_abs();
        let sign = if self.0 < 0 { '-' } else { '+' };
        write!(f, "{sign}{}.{:02}", hundredths / 100, hundredths % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::Score;

    #[test]
    fn shows_seeds_with_sign() {
        let shown = [Score(125), Score(-7), Score(0), Score(-4800)].map(|s| s.to_string());
        assert_eq!(shown, ["+1.25", "-0.07", "+0.00", "-48.00"]);
    }
}
