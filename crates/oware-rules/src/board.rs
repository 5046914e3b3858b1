//! The fast board: one byte a house, one 64-bit word a row.
//!
//! A table says for each house and number of seeds what a move adds to each row, so that sowing
//! is two additions whatever the number of seeds, and turning the board is a swap. Which houses
//! hold 2 or 3 is found for a whole row at once. Bytes hold all 48 seeds, so no house needs a
//! guard. (Other layouts were measured: docs/measurements.)

use std::fmt;

use crate::{
    BoardError, Feeding, GrandSlam, HOUSES, House, Move, MoveSet, ROW, Rules, SowingBoard, Sown,
    TOTAL_SEEDS,
};

/// 1 in each of the six bytes of a row.
const ONES: u64 = 0x0101_0101_0101;
/// The top bit of each byte: where tests on all houses of a row leave their answer.
const FLAGS: u64 = 0x8080_8080_8080;
/// Added to a row, this carries a non-empty house into its flag.
const NOT_EMPTY: u64 = 0x7f7f_7f7f_7f7f;
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
struct Sowing {
    /// Seeds sown in the mover's row, less those lifted (wrapping).
    mover: u64,
    /// Seeds sown in the opponent's row.
    opponent: u64,
    /// The flag of the opponent's house where the last seed falls, 0 if it falls elsewhere.
    last: u64,
}

static SOWING: [[Sowing; TOTAL_SEEDS as usize + 1]; ROW] = sowing_table();

const fn sowing_table() -> [[Sowing; TOTAL_SEEDS as usize + 1]; ROW] {
    let none = Sowing { mover: 0, opponent: 0, last: 0 };
    let mut table = [[none; TOTAL_SEEDS as usize + 1]; ROW];
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
                entry.last = 0x80 << (8 * (at - ROW));
            }
            table[origin][seeds] = entry;
            seeds += 1;
        }
        origin += 1;
    }
    table
}

/// The sum of the six bytes of a row. A row holds at most 48 seeds, so nothing overflows.
#[inline]
const fn row_total(row: u64) -> u8 {
    (row.wrapping_mul(ONES) >> 40) as u8
}

/// Flags the houses of a row that hold 2 or 3 seeds: those where `x | 1 == 3`.
#[inline]
const fn two_or_three(row: u64) -> u64 {
    !(((row | ONES) ^ (3 * ONES)) + NOT_EMPTY) & FLAGS
}

/// Gathers the six flags of a row in the low six bits: the multiplication moves flag i to
/// bit 40 + i, and no two products meet there.
#[inline]
const fn gather(flags: u64) -> u8 {
    const SPREAD: u64 = 1 << 40 | 1 << 33 | 1 << 26 | 1 << 19 | 1 << 12 | 1 << 5;
    ((flags >> 7).wrapping_mul(SPREAD) >> 40) as u8 & 0x3f
}

/// The bytes of the capture chain in the opponent's row: from the house of the last seed down,
/// while houses are flagged. `flags & last` must not be 0.
#[inline]
const fn chain(flags: u64, last: u64) -> u64 {
    let upto_last = last | (last - 1);
    let broken = !flags & FLAGS & upto_last;
    // All bits up to and including the highest flag that is missing.
    let below = if broken == 0 { 0 } else { u64::MAX >> broken.leading_zeros() };
    upto_last & !below
}

impl Board {
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

    /// The rows after sowing and before any capture, and the flag of the last house.
    #[inline]
    fn sown_rows(self, mv: Move) -> (u64, u64, u64) {
        let entry = &SOWING[mv.index()][usize::from(self.lifted(mv))];
        (self.mover.wrapping_add(entry.mover), self.opponent + entry.opponent, entry.last)
    }

    /// Whether the move's capture chain holds every seed of the opponent's row.
    #[must_use]
    pub fn is_grand_slam(self, mv: Move) -> bool {
        let (_, opponent, last) = self.sown_rows(mv);
        let flags = two_or_three(opponent);
        flags & last != 0 && opponent & !chain(flags, last) == 0
    }

    /// A move that captures at least something; apart, since most do not.
    #[inline]
    fn capture(mover: u64, opponent: u64, flags: u64, last: u64, rules: &Rules) -> Sown<Board> {
        let taken = chain(flags, last);
        if opponent & !taken == 0 {
            return Board::slam(mover, opponent, taken, last, rules.grand_slam);
        }
        Sown {
            board: Board { mover: opponent & !taken, opponent: mover },
            captured: row_total(opponent & taken),
            given: 0,
            grand_slam: false,
        }
    }

    #[cold]
    fn slam(mover: u64, opponent: u64, chain: u64, last: u64, slam: GrandSlam) -> Sown<Board> {
        let kept = match slam {
            GrandSlam::NoCapture | GrandSlam::Illegal => u64::MAX,
            GrandSlam::OpponentTakesRest | GrandSlam::Captures => 0,
            GrandSlam::KeepLast => (last >> 7) * 0xff,
            GrandSlam::KeepFirst => 0xff << (chain.trailing_zeros() & !7),
        };
        let captured = row_total(opponent & !kept);
        let (board, given) = if slam == GrandSlam::OpponentTakesRest {
            (Board { mover: 0, opponent: 0 }, row_total(mover))
        } else {
            (Board { mover: opponent & kept, opponent: mover }, 0)
        };
        Sown { board, captured, given, grand_slam: true }
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
        let (mover, opponent, last) = self.sown_rows(mv);
        let flags = two_or_three(opponent);
        if flags & last != 0 {
            return Board::capture(mover, opponent, flags, last, rules);
        }
        Sown {
            board: Board { mover: opponent, opponent: mover },
            captured: 0,
            given: 0,
            grand_slam: false,
        }
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
