//! A move is one of the mover's six houses; a set of moves is six bits.

use std::fmt;

use crate::ROW;

/// A move: which of his own houses the mover lifts, 0..=5 from his left (A or a) on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u8);

impl Move {
    /// The six moves there can be, from the mover's left to his right.
    pub const ALL: [Move; ROW] = [Move(0), Move(1), Move(2), Move(3), Move(4), Move(5)];

    /// The move with this number, if there is one (0..=5).
    #[must_use]
    pub const fn new(index: usize) -> Option<Move> {
        if index < ROW { Some(Move(index as u8)) } else { None }
    }

    /// The move of a house number 0..=11, whichever row it is in.
    pub(crate) const fn wrapping(index: usize) -> Move {
        Move((index % ROW) as u8)
    }

    /// 0..=5.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Move {
    /// The number 0..=5. Letters need a side: see [`House::of`](crate::House::of).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of moves: bit i stands for the mover's house i.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct MoveSet(u8);

impl MoveSet {
    /// No move at all.
    pub const EMPTY: MoveSet = MoveSet(0);

    /// The set whose bit i says whether house i is in it; higher bits are ignored.
    #[must_use]
    pub const fn from_bits(bits: u8) -> MoveSet {
        MoveSet(bits & 0x3f)
    }

    /// Six bits, house 0 lowest.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// How many moves.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the move is in the set.
    #[must_use]
    pub const fn contains(self, mv: Move) -> bool {
        self.0 >> mv.0 & 1 != 0
    }

    /// Adds a move.
    pub fn insert(&mut self, mv: Move) {
        self.0 |= 1 << mv.0;
    }

    /// The moves from the mover's left to his right.
    #[must_use]
    pub const fn iter(self) -> MoveSetIter {
        MoveSetIter(self.0)
    }
}

impl FromIterator<Move> for MoveSet {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> MoveSet {
        let mut set = MoveSet::EMPTY;
        moves.into_iter().for_each(|mv| set.insert(mv));
        set
    }
}

impl IntoIterator for MoveSet {
    type Item = Move;
    type IntoIter = MoveSetIter;

    fn into_iter(self) -> MoveSetIter {
        self.iter()
    }
}

impl fmt::Debug for MoveSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Move::index)).finish()
    }
}

/// The moves of a [`MoveSet`], from left to right.
#[derive(Clone, Debug)]
pub struct MoveSetIter(u8);

impl Iterator for MoveSetIter {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.0 == 0 {
            return None;
        }
        let mv = Move(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(mv)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for MoveSetIter {}
