//! What all tiles of a file share, and the coding of tiles with it.

use std::sync::OnceLock;

use super::bits::{BitReader, BitWriter, Bits};
use super::context::{LEVELS, Walk};
use super::maps::{Maps, STAGES, Stage};
use super::rans::{
    Coded, DecodeTable, Decoder, Distribution, ESCAPE, EncodeTable, FrequencyChances,
};
use super::{CodecError, Features, Geometry, Symbols, Tile, train};

/// What a distribution's symbols are counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// 0: the symbols are themselves.
    Zero,
    /// The symbol up.
    Up,
    /// The symbol left.
    Left,
    /// The symbol that the best capture would give.
    Capture,
}

impl Base {
    /// All of them; without best captures only the first three are used.
    pub(super) const ALL: [Base; 4] = [Base::Zero, Base::Up, Base::Left, Base::Capture];

    /// Where a base stands in [`Line::bases`](super::line::Line::bases).
    const fn shift(self) -> u8 {
        8 * self as u8
    }

    /// The base out of [`Line::bases`](super::line::Line::bases).
    pub(super) const fn of(self, bases: u32) -> u8 {
        (bases >> self.shift()) as u8
    }
}

/// The distributions of a layer and what chooses among them.
#[derive(Clone, Debug)]
pub struct Model {
    /// Whether best captures are wanted.
    side: bool,
    /// The largest symbol of the layer.
    largest: u8,
    /// Where the classes of symbols by themselves begin, from the second class on.
    thresholds: [u8; LEVELS - 1],
    /// The class of each symbol.
    levels: [u8; 256],
    maps: Maps,
    /// What each distribution is counted from.
    bases: Vec<Base>,
    distributions: Vec<Distribution>,
    /// By distribution: [`Base::shift`].
    shifts: [u8; 256],
    decode: DecodeTable,
    encode: OnceLock<EncodeTable>,
}

impl Model {
    /// Learns the model of a layer from its symbols, of which `counts` says how often each occurs.
    /// In archive mode
    /// `side` holds for each board the value of the mover's best capture, or
    /// [`NO_CAPTURE`](super::NO_CAPTURE). (For tables of other things than values `side` may be
    /// anything that tells something about the symbols.)
    ///
    /// The result depends on nothing but the arguments.
    ///
    /// # Panics
    /// When `counts` or `side` is not of as many boards as the layer has.
    #[must_use]
    pub fn train(
        geometry: &Geometry,
        features: &Features,
        symbols: &dyn Symbols,
        counts: &[u64; 256],
        side: Option<&[i8]>,
    ) -> Model {
        let size = geometry.layer().size();
        assert_eq!(counts.iter().sum::<u64>(), size, "symbols of the layer");
        assert!(side.is_none_or(|side| side.len() as u64 == size), "captures of the layer");
        train::train(geometry, features, symbols, counts, side)
    }

    /// A model of these parts.
    pub(super) fn new(
        side: bool,
        largest: u8,
        thresholds: [u8; LEVELS - 1],
        maps: Maps,
        bases: Vec<Base>,
        distributions: Vec<Distribution>,
    ) -> Model {
        let decode = DecodeTable::new(&distributions);
        let mut shifts = [0; 256];
        for (shift, base) in shifts.iter_mut().zip(&bases) {
            *shift = base.shift();
        }
        let levels = levels(&thresholds);
        let encode = OnceLock::new();
        Model {
            side,
            largest,
            thresholds,
            levels,
            maps,
            bases,
            distributions,
            shifts,
            decode,
            encode,
        }
    }

    /// Whether the model was trained with best captures, and wants them.
    #[must_use]
    pub fn wants_side(&self) -> bool {
        self.side
    }

