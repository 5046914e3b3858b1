//! Where the solver reads lower layers.

use std::borrow::Cow;
use std::io;

use oware_tables::Convention;

/// Values of the layers below the one that is solved.
///
/// The solver asks for runs, stretches of the index of one layer, and only while it looks at
/// captures, one opponent's row at a time in rising order of the mover's rows. So an
/// implementation may keep layers in memory, map files, or stream them.
pub trait LowerLayers: Sync {
    /// The values with indices `start..start + length` of layer `seeds`.
    ///
    /// # Errors
    /// When the layer is not there or cannot be read; the layer above is then given up.
    fn run(
        &self,
        convention: Convention,
        seeds: usize,
        start: u64,
        length: usize,
    ) -> io::Result<Cow<'_, [i8]>>;
}

/// Lower layers held in memory, one byte a board.
#[derive(Clone, Debug, Default)]
pub struct InMemory {
    layers: [Vec<Vec<i8>>; 3],
}

impl InMemory {
    /// No layer yet.
    #[must_use]
    pub fn new() -> InMemory {
        InMemory::default()
    }

    /// Adds the next layer of a convention; layers come in rising order from 0.
    pub fn push(&mut self, convention: Convention, values: Vec<i8>) {
        self.layers[convention as usize].push(values);
    }

    /// A layer, if it was added.
    #[must_use]
    pub fn layer(&self, convention: Convention, seeds: usize) -> Option<&[i8]> {
        self.layers[convention as usize].get(seeds).map(Vec::as_slice)
    }

    /// Number of layers of a convention, from 0 on.
    #[must_use]
    pub fn count(&self, convention: Convention) -> usize {
        self.layers[convention as usize].len()
    }
}

impl LowerLayers for InMemory {
    #[inline]
    fn run(
        &self,
        convention: Convention,
        seeds: usize,
        start: u64,
        length: usize,
    ) -> io::Result<Cow<'_, [i8]>> {
        let start = start as usize;
        let values = self.layer(convention, seeds).and_then(|l| l.get(start..start + length));
        values.map(Cow::Borrowed).ok_or_else(|| {
            io::Error::other(format!("layer {seeds} ({convention}) is not in memory"))
        })
    }
}
