//! The chain of small tables that leads from what is known of a board to a distribution.
//!
//! What is known has far too many combinations for one table. So it is brought together step by
//! step: each stage takes one or two classes found before and some new inputs and gives a class,
//! one of few, which keeps of the inputs what matters for the symbol.

use super::bits::{Adaptive, Bits};
use super::context::{CAPTURES, CHANGES, FORECASTS, Inputs, Known, OLDER_ROWS};
use super::features::ROW_KEYS;
use super::line::{Along, LEFTS, OLDER};

/// Number of stages.
pub(super) const STAGES: usize = 10;

/// The stages in the order in which they are learned and stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// From the key of the mover's row.
    Mover,
    /// From the key of the opponent's row.
    Opponent,
    /// From what best captures say; only in archive mode.
    Captures,
    /// From `Captures`, else the forecast, with the changes of the forecast.
    Changes,
    /// From `Changes`, `Mover`, `Opponent`.
    Board,
    /// From the older rows of the tile.
    OlderRows,
    /// From `Board` and `OlderRows`.
    Above,
    /// From `Above` with the best capture, else with up.
    Level,
    /// From the older neighbours in the row.
    Along,
    /// From `Level`, `Along` and left: the distribution.
    Last,
}

impl Stage {
    /// All stages.
    pub(super) const ALL: [Stage; STAGES] = [
        Stage::Mover,
        Stage::Opponent,
        Stage::Captures,
        Stage::Changes,
        Stage::Board,
        Stage::OlderRows,
        Stage::Above,
        Stage::Level,
        Stage::Along,
        Stage::Last,
    ];
}

/// The tables of the stages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Maps {
    side: bool,
    /// By stage: how many classes it gives, 1 to 256.
    counts: [u16; STAGES],
    /// By stage: from input to class, each below the count.
    tables: [Vec<u8>; STAGES],
}

impl Maps {
    /// Tables that give class 0 everywhere, to be filled in the order of the stages.
    pub(super) fn new(side: bool, mut counts: [u16; STAGES]) -> Maps {
        if !side {
            counts[Stage::Captures as usize] = FORECASTS as u16;
        }
        let mut maps = Maps { side, counts, tables: Default::default() };
        for stage in Stage::ALL {
            maps.tables[stage as usize] = vec![0; maps.size(stage)];
        }
        maps
    }

    /// How many inputs a stage tells apart.
    pub(super) fn size(&self, stage: Stage) -> usize {
        match stage {
            Stage::Mover | Stage::Opponent => ROW_KEYS,
            Stage::Captures if self.side => CAPTURES,
            Stage::Captures => 0,
            Stage::Changes => self.count(Stage::Captures) * CHANGES,
            Stage::Board => {
                let rows = self.count(Stage::Mover) * self.count(Stage::Opponent);
                self.count(Stage::Changes) * rows
            }
            Stage::OlderRows => OLDER_ROWS,
            Stage::Above => self.count(Stage::Board) * self.count(Stage::OlderRows),
            Stage::Level => self.count(Stage::Above) * FORECASTS,
            Stage::Along => OLDER,
            Stage::Last => self.count(Stage::Level) * self.count(Stage::Along) * LEFTS,
        }
    }

    /// How many classes a stage gives.
    pub(super) fn count(&self, stage: Stage) -> usize {
        usize::from(self.counts[stage as usize])
    }

    /// The table of a stage.
    pub(super) fn table(&self, stage: Stage) -> &[u8] {
        &self.tables[stage as usize]
    }

    /// Sets the table of a stage; of the last stage the number of classes, too, which may become
    /// less than it was.
    pub(super) fn set(&mut self, stage: Stage, table: Vec<u8>) {
        let classes = table.iter().max().map_or(1, |&class| u16::from(class) + 1);
        assert!(table.len() == self.size(stage) && classes <= self.counts[stage as usize]);
        self.tables[stage as usize] = table;
        if stage == Stage::Last {
            self.counts[stage as usize] = classes;
        }
    }

    fn class(&self, stage: Stage, input: usize) -> usize {
        usize::from(self.tables[stage as usize][input])
    }

