//! From a board and its known neighbours to small numbers that choose a distribution.
//!
//! Within a tile, the neighbours of a board are: *up*, the same mover's row under the previous
//! opponent's row; *left*, the previous mover's row under the same opponent's row; and boards
//! whose mover's or opponent's row has one seed in the next house, which lie further back. All
//! are seen relative to up; where there is no up, the forecast stands for it.
//!
//! What does not depend on the boards of the same opponent's row is worked out for the whole row
//! at once, in loops over arrays of 16-bit numbers that compilers turn into vector instructions.

use super::features::{FORECAST_ZERO, Features, LANES, Moves, row_key, step};
use super::line::{Along, Line, NONE, slack, steps};
use super::{NO_CAPTURE, Tile};
use crate::rows::{Row, row_at};

/// Classes of changes of the forecast against up and left, together.
pub(super) const CHANGES: usize = 64;
/// Classes of the forecast, or of the best capture, seen from up.
pub(super) const FORECASTS: usize = 16;
/// Classes of up by itself.
pub(super) const LEVELS: usize = 13;
/// Classes of the older neighbours in other opponent's rows, together.
pub(super) const OLDER_ROWS: usize = 4 * 6 * 6 * 4 * 4;
/// Classes of what best captures say beside their own value, together.
pub(super) const CAPTURES: usize = 9 * 9 * 4 * LEVELS;

/// How far back in the tile, in rows, the rows lie that have one seed more in house i+1 and one
/// fewer in house i, for i = 3; one more in house 5 and one fewer in house 3; and for i = 2. 0
/// where there is none.
///
/// With r seeds behind house i, the move of a seed from i to i+1 lowers the rank by as many as
/// there are ways to lay r seeds into the houses behind i.
fn further_back(row: &Row, number: usize) -> [usize; 3] {
    let two = usize::from(row[4]) + usize::from(row[5]);
    let three = two + usize::from(row[3]);
    let back = |from: u8, distance| if from > 0 && distance <= number { distance } else { 0 };
    [back(row[3], two + 1), back(row[3], two + 2), back(row[2], (three + 1) * (three + 2) / 2)]
}

/// What is known of the boards of one opponent's row before their symbols, board by board.
#[derive(Clone, Debug, Default)]
pub(super) struct Inputs {
    /// The symbol up, or what stands for it.
    pub(super) up: Vec<u8>,
    /// The symbol that the best capture would give; up where there is none.
    pub(super) capture: Vec<u8>,
    /// Changes of the forecast.
    pub(super) change: Vec<u16>,
    /// The forecast seen from up.
    pub(super) forecast: Vec<u16>,
    /// Up by itself.
    pub(super) level: Vec<u16>,
    /// The best capture seen from up.
    pub(super) captured: Vec<u16>,
    /// Older rows.
    pub(super) older: Vec<u16>,
    /// Best captures.
    pub(super) captures: Vec<u16>,
}

/// All that is known of one board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// Key of the mover's row.
    pub(super) mover: u16,
    /// Key of the opponent's row.
    pub(super) opponent: u16,
    /// As in [`Inputs`].
    pub(super) change: u8,
    /// As in [`Inputs`].
    pub(super) forecast: u8,
    /// As in [`Inputs`].
    pub(super) level: u8,
    /// As in [`Inputs`].
    pub(super) captured: u8,
    /// As in [`Inputs`].
    pub(super) older_rows: u16,
    /// As in [`Inputs`].
    pub(super) captures: u16,
    /// As in [`Along`].
    pub(super) lefts: u8,
    /// As in [`Along`].
    pub(super) older: u16,
}

/// Goes through a tile, opponent's row by opponent's row.
pub(super) struct Walk<'a> {
    features: &'a Features,
    tile: &'a Tile,
    side: Option<&'a [i8]>,
    levels: &'a [u8; 256],
    largest: u8,
    /// Key or class of each mover's row.
    pub(super) movers: Vec<u16>,
    moves: Moves,
    opponent: Row,
    /// How many opponent's rows were begun.
    rows: usize,
    /// Forecasts of this row and the row before.
    forecasts: [Vec<u8>; 2],
    /// Of this row.
    pub(super) inputs: Inputs,
    /// Mover's rows made up to full [`LANES`]. What goes by mover's rows is so long.
    stride: usize,
    /// The symbols so far, each opponent's row made up.
    symbols: Vec<u8>,
    /// By mover's row: where its neighbours further back stand in `line`.
    back: Vec<[u16; 3]>,
    /// What [`Line`] keeps of the symbols of this row so far.
    line: Vec<u16>,
    /// In archive mode, by mover's row from place 1 on: the symbol of the board if it is worth its
    /// best capture, [`NONE`] if there is no capture; of the row that was prepared last.
    worth: Vec<u16>,
}

