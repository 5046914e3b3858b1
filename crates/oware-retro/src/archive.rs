//! What an archive is coded with: numbers that follow from other tables.
//!
//! For values it is the value of the mover's best capture, from the layers below; for distances
//! the value of the board itself.

use std::sync::atomic::AtomicBool;

use oware_tables::codec::NO_CAPTURE;
use oware_tables::{Convention, Layer};

use crate::solve::{LayerJob, SolveError, Target, first_pass, no_memory};
use crate::state::{self, Planes, Shape, value_of_code, zeroed};
use crate::storage::LowerLayers;
use crate::tables::MoveTables;

/// The value of the best capture of every board of a layer, by one convention, in index order;
/// [`NO_CAPTURE`] where the mover can capture nothing.
///
/// # Errors
/// When a lower layer cannot be read.
pub fn best_captures(
    tables: &MoveTables,
    seeds: usize,
    convention: Convention,
    lower: &dyn LowerLayers,
    threads: usize,
) -> Result<Vec<i8>, SolveError> {
    if seeds > tables.seeds() {
        return Err(SolveError::Tables { seeds, tables: tables.seeds() });
    }
    let layers: Vec<Layer> = (0..=seeds).map(Layer::new).collect();
    let shape = Shape::new(seeds, &tables.space);
    let no_memory = no_memory(seeds);
    let planes = Planes::new(&shape, false).map_err(&no_memory)?;
    let mut codes = [zeroed(layers[seeds].size() as usize).map_err(&no_memory)?];
    let job = LayerJob {
        tables,
        seeds,
        target: Target::of(convention),
        distances: false,
        threads,
        lower,
        stop: &AtomicBool::new(false),
        progress: &|_| (),
    };
    first_pass(&job, &[convention], &layers, &shape, &planes, &mut codes, |_| true)?;
    let capture = |code| match code {
        state::NO_CAPTURE => NO_CAPTURE,
        // The code of an open board with a capture; as decided it stands for the same value.
        code => value_of_code(code | 1, 0),
    };
    let [codes] = codes;
    Ok(codes.into_iter().map(capture).collect())
}
