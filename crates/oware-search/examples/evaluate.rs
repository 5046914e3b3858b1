//! Times the guess at the horizon: nanoseconds a board, over boards of random games.
//!
//! `cargo run --release -p oware-search --example evaluate`
#![allow(clippy::print_stdout, reason = "a measurement for the terminal")]

use std::hint::black_box;
use std::time::Instant;

use oware_rules::{Board, Rules, SowingBoard};
use oware_search::eval::NETWORK;
use oware_search::plain;

/// Boards, few enough to stay in the cache of the first level beside the weights.
const BOARDS: usize = 512;
/// Looks at all boards in one stretch: short enough that some stretch is not interrupted.
const ROUNDS: usize = 40;
const STRETCHES: usize = 500;

/// Boards of random games, one after the other.
fn boards() -> Vec<Board> {
    let mut boards = Vec::new();
    let (mut board, mut state) = (Board::START, 1u64);
    while boards.len() < BOARDS {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        let legal = board.legal(&Rules::ABAPA);
        let choice = (state >> 33) as usize % legal.len().max(1);
        board =
            legal.iter().nth(choice).map_or(Board::START, |mv| board.sow(mv, &Rules::ABAPA).board);
        boards.push(board);
    }
    boards
}

fn time(name: &str, boards: &[Board], guess: impl Fn(Board) -> i32) {
    let mut best = f64::INFINITY;
    for _ in 0..STRETCHES {
        let begun = Instant::now();
        for _ in 0..ROUNDS {
            for &board in boards {
                black_box(guess(black_box(board)));
            }
        }
        let all = (ROUNDS * boards.len()) as f64;
        best = best.min(begun.elapsed().as_nanos() as f64 / all);
    }
    println!("{name}: {best:.1} ns");
}

fn main() {
    let boards = boards();
    time("nothing", &boards, |board| i32::from(board.mover_total()));
    time("by hand", &boards, |board| plain::by_hand(board).hundredths());
    time("network", &boards, |board| NETWORK.value(board));
}
