//! Elo of several engines at once, by maximum likelihood.

use super::outcome::Outcome;
use super::schedule::Plan;
use super::stats::{Pentanomial, moment, score_of_elo};

/// A difference of this many Elo is ten to one.
const DECADE: f64 = 400.0;
/// 95 % of a normal distribution lie within so many standard deviations.
const TWO_SIDED_95: f64 = 1.959_963_985;
/// Rounds of approach; far more than needed.
const MOST_ROUNDS: u32 = 20_000;
/// The approach ends when no engine moves by more than this, as a part of its strength.
const STILL: f64 = 1e-10;

/// An engine's place in a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Which engine, by number.
    pub engine: usize,
    /// Elo; the mean over all engines is 0.
    pub elo: f64,
    /// Half of its 95 % interval, the other engines' Elo being taken for certain; `None` without
    /// a pair, and where all games were won or lost: then there is no telling.
    pub error: Option<f64>,
    /// Points: a win is 1, a draw a half.
    pub points: f64,
    /// Games.
    pub games: u64,
    /// Seeds ahead at the end of a game, on average.
    pub seeds_ahead: f64,
}

/// What an engine did against another.
struct Meeting {
    other: usize,
    points: f64,
    games: f64,
    pairs: Pentanomial,
}

/// The engines, strongest first, from the games before the place `end`.
///
/// The model is that of Bradley and Terry, a draw being half a win, and the solution their usual
/// one: an engine's strength is its points, divided by the sum over its games of one over both
/// strengths. Each meeting counts a drawn game more than was played, so that who won or lost all
/// has a number too.
#[must_use]
pub fn standings(plan: &Plan, outcome: &Outcome, end: usize) -> Vec<Standing> {
    let count = plan.engines.len();
    let mut meetings: Vec<Vec<Meeting>> = (0..count).map(|_| Vec::new()).collect();
    let mut standings: Vec<Standing> = (0..count)
        .map(|engine| Standing {
            engine,
            elo: 0.0,
            error: None,
            points: 0.0,
            games: 0,
            seeds_ahead: 0.0,
        })
        .collect();
    for [first, second] in plan.meetings() {
        for (engine, other) in [(first, second), (second, first)] {
            let tally = outcome.tally(plan, engine, other, end);
            let points = tally.wins as f64 + tally.draws as f64 / 2.0;
            let standing = &mut standings[engine];
            standing.points += points;
            standing.games += tally.games();
            standing.seeds_ahead += tally.ahead as f64 / 2.0;
            meetings[engine].push(Meeting {
                other,
                points: points + 0.5,
                games: tally.games() as f64 + 1.0,
                pairs: tally.pairs,
            });
        }
    }
    let elo = strengths(&meetings);
    for standing in &mut standings {
        standing.elo = elo[standing.engine];
        let mixed = standing.points > 0.0 && standing.points < standing.games as f64;
        let error = || error(&meetings[standing.engine], standing.engine, &elo);
        standing.error = mixed.then(error).flatten();
        standing.seeds_ahead /= standing.games.max(1) as f64;
    }
    standings.sort_by(|a, b| b.elo.total_cmp(&a.elo).then(a.engine.cmp(&b.engine)));
    standings
}

fn strengths(meetings: &[Vec<Meeting>]) -> Vec<f64> {
    let mut strength = vec![1.0f64; meetings.len()];
    for _ in 0..MOST_ROUNDS {
        let mut moved = 0.0f64;
        for (engine, met) in meetings.iter().enumerate() {
            let points: f64 = met.iter().map(|meeting| meeting.points).sum();
            let shares = met.iter().map(|m| m.games / (strength[engine] + strength[m.other]));
            let new = points / shares.sum::<f64>();
            moved = moved.max((new / strength[engine] - 1.0).abs());
            strength[engine] = new;
        }
        if moved < STILL {
            break;
        }
    }
    let elo: Vec<f64> = strength.iter().map(|strength| DECADE * strength.log10()).collect();
    let mean = elo.iter().sum::<f64>() / elo.len().max(1) as f64;
    elo.iter().map(|elo| elo - mean).collect()
}

/// The error of an engine's points, as Elo.
fn error(met: &[Meeting], engine: usize, elo: &[f64]) -> Option<f64> {
    let (mut variance, mut slope, mut pairs) = (0.0, 0.0, 0);
    for meeting in met {
        pairs += meeting.pairs.pairs();
        let counts = meeting.pairs.regular();
        let total: f64 = counts.iter().sum();
        let mean = moment(&counts, |score| score) / total;
        // A pair has two games.
        variance += 4.0 * moment(&counts, |score| (score - mean).powi(2));
        let expected = score_of_elo(elo[engine] - elo[meeting.other]);
        slope += meeting.games * expected * (1.0 - expected) * std::f64::consts::LN_10 / DECADE;
    }
    (pairs > 0).then(|| TWO_SIDED_95 * variance.sqrt() / slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(other: usize, points: f64, games: f64) -> Meeting {
        Meeting { other, points, games, pairs: Pentanomial::default() }
    }

    #[test]
    fn two_engines_are_as_far_apart_as_their_score_says() {
        let elo = strengths(&[vec![met(1, 75.0, 100.0)], vec![met(0, 25.0, 100.0)]]);
        assert!((elo[0] - elo[1] - 190.848_5).abs() < 1e-3, "{elo:?}");
        assert!((elo[0] + elo[1]).abs() < 1e-9);
    }

    /// Ten to one, and ten to one again: the third is a hundred times weaker than the first, and
    /// has won a game in 101 against it.
    #[test]
    fn consistent_results_are_met_exactly() {
        let elo = strengths(&[
            vec![met(1, 100.0, 110.0), met(2, 1000.0, 1010.0)],
            vec![met(0, 10.0, 110.0), met(2, 100.0, 110.0)],
            vec![met(0, 10.0, 1010.0), met(1, 10.0, 110.0)],
        ]);
        for (found, expected) in elo.iter().zip([400.0, 0.0, -400.0]) {
            assert!((found - expected).abs() < 1e-4, "{elo:?}");
        }
    }
}
