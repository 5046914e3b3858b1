//! The fast board: one byte a house, one 64-bit word a row.
//!
//! A table says for each house and number of seeds what a move adds to each row, so that sowing
//! is two additions whatever the number of seeds, and turning the board is a swap. Where the last
//! seed falls is looked at first; only if it captures, the houses with 2 or 3 are found, for the
//! whole row at once. Bytes hold all 48 seeds, so no house needs a guard. (What else was tried:
//! docs/measurements.)

use std::fmt;

use crate::row::{FLAGS, NOT_EMPTY, ONES, gather, total as row_total, two_or_three};
use crate::{
    BoardError, Feeding, GrandSlam, HOUSES, House, Move, MoveSet, ROW, Rules, SowingBoard, Sown,
    TOTAL_SEEDS,
};

/// Added to the mover's row, this flags the houses that reach the opponent: house i needs
/// 6 - i seeds.
const REACHES: u64 = 0x7f7e_7d7c_7b7a;

/// Twelve houses seen by the player to move; the fast [`SowingBoard`].
///
/// What is inside is private; [`SowingBoard::houses`] is the one stable form. The order of
/// boards is arbitrary but fixed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board {
    mover: u64,
    opponent: u64,
}

const _: () = assert!(size_of::<Board>() == 16);

/// What lifting a house with a number of seeds adds to the rows.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(crate) struct Sowing {
    /// Seeds sown in the mover's row, less those lifted (wrapping).
    pub(crate) mover: u64,
    /// Seeds sown in the opponent's row.
    pub(crate) opponent: u64,
    /// How far the opponent's row is shifted to have the house where the last seed falls lowest;
    /// past all his houses if it falls elsewhere.
    pub(crate) last: u64,
}

/// [`Sowing::last`] where the last seed does not fall in the opponent's row.
const NOWHERE: u64 = 56;

/// Powers of two, so that an index can be masked instead of checked.
const ORIGINS: usize = 8;
/// As [`ORIGINS`], above [`TOTAL_SEEDS`].
const NUMBERS: usize = 64;

/// By the house that is lifted and its number of seeds.
static SOWING: [[Sowing; NUMBERS]; ORIGINS] = sowing_table();

/// What lifting a house of the mover with this number of seeds does.
#[inline]
pub(crate) const fn sowing(origin: usize, seeds: u8) -> &'static Sowing {
    &SOWING[origin % ORIGINS][seeds as usize % NUMBERS]
}

const fn sowing_table() -> [[Sowing; NUMBERS]; ORIGINS] {
    let none = Sowing { mover: 0, opponent: 0, last: NOWHERE };
    let mut table = [[none; NUMBERS]; ORIGINS];
    let mut origin = 0;
    while origin < ROW {
        let mut seeds = 1;
        while seeds <= TOTAL_SEEDS as usize {
            let mut entry = none;
            let mut at = origin;
            let mut in_hand = seeds;
            while in_hand > 0 {
                at = (at + 1) % HOUSES;
                if at == origin {
                    continue;
                }
                in_hand -= 1;
                if at < ROW {
                    entry.mover += 1 << (8 * at);
                } else {
                    entry.opponent += 1 << (8 * (at - ROW));
                }
            }
            entry.mover = entry.mover.wrapping_sub((seeds as u64) << (8 * origin));
            if at >= ROW {
                entry.last = 8 * (at - ROW) as u64;
            }
            table[origin][seeds] = entry;
            seeds += 1;
        }
        origin += 1;
    }
    table
}

/// The bytes of the capture chain in a row: from the house `last` bits up downwards, while
/// houses hold 2 or 3. The first must.
#[inline]
pub(crate) const fn chain(row: u64, last: u32) -> u64 {
    let upto_last = (0x100 << last) - 1;
    let broken = !two_or_three(row) & FLAGS & upto_last;
    // All bits up to and including the highest flag that is missing.
    let below = if broken == 0 { 0 } else { u64::MAX >> broken.leading_zeros() };
    upto_last & !below
}

