//! How often the ordinary search differs from the check mode at the same depth.

use anyhow::{Context, Result, ensure};
use oware_rules::{Game, MoveSet};
use oware_search::{Engine, Limits, Options as EngineOptions, Parts};

use super::positions;
use crate::random::Random;

/// What is asked.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The least depth, in plies.
    #[arg(long, default_value_t = 6)]
    from: u32,
    /// The greatest depth, in plies. The check mode takes about three times as long for each more.
    #[arg(long, default_value_t = 10)]
    to: u32,
    /// Parts of the ordinary search that are switched off, with `+` between.
    #[arg(long, default_value = "", value_parser = Parts::all_but)]
    without: Parts,
    /// Sets of positions: each has 7 under every preset.
    #[arg(long, default_value_t = 1)]
    sets: usize,
    /// The same seed gives the same positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What was found at one depth.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Differences {
    pub(crate) positions: usize,
    /// Another value of the position.
    pub(crate) values: usize,
    /// Hundredths of a seed between the values.
    pub(crate) apart: f64,
    /// Another move.
    pub(crate) moves: usize,
    /// Another move that the check mode holds for worse, and by how many hundredths in all.
    pub(crate) worse: usize,
    pub(crate) given_up: f64,
}

/// The ordinary search with some parts, and the check mode.
pub(crate) fn engines(parts: Parts) -> Result<[Engine; 2]> {
    let ordinary = Engine::new(EngineOptions { parts, ..EngineOptions::default() })?;
    let check = EngineOptions { check: true, hash_mib: 1, ..EngineOptions::default() };
    Ok([ordinary, Engine::new(check)?])
}

/// Compares both at one depth.
pub(crate) fn compare(
    engines: &mut [Engine; 2],
    games: &[Game],
    depth: u32,
) -> Result<Differences> {
    let mut found = Differences::default();
    let limits = Limits::depth(depth);
    for game in games {
        let [ordinary, check] = engines;
        ordinary.clear();
        let seen = positions::quietly(ordinary, game, &limits);
        let sound = positions::quietly(check, game, &limits);
        found.positions += 1;
        let apart = (seen.score() - sound.score()).hundredths().abs();
        found.values += usize::from(apart > 0);
        found.apart += f64::from(apart);
        if seen.best() != sound.best() {
            found.moves += 1;
            let mv = seen.best().context("a running game has a move")?;
            let moves = Some([mv].into_iter().collect::<MoveSet>());
            let of_move = positions::quietly(check, game, &Limits { moves, ..limits.clone() });
            let given_up = (sound.score() - of_move.score()).hundredths();
            ensure!(given_up >= 0, "the check mode passed over {mv}: {}", positions::told(game));
            found.worse += usize::from(given_up > 0);
            found.given_up += f64::from(given_up);
        }
    }
    Ok(found)
}

/// Measures and prints.
pub(crate) fn run(options: &Options) -> Result<()> {
    ensure!(options.from <= options.to, "from: expected at most {}", options.to);
    let mut random = Random::new(options.seed);
    let games: Vec<Game> = (0..options.sets).flat_map(|_| positions::mixed(&mut random)).collect();
    let mut engines = engines(options.without)?;
    println!(
        "{} positions, without {:?}, seed {}\n",
        games.len(),
        options.without.to_string(),
        options.seed
    );
    println!(
        "| depth | positions | other value | % | mean difference, seeds | other move | % | worse \
         move | % | mean loss, seeds |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for depth in options.from..=options.to {
        let found = compare(&mut engines, &games, depth)?;
        let count = found.positions as f64;
        let share = |number: usize| 100.0 * number as f64 / count;
        println!(
            "| {depth} | {} | {} | {:.1} | {:.3} | {} | {:.1} | {} | {:.1} | {:.3} |",
            found.positions,
            found.values,
            share(found.values),
            found.apart / count / 100.0,
            found.moves,
            share(found.moves),
            found.worse,
            share(found.worse),
            found.given_up / count / 100.0,
        );
    }
    Ok(())
}
