//! The models that are fitted, in floating point, with their derivatives.
//!
//! What a model sees is twelve numbers: for each house, how many seeds it holds. Each pair (house,
//! seeds) has a weight of its own for the linear part, and a row of weights that is added to the
//! hidden units of the network. (That such inputs beat the bare numbers was found by the authors
//! of programs for CodinGame's Oware, 2020.)

use clap::ValueEnum;
use oware_rules::{Board, HOUSES, ROW, SowingBoard};

use crate::random::Random;
use crate::sample::Sample;

/// Houses with this many seeds or more are all the same.
pub(crate) const MOST: usize = 23;
/// Numbers of seeds that are told apart.
pub(crate) const COUNTS: usize = MOST + 1;
/// Pairs of house and seeds.
pub(crate) const PAIRS: usize = HOUSES * COUNTS;
/// In pairs of houses, houses with this many seeds or more are all the same.
pub(crate) const DUO_MOST: usize = 15;
/// Numbers of seeds that are told apart in pairs of houses.
pub(crate) const DUO_COUNTS: usize = DUO_MOST + 1;
/// Inputs of one pair of houses.
pub(crate) const DUO: usize = DUO_COUNTS * DUO_COUNTS;
/// The most inputs of a board.
const MOST_INPUTS: usize = HOUSES + HOUSES / 2 + 2;
/// Sets of six houses.
const SETS: usize = 1 << ROW;
/// No network is wider.
pub(crate) const MOST_HIDDEN: usize = 256;
/// How the file of a model begins.
const HEAD: &str = "oware-model-1";
/// Groups of numbers of seeds on the board that have output weights of their own.
pub(crate) const STAGES: usize = 8;
/// Groups are this many seeds wide.
pub(crate) const STAGE_SEEDS: usize = 6;

/// The group of a number of seeds on the board.
pub(crate) fn stage(seeds: usize) -> usize {
    (seeds / STAGE_SEEDS).min(STAGES - 1)
}

/// What kind of model it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Hidden units; 0 for the linear part alone.
    pub(crate) hidden: usize,
    /// Whether there is a linear part.
    pub(crate) linear: bool,
    /// Whether hidden units are squared.
    pub(crate) squared: bool,
    /// Which pairs of houses are inputs.
    pub(crate) duos: Duos,
    /// Whether the houses that could be captured next are inputs, as two sets.
    pub(crate) threats: bool,
}

impl Shape {
    /// How many inputs there are.
    pub(crate) fn inputs(&self) -> usize {
        PAIRS + self.duos.houses().len() * DUO + if self.threats { 2 * SETS } else { 0 }
    }
}

/// The houses of `other` in which a move of `own` ends that captures there, as bits. (What a
/// grand slam does is not looked at.)
fn threats(own: &[u8], other: &[u8]) -> usize {
    let mut set = 0;
    for (house, &seeds) in own.iter().enumerate() {
        let seeds = usize::from(seeds);
        // Eleven seeds go round once; what falls beyond that falls a second time.
        for lap in 0..2 {
            let at = (house + seeds).wrapping_sub(lap * (HOUSES - 1));
            let first_lap = seeds < HOUSES;
            if (ROW..HOUSES).contains(&at)
                && first_lap == (lap == 0)
                && seeds < 2 * HOUSES - 1
                && (2..=3).contains(&(usize::from(other[at - ROW]) + 1 + lap))
            {
                set |= 1 << (at - ROW);
            }
        }
    }
    set
}

/// Which pairs of houses are inputs beside the single houses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Duos {
    /// None.
    None,
    /// Neighbours: A and B, C and D, ...
    Next,
    /// Houses that face each other.
    Facing,
    /// Houses with six between.
    Across,
    /// A and C, B and D, ...
    Second,
}

impl Duos {
    /// The houses of each pair.
    pub(crate) fn houses(self) -> &'static [[usize; 2]] {
        match self {
            Duos::None => &[],
            Duos::Next => &[[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]],
            Duos::Facing => &[[0, 11], [1, 10], [2, 9], [3, 8], [4, 7], [5, 6]],
            Duos::Across => &[[0, 6], [1, 7], [2, 8], [3, 9], [4, 10], [5, 11]],
            Duos::Second => &[[0, 2], [1, 3], [4, 5], [6, 8], [7, 9], [10, 11]],
        }
    }
}

/// The inputs of a board: those of houses, then those of pairs of houses.
pub(crate) struct Inputs {
    of: [usize; MOST_INPUTS],
    number: usize,
}

