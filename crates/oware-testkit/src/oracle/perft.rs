//! Counting move sequences.

use super::position::OraclePosition;
use super::rules::OracleRules;

/// The counts for one depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OraclePerft {
    /// The number of legal move sequences of exactly this many plies.
    pub leaves: u64,
    /// How many of them end in a finished game.
    pub ended: u64,
    /// How many of their last plies are grand slams, whatever the rules make of these.
    pub slams: u64,
}

impl OraclePosition {
    /// The counts for every depth from 0 to `depth`.
    ///
    /// A finished game has no moves. Loops are not looked at, since a sequence has no history.
    pub fn perft(&self, rules: &OracleRules, depth: usize) -> Vec<OraclePerft> {
        let mut counts = vec![OraclePerft::default(); depth + 1];
        let over = self.over(rules).is_some();
        counts[0] = OraclePerft { leaves: 1, ended: u64::from(over), slams: 0 };
        if !over {
            count_below(self, rules, &mut counts[1..]);
        }
        counts
    }
}

/// Adds the moves of a position to the first of the counts, what follows to the others.
fn count_below(position: &OraclePosition, rules: &OracleRules, counts: &mut [OraclePerft]) {
    let Some((here, deeper)) = counts.split_first_mut() else {
        return;
    };
    for index in position.legal(rules) {
        let done = position.apply(rules, index);
        here.leaves += 1;
        here.slams += u64::from(done.grand_slam);
        if done.terminal.is_some() {
            here.ended += 1;
        } else {
            count_below(&done.position, rules, deeper);
        }
    }
}
