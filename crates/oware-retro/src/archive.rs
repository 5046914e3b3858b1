//! What archives are coded with: numbers that follow from other tables.
//!
//! For values it is the value of the mover's best capture, from the layers below; for distances
//! the value of the board itself.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use oware_tables::codec::NO_CAPTURE;
use oware_tables::{Convention, Layer};

use crate::captures::{Best, Lookup, capture};
use crate::exchange::Alone;
use crate::first::with_slam_ends;
use crate::own::Own;
use crate::partition::Partition;
use crate::rounds::lock;
use crate::solve::{SolveError, each_in_threads, no_memory};
use crate::space::GROUP;
use crate::state::{Shape, zeroed};
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
    let shape = Shape::new(seeds, &tables.space);
    let own = Own::new(&shape, &Partition::new(seeds, 1), 0);
    let stop = &AtomicBool::new(false);
    let lookup = Lookup { tables, lower, shape: &shape, own: &own, threads, stop };
    let best = Best::new(&shape, &own).map_err(no_memory(seeds))?;
    let io = |error| SolveError::Io { seeds, error };
    lookup.find(convention, &|_| 0, &mut Alone, &best).map_err(io)?;
    let layer = Layer::new(seeds);
    let mut all: Vec<i8> = zeroed(layer.size() as usize).map_err(no_memory(seeds))?;
    // Blocks stand in both orders at the same place, turned by their diagonal.
    let mut blocks = Vec::new();
    let mut rest = &mut all[..];
    for total in 0..=seeds {
        let (block, after) = rest.split_at_mut(shape.rows(total) * shape.width(total));
        blocks.push(Mutex::new(block));
        rest = after;
    }
    let turn = |total: usize| {
        let mut block = lock(&blocks[total]);
        let (rows, width) = (shape.rows(total), shape.width(total));
        let mut row = Vec::new();
        for rank in 0..rows {
            let number = tables.space.base(total) + rank;
            debug_assert_eq!(shape.groups[number / GROUP].total, total);
            row.clear();
            row.extend(best.row(number, width).iter().map(|byte| byte.load(Relaxed)));
            with_slam_ends(&lookup, number, seeds - total, &mut row);
            for (column, &byte) in row.iter().enumerate() {
                block[column * rows + rank] = capture(byte).unwrap_or(NO_CAPTURE);
            }
        }
        Ok(())
    };
    each_in_threads(blocks.len(), threads, turn)?;
    drop(blocks);
    Ok(all)
}