impl<'a> Walk<'a> {
    /// Starts a tile. `largest` is the largest symbol, `levels` the class of each symbol; `side`
    /// is that of the tile.
    pub(super) fn new(
        features: &'a Features,
        tile: &'a Tile,
        side: Option<&'a [i8]>,
        levels: &'a [u8; 256],
        largest: u8,
    ) -> Walk<'a> {
        let width = tile.mover_rows;
        let mut row = row_at(tile.mover_total, tile.first_mover_rank);
        let mut rows = Vec::with_capacity(width);
        for _ in 0..width {
            rows.push(row);
            step(&mut row);
        }
        let back = rows.iter().enumerate().map(|(number, row)| {
            let place = |back| if back == 0 { 0 } else { (number + 2 - back) as u16 };
            further_back(row, number).map(place)
        });
        let stride = width.next_multiple_of(LANES);
        let of_side = || vec![0; if side.is_some() { stride } else { 0 }];
        let inputs = Inputs {
            up: vec![0; stride],
            capture: vec![0; stride],
            change: vec![0; stride],
            forecast: vec![0; stride],
            level: vec![0; stride],
            captured: of_side(),
            older: vec![0; stride],
            captures: of_side(),
        };
        Walk {
            features,
            tile,
            side,
            levels,
            largest,
            movers: rows.iter().map(row_key).collect(),
            moves: features.moves(&rows),
            opponent: row_at(tile.opponent_total, tile.first_opponent_rank),
            rows: 0,
            forecasts: [vec![0; stride], vec![0; stride]],
            inputs,
            stride,
            symbols: vec![0; stride * tile.opponent_rows],
            back: back.collect(),
            line: vec![NONE; width + 2],
            worth: vec![NONE; if side.is_some() { width + 1 } else { 0 }],
        }
    }

    /// Prepares the inputs of the next opponent's row, after all symbols of the row before were
    /// [`set`](Self::set), and returns the key of that row.
    pub(super) fn row(&mut self) -> u16 {
        let key = row_key(&self.opponent);
        let row = self.rows;
        self.forecasts.swap(0, 1);
        self.features.forecasts(&self.moves, &self.opponent, &mut self.forecasts[0]);
        self.changes();
        if row > 0 {
            let back = further_back(&self.opponent, row);
            self.older_rows(back);
        } else {
            self.without_up();
        }
        for (level, &up) in self.inputs.level.iter_mut().zip(&self.inputs.up) {
            *level = u16::from(self.levels[usize::from(up)]);
        }
        if let Some(side) = self.side {
            self.captures(&side[..(row + 1) * self.tile.mover_rows]);
        } else {
            self.inputs.capture.copy_from_slice(&self.inputs.up);
        }
        step(&mut self.opponent);
        self.rows += 1;
        key
    }

    /// How the forecasts changed, against up (except in the first row) and left.
    fn changes(&mut self) {
        let [now, before] = &self.forecasts;
        let change = |now: u8, then: u8| (i16::from(now) - i16::from(then)).clamp(-3, 3) + 4;
        let first = self.rows == 0;
        let both = now.iter().zip(before);
        for (class, (&now, &up)) in self.inputs.change.iter_mut().zip(both) {
            *class = if first { 0 } else { 8 * change(now, up) as u16 };
        }
        let lefts = now.iter().zip(&now[1..]);
        for (class, (&left, &now)) in self.inputs.change[1..].iter_mut().zip(lefts) {
            *class += change(now, left) as u16;
        }
    }

    /// The symbol of a forecast.
    fn forecast(&self) -> impl Fn(u8) -> i16 + use<> {
        let symbol = self.symbol();
        move |forecast| symbol(i16::from(forecast) - i16::from(FORECAST_ZERO))
    }

    /// The symbol that stands for a value.
    fn symbol(&self) -> impl Fn(i16) -> i16 + use<> {
        let seeds = (self.tile.mover_total + self.tile.opponent_total) as i16;
        let largest = i16::from(self.largest);
        move |value| (value + seeds).clamp(0, largest)
    }

    /// In the first row the forecast stands for up.
    fn without_up(&mut self) {
        let symbol = self.forecast();
        for (up, &forecast) in self.inputs.up.iter_mut().zip(&self.forecasts[0]) {
            *up = symbol(forecast) as u8;
        }
        self.inputs.forecast.fill(steps(0, 0, 7) as u16);
    }

    /// `back` is how far back other opponent's rows lie.
    fn older_rows(&mut self, back: [usize; 3]) {
        let symbol = self.forecast();
        let (row, stride) = (self.rows, self.stride);
        let above = |back: usize| &self.symbols[(row - back) * stride..(row + 1 - back) * stride];
        let [one, two, three] = back.map(|back| (back > 0).then(|| above(back)));
        let older = [(row > 1).then(|| above(2)), one, two, three];
        let Inputs { up, forecast, older: class, .. } = &mut self.inputs;
        up.copy_from_slice(above(1));
        let seen = up.iter().zip(&self.forecasts[0]);
        for (class, (&up, &value)) in forecast.iter_mut().zip(seen) {
            *class = steps(symbol(value), i16::from(up), 7) as u16;
        }
        class[0] = 0;
        for (class, corner) in class[1..].iter_mut().zip(up.windows(2)) {
            *class = steps(i16::from(corner[0]), i16::from(corner[1]), 1) as u16;
        }
        for (row, most) in older.into_iter().zip([2, 2, 1, 1]) {
            let classes = 2 * most as u16 + 2;
            if let Some(row) = row {
                for (class, (&one, &up)) in class.iter_mut().zip(row.iter().zip(&*up)) {
                    let seen = steps(i16::from(one), i16::from(up), most);
                    *class = *class * classes + seen as u16;
                }
            } else {
                for class in class.iter_mut() {
                    *class *= classes;
                }
            }
        }
    }

    /// `side` is that of the rows up to this one.
    fn captures(&mut self, side: &[i8]) {
        let width = self.tile.mover_rows;
        let symbol = self.symbol();
        let (before, now) = side.split_at(side.len() - width);
        let Inputs { up, capture, captured, captures, level, .. } = &mut self.inputs;
        let seen = captured.iter_mut().zip(capture).zip(now).zip(&*up);
        for (((captured, capture), &value), &up) in seen {
            let worth = symbol(i16::from(value));
            let from_up = steps(worth, i16::from(up), 6) as u16;
            *captured = if value == NO_CAPTURE { 0 } else { from_up };
            *capture = if value == NO_CAPTURE { up } else { worth as u8 };
        }
        if let Some(start) = before.len().checked_sub(width) {
            let above = before[start..].iter().zip(&*up).zip(&self.worth[1..]);
            let seen = captures.iter_mut().zip(now).zip(above);
            for ((class, &now), ((&above, &up), &worth)) in seen {
                *class = captured_change(now, above) * 4 + slack(worth, up);
            }
        } else {
            captures.fill(0);
        }
        for (class, pair) in captures[1..].iter_mut().zip(now.windows(2)) {
            *class += captured_change(pair[1], pair[0]) * 36;
        }
        for (class, &level) in captures[..width].iter_mut().zip(&*level) {
            *class = *class * LEVELS as u16 + level;
        }
        for (worth, &value) in self.worth[1..].iter_mut().zip(now) {
            let as_symbol = symbol(i16::from(value)) as u16;
            *worth = if value == NO_CAPTURE { NONE } else { as_symbol };
        }
    }

    /// All that is known of a board, where `opponent` is the key of the opponent's row.
    pub(super) fn known(&self, column: usize, opponent: u16, along: &Along) -> Known {
        let inputs = &self.inputs;
        let of_side = |of: &[u16]| of.get(column).copied().unwrap_or(0);
        Known {
            mover: self.movers[column],
            opponent,
            change: inputs.change[column] as u8,
            forecast: inputs.forecast[column] as u8,
            level: inputs.level[column] as u8,
            captured: of_side(&inputs.captured) as u8,
            older_rows: inputs.older[column],
            captures: of_side(&inputs.captures),
            lefts: along.lefts as u8,
            older: along.older as u16,
        }
    }

    /// The row that was prepared last, to go along.
    pub(super) fn line(&mut self) -> Line<'_> {
        let width = self.tile.mover_rows;
        Line {
            up: &self.inputs.up[..width],
            capture: &self.inputs.capture[..width],
            back: &self.back[..width],
            worth: &self.worth,
            symbols: &mut self.line,
        }
    }

    /// Takes in the symbols of the row that was prepared last.
    pub(super) fn set(&mut self, row: &[u8]) {
        let start = (self.rows - 1) * self.stride;
        self.symbols[start..start + row.len()].copy_from_slice(row);
    }
}

/// How the best capture differs from that of a neighbour, in 9 classes (0 is left for "no
/// neighbour").
#[inline]
fn captured_change(now: i8, then: i8) -> u16 {
    let change = (i16::from(now) - i16::from(then)).clamp(-5, 5);
    let half = (change + i16::from(change < 0)) >> 1;
    let without = if now == NO_CAPTURE { 2 } else { (half + 6) as u16 };
    let with = if now == NO_CAPTURE { 1 } else { 3 };
    if then == NO_CAPTURE { with } else { without }
}
