//! Rules as text: reading, canonical ids, and the identity that tables carry.
//!
//! A text is a preset, or fields, or a preset and fields: `abapa`, `awari,loop_split=own_rows`,
//! `repetition=2,play_on=yes`. The canonical id is the preset with equal fields, else `abapa`
//! and the differing fields in the order of [`FIELDS`].

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

use crate::{Feeding, GrandSlam, LoopSplit, PRESETS, Repetition, Rules, Stuck};

/// The fields in canonical order.
const FIELDS: [&str; 7] =
    ["grand_slam", "feeding", "stuck", "loop_split", "repetition", "capture_free_limit", "play_on"];

/// Names used by the reference test data, for presets with `repetition=2`.
const ALIASES: [(&str, &str); 6] = [
    ("no_capture", "abapa"),
    ("illegal", "slam-illegal"),
    ("opponent_takes_rest", "slam-opponent-takes-rest"),
    ("keep_last", "slam-keep-last"),
    ("keep_first", "slam-keep-first"),
    ("allowed", "slam-captures"),
];

/// Families of rules that are refused by name, never approximated.
const REFUSED: [(&str, &str); 9] = [
    ("ouril", "Ouril's singleton rule"),
    ("ouri", "Ouril's singleton rule"),
    ("shared", "a grand slam that is shared"),
    ("kalah", "Kalah, another game"),
    ("kalaha", "Kalah, another game"),
    ("mancala", "the name of a family of games"),
    ("songo", "Songo, another game"),
    ("multi-lap", "sowing in several laps"),
    ("anan-anan", "captures of four"),
];

