//! The seven fields of the rules, the presets and the two identities.

use std::fmt;

/// Defines an enum of the values of one field, with the names the rules page gives them.
macro_rules! field_values {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $value:ident = $text:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$doc])* $value,)+
        }

        impl $name {
            /// Every value of the field, in the order of the rules page.
            pub const ALL: &'static [Self] = &[$(Self::$value,)+];

            /// The name of the value in identities and table rules.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $text,)+
                }
            }

            /// The value of that name, if there is one.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.name() == name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

field_values! {
    /// What a move does whose capture chain would take every seed on the opponent's row.
    OracleGrandSlam {
        /// Legal, captures nothing.
        NoCapture = "no_capture",
        /// Not a legal move.
        Illegal = "illegal",
        /// Captures; every seed left on the board goes to the opponent; the game ends.
        OpponentTakesRest = "opponent_takes_rest",
        /// Captures all of the chain but the house where the last seed fell.
        KeepLast = "keep_last",
        /// Captures all of the chain but its far end, the first in sowing order.
        KeepFirst = "keep_first",
        /// Captures everything.
        Captures = "captures",
    }
}

field_values! {
    /// When a player must leave the opponent something to move with.
    OracleFeeding {
        /// If the opponent's row is empty before the move, only moves that sow there are legal.
        WhenEmpty = "when_empty",
        /// The opponent's row must hold a seed after the move, unless no move manages that.
        LeaveASeed = "leave_a_seed",
    }
}

field_values! {
    /// Who takes the seeds on the board when the player to move has no legal move.
    OracleStuck {
        /// Each player takes the seeds on his own side.
        OwnRows = "own_rows",
        /// The player who is not to move takes everything.
        OpponentTakesAll = "opponent_takes_all",
    }
}

field_values! {
    /// Who takes the seeds on the board when the game is settled as a loop.
    OracleLoopSplit {
        /// Each player takes the seeds on his own side.
        OwnRows = "own_rows",
        /// Each player takes half of them, half seeds included.
        Even = "even",
    }
}

/// The names of the eight presets, the default first.
pub const PRESET_NAMES: [&str; 8] = [
    "abapa",
    "abapa-first-repetition",
    "slam-illegal",
    "slam-opponent-takes-rest",
    "slam-keep-last",
    "slam-keep-first",
    "slam-captures",
    "awari",
];

/// The names which the reference cases give to the rules; `awari` is a preset as well.
pub const CASE_NAMES: [&str; 7] =
    ["no_capture", "illegal", "opponent_takes_rest", "keep_last", "keep_first", "allowed", "awari"];

/// One set of rules: a value for each of the seven fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OracleRules {
    /// What a grand slam does.
    pub grand_slam: OracleGrandSlam,
    /// When the opponent must be left something to move with.
    pub feeding: OracleFeeding,
    /// Who takes the rest when there is no legal move.
    pub stuck: OracleStuck,
    /// Who takes the rest when the game is settled as a loop.
    pub loop_split: OracleLoopSplit,
    /// The occurrence of a position, 2 or more, that ends the game; `None` is `off`.
    pub repetition: Option<u32>,
    /// The number of plies without a capture, 1 or more, that ends the game; `None` is `off`.
    pub capture_free_limit: Option<u32>,
    /// Whether play goes on to the last seed after 25 or 24-24.
    pub play_on: bool,
}

impl Default for OracleRules {
    fn default() -> Self {
        Self {
            grand_slam: OracleGrandSlam::NoCapture,
            feeding: OracleFeeding::WhenEmpty,
            stuck: OracleStuck::OwnRows,
            loop_split: OracleLoopSplit::OwnRows,
            repetition: Some(3),
            capture_free_limit: None,
            play_on: false,
        }
    }
}

