//! How strong the computer plays: twelve levels, and what each of them sees.

use std::fmt;
use std::str::FromStr;

/// How strong the computer plays, 1 to 12.
///
/// The first eight are weak in the way of people: they look only a few plies ahead and misjudge
/// what they see. From nine on they play the best that they find, each with more positions to
/// look at than the one below. All of them look on one thread, by numbers of plies and positions
/// and never by time, so that a level is as strong on any machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Level(u8);

/// What a level does to find a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Skill {
    /// Sees a little and misjudges it.
    Human(Human),
    /// The best found among so many positions.
    Engine {
        /// Positions looked at.
        nodes: u64,
    },
}

/// How a weak level falls short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Human {
    /// Plies seen.
    pub(crate) depth: u32,
    /// Whether it judges boards as the engine does; else by rules of thumb.
    pub(crate) trained: bool,
    /// The most by which it misjudges a move when all seeds are on the board, in hundredths of a
    /// seed.
    pub(crate) misjudges: i32,
    /// The most that a move of its choice loses against the best, in hundredths of a seed.
    pub(crate) most_lost: i32,
}

const fn human(depth: u32, trained: bool, misjudges: i32, most_lost: i32) -> Skill {
    Skill::Human(Human { depth, trained, misjudges, most_lost })
}

/// Measured against each other: see docs/measurements.
const SKILLS: [Skill; 12] = [
    human(1, false, 1600, 800),
    human(1, false, 200, 400),
    human(2, false, 420, 420),
    human(2, true, 520, 420),
    human(3, true, 320, 350),
    human(5, true, 210, 300),
    human(7, true, 110, 200),
    human(12, true, 20, 100),
    Skill::Engine { nodes: 16_384 },
    Skill::Engine { nodes: 49_152 },
    Skill::Engine { nodes: 147_456 },
    Skill::Engine { nodes: 524_288 },
];

const NUMBERS: [&str; 12] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];

/// Names that earlier versions knew.
const NAMES: [(&str, Level); 3] =
    [("easy", Level::EASY), ("medium", Level::MEDIUM), ("hard", Level::TOP)];

impl Level {
    /// For who has just learnt the rules.
    pub const EASY: Level = Level(2);
    /// For who has played for a while.
    pub const MEDIUM: Level = Level(5);
    /// The weakest.
    pub const BOTTOM: Level = Level(1);
    /// Full strength: what endgame tables force, if there are some, else the best move found.
    pub const TOP: Level = Level(SKILLS.len() as u8);

    /// The level of a number; `None` outside 1 to 12.
    #[must_use]
    pub const fn new(number: u8) -> Option<Level> {
        if number >= 1 && number <= Level::TOP.0 { Some(Level(number)) } else { None }
    }

    /// Every level, weakest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Level> + ExactSizeIterator {
        (1..=Level::TOP.0).map(Level)
    }

    /// Its number, 1 to 12.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The name on the command line and in records: the number.
    #[must_use]
    pub const fn name(self) -> &'static str {
        NUMBERS[self.0 as usize - 1]
    }

    /// What names a level, in words.
    #[must_use]
    pub const fn expected() -> &'static str {
        "a level from 1 to 12, easy (2), medium (5) or hard (12)"
    }

    pub(crate) const fn skill(self) -> Skill {
        SKILLS[self.0 as usize - 1]
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Level {
    /// What was expected.
    type Err = String;

    fn from_str(text: &str) -> Result<Level, String> {
        let named = NAMES.into_iter().find(|(name, _)| *name == text);
        let numbered = || Level::all().find(|level| level.name() == text);
        named
            .map(|(_, level)| level)
            .or_else(numbered)
            .ok_or_else(|| format!("expected {}", Level::expected()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for level in Level::all() {
            assert_eq!(level.name().parse(), Ok(level));
            assert_eq!(Level::new(level.number()), Some(level));
            assert_eq!(level.to_string(), level.number().to_string());
        }
        assert_eq!(Level::all().len(), 12);
    }

    #[test]
    fn names_of_earlier_versions_are_levels() {
        for (name, number) in [("easy", 2), ("medium", 5), ("hard", 12)] {
            assert_eq!(name.parse(), Ok(Level(number)));
            assert!(Level::expected().contains(&format!("{name} ({number})")));
        }
    }

    #[test]
    fn what_is_no_level_is_refused() {
        assert_eq!((Level::new(0), Level::new(13)), (None, None));
        for text in ["", "0", "13", "01", "+1", " 1", "Easy", "strong", "-1", "256"] {
            let said = text.parse::<Level>().unwrap_err();
            assert!(said.contains("from 1 to 12") && said.contains("medium"), "{text}: {said}");
        }
    }
}
