//! Ratings by Glicko-2, after Mark E. Glickman, "Example of the Glicko-2 system", Boston
//! University, revision of 22 March 2022: <http://www.glicko.net/glicko/glicko2.pdf>. Steps are
//! numbered as there.
//!
//! The paper rates whole periods. Here every game is rated at its end, and the period that
//! passed since the last one is a fraction counted in days: without games a player's deviation
//! grows with the time, as in step 6, with the time as a factor. lichess does so; the figures
//! below are its.

use crate::clock::Millis;
use crate::wire::{Pace, RatingView};

/// How much volatility may change (tau).
const TAU: f64 = 0.75;
/// Rating periods in a day.
const PERIODS_PER_DAY: f64 = 0.21436;
/// Milliseconds in a day.
const DAY: f64 = 86_400_000.0;
/// Rating points in a unit of the inner scale (step 2).
const SCALE: f64 = 173.7178;
/// Where everybody begins, and the middle of the inner scale.
const MIDDLE: f64 = 1500.0;
/// The deviation never falls below this: somebody's rating can always move.
const LEAST_DEVIATION: f64 = 45.0;
/// The deviation of somebody of whom nothing is known, and the largest there is.
const LARGEST_DEVIATION: f64 = 500.0;
/// From this deviation on a rating is provisional.
pub const PROVISIONAL: f64 = 110.0;
/// No rating falls below this.
const LEAST_RATING: f64 = 400.0;
/// Where the volatility is found exactly enough (step 5).
const EXACT: f64 = 1e-6;

/// A rating as it is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating, 400 or more.
    pub rating: f64,
    /// Its deviation at `at`, 45 to 500.
    pub deviation: f64,
    /// How much the player's strength seems to change (sigma).
    pub volatility: f64,
    /// Rated games.
    pub games: u32,
    /// When the last one ended.
    pub at: Millis,
}

/// A result seen by a player: the opponent's rating on the inner scale, and 1, 0.5 or 0.
struct Game {
    mu: f64,
    phi: f64,
    score: f64,
}

impl Rating {
    /// Somebody's who has none yet.
    #[must_use]
    pub fn new(now: Millis) -> Rating {
        Rating { rating: MIDDLE, deviation: LARGEST_DEVIATION, volatility: 0.09, games: 0, at: now }
    }

    /// The deviation now: it grows while nothing is played.
    #[must_use]
    pub fn deviation_at(&self, now: Millis) -> f64 {
        let phi = self.deviation / SCALE;
        let grown = phi.hypot(self.volatility * self.periods(now).sqrt()) * SCALE;
        grown.clamp(LEAST_DEVIATION, LARGEST_DEVIATION)
    }

    /// As everybody sees it now.
    #[must_use]
    pub fn view(&self, pace: Pace, now: Millis) -> RatingView {
        let deviation = self.deviation_at(now);
        let provisional = deviation >= PROVISIONAL;
        RatingView { pace, rating: self.rating, deviation, provisional, games: self.games }
    }

    /// Rating periods since the last game.
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of centuries are exact")]
    fn periods(&self, now: Millis) -> f64 {
        now.saturating_sub(self.at).max(0) as f64 / DAY * PERIODS_PER_DAY
    }

    /// This rating, kept within the bounds, after these games.
    fn after(&self, games: &[Game], now: Millis) -> Rating {
        let (rating, deviation, volatility) = self.step(games, self.periods(now));
        Rating {
            rating: rating.max(LEAST_RATING),
            deviation: deviation.clamp(LEAST_DEVIATION, LARGEST_DEVIATION),
            volatility,
            games: self.games.saturating_add(1),
            at: now.max(self.at),
        }
    }

    /// Steps 2 to 8: rating, deviation and volatility after some games and some periods.
    fn step(&self, games: &[Game], periods: f64) -> (f64, f64, f64) {
        let (mu, phi) = ((self.rating - MIDDLE) / SCALE, self.deviation / SCALE);
        // Steps 3 and 4: what the games say, and how sure they are.
        let (mut precision, mut surprise) = (0.0, 0.0);
        for game in games {
            let weight = 1.0 / (1.0 + 3.0 * (game.phi / std::f64::consts::PI).powi(2)).sqrt();
            let expected = 1.0 / (1.0 + (-weight * (mu - game.mu)).exp());
            precision += weight * weight * expected * (1.0 - expected);
            surprise += weight * (game.score - expected);
        }
        let variance = 1.0 / precision;
        let volatility = self.new_volatility(phi, variance, variance * surprise);
        // Steps 6 and 7.
        let waited = phi.hypot(volatility * periods.sqrt()).min(LARGEST_DEVIATION / SCALE);
        let new_phi = 1.0 / (1.0 / (waited * waited) + precision).sqrt();
        let new_mu = mu + new_phi * new_phi * surprise;
        (new_mu * SCALE + MIDDLE, new_phi * SCALE, volatility)
    }

