//! Who plays whom, with which opening.

use std::fmt;

use oware_rules::{Rules, Side};

use super::adjudicate::Rulings;
use super::opening::Openings;
use super::spec::EngineSpec;
use super::sprt::Sprt;

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first engine meets each of the others.
    Gauntlet,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::RoundRobin => "round-robin",
            Format::Gauntlet => "gauntlet",
        })
    }
}

/// A game of a match: its pair, and which of the two it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameNumber {
    /// The pair, from 0.
    pub pair: usize,
    /// Whether the sides are swapped.
    pub swapped: bool,
}

impl GameNumber {
    /// The game at a place in the order of all games, from 0.
    #[must_use]
    pub const fn at(index: usize) -> GameNumber {
        GameNumber { pair: index / 2, swapped: index % 2 == 1 }
    }

    /// The place in the order of all games.
    #[must_use]
    pub const fn index(self) -> usize {
        self.pair * 2 + self.swapped as usize
    }
}

impl fmt::Display for GameNumber {
    /// As in the tag `Round`: `12.2` is the second game of the twelfth pair.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.pair + 1, if self.swapped { 2 } else { 1 })
    }
}

impl std::str::FromStr for GameNumber {
    /// What was expected.
    type Err = &'static str;

    fn from_str(text: &str) -> Result<GameNumber, Self::Err> {
        const EXPECTED: &str = "expected a pair and 1 or 2, such as 12.2";
        let (pair, game) = text.split_once('.').ok_or(EXPECTED)?;
        let pair = pair.parse::<usize>().ok().and_then(|pair| pair.checked_sub(1));
        let swapped = match game {
            "1" => false,
            "2" => true,
            _ => return Err(EXPECTED),
        };
        let pair = pair.filter(|pair| *pair < usize::MAX / 4).ok_or(EXPECTED)?;
        Ok(GameNumber { pair, swapped })
    }
}

/// What a match is: everything that decides its games.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// A name for the records.
    pub event: String,
    /// The rules.
    pub rules: Rules,
    /// The engines: two or more, each with a name of its own.
    pub engines: Vec<EngineSpec>,
    /// Who meets whom.
    pub format: Format,
    /// Where the openings come from.
    pub openings: Openings,
    /// How many pairs of games any two engines that meet play.
    pub pairs: usize,
    /// What the runner may decide.
    pub rulings: Rulings,
    /// A test that ends the match; two engines only.
    pub sprt: Option<Sprt>,
}

/// What is wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PlanError(pub String);

impl Plan {
    /// Looks whether it can be played.
    ///
    /// # Errors
    /// When engines are too few or share a name, or openings do not suffice.
    pub fn check(&self) -> Result<(), PlanError> {
        let fault = |text: String| Err(PlanError(text));
        if self.engines.len() < 2 {
            return fault(format!(
                "a match needs two engines or more, there are {}",
                self.engines.len()
            ));
        }
        for (index, engine) in self.engines.iter().enumerate() {
            if self.engines[..index].iter().any(|other| other.name == engine.name) {
                let name = &engine.name;
                return fault(format!("two engines have the name {name}: give them name=..."));
            }
        }
        if self.pairs == 0 || self.pairs.checked_mul(self.meetings().len() * 4).is_none() {
            return fault("the number of pairs must be 1 or more, and can be counted".into());
        }
        if self.sprt.is_some() && self.engines.len() != 2 {
            return fault("a test (SPRT) is between two engines, no more".into());
        }
        match self.openings.len() {
            Some(there) if there < self.pairs => fault(format!(
                "{} pairs need as many openings, there are {there}: with fewer the same games \
                 would be played twice",
                self.pairs
            )),
            _ => Ok(()),
        }
    }

