//! Boards as a search meets them: from fast games with random openings and slips, the boards
//! played, boards one or two random moves away, and leaves of the searches.

use std::collections::HashSet;

use oware_rules::{Board, SowingBoard};

use crate::ahead::{Ahead, RULES, Until};
use crate::random::Random;
use crate::sample::{Sample, UNKNOWN};

/// A game that goes on for longer is a loop and brings no new boards.
const LONGEST: usize = 250;
/// Games have up to this many random moves at their beginning.
const MOST_RANDOM: usize = 14;
/// How often a move is random later on, at most.
const MOST_SLIPS: f64 = 0.15;
/// At most this many leaves of one search are taken.
const LEAVES: usize = 6;

/// Boards by seeds, each board once, up to a number for each number of seeds.
pub(crate) struct Gathered {
    quota: usize,
    lowest: usize,
    seen: HashSet<Board>,
    count: [usize; 49],
    samples: Vec<Sample>,
}

impl Gathered {
    /// Room for `quota` boards of each number of seeds from `lowest` up.
    pub(crate) fn new(quota: usize, lowest: usize) -> Gathered {
        let (seen, samples) = (HashSet::new(), Vec::new());
        Gathered { quota, lowest, seen, count: [0; 49], samples }
    }

    /// The boards, not labelled yet.
    pub(crate) fn into_samples(self) -> Vec<Sample> {
        self.samples
    }

    /// How many boards there are of each number of seeds.
    pub(crate) fn count(&self) -> &[usize; 49] {
        &self.count
    }

    fn is_full(&self, seeds: usize) -> bool {
        self.count[seeds] >= self.quota
    }

    fn keep(&mut self, board: Board) {
        let seeds = usize::from(board.total());
        if seeds < self.lowest || self.is_full(seeds) || board.legal(&RULES).is_empty() {
            return;
        }
        if self.seen.insert(board) {
            self.count[seeds] += 1;
            self.samples.push(Sample { houses: board.houses(), value: UNKNOWN });
        }
    }

    /// Whether nothing more is wanted of boards with `seeds` seeds or fewer.
    fn is_done_below(&self, seeds: usize) -> bool {
        (self.lowest..=seeds).all(|fewer| self.is_full(fewer))
    }
}

/// The board after a random move; the same board if there is none.
fn stray(board: Board, random: &mut Random) -> Board {
    let legal = board.legal(&RULES);
    if legal.is_empty() {
        return board;
    }
    let mv = legal.iter().nth(random.below(legal.len())).expect("there are that many");
    board.sow(mv, &RULES).board
}

/// Plays one game and keeps boards of it.
pub(crate) fn game<G: Fn(Board) -> i32>(
    search: &mut Ahead<'_, G>,
    random: &mut Random,
    gathered: &mut Gathered,
) {
    let mut board = Board::START;
    let mut opening = random.below(MOST_RANDOM + 1);
    let slips = random.unit() * MOST_SLIPS;
    let depth = 3 + random.below(5) as u32;
    for _ in 0..LONGEST {
        let seeds = usize::from(board.total());
        if gathered.is_done_below(seeds) || board.legal(&RULES).is_empty() {
            return;
        }
        gathered.keep(board);
        let once = stray(board, random);
        gathered.keep(once);
        gathered.keep(stray(once, random));
        let best = search.search(board, Until { depth, ..Until::default() }).0;
        random.shuffle(&mut search.leaves);
        for leaf in search.leaves.drain(..).take(LEAVES) {
            gathered.keep(leaf);
        }
        if opening > 0 || random.chance(slips) {
            opening = opening.saturating_sub(1);
            board = stray(board, random);
        } else if let Some(mv) = best {
            board = board.sow(mv, &RULES).board;
        }
    }
}
