//! The options of the engine: what can be set, to what, and how that is told.

use std::fmt;
use std::path::PathBuf;

use oware_rules::Rules;
use oware_search::{MOST_HASH_MIB, MOST_THREADS, Options};
use oware_tables::TileCache;

use super::{go, shown};

/// Everything that `setoption` can set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `Hash`: the transposition table, in MiB.
    pub hash_mib: u64,
    /// `Threads` of a search.
    pub threads: u64,
    /// `MultiPV`: how many of the best moves are told with a line of their own.
    pub lines: u64,
    /// `Ponder`: whether `bestmove` names the reply to ponder on.
    pub ponder: bool,
    /// `OwnBook`: whether the opening book is played from.
    pub own_book: bool,
    /// `UseLeaves`: whether endgame tables are held in memory for the leaves of the search.
    pub use_leaves: bool,
    /// `UseCache`: whether a search profits from earlier ones. Without, the transposition table
    /// has 1 MiB and is cleared before each search.
    pub use_cache: bool,
    /// `DrawSearch`: whether the move nearest to a draw is played, not the best.
    pub draw_search: bool,
    /// `NoiseLevel`: hundredths of a seed that a move may be worse than the best and still be
    /// played.
    pub noise_level: u64,
    /// `Seed`: what the choice among such moves is drawn from.
    pub seed: u64,
    /// `MoveOverhead`: milliseconds of each move that are left to the way it takes.
    pub move_overhead: u64,
    /// `Check`: whether nothing is cut off in the search but by alpha and beta.
    pub check: bool,
    /// `Rules` of the games.
    pub rules: Rules,
    /// `TablesPath`: where endgame tables are; `None` for no tables.
    pub tables_path: Option<PathBuf>,
    /// `TablesSeeds`: the highest layer that is held in memory.
    pub tables_seeds: u64,
    /// `TablesCache`: memory for decoded tiles, in MiB.
    pub tables_cache_mib: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hash_mib: 16,
            threads: 1,
            lines: 1,
            ponder: true,
            own_book: true,
            use_leaves: true,
            use_cache: true,
            draw_search: false,
            noise_level: 0,
            seed: 0,
            move_overhead: 10,
            check: false,
            rules: Rules::ABAPA,
            tables_path: None,
            tables_seeds: 14,
            tables_cache_mib: TileCache::DEFAULT >> 20,
        }
    }
}

/// What has to be done after an option was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The worker has to know.
    Setting,
    /// Other rules: a new game begins.
    Rules,
    /// The transposition table is to be cleared.
    ClearHash,
}

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingError(String);

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SettingError {}

/// What kind of value an option has, and where it is.
enum Kind {
    Check(fn(&mut Settings) -> &mut bool),
    Spin(fn(&mut Settings) -> &mut u64, u64, u64),
    Rules,
    TablesPath,
    ClearHash,
}

/// The options, in the order in which they are told.
const OPTIONS: [(&str, Kind); 17] = [
    ("Hash", Kind::Spin(|s| &mut s.hash_mib, 1, MOST_HASH_MIB as u64)),
    ("Clear Hash", Kind::ClearHash),
    ("Threads", Kind::Spin(|s| &mut s.threads, 1, MOST_THREADS as u64)),
    ("MultiPV", Kind::Spin(|s| &mut s.lines, 1, 6)),
    ("Ponder", Kind::Check(|s| &mut s.ponder)),
    (OWN_BOOK, Kind::Check(|s| &mut s.own_book)),
    ("UseLeaves", Kind::Check(|s| &mut s.use_leaves)),
    ("UseCache", Kind::Check(|s| &mut s.use_cache)),
    ("DrawSearch", Kind::Check(|s| &mut s.draw_search)),
    ("NoiseLevel", Kind::Spin(|s| &mut s.noise_level, 0, 1000)),
    ("Seed", Kind::Spin(|s| &mut s.seed, 0, u32::MAX as u64)),
    ("MoveOverhead", Kind::Spin(|s| &mut s.move_overhead, 0, 5000)),
    ("Check", Kind::Check(|s| &mut s.check)),
    ("Rules", Kind::Rules),
    ("TablesPath", Kind::TablesPath),
    ("TablesSeeds", Kind::Spin(|s| &mut s.tables_seeds, 0, 28)),
    ("TablesCache", Kind::Spin(|s| &mut s.tables_cache_mib, 0, MOST_HASH_MIB as u64)),
];

const OWN_BOOK: &str = "OwnBook";

/// How an empty text is written.
const EMPTY: &str = "<empty>";

