//! The game before the root, as far as loops can reach back into it.

use oware_rules::{Board, Game, Rules};

/// A repetition without a capture takes at least so many plies: for a house to hold again what it
/// held, each of the twelve must have been lifted once.
pub(crate) const SHORTEST_LOOP: u32 = 12;

/// Boards that were on the table since the last capture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    /// Boards whose next occurrence ends the game by repetition, and how many plies before the
    /// root each was last there.
    last_times: Vec<(Board, u32)>,
    /// Plies without a capture at the root.
    pub(crate) quiet: u32,
    /// All boards since the last capture, in order, the root's left out.
    pub(crate) boards: Vec<Board>,
}

impl Past {
    pub(crate) fn of(game: &Game) -> Past {
        let here = game.plies().len();
        let quiet = game.capture_free().min(here as u32);
        let earlier = here - quiet as usize..here;
        let boards: Vec<Board> =
            earlier.filter_map(|ply| Some(game.position_at(ply)?.board())).collect();
        Past { last_times: last_times(&boards, game.rules()), quiet, boards }
    }

    /// Whether the game ends by repetition when a board comes up so many plies after the root.
    pub(crate) fn ends(&self, board: Board, ply: u32) -> bool {
        let same_mover = |ago: u32| (ago + ply).is_multiple_of(2);
        self.last_times.iter().any(|&(earlier, ago)| earlier == board && same_mover(ago))
    }
}

/// The boards that lack one occurrence of ending the game.
fn last_times(boards: &[Board], rules: &Rules) -> Vec<(Board, u32)> {
    let Some(repetition) = rules.repetition else { return Vec::new() };
    let ago = |i: usize| (boards.len() - i) as u32;
    let mut found: Vec<(Board, u32)> = Vec::new();
    for (i, &board) in boards.iter().enumerate().rev() {
        let same = |j: &usize| boards[*j] == board && (i - j).is_multiple_of(2);
        let times = 1 + (0..i).filter(same).count();
        let known = found.iter().any(|&(b, a)| b == board && (a + ago(i)).is_multiple_of(2));
        if !known && times + 1 >= usize::from(repetition.get()) {
            found.push((board, ago(i)));
        }
    }
    found
}
