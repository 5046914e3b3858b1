//! What every board can do, and what a sowing gives back.

use std::fmt;
use std::hash::Hash;

use crate::{HOUSES, House, Move, MoveSet, ROW, Rules, TOTAL_SEEDS};

/// What a move made of a board. The board is already seen by the *next* player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sown<B> {
    /// The board after sowing and capturing, turned to the player who moves next.
    pub board: B,
    /// Seeds that the player who moved captured.
    pub captured: u8,
    /// Seeds that a grand slam under [`GrandSlam::OpponentTakesRest`](crate::GrandSlam) handed
    /// to the opponent, 0 else. The board is then empty and the game is over.
    pub given: u8,
    /// Whether the capture chain took every seed of the opponent's row (before the rules'
    /// grand-slam clause had its say).
    pub grand_slam: bool,
}

impl<B> Sown<B> {
    /// Whether the move itself ended the game: the `grand_slam_rest` end.
    ///
    /// A slam that is to hand out the rest ends the game also where there is no rest.
    #[inline]
    #[must_use]
    pub fn ends_by_slam(&self, rules: &Rules) -> bool {
        self.grand_slam && rules.grand_slam == crate::GrandSlam::OpponentTakesRest
    }
}

/// Twelve houses seen by the player to move, with the moves of the game.
///
/// Implemented by the fast [`Board`](crate::Board) and the plain
/// [`ReferenceBoard`](crate::ReferenceBoard); one suite of tests runs on both.
pub trait SowingBoard: Copy + Eq + Hash + fmt::Debug + Send + Sync {
    /// The board with these houses: 0..=5 the mover's from his left, 6..=11 the opponent's.
    ///
    /// # Errors
    /// When there are more than [`TOTAL_SEEDS`] seeds.
    fn from_houses(houses: [u8; HOUSES]) -> Result<Self, BoardError>;

    /// The houses, in the order of [`from_houses`](Self::from_houses).
    fn houses(self) -> [u8; HOUSES];

    /// The legal moves under `rules`.
    fn legal(self, rules: &Rules) -> MoveSet;

    /// Plays a move from a house that holds seeds.
    ///
    /// Whether the move is legal is not looked at, and stores are not either. A grand slam
    /// under [`GrandSlam::Illegal`](crate::GrandSlam) captures nothing here. From an empty
    /// house nothing is sown and only the turn passes.
    fn sow(self, mv: Move, rules: &Rules) -> Sown<Self>;

    /// The same board seen by the other player.
    #[must_use]
    fn turned(self) -> Self;

    /// Seeds in one house.
    fn seeds(self, house: House) -> u8 {
        self.houses()[house.index()]
    }

    /// Seeds in the mover's row.
    fn mover_total(self) -> u8 {
        self.houses()[..ROW].iter().sum()
    }

    /// Seeds in the opponent's row.
    fn opponent_total(self) -> u8 {
        self.houses()[ROW..].iter().sum()
    }

    /// Seeds in all twelve houses.
    #[inline]
    fn total(self) -> u8 {
        self.mover_total() + self.opponent_total()
    }
}

/// Houses that cannot be a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardError {
    /// The sum of the twelve houses.
    pub total: u32,
}

impl BoardError {
    /// Refuses more seeds than a game has.
    pub(crate) fn check(houses: &[u8; HOUSES]) -> Result<(), BoardError> {
        let total = houses.iter().map(|&seeds| u32::from(seeds)).sum();
        if total > u32::from(TOTAL_SEEDS) { Err(BoardError { total }) } else { Ok(()) }
    }
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the houses hold {} seeds, expected at most {TOTAL_SEEDS}", self.total)
    }
}

impl std::error::Error for BoardError {}
