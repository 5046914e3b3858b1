//! The engine's search: a plain alpha-beta with iterative deepening.
//!
//! It maximises the final difference of seeds, playing on to the last seed. The sign of that is
//! also the result under the rule that 25 seeds win, for who takes more of all the seeds has 25.
//! The game's own history is exact; inside the tree the first return of a position counts as a
//! loop, shared as the rules share loops.
//!
//! Architecture invariant: the search knows rules and nothing else: no notation, no files, no
//! clock, no printing. What it finds on the way it reports through a callback.

mod eval;
mod score;
mod search;

pub use score::Score;
pub use search::{Limits, MoveValue, Report, search, value_moves};