    /// Bytes of memory taken, without what the encoder adds.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let tables: usize = Stage::ALL.iter().map(|&stage| self.maps.table(stage).len()).sum();
        size_of::<Model>() + tables + self.distributions.len() * 1024
    }

    /// Appends the code of a tile, of which `symbols` and `side` are.
    ///
    /// # Panics
    /// When `symbols` or `side` does not hold one entry for each board of the tile, or when
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
        assert_eq!(symbols.len(), tile.len(), "symbols of the tile");
        let mut coded = Vec::with_capacity(symbols.len());
        let mut walk = Walk::new(features, tile, side, &self.levels, self.largest);
        let mut before = vec![0; tile.mover_rows];
        self.classify(&mut walk);
        for row in symbols.chunks(tile.mover_rows) {
            self.row(&mut walk, &mut before);
            let mut line = walk.line();
            let mut left = 0;
            for (column, (&symbol, &before)) in row.iter().zip(&before).enumerate() {
                let along = line.along(column, left);
                let distribution = self.maps.last(before, &along);
                let bases = line.bases(column, &along);
                let base = (bases >> self.shifts[usize::from(distribution)]) as u8;
                let seen = symbol.wrapping_sub(base);
                coded.push(Coded { symbol: seen, plain: symbol, distribution });
                line.set(column, symbol);
                left = symbol;
            }
            walk.set(row);
        }
        let table = self.encode.get_or_init(|| EncodeTable::new(&self.distributions));
        table.encode(&coded, out);
    }

    /// Appends the symbols of a tile up to and including board `upto` of the tile, or all of
    /// them when there are no more. `side` is one entry for each board of the tile.
    ///
    /// # Errors
    /// When a tile is decoded to its end and its bytes do not end as they should, and when
    /// `side` does not fit. Damaged bytes may give wrong symbols without an error, most of all
    /// where a tile is not decoded to its end.
    ///
    /// # Panics
    /// When the tile is none of a [`Geometry`]; never because of the bytes.
    pub fn decode_tile(
        &self,
        features: &Features,
        tile: &Tile,
        bytes: &[u8],
        side: Option<&[i8]>,
        out: &mut Vec<u8>,
        upto: usize,
    ) -> Result<(), CodecError> {
        if side.is_some() != self.side || side.is_some_and(|side| side.len() != tile.len()) {
            return Err(CodecError::Side);
        }
        let mut decoder = Decoder::new(&self.decode, bytes);
        let start = out.len();
        let wanted = tile.len().min(upto.saturating_add(1));
        let width = tile.mover_rows;
        out.resize(start + wanted, 0);
        let mut walk = Walk::new(features, tile, side, &self.levels, self.largest);
        let mut before = vec![0; width];
        self.classify(&mut walk);
        let out = &mut out[start..];
        for row in out.chunks_mut(width) {
            self.row(&mut walk, &mut before);
            let mut line = walk.line();
            let mut left = 0;
            for (column, (out, &before)) in row.iter_mut().zip(&before).enumerate() {
                let along = line.along(column, left);
                let distribution = self.maps.last(before, &along);
                let bases = line.bases(column, &along);
                let base = (bases >> self.shifts[usize::from(distribution)]) as u8;
                let seen = decoder.symbol(distribution);
                left = if seen == ESCAPE { decoder.plain() } else { base.wrapping_add(seen) };
                *out = left;
                line.set(column, left);
            }
            walk.set(row);
        }
        if wanted == tile.len() { decoder.check_end() } else { Ok(()) }
    }

    /// Replaces the keys of the mover's rows by their classes.
    fn classify(&self, walk: &mut Walk<'_>) {
        let classes = self.maps.table(Stage::Mover);
        for class in &mut walk.movers {
            *class = u16::from(classes[usize::from(*class)]);
        }
    }

    /// Prepares a row.
    fn row(&self, walk: &mut Walk<'_>, before: &mut [u32]) {
        let key = walk.row();
        let opponent = self.maps.table(Stage::Opponent)[usize::from(key)];
        self.maps.before_row(&walk.movers, opponent, &walk.inputs, before);
    }

    /// The model as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bits = BitWriter::new();
        let written = self.code(&mut bits);
        debug_assert!(written.is_some(), "a model can be read back");
        bits.finish()
    }

    /// The model of [`to_bytes`](Self::to_bytes).
    ///
    /// # Errors
    /// When the bytes are none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, CodecError> {
        let nothing = Model::new(
            false,
            0,
            [0; LEVELS - 1],
            Maps::new(false, [1; STAGES]),
            vec![Base::Zero],
            vec![Distribution::of(&[])],
        );
        let mut bits = BitReader::new(bytes);
        let model = nothing.code(&mut bits).ok_or(CodecError::Model)?;
        if bits.is_at_end() { Ok(model) } else { Err(CodecError::Model) }
    }

    /// Writes this model, or reads one; returns what was written or read.
    fn code(&self, bits: &mut impl Bits) -> Option<Model> {
        let side = bits.plain(usize::from(self.side), 1) > 0;
        let largest = bits.plain(usize::from(self.largest), 8) as u8;
        let plain = bits.plain(usize::from(self.maps.is_plain()), 1) > 0;
        let mut counts = [1; STAGES];
        let mut thresholds = [0; LEVELS - 1];
        if !plain {
            for stage in Stage::ALL {
                let count = self.maps.count(stage) - 1;
                counts[stage as usize] = bits.plain(count, 8) as u16 + 1;
            }
            for (place, threshold) in thresholds.iter_mut().enumerate() {
                *threshold = bits.plain(usize::from(self.thresholds[place]), 8) as u8;
            }
        }
        if counts.iter().zip(train::MOST_CLASSES).any(|(&count, most)| count > most) {
            return None;
        }
        let mut maps = Maps::new(side, counts);
        if !plain {
            maps.copy_from(&self.maps);
            if !maps.code(bits) {
                return None;
            }
        }
        let count = maps.count(Stage::Last);
        let (mut bases, mut distributions) = (Vec::new(), Vec::new());
        let mut chances = FrequencyChances::NEW;
        let none = Distribution::of(&[]);
        for number in 0..count {
            let base = self.bases.get(number).map_or(0, |&base| base as usize);
            bases.push(Base::ALL[bits.plain(base, 2)]);
            let distribution = self.distributions.get(number).unwrap_or(&none);
            distributions.push(distribution.code(largest, bits, &mut chances)?);
        }
        Some(Model::new(side, largest, thresholds, maps, bases, distributions))
    }
}

/// The class of each symbol: how many thresholds it reaches.
pub(super) fn levels(thresholds: &[u8; LEVELS - 1]) -> [u8; 256] {
    let mut levels = [0; 256];
    for (symbol, level) in levels.iter_mut().enumerate() {
        *level = thresholds.iter().filter(|&&from| usize::from(from) <= symbol).count() as u8;
    }
    levels
}