macro_rules! names {
    ($type:ident { $($variant:ident = $name:literal),+ $(,)? }) => {
        impl $type {
            /// Every value, in the order of the rules page.
            pub const ALL: &'static [$type] = &[$($type::$variant),+];

            /// The name of the value, as rules texts write it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($type::$variant => $name),+ }
            }

            fn named(text: &str) -> Option<$type> {
                $type::ALL.iter().copied().find(|value| value.name() == text)
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

names!(GrandSlam {
    NoCapture = "no_capture",
    Illegal = "illegal",
    OpponentTakesRest = "opponent_takes_rest",
    KeepLast = "keep_last",
    KeepFirst = "keep_first",
    Captures = "captures",
});
names!(Feeding { WhenEmpty = "when_empty", LeaveASeed = "leave_a_seed" });
names!(Stuck { OwnRows = "own_rows", OpponentTakesAll = "opponent_takes_all" });
names!(LoopSplit { OwnRows = "own_rows", Even = "even" });

/// A text that does not name rules we play.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RulesError {
    /// Nothing at all was given.
    Empty,
    /// A name that is no preset.
    UnknownPreset(String),
    /// A name of rules that are known but not played here; with what they are.
    Refused(String, &'static str),
    /// A field that does not exist.
    UnknownField(String),
    /// A field given twice.
    Repeated(&'static str),
    /// A preset name behind the first place.
    PresetNotFirst(String),
    /// A value the field does not have.
    BadValue {
        /// The field.
        field: &'static str,
        /// What was given.
        value: String,
    },
}

/// The values a field takes, in words for messages.
fn expected(field: &str) -> String {
    fn list<T: Copy>(all: &[T], name: fn(T) -> &'static str) -> String {
        all.iter().map(|&value| name(value)).collect::<Vec<_>>().join(", ")
    }
    match field {
        "grand_slam" => list(GrandSlam::ALL, GrandSlam::name),
        "feeding" => list(Feeding::ALL, Feeding::name),
        "stuck" => list(Stuck::ALL, Stuck::name),
        "loop_split" => list(LoopSplit::ALL, LoopSplit::name),
        "repetition" => "off or a number from 2 to 65535".into(),
        "capture_free_limit" => "off or a number from 1 to 65535".into(),
        _ => "yes or no".into(),
    }
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let presets = || PRESETS.map(|preset| preset.name).join(", ");
        match self {
            RulesError::Empty => write!(f, "empty rules, expected one of {}", presets()),
            RulesError::UnknownPreset(name) => {
                write!(f, "unknown rules {name:?}, expected one of {}", presets())
            }
            RulesError::Refused(name, what) => {
                write!(
                    f,
                    "rules {name:?} are not supported ({what}), expected one of {}",
                    presets()
                )
            }
            RulesError::UnknownField(name) => {
                write!(f, "unknown rules field {name:?}, expected one of {}", FIELDS.join(", "))
            }
            RulesError::Repeated(field) => write!(f, "rules field {field} is given twice"),
            RulesError::PresetNotFirst(name) => {
                write!(f, "{name:?} is not field=value; a preset can only stand first")
            }
            RulesError::BadValue { field, value } => {
                write!(f, "rules field {field} cannot be {value:?}, expected {}", expected(field))
            }
        }
    }
}

impl std::error::Error for RulesError {}

/// At most this much of a bad text is repeated in an error.
fn shown(text: &str) -> String {
    const MOST: usize = 40;
    let mut cut: String = text.chars().take(MOST).collect();
    if text.chars().nth(MOST).is_some() {
        cut.push('…');
    }
    cut
}

fn off_or<T>(value: &str, read: impl Fn(u16) -> Option<T>) -> Option<Option<T>> {
    if value == "off" {
        return Some(None);
    }
    if !value.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    value.parse().ok().and_then(read).map(Some)
}

impl Rules {
    /// Sets one field from text.
    fn set(&mut self, field: &str, value: &str) -> Option<()> {
        match field {
            "grand_slam" => self.grand_slam = GrandSlam::named(value)?,
            "feeding" => self.feeding = Feeding::named(value)?,
            "stuck" => self.stuck = Stuck::named(value)?,
            "loop_split" => self.loop_split = LoopSplit::named(value)?,
            "repetition" => self.repetition = off_or(value, Repetition::new)?,
            "capture_free_limit" => self.capture_free_limit = off_or(value, NonZeroU16::new)?,
            _ => {
                self.play_on = match value {
                    "yes" => true,
                    "no" => false,
                    _ => return None,
                }
            }
        }
        Some(())
    }

    /// One field as text.
    fn get(&self, field: &str) -> String {
        let off = || "off".to_owned();
        match field {
            "grand_slam" => self.grand_slam.name().into(),
            "feeding" => self.feeding.name().into(),
            "stuck" => self.stuck.name().into(),
            "loop_split" => self.loop_split.name().into(),
            "repetition" => self.repetition.map_or_else(off, |n| n.get().to_string()),
            "capture_free_limit" => self.capture_free_limit.map_or_else(off, |n| n.to_string()),
            _ => if self.play_on { "yes" } else { "no" }.into(),
        }
    }

    /// Every field with its value, in canonical order.
    #[must_use]
    pub fn fields(&self) -> [(&'static str, String); FIELDS.len()] {
        FIELDS.map(|field| (field, self.get(field)))
    }

    /// The rules id: what stands in records, protocols and analyses. Reading it gives the same
    /// rules again, and equal rules have equal ids.
    #[must_use]
    pub fn id(&self) -> String {
        if let Some(preset) = PRESETS.iter().find(|preset| preset.rules == *self) {
            return preset.name.into();
        }
        let base = Rules::ABAPA;
        FIELDS.iter().fold(String::from("abapa"), |mut id, field| {
            if self.get(field) != base.get(field) {
                id += &format!(",{field}={}", self.get(field));
            }
            id
        })
    }

    /// The identity of tables: what decides the value of a board under best play.
    #[must_use]
    pub const fn table_rules(&self) -> TableRules {
        TableRules { grand_slam: self.grand_slam, feeding: self.feeding, stuck: self.stuck }
    }
}

impl fmt::Display for Rules {
    /// The [rules id](Rules::id).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id())
    }
}

fn named(name: &str) -> Result<Rules, RulesError> {
    if let Some(preset) = PRESETS.iter().find(|preset| preset.name == name) {
        return Ok(preset.rules);
    }
    if let Some((_, preset)) = ALIASES.iter().find(|(alias, _)| *alias == name) {
        return Ok(Rules { repetition: Repetition::new(2), ..named(preset)? });
    }
    match REFUSED.iter().find(|(refused, _)| *refused == name.to_lowercase()) {
        Some((_, what)) => Err(RulesError::Refused(shown(name), what)),
        None => Err(RulesError::UnknownPreset(shown(name))),
    }
}

impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Rules, RulesError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(RulesError::Empty);
        }
        let mut rules = Rules::ABAPA;
        let mut seen = [false; FIELDS.len()];
        for (place, part) in text.split(',').map(str::trim).enumerate() {
            let Some((field, value)) = part.split_once('=') else {
                if place > 0 {
                    return Err(RulesError::PresetNotFirst(shown(part)));
                }
                rules = named(part)?;
                continue;
            };
            let (field, value) = (field.trim(), value.trim());
            let Some(index) = FIELDS.iter().position(|known| *known == field) else {
                return Err(RulesError::UnknownField(shown(field)));
            };
            if std::mem::replace(&mut seen[index], true) {
                return Err(RulesError::Repeated(FIELDS[index]));
            }
            if rules.set(field, value).is_none() {
                return Err(RulesError::BadValue { field: FIELDS[index], value: shown(value) });
            }
        }
        Ok(rules)
    }
}

/// The part of the rules that decides values, and so the identity that tables carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableRules {
    /// What a grand slam does.
    pub grand_slam: GrandSlam,
    /// What is owed to a player without seeds.
    pub feeding: Feeding,
    /// Who takes what is left when nobody can move on.
    pub stuck: Stuck,
}

impl TableRules {
    /// The 64-bit FNV-1a hash of the text (Fowler, Noll, Vo).
    #[must_use]
    pub fn hash64(&self) -> u64 {
        self.to_string().bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }
}

impl fmt::Display for TableRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "grand_slam={};feeding={};stuck={}", self.grand_slam, self.feeding, self.stuck)
    }
}