impl Inputs {
    /// The inputs of a sample.
    #[inline]
    pub(crate) fn new(sample: &Sample, shape: Shape) -> Inputs {
        let duos = shape.duos;
        let mut of = [0; MOST_INPUTS];
        of[..HOUSES].copy_from_slice(&pairs(sample));
        let mut number = HOUSES;
        let seeds = |house: usize| usize::from(sample.houses[house]).min(DUO_MOST);
        for &[one, two] in duos.houses() {
            let base = PAIRS + (number - HOUSES) * DUO;
            of[number] = base + seeds(one) * DUO_COUNTS + seeds(two);
            number += 1;
        }
        if shape.threats {
            let (mover, opponent) = sample.houses.split_at(ROW);
            let base = PAIRS + (number - HOUSES) * DUO;
            of[number] = base + threats(mover, opponent);
            of[number + 1] = base + SETS + threats(opponent, mover);
            number += 2;
        }
        Inputs { of, number }
    }

    #[inline]
    fn all(&self) -> &[usize] {
        &self.of[..self.number]
    }
}

/// Where in the parameters each part begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    /// `PAIRS` rows of hidden units.
    pub(crate) rows: usize,
    /// Hidden units.
    pub(crate) bias: usize,
    /// `STAGES` rows of hidden units.
    pub(crate) out: usize,
    /// `STAGES`.
    pub(crate) out_bias: usize,
    /// One for each input, whatever the stage.
    pub(crate) base: usize,
    /// One for each input, times [`slope_at`].
    pub(crate) slope: usize,
    /// Number of parameters.
    pub(crate) end: usize,
}

/// How much of the slope of the linear part counts with this many seeds on the board.
pub(crate) fn slope_at(seeds: usize) -> f32 {
    (seeds as f32 - 24.0) / 24.0
}

/// A model: its shape and its parameters. Values are seeds.
#[derive(Clone)]
pub(crate) struct Model {
    /// What kind it is.
    pub(crate) shape: Shape,
    /// Where the parts are.
    pub(crate) at: Places,
    /// The numbers that are fitted.
    pub(crate) parameters: Vec<f32>,
}

/// The pairs of a board.
pub(crate) fn pairs(sample: &Sample) -> [usize; HOUSES] {
    let mut pairs = [0; HOUSES];
    for (house, pair) in pairs.iter_mut().enumerate() {
        *pair = house * COUNTS + usize::from(sample.houses[house]).min(MOST);
    }
    pairs
}

impl Model {
    /// The file of a model: a line that names the shape, then the numbers, 32 bits each, lowest
    /// byte first.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let Shape { hidden, linear, squared, duos, threats } = self.shape;
        let flag = u8::from;
        let (linear, squared, threats) = (flag(linear), flag(squared), flag(threats));
        let line = format!("{HEAD} {hidden} {linear} {squared} {} {threats}\n", duos as u8);
        let numbers = self.parameters.iter().flat_map(|number| number.to_le_bytes());
        line.into_bytes().into_iter().chain(numbers).collect()
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote. `None` if it is no such file.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Model> {
        let end = bytes.iter().position(|&byte| byte == b'\n')?;
        let line = std::str::from_utf8(&bytes[..end]).ok()?.strip_prefix(HEAD)?;
        let words: Vec<usize> = line.split_whitespace().map_while(|w| w.parse().ok()).collect();
        let &[hidden, linear, squared, duos, threats] = words.as_slice() else { return None };
        let shape = Shape {
            hidden: (hidden % 8 == 0 && hidden <= MOST_HIDDEN).then_some(hidden)?,
            linear: linear == 1,
            squared: squared == 1,
            duos: *Duos::value_variants().get(duos)?,
            threats: threats == 1,
        };
        let mut model = Model::new(shape, &mut Random::new(0));
        let (numbers, rest) = bytes[end + 1..].as_chunks::<4>();
        if numbers.len() != model.parameters.len() || !rest.is_empty() {
            return None;
        }
        for (parameter, number) in model.parameters.iter_mut().zip(numbers) {
            *parameter = f32::from_le_bytes(*number);
        }
        Some(model)
    }

