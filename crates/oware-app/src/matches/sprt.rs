//! Whether one engine is stronger than another, tested game by game: the sequential probability
//! ratio test on pairs of games.
//!
//! The distribution of a pair's result is not known, so the test is the generalised one: under
//! each hypothesis the likeliest distribution with the mean that the hypothesis states is taken.
//! The method is that of Stockfish's fishtest, and the solution that of Michel Van den Bergh,
//! "The generalized maximum likelihood ratio for the expectation value of a distribution": among
//! distributions with the mean s the likeliest has p_i / (1 + t (a_i - s)) where p_i are the
//! frequencies seen, a_i the values, and t the root of sum p_i (a_i - s) / (1 + t (a_i - s)) = 0.

use std::fmt;
use std::str::FromStr;

use super::outcome::Outcome;
use super::schedule::{GameNumber, Plan};
use super::stats::{Pentanomial, moment, score_of_elo};

/// Halvings of an interval when a root is looked for: beyond the precision of the numbers.
const HALVINGS: u32 = 80;

/// A test of two hypotheses on the Elo difference of the first engine to the second (logistic,
/// as the score stands for it).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference if the change is worth nothing.
    pub elo0: f64,
    /// The difference if it is worth something; greater than `elo0`.
    pub elo1: f64,
    /// How often the second may be accepted although the first is true, 0 to 0.5.
    pub alpha: f64,
    /// How often the first may be accepted although the second is true, 0 to 0.5.
    pub beta: f64,
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The first hypothesis is accepted.
    Null,
    /// The second hypothesis is accepted.
    Alternative,
}

impl Sprt {
    /// Between these logarithms of the likelihood ratio the test goes on (Wald).
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        let Sprt { alpha, beta, .. } = *self;
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// The logarithm of how much likelier the second hypothesis makes what was seen.
    #[must_use]
    pub fn ratio(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.regular();
        let [(s0, t0), (s1, t1)] = [self.elo0, self.elo1].map(|elo| {
            let score = score_of_elo(elo);
            (score, tilt(&counts, score))
        });
        moment(&counts, |a| (t0 * (a - s0)).ln_1p() - (t1 * (a - s1)).ln_1p())
    }

    /// What is accepted after these pairs, if anything is.
    #[must_use]
    pub fn verdict(&self, pairs: &Pentanomial) -> Option<Verdict> {
        let (lower, upper) = self.bounds();
        match self.ratio(pairs) {
            ratio if ratio >= upper => Some(Verdict::Alternative),
            ratio if ratio <= lower => Some(Verdict::Null),
            _ => None,
        }
    }
}

/// The root t: see the head of this file. The sum falls with t, from above 0 to below.
fn tilt(counts: &[f64; 5], score: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        let sum = moment(counts, |a| (a - score) / (1.0 + middle * (a - score)));
        if sum > 0.0 { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

impl fmt::Display for Sprt {
    /// As on the command line: `0,5,0.05,0.05`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{},{}", self.elo0, self.elo1, self.alpha, self.beta)
    }
}

impl FromStr for Sprt {
    /// What was expected.
    type Err = String;

    fn from_str(text: &str) -> Result<Sprt, String> {
        let numbers: Vec<f64> =
            text.split(',').map_while(|part| part.trim().parse().ok()).collect();
        let expected = || {
            Err("expected ELO0,ELO1,ALPHA,BETA with ELO0 below ELO1 (within -1000 to 1000), ALPHA \
                 and BETA between 0 and 0.5, such as 0,5,0.05,0.05"
                .into())
        };
        let [elo0, elo1, alpha, beta] = numbers[..] else { return expected() };
        if text.split(',').count() != 4 {
            return expected();
        }
        let chance = |chance: f64| (1e-6..0.5).contains(&chance);
        let good = elo0 < elo1 && elo0 >= -1000.0 && elo1 <= 1000.0;
        if good && chance(alpha) && chance(beta) {
            Ok(Sprt { elo0, elo1, alpha, beta })
        } else {
            expected()
        }
    }
}

/// A test that goes on while games are finished. Pairs count in the order of their numbers, and a
/// pair only when all before it are finished: so it does not matter which game ends first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Course {
    /// The pairs that have counted so far.
    pub pairs: Pentanomial,
    /// The logarithm of the likelihood ratio after them.
    pub ratio: f64,
    /// How the test ended, if it did; later pairs no longer count.
    pub verdict: Option<Verdict>,
}

