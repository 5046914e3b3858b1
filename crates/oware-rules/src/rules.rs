//! Which game is played: independent fields, and the presets that have names.

use std::num::NonZeroU16;

/// What a grand slam does: a move whose capture chain would take every seed of the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GrandSlam {
    /// Legal, captures nothing.
    NoCapture,
    /// Not a legal move.
    Illegal,
    /// Captures; every seed left on the board goes to the opponent; the game ends.
    OpponentTakesRest,
    /// Captures all of the chain but the house where the last seed fell.
    KeepLast,
    /// Captures all of the chain but its far end, the first house of it in sowing order.
    KeepFirst,
    /// Captures everything.
    Captures,
}

/// What a player owes an opponent who has no seeds in his row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feeding {
    /// If the opponent's row is empty before the move, only moves that sow there are legal.
    WhenEmpty,
    /// A move must leave the opponent a seed after sowing and capturing, if any move does.
    LeaveASeed,
}

/// Who takes what is left when the player to move has no legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stuck {
    /// Each player takes the seeds in his own row.
    OwnRows,
    /// All seeds left go to the player who is not to move.
    OpponentTakesAll,
}

/// How the seeds are shared when play goes round in a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LoopSplit {
    /// Each player takes the seeds in his own row.
    OwnRows,
    /// Evenly; an odd number gives half seeds.
    Even,
}

/// How often a position must occur for the game to end as a loop: 2 or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Repetition(u16);

impl Repetition {
    /// `None` for 0 and 1, which would end every game at once.
    #[must_use]
    pub const fn new(times: u16) -> Option<Repetition> {
        if times >= 2 { Some(Repetition(times)) } else { None }
    }

    /// The count, 2 or more.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }
}

/// After how many plies without a capture the game is settled as a loop: 1 or more.
pub type CaptureFreeLimit = NonZeroU16;

/// The rules of one game. Each field stands by itself; any combination can be played.
///
/// The first three are the *table rules*: they alone decide the value of a board under best
/// play. See [`Rules::table_rules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// What a grand slam does.
    pub grand_slam: GrandSlam,
    /// What is owed to a player without seeds.
    pub feeding: Feeding,
    /// Who takes what is left when nobody can move on.
    pub stuck: Stuck,
    /// How a loop is shared.
    pub loop_split: LoopSplit,
    /// At which occurrence of a position the game ends by itself, if at any.
    pub repetition: Option<Repetition>,
    /// After how many plies without capture the game ends by itself, if at any.
    pub capture_free_limit: Option<CaptureFreeLimit>,
    /// Whether play goes on to the last seed, past 25.
    pub play_on: bool,
}

impl Rules {
    /// Tournament play, and the default.
    pub const ABAPA: Rules = Rules {
        grand_slam: GrandSlam::NoCapture,
        feeding: Feeding::WhenEmpty,
        stuck: Stuck::OwnRows,
        loop_split: LoopSplit::OwnRows,
        repetition: Some(Repetition(3)),
        capture_free_limit: None,
        play_on: false,
    };

    /// Abapa as research systems and engines play it: over at the first repetition.
    pub const ABAPA_FIRST_REPETITION: Rules =
        Rules { repetition: Some(Repetition(2)), ..Rules::ABAPA };

    /// Awari, the game solved in 2002 (Romein and Bal).
    pub const AWARI: Rules = Rules {
        grand_slam: GrandSlam::Captures,
        feeding: Feeding::LeaveASeed,
        stuck: Stuck::OpponentTakesAll,
        loop_split: LoopSplit::Even,
        repetition: Some(Repetition(2)),
        ..Rules::ABAPA
    };

    const fn slam(grand_slam: GrandSlam) -> Rules {
        Rules { grand_slam, ..Rules::ABAPA }
    }
}

/// A named set of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name, as in `--rules`.
    pub name: &'static str,
    /// The rules it stands for.
    pub rules: Rules,
    /// What it is used for, in a few words.
    pub summary: &'static str,
}

/// Every preset. The first is the default.
pub const PRESETS: [Preset; 8] = [
    Preset {
        name: "abapa",
        rules: Rules::ABAPA,
        summary: "tournament play: a grand slam is legal and captures nothing",
    },
    Preset {
        name: "abapa-first-repetition",
        rules: Rules::ABAPA_FIRST_REPETITION,
        summary: "abapa that ends at the first repetition, as research systems and engines play it",
    },
    Preset {
        name: "slam-illegal",
        rules: Rules::slam(GrandSlam::Illegal),
        summary: "a grand slam is not a legal move",
    },
    Preset {
        name: "slam-opponent-takes-rest",
        rules: Rules::slam(GrandSlam::OpponentTakesRest),
        summary: "a grand slam captures, and the opponent takes everything left on the board",
    },
    Preset {
        name: "slam-keep-last",
        rules: Rules::slam(GrandSlam::KeepLast),
        summary: "a grand slam leaves the house where the last seed fell",
    },
    Preset {
        name: "slam-keep-first",
        rules: Rules::slam(GrandSlam::KeepFirst),
        summary: "a grand slam leaves the first house of the chain",
    },
    Preset {
        name: "slam-captures",
        rules: Rules::slam(GrandSlam::Captures),
        summary: "a grand slam captures everything and may end the game",
    },
    Preset {
        name: "awari",
        rules: Rules::AWARI,
        summary: "the game solved in 2002: leave the opponent a seed, loops are shared evenly",
    },
];

impl Default for Rules {
    /// [`Rules::ABAPA`].
    fn default() -> Rules {
        Rules::ABAPA
    }
}