/// The bytes of the opponent's row that a grand slam leaves there. `chain` must not be empty.
#[cold]
pub(crate) fn kept_by_slam(chain: u64, slam: GrandSlam) -> u64 {
    match slam {
        GrandSlam::NoCapture | GrandSlam::Illegal => u64::MAX,
        GrandSlam::OpponentTakesRest | GrandSlam::Captures => 0,
        GrandSlam::KeepLast => 0xff << (chain.ilog2() & !7),
        GrandSlam::KeepFirst => 0xff << (chain.trailing_zeros() & !7),
    }
}

/// A board after sowing and before capturing.
struct SownRows {
    mover: u64,
    opponent: u64,
    /// As [`Sowing::last`].
    last: u32,
}

impl SownRows {
    #[inline]
    fn captures(&self) -> bool {
        (self.opponent >> self.last) as u8 & !1 == 2
    }

    /// The capture chain, if there is one.
    #[inline]
    fn chain(&self) -> u64 {
        chain(self.opponent, self.last)
    }
}

impl Board {
    /// A board of two rows, six bytes each, house 0 lowest.
    #[inline]
    pub(crate) const fn of_rows([mover, opponent]: [u64; 2]) -> Board {
        Board { mover, opponent }
    }

    /// The mover's row and the opponent's as words: byte i, from the lowest, holds the seeds of
    /// house i of the row; the two highest bytes are 0.
    #[inline]
    #[must_use]
    pub const fn rows(self) -> [u64; 2] {
        [self.mover, self.opponent]
    }

    /// The board with which a game begins.
    pub const START: Board = Board { mover: 4 * ONES, opponent: 4 * ONES };

    /// Whether the mover's row is empty.
    #[inline]
    #[must_use]
    pub const fn mover_is_empty(self) -> bool {
        self.mover == 0
    }

    /// Whether the opponent's row is empty.
    #[inline]
    #[must_use]
    pub const fn opponent_is_empty(self) -> bool {
        self.opponent == 0
    }

    /// Number of seeds in one of the mover's houses.
    #[inline]
    #[must_use]
    pub const fn lifted(self, mv: Move) -> u8 {
        (self.mover >> (8 * mv.index())) as u8
    }

    /// Sows the house that lies `origin` bits up in the mover's row, without any capture.
    #[inline]
    fn sown_rows(self, origin: u32) -> SownRows {
        let entry = sowing(origin as usize / 8, (self.mover >> origin) as u8);
        let opponent = self.opponent + entry.opponent;
        SownRows { mover: self.mover.wrapping_add(entry.mover), opponent, last: entry.last as u32 }
    }

    /// Whether the move's capture chain holds every seed of the opponent's row.
    #[must_use]
    pub fn is_grand_slam(self, mv: Move) -> bool {
        let sown = self.sown_rows(8 * mv.index() as u32);
        sown.captures() && sown.opponent & !sown.chain() == 0
    }

    /// Plays the move from one of the [`origins`](Self::origins).
    #[inline]
    pub(crate) fn sow_origin(self, origin: u32, rules: &Rules) -> Sown<Board> {
        let sown = self.sown_rows(origin);
        let SownRows { mover, opponent, .. } = sown;
        let board = Board { mover: opponent, opponent: mover };
        if !sown.captures() {
            return Sown { board, captured: 0, given: 0, grand_slam: false };
        }
        let taken = sown.chain();
        let grand_slam = opponent & !taken == 0;
        let kept = if grand_slam { kept_by_slam(taken, rules.grand_slam) } else { !taken };
        let captured = row_total(opponent & !kept);
        if grand_slam && rules.grand_slam == GrandSlam::OpponentTakesRest {
            let board = Board { mover: 0, opponent: 0 };
            return Sown { board, captured, given: row_total(mover), grand_slam };
        }
        Sown { board: Board { mover: opponent & kept, ..board }, captured, given: 0, grand_slam }
    }

