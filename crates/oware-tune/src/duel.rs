//! Games between two guesses at the horizon, by the same search: pairs of games from random
//! openings, sides swapped.

use std::time::{Duration, Instant};

use oware_app::InMemory;
use oware_rules::{Board, SowingBoard};

use crate::ahead::{Ahead, RULES, Until};
use crate::label::exact;
use crate::random::Random;

/// No game goes on for longer.
const LONGEST: usize = 400;
/// No search looks further.
const DEEPEST: u32 = 60;

/// What a player may use for a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Positions; 0 for no limit.
    pub(crate) nodes: u64,
    /// Time; zero for no limit.
    pub(crate) time: Duration,
}

/// Results of pairs for the first player.
#[derive(Clone, Debug, Default)]
pub(crate) struct Score {
    wins: usize,
    draws: usize,
    losses: usize,
    /// Points of each pair, 0 to 2.
    pairs: Vec<f64>,
    /// Seeds more than the second player, summed over each pair.
    seeds: Vec<f64>,
    /// Sum of the depths reached, and number of moves, for both players.
    depths: [(f64, f64); 2],
}

/// The mean, and twice its standard error.
fn mean(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let square: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    (mean, 2.0 * (square / (count - 1.0)).sqrt() / count.sqrt())
}

fn elo(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

impl Score {
    /// In words, with error bars of two standard errors over pairs.
    pub(crate) fn tell(&self) -> String {
        let (points, error) = mean(&self.pairs);
        let (seeds, seeds_error) = mean(&self.seeds);
        let share = points / 2.0;
        let depth = self.depths.map(|(sum, moves)| sum / moves);
        format!(
            "+{} ={} -{}, share {share:.3}, Elo {:+.0} ({:+.0}..{:+.0}), seeds a game {:+.2} +- \
             {:.2}, mean depth {:.2} to {:.2}",
            self.wins,
            self.draws,
            self.losses,
            elo(share),
            elo(share - error / 2.0),
            elo(share + error / 2.0),
            seeds / 2.0,
            seeds_error / 2.0,
            depth[0],
            depth[1],
        )
    }

    fn add(&mut self, seeds: i32) {
        match seeds.signum() {
            1 => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
    }
}

/// The board after some random moves from the start; `None` if the game is short.
fn opening(random: &mut Random) -> Board {
    let mut board = Board::START;
    for _ in 0..4 + random.below(7) {
        let legal = board.legal(&RULES);
        if let Some(mv) = legal.iter().nth(random.below(legal.len().max(1))) {
            board = board.sow(mv, &RULES).board;
        }
    }
    board
}

/// One player: a search by one guess.
pub(crate) type Player<'a> = Ahead<'a, Box<dyn Fn(Board) -> i32>>;

/// Plays a pair of games.
pub(crate) fn pair(
    players: &mut [Player<'_>; 2],
    effort: Effort,
    judge: Option<&InMemory>,
    random: &mut Random,
    score: &mut Score,
) {
    let board = opening(random);
    let mut both = [0; 2];
    for (first, seeds) in both.iter_mut().enumerate() {
        let sign = if first == 0 { 1 } else { -1 };
        *seeds = sign * game(players, first, board, effort, judge, &mut score.depths);
        score.add(*seeds);
    }
    score.pairs.push(both.iter().map(|seeds| f64::from(seeds.signum() + 1) / 2.0).sum());
    score.seeds.push(f64::from(both[0] + both[1]));
}

/// Plays a game and gives the final difference of stores for who begins.
fn game(
    players: &mut [Player<'_>; 2],
    first: usize,
    mut board: Board,
    effort: Effort,
    judge: Option<&InMemory>,
    depths: &mut [(f64, f64); 2],
) -> i32 {
    let mut ahead = 0;
    let mut sign = 1;
    let mut since_capture = vec![board];
    for ply in 0..LONGEST {
        if let Some(value) = judge.and_then(|tables| exact(tables, board)) {
            return ahead + sign * i32::from(value) / 100;
        }
        let player = (first + ply) % 2;
        let until = Until {
            depth: DEEPEST,
            nodes: effort.nodes,
            time: (effort.time > Duration::ZERO).then(|| Instant::now() + effort.time),
        };
        let (mv, _, depth) = players[player].search(board, until);
        let Some(mv) = mv else { break };
        if depth > 0 {
            depths[player].0 += f64::from(depth);
            depths[player].1 += 1.0;
        }
        let sown = board.sow(mv, &RULES);
        board = sown.board;
        ahead += sign * i32::from(sown.captured);
        sign = -sign;
        if sown.captured > 0 {
            since_capture.clear();
        }
        // The same board with the same player to move: a loop, each his own row.
        let same = since_capture.iter().rev().skip(1).step_by(2).any(|&other| other == board);
        since_capture.push(board);
        if same {
            break;
        }
    }
    ahead + sign * (i32::from(board.mover_total()) - i32::from(board.opponent_total()))
}
