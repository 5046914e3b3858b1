//! Ends that the runner decides: by endgame tables, by what both players say, by length.

use std::fmt;
use std::path::PathBuf;

use oware_rules::{Game, Side};
use oware_search::Score;

use super::game::side_name;
use crate::Knowledge;
use crate::knowledge::{Claim, Past};

/// What the runner may decide. Nothing but the length if nothing else is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rulings {
    /// Directory of endgame tables that decide games where they prove the result.
    pub tables: Option<PathBuf>,
    /// Whether values count that hold if loops are split evenly, where nothing is proven.
    pub even: bool,
    /// How many hundredths of a seed ahead both players must see the same one, and for how many
    /// plies in a row; `None` where their scores are not asked.
    pub scores: Option<(i32, u32)>,
    /// Plies of the longest game, its opening counted.
    pub plies: usize,
}

impl Default for Rulings {
    /// Only the length, at 1,000 plies.
    fn default() -> Rulings {
        Rulings { tables: None, even: false, scores: None, plies: 1000 }
    }
}

impl fmt::Display for Rulings {
    /// In one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} plies", self.plies)?;
        if let Some(dir) = &self.tables {
            let even = if self.even { "even" } else { "proven" };
            write!(f, ", {even} by tables in {}", dir.to_string_lossy().escape_debug())?;
        }
        match self.scores {
            Some((least, plies)) => write!(f, ", scores of {least} for {plies} plies"),
            None => Ok(()),
        }
    }
}

/// A decision, with what it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// By endgame tables.
    Tables {
        /// Seeds that the mover ends ahead, at least if it is a win, at most if it is a loss.
        mover_ahead: i8,
        /// Whether it is no more than the value if loops are split evenly.
        if_even: bool,
    },
    /// Both players have long said so.
    Scores {
        /// Who wins.
        winner: Side,
        /// Plies in a row.
        plies: u32,
    },
    /// The game was too long; the seeds are shared as in a loop.
    TooLong {
        /// Plies.
        plies: usize,
    },
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Decision::Tables { if_even: false, .. } => f.write_str("proven by endgame tables"),
            Decision::Tables { if_even: true, .. } => {
                f.write_str("by endgame tables if loops are split evenly")
            }
            Decision::Scores { winner, plies } => {
                write!(f, "both see {} ahead for {plies} plies", side_name(*winner))
            }
            Decision::TooLong { plies } => write!(f, "{plies} plies are the most"),
        }
    }
}

/// Decides games of a match.
pub(super) struct Adjudicator {
    pub(super) rulings: Rulings,
    pub(super) tables: Option<Knowledge>,
}

/// Decides one game.
pub(super) struct Judge<'a> {
    of: &'a Adjudicator,
    /// Who was seen ahead last, and for how many plies in a row.
    ahead: Option<(Side, u32)>,
}

impl Adjudicator {
    pub(super) fn judge(&self) -> Judge<'_> {
        Judge { of: self, ahead: None }
    }
}

impl Judge<'_> {
    /// Takes notice of what a player said with his move.
    pub(super) fn heard(&mut self, side: Side, score: Option<Score>) {
        let Some((least, _)) = self.of.rulings.scores else { return };
        let hundredths = score.map_or(0, Score::hundredths);
        let leader = match hundredths {
            n if n >= least => Some(side),
            n if n <= -least => Some(side.other()),
            _ => None,
        };
        self.ahead = leader.map(|leader| match self.ahead {
            Some((before, plies)) if before == leader => (leader, plies + 1),
            _ => (leader, 1),
        });
    }

    /// What is decided of a game that is not over; `None` while it goes on.
    pub(super) fn decide(&self, game: &Game) -> Option<Decision> {
        let plies = game.plies().len();
        if plies >= self.of.rulings.plies {
            return Some(Decision::TooLong { plies });
        }
        if let (Some((winner, plies)), Some((_, least))) = (self.ahead, self.of.rulings.scores)
            && plies >= least
        {
            return Some(Decision::Scores { winner, plies });
        }
        self.by_tables(game)
    }

    fn by_tables(&self, game: &Game) -> Option<Decision> {
        // Tables that cannot be read decide nothing; the game goes on.
        let verdict = self.of.tables.as_ref()?.verdict(game).ok()??;
        if verdict.past != Past::Clear {
            return None;
        }
        let decided = |mover_ahead, if_even| Some(Decision::Tables { mover_ahead, if_even });
        match verdict.claim {
            Claim::Exact { ahead, .. } => decided(ahead, false),
            Claim::Win { least } => decided(least, false),
            Claim::Loss { least } => decided(-least, false),
            Claim::IfEven { ahead } if self.of.rulings.even => decided(ahead, true),
            Claim::IfEven { .. } | Claim::Unknown => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oware_rules::Rules;

    #[test]
    fn both_must_say_the_same_for_long_enough() {
        let rulings = Rulings { scores: Some((500, 4)), ..Rulings::default() };
        let adjudicator = Adjudicator { rulings, tables: None };
        let mut judge = adjudicator.judge();
        let game = Game::new(Rules::ABAPA);
        let mut hear = |side, seeds| {
            judge.heard(side, Some(Score::whole(seeds)));
            judge.decide(&game)
        };
        assert_eq!(hear(Side::South, 6), None);
        assert_eq!(hear(Side::North, -6), None);
        assert_eq!(hear(Side::South, 4), None);
        assert_eq!(hear(Side::North, -6), None);
        assert_eq!(hear(Side::South, 6), None);
        assert_eq!(hear(Side::North, 7), None);
        assert_eq!(hear(Side::South, -5), None);
        assert_eq!(hear(Side::North, 5), None);
        let decision = hear(Side::South, -9);
        assert_eq!(decision, Some(Decision::Scores { winner: Side::North, plies: 4 }));
    }
}