    /// Which engines meet, by number; in each pair the first has South in the first game.
    #[must_use]
    pub fn meetings(&self) -> Vec<[usize; 2]> {
        let count = self.engines.len();
        match self.format {
            Format::Gauntlet => (1..count).map(|other| [0, other]).collect(),
            Format::RoundRobin => {
                (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b])).collect()
            }
        }
    }

    /// How many games there are in all.
    #[must_use]
    pub fn games(&self) -> usize {
        self.pairs * self.meetings().len() * 2
    }

    /// The engines of a pair.
    #[must_use]
    pub fn engines_of(&self, pair: usize) -> [usize; 2] {
        let meetings = self.meetings();
        meetings[pair % meetings.len()]
    }

    /// The engines that have South and North in a game.
    #[must_use]
    pub fn seats_of(&self, number: GameNumber) -> [usize; 2] {
        let [first, second] = self.engines_of(number.pair);
        if number.swapped { [second, first] } else { [first, second] }
    }

    /// The number of the opening of a pair. All meetings of a round have the same one.
    #[must_use]
    pub fn opening_of(&self, pair: usize) -> usize {
        pair / self.meetings().len()
    }

    /// Everything that decides the games, one thing a line; how many pairs there are is left out,
    /// for more of them do not change those before.
    #[must_use]
    pub fn identity(&self) -> String {
        let mut text = format!(
            "event {}\nrules {}\nformat {}\nopenings {}\nadjudication {}\n",
            self.event.escape_debug(),
            self.rules.id(),
            self.format,
            self.openings,
            self.rulings
        );
        if let Some(sprt) = &self.sprt {
            text += &format!("sprt {sprt}\n");
        }
        for engine in &self.engines {
            text += &format!("engine {}\n", engine.to_string().replace('\n', "\\n"));
        }
        text
    }
}

/// The side that an engine has in a game, given the engines that have South and North.
pub(super) fn side_of(seats: [usize; 2], engine: usize) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| seats[side.index()] == engine)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(names: &[&str], format: Format) -> Plan {
        let engine = |name: &&str| EngineSpec::read(&format!("name={name},nodes=1"), "").unwrap();
        Plan {
            event: "test".into(),
            rules: Rules::ABAPA,
            engines: names.iter().map(engine).collect(),
            format,
            openings: Openings::Random(Default::default()),
            pairs: 3,
            rulings: Rulings::default(),
            sprt: None,
        }
    }

    #[test]
    fn sides_are_swapped_and_openings_shared() {
        let plan = plan(&["a", "b", "c"], Format::RoundRobin);
        assert_eq!(plan.meetings(), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(plan.games(), 18);
        let seats: Vec<_> = (0..6).map(|index| plan.seats_of(GameNumber::at(index))).collect();
        assert_eq!(seats, [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]);
        assert_eq!(
            (0..7).map(|pair| plan.opening_of(pair)).collect::<Vec<_>>(),
            [0, 0, 0, 1, 1, 1, 2]
        );
        assert_eq!(side_of([2, 1], 1), Some(Side::North));
    }

    #[test]
    fn the_first_meets_all_others() {
        let plan = plan(&["a", "b", "c"], Format::Gauntlet);
        assert_eq!(plan.meetings(), [[0, 1], [0, 2]]);
    }

    #[test]
    fn numbers_are_written_and_read() {
        for index in [0, 1, 2, 23] {
            let number = GameNumber::at(index);
            assert_eq!((number.index(), number.to_string().parse()), (index, Ok(number)));
        }
        for wrong in ["", "1", "0.1", "1.3", "x.1", "99999999999999999999.1"] {
            assert!(wrong.parse::<GameNumber>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn plans_that_cannot_be_played_are_refused() {
        let why = |plan: &Plan| plan.check().unwrap_err().to_string();
        assert!(why(&plan(&["a"], Format::RoundRobin)).contains("two engines"));
        assert!(why(&plan(&["a", "a"], Format::RoundRobin)).contains("the name a"));
        let mut few = plan(&["a", "b"], Format::RoundRobin);
        assert_eq!(few.check(), Ok(()));
        few.openings = Openings::read("F\nA", Rules::ABAPA, None).unwrap();
        assert!(why(&few).contains("there are 2"));
        few.pairs = 0;
        assert!(why(&few).contains("1 or more"));
    }
}
