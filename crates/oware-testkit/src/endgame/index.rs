//! The boards of one number of seeds in a fixed order, and the rank of a board in it.
//!
//! The order is the plainest one: ascending by house 0, then by house 1, and so on. It is nobody's
//! file order.

/// The number of houses.
const HOUSES: usize = 12;

/// The largest number of seeds.
const MOST_SEEDS: usize = 48;

/// `WAYS[houses][seeds]`: in how many ways the seeds can lie in so many houses.
const WAYS: [[usize; MOST_SEEDS + 1]; HOUSES] = ways();

/// Fills [`WAYS`]: the last of the houses is empty, or it holds one seed and perhaps more.
const fn ways() -> [[usize; MOST_SEEDS + 1]; HOUSES] {
    let mut ways = [[0; MOST_SEEDS + 1]; HOUSES];
    ways[0][0] = 1;
    let mut houses = 1;
    while houses < HOUSES {
        ways[houses][0] = 1;
        let mut seeds = 1;
        while seeds <= MOST_SEEDS {
            ways[houses][seeds] = ways[houses - 1][seeds] + ways[houses][seeds - 1];
            seeds += 1;
        }
        houses += 1;
    }
    ways
}

/// All boards with the same number of seeds, ascending by house 0, then house 1, and so on.
#[derive(Clone, Debug)]
pub struct Boards {
    next: Option<[u8; HOUSES]>,
}

/// All boards of `seeds` seeds, C(seeds + 11, 11) of them, each once.
///
/// # Panics
///
/// If `seeds` is above 48.
pub fn boards(seeds: usize) -> Boards {
    assert!(seeds <= MOST_SEEDS, "{seeds} seeds");
    let mut first = [0; HOUSES];
    first[HOUSES - 1] = seeds as u8;
    Boards { next: Some(first) }
}

impl Iterator for Boards {
    type Item = [u8; HOUSES];

    fn next(&mut self) -> Option<Self::Item> {
        let board = self.next?;
        // The last seeds in the order cannot move further back. One of them goes a house forward,
        // the others fall back to the end.
        let last = board.iter().rposition(|seeds| *seeds > 0).unwrap_or(0);
        self.next = if last == 0 {
            None
        } else {
            let mut following = board;
            following[last] = 0;
            following[last - 1] += 1;
            following[HOUSES - 1] = board[last] - 1;
            Some(following)
        };
        Some(board)
    }
}

/// The place of a board among the [`boards`] with as many seeds, from 0.
pub(super) fn rank(board: &[u8; HOUSES]) -> usize {
    let mut rank = 0;
    let mut seeds_left: usize = board.iter().map(|seeds| usize::from(*seeds)).sum();
    for (house, seeds) in board.iter().enumerate() {
        let houses_left = HOUSES - 1 - house;
        for fewer in 0..usize::from(*seeds) {
            rank += WAYS[houses_left][seeds_left - fewer];
        }
        seeds_left -= usize::from(*seeds);
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::{boards, rank};

    #[test]
    fn ranks_count_the_boards() {
        for (seeds, expected) in [1, 12, 78, 364, 1365, 4368, 12376].into_iter().enumerate() {
            let mut count = 0;
            for board in boards(seeds) {
                assert_eq!(board.iter().map(|house| usize::from(*house)).sum::<usize>(), seeds);
                assert_eq!(rank(&board), count, "{board:?}");
                count += 1;
            }
            assert_eq!(count, expected, "{seeds} seeds");
        }
    }
}
