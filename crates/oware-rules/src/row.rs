//! A row as a word: byte i, from the lowest, holds the seeds of house i; the two highest are 0.
//!
//! [`Board::rows`](crate::Board::rows) gives a board so. What holds for all houses of a row is
//! then asked of one word.

/// 1 in each of the six bytes of a row.
pub const ONES: u64 = 0x0101_0101_0101;
/// The top bit of each byte: where tests on all houses of a row leave their answer.
pub(crate) const FLAGS: u64 = 0x8080_8080_8080;
/// Added to a row, this carries a non-empty house into its flag.
pub(crate) const NOT_EMPTY: u64 = 0x7f7f_7f7f_7f7f;
/// The sum of the six bytes of a row. A row holds at most 48 seeds, so nothing overflows.
#[inline]
pub(crate) const fn total(row: u64) -> u8 {
    (row.wrapping_mul(ONES) >> 40) as u8
}

/// Flags the houses of a row that hold 2 or 3 seeds: those where `x | 1 == 3`.
#[inline]
pub(crate) const fn two_or_three(row: u64) -> u64 {
    !(((row | ONES) ^ (3 * ONES)) + NOT_EMPTY) & FLAGS
}

/// Gathers the six flags of a row in the low six bits: the multiplication moves flag i to
/// bit 40 + i, and no two products meet there.
#[inline]
pub(crate) const fn gather(flags: u64) -> u8 {
    const SPREAD: u64 = 1 << 40 | 1 << 33 | 1 << 26 | 1 << 19 | 1 << 12 | 1 << 5;
    ((flags >> 7).wrapping_mul(SPREAD) >> 40) as u8 & 0x3f
}

/// The houses of a row that hold 2 or 3 seeds, as bits: bit i for house i.
#[inline]
#[must_use]
pub const fn houses_of_two_or_three(row: u64) -> u8 {
    gather(two_or_three(row))
}
