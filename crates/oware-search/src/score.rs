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

    /// A number of hundredths of a seed.
    #[must_use]
    pub const fn of_hundredths(hundredths: i32) -> Score {
        Score(hundredths)
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

/// How likely each result is, in thousandths; the three add up to 1,000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chances {
    /// The mover ends with more seeds.
    pub win: u16,
    /// Both end with the same.
    pub draw: u16,
    /// The opponent ends with more.
    pub loss: u16,
}

/// What a score means for the result, where `seeds` are left in the houses.
///
/// Between strong players the final difference is spread about the score like a logistic law. Its
/// width, 0.325 seeds times the root of the seeds left, made the results of 1,500 games that the
/// engine played against itself most likely (215,777 positions, 3,000 positions looked at for a
/// move; docs/measurements).
#[must_use]
pub fn chances(score: Score, seeds: u8) -> Chances {
    let width = (32.5 * f64::from(seeds).sqrt()).max(1.0);
    let above = |limit: f64| 1.0 / (1.0 + ((limit - f64::from(score.0)) / width).exp());
    let win = (above(100.0) * 1000.0).round() as u16;
    let loss = (((1.0 - above(-100.0)) * 1000.0).round() as u16).min(1000 - win);
    Chances { win, draw: 1000 - win - loss, loss }
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
    use super::{Score, chances};

    #[test]
    fn shows_seeds_with_sign() {
        let shown = [Score(125), Score(-7), Score(0), Score(-4800)].map(|s| s.to_string());
        assert_eq!(shown, ["+1.25", "-0.07", "+0.00", "-48.00"]);
    }

    #[test]
    fn chances_add_up_and_follow_the_score() {
        for seeds in 0..=48 {
            let mut before = 0;
            for hundredths in (-4800..=4800).step_by(50) {
                let chances = chances(Score(hundredths), seeds);
                assert_eq!(chances.win + chances.draw + chances.loss, 1000, "{chances:?}");
                assert!(chances.win >= before);
                before = chances.win;
                let turned = self::chances(Score(-hundredths), seeds);
                assert!(turned.loss.abs_diff(chances.win) <= 1);
            }
        }
        assert_eq!(chances(Score(200), 0).win, 1000);
        assert_eq!(chances(Score(0), 0).draw, 1000);
    }
}
