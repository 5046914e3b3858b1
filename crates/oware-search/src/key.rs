//! Boards as numbers without gaps to speak of, so that a transposition table can tell any two
//! boards apart by few bits.
//!
//! The rank of a board in the combinatorial number system is below C(60, 12) = 1.4e12, less than
//! 2^41: with prefix sums S_i of the houses it is the sum of C(S_i + i, i + 1). Multiplications by
//! odd numbers and shifts that can be undone then scatter ranks over 41 bits, one to one.

use oware_rules::row::ONES;
use oware_rules::{Board, HOUSES, ROW, TOTAL_SEEDS};

/// Bits of a key.
pub(crate) const KEY_BITS: u32 = 41;
const MASK: u64 = (1 << KEY_BITS) - 1;
/// Rounded up to a power of two, so that an index can be masked.
const SUMS: usize = 64;

/// C(S + i, i + 1), by i and S.
static TERMS: [[u64; SUMS]; HOUSES] = terms();

const fn terms() -> [[u64; SUMS]; HOUSES] {
    let mut terms = [[0; SUMS]; HOUSES];
    let mut i = 0;
    while i < HOUSES {
        let mut sum = 1;
        while sum <= TOTAL_SEEDS as usize {
            // C(sum + i, i + 1) = C(sum - 1 + i, i + 1) + C(sum - 1 + i, i); the last is 1 for
            // i = 0, and the term of i - 1 for the same sum otherwise.
            let other = if i == 0 { 1 } else { terms[i - 1][sum] };
            terms[i][sum] = terms[i][sum - 1] + other;
            sum += 1;
        }
        i += 1;
    }
    terms
}

/// The number of a board, below 2^41; no two boards have the same.
#[inline]
pub(crate) fn key(board: Board) -> u64 {
    let [mover, opponent] = board.rows();
    // A product with a row holds the sums of its bytes so far.
    let first = mover.wrapping_mul(ONES);
    let mover_total = first >> 40 & 0xff;
    let second = (opponent + mover_total).wrapping_mul(ONES);
    let mut rank = 0;
    for i in 0..ROW {
        rank += TERMS[i][(first >> (8 * i)) as usize % SUMS];
        rank += TERMS[ROW + i][(second >> (8 * i)) as usize % SUMS];
    }
    scatter(rank)
}

/// One to one on 41 bits.
#[inline]
fn scatter(rank: u64) -> u64 {
    let key = rank.wrapping_mul(0x9e37_79b9_7f4a_7c15) & MASK;
    let key = key ^ key >> 20;
    let key = key.wrapping_mul(0xd6e8_feb8_6659_fd93) & MASK;
    key ^ key >> 21
}

#[cfg(test)]
mod tests {
    use super::*;
    use oware_rules::SowingBoard;
    use std::collections::HashSet;

    #[test]
    fn ranks_of_small_boards_are_gapless() {
        // All boards of two seeds or fewer: C(14, 12) = 91 ranks, the lowest there are.
        let mut ranks = HashSet::new();
        for a in 0..HOUSES {
            for b in a..HOUSES {
                for seeds in [vec![], vec![a], vec![a, b]] {
                    let mut houses = [0; HOUSES];
                    seeds.iter().for_each(|&house| houses[house] += 1);
                    ranks.insert(key(Board::from_houses(houses).unwrap()));
                }
            }
        }
        assert_eq!(ranks.len(), 91);
        let lowest: HashSet<u64> = (0..91).map(scatter).collect();
        assert_eq!(ranks, lowest);
    }

    #[test]
    fn the_highest_rank_fits() {
        let mut houses = [0; HOUSES];
        houses[0] = TOTAL_SEEDS;
        let highest: u64 = (0..HOUSES).map(|i| TERMS[i][TOTAL_SEEDS as usize]).sum();
        assert_eq!(highest, 1_399_358_844_974, "C(60, 12) - 1");
        assert!(highest <= MASK);
        assert_eq!(key(Board::from_houses(houses).unwrap()), scatter(highest));
    }
}
