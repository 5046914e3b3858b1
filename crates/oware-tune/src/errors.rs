//! How far guesses are from values: by number of seeds.

use crate::sample::Sample;

/// Errors in seeds over some boards.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Errors {
    number: usize,
    error: f64,
    absolute: f64,
    square: f64,
    value_square: f64,
}

impl Errors {
    fn add(&mut self, value: f64, error: f64) {
        self.number += 1;
        self.error += error;
        self.absolute += error.abs();
        self.square += error * error;
        self.value_square += value * value;
    }

    fn join(&mut self, other: &Errors) {
        self.number += other.number;
        self.error += other.error;
        self.absolute += other.absolute;
        self.square += other.square;
        self.value_square += other.value_square;
    }

    /// Root of the mean square, in seeds.
    pub(crate) fn root_mean_square(&self) -> f64 {
        (self.square / self.number as f64).sqrt()
    }
}

/// Errors by number of seeds.
pub(crate) fn by_seeds(samples: &[Sample], guess: &mut dyn FnMut(&Sample) -> f64) -> [Errors; 49] {
    let mut errors = [Errors::default(); 49];
    for sample in samples {
        let value = f64::from(sample.value) / 100.0;
        errors[sample.seeds()].add(value, guess(sample) - value);
    }
    errors
}

/// All of them together.
pub(crate) fn total(errors: &[Errors]) -> Errors {
    let mut total = Errors::default();
    errors.iter().for_each(|part| total.join(part));
    total
}

/// A table in Markdown; numbers of seeds are put together by `width`.
pub(crate) fn table(errors: &[Errors; 49], width: usize) -> String {
    let mut text = String::from(
        "| seeds | boards | mean abs error | root mean square | mean error | rms of values |\n\
         |---|---|---|---|---|---|\n",
    );
    let mut row = |name: String, errors: &Errors| {
        if errors.number > 0 {
            let number = errors.number as f64;
            text += &format!(
                "| {name} | {} | {:.3} | {:.3} | {:+.3} | {:.3} |\n",
                errors.number,
                errors.absolute / number,
                errors.root_mean_square(),
                errors.error / number,
                (errors.value_square / number).sqrt(),
            );
        }
    };
    for from in (0..49).step_by(width) {
        let to = (from + width).min(49);
        row(format!("{from}..{}", to - 1), &total(&errors[from..to]));
    }
    row("all".to_owned(), &total(errors));
    text
}
