//! How scores of the engine turn into results: fits the widths of `oware_search::chances` to games
//! that the engine plays against itself.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::Result;
use oware_rules::{Game, Rules, Side, SowingBoard};
use oware_search::{Control, Engine, Limits, Options};

use crate::random::Random;

/// Plies that are random at the beginning of a game.
const RANDOM_PLIES: usize = 8;

/// What a search said of a position, and how the game ended for its mover.
#[derive(Clone, Copy)]
pub(crate) struct Seen {
    score: f64,
    seeds: f64,
    /// 1 won, 0 drawn, -1 lost.
    result: i8,
}

/// Plays games at so many positions a move.
///
/// # Errors
/// When there is no memory for a transposition table.
pub(crate) fn games(number: usize, nodes: u64, seed: u64, threads: usize) -> Result<Vec<Seen>> {
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1))
            .map(|_| {
                scope.spawn(|| -> Result<()> {
                    let mut engine = Engine::new(Options::default())?;
                    loop {
                        let game = next.fetch_add(1, Ordering::Relaxed);
                        if game >= number {
                            return Ok(());
                        }
                        let seen = play(&mut engine, nodes, seed.wrapping_add(game as u64));
                        all.lock().unwrap_or_else(std::sync::PoisonError::into_inner).extend(seen);
                    }
                })
            })
            .collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
    })?;
    Ok(all.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
}

fn play(engine: &mut Engine, nodes: u64, seed: u64) -> Vec<Seen> {
    let mut random = Random::new(seed);
    let mut game = Game::new(Rules::ABAPA);
    for _ in 0..RANDOM_PLIES {
        let legal: Vec<_> = game.legal_moves().iter().collect();
        if !legal.is_empty() {
            let _ = game.play_quick(legal[random.below(legal.len())]);
        }
    }
    engine.clear();
    let mut seen = Vec::new();
    while !game.is_over() {
        let report = engine.search(&game, &Limits::nodes(nodes), &Control::new(), &mut |_| {});
        let Some(best) = report.best() else { break };
        let position = game.position();
        let board = position.board();
        let seeds = f64::from(board.total());
        seen.push((position.to_move(), f64::from(report.score().hundredths()), seeds));
        let _ = game.play_quick(best);
    }
    let winner = game.ending().and_then(|ending| ending.winner);
    let result = |side: Side| winner.map_or(0, |winner| if winner == side { 1 } else { -1 });
    let seen = seen.into_iter();
    seen.map(|(side, score, seeds)| Seen { score, seeds, result: result(side) }).collect()
}

/// The widths `a + b * sqrt(seeds)` under which the results were most likely, and the mean
/// logarithm of the likelihood: (a, b, log).
pub(crate) fn fit(seen: &[Seen]) -> (f64, f64, f64) {
    let log = |a: f64, b: f64| {
        let sum: f64 =
            seen.iter().map(|seen| likelihood(seen, a + b * seen.seeds.sqrt()).ln()).sum();
        sum / seen.len() as f64
    };
    let grid =
        (0..=20).flat_map(|a| (0..=40).map(move |b| (f64::from(a) * 10.0, f64::from(b) * 2.5)));
    grid.skip(1)
        .map(|(a, b)| (a, b, log(a, b)))
        .max_by(|x, y| x.2.total_cmp(&y.2))
        .unwrap_or_default()
}

fn likelihood(seen: &Seen, width: f64) -> f64 {
    let above = |limit: f64| 1.0 / (1.0 + ((limit - seen.score) / width.max(1.0)).exp());
    let chance = match seen.result {
        1 => above(100.0),
        0 => above(-100.0) - above(100.0),
        _ => 1.0 - above(-100.0),
    };
    chance.max(1e-6)
}