    /// A model before training; small random weights where all equal ones would stay equal.
    pub(crate) fn new(shape: Shape, random: &mut Random) -> Model {
        let hidden = shape.hidden;
        let rows = 0;
        let bias = rows + shape.inputs() * hidden;
        let out = bias + hidden;
        let out_bias = out + STAGES * hidden;
        let base = out_bias + STAGES;
        let slope = base + shape.inputs();
        let end = slope + shape.inputs();
        let at = Places { rows, bias, out, out_bias, base, slope, end };
        let mut parameters = vec![0.0; end];
        let mut draw = |range: std::ops::Range<usize>, width: f64| {
            for weight in &mut parameters[range] {
                *weight = ((random.unit() * 2.0 - 1.0) * width) as f32;
            }
        };
        draw(rows..rows + PAIRS * hidden, 0.25);
        draw(out..out_bias, 0.5);
        parameters[bias..out].fill(0.4);
        Model { shape, at, parameters }
    }

    /// The value of a board in seeds. Leaves the hidden units' sums in `sums`.
    pub(crate) fn value(&self, sample: &Sample, sums: &mut [f32]) -> f32 {
        let (at, all) = (&self.at, &self.parameters);
        let hidden = self.shape.hidden;
        let seeds = sample.seeds();
        let group = stage(seeds);
        let inputs = Inputs::new(sample, self.shape);
        let mut value = all[at.out_bias + group];
        if self.shape.linear {
            let slope = slope_at(seeds);
            for &input in inputs.all() {
                value += all[at.base + input] + slope * all[at.slope + input];
            }
        }
        if hidden == 0 {
            return value;
        }
        sums.copy_from_slice(&all[at.bias..at.bias + hidden]);
        for &input in inputs.all() {
            let row = &all[at.rows + input * hidden..][..hidden];
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += weight;
            }
        }
        let out = &all[at.out + group * hidden..][..hidden];
        let mut lanes = [0.0f32; 8];
        for (sums, weights) in sums.chunks_exact(8).zip(out.chunks_exact(8)) {
            for lane in 0..8 {
                lanes[lane] += self.bent(sums[lane]) * weights[lane];
            }
        }
        value + lanes.iter().sum::<f32>()
    }

    /// The value of a board in hundredths, never more than its seeds.
    pub(crate) fn hundredths(&self, board: Board) -> i32 {
        let sample = Sample { houses: board.houses(), value: 0 };
        let mut sums = [0.0; MOST_HIDDEN];
        let most = sample.seeds() as f32 * 100.0;
        let value = self.value(&sample, &mut sums[..self.shape.hidden]) * 100.0;
        value.clamp(-most, most).floor() as i32
    }

    #[inline]
    fn bent(&self, sum: f32) -> f32 {
        let unit = sum.clamp(0.0, 1.0);
        if self.shape.squared { unit * unit } else { unit }
    }

    /// Adds the derivatives of the loss, where `pull` is that by the value; `sums` are those that
    /// [`value`](Self::value) left.
    pub(crate) fn add_gradient(
        &self,
        sample: &Sample,
        sums: &mut [f32],
        pull: f32,
        gradient: &mut [f32],
    ) {
        let at = &self.at;
        let hidden = self.shape.hidden;
        let seeds = sample.seeds();
        let group = stage(seeds);
        let inputs = Inputs::new(sample, self.shape);
        gradient[at.out_bias + group] += pull;
        if self.shape.linear {
            let slope = slope_at(seeds) * pull;
            for &input in inputs.all() {
                gradient[at.base + input] += pull;
                gradient[at.slope + input] += slope;
            }
        }
        if hidden == 0 {
            return;
        }
        let squared = self.shape.squared;
        let weights = &self.parameters[at.out + group * hidden..][..hidden];
        let out = &mut gradient[at.out + group * hidden..][..hidden];
        for ((sum, out), weight) in sums.iter_mut().zip(out).zip(weights) {
            let unit = sum.clamp(0.0, 1.0);
            let inside = if *sum > 0.0 && *sum < 1.0 { 1.0 } else { 0.0 };
            let (bent, slope) = if squared { (unit * unit, 2.0 * unit) } else { (unit, 1.0) };
            *out += pull * bent;
            *sum = pull * weight * slope * inside;
        }
        let bias = &mut gradient[at.bias..at.bias + hidden];
        for (bias, sum) in bias.iter_mut().zip(&*sums) {
            *bias += sum;
        }
        for &input in inputs.all() {
            let row = &mut gradient[at.rows + input * hidden..][..hidden];
            for (weight, sum) in row.iter_mut().zip(&*sums) {
                *weight += sum;
            }
        }
    }
}
