//! Where the solver reads lower layers.

use std::io;

use oware_tables::codec::{Geometry, Strip, TileSize};
use oware_tables::{Convention, TableFile};

/// Values of the layers below the one that is solved.
///
/// The solver reads each strip that it needs once, mostly in rising order, while it looks at
/// captures, and never again. So nothing need be held: an implementation may decode what it reads.
pub trait LowerLayers: Sync {
    /// Number of strips of a layer.
    ///
    /// # Errors
    /// When the layer is not there.
    fn strips(&self, convention: Convention, seeds: usize) -> io::Result<usize>;

    /// Reads a strip: consecutive opponent's rows of a block, with all their boards. Their values,
    /// in index order, replace what `values` holds.
    ///
    /// # Errors
    /// When the layer is not there or cannot be read; the layer above is then given up.
    fn strip(
        &self,
        convention: Convention,
        seeds: usize,
        number: usize,
        values: &mut Vec<i8>,
    ) -> io::Result<Strip>;
}

/// Lower layers held in memory, one byte a board.
#[derive(Clone, Debug, Default)]
pub struct InMemory {
    layers: [Vec<(Geometry, Vec<i8>)>; 3],
}

impl InMemory {
    /// No layer yet.
    #[must_use]
    pub fn new() -> InMemory {
        InMemory::default()
    }

    /// Adds the next layer of a convention; layers come in rising order from 0.
    pub fn push(&mut self, convention: Convention, values: Vec<i8>) {
        let layers = &mut self.layers[convention as usize];
        layers.push((Geometry::new(layers.len(), TileSize::Small), values));
    }

    /// A layer, if it was added.
    #[must_use]
    pub fn layer(&self, convention: Convention, seeds: usize) -> Option<&[i8]> {
        self.layers[convention as usize].get(seeds).map(|(_, values)| values.as_slice())
    }

    /// Number of layers of a convention, from 0 on.
    #[must_use]
    pub fn count(&self, convention: Convention) -> usize {
        self.layers[convention as usize].len()
    }

    fn get(&self, convention: Convention, seeds: usize) -> io::Result<&(Geometry, Vec<i8>)> {
        let layer = self.layers[convention as usize].get(seeds);
        layer.ok_or_else(|| missing(convention, seeds))
    }
}

fn missing(convention: Convention, seeds: usize) -> io::Error {
    io::Error::other(format!("layer {seeds} ({convention}) is not there"))
}

impl LowerLayers for InMemory {
    fn strips(&self, convention: Convention, seeds: usize) -> io::Result<usize> {
        Ok(self.get(convention, seeds)?.0.strip_count())
    }

    fn strip(
        &self,
        convention: Convention,
        seeds: usize,
        number: usize,
        values: &mut Vec<i8>,
    ) -> io::Result<Strip> {
        let (geometry, all) = self.get(convention, seeds)?;
        let strip = geometry.strip(number);
        let start = strip.first_index as usize;
        let found = all.get(start..start + strip.len());
        values.clear();
        values.extend_from_slice(found.ok_or_else(|| io::Error::other("a layer is too short"))?);
        Ok(strip)
    }
}

/// Lower layers on disk, decoded as they are read.
#[derive(Debug, Default)]
pub struct OnDisk {
    files: [Vec<TableFile>; 3],
}

impl OnDisk {
    /// No layer yet.
    #[must_use]
    pub fn new() -> OnDisk {
        OnDisk::default()
    }

    /// Adds the next layer of a convention; layers come in rising order from 0. It must not be an
    /// archive.
    pub fn push(&mut self, convention: Convention, file: TableFile) {
        self.files[convention as usize].push(file);
    }

    fn get(&self, convention: Convention, seeds: usize) -> io::Result<&TableFile> {
        self.files[convention as usize].get(seeds).ok_or_else(|| missing(convention, seeds))
    }
}

impl LowerLayers for OnDisk {
    fn strips(&self, convention: Convention, seeds: usize) -> io::Result<usize> {
        Ok(self.get(convention, seeds)?.strips())
    }

    fn strip(
        &self,
        convention: Convention,
        seeds: usize,
        number: usize,
        values: &mut Vec<i8>,
    ) -> io::Result<Strip> {
        let mut bytes = bytemuck::cast_vec(std::mem::take(values));
        let strip = self.get(convention, seeds)?.strip(number, &mut bytes);
        *values = bytemuck::cast_vec(bytes);
        strip.map_err(io::Error::other)
    }
}
