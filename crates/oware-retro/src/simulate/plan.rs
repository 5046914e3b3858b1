//! What a build by some number of ranks will take, and whether it fits.

use oware_rules::TableRules;

use super::layer::Simulator;
use super::profile::Profile;
use super::time::{Cluster, Prediction, predict};
use super::{Sharing, SimulateError, SimulateJob, counts::Counts};
use crate::plan::{DoesNotFit, bytes};
use crate::solve::SolveError;

/// Boards of a layer that are looked at: enough for figures of three digits.
const SAMPLE: u64 = 20_000;
/// The layer whose rounds are measured: solved in a second.
const MODEL: usize = 13;
const SEED: u64 = 1;
/// The most parts that are looked at for what would fit.
const MOST_PARTS: usize = 4096;

/// A build by several ranks.
pub struct RankPlan {
    simulator: Simulator,
    profile: Profile,
    cluster: Cluster,
    parts: usize,
    /// By seeds, from 0.
    pub layers: Vec<Prediction>,
}

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
pub enum RankPlanError {
    /// A field is out of its range.
    #[error(transparent)]
    Simulate(#[from] SimulateError),
    /// The small layers could not be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// Plans a build of even values by `parts` ranks.
///
/// # Errors
/// When there are more than 48 layers or no part, and when there is too little memory to plan.
pub fn plan_ranks(
    rules: TableRules,
    layers: usize,
    parts: usize,
    cluster: Cluster,
) -> Result<RankPlan, RankPlanError> {
    let sample = Some(SAMPLE);
    SimulateJob { rules, layers, parts: &[parts], sample, seed: SEED }.check()?;
    let simulator = Simulator::new(Counts::new(rules, layers), layers);
    let profile = Profile::new(rules, layers.min(MODEL))?;
    let mut plan = RankPlan { simulator, profile, cluster, parts, layers: Vec::new() };
    plan.layers = (0..=layers).filter_map(|seeds| plan.layer(seeds, parts)).collect();
    Ok(plan)
}

impl RankPlan {
    fn layer(&self, seeds: usize, parts: usize) -> Option<Prediction> {
        let ways = [(Sharing::Default, parts)];
        let shares = self.simulator.layer(seeds, &ways, Some(SAMPLE), SEED);
        Some(predict(shares.first()?, &self.profile, &self.cluster))
    }

    /// All layers together.
    #[must_use]
    pub fn all(&self) -> Prediction {
        self.layers.iter().fold(Prediction::default(), |all, &layer| all.and(layer))
    }

    /// Holds the plan against the memory of a rank, bytes.
    ///
    /// # Errors
    /// When it does not fit, with what would: more ranks, or fewer layers.
    pub fn check(&self, memory: Option<u64>) -> Result<(), DoesNotFit> {
        let needed = self.all().memory();
        let Some(available) = memory.filter(|&memory| needed > memory as f64) else {
            return Ok(());
        };
        let fits = |layer: &Prediction| layer.memory() <= available as f64;
        let top = self.layers.len().saturating_sub(1);
        let more = std::iter::successors(Some(self.parts * 2), |parts| Some(parts * 2))
            .take_while(|&parts| parts <= MOST_PARTS)
            .find(|&parts| self.layer(top, parts).is_some_and(|layer| fits(&layer)));
        let fewer = self.layers.iter().take_while(|layer| fits(layer)).count();
        let fewer = match fewer.checked_sub(1) {
            Some(seeds) => format!("--layers {seeds} would fit"),
            None => "not even layer 0 would fit".to_owned(),
        };
        let instead = match more {
            Some(parts) => format!("--ranks {parts} would fit, or {fewer}"),
            None => fewer,
        };
        Err(DoesNotFit {
            what: "memory of a rank",
            needed: bytes(needed as u64),
            available: bytes(available),
            instead,
        })
    }
}
