//! What all tiles of a file share: the distributions and the map from contexts to them.

use std::sync::OnceLock;

use super::rans::{DecodeTable, Decoder, Distribution, ESCAPE, EncodeTable};
use super::train::{Histogram, cluster};
use super::{CodecError, Features, Geometry, NO_CAPTURE, Tile};

/// Boards that a model is trained on, about.
const SAMPLE: u64 = 8_000_000;

/// The distributions of a layer and what chooses among them.
#[derive(Clone, Debug)]
pub struct Model {
    /// Whether best captures are wanted.
    side: bool,
    /// Number of different neighbours: the symbols up to the largest, and "none".
    neighbours: usize,
    /// By context: the distribution.
    map: Vec<u8>,
    distributions: Vec<Distribution>,
    decode: DecodeTable,
    encode: OnceLock<EncodeTable>,
}

impl Model {
    /// Learns the model of a layer from its symbols in the order of the index. In archive mode
    /// `side` holds for each board the value of the mover's best capture, or [`NO_CAPTURE`].
    ///
    /// # Panics
    /// When `symbols` or `side` does not hold one entry for each board of the layer.
    #[must_use]
    pub fn train(
        geometry: &Geometry,
        features: &Features,
        symbols: &[u8],
        side: Option<&[i8]>,
    ) -> Model {
        let size = geometry.layer().size();
        assert_eq!(symbols.len() as u64, size, "symbols of the layer");
        assert!(side.is_none_or(|side| side.len() as u64 == size), "captures of the layer");
        let largest = symbols.iter().copied().max().unwrap_or(0);
        let neighbours = usize::from(largest) + 2;
        let contexts = neighbours * neighbours * if side.is_some() { 64 } else { 1 };
        let untrained = Model::new(side.is_some(), neighbours, vec![0; contexts], Vec::new());
        let mut counts = vec![0u32; contexts * (neighbours - 1)];
        let step = (size / SAMPLE).max(1) as usize;
        for number in (0..geometry.count()).step_by(step) {
            let tile = geometry.tile(number);
            let (symbols, side) = untrained.of_tile(&tile, symbols, side);
            untrained.contexts(features, &tile, &symbols, side.as_deref(), |context, symbol| {
                counts[context * (neighbours - 1) + usize::from(symbol)] += 1;
            });
        }
        let histograms: Vec<Histogram> = counts.chunks(neighbours - 1).map(Histogram::of).collect();
        let most = (size / 4096).clamp(1, 128) as usize;
        let clusters = cluster(&histograms, most, 8);
        Model::new(side.is_some(), neighbours, clusters.of, clusters.distributions)
    }

    fn new(side: bool, neighbours: usize, map: Vec<u8>, distributions: Vec<Distribution>) -> Model {
        let decode = DecodeTable::new(&distributions);
        Model { side, neighbours, map, distributions, decode, encode: OnceLock::new() }
    }

    /// Whether the model was trained with best captures, and wants them.
    #[must_use]
    pub fn wants_side(&self) -> bool {
        self.side
    }

    fn context(&self, up: u8, left: u8, side: i8) -> usize {
        let bound = self.neighbours - 1;
        let [up, left] = [up, left].map(|symbol| usize::from(symbol).min(bound));
        let pair = up * self.neighbours + left;
        if self.side { pair * 64 + usize::from(bucket(side)) } else { pair }
    }

    /// What belongs to one tile, out of a layer.
    fn of_tile(
        &self,
        tile: &Tile,
        symbols: &[u8],
        side: Option<&[i8]>,
    ) -> (Vec<u8>, Option<Vec<i8>>) {
        fn cut<T: Copy>(tile: &Tile, layer: &[T]) -> Vec<T> {
            let mut all = Vec::with_capacity(tile.len());
            for run in tile.runs() {
                all.extend_from_slice(&layer[run as usize..run as usize + tile.mover_rows]);
            }
            all
        }
        (cut(tile, symbols), side.map(|side| cut(tile, side)))
    }

    fn contexts(
        &self,
        _features: &Features,
        tile: &Tile,
        symbols: &[u8],
        side: Option<&[i8]>,
        mut see: impl FnMut(usize, u8),
    ) {
        let width = tile.mover_rows;
        for (number, &symbol) in symbols.iter().enumerate() {
            let up = if number < width { ESCAPE } else { symbols[number - width] };
            let left = if number % width == 0 { ESCAPE } else { symbols[number - 1] };
            see(self.context(up, left, side.map_or(NO_CAPTURE, |side| side[number])), symbol);
        }
    }

