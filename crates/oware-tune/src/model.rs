//! The models that are fitted, in floating point, with their derivatives.
//!
//! What a model sees is twelve numbers: for each house, how many seeds it holds. Each pair (house,
//! seeds) has a weight of its own for the linear part, and a row of weights that is added to the
//! hidden units of the network. (That such inputs beat the bare numbers was found by the authors
//! of programs for CodinGame's Oware, 2020.)

use oware_rules::HOUSES;

use crate::random::Random;
use crate::sample::Sample;

/// Houses with this many seeds or more are all the same.
pub(crate) const MOST: usize = 23;
/// Numbers of seeds that are told apart.
pub(crate) const COUNTS: usize = MOST + 1;
/// Pairs of house and seeds.
pub(crate) const PAIRS: usize = HOUSES * COUNTS;
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
    /// `PAIRS`, whatever the stage.
    pub(crate) base: usize,
    /// `PAIRS`, times [`slope_at`].
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
    /// A model before training; small random weights where all equal ones would stay equal.
    pub(crate) fn new(shape: Shape, random: &mut Random) -> Model {
        let hidden = shape.hidden;
        let rows = 0;
        let bias = rows + PAIRS * hidden;
        let out = bias + hidden;
        let out_bias = out + STAGES * hidden;
        let base = out_bias + STAGES;
        let slope = base + PAIRS;
        let end = slope + PAIRS;
        let at = Places { rows, bias, out, out_bias, base, slope, end };
        let mut parameters = vec![0.0; end];
        let mut draw = |range: std::ops::Range<usize>, width: f64| {
            for weight in &mut parameters[range] {
                *weight = ((random.unit() * 2.0 - 1.0) * width) as f32;
            }
        };
        draw(rows..bias, 0.25);
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
        let pairs = pairs(sample);
        let mut value = all[at.out_bias + group];
        if self.shape.linear {
            let slope = slope_at(seeds);
            for pair in pairs {
                value += all[at.base + pair] + slope * all[at.slope + pair];
            }
        }
        if hidden == 0 {
            return value;
        }
        sums.copy_from_slice(&all[at.bias..at.bias + hidden]);
        for pair in pairs {
            let row = &all[at.rows + pair * hidden..][..hidden];
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
        let pairs = pairs(sample);
        gradient[at.out_bias + group] += pull;
        if self.shape.linear {
            let slope = slope_at(seeds) * pull;
            for pair in pairs {
                gradient[at.base + pair] += pull;
                gradient[at.slope + pair] += slope;
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
        for pair in pairs {
            let row = &mut gradient[at.rows + pair * hidden..][..hidden];
            for (weight, sum) in row.iter_mut().zip(&*sums) {
                *weight += sum;
            }
        }
    }
}
