//! What came of the games of a match: results, and sums of them.

use std::collections::BTreeMap;

use oware_rules::Side;

use super::game::{Effort, Played, Termination};
use super::schedule::{GameNumber, Plan, side_of};
use super::sprt::Course;
use super::stats::Pentanomial;

/// The result of a game, short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Which game.
    pub number: GameNumber,
    /// Half points of South: 0, 1 or 2.
    pub south_half_points: u8,
    /// South's store less North's at the end, in half seeds.
    pub south_ahead: i16,
    /// Plies, the opening counted.
    pub plies: usize,
    /// The side whose fault the end was, other than losing.
    pub fault: Option<Side>,
    /// Whether the runner decided the game.
    pub adjudicated: bool,
}

impl Finished {
    /// Of a game that is over; `None` if it is not.
    #[must_use]
    pub fn of(number: GameNumber, played: &Played) -> Option<Finished> {
        let ending = played.game.ending()?;
        let south_half_points = match ending.winner {
            Some(Side::South) => 2,
            None => 1,
            Some(Side::North) => 0,
        };
        Some(Finished {
            number,
            south_half_points,
            south_ahead: ending.score.south.halves() as i16 - ending.score.north.halves() as i16,
            plies: played.game.plies().len(),
            fault: played.termination.fault(),
            adjudicated: matches!(played.termination, Termination::Decided(_)),
        })
    }
}

/// Wins, draws and losses of an engine, against another or all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs of which both games are finished.
    pub pairs: Pentanomial,
    /// Store differences at the end, summed over all games, in half seeds.
    pub ahead: i64,
    /// Games lost by a fault or on time, own ones first.
    pub faults: [u64; 2],
    /// Games that the runner decided.
    pub adjudicated: u64,
}

impl Tally {
    /// Games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Seeds ahead at the end of a game, on average; 0 without a game.
    #[must_use]
    pub fn seeds_ahead(&self) -> f64 {
        if self.games() == 0 { 0.0 } else { self.ahead as f64 / 2.0 / self.games() as f64 }
    }

    fn add_game(&mut self, half_points: u8, ahead: i16) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
        self.ahead += i64::from(ahead);
    }
}

/// All that is known of a match at some moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Finished games by their place in the order.
    pub games: BTreeMap<usize, Finished>,
    /// What each engine did in the games of this run.
    pub effort: Vec<Effort>,
    /// How the test stands, if there is one.
    pub course: Course,
}

impl Outcome {
    /// How many games of the plan are finished.
    #[must_use]
    pub fn finished(&self, plan: &Plan) -> usize {
        self.games.range(..plan.games()).count()
    }

    /// Whether nothing is left to be played.
    #[must_use]
    pub fn is_complete(&self, plan: &Plan) -> bool {
        self.course.verdict.is_some() || self.finished(plan) == plan.games()
    }

    /// The place in the order of games before which games count: all, unless a test ended the
    /// match.
    #[must_use]
    pub fn end(&self, plan: &Plan) -> usize {
        match self.course.verdict {
            Some(_) => self.course.pairs.pairs() as usize * 2,
            None => plan.games(),
        }
    }

    /// Takes in a game.
    pub(super) fn add(&mut self, plan: &Plan, finished: Finished) {
        self.games.insert(finished.number.index(), finished);
        self.test(plan);
    }

    pub(super) fn test(&mut self, plan: &Plan) {
        if let Some(sprt) = &plan.sprt {
            let mut course = self.course;
            course.advance(sprt, plan, self);
            self.course = course;
        }
    }

    /// What two engines did against each other, seen by the first; only games before the place
    /// `end` count.
    #[must_use]
    pub fn tally(&self, plan: &Plan, engine: usize, other: usize, end: usize) -> Tally {
        let mut tally = Tally::default();
        let mut first_game = None;
        for (_, finished) in self.games.range(..end) {
            let seats = plan.seats_of(finished.number);
            let (Some(side), Some(_)) = (side_of(seats, engine), side_of(seats, other)) else {
                continue;
            };
            let (points, ahead) = match side {
                Side::South => (finished.south_half_points, finished.south_ahead),
                Side::North => (2 - finished.south_half_points, -finished.south_ahead),
            };
            tally.add_game(points, ahead);
            tally.adjudicated += u64::from(finished.adjudicated);
            if let Some(fault) = finished.fault {
                tally.faults[usize::from(fault != side)] += 1;
            }
            match (finished.number.swapped, first_game) {
                (true, Some((pair, before))) if pair == finished.number.pair => {
                    tally.pairs.0[usize::from(points + before)] += 1;
                }
                (swapped, _) => first_game = (!swapped).then_some((finished.number.pair, points)),
            }
        }
        tally
    }
}
