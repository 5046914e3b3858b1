//! Fast games under every preset and under random rules: whether all end, no move is illegal, and
//! memory stays as it is.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, ensure};
use oware_app::{InMemory, Thinker};
use oware_rules::{Game, PRESETS, Rules, SowingBoard};
use oware_search::{Control, Limits};
use oware_tables::TableSet;

use super::{memory, positions};
use crate::random::Random;

/// Random moves at the beginning of a game, at most.
const MOST_RANDOM: usize = 20;
/// Plies after which a game without a rule of loops is broken off.
const WITHOUT_END: usize = 500;
/// No game with a rule of loops goes on for longer; what does is a fault.
const LONGEST: usize = 20_000;

/// What is asked.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Games under each preset, and as many under random rules.
    #[arg(long, default_value_t = 10_000)]
    games: usize,
    /// Only these rules, several with `;` between.
    #[arg(long, value_delimiter = ';')]
    rules: Vec<Rules>,
    /// Positions a move may look at; each game has a random number from a half up to this.
    #[arg(long, default_value_t = 400)]
    nodes: u64,
    /// Threads of the search.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Root of endgame tables for the leaves, where it has some of the rules.
    #[arg(long)]
    tables: Option<PathBuf>,
    /// The largest table used, in seeds.
    #[arg(long, default_value_t = 10)]
    leaves: u8,
    /// The same seed gives the same games, with one thread.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// How some games ended.
#[derive(Debug, Default)]
pub(crate) struct Ends {
    pub(crate) games: usize,
    pub(crate) plies: usize,
    pub(crate) longest: usize,
    /// Games by the reason of their end.
    pub(crate) reasons: BTreeMap<String, usize>,
    /// Games broken off under rules that know no end of loops.
    pub(crate) broken_off: usize,
    /// What must not happen.
    pub(crate) faults: Vec<String>,
}

/// Plays one game from a random opening.
pub(crate) fn game(
    player: &mut Thinker,
    rules: Rules,
    nodes: u64,
    random: &mut Random,
    ends: &mut Ends,
) {
    let mut game = Game::new(rules);
    let opening = random.below(MOST_RANDOM + 1);
    positions::stray(random, &mut game, opening);
    let limits = Limits::nodes(nodes / 2 + random.below(nodes as usize / 2 + 1) as u64);
    let loops_end = rules.repetition.is_some() || rules.capture_free_limit.is_some();
    let most = if loops_end { LONGEST } else { WITHOUT_END };
    while !game.is_over() && game.plies().len() < most {
        let best = player.think(&game, &limits, &Control::new(), &mut |_| {}).best;
        if best.is_none_or(|mv| game.play_quick(mv).is_err()) {
            ends.faults.push(format!("{best:?} is not legal: {}", positions::told(&game)));
            return;
        }
    }
    ends.games += 1;
    ends.plies += game.plies().len();
    ends.longest = ends.longest.max(game.plies().len());
    match game.ending() {
        Some(ending) => *ends.reasons.entry(ending.reason.to_string()).or_default() += 1,
        None if loops_end => {
            ends.faults.push(format!("does not end: {}", positions::told(&game)));
        }
        None => ends.broken_off += 1,
    }
    let position = game.position();
    let board = position.board();
    let seeds = board.total() + position.stores().iter().sum::<u8>();
    if seeds != oware_rules::TOTAL_SEEDS {
        ends.faults.push(format!("{seeds} seeds: {}", positions::told(&game)));
    }
}

/// A player for fast games.
pub(crate) fn player(threads: usize) -> Result<Thinker> {
    let options = oware_search::Options { hash_mib: 1, threads, ..Default::default() };
    Ok(Thinker::new(options)?)
}

fn leaves(options: &Options, rules: Rules) -> Result<Option<Arc<InMemory>>> {
    let Some(root) = &options.tables else { return Ok(None) };
    let set = TableSet::open(root, rules.table_rules())?;
    Ok(InMemory::load(&set, options.leaves, 2)?)
}

fn tell(name: &str, ends: &Ends, begun: Instant) {
    let reasons: Vec<String> =
        ends.reasons.iter().map(|(reason, games)| format!("{reason} {games}")).collect();
    println!(
        "{name}: {} games, {:.1} plies on average, longest {}; {}; broken off at {WITHOUT_END} \
         plies {}; faults {}; {:.0?}; memory {}",
        ends.games,
        ends.plies as f64 / ends.games.max(1) as f64,
        ends.longest,
        reasons.join(", "),
        ends.broken_off,
        ends.faults.len(),
        begun.elapsed(),
        memory::told(),
    );
    ends.faults.iter().for_each(|line| println!("  {line}"));
}

/// Measures and prints.
pub(crate) fn run(options: &Options) -> Result<()> {
    ensure!(options.nodes >= 2, "nodes is {}, expected 2 or more", options.nodes);
    let mut player = player(options.threads)?;
    println!(
        "{} games each, {} to {} nodes a move, {} threads, seed {}; memory {}",
        options.games,
        options.nodes / 2,
        options.nodes,
        options.threads,
        options.seed,
        memory::told()
    );
    let named: Vec<Option<Rules>> = match options.rules.is_empty() {
        true => PRESETS.map(|preset| Some(preset.rules)).into_iter().chain([None]).collect(),
        false => options.rules.iter().copied().map(Some).collect(),
    };
    let mut faults = 0;
    for (number, rules) in named.into_iter().enumerate() {
        let begun = Instant::now();
        let mut random = Random::new(options.seed ^ (number as u64) << 32);
        let known = rules.map(|rules| leaves(options, rules)).transpose()?.flatten();
        player.engine().set_endgame(known.map(|known| known as _));
        let mut ends = Ends::default();
        for played in 0..options.games {
            let rules = rules.unwrap_or_else(|| positions::rules(&mut random));
            game(&mut player, rules, options.nodes, &mut random, &mut ends);
            if played == options.games / 2 {
                eprintln!("half of the games, memory {}", memory::told());
            }
        }
        let name = rules.map_or_else(|| "random rules".to_owned(), |rules| rules.to_string());
        tell(&name, &ends, begun);
        faults += ends.faults.len();
    }
    ensure!(faults == 0, "{faults} faults");
    Ok(())
}
