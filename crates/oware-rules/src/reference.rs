//! The plain board: twelve numbers and loops, as one would do it by hand.
//!
//! It is kept for ever as the oracle of the fast [`Board`](crate::Board) and as the baseline of
//! the benchmarks. Nothing here is to be made faster.

use crate::{BoardError, Feeding, GrandSlam, HOUSES, Move, MoveSet, ROW, Rules, SowingBoard, Sown};

/// Twelve houses seen by the player to move; the plain [`SowingBoard`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReferenceBoard([u8; HOUSES]);

impl ReferenceBoard {
    /// Lifts a house and sows it; the house where the last seed fell.
    fn sow_seeds(&mut self, origin: usize) -> usize {
        let mut in_hand = std::mem::take(&mut self.0[origin]);
        let mut at = origin;
        while in_hand > 0 {
            at = (at + 1) % HOUSES;
            if at != origin {
                self.0[at] += 1;
                in_hand -= 1;
            }
        }
        at
    }

    /// The first house of the capture chain that ends in `last`; `last + 1` if there is none.
    fn chain_start(&self, last: usize) -> usize {
        let mut first = last + 1;
        while first > ROW && matches!(self.0[first - 1], 2 | 3) {
            first -= 1;
        }
        first
    }

    fn opponent_seeds(&self) -> u8 {
        self.0[ROW..].iter().sum()
    }

    fn is_slam(mut self, mv: Move) -> bool {
        let last = self.sow_seeds(mv.index());
        if last < ROW {
            return false;
        }
        let first = self.chain_start(last);
        let chain: u8 = self.0[first..=last].iter().sum();
        chain > 0 && chain == self.opponent_seeds()
    }
}

impl SowingBoard for ReferenceBoard {
    fn from_houses(houses: [u8; HOUSES]) -> Result<ReferenceBoard, BoardError> {
        BoardError::check(&houses)?;
        Ok(ReferenceBoard(houses))
    }

    fn houses(self) -> [u8; HOUSES] {
        self.0
    }

    fn legal(self, rules: &Rules) -> MoveSet {
        let must_feed = rules.feeding == Feeding::WhenEmpty && self.opponent_seeds() == 0;
        let mut legal = MoveSet::EMPTY;
        for mv in Move::ALL {
            let seeds = usize::from(self.0[mv.index()]);
            let feeds = mv.index() + seeds >= ROW;
            if seeds == 0 || (must_feed && !feeds) {
                continue;
            }
            if rules.grand_slam == GrandSlam::Illegal && self.is_slam(mv) {
                continue;
            }
            legal.insert(mv);
        }
        if rules.feeding == Feeding::LeaveASeed {
            let mut leaving = MoveSet::EMPTY;
            for mv in legal {
                if self.sow(mv, rules).board.mover_total() > 0 {
                    leaving.insert(mv);
                }
            }
            if !leaving.is_empty() {
                legal = leaving;
            }
        }
        legal
    }

    fn sow(self, mv: Move, rules: &Rules) -> Sown<ReferenceBoard> {
        let mut board = self;
        let last = board.sow_seeds(mv.index());
        let mut captured = 0;
        let mut given = 0;
        let mut grand_slam = false;
        if last >= ROW {
            let mut first = board.chain_start(last);
            let mut end = last + 1;
            let chain: u8 = board.0[first..end].iter().sum();
            grand_slam = chain > 0 && chain == board.opponent_seeds();
            if grand_slam {
                match rules.grand_slam {
                    GrandSlam::NoCapture | GrandSlam::Illegal => end = first,
                    GrandSlam::KeepLast => end = last,
                    GrandSlam::KeepFirst => first += 1,
                    GrandSlam::OpponentTakesRest | GrandSlam::Captures => {}
                }
            }
            for house in first..end {
                captured += std::mem::take(&mut board.0[house]);
            }
            if grand_slam && rules.grand_slam == GrandSlam::OpponentTakesRest {
                given = board.0.iter().sum();
                board.0 = [0; HOUSES];
            }
        }
        Sown { board: board.turned(), captured, given, grand_slam }
    }

    fn turned(mut self) -> ReferenceBoard {
        self.0.rotate_left(ROW);
        self
    }
}
