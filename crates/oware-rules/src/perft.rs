//! Perft: counting the move sequences of a given length, the classic test of a move maker.
//!
//! The count for depth d is the number of sequences of exactly d legal plies. A finished game
//! has no moves, so a finished position counts only if it is reached at exactly that depth.
//! Repetition and the capture-free limit are not looked at.

use std::hint::black_box;

use std::iter::Sum;
use std::ops::AddAssign;

use crate::{Board, MAJORITY, Move, Position, Rules, Side, SowingBoard, Sown};

/// Whether play stops after a move that leaves the player who moved with this store.
#[inline]
fn stops<B>(sown: &Sown<B>, store: u8, rules: &Rules) -> bool {
    (store >= MAJORITY && !rules.play_on) || sown.ends_by_slam(rules)
}

/// Counts sequences with the fast board; leaves are counted in bulk, and the moves of the last
/// two plies are made without a call.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    from_position(position, depth, fast)
}

/// Counts sequences with the fast board, making every leaf.
#[must_use]
pub fn perft_visiting(position: &Position, depth: u32) -> u64 {
    from_position(position, depth, fast_visiting)
}

/// The counts of [`perft`] below each legal move, from the mover's left to his right.
/// At depth 0 there is nothing to divide.
#[must_use]
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves = position.legal_moves().iter();
    moves.map(|mv| (mv, perft_after(position, mv, depth - 1))).collect()
}

/// The count below one legal move: also where the move ends the game by a slam, which the
/// position after it does not show.
fn perft_after(position: &Position, mv: Move, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let outcome = position.outcome(mv);
    if outcome.ending.is_some() { 0 } else { perft(&outcome.after, depth) }
}

fn mover_stores(position: &Position) -> [u8; 2] {
    let mover: Side = position.to_move();
    [position.store(mover).get(), position.store(mover.other()).get()]
}

fn from_position(
    position: &Position,
    depth: u32,
    count: impl Fn(Board, [u8; 2], &Rules, u32) -> u64,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.ending().is_some() {
        return 0;
    }
    count(position.board(), mover_stores(position), position.rules(), depth)
}

/// Counts sequences on any board, leaves in bulk. `stores` are the mover's and the opponent's;
/// the game must not be over by them.
#[must_use]
pub fn perft_board<B: SowingBoard>(board: B, stores: [u8; 2], rules: &Rules, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => board.legal(rules).len() as u64,
        _ => inner(board, stores, rules, depth, perft_board::<B>),
    }
}

/// Counts sequences on any board, making every leaf.
#[must_use]
pub fn perft_board_visiting<B: SowingBoard>(
    board: B,
    stores: [u8; 2],
    rules: &Rules,
    depth: u32,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    inner(board, stores, rules, depth, perft_board_visiting::<B>)
}

/// One ply: makes each move and counts below it. With one ply left the game may end by it.
#[inline]
fn inner<B: SowingBoard>(
    board: B,
    [mine, theirs]: [u8; 2],
    rules: &Rules,
    depth: u32,
    below: impl Fn(B, [u8; 2], &Rules, u32) -> u64,
) -> u64 {
    let mut nodes = 0;
    for mv in board.legal(rules) {
        let sown = board.sow(mv, rules);
        let mine = mine + sown.captured;
        if depth > 1 && stops(&sown, mine, rules) {
            continue;
        }
        nodes += below(sown.board, [theirs + sown.given, mine], rules, depth - 1);
    }
    nodes
}

/// The fast board's own way.
pub(crate) fn fast(board: Board, stores: [u8; 2], rules: &Rules, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => board.count_legal(rules) as u64,
        2 => last_two(board, stores[0], rules),
        _ => {
            fast_inner(board, stores, rules, |board, stores| fast(board, stores, rules, depth - 1))
        }
    }
}

/// The fast board's way of making every leaf: those of the last ply are made without a call
/// each. The boards and the captures are wanted, though nobody looks at them.
fn fast_visiting(board: Board, stores: [u8; 2], rules: &Rules, depth: u32) -> u64 {
    if depth > 1 {
        return fast_inner(board, stores, rules, |board, stores| {
            fast_visiting(board, stores, rules, depth - 1)
        });
    }
    let mut leaves = 0;
    let mut captured = 0;
    for_each_origin(board, rules, |origin| {
        let sown = board.sow_origin(origin, rules);
        black_box(sown.board);
        captured += u32::from(sown.captured);
        leaves += 1;
    });
    black_box(captured);
    leaves
}

#[inline]
fn for_each_origin(board: Board, rules: &Rules, mut each: impl FnMut(u32)) {
    let mut origins = board.origins(rules);
    while origins != 0 {
        each(origins.trailing_zeros());
        origins &= origins - 1;
    }
}

/// One ply that is not the last.
#[inline]
fn fast_inner(
    board: Board,
    [mine, theirs]: [u8; 2],
    rules: &Rules,
    below: impl Fn(Board, [u8; 2]) -> u64,
) -> u64 {
    let mut nodes = 0;
    for_each_origin(board, rules, |origin| {
        let sown = board.sow_origin(origin, rules);
        let mine = mine + sown.captured;
        if !stops(&sown, mine, rules) {
            nodes += below(sown.board, [theirs, mine]);
        }
    });
    nodes
}

/// The last two plies: the replies to each move are only counted.
#[inline]
fn last_two(board: Board, mine: u8, rules: &Rules) -> u64 {
    let mut nodes = 0;
    for_each_origin(board, rules, |origin| {
        let sown = board.sow_origin(origin, rules);
        if !stops(&sown, mine + sown.captured, rules) {
            nodes += sown.board.count_legal(rules) as u64;
        }
    });
    nodes
}

/// What [`perft_detailed`] counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerftCounts {
    /// Sequences of exactly this many plies.
    pub nodes: u64,
    /// How many of them end in a finished game.
    pub ended: u64,
    /// How many of the last plies were grand slams, whatever came of them.
    pub slams: u64,
}

impl AddAssign for PerftCounts {
    fn add_assign(&mut self, more: PerftCounts) {
        self.nodes += more.nodes;
        self.ended += more.ended;
        self.slams += more.slams;
    }
}

impl Sum for PerftCounts {
    fn sum<I: Iterator<Item = PerftCounts>>(counts: I) -> PerftCounts {
        counts.fold(PerftCounts::default(), |mut sum, more| {
            sum += more;
            sum
        })
    }
}

/// Counts sequences, finished games among their ends, and grand slams among their last plies.
#[must_use]
pub fn perft_detailed(position: &Position, depth: u32) -> PerftCounts {
    let mut counts = PerftCounts::default();
    if depth == 0 {
        counts.nodes = 1;
        counts.ended = u64::from(position.ending().is_some());
        return counts;
    }
    for mv in position.legal_moves() {
        let outcome = position.outcome(mv);
        if depth == 1 {
            counts += PerftCounts {
                nodes: 1,
                ended: u64::from(outcome.ending.is_some()),
                slams: u64::from(outcome.grand_slam),
            };
        } else if outcome.ending.is_none() {
            counts += perft_detailed(&outcome.after, depth - 1);
        }
    }
    counts
}
