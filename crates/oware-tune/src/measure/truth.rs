//! Whether moves keep the exact value of the tables' own game: played to the last seed, endless
//! play sharing what is left evenly.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use oware_app::{InMemory, Knowledge, Thinker};
use oware_rules::{Board, Game, LoopSplit, Repetition, Rules, SowingBoard};
use oware_search::{Control, Endgame, Limits};
use oware_tables::{Houses, Layer};

use super::positions;
use crate::random::Random;

/// What is asked.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Root of endgame tables: `even` values and distances.
    #[arg(long)]
    tables: PathBuf,
    /// Rules of the tables; loops are shared evenly and play goes on to the last seed.
    #[arg(long, default_value = "abapa")]
    rules: Rules,
    /// All boards up to so many seeds.
    #[arg(long, default_value_t = 8)]
    all_to: usize,
    /// Random boards beyond, up to so many seeds.
    #[arg(long, default_value_t = 16)]
    to: usize,
    /// How many random boards.
    #[arg(long, default_value_t = 100_000)]
    random: usize,
    /// Positions a move may look at.
    #[arg(long, default_value_t = 500)]
    nodes: u64,
    /// The same seed gives the same boards.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// Boards with a move.
    pub(crate) boards: usize,
    /// Boards whose mover had only one move.
    pub(crate) single: usize,
    /// Where the value was lost.
    pub(crate) lost: Vec<String>,
}

/// The rules of the tables' own game.
pub(crate) fn own_game(rules: Rules) -> Rules {
    Rules {
        loop_split: LoopSplit::Even,
        repetition: Repetition::new(2),
        capture_free_limit: None,
        play_on: true,
        ..rules
    }
}

/// The boards of all layers up to one, then random ones.
pub(crate) fn boards(
    all_to: usize,
    to: usize,
    number: usize,
    random: &mut Random,
) -> impl Iterator<Item = Houses> {
    let drawn = (0..number).map(move |_| {
        let seeds = all_to + 1 + random.below(to - all_to);
        positions::houses(random, seeds)
    });
    (0..=all_to).flat_map(|seeds| Layer::new(seeds).boards()).chain(drawn)
}

/// Looks at the moves of a player on some boards.
pub(crate) fn check(
    player: &mut Thinker,
    truth: &InMemory,
    rules: Rules,
    nodes: u64,
    random: &mut Random,
    boards: impl Iterator<Item = Houses>,
) -> Result<Kept> {
    let mut kept = Kept::default();
    let limits = Limits::nodes(nodes);
    for houses in boards {
        let game = Game::from_position(positions::position(random, houses, rules));
        let board = Board::from_houses(houses)?;
        if game.is_over() {
            continue;
        }
        kept.boards += 1;
        kept.single += usize::from(game.legal_moves().len() == 1);
        let value = truth.value(board).context("the tables do not reach so far")?;
        let thought = player.think(&game, &limits, &Control::new(), &mut |_| {});
        let played = thought.best.filter(|&mv| game.legal_moves().contains(mv));
        let after = played.and_then(|mv| positions::value_of_move(truth, board, mv, &rules));
        if after != Some(i32::from(value)) {
            kept.lost.push(format!(
                "{}: value {value}, {:?} by {:?} is worth {after:?}",
                positions::told(&game),
                thought.best,
                thought.origin,
            ));
        }
    }
    Ok(kept)
}

/// Two players: tables choose at the root and serve the leaves, or serve the leaves alone.
pub(crate) fn players(
    knowledge: Knowledge,
    leaves: &Arc<InMemory>,
) -> Result<[(&'static str, Thinker); 2]> {
    let player = |knowledge| {
        let mut player = Thinker::new(oware_search::Options::default())?;
        player.engine().set_endgame(Some(leaves.clone()));
        player.set_knowledge(knowledge);
        anyhow::Ok(player)
    };
    let (both, alone) = (player(Some(knowledge))?, player(None)?);
    Ok([("tables at the root and the leaves", both), ("tables at the leaves alone", alone)])
}

/// Measures and prints.
pub(crate) fn run(options: &Options) -> Result<()> {
    ensure!(options.all_to < options.to, "to: expected more than {} seeds", options.all_to);
    let rules = own_game(options.rules);
    let truth = super::even_tables(&options.tables, &rules, options.to)?;
    let knowledge = Knowledge::open(&options.tables, &rules)?;
    println!(
        "rules {rules}, all boards to {} seeds, {} random ones to {}, {} nodes, seed {}",
        options.all_to, options.random, options.to, options.nodes, options.seed
    );
    let mut lost = 0;
    for (name, mut player) in players(knowledge, &truth)? {
        let mut drawn = Random::new(options.seed);
        let boards = boards(options.all_to, options.to, options.random, &mut drawn);
        let mut random = Random::new(options.seed ^ 1);
        let kept = check(&mut player, &truth, rules, options.nodes, &mut random, boards)?;
        println!(
            "{name}: {} boards ({} with a single move), value kept {}, lost {}",
            kept.boards,
            kept.single,
            kept.boards - kept.lost.len(),
            kept.lost.len()
        );
        kept.lost.iter().for_each(|line| println!("  {line}"));
        lost += kept.lost.len();
    }
    ensure!(lost == 0, "{lost} moves lost the value");
    Ok(())
}
