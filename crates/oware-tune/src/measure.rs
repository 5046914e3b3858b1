//! Measurements of the engine and of what tables make of it: each is one command, seeded, and
//! prints what it found. The tests are the same measurements on a small scale.

mod adversary;
mod depth;
mod differ;
mod lost;
mod memory;
mod positions;
mod selfplay;
mod sure;
#[cfg(test)]
mod tests;
mod truth;

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use clap::Subcommand;
use oware_app::InMemory;
use oware_rules::Rules;
use oware_search::Endgame;
use oware_tables::TableSet;

/// What can be measured.
#[derive(Subcommand)]
pub(crate) enum Measure {
    /// Counts moves that keep the exact value where tables know the board.
    Truth(truth::Options),
    /// Plays out what is proven against opponents that want to spoil it.
    Sure(sure::Options),
    /// Measures the seeds that moves without tables lose, by tables.
    Lost(lost::Options),
    /// Counts how often the search differs from its check mode at the same depth.
    Differ(differ::Options),
    /// Plays fast games under every preset and under random rules.
    Selfplay(selfplay::Options),
    /// Prints the depth reached in some time, beside a plain alpha-beta.
    Depth(depth::Options),
}

/// Runs a measurement. What it finds is printed; faults that it finds are an error.
pub(crate) fn run(measure: Measure) -> Result<()> {
    match measure {
        Measure::Truth(options) => truth::run(&options),
        Measure::Sure(options) => sure::run(&options),
        Measure::Lost(options) => lost::run(&options),
        Measure::Differ(options) => differ::run(&options),
        Measure::Selfplay(options) => selfplay::run(&options),
        Measure::Depth(options) => depth::run(&options),
    }
}

/// The even values of all boards to `most_seeds` seeds, all of which there must be.
fn even_tables(root: &Path, rules: &Rules, most_seeds: usize) -> Result<Arc<InMemory>> {
    let set = TableSet::open(root, rules.table_rules())?;
    let tables = InMemory::load(&set, most_seeds as u8, 2)?.context("there are no even tables")?;
    ensure!(
        usize::from(tables.most_seeds()) == most_seeds,
        "the tables reach to {} seeds, expected {most_seeds}",
        tables.most_seeds(),
    );
    Ok(tables)
}
