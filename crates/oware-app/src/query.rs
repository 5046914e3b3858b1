//! What can be said of one position: whether the game is over, the legal moves, and what each
//! of them does. Everything is seen by the player to move: his houses are 0..=5, his store
//! stands first, and it stays so after his move.

use oware_rules::{
    Ending, FinalScore, HOUSES, HalfSeeds, Move, MoveSet, Position, ROW, Side, SowingBoard,
};

/// A position as its mover sees it, and its legal moves.
#[derive(Clone, Copy, Debug)]
pub struct PositionView {
    position: Position,
    /// Seeds in the houses, the mover's from his left on first.
    pub houses: [u8; HOUSES],
    /// Seeds in the stores, the mover's first.
    pub scores: [u8; 2],
    /// The end of the game, if it is over.
    pub ending: Option<Ending>,
    /// The legal moves; none when the game is over.
    pub legal: MoveSet,
}

/// What one legal move does, seen by the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveOutcome {
    /// The move.
    pub mv: Move,
    /// Seeds in the houses after it, before any sharing out.
    pub houses: [u8; HOUSES],
    /// Seeds in the stores after it, with what was captured and given, before any sharing out.
    pub scores: [u8; 2],
    /// Seeds captured.
    pub captured: u8,
    /// Seeds handed to the opponent by a grand slam.
    pub given: u8,
    /// Whether it is a grand slam, whatever comes of it.
    pub grand_slam: bool,
    /// The end of the game, if the move brings it. Repetition is not looked at.
    pub ending: Option<Ending>,
    /// The house where the last seed falls, 0..=11.
    pub last: usize,
    /// How often the sowing comes round and leaves out the house of origin.
    pub laps: usize,
}

/// A score with the store of `side` first.
#[must_use]
pub const fn score_seen_by(score: FinalScore, side: Side) -> [HalfSeeds; 2] {
    [score.of(side), score.of(side.other())]
}

fn stores_seen_by(position: &Position, side: Side) -> [u8; 2] {
    [position.store(side).get(), position.store(side.other()).get()]
}

impl PositionView {
    /// Looks at a position.
    #[must_use]
    pub fn of(position: &Position) -> PositionView {
        PositionView {
            position: *position,
            houses: position.board().houses(),
            scores: stores_seen_by(position, position.to_move()),
            ending: position.ending(),
            legal: position.legal_moves(),
        }
    }

    /// The position that is looked at.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// What each legal move does, from the mover's left to his right.
    pub fn outcomes(&self) -> impl Iterator<Item = MoveOutcome> + '_ {
        self.legal.iter().map(|mv| MoveOutcome::of(&self.position, mv))
    }
}

impl MoveOutcome {
    /// What a legal move does.
    #[must_use]
    pub fn of(position: &Position, mv: Move) -> MoveOutcome {
        let mover = position.to_move();
        let outcome = position.outcome(mv);
        let lifted = usize::from(position.board().lifted(mv));
        // A round is eleven houses; the seed after it would fall into the house of origin.
        let laps = lifted.saturating_sub(1) / (HOUSES - 1);
        MoveOutcome {
            mv,
            houses: outcome.after.board().turned().houses(),
            scores: stores_seen_by(&outcome.after, mover),
            captured: outcome.captured,
            given: outcome.given,
            grand_slam: outcome.grand_slam,
            ending: outcome.ending,
            last: (mv.index() + lifted + laps) % HOUSES,
            laps,
        }
    }

    /// The houses captured, 6..=11, in the order of capture (the last seed's first).
    pub fn captured_houses(&self) -> impl Iterator<Item = usize> + '_ {
        // Every one of these was sown by the move, so those that are empty have been captured.
        // (Where a slam hands out the rest all of them are, and all were in the chain.)
        let chain = if self.captured == 0 { ROW..ROW } else { ROW..self.last + 1 };
        chain.rev().filter(|&house| self.houses[house] == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oware_rules::{House, PRESETS, Setup};
    use oware_testkit::TestRng;

    /// Holds the outcome against the report, which tells the move seed by seed.
    #[test]
    fn outcomes_agree_with_the_report() {
        let mut rng = TestRng::from_env("outcomes_agree_with_the_report");
        for _ in 0..20_000 {
            let random = rng.position();
            let mover = *rng.pick(&Side::BOTH);
            let rules = rng.pick(&PRESETS).rules;
            let setup = Setup { houses: random.houses, stores: random.stores, to_move: mover };
            let position = Position::new(setup, rules).unwrap();
            let view = PositionView::of(&position);
            for outcome in view.outcomes() {
                let report = position.report(outcome.mv);
                let seen = |house: House| match mover {
                    Side::South => house.index(),
                    Side::North => house.opposite_seat().index(),
                };
                let captured: Vec<_> =
                    report.captured_houses.iter().map(|c| seen(c.house)).collect();
                assert_eq!(outcome.captured_houses().collect::<Vec<_>>(), captured, "{position}");
                assert_eq!(outcome.last, seen(report.last), "{position}");
                assert_eq!(outcome.laps, usize::from(report.laps), "{position}");
                assert_eq!(outcome.captured, report.captured.get(), "{position}");
                assert_eq!(outcome.given, report.given.get(), "{position}");
                assert_eq!(outcome.grand_slam, report.grand_slam.is_some(), "{position}");
                let seeds: u8 = outcome.houses.iter().chain(&outcome.scores).sum();
                assert_eq!(seeds, 48, "{position}");
            }
        }
    }
}
