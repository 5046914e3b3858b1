//! The distances of a layer, level by level from its finished values.

use super::moves::Layer;
use super::{Convention, Distances, ForcingSide, Values};

/// The distances of a layer under the three conventions.
///
/// Level 0 are the boards without a legal move. A board with a move is on level d
///
/// - if the mover has to force its value: when the nearest of the moves that keep the value leads
///   to level d - 1;
/// - if his opponent has to: when all moves that keep the value lead to levels, the farthest of
///   them to level d - 1.
///
/// A conversion counts as level 0 here. Boards whose value nobody has to force are on no level.
/// All levels are found one after the other, in the low and the high table at the same time, as
/// every move leads from one to the other.
pub(super) fn distances(layer: &Layer, values: &Values) -> Distances {
    let mut distances = Distances::default();
    for convention in Convention::ALL {
        *distances.get_mut(convention) = level_zero(layer, convention, values);
    }
    for level in 1.. {
        let mut found = Vec::new();
        for convention in Convention::ALL {
            for board in 0..layer.len() {
                if is_on_level(layer, convention, values, &distances, board, level) {
                    found.push((convention, board));
                }
            }
        }
        // Every level but the first leans on the one before.
        if found.is_empty() {
            break;
        }
        for (convention, board) in found {
            distances.get_mut(convention)[board] = Some(level);
        }
    }
    distances
}

/// Distance 0 for the boards without a legal move whose value has to be forced.
fn level_zero(layer: &Layer, convention: Convention, values: &Values) -> Vec<Option<u16>> {
    let mut distances = Vec::with_capacity(layer.len());
    for (ended, value) in layer.ended.iter().zip(values.get(convention)) {
        let is_forced = convention.forcing_side(*value, layer.seeds).is_some();
        distances.push(if ended.is_some() && is_forced { Some(0) } else { None });
    }
    distances
}

/// Whether a board belongs to a level, given all levels before.
fn is_on_level(
    layer: &Layer,
    convention: Convention,
    values: &Values,
    distances: &Distances,
    board: usize,
    level: u16,
) -> bool {
    let value = values.get(convention)[board];
    let Some(side) = convention.forcing_side(value, layer.seeds) else {
        return false;
    };
    if distances.get(convention)[board].is_some() {
        return false;
    }
    let next_values = values.get(convention.after_move());
    let next_distances = distances.get(convention.after_move());
    let converts = layer.conversion.get(convention)[board] == Some(value);
    let mut nearest = if converts { Some(0) } else { None };
    let mut farthest = 0;
    let mut all_on_levels = true;
    for successor in layer.successors(board) {
        if -next_values[*successor] != value {
            continue;
        }
        match next_distances[*successor] {
            Some(inside) => {
                nearest = Some(nearest.map_or(inside, |nearest: u16| nearest.min(inside)));
                farthest = farthest.max(inside);
            }
            None => all_on_levels = false,
        }
    }
    match side {
        ForcingSide::Mover => nearest.is_some_and(|nearest| nearest + 1 == level),
        ForcingSide::Opponent => all_on_levels && farthest + 1 == level,
    }
}
