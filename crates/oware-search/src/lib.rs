//! The engine: a search that looks ahead on the board of `oware-rules`.
//!
//! It maximises the final difference of seeds, playing on to the last seed. The sign of that is
//! also the result under the rule that 25 seeds win, for who takes more of all the seeds has 25.
//! The game's own history is exact; inside the tree the first return of a position counts as a
//! loop, shared as the rules share loops.
//!
//! Architecture invariant: the search knows rules and nothing else: no notation, no files, no
//! printing. Endgame tables come in through [`Endgame`]; what is found on the way is reported
//! through a callback.

mod check;
mod control;
mod endgame;
mod engine;
pub mod eval;
mod key;
mod limits;
mod memory;
mod node;
mod parts;
mod past;
pub mod plain;
mod report;
mod root;
mod score;
mod time;
mod tt;
mod worker;

pub use control::Control;
pub use endgame::Endgame;
pub use engine::{Engine, HashError, MOST_HASH_MIB, MOST_THREADS, Options};
pub use eval::evaluate;
pub use limits::{Clock, DEEPEST, Limits};
pub use parts::{Part, Parts};
pub use report::{Bound, Line, Report, Source};
pub use score::{Chances, Score, chances};