impl Course {
    /// Takes in what has been finished.
    pub(super) fn advance(&mut self, sprt: &Sprt, plan: &Plan, outcome: &Outcome) {
        let mut pair = self.pairs.pairs() as usize;
        while self.verdict.is_none() && pair < plan.pairs {
            let game = |swapped| outcome.games.get(&GameNumber { pair, swapped }.index());
            let (Some(first), Some(second)) = (game(false), game(true)) else { break };
            // The first engine has South in the first game, North in the second.
            let points = first.south_half_points + 2 - second.south_half_points;
            self.pairs.0[usize::from(points)] += 1;
            self.ratio = sprt.ratio(&self.pairs);
            self.verdict = sprt.verdict(&self.pairs);
            pair += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oware_testkit::TestRng;

    const TEST: Sprt = Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 };

    fn near(found: f64, expected: f64, error: f64) {
        assert!((found - expected).abs() <= error, "{found}, expected {expected}");
    }

    #[test]
    fn bounds_are_those_of_wald() {
        let (lower, upper) = TEST.bounds();
        near(upper, 19f64.ln(), 1e-12);
        near(lower, -(19f64.ln()), 1e-12);
    }

    /// If all pairs are won or lost whole, the likeliest distribution with a mean s is (1 - s, s),
    /// and the ratio is that of coins: 60 ln(s1 / s0) + 40 ln((1 - s1) / (1 - s0)) with s0 = .5,
    /// s1 = .528750 is 60 * .055897 - 40 * .059215 = 0.98525.
    #[test]
    fn whole_pairs_are_coins() {
        near(TEST.ratio(&Pentanomial([40, 0, 0, 0, 60])), 0.985_3, 2e-3);
    }

    /// A mean that lies just between the hypotheses tells them apart by nothing.
    #[test]
    fn between_the_hypotheses_there_is_no_evidence() {
        let even = Sprt { elo0: -10.0, elo1: 10.0, ..TEST };
        near(even.ratio(&Pentanomial([30, 50, 100, 50, 30])), 0.0, 1e-9);
        assert!(TEST.ratio(&Pentanomial([30, 50, 100, 50, 30])) < 0.0);
        assert_eq!(TEST.ratio(&Pentanomial::default()), 0.0);
    }

    /// For hypotheses close to each other and many pairs the ratio is that of normal
    /// distributions: n (s1 - s0) (2 mean - s0 - s1) / (2 variance).
    #[test]
    fn many_pairs_are_nearly_normal() {
        let pairs = Pentanomial([600, 1_900, 4_700, 2_100, 700]);
        let close = Sprt { elo0: 0.0, elo1: 5.0, ..TEST };
        let (mean, variance) = (0.51, 0.057_9);
        let s1 = score_of_elo(5.0);
        let normal = 10_000.0 * (s1 - 0.5) * (2.0 * mean - 0.5 - s1) / (2.0 * variance);
        near(close.ratio(&pairs), normal, 0.02 * normal);
    }

    #[test]
    fn texts_are_read_and_refused() {
        assert_eq!("0,20,0.05,0.05".parse(), Ok(TEST));
        assert_eq!(TEST.to_string().parse(), Ok(TEST));
        for wrong in
            ["", "0,5", "5,0,.05,.05", "0,5,0,0.05", "0,5,.05,.5", "0,5,.05,.05,1", "nan,5,.1,.1"]
        {
            assert!(wrong.parse::<Sprt>().is_err(), "{wrong}");
        }
    }

    /// How often a test of pairs with these chances accepts the second hypothesis.
    fn accepts(sprt: &Sprt, chances: [f64; 5], rng: &mut TestRng, tests: u32) -> f64 {
        let mut accepted = 0;
        for _ in 0..tests {
            let mut pairs = Pentanomial::default();
            let verdict = loop {
                let mut draw = rng.next_u64() as f64 / u64::MAX as f64;
                let result = chances.iter().position(|chance| {
                    draw -= chance;
                    draw < 0.0
                });
                pairs.0[result.unwrap_or(4)] += 1;
                if let Some(verdict) = sprt.verdict(&pairs) {
                    break verdict;
                }
            };
            accepted += u32::from(verdict == Verdict::Alternative);
        }
        f64::from(accepted) / f64::from(tests)
    }

    /// Chances with the mean that an Elo difference stands for: a common shape, tilted.
    fn chances(elo: f64) -> [f64; 5] {
        let shape = [0.06, 0.19, 0.47, 0.21, 0.07];
        let score = score_of_elo(elo);
        let t = tilt(&shape, score);
        let mut tilted = shape;
        for (chance, half) in tilted.iter_mut().zip(0..) {
            *chance /= 1.0 + t * (f64::from(half) / 4.0 - score);
        }
        tilted
    }

    #[test]
    fn tests_err_about_as_often_as_they_may() {
        let mut rng = TestRng::from_env("tests_err_about_as_often_as_they_may");
        let sprt = Sprt { elo0: 0.0, elo1: 40.0, alpha: 0.05, beta: 0.1 };
        let [null, alternative] = [0.0, 40.0].map(chances);
        near(null.iter().sum(), 1.0, 1e-9);
        // 1,500 tests: the standard error of 5 % is 0.6 %, that of 10 % 0.8 %.
        let wrongly = accepts(&sprt, null, &mut rng, 1_500);
        assert!((0.02..0.075).contains(&wrongly), "alpha: {wrongly}");
        let missed = 1.0 - accepts(&sprt, alternative, &mut rng, 1_500);
        assert!((0.055..0.14).contains(&missed), "beta: {missed}");
    }
}
