//! Fits the evaluation of the engine: gathers boards, labels them, trains models, tests them.
//! And measures the engine, by what is true.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool for the terminal")]

mod ahead;
mod chances;
mod commands;
mod duel;
mod errors;
mod gather;
mod judge;
mod label;
mod measure;
mod model;
mod puzzles;
mod quantise;
mod random;
mod sample;
mod train;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::model::Duos;

/// Fits the evaluation of the engine.
/// Fits the evaluation of the engine, and measures the engine.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// What guesses at the horizon of searches.
#[derive(clap::Args)]
struct Guessing {
    /// Weights of a network; without, the guess by hand.
    #[arg(long)]
    weights: Option<PathBuf>,
    /// Root of endgame tables.
    #[arg(long)]
    tables: Option<PathBuf>,
    /// The largest table used, in seeds.
    #[arg(long, default_value_t = 24)]
    most_seeds: u8,
}

#[derive(Subcommand)]
enum Command {
    /// Plays fast games and writes boards without labels.
    Gather {
        /// Where to.
        out: PathBuf,
        #[command(flatten)]
        guessing: Guessing,
        /// Boards for each number of seeds.
        #[arg(long)]
        quota: usize,
        /// The fewest seeds on a board.
        #[arg(long, default_value_t = 2)]
        lowest: usize,
        /// The same seed gives the same boards.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Games, if the quota is not reached before.
        #[arg(long, default_value_t = usize::MAX)]
        games: usize,
    },
    /// Labels boards, from tables or by looking ahead.
    Label {
        /// Boards.
        boards: PathBuf,
        /// Where to.
        out: PathBuf,
        #[command(flatten)]
        guessing: Guessing,
        /// Plies to look ahead where no table reaches.
        #[arg(long, default_value_t = 8)]
        depth: u32,
        /// Whether captures are looked at beyond that.
        #[arg(long)]
        captures: bool,
        /// Fewest seeds; boards with fewer are left out.
        #[arg(long, default_value_t = 0)]
        from: usize,
        /// Most seeds; boards with more are left out.
        #[arg(long, default_value_t = 48)]
        to: usize,
        /// Takes one board of this many.
        #[arg(long, default_value_t = 1)]
        one_of: usize,
    },
    /// Labels boards, from tables or by the engine.
    Judge {
        /// Boards.
        boards: PathBuf,
        /// Where to.
        out: PathBuf,
        /// Root of endgame tables.
        #[arg(long)]
        tables: Option<PathBuf>,
        /// The largest table used, in seeds.
        #[arg(long, default_value_t = 20)]
        most_seeds: u8,
        /// Positions for a board.
        #[arg(long, default_value_t = 2000)]
        nodes: u64,
        /// Boards looked at together.
        #[arg(long, default_value_t = 2)]
        threads: usize,
        /// Takes one board of this many.
        #[arg(long, default_value_t = 1)]
        one_of: usize,
    },
    /// Plays games of the engine against itself and fits what scores mean for results.
    Chances {
        /// Games.
        #[arg(long, default_value_t = 2000)]
        games: usize,
        /// Positions for a move.
        #[arg(long, default_value_t = 5000)]
        nodes: u64,
        /// The same seed gives the same games.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Games at once.
        #[arg(long, default_value_t = 2)]
        threads: usize,
    },
    /// Trains a model and tests it on every twentieth sample, which it does not see.
    Train {
        /// Samples.
        #[arg(required = true)]
        samples: Vec<PathBuf>,
        /// Hidden units: 0, or a multiple of 8.
        #[arg(long, default_value_t = 32)]
        hidden: usize,
        /// Leaves out the linear part of a network.
        #[arg(long)]
        no_linear: bool,
        /// Squares hidden units.
        #[arg(long)]
        squared: bool,
        /// Pairs of houses that are inputs.
        #[arg(long, value_enum, default_value_t = Duos::None)]
        duos: Duos,
        /// Houses that could be captured next are inputs.
        #[arg(long)]
        threats: bool,
        /// Times each sample is seen.
        #[arg(long, default_value_t = 15)]
        epochs: usize,
        /// Samples between two steps.
        #[arg(long, default_value_t = 4096)]
        batch: usize,
        /// Length of the first steps.
        #[arg(long, default_value_t = 0.003)]
        rate: f32,
        /// From which error on it counts by its size only, in seeds.
        #[arg(long, default_value_t = 100.0)]
        bend: f32,
        /// The same seed gives the same weights.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Where to write the weights in whole numbers, for the engine.
        #[arg(long)]
        out: Option<PathBuf>,
        /// Where to write the model in floating point.
        #[arg(long)]
        model: Option<PathBuf>,
    },
    /// Writes a model in whole numbers, for the engine.
    Export {
        /// A model in floating point.
        model: PathBuf,
        /// Where to.
        out: PathBuf,
    },
    /// Plays pairs of games between two networks (`hand`: the guess by hand).
    Duel {
        /// Weights of the first player.
        first: PathBuf,
        /// Weights of the second player.
        second: PathBuf,
        /// Root of endgame tables that end the games.
        #[arg(long)]
        tables: Option<PathBuf>,
        /// The largest table used, in seeds.
        #[arg(long, default_value_t = 24)]
        most_seeds: u8,
        /// Pairs of games.
        #[arg(long, default_value_t = 200)]
        pairs: usize,
        /// Positions for a move.
        #[arg(long, default_value_t = 0)]
        nodes: u64,
        /// Milliseconds for a move.
        #[arg(long, default_value_t = 0)]
        milliseconds: u64,
        /// The first player looks at captures beyond the horizon.
        #[arg(long)]
        first_captures: bool,
        /// The second player does.
        #[arg(long)]
        second_captures: bool,
        /// The same seed gives the same openings.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Composes endgame puzzles of which tables prove that one move alone keeps the result.
    Puzzles(puzzles::Puzzles),
    #[command(flatten)]
    Measure(measure::Measure),
}

fn main() -> Result<()> {
    commands::run(Arguments::parse().command)
}
