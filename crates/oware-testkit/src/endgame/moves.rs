//! What can be played on each board of a layer, written down once before the layer is solved.

use super::index::{boards, rank};
use super::{Convention, PerConvention, Values, seeds_of};
use crate::oracle::{OracleMove, OraclePosition, OracleRules};

/// All moves of the boards of one layer, the boards in the order of [`boards`].
///
/// A conversion, that is a capture or a move that ends the game, has a known payoff. Every other
/// move stays in the layer and leads to a board with a legal move.
pub(super) struct Layer {
    /// The number of seeds.
    pub(super) seeds: usize,
    /// What is shared out at a board without a legal move: the mover's seeds minus the opponent's.
    pub(super) ended: Vec<Option<i8>>,
    /// The best payoff of a conversion for the mover, if there is a conversion.
    pub(super) conversion: PerConvention<Vec<Option<i8>>>,
    /// Where the moves of each board begin in `successors`; one more entry than boards.
    starts: Vec<usize>,
    /// The ranks of the boards to which moves lead that stay in the layer.
    successors: Vec<usize>,
}

impl Layer {
    /// Asks the oracle for every move of every board of `seeds` seeds; `lower` holds the values of
    /// all layers below.
    pub(super) fn new(rules: &OracleRules, seeds: usize, lower: &[Values]) -> Self {
        // The value counts to the last seed, whatever the rules say of 25.
        let rules = OracleRules { play_on: true, ..*rules };
        let mut layer = Self {
            seeds,
            ended: Vec::new(),
            conversion: PerConvention::default(),
            starts: vec![0],
            successors: Vec::new(),
        };
        for houses in boards(seeds) {
            layer.add(&rules, &OraclePosition::from_mover_view(houses, [0, 0], 0), lower);
        }
        layer
    }

    /// Appends the moves of one board.
    fn add(&mut self, rules: &OracleRules, position: &OraclePosition, lower: &[Values]) {
        let mut best = PerConvention::<Option<i8>>::default();
        for index in position.legal(rules) {
            let done = position.apply(rules, index);
            let (houses, _) = done.position.seen_by(done.position.to_move);
            if done.terminal.is_none() && done.captured == 0 {
                self.successors.push(rank(&houses));
                continue;
            }
            for convention in Convention::ALL {
                let payoff = payoff(&done, &houses, convention, lower);
                let best = best.get_mut(convention);
                *best = (*best).max(Some(payoff));
            }
        }
        self.ended.push(position.over(rules).map(|(_, scores)| difference(scores)));
        self.starts.push(self.successors.len());
        for convention in Convention::ALL {
            self.conversion.get_mut(convention).push(*best.get(convention));
        }
    }

    /// The number of boards.
    pub(super) fn len(&self) -> usize {
        self.ended.len()
    }

    /// The ranks of the boards to which the moves of a board lead that stay in the layer.
    pub(super) fn successors(&self, board: usize) -> &[usize] {
        &self.successors[self.starts[board]..self.starts[board + 1]]
    }
}

/// What South, who has just moved, gets by a conversion; `houses` is the board after it.
fn payoff(done: &OracleMove, houses: &[u8; 12], convention: Convention, lower: &[Values]) -> i8 {
    match done.final_scores_half {
        // The stores began at 0, so the final scores are what was taken from the board on.
        Some(scores) => difference(scores),
        None => {
            let values = lower[seeds_of(houses)].get(convention.after_move());
            done.captured as i8 - values[rank(houses)]
        }
    }
}

/// South's final score minus North's, in whole seeds. Ends other than loops never split a seed.
fn difference(scores_half: [u16; 2]) -> i8 {
    ((i32::from(scores_half[0]) - i32::from(scores_half[1])) / 2) as i8
}
