//! The rules of Oware once more, naive, slow and plain: something to compare a fast one with.
//!
//! Everything is written from the text of the rules page alone. The board is an array of 12 houses
//! seen from outside: 0 to 5 are South's A to F, 6 to 11 North's a to f, and seeds travel in index
//! order. South is player 0, North player 1. Seeds are moved one at a time, questions about the
//! board are answered by looking at the whole board, and nothing is remembered to save work.
//!
//! # Where the text leaves something open
//!
//! 1. `grand_slam = illegal` with `feeding = leave_a_seed`: a grand slam is never a legal move, not
//!    even when no move leaves the opponent a seed; "every move is legal" then means every move
//!    that is not a grand slam. If only grand slams are left, the player has no legal move.
//! 2. `feeding = leave_a_seed` looks at the opponent's row after what the grand slam rule lets the
//!    mover take. So under `no_capture`, `keep_last` and `keep_first` a grand slam leaves a seed
//!    and is legal; under `opponent_takes_rest` and `captures` it leaves none.
//! 3. Handing out the rest under `opponent_takes_rest` is part of the move: the position after it
//!    has an empty board and stores that hold every seed. Sharing out at any other end is not: the
//!    position after the move keeps its seeds and only the final scores include them.
//! 4. `grand_slam_rest` ends the game under `play_on` too, for `play_on` is named for 25 and 24-24
//!    only; and it is the reason also when nothing was left to hand out.
//! 5. `stuck = opponent_takes_all` holds for every way of having no legal move, also outside the
//!    awari preset: the seeds of a player who cannot feed an empty row go to the other player.
//! 6. A grand slam needs a capture chain of at least one house; a move that captures nothing on an
//!    empty row is none. Under `keep_last` and `keep_first` a grand slam of one house captures
//!    nothing, so it neither clears the history nor restarts the count of `capture_free_limit`.
//! 7. The position right after a capture is the first of the new history and counts as an
//!    occurrence. If `repetition` and `capture_free_limit` are reached by the same move, the reason
//!    is `repetition`, which stands first.
//! 8. A position looked at by itself has no history: its end can only be `majority`, `even` or
//!    `no_move`, looked at in this order. A grand slam cannot be seen in it.
//! 9. [`OraclePosition::legal`] looks at the board, not at the stores: in a game that is over by
//!    `majority` or `even` it still names moves, and [`OracleGame::play`] refuses them.
//! 10. An identity is a preset or a case name, then `field=value` parts; a field that is named
//!     twice, an unknown one, `repetition` below 2 and `capture_free_limit` below 1 are refused.
//!     Fields set beside a case name change the repetition 2 which that name stands for.

mod game;
mod perft;
mod position;
mod rules;

pub use game::{OracleEnd, OracleGame};
pub use perft::OraclePerft;
pub use position::{OracleMove, OraclePosition};
pub use rules::{
    CASE_NAMES, OracleFeeding, OracleGrandSlam, OracleLoopSplit, OracleRules, OracleStuck,
    PRESET_NAMES, fnv64,
};