    /// Step 5: the root of a falling function, by the Illinois method, between two bounds.
    fn new_volatility(&self, phi: f64, variance: f64, delta: f64) -> f64 {
        let a = (self.volatility * self.volatility).ln();
        let f = |x: f64| {
            let square = x.exp();
            let sum = phi * phi + variance + square;
            square * (delta * delta - sum) / (2.0 * sum * sum) - (x - a) / (TAU * TAU)
        };
        let mut low = a;
        let mut high = if delta * delta > phi * phi + variance {
            (delta * delta - phi * phi - variance).ln()
        } else {
            let mut k = 1.0;
            while f(a - k * TAU) < 0.0 {
                k += 1.0;
            }
            a - k * TAU
        };
        let (mut at_low, mut at_high) = (f(low), f(high));
        // A few steps do; the bound keeps numbers that are none from running for ever.
        for _ in 0..100 {
            if (high - low).abs() <= EXACT {
                break;
            }
            let next = low + (low - high) * at_low / (at_high - at_low);
            let at_next = f(next);
            if at_next * at_high <= 0.0 {
                (low, at_low) = (high, at_high);
            } else {
                at_low /= 2.0;
            }
            (high, at_high) = (next, at_next);
        }
        (low / 2.0).exp()
    }
}

/// The ratings of South and North after a game between them; `south` is 1, 0.5 or 0. Both are
/// computed from the ratings before it, with the deviations of that moment.
#[must_use]
pub fn rate(players: [Rating; 2], south: f64, now: Millis) -> [Rating; 2] {
    let seen = |of: &Rating, score| Game {
        mu: (of.rating - MIDDLE) / SCALE,
        phi: of.deviation_at(now) / SCALE,
        score,
    };
    let [a, b] = players;
    [a.after(&[seen(&b, south)], now), b.after(&[seen(&a, 1.0 - south)], now)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rating(rating: f64, deviation: f64) -> Rating {
        Rating { rating, deviation, volatility: 0.06, games: 9, at: 0 }
    }

    fn seen(rating: f64, deviation: f64, score: f64) -> Game {
        Game { mu: (rating - MIDDLE) / SCALE, phi: deviation / SCALE, score }
    }

    /// The paper's example has tau 0.5; with it the volatility becomes 0.05999. Ours, 0.75,
    /// moves it a little more, and rating and deviation by less than the paper prints.
    #[test]
    fn the_example_of_the_paper() {
        let games = [seen(1400.0, 30.0, 1.0), seen(1550.0, 100.0, 0.0), seen(1700.0, 300.0, 0.0)];
        let (new, deviation, volatility) = rating(1500.0, 200.0).step(&games, 1.0);
        assert!((new - 1464.06).abs() < 0.02, "{new}");
        assert!((deviation - 151.52).abs() < 0.02, "{deviation}");
        assert!((volatility - 0.05999).abs() < 0.00002, "{volatility}");
    }

    #[test]
    fn a_win_raises_and_the_loser_falls() {
        let fresh = Rating::new(0);
        let [winner, loser] = rate([fresh, fresh], 1.0, 1_000);
        assert!(winner.rating > 1600.0 && loser.rating < 1400.0);
        assert!((winner.rating + loser.rating - 3000.0).abs() < 1e-6);
        assert!(winner.deviation < 500.0);
        assert_eq!((winner.games, winner.at), (1, 1_000));
        let [a, b] = rate([fresh, fresh], 0.5, 0);
        assert!((a.rating - 1500.0).abs() < 1e-9 && (b.rating - 1500.0).abs() < 1e-9);
        assert_eq!(rate([fresh, fresh], 0.0, 1_000), [loser, winner]);
    }

    #[test]
    fn a_favourite_gains_little() {
        let [strong, weak] = [rating(1900.0, 60.0), rating(1400.0, 60.0)];
        let [expected, _] = rate([strong, weak], 1.0, 0);
        let [upset, _] = rate([strong, weak], 0.0, 0);
        assert!(expected.rating - 1900.0 < 2.0);
        assert!(upset.rating - 1900.0 < -10.0);
    }

    #[test]
    fn deviation_grows_with_time_and_has_bounds() {
        let mut player = rating(1500.0, 60.0);
        player.volatility = 0.09;
        let day = 86_400_000;
        assert!((player.deviation_at(0) - 60.0).abs() < 1e-9);
        assert!(player.deviation_at(30 * day) < 110.0);
        assert!(player.view(Pace::Blitz, 30 * day).games == 9);
        assert!(!player.view(Pace::Blitz, 30 * day).provisional);
        assert!(player.view(Pace::Blitz, 365 * day).provisional);
        assert!((player.deviation_at(100_000 * day) - 500.0).abs() < 1e-9);
        let mut pair = [rating(1500.0, 46.0), rating(1500.0, 46.0)];
        for game in 0..400 {
            pair = rate(pair, f64::from(game % 2), 0);
        }
        assert!((pair[0].deviation - 45.0).abs() < 1e-9);
    }

    #[test]
    fn a_long_row_of_losses_stays_within_bounds() {
        let mut pair = [Rating::new(0), Rating::new(0)];
        for game in 1..2_000 {
            pair = rate(pair, 0.0, game * 1_000);
            assert!(pair[0].rating >= 400.0 && pair[1].rating.is_finite());
            assert!(pair.iter().all(|one| one.volatility > 0.0 && one.volatility < 1.0));
        }
        assert!(pair[1].rating < 6000.0);
    }
}