    /// Appends the code of a tile.
    ///
    /// # Panics
    /// When `symbols` or `side` does not hold one entry for each board of the layer, or when
    /// `side` is there and should not, or the other way round.
    pub fn encode_tile(
        &self,
        features: &Features,
        tile: &Tile,
        symbols: &[u8],
        side: Option<&[i8]>,
        out: &mut Vec<u8>,
    ) {
        assert_eq!(side.is_some(), self.side, "best captures");
        let (symbols, side) = self.of_tile(tile, symbols, side);
        let mut pairs = Vec::with_capacity(symbols.len());
        self.contexts(features, tile, &symbols, side.as_deref(), |context, symbol| {
            pairs.push((symbol, self.map[context]));
        });
        let table = self.encode.get_or_init(|| EncodeTable::new(&self.distributions));
        table.encode(&pairs, out);
    }

    /// Appends the symbols of a tile up to and including board `upto` of the tile, or all of
    /// them when there are no more. `side` is one entry for each board of the tile.
    ///
    /// # Errors
    /// When the bytes are too short or, where a tile is decoded to its end, do not end as they
    /// should; when `side` does not fit. Damaged bytes may give wrong symbols without an error.
    pub fn decode_tile(
        &self,
        _features: &Features,
        tile: &Tile,
        bytes: &[u8],
        side: Option<&[i8]>,
        out: &mut Vec<u8>,
        upto: usize,
    ) -> Result<(), CodecError> {
        if side.is_some() != self.side || side.is_some_and(|side| side.len() != tile.len()) {
            return Err(CodecError::Side);
        }
        let mut decoder = Decoder::new(&self.decode, bytes)?;
        let width = tile.mover_rows;
        let start = out.len();
        let wanted = tile.len().min(upto.saturating_add(1));
        out.reserve(wanted);
        let mut left = ESCAPE;
        for number in 0..wanted {
            let up = if number < width { ESCAPE } else { out[start + number - width] };
            if number % width == 0 {
                left = ESCAPE;
            }
            let side = side.map_or(NO_CAPTURE, |side| side[number]);
            left = decoder.symbol(self.map[self.context(up, left, side)]);
            out.push(left);
        }
        if wanted == tile.len() { decoder.check_end() } else { decoder.check() }
    }

    /// The model as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![u8::from(self.side), (self.neighbours - 2) as u8];
        bytes.push((self.distributions.len() - 1) as u8);
        for distribution in &self.distributions {
            bytes.push(distribution.entries().len() as u8);
            for &(symbol, frequency) in distribution.entries() {
                bytes.push(symbol);
                bytes.extend_from_slice(&frequency.to_le_bytes());
            }
        }
        bytes.extend_from_slice(&self.map);
        bytes
    }

    /// The model of [`to_bytes`](Self::to_bytes).
    ///
    /// # Errors
    /// When the bytes are none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, CodecError> {
        let (&[side, largest, last], mut rest) =
            bytes.split_first_chunk().ok_or(CodecError::Truncated)?;
        if side > 1 {
            return Err(CodecError::Model("mode"));
        }
        let mut distributions = Vec::new();
        for _ in 0..=last {
            let (&count, after) = rest.split_first().ok_or(CodecError::Truncated)?;
            let (entries, after) =
                after.split_at_checked(3 * usize::from(count)).ok_or(CodecError::Truncated)?;
            rest = after;
            let entries = entries.chunks(3);
            let entries = entries.map(|entry| (entry[0], u16::from_le_bytes([entry[1], entry[2]])));
            let distribution = Distribution::new(entries.collect());
            distributions.push(distribution.ok_or(CodecError::Model("distribution"))?);
        }
        let neighbours = usize::from(largest) + 2;
        let contexts = neighbours * neighbours * if side > 0 { 64 } else { 1 };
        if rest.len() != contexts {
            return Err(CodecError::Model("length of the context map"));
        }
        if rest.iter().any(|&of| of > last) {
            return Err(CodecError::Model("context map"));
        }
        Ok(Model::new(side > 0, neighbours, rest.to_vec(), distributions))
    }
}

/// Best captures in 64 classes.
fn bucket(side: i8) -> u8 {
    if side == NO_CAPTURE { 63 } else { (side / 2 + 31).clamp(0, 62) as u8 }
}
