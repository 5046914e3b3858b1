//! From a model in floating point to the whole numbers of the engine.

use anyhow::{Result, ensure};
use oware_rules::HOUSES;
use oware_search::eval::{HIDDEN, INPUTS, Network, ONE, OUT_BITS, SETS};

use crate::model::{COUNTS, Duos, Model, PAIRS, STAGES, Shape};

/// The shape of the engine's network.
const SHAPE: Shape =
    Shape { hidden: HIDDEN, linear: false, squared: true, duos: Duos::None, threats: true };

/// The network of the engine nearest to a model.
///
/// # Errors
/// When the model has another shape, or its numbers could overflow.
pub(crate) fn network(model: &Model) -> Result<Network> {
    let shape = model.shape;
    ensure!(shape == SHAPE, "the engine's network is {SHAPE:?}, expected that and not {shape:?}");
    let (at, all) = (&model.at, &model.parameters);
    let mut numbers = Vec::new();
    let mut push = |weights: &[f32], scale: f32| {
        numbers.extend(weights.iter().map(|weight| (weight * scale).round() as i16));
    };
    let one = f32::from(ONE);
    let out = 100.0 * (1u32 << OUT_BITS) as f32 / (one * one);
    push(&all[at.rows..at.rows + INPUTS * HIDDEN], one);
    push(&all[at.bias..at.bias + HIDDEN], one);
    push(&all[at.out..at.out + STAGES * HIDDEN], out);
    push(&all[at.out_bias..at.out_bias + STAGES], 100.0);
    for unit in 0..HIDDEN {
        let size = |pair: usize| i32::from(numbers[pair * HIDDEN + unit]).abs();
        let house = |house: usize| (0..COUNTS).map(|seeds| size(house * COUNTS + seeds)).max();
        let set = |side: usize| (0..SETS).map(|set| size(PAIRS + side * SETS + set)).max();
        let rows = (0..HOUSES).filter_map(house).chain((0..2).filter_map(set));
        let most = rows.sum::<i32>() + size(INPUTS);
        ensure!(most <= i32::from(i16::MAX), "hidden unit {unit} could reach {most}");
    }
    for stage in 0..STAGES {
        let row = &numbers[(INPUTS + 1 + stage) * HIDDEN..][..HIDDEN];
        let most: i64 = row.iter().map(|&weight| i64::from(weight).abs()).sum();
        let most = most * i64::from(ONE) * i64::from(ONE);
        ensure!(most <= i64::from(i32::MAX), "the output at stage {stage} could reach {most}");
    }
    Ok(Network::of_numbers(&numbers)?)
}
