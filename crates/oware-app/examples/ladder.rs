//! Plays each level against the one below and prints a table of the steps in Elo.
//!
//! `cargo run --release -p oware-app --example ladder -- [--levels 1-12] [--pairs 200]
//! [--top-pairs 100] [--threads 2] [--seed 1] [--rules abapa] [--step 2:1]...`
//!
//! A pair is two games from one opening of random moves, with the sides changed. The error is that
//! of 95 %, from the spread of the pairs' results. `--top-pairs` is for the steps above level 9,
//! whose games take long. `--step` plays any two levels against each other.
#![allow(clippy::print_stdout, reason = "a measurement for the terminal")]

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use oware_app::{Computer, Level};
use oware_rules::{Game, Rules, Side};
use oware_search::Control;

/// Random moves from the start, one more or less by the pair.
const OPENING_PLIES: [usize; 2] = [4, 5];

struct Ask {
    steps: Vec<[Level; 2]>,
    pairs: usize,
    top_pairs: usize,
    threads: usize,
    seed: u64,
    rules: Rules,
}

/// What came of a pair of games.
#[derive(Clone, Copy, Default)]
struct Pair {
    /// Points of the upper level, 0 to 2.
    points: f64,
    /// Its seeds more than the other's.
    seeds: f64,
    draws: usize,
    plies: usize,
    /// Seconds.
    time: f64,
}

fn level(text: &str) -> Level {
    text.parse().unwrap_or_else(|expected| panic!("{text:?}: {expected}"))
}

fn number<T: std::str::FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("{text:?}: expected a number"))
}

fn read() -> Ask {
    let mut ask = Ask {
        steps: Vec::new(),
        pairs: 200,
        top_pairs: 100,
        threads: 2,
        seed: 1,
        rules: Rules::ABAPA,
    };
    let (mut low, mut high) = (Level::BOTTOM, Level::TOP);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().unwrap_or_else(|| panic!("{word}: expected a value"));
        match word.as_str() {
            "--levels" => {
                let (from, to) = value.split_once('-').expect("--levels LOW-HIGH");
                (low, high) = (level(from), level(to));
            }
            "--step" => {
                let (upper, lower) = value.split_once(':').expect("--step UPPER:LOWER");
                ask.steps.push([level(upper), level(lower)]);
            }
            "--pairs" => ask.pairs = number(&value),
            "--top-pairs" => ask.top_pairs = number(&value),
            "--threads" => ask.threads = number(&value),
            "--seed" => ask.seed = number(&value),
            "--rules" => ask.rules = value.parse().expect("--rules"),
            _ => panic!("{word}: expected --levels, --step, --pairs, --top-pairs, --threads, ..."),
        }
    }
    if ask.steps.is_empty() {
        let levels: Vec<Level> =
            Level::all().filter(|level| (low..=high).contains(level)).collect();
        ask.steps = levels.windows(2).map(|pair| [pair[1], pair[0]]).collect();
    }
    ask
}

/// A game after some random moves, the same for the same seed.
fn opening(rules: Rules, seed: u64) -> Game {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut next = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 33) as usize
    };
    loop {
        let mut game = Game::new(rules);
        for _ in 0..OPENING_PLIES[seed as usize % 2] {
            let legal = game.legal_moves();
            let Some(mv) = legal.iter().nth(next() % legal.len().max(1)) else { break };
            game.play_quick(mv).expect("a legal move of a game that runs");
        }
        // Who is far ahead by luck would win both games.
        let [south, north] = game.position().stores();
        if !game.is_over() && south.abs_diff(north) <= 2 {
            return game;
        }
    }
}

fn play_pair(ask: &Ask, [upper, lower]: [Level; 2], index: usize) -> Pair {
    let seed = ask.seed.wrapping_mul(1_000_003).wrapping_add(index as u64);
    let begun = Instant::now();
    let mut pair = Pair::default();
    for side in Side::BOTH {
        let mut game = opening(ask.rules, seed);
        loop {
            let level = if game.position().to_move() == side { upper } else { lower };
            let choice = Computer::new(level, seed).choose(&game, None, &Control::new());
            let Some(choice) = choice else { break };
            game.play_quick(choice.house.as_move()).expect("a legal move");
        }
        let ending = game.ending().expect("a game that is over");
        pair.points += match ending.winner {
            Some(winner) if winner == side => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        };
        pair.draws += usize::from(ending.winner.is_none());
        pair.seeds += ending.score.of(side).seeds() - ending.score.of(side.other()).seeds();
        pair.plies += game.plies().len();
    }
    pair.time = begun.elapsed().as_secs_f64();
    pair
}

fn play_step(ask: &Ask, step: [Level; 2]) -> Vec<Pair> {
    let wanted = if step[0].number() > 9 { ask.top_pairs } else { ask.pairs };
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..ask.threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= wanted {
                        break;
                    }
                    let pair = play_pair(ask, step, index);
                    done.lock().expect("no thread panicked").push((index, pair));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no thread panicked");
    // The same sums whoever was first.
    done.sort_by_key(|&(index, _)| index);
    done.into_iter().map(|(_, pair)| pair).collect()
}

fn elo(score: f64) -> f64 {
    let score = score.clamp(1e-3, 1.0 - 1e-3);
    400.0 * (score / (1.0 - score)).log10()
}

fn print_step([upper, lower]: [Level; 2], pairs: &[Pair]) {
    let count = pairs.len() as f64;
    let mean = |of: &dyn Fn(&Pair) -> f64| pairs.iter().map(of).sum::<f64>() / count;
    let score = mean(&|pair| pair.points / 2.0);
    let variance = mean(&|pair| (pair.points / 2.0 - score).powi(2));
    let error = 1.96 * (variance / (count - 1.0).max(1.0)).sqrt();
    println!(
        "| {upper} : {lower} | {} | {:.1} % | {:.1} % | {:+.0} | {:+.0} to {:+.0} | {:+.1} | \
         {:.0} | {:.2} |",
        2 * pairs.len(),
        100.0 * score,
        100.0 * mean(&|pair| pair.draws as f64 / 2.0),
        elo(score),
        elo(score - error),
        elo(score + error),
        mean(&|pair| pair.seeds / 2.0),
        mean(&|pair| pair.plies as f64 / 2.0),
        mean(&|pair| pair.time / 2.0),
    );
}

fn main() {
    let ask = read();
    println!(
        "| step | games | score | drawn | Elo | 95 % | seeds a game | plies | seconds a game |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for &step in &ask.steps {
        print_step(step, &play_step(&ask, step));
    }
}
