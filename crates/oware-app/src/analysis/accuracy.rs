//! What a move costs: labels, and the accuracy of a player.
//!
//! A move can cost seeds, and it can cost the result. *Seeds lost* are the value of the best
//! move less that of the move played. The *expected score* of a move is its chance of a win plus
//! half its chance of a draw, 0 to 1; where the result is proven it is 0, 1/2 or 1. What of it
//! was given away is that of the best move less that of the move played, 0 if that is negative.

use std::fmt;

use oware_search::{Chances, Score};

use super::game::PlyAnalysis;
use super::value::MoveValue;

/// Seeds lost from which a move is an inaccuracy, a mistake, a blunder, in hundredths.
pub const SEED_STEPS: [i32; 3] = [100, 250, 500];
/// Expected score given away from which a move is an inaccuracy, a mistake, a blunder: a lost
/// half point, as a draw for a win, is a blunder.
pub const EXPECTED_STEPS: [f64; 3] = [0.10, 0.20, 0.35];
/// Expected score from which a game is as good as won, and at 1 less this as good as lost.
pub const SETTLED: f64 = 0.98;
/// Expected score that halves the accuracy of a move when it is given away.
pub const HALVING: f64 = 0.10;

/// What a move is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    /// Nothing better was found.
    Best,
    /// Less than an inaccuracy was lost.
    Good,
    /// A seed or a tenth of a point.
    Inaccuracy,
    /// Two seeds and a half, or a fifth of a point.
    Mistake,
    /// Five seeds, or more than a third of a point.
    Blunder,
}

impl Label {
    /// All of them, from best to worst.
    pub const ALL: [Label; 5] =
        [Label::Best, Label::Good, Label::Inaccuracy, Label::Mistake, Label::Blunder];

    /// The word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Label::Best => "best",
            Label::Good => "good",
            Label::Inaccuracy => "inaccuracy",
            Label::Mistake => "mistake",
            Label::Blunder => "blunder",
        }
    }

    /// Whether it is worth saying what was better.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        matches!(self, Label::Inaccuracy | Label::Mistake | Label::Blunder)
    }

    /// Of a move beside the best one. The worse counts of what the seeds and the expected score
    /// say; but where the result stays the same whatever is played (it is proven by both moves,
    /// the move played is as good as won, or the best one as good as lost: [`SETTLED`]), lost
    /// seeds alone are no more than an inaccuracy.
    #[must_use]
    pub fn of(best: &MoveValue, played: &MoveValue) -> Label {
        let lost = lost(best, played).hundredths();
        let by_result = step(given_away(best, played), EXPECTED_STEPS);
        let mut by_seeds = step(lost, SEED_STEPS);
        let won = expected(played.chances) >= SETTLED;
        let lost_anyway = expected(best.chances) <= 1.0 - SETTLED;
        let same = played.proven.is_some() && played.proven == best.proven;
        if won || lost_anyway || same {
            by_seeds = by_seeds.min(1);
        }
        match (by_result.max(by_seeds), lost) {
            (0, 0) => Label::Best,
            (0, _) => Label::Good,
            (1, _) => Label::Inaccuracy,
            (2, _) => Label::Mistake,
            _ => Label::Blunder,
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How many of rising steps a number reaches.
fn step<T: PartialOrd + Copy>(number: T, steps: [T; 3]) -> usize {
    steps.iter().filter(|step| number >= **step).count()
}

/// Seeds lost by a move beside the best one, 0 or more.
pub(super) fn lost(best: &MoveValue, played: &MoveValue) -> Score {
    (best.score - played.score).max(Score::default())
}

/// The points expected, 0 to 1: a win counts 1, a draw a half.
#[must_use]
pub fn expected(chances: Chances) -> f64 {
    (f64::from(chances.win) + f64::from(chances.draw) / 2.0) / 1000.0
}

/// Expected score given away by a move beside the best one, 0 to 1.
pub(super) fn given_away(best: &MoveValue, played: &MoveValue) -> f64 {
    (expected(best.chances) - expected(played.chances)).max(0.0)
}

/// The accuracy of a move that gives away an expected score of 0 to 1: 100 for nothing, half for
/// each [`HALVING`], that is `100 * 2^(-given_away / 0.1)`.
#[must_use]
pub fn move_accuracy(given_away: f64) -> f64 {
    100.0 * (-given_away / HALVING).exp2()
}

/// What the moves of a player were like. Of moves where there was only one to choose, the number
/// alone is counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerReport {
    /// Moves played.
    pub moves: usize,
    /// Moves with at least two to choose from; everything below is of these.
    pub choices: usize,
    /// How many were of each label, in the order of [`Label::ALL`].
    pub counts: [usize; 5],
    /// Seeds lost in all.
    pub lost: Score,
    /// Sum of the accuracies of the moves.
    accuracies: f64,
}

impl PlayerReport {
    /// Counts a move.
    pub(super) fn add(&mut self, ply: &PlyAnalysis) {
        self.moves += 1;
        if ply.is_forced() {
            return;
        }
        self.choices += 1;
        self.counts[ply.label as usize] += 1;
        self.lost = self.lost + ply.lost;
        self.accuracies += move_accuracy(ply.given_away);
    }

    /// How many moves were of a label.
    #[must_use]
    pub fn count(&self, label: Label) -> usize {
        self.counts[label as usize]
    }

    /// Seeds lost a move; `None` if there was no choice.
    #[must_use]
    pub fn mean_lost(&self) -> Option<f64> {
        (self.choices > 0).then(|| self.lost.seeds() / self.choices as f64)
    }

    /// The mean accuracy of the moves, 0 to 100; `None` if there was no choice.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        (self.choices > 0).then(|| self.accuracies / self.choices as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_of_a_point_halves_the_accuracy() {
        let rounded = [0.0, 0.1, 0.2, 0.5, 1.0].map(|d| (move_accuracy(d) * 10.0).round() / 10.0);
        assert_eq!(rounded, [100.0, 50.0, 25.0, 3.1, 0.1]);
    }

    #[test]
    fn steps_are_reached_from_below() {
        assert_eq!([99, 100, 249, 250, 500].map(|lost| step(lost, SEED_STEPS)), [0, 1, 1, 2, 3]);
    }
}
