//! Training: Adam (Kingma and Ba, 2015) on small batches.

use crate::model::Model;
use crate::random::Random;
use crate::sample::Sample;

/// How a model is trained.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe {
    /// Times each sample is seen.
    pub(crate) epochs: usize,
    /// Samples between two steps.
    pub(crate) batch: usize,
    /// Length of the first steps; it falls to a hundredth along a quarter of a cosine.
    pub(crate) rate: f32,
    /// Errors above this many seeds count by their size, smaller ones by half their square (the
    /// loss of Huber, 1964).
    pub(crate) bend: f32,
}

/// The state of Adam.
struct Steps {
    mean: Vec<f32>,
    square: Vec<f32>,
    taken: i32,
}

const KEEP_MEAN: f32 = 0.9;
const KEEP_SQUARE: f32 = 0.999;

impl Steps {
    fn step(&mut self, parameters: &mut [f32], gradient: &mut [f32], rate: f32, scale: f32) {
        self.taken += 1;
        let mean_part = 1.0 - KEEP_MEAN.powi(self.taken);
        let square_part = 1.0 - KEEP_SQUARE.powi(self.taken);
        let rate = rate * square_part.sqrt() / mean_part;
        let state = self.mean.iter_mut().zip(&mut self.square);
        for ((parameter, slope), (mean, square)) in
            parameters.iter_mut().zip(gradient.iter_mut()).zip(state)
        {
            let now = *slope * scale;
            *slope = 0.0;
            *mean = KEEP_MEAN * *mean + (1.0 - KEEP_MEAN) * now;
            *square = KEEP_SQUARE * *square + (1.0 - KEEP_SQUARE) * now * now;
            *parameter -= rate * *mean / (square.sqrt() + 1e-8);
        }
    }
}

/// Trains a model; `tell` is called after each epoch with its number and the mean loss.
pub(crate) fn train(
    model: &mut Model,
    samples: &mut [Sample],
    recipe: Recipe,
    random: &mut Random,
    tell: &mut dyn FnMut(usize, f64, &Model),
) {
    let length = model.at.end;
    let mut gradient = vec![0.0f32; length];
    let mut steps = Steps { mean: vec![0.0; length], square: vec![0.0; length], taken: 0 };
    let mut sums = vec![0.0f32; model.shape.hidden];
    let all = (samples.len().div_ceil(recipe.batch) * recipe.epochs) as f32;
    for epoch in 1..=recipe.epochs {
        random.shuffle(samples);
        let mut loss = 0.0;
        for batch in samples.chunks(recipe.batch) {
            for sample in batch {
                let error = model.value(sample, &mut sums) - f32::from(sample.value) / 100.0;
                let pull = error.clamp(-recipe.bend, recipe.bend);
                loss += f64::from(pull * (error - 0.5 * pull));
                model.add_gradient(sample, &mut sums, pull, &mut gradient);
            }
            let done = steps.taken as f32 / all;
            let fall = (done * std::f32::consts::FRAC_PI_2).cos().max(0.01);
            let scale = 1.0 / batch.len() as f32;
            steps.step(&mut model.parameters, &mut gradient, recipe.rate * fall, scale);
        }
        tell(epoch, loss / samples.len() as f64, model);
    }
}
