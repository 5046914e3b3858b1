//! How games end: the reason, the final scores, the winner.

use std::fmt;
use std::str::FromStr;

use crate::Side;

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// A grand slam under `opponent_takes_rest` handed out the rest.
    GrandSlamRest,
    /// A store holds 25 or more.
    Majority,
    /// 24 seeds each.
    Even,
    /// The player to move has no legal move.
    NoMove,
    /// The same position came back as often as the rules allow.
    Repetition,
    /// As many plies without a capture as the rules allow.
    CaptureFreeLimit,
    /// Both players agreed that play goes round in a loop.
    LoopAgreed,
    /// Both players agreed on a draw.
    DrawAgreed,
    /// A player resigned.
    Resignation,
    /// A player ran out of time.
    Time,
    /// A player left.
    Abandonment,
    /// Somebody else decided.
    Adjudication,
}

impl Reason {
    /// Every reason, in the order in which the rules look at them.
    pub const ALL: [Reason; 12] = [
        Reason::GrandSlamRest,
        Reason::Majority,
        Reason::Even,
        Reason::NoMove,
        Reason::Repetition,
        Reason::CaptureFreeLimit,
        Reason::LoopAgreed,
        Reason::DrawAgreed,
        Reason::Resignation,
        Reason::Time,
        Reason::Abandonment,
        Reason::Adjudication,
    ];

    /// The name in records and protocols, such as `no_move`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Reason::GrandSlamRest => "grand_slam_rest",
            Reason::Majority => "majority",
            Reason::Even => "even",
            Reason::NoMove => "no_move",
            Reason::Repetition => "repetition",
            Reason::CaptureFreeLimit => "capture_free_limit",
            Reason::LoopAgreed => "loop_agreed",
            Reason::DrawAgreed => "draw_agreed",
            Reason::Resignation => "resignation",
            Reason::Time => "time",
            Reason::Abandonment => "abandonment",
            Reason::Adjudication => "adjudication",
        }
    }

    /// Whether the rules alone end the game for this reason. All others need a decision of
    /// people and cannot be seen from the moves.
    #[must_use]
    pub const fn follows_from_moves(self) -> bool {
        (self as u8) <= (Reason::CaptureFreeLimit as u8)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Reason {
    /// What was expected.
    type Err = String;

    fn from_str(text: &str) -> Result<Reason, String> {
        Reason::ALL
            .into_iter()
            .find(|reason| reason.name() == text)
            .ok_or_else(|| format!("expected one of {}", Reason::ALL.map(Reason::name).join(", ")))
    }
}

/// A number of half seeds: 47 is 23.5 seeds. Only final scores can hold halves, where an odd
/// number of seeds is split evenly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HalfSeeds(pub u16);

impl HalfSeeds {
    /// Whole seeds.
    #[must_use]
    pub const fn whole(seeds: u8) -> HalfSeeds {
        HalfSeeds(seeds as u16 * 2)
    }

    /// The number of half seeds.
    #[must_use]
    pub const fn halves(self) -> u16 {
        self.0
    }

    /// Seeds as a fraction, exact: 23.5 for 47.
    #[must_use]
    pub fn seeds(self) -> f64 {
        f64::from(self.0) / 2.0
    }
}

impl fmt::Display for HalfSeeds {
    /// `23` or `23.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0 / 2, if self.0 % 2 == 1 { ".5" } else { "" })
    }
}

impl FromStr for HalfSeeds {
    /// What was expected.
    type Err = &'static str;

    fn from_str(text: &str) -> Result<HalfSeeds, &'static str> {
        const EXPECTED: &str = "expected a number of seeds from 0 to 48, such as 23 or 23.5";
        let (whole, half) = match text.strip_suffix(".5") {
            Some(whole) => (whole, 1),
            None => (text, 0),
        };
        if whole.is_empty() || whole.len() > 2 || !whole.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(EXPECTED);
        }
        let halves = whole.parse::<u16>().map_err(|_| EXPECTED)? * 2 + half;
        if halves > 96 { Err(EXPECTED) } else { Ok(HalfSeeds(halves)) }
    }
}

/// The stores when a game is over, after any sharing out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FinalScore {
    /// South's store.
    pub south: HalfSeeds,
    /// North's store.
    pub north: HalfSeeds,
}

impl FinalScore {
    /// Whole seeds, South's first.
    #[must_use]
    pub const fn whole(stores: [u8; 2]) -> FinalScore {
        FinalScore { south: HalfSeeds::whole(stores[0]), north: HalfSeeds::whole(stores[1]) }
    }

    /// One player's store.
    #[must_use]
    pub const fn of(self, side: Side) -> HalfSeeds {
        match side {
            Side::South => self.south,
            Side::North => self.north,
        }
    }

    /// Who has more; `None` for a draw.
    #[must_use]
    pub fn winner(self) -> Option<Side> {
        match self.south.cmp(&self.north) {
            std::cmp::Ordering::Greater => Some(Side::South),
            std::cmp::Ordering::Less => Some(Side::North),
            std::cmp::Ordering::Equal => None,
        }
    }
}

impl fmt::Display for FinalScore {
    /// South's store, a hyphen, North's: `25-18`, `23.5-24.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.south, self.north)
    }
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ending {
    /// Why it is over.
    pub reason: Reason,
    /// The stores, after any sharing out.
    pub score: FinalScore,
    /// Who won; `None` for a draw. Follows from the score but where people ended the game.
    pub winner: Option<Side>,
}

impl Ending {
    /// An end that is decided by the score.
    #[must_use]
    pub fn by_score(reason: Reason, score: FinalScore) -> Ending {
        Ending { reason, score, winner: score.winner() }
    }
}
