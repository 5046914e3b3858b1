//! How far one must look to see it: a plain look-ahead that counts captures and nothing else.

use oware_rules::{Board, Move, Rules, SowingBoard, Stuck};

/// Plies that are looked ahead, at most.
pub const DEEPEST: u32 = 10;

/// The fewest plies with which a look-ahead that counts captures prefers a move to every other
/// one, and goes on to prefer it with one ply more. `None` where [`DEEPEST`] is not enough.
#[must_use]
pub fn depth_needed(board: Board, mv: Move, rules: &Rules) -> Option<u32> {
    let sees = |depth| prefers(board, mv, depth, rules);
    (1..=DEEPEST).find(|&depth| sees(depth) && sees(depth + 1))
}

/// Whether a look-ahead values a move above every other one.
fn prefers(board: Board, mv: Move, depth: u32, rules: &Rules) -> bool {
    let own = after(board, mv, depth, -100, 100, rules);
    // A window of one point settles whether another move reaches the value.
    let mut others = board.legal(rules).iter().filter(|&other| other != mv);
    others.all(|other| after(board, other, depth, own - 1, own, rules) < own)
}

/// The value of a move: what it captures, less what the opponent then gains.
fn after(board: Board, mv: Move, depth: u32, alpha: i32, beta: i32, rules: &Rules) -> i32 {
    let sown = board.sow(mv, rules);
    let captured = i32::from(sown.captured);
    captured - gain(sown.board, depth - 1, captured - beta, captured - alpha, rules)
}

/// What the mover gains within some plies: alpha-beta, without any guess at the horizon.
fn gain(board: Board, depth: u32, mut alpha: i32, beta: i32, rules: &Rules) -> i32 {
    if depth == 0 {
        return 0;
    }
    let moves = board.legal(rules);
    if moves.is_empty() {
        let (own, other) = (i32::from(board.mover_total()), i32::from(board.opponent_total()));
        return match rules.stuck {
            Stuck::OwnRows => own - other,
            Stuck::OpponentTakesAll => -(own + other),
        };
    }
    let mut best = -100;
    for mv in moves {
        let value = after(board, mv, depth, alpha, beta, rules);
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    best
}
