//! Along one opponent's row of a tile, board by board.

/// Classes of left seen from up: none, then -4..=4 in steps of two.
pub(super) const LEFTS: usize = 10;
/// Classes of the older neighbours in the same opponent's row, together.
pub(super) const OLDER: usize = 6 * 6 * 4 * 4 * 4;

/// `one - other` in steps of two, from -most to most, counted from 1. 0 is left for "none".
#[inline]
pub(super) const fn steps(one: i16, other: i16, most: i16) -> i16 {
    let d = one - other;
    let half = (d + 1 + (d >> 15)) >> 1;
    let half = if half < -most { -most } else { half };
    (if half > most { most } else { half }) + most + 1
}

/// What is added to the symbols of a [`Line`], so that differences are not negative.
pub(super) const BIAS: u16 = 255;
/// Stands there for a symbol where there is none.
pub(super) const NONE: u16 = 1000;

/// [`steps`] times a factor, by the difference of two symbols; 0 for [`NONE`].
struct Steps([u16; 1024]);

impl Steps {
    const fn new(most: i16, factor: u16) -> Steps {
        let mut table = [0; 1024];
        let mut place = 0;
        while place < 511 {
            table[place] = steps(place as i16, BIAS as i16, most) as u16 * factor;
            place += 1;
        }
        Steps(table)
    }

    #[inline]
    fn of(&self, biased: u16, other: u8) -> usize {
        usize::from(self.0[usize::from(biased - u16::from(other)) % 1024])
    }
}

static LEFT: Steps = Steps::new(4, 1);
static SECOND: Steps = Steps::new(2, 6 * 4 * 4 * 4);
static BACK: [Steps; 3] = [Steps::new(2, 4 * 4 * 4), Steps::new(1, 4 * 4), Steps::new(1, 4)];

/// What is known of a board from the boards of the same opponent's row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Along {
    /// The symbol left; up where there is none.
    pub(super) left: u8,
    /// Left seen from up.
    pub(super) lefts: usize,
    /// Older neighbours in the row.
    pub(super) older: usize,
}

/// One opponent's row of a tile, gone along board by board.
pub(super) struct Line<'a> {
    /// By mover's row: the symbol up.
    pub(super) up: &'a [u8],
    /// By mover's row: the symbol that the best capture would give.
    pub(super) capture: &'a [u8],
    /// By mover's row: where its neighbours further back stand in `symbols`.
    pub(super) back: &'a [[u16; 3]],
    /// In archive mode, from place 1 on, as in [`slack`].
    pub(super) worth: &'a [u16],
    /// The symbols so far plus [`BIAS`], from place 2 on; before them [`NONE`].
    pub(super) symbols: &'a mut [u16],
}

impl Line<'_> {
    /// What the boards of this row that are known say of board `column`. `left` is the symbol of
    /// the board before it, which was [`set`](Self::set); any in the first column.
    #[inline]
    pub(super) fn along(&self, column: usize, left: u8) -> Along {
        let up = self.up[column];
        let symbol = |place: u16| self.symbols[usize::from(place)];
        let second = SECOND.of(self.symbols[column], up);
        let [one, two, three] = self.back[column];
        let back = BACK[0].of(symbol(one), up) + BACK[1].of(symbol(two), up);
        let mut older = second + back + BACK[2].of(symbol(three), up);
        if column == 0 {
            return Along { left: up, lefts: 0, older };
        }
        if let Some(&worth) = self.worth.get(column) {
            older += usize::from(slack(worth, left));
        }
        Along { left, lefts: LEFT.of(u16::from(left) + BIAS, up), older }
    }

    /// What the distributions of a board may be counted from: 0, up, left and the best capture,
    /// one byte each.
    #[inline]
    pub(super) fn bases(&self, column: usize, along: &Along) -> u32 {
        u32::from_le_bytes([0, self.up[column], along.left, self.capture[column]])
    }

    /// Takes in the symbol of a board.
    #[inline]
    pub(super) fn set(&mut self, column: usize, symbol: u8) {
        self.symbols[column + 2] = u16::from(symbol) + BIAS;
    }
}

/// Whether a known board is worth its best capture, which would give it the symbol `worth`: 1
/// there is no capture, 2 yes, 3 no.
#[inline]
pub(super) fn slack(worth: u16, symbol: u8) -> u16 {
    let class = if worth == NONE { 1 } else { 3 };
    if worth == u16::from(symbol) { 2 } else { class }
}
