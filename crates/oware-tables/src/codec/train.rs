//! How a model is learned from a layer.

use super::cluster::{Histograms, Task, UNIT_BITS};
use super::context::{FORECASTS, Known, LEVELS, Walk};
use super::line::LEFTS;
use super::maps::{Maps, STAGES, Stage};
use super::model::{Base, Model, levels};
use super::rans::Distribution;
use super::{Features, Geometry, Symbols};

/// Most classes of the stages, which bounds the memory of a model.
pub(super) const MOST_CLASSES: [u16; STAGES] = [32, 32, 64, 64, 128, 64, 256, 256, 32, 256];

/// Classes of the stages, from no context at all to those for large layers.
const SIZES: [[u16; STAGES]; 6] = [
    [1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    [2, 2, 6, 4, 4, 3, 4, 6, 2, 12],
    [4, 4, 16, 16, 12, 6, 16, 24, 3, 48],
    [8, 8, 32, 32, 32, 12, 48, 96, 6, 128],
    [16, 16, 64, 64, 64, 24, 128, 256, 12, 256],
    [32, 32, 64, 64, 64, 24, 128, 256, 12, 256],
];
/// From how many boards on the sizes are tried, and up to how many.
const SIZE_BOARDS: [[u64; 2]; 6] = [
    [0, 2_000],
    [500, 10_000],
    [5_000, 100_000],
    [100_000, 3_000_000],
    [3_000_000, 60_000_000],
    [60_000_000, u64::MAX],
];

/// Boards from which the last stage is learned, about: half of them, but within limits. Small
/// layers are learned from less, for learning should not take longer than solving does.
const LAST_LIMITS: [u64; 2] = [4_000_000, 10_000_000];
/// Boards from which the stages before it are learned, about: a third of them, within limits.
const STAGE_LIMITS: [u64; 2] = [1_000_000, 2_000_000];
/// Bits that it takes to write a class, about.
const CHANGE_BITS: u64 = 7;
/// Rounds of clustering.
const ROUNDS: usize = 8;

/// What is learned from.
struct Layer<'a> {
    geometry: &'a Geometry,
    features: &'a Features,
    symbols: &'a dyn Symbols,
    side: Option<&'a [i8]>,
    largest: u8,
    thresholds: [u8; LEVELS - 1],
}

/// The best capture seen from up, in 8 classes.
fn coarse(captured: u8) -> u8 {
    if captured == 0 { 0 } else { captured.clamp(4, 10) - 3 }
}

/// Learns a model, see [`Model::train`].
pub(super) fn train(
    geometry: &Geometry,
    features: &Features,
    symbols: &dyn Symbols,
    counts: &[u64; 256],
    side: Option<&[i8]>,
) -> Model {
    let size = geometry.layer().size();
    let largest = counts.iter().rposition(|&count| count > 0).unwrap_or(0) as u8;
    let thresholds = quantiles(counts);
    let layer = Layer { geometry, features, symbols, side, largest, thresholds };
    let mut best: Option<(u64, Model)> = None;
    for (counts, [from, to]) in SIZES.into_iter().zip(SIZE_BOARDS) {
        if from <= size && size < to {
            let (length, model) = layer.model(counts);
            let length = length + 8 * model.to_bytes().len() as u64;
            if best.as_ref().is_none_or(|best| length < best.0) {
                best = Some((length, model));
            }
        }
    }
    best.expect("some size fits every layer").1
}

/// The symbols that part the boards into [`LEVELS`] classes about alike in number.
fn quantiles(counts: &[u64; 256]) -> [u8; LEVELS - 1] {
    let total: u64 = counts.iter().sum();
    let mut thresholds = [0; LEVELS - 1];
    for (number, threshold) in thresholds.iter_mut().enumerate() {
        let mut below = 0;
        let wanted = total * (number as u64 + 1) / LEVELS as u64;
        for (symbol, &count) in counts.iter().enumerate() {
            if below <= wanted {
                *threshold = symbol as u8;
            }
            below += count;
        }
    }
    thresholds
}

