//! A build by many parts, computed and not made: balance, traffic, memory and time.
//!
//! The index and the moves are the real ones. What depends on rows alone is counted: boards,
//! moves and captures of each part, even at 48 seeds. Who is told of a board, and which rows a
//! part needs, is found by taking moves back from a sample of boards.

mod before;
mod counts;
mod draw;
mod layer;
mod plan;
mod profile;
mod sharing;
mod time;

pub use layer::{LayerShares, Spread};
pub use plan::{RankPlan, RankPlanError, plan_ranks};
pub use profile::{Profile, RoundShares};
pub use sharing::Sharing;
pub use time::{Cluster, Prediction, predict};

use layer::Simulator;
use oware_rules::TableRules;

/// Layers up to this one are looked at whole where no sample is asked for.
pub const MOST_WHOLE: usize = 16;

/// What is to be simulated.
#[derive(Clone, Copy, Debug)]
pub struct SimulateJob<'a> {
    /// The rules.
    pub rules: TableRules,
    /// The highest layer.
    pub layers: usize,
    /// Numbers of parts.
    pub parts: &'a [usize],
    /// Boards of a layer to look at; `None` for all.
    pub sample: Option<u64>,
    /// Seed of the sample.
    pub seed: u64,
}

/// Why nothing was simulated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SimulateError {
    /// More parts than can be told apart, or none.
    #[error("parts: expected 1 to 65535, got {0}")]
    Parts(usize),
    /// More seeds than there are.
    #[error("layers: expected 0 to 48, got {0}")]
    Layers(usize),
    /// Nothing to look at.
    #[error("sample: expected 1 or more boards")]
    NoSample,
    /// Too many boards to look at all.
    #[error("sample: layer {0} has too many boards to look at all; layers to {MOST_WHOLE} can be")]
    TooLarge(usize),
}

impl SimulateJob<'_> {
    /// # Errors
    /// When a field is out of its range.
    pub fn check(&self) -> Result<(), SimulateError> {
        if let Some(&parts) = self.parts.iter().find(|parts| !(1..=65_535).contains(*parts)) {
            return Err(SimulateError::Parts(parts));
        }
        if self.layers > oware_tables::MOST_SEEDS {
            return Err(SimulateError::Layers(self.layers));
        }
        match self.sample {
            Some(0) => Err(SimulateError::NoSample),
            None if self.layers > MOST_WHOLE => Err(SimulateError::TooLarge(self.layers)),
            _ => Ok(()),
        }
    }
}

/// Compares ways to share out the highest layer: for each number of parts all [`Sharing`]s.
///
/// # Errors
/// When a field of the job is out of its range.
pub fn compare(job: &SimulateJob<'_>) -> Result<Vec<LayerShares>, SimulateError> {
    job.check()?;
    let simulator = Simulator::new(counts::Counts::new(job.rules, job.layers), job.layers);
    let ways: Vec<(Sharing, usize)> = job
        .parts
        .iter()
        .flat_map(|&parts| Sharing::all().into_iter().map(move |sharing| (sharing, parts)))
        .collect();
    Ok(simulator.layer(job.layers, &ways, job.sample, job.seed))
}

/// All layers to the highest, each as [`Partition::new`](crate::partition::Partition::new) shares
/// it out, for each number of parts. `tell` is called with every layer, from 0 up. Layers smaller
/// than the sample are looked at whole.
///
/// # Errors
/// When a field of the job is out of its range.
pub fn all_layers(
    job: &SimulateJob<'_>,
    mut tell: impl FnMut(Vec<LayerShares>),
) -> Result<(), SimulateError> {
    job.check()?;
    let simulator = Simulator::new(counts::Counts::new(job.rules, job.layers), job.layers);
    let ways: Vec<_> = job.parts.iter().map(|&parts| (Sharing::Default, parts)).collect();
    for seeds in 0..=job.layers {
        tell(simulator.layer(seeds, &ways, job.sample, job.seed));
    }
    Ok(())
}

/// Solves the layers to `seeds`, at most [`MOST_SOLVED`], to see what rounds are like.
///
/// # Errors
/// When the system has no more memory.
pub fn profile(rules: TableRules, seeds: usize) -> Result<Profile, crate::solve::SolveError> {
    Profile::new(rules, seeds.min(MOST_SOLVED))
}

/// The highest layer that is solved for its rounds.
pub const MOST_SOLVED: usize = 18;
