//! Endgame tables held in memory, for the leaves of a search.

use std::sync::Arc;

use oware_rules::{Board, SowingBoard};
use oware_search::Endgame;
use oware_tables::{Convention, Kind, Layer, TableError, TableSet};

/// The `even` values of all layers up to one, a byte a board.
pub struct InMemory {
    layers: Vec<(Layer, Vec<u8>)>,
}

impl InMemory {
    /// Reads every layer from 0 up to `most_seeds` that is there without a gap. `None` if there
    /// is none.
    ///
    /// # Errors
    /// When a table is listed and cannot be read or is damaged.
    pub fn load(
        tables: &TableSet,
        most_seeds: u8,
        threads: usize,
    ) -> Result<Option<Arc<InMemory>>, TableError> {
        let mut layers = Vec::new();
        for seeds in 0..=usize::from(most_seeds) {
            let Some(file) = tables.file(Kind::value(Convention::Even), seeds)? else { break };
            layers.push((Layer::new(seeds), file.read_all(None, threads)?));
        }
        Ok((!layers.is_empty()).then(|| Arc::new(InMemory { layers })))
    }
}

impl Endgame for InMemory {
    fn most_seeds(&self) -> u8 {
        (self.layers.len() - 1) as u8
    }

    fn value(&self, board: Board) -> Option<i8> {
        let seeds = usize::from(board.total());
        let (layer, values) = self.layers.get(seeds)?;
        let index = layer.index(&board.houses())?;
        values.get(index as usize).map(|&byte| byte as i8)
    }
}