impl Layer<'_> {
    fn boards(&self) -> u64 {
        self.geometry.layer().size()
    }

    /// Goes through about `boards` boards, each stage through others where there are enough: what
    /// one stage learned too well would mislead the next.
    fn each(&self, boards: u64, stage: Stage, mut see: impl FnMut(Known, u32, u8)) {
        let levels = levels(&self.thresholds);
        let parts = self.boards().div_ceil(boards).max(1);
        // Not every so-manieth tile, for they come in rows.
        let part = |number: usize| ((number as u64).wrapping_mul(0x9e37_79b9) >> 8) % parts;
        let wanted = stage as u64 % parts;
        for number in (0..self.geometry.count()).filter(|&number| part(number) == wanted) {
            let tile = self.geometry.tile(number);
            let symbols = self.symbols.tile(&tile);
            let side = self.side.map(|side| tile.cut(side));
            let mut walk = Walk::new(self.features, &tile, side.as_deref(), &levels, self.largest);
            let width = tile.mover_rows;
            for row in symbols.chunks(width) {
                let opponent = walk.row();
                let mut left = 0;
                for (column, &symbol) in row.iter().enumerate() {
                    let mut line = walk.line();
                    let along = line.along(column, left);
                    let bases = line.bases(column, &along);
                    line.set(column, symbol);
                    see(walk.known(column, opponent, &along), bases, symbol);
                    left = symbol;
                }
                walk.set(row);
            }
        }
    }

    /// A model with these numbers of classes, and how many bits it takes for the layer.
    fn model(&self, counts: [u16; STAGES]) -> (u64, Model) {
        let mut maps = Maps::new(self.side.is_some(), counts);
        for stage in Stage::ALL {
            if stage != Stage::Last && maps.count(stage) > 1 && maps.size(stage) > 0 {
                let table = self.stage(&maps, stage);
                maps.set(stage, table);
            }
        }
        self.last(maps)
    }

    /// What it costs to write a class that is not the one before, weighed for a sample.
    fn change(&self, boards: u64) -> u64 {
        let units = u128::from(boards * CHANGE_BITS) << UNIT_BITS;
        (units / u128::from(self.boards())) as u64
    }

    /// The table of a stage: classes of inputs that go with like symbols, under each of the
    /// conditions that the last stage knows by itself.
    fn stage(&self, maps: &Maps, stage: Stage) -> Vec<u8> {
        let symbols = 256;
        let captured = self.side.is_some() && stage != Stage::Level;
        let condition = |known: &Known| {
            let captured = if captured { usize::from(coarse(known.captured)) } else { 0 };
            captured * LEFTS + usize::from(known.lefts)
        };
        let boards = (self.boards() / 3).clamp(STAGE_LIMITS[0], STAGE_LIMITS[1]);
        let mut all = Vec::new();
        self.each(boards, stage, |known, bases, symbol| {
            let symbol = usize::from(symbol.wrapping_sub(Base::Up.of(bases)));
            let seen = condition(&known) * symbols + symbol;
            all.push((maps.input(stage, &known) as u32, seen as u16));
        });
        let bases = [Histograms::of(maps.size(stage), &all)];
        let conditions = if captured { FORECASTS / 2 * LEFTS } else { LEFTS };
        let classes = maps.count(stage);
        let change = self.change(all.len() as u64);
        Task { bases: &bases, conditions, symbols, classes, rounds: ROUNDS, change }.run().of
    }

    /// The last stage and the distributions.
    fn last(&self, mut maps: Maps) -> (u64, Model) {
        let symbols = 256;
        let size = maps.size(Stage::Last);
        let kinds = if self.side.is_some() { 4 } else { 3 };
        let mut counts = vec![vec![0u32; size * symbols]; kinds];
        let mut boards = 0u64;
        let sample = (self.boards() / 2).clamp(LAST_LIMITS[0], LAST_LIMITS[1]);
        self.each(sample, Stage::Last, |known, bases, symbol| {
            let input = maps.input(Stage::Last, &known);
            boards += 1;
            for (base, counts) in Base::ALL.into_iter().zip(&mut counts) {
                let base = base.of(bases);
                let seen = usize::from(symbol.wrapping_sub(base));
                counts[input * symbols + seen] += 1;
            }
        });
        let bases: Vec<Histograms> =
            counts.iter().map(|counts| Histograms::dense(symbols, counts)).collect();
        drop(counts);
        let classes = maps.count(Stage::Last);
        let change = self.change(boards);
        let task = Task { bases: &bases, conditions: 1, symbols, classes, rounds: ROUNDS, change };
        let found = task.run();
        let size = u128::from(self.boards());
        let length = (u128::from(found.bits) * size / u128::from(boards.max(1))) as u64;
        let mut used: Vec<u8> = found.of.clone();
        used.sort_unstable();
        used.dedup();
        let renumber = |class: u8| used.binary_search(&class).map_or(0, |place| place as u8);
        maps.set(Stage::Last, found.of.iter().map(|&class| renumber(class)).collect());
        let classes = used.iter().map(|&class| &found.classes[usize::from(class)]);
        let (bases, distributions) =
            classes.map(|class| (Base::ALL[class.base], Distribution::of(&class.counts))).unzip();
        let side = self.side.is_some();
        (length, Model::new(side, self.largest, self.thresholds, maps, bases, distributions))
    }
}