impl OracleRules {
    /// The rules of a preset ([`PRESET_NAMES`]) or of a case name ([`CASE_NAMES`]).
    pub fn preset(name: &str) -> Option<Self> {
        use OracleGrandSlam as Slam;
        let slam = |grand_slam| Self { grand_slam, ..Self::default() };
        let twice = |grand_slam| Self { repetition: Some(2), ..slam(grand_slam) };
        let rules = match name {
            "abapa" => Self::default(),
            "abapa-first-repetition" | "no_capture" => twice(Slam::NoCapture),
            "slam-illegal" => slam(Slam::Illegal),
            "slam-opponent-takes-rest" => slam(Slam::OpponentTakesRest),
            "slam-keep-last" => slam(Slam::KeepLast),
            "slam-keep-first" => slam(Slam::KeepFirst),
            "slam-captures" => slam(Slam::Captures),
            "illegal" => twice(Slam::Illegal),
            "opponent_takes_rest" => twice(Slam::OpponentTakesRest),
            "keep_last" => twice(Slam::KeepLast),
            "keep_first" => twice(Slam::KeepFirst),
            "allowed" => twice(Slam::Captures),
            "awari" => Self {
                grand_slam: Slam::Captures,
                feeding: OracleFeeding::LeaveASeed,
                stuck: OracleStuck::OpponentTakesAll,
                loop_split: OracleLoopSplit::Even,
                repetition: Some(2),
                ..Self::default()
            },
            _ => return None,
        };
        Some(rules)
    }

    /// Reads an identity: a preset or case name, then any `field=value`, separated by commas.
    pub fn parse(id: &str) -> Option<Self> {
        let mut parts = id.split(',');
        let mut rules = Self::preset(parts.next()?)?;
        let mut seen = Vec::new();
        for part in parts {
            let (field, value) = part.split_once('=')?;
            if seen.contains(&field) {
                return None;
            }
            seen.push(field);
            match field {
                "grand_slam" => rules.grand_slam = OracleGrandSlam::from_name(value)?,
                "feeding" => rules.feeding = OracleFeeding::from_name(value)?,
                "stuck" => rules.stuck = OracleStuck::from_name(value)?,
                "loop_split" => rules.loop_split = OracleLoopSplit::from_name(value)?,
                "repetition" => rules.repetition = read_limit(value, 2)?,
                "capture_free_limit" => rules.capture_free_limit = read_limit(value, 1)?,
                "play_on" => {
                    rules.play_on = match value {
                        "yes" => true,
                        "no" => false,
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
        Some(rules)
    }

    /// The canonical rules id: the preset with equal fields, else `abapa` and what differs from it.
    pub fn canonical_id(&self) -> String {
        for name in PRESET_NAMES {
            if Self::preset(name) == Some(*self) {
                return name.to_owned();
            }
        }
        let mut id = "abapa".to_owned();
        for (mine, default) in self.fields().iter().zip(Self::default().fields()) {
            if *mine != default {
                id.push_str(&format!(",{}={}", mine.0, mine.1));
            }
        }
        id
    }

    /// The seven fields as name and value, in the order of the rules page.
    pub fn fields(&self) -> [(&'static str, String); 7] {
        [
            ("grand_slam", self.grand_slam.to_string()),
            ("feeding", self.feeding.to_string()),
            ("stuck", self.stuck.to_string()),
            ("loop_split", self.loop_split.to_string()),
            ("repetition", limit_text(self.repetition)),
            ("capture_free_limit", limit_text(self.capture_free_limit)),
            ("play_on", if self.play_on { "yes" } else { "no" }.to_owned()),
        ]
    }

    /// The text of the table rules: the fields that decide what stands in endgame tables.
    pub fn table_rules(&self) -> String {
        format!("grand_slam={};feeding={};stuck={}", self.grand_slam, self.feeding, self.stuck)
    }

    /// The 64-bit FNV-1a of [`Self::table_rules`].
    pub fn table_rules_fnv64(&self) -> u64 {
        fnv64(self.table_rules().as_bytes())
    }
}

impl fmt::Display for OracleRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.canonical_id())
    }
}

/// The 64-bit FNV-1a hash of some bytes.
pub fn fnv64(bytes: &[u8]) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in bytes {
        hash ^= u64::from(*byte);
        hash = hash.wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash
}

/// Reads `off` or a number of at least `least`; the outer `None` refuses the text.
fn read_limit(text: &str, least: u32) -> Option<Option<u32>> {
    if text == "off" {
        return Some(None);
    }
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: u32 = text.parse().ok()?;
    if number < least { None } else { Some(Some(number)) }
}

/// Writes what [`read_limit`] reads.
fn limit_text(limit: Option<u32>) -> String {
    match limit {
        Some(number) => number.to_string(),
        None => "off".to_owned(),
    }
}