impl Settings {
    /// Sets an option. Names may be in capitals or not. On an error nothing is changed.
    ///
    /// # Errors
    /// [`SettingError`] with the option and what was expected.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, SettingError> {
        if name.eq_ignore_ascii_case("EngineTurn") {
            let why = "EngineTurn has no effect here: the engine plays the side to move";
            return Err(SettingError(why.to_owned()));
        }
        let option = OPTIONS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let Some((name, kind)) = option else {
            return Err(SettingError(format!("unknown option {}", shown(name))));
        };
        let fault = |why: &str| {
            let found = value.map_or_else(|| "missing".to_owned(), shown);
            SettingError(format!("option {name} is {found}, expected {why}"))
        };
        match kind {
            Kind::Check(place) => {
                *place(self) = match value {
                    Some(text) if text.eq_ignore_ascii_case("true") => true,
                    Some(text) if text.eq_ignore_ascii_case("false") => false,
                    _ => return Err(fault("true or false")),
                };
            }
            Kind::Spin(place, least, most) => {
                let number = go::read(&format!("option {name}"), value, *least..=*most);
                *place(self) = number.map_err(SettingError)?;
            }
            Kind::Rules => {
                let text = value.ok_or_else(|| fault("rules such as abapa"))?;
                let rules: Rules = text
                    .parse()
                    .map_err(|error| SettingError(format!("option {name}: {error}")))?;
                if rules == self.rules {
                    return Ok(Change::Setting);
                }
                self.rules = rules;
                return Ok(Change::Rules);
            }
            Kind::TablesPath => {
                let text = value.ok_or_else(|| fault("a directory, or <empty> for none"))?;
                let none = text.is_empty() || text == EMPTY;
                self.tables_path = (!none).then(|| PathBuf::from(text));
            }
            Kind::ClearHash => return Ok(Change::ClearHash),
        }
        Ok(Change::Setting)
    }

    /// The lines that say what can be set, with the present values as defaults. `OwnBook` is
    /// left out where there is no book.
    pub(super) fn told(&self, has_book: bool) -> Vec<String> {
        let mut settings = self.clone();
        let offered = OPTIONS.iter().filter(|(name, _)| has_book || *name != OWN_BOOK);
        offered
            .map(|(name, kind)| {
                let kind = match kind {
                    Kind::Check(place) => format!("check default {}", place(&mut settings)),
                    Kind::Spin(place, least, most) => {
                        format!("spin default {} min {least} max {most}", place(&mut settings))
                    }
                    Kind::Rules => format!("string default {}", self.rules.id()),
                    Kind::TablesPath => {
                        let path = self.tables_path.as_ref();
                        let text = path.map_or(EMPTY.into(), |path| path.to_string_lossy());
                        format!("string default {text}")
                    }
                    Kind::ClearHash => "button".to_owned(),
                };
                format!("option name {name} type {kind}")
            })
            .collect()
    }

    /// The engine's options; those that the protocol does not know stay as they are.
    pub(super) fn options(&self, present: Options) -> Options {
        let mut options = present;
        options.hash_mib = if self.use_cache { self.hash_mib as usize } else { 1 };
        options.threads = self.threads as usize;
        options.check = self.check;
        options
    }

    /// Whether endgame tables have to be opened again where these settings follow others.
    pub(super) fn has_other_tables(&self, before: &Settings) -> bool {
        let tables = |settings: &Settings| {
            let Settings { rules, use_leaves, tables_seeds, tables_cache_mib, .. } = *settings;
            (rules, use_leaves, tables_seeds, tables_cache_mib)
        };
        self.tables_path != before.tables_path || tables(self) != tables(before)
    }

    /// Whether the move that is played need not be the best.
    pub(super) fn chooses(&self) -> bool {
        self.draw_search || self.noise_level > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_can_be_set_to_what_is_told_of_it() {
        for line in Settings::default().told(true) {
            let (name, rest) = line["option name ".len()..].split_once(" type ").unwrap();
            let value = rest.split_once(" default ").map(|(_, rest)| {
                rest.split_once(" min ").map_or(rest, |(value, _)| value).to_owned()
            });
            let mut settings = Settings::default();
            settings.set(&name.to_uppercase(), value.as_deref()).unwrap();
            assert_eq!(settings, Settings::default(), "{line}");
        }
        assert!(!Settings::default().told(false).iter().any(|line| line.contains(OWN_BOOK)));
    }

    #[test]
    fn faults_name_the_option_and_the_range() {
        let mut settings = Settings::default();
        for (name, value, part) in [
            ("hash", Some("0"), "option Hash is \"0\", expected a whole number from 1 to 65536"),
            ("Threads", Some("257"), "from 1 to 256"),
            ("TablesCache", Some("64M"), "option TablesCache is \"64M\", expected a whole number"),
            ("MultiPV", None, "option MultiPV is missing"),
            ("Ponder", Some("yes"), "option Ponder is \"yes\", expected true or false"),
            ("Rules", Some("kalah"), "option Rules: "),
            ("Rules", None, "expected rules"),
            ("TablesPath", None, "expected a directory"),
            ("Frob", Some("1"), "unknown option \"Frob\""),
            ("EngineTurn", Some("south"), "no effect"),
        ] {
            let error = settings.set(name, value).unwrap_err().to_string();
            assert!(error.contains(part), "{name}: {error}");
        }
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn other_rules_are_a_change() {
        let mut settings = Settings::default();
        assert_eq!(settings.set("Rules", Some("awari")), Ok(Change::Rules));
        assert_eq!(settings.set("Rules", Some("awari")), Ok(Change::Setting));
        assert!(settings.has_other_tables(&Settings::default()));
        assert_eq!(settings.set("TablesPath", Some("a b")), Ok(Change::Setting));
        assert_eq!(settings.tables_path, Some(PathBuf::from("a b")));
        settings.set("tablespath", Some("<empty>")).unwrap();
        assert_eq!(settings.tables_path, None);
    }
}