    /// What goes into a stage for a board, the plain way.
    pub(super) fn input(&self, stage: Stage, known: &Known) -> usize {
        let class = |stage| self.class(stage, self.input(stage, known));
        match stage {
            Stage::Mover => usize::from(known.mover),
            Stage::Opponent => usize::from(known.opponent),
            Stage::Captures => usize::from(known.captures),
            Stage::Changes => {
                let first =
                    if self.side { class(Stage::Captures) } else { usize::from(known.forecast) };
                first * CHANGES + usize::from(known.change)
            }
            Stage::Board => {
                let rows = class(Stage::Changes) * self.count(Stage::Mover) + class(Stage::Mover);
                rows * self.count(Stage::Opponent) + class(Stage::Opponent)
            }
            Stage::OlderRows => usize::from(known.older_rows),
            Stage::Above => {
                class(Stage::Board) * self.count(Stage::OlderRows) + class(Stage::OlderRows)
            }
            Stage::Level => {
                let level = if self.side { known.captured } else { known.level };
                class(Stage::Above) * FORECASTS + usize::from(level)
            }
            Stage::Along => usize::from(known.older),
            Stage::Last => {
                let both = class(Stage::Level) * self.count(Stage::Along) + class(Stage::Along);
                both * LEFTS + usize::from(known.lefts)
            }
        }
    }

    /// The part of the last stage's input that is known before the row, for the boards of a row,
    /// of whose mover's rows and opponent's row the classes are given.
    pub(super) fn before_row(
        &self,
        movers: &[u16],
        opponent: u8,
        inputs: &Inputs,
        before: &mut [u32],
    ) {
        let first = if self.side { &inputs.captures } else { &inputs.forecast };
        let level = if self.side { &inputs.captured } else { &inputs.level };
        let captures = self.table(Stage::Captures);
        let [movers_count, opponents, older, along] =
            [Stage::Mover, Stage::Opponent, Stage::OlderRows, Stage::Along]
                .map(|stage| self.count(stage));
        for column in 0..before.len() {
            let first = usize::from(first[column]);
            let first = if self.side { usize::from(captures[first]) } else { first };
            let input = first * CHANGES + usize::from(inputs.change[column]);
            let input = self.class(Stage::Changes, input) * movers_count;
            let input = (input + usize::from(movers[column])) * opponents + usize::from(opponent);
            let rows = self.class(Stage::OlderRows, usize::from(inputs.older[column]));
            let input = self.class(Stage::Board, input) * older + rows;
            let input = self.class(Stage::Above, input) * FORECASTS + usize::from(level[column]);
            before[column] = (self.class(Stage::Level, input) * along * LEFTS) as u32;
        }
    }

    /// The class of the last stage: the distribution.
    #[inline]
    pub(super) fn last(&self, before: u32, along: &Along) -> u8 {
        let older = self.class(Stage::Along, along.older);
        self.table(Stage::Last)[before as usize + older * LEFTS + along.lefts]
    }

    /// Whether there is but one class at the end.
    pub(super) fn is_plain(&self) -> bool {
        self.count(Stage::Last) == 1
    }

    /// Takes over the tables of others that have the same numbers of classes.
    pub(super) fn copy_from(&mut self, others: &Maps) {
        if (self.side, self.counts) == (others.side, others.counts) {
            self.tables.clone_from(&others.tables);
        }
    }

    /// Codes the tables: writes them, or reads over what is here. `false` when what was read is
    /// no table.
    pub(super) fn code(&mut self, bits: &mut impl Bits) -> bool {
        for stage in Stage::ALL {
            let count = self.count(stage);
            let inner = match stage {
                Stage::Last => LEFTS,
                Stage::Board => self.count(Stage::Opponent),
                Stage::Above => self.count(Stage::OlderRows),
                Stage::Level | Stage::Changes => 16,
                _ => 4,
            };
            if !code_table(&mut self.tables[stage as usize], count, inner, bits) {
                return false;
            }
        }
        true
    }
}

/// Codes one table of classes below `count`: each like the one before it, like the one `inner`
/// before it, or by itself.
fn code_table(table: &mut [u8], count: usize, inner: usize, bits: &mut impl Bits) -> bool {
    if count == 1 {
        return true;
    }
    let width = (count - 1).ilog2() + 1;
    let mut chances = vec![Adaptive::NEW; 1 << width];
    let mut same = [[Adaptive::NEW; 3]; 2];
    let mut last = 0;
    for place in 0..table.len() {
        let before = if place > 0 { table[place - 1] } else { 0 };
        let across = if place >= inner { table[place - inner] } else { 0 };
        let class = table[place];
        if bits.bit(class == before, &mut same[0][last]) {
            table[place] = before;
            last = 0;
        } else if across != before && bits.bit(class == across, &mut same[1][last]) {
            table[place] = across;
            last = 1;
        } else {
            let read = bits.tree(usize::from(class), width, &mut chances);
            if read >= count {
                return false;
            }
            table[place] = read as u8;
            last = 2;
        }
    }
    true
}
