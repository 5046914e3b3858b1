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

use anyhow::Result;
use clap::Subcommand;

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