    /// The legal moves as bits: bit 8 i for house i.
    #[inline]
    pub(crate) fn origins(self, rules: &Rules) -> u64 {
        if Board::needs_trial(rules) {
            return self.legal(rules).iter().map(|mv| 1 << (8 * mv.index())).sum();
        }
        self.candidates(rules) >> 7
    }

    /// The legal moves where they are not simply the houses with seeds.
    #[cold]
    fn legal_by_trial(self, rules: &Rules, candidates: MoveSet) -> MoveSet {
        let mut allowed: MoveSet = match rules.grand_slam {
            GrandSlam::Illegal => candidates.iter().filter(|&mv| !self.is_grand_slam(mv)).collect(),
            _ => candidates,
        };
        if rules.feeding == Feeding::LeaveASeed {
            let leaving: MoveSet =
                allowed.iter().filter(|&mv| !self.sow(mv, rules).board.mover_is_empty()).collect();
            if !leaving.is_empty() {
                allowed = leaving;
            }
        }
        allowed
    }

    /// Flags of the houses that may be lifted as far as seeds and `when_empty` feeding go.
    #[inline]
    fn candidates(self, rules: &Rules) -> u64 {
        let reach = if self.opponent == 0 && rules.feeding == Feeding::WhenEmpty {
            REACHES
        } else {
            NOT_EMPTY
        };
        (self.mover + reach) & FLAGS
    }

    /// Whether legality asks more than [`Board::candidates`].
    #[inline]
    fn needs_trial(rules: &Rules) -> bool {
        rules.grand_slam == GrandSlam::Illegal || rules.feeding == Feeding::LeaveASeed
    }

    /// The number of legal moves, without making the set.
    #[inline]
    #[must_use]
    pub fn count_legal(self, rules: &Rules) -> usize {
        if Board::needs_trial(rules) {
            return self.legal(rules).len();
        }
        // Six flags at most: their sum as bits 0..5 of each byte, by one multiplication.
        row_total(self.candidates(rules) >> 7) as usize
    }
}

impl SowingBoard for Board {
    fn from_houses(houses: [u8; HOUSES]) -> Result<Board, BoardError> {
        BoardError::check(&houses)?;
        let row =
            |row: &[u8]| row.iter().rev().fold(0, |word, &seeds| word << 8 | u64::from(seeds));
        Ok(Board { mover: row(&houses[..ROW]), opponent: row(&houses[ROW..]) })
    }

    #[inline]
    fn houses(self) -> [u8; HOUSES] {
        let mut houses = [0; HOUSES];
        houses[..ROW].copy_from_slice(&self.mover.to_le_bytes()[..ROW]);
        houses[ROW..].copy_from_slice(&self.opponent.to_le_bytes()[..ROW]);
        houses
    }

    #[inline]
    fn legal(self, rules: &Rules) -> MoveSet {
        let candidates = MoveSet::from_bits(gather(self.candidates(rules)));
        if Board::needs_trial(rules) {
            return self.legal_by_trial(rules, candidates);
        }
        candidates
    }

    #[inline]
    fn sow(self, mv: Move, rules: &Rules) -> Sown<Board> {
        self.sow_origin(8 * mv.index() as u32, rules)
    }

    #[inline]
    fn turned(self) -> Board {
        Board { mover: self.opponent, opponent: self.mover }
    }

    #[inline]
    fn seeds(self, house: House) -> u8 {
        let row = if house.index() < ROW { self.mover } else { self.opponent };
        (row >> (8 * (house.index() % ROW))) as u8
    }

    #[inline]
    fn mover_total(self) -> u8 {
        row_total(self.mover)
    }

    #[inline]
    fn opponent_total(self) -> u8 {
        row_total(self.opponent)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board{:?}", self.houses())
    }
}
