//! What a match says about strength: score, Elo and their errors, from pairs of games.
//!
//! The two games of a pair begin with the same opening, sides swapped, so their results are not
//! independent; pairs are. All errors are therefore those of pairs: counts of the five sums that
//! two games can have (the *pentanomial* model, as in Stockfish's fishtest).

/// A difference of this many Elo is ten to one.
const DECADE: f64 = 400.0;
/// 95 % of a normal distribution lie within so many standard deviations.
const TWO_SIDED_95: f64 = 1.959_963_985;
/// What a count of 0 is taken for, so that few games do not seem to be certain (as fishtest does).
const NEVER_SEEN: f64 = 1e-3;

/// The score to be expected, 0 to 1, of who is so many Elo stronger (logistic).
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / DECADE))
}

/// The Elo difference that a score of 0 to 1 stands for; infinite at the ends.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    match score {
        s if s <= 0.0 => f64::NEG_INFINITY,
        s if s >= 1.0 => f64::INFINITY,
        s => -DECADE * (1.0 / s - 1.0).log10(),
    }
}

/// How many pairs of games brought 0, 1, 2, 3 or 4 half points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Counts with none that is nothing.
    pub(super) fn regular(&self) -> [f64; 5] {
        self.0.map(|count| if count == 0 { NEVER_SEEN } else { count as f64 })
    }

    /// Mean score of a game, 0 to 1, and its standard error.
    fn mean_and_error(&self) -> (f64, f64) {
        let counts = self.regular();
        let total: f64 = counts.iter().sum();
        let mean = moment(&counts, |score| score) / total;
        let variance = moment(&counts, |score| (score - mean).powi(2)) / total;
        (mean, (variance / total).sqrt())
    }

    /// What the pairs say; `None` without a pair.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        let pairs = self.pairs();
        if pairs == 0 {
            return None;
        }
        let points: u64 = self.0.iter().zip(0..).map(|(count, half)| count * half).sum();
        let score = points as f64 / (4 * pairs) as f64;
        let (mean, error) = self.mean_and_error();
        let reach = TWO_SIDED_95 * error;
        Some(Estimate {
            score,
            score_error: reach,
            elo: elo_of_score(score),
            elo_low: elo_of_score(score - reach),
            elo_high: elo_of_score(score + reach),
            superiority: normal((mean - 0.5) / error),
        })
    }
}

/// A sum over pairs of a function of the mean score of the pair's games, 0 to 1.
pub(super) fn moment(counts: &[f64; 5], of: impl Fn(f64) -> f64) -> f64 {
    counts.iter().zip(0..).map(|(count, half)| count * of(f64::from(half) / 4.0)).sum()
}

/// What pairs of games say about the difference of two players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Mean score of a game, 0 to 1.
    pub score: f64,
    /// Half of its 95 % interval.
    pub score_error: f64,
    /// The Elo difference this score stands for; infinite if every game was won or lost.
    pub elo: f64,
    /// Lower end of its 95 % interval; may be infinite.
    pub elo_low: f64,
    /// Upper end of its 95 % interval; may be infinite.
    pub elo_high: f64,
    /// How likely it is that the player is the stronger one (LOS), 0 to 1, by the normal
    /// distribution.
    pub superiority: f64,
}

/// The normal distribution up to a point. The error function is that of Abramowitz and Stegun,
/// 7.1.26, whose error is below 1.5e-7.
fn normal(x: f64) -> f64 {
    const FACTORS: [f64; 5] =
        [0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429];
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let sum = FACTORS.iter().rev().fold(0.0, |sum, factor| (sum + factor) * t);
    let tail = sum * (-z * z).exp() / 2.0;
    if x < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64, error: f64) {
        assert!((found - expected).abs() <= error, "{found}, expected {expected}");
    }

    #[test]
    fn elo_and_score_are_each_the_others_inverse() {
        near(elo_of_score(0.75), 190.848_501_9, 1e-6);
        near(score_of_elo(100.0), 0.640_065, 1e-6);
        for elo in [-700.0, -3.0, 0.0, 12.5, 400.0] {
            near(elo_of_score(score_of_elo(elo)), elo, 1e-9);
        }
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
    }

    #[test]
    fn the_normal_distribution() {
        near(normal(0.0), 0.5, 1e-7);
        near(normal(1.959_964), 0.975, 1e-6);
        near(normal(-1.0), 0.158_655_3, 1e-6);
        near(normal(9.0), 1.0, 1e-12);
    }

    /// By hand: scores 0, .25, .5, .75, 1 with counts 10, 20, 40, 20, 10 have the mean 1/2 and the
    /// variance (20 * .25 + 40 * .0625) / 100 = 0.075; the standard error is sqrt(0.00075).
    #[test]
    fn a_match_that_is_even() {
        let estimate = Pentanomial([10, 20, 40, 20, 10]).estimate().unwrap();
        near(estimate.score, 0.5, 1e-12);
        near(estimate.score_error, 1.959_964 * 0.000_75f64.sqrt(), 1e-7);
        near(estimate.elo, 0.0, 1e-9);
        near(estimate.elo_high, -estimate.elo_low, 1e-9);
        near(estimate.elo_high, elo_of_score(0.5 + 0.053_676), 0.01);
        near(estimate.superiority, 0.5, 1e-6);
    }

    /// By hand: 0, 2, 4, 10, 4 pairs: mean (0.5 + 2 + 7.5 + 4) / 20 = 0.7; variance
    /// (2 * .2025 + 4 * .04 + 10 * .0025 + 4 * .09) / 20 = 0.0475; error sqrt(0.002375) = .048734.
    #[test]
    fn a_match_that_is_won() {
        let estimate = Pentanomial([0, 2, 4, 10, 4]).estimate().unwrap();
        near(estimate.score, 0.7, 1e-12);
        near(estimate.score_error, 0.095_517, 1e-4);
        near(estimate.elo, 147.19, 0.01);
        near(estimate.superiority, 0.999_98, 1e-4);
    }

    /// The games of a pair may not be counted as if they were independent: where the side
    /// decides every game, a match is certain to be even.
    #[test]
    fn openings_that_one_side_wins_say_nothing() {
        let estimate = Pentanomial([0, 0, 500, 0, 0]).estimate().unwrap();
        near(estimate.score_error, 0.0, 1e-3);
        assert_eq!(Pentanomial::default().estimate(), None);
        let all = Pentanomial([0, 0, 0, 0, 50]).estimate().unwrap();
        assert_eq!((all.elo, all.elo_high), (f64::INFINITY, f64::INFINITY));
        assert!(all.elo_low > 400.0);
    }
}
