//! The door through which endgame tables come in.

use oware_rules::Board;

/// Endgame tables as a search wants them: fast, complete from the last seed upwards, never
/// failing.
///
/// Values are those of the `even` convention: seeds that the mover still takes less those that
/// the opponent still takes, where endless play shares what is left evenly.
pub trait Endgame: Send + Sync {
    /// All boards with this many seeds in the houses, or fewer, have a value.
    fn most_seeds(&self) -> u8;

    /// The value of a board for its mover; `None` above [`most_seeds`](Self::most_seeds).
    fn value(&self, board: Board) -> Option<i8>;

    /// Says that the value of a board will be asked for soon.
    fn prefetch(&self, _board: Board) {}
}
