//! What every move makes of every row, once for all layers.
//!
//! For the mover's row: the row after each move, the crossing, and backwards the rows from which
//! a row is reached. For the opponent's row and a crossing: which rows take it without a capture,
//! as masks of 64 rows, and how the bits of such a mask move when boards are followed backwards;
//! which rows lose seeds, and how many.

use oware_rules::{Feeding, ROW, TableRules};
use oware_tables::rows::{rank, rows_of, rows_with};

use crate::halves::{
    Crossing, Received, crossing_seeds, highest_crossing, lift, may_pass_an_empty_row, receive,
};
use crate::space::RowSpace;
use crate::state::summary_shift;

/// No row: an empty house, or an unused row number.
pub(crate) const NO_ROW: u32 = u32::MAX;

/// The moves of one mover's row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowMoves {
    /// By house: the number of the row afterwards, or [`NO_ROW`].
    pub(crate) after: [u32; ROW],
    /// By house: how the move crosses.
    pub(crate) crossing: [Crossing; ROW],
    /// Whether moves that do not reach an empty opponent's row are legal.
    pub(crate) passes_empty: bool,
}

impl RowMoves {
    const NONE: RowMoves =
        RowMoves { after: [NO_ROW; ROW], crossing: [0; ROW], passes_empty: false };

    /// The moves of houses that hold seeds: the row afterwards and the crossing.
    #[inline]
    pub(crate) fn each(&self) -> impl Iterator<Item = (usize, Crossing)> + '_ {
        let moves = self.after.iter().zip(&self.crossing);
        moves.filter(|&(&after, _)| after != NO_ROW).map(|(&after, &c)| (after as usize, c))
    }
}

/// A stretch of rows whose bits move from one word to one word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    /// Bits of the word of rows after the move.
    pub(crate) from: u64,
    /// As many bits of the word of rows before it.
    pub(crate) to: u64,
    /// Which word of rows before it.
    pub(crate) word: u32,
}

/// Rows that lose the same number of seeds.
#[derive(Clone, Debug)]
pub(crate) struct Captures {
    pub(crate) captured: u8,
    /// Whether the row is left empty, which `leave_a_seed` allows only if no move leaves a seed.
    pub(crate) empties: bool,
    /// Rank before and rank after, in rising order of both where the row is not emptied.
    pub(crate) ranks: Vec<(u32, u32)>,
}

/// What one crossing makes of the opponent's rows of one total.
#[derive(Clone, Debug, Default)]
pub(crate) struct CrossTable {
    /// A bit for each row that takes it without a capture.
    pub(crate) quiet: Vec<u64>,
    /// A bit for each row that holds a seed afterwards.
    pub(crate) leaves: Vec<u64>,
    /// `starts[w]..starts[w + 1]`: the segments of word w of rows after the move.
    starts: Vec<u32>,
    segments: Vec<Segment>,
    /// Which words of rows after the move have segments, as the marks of a run's summary.
    pub(crate) useful: u64,
    /// A bit for each row after the move that some row comes to without a capture.
    pub(crate) image: Vec<u64>,
    pub(crate) captures: Vec<Captures>,
    /// By number of seeds captured: where those that capture as many or more start.
    captures_from: Vec<u8>,
    /// Rows that lose everything in a grand slam that ends the game.
    pub(crate) slam_ends: Vec<u32>,
}

impl CrossTable {
    fn new(total: usize, crossing: Crossing, rules: &TableRules) -> CrossTable {
        let words = rows_with(total).div_ceil(64);
        let mut table = CrossTable {
            quiet: vec![0; words],
            leaves: vec![0; words],
            starts: vec![0],
            ..CrossTable::default()
        };
        let must_leave = rules.feeding == Feeding::LeaveASeed;
        for (before, row) in rows_of(total).enumerate() {
            let received = receive(&row, crossing, rules);
            let (word, bit) = (before / 64, 1 << (before % 64));
            if received.leaves_a_seed() {
                table.leaves[word] |= bit;
            }
            match received {
                Received::Quiet(after) => {
                    table.quiet[word] |= bit;
                    table.add_quiet(before, rank(&after));
                }
                Received::Capture(after, captured) => {
                    let empties = must_leave && !received.leaves_a_seed();
                    table.add_capture(captured, empties, (before as u32, rank(&after) as u32));
                }
                Received::SlamEnd(_) => table.slam_ends.push(before as u32),
                Received::Illegal => {}
            }
        }
        let after_words = rows_with(total + crossing_seeds(crossing)).div_ceil(64);
        table.starts.resize(after_words + 1, table.segments.len() as u32);
        let shift = summary_shift(after_words);
        for word in (0..after_words).filter(|&word| table.starts[word] < table.starts[word + 1]) {
            table.useful |= 1 << (word >> shift);
        }
        let image = |word| table.segments(word).iter().fold(0, |bits, segment| bits | segment.from);
        table.image = (0..after_words).map(image).collect();
        table.captures.sort_by_key(|captures| (captures.captured, captures.empties));
        let most = table.captures.last().map_or(0, |captures| captures.captured);
        let from = |captured| {
            table.captures.partition_point(|captures| captures.captured < captured) as u8
        };
        table.captures_from = (0..=most + 1).map(from).collect();
        table
    }

    /// The rows that lose this many seeds.
    #[inline]
    pub(crate) fn captures_of(&self, captured: u8) -> impl Iterator<Item = &Captures> + Clone {
        let from = |captured: usize| {
            let from = self.captures_from.get(captured).copied();
            from.map_or(self.captures.len(), usize::from)
        };
        let captured = usize::from(captured);
        self.captures[from(captured)..from(captured + 1)].iter()
    }

    /// The segments of a word of rows after the move.
    #[inline(always)]
    pub(crate) fn segments(&self, word: usize) -> &[Segment] {
        &self.segments[self.starts[word] as usize..self.starts[word + 1] as usize]
    }

    /// Both ranks rise from call to call.
    fn add_quiet(&mut self, before: usize, after: usize) {
        let (from_word, word) = (after / 64, (before / 64) as u32);
        let opened = self.starts.len() - 1;
        let new_word = opened <= from_word;
        if new_word {
            // Words that get no bits have no segments; this one's start here.
            self.starts.resize(from_word + 1, self.segments.len() as u32);
            self.starts.push(self.segments.len() as u32);
        }
        if new_word || self.segments.last().is_none_or(|last| last.word != word) {
            self.segments.push(Segment { from: 0, to: 0, word });
        }
        if let Some(last) = self.segments.last_mut() {
            last.from |= 1 << (after % 64);
            last.to |= 1 << (before % 64);
        }
        if let Some(end) = self.starts.last_mut() {
            *end = self.segments.len() as u32;
        }
    }

    fn add_capture(&mut self, captured: u8, empties: bool, ranks: (u32, u32)) {
        let known = self.captures.iter_mut();
        match known.into_iter().find(|c| c.captured == captured && c.empties == empties) {
            Some(captures) => captures.ranks.push(ranks),
            None => self.captures.push(Captures { captured, empties, ranks: vec![ranks] }),
        }
    }
}

/// The moves of all rows with at most some number of seeds, under one set of table rules.
#[derive(Clone, Debug)]
pub struct MoveTables {
    rules: TableRules,
    seeds: usize,
    pub(crate) space: RowSpace,
    pub(crate) moves: Vec<RowMoves>,
    before_start: Vec<u32>,
    before: Vec<MoveBefore>,
    /// By crossing (1 and up) and total of the opponent's row.
    crossings: Vec<Vec<CrossTable>>,
}

impl MoveTables {
    /// The tables for all layers up to `seeds`.
    ///
    /// # Panics
    /// Above 48 seeds.
    #[must_use]
    pub fn new(rules: TableRules, seeds: usize) -> MoveTables {
        let space = RowSpace::new(seeds);
        let moves = row_moves(&space, seeds, &rules);
        let (before_start, before) = moves_before(&moves);
        let crossings = (1..=highest_crossing(seeds))
            .map(|crossing| {
                let most = seeds.checked_sub(crossing_seeds(crossing));
                let totals = most.map_or(0..0, |most| 0..most + 1);
                totals.map(|total| CrossTable::new(total, crossing, &rules)).collect()
            })
            .collect();
        MoveTables { rules, seeds, space, moves, before_start, before, crossings }
    }

    /// The rules the tables are made for.
    #[must_use]
    pub fn rules(&self) -> TableRules {
        self.rules
    }

    /// The highest layer they serve.
    #[must_use]
    pub fn seeds(&self) -> usize {
        self.seeds
    }

    /// Bytes in memory.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let mut bytes = size_of_val(&self.moves[..])
            + size_of_val(&self.before_start[..])
            + size_of_val(&self.before[..]);
        for table in self.crossings.iter().flatten() {
            bytes += size_of_val(&table.segments[..])
                + size_of_val(&table.starts[..])
                + size_of_val(&table.quiet[..]) * 2
                + size_of_val(&table.image[..]);
            bytes += table.captures.iter().map(|c| size_of_val(&c.ranks[..])).sum::<usize>();
        }
        bytes as u64
    }

    /// How many legal moves without a capture all boards of a layer have, which is how many times
    /// a solve may tell a board that another is decided; and how many with one. Moves of different
    /// houses are counted apart.
    ///
    /// # Panics
    /// Above the seeds these tables serve.
    #[must_use]
    pub fn edges(&self, seeds: usize) -> [u64; 2] {
        let (mut quiet, mut captures) = (0, 0);
        for total in 0..=seeds {
            let opponent = seeds - total;
            // By crossing, how many rows of the opponent take it without a capture, and with one.
            let counts: Vec<[u64; 2]> = (1..=highest_crossing(total))
                .map(|crossing| {
                    let table = self.crossing(crossing, opponent);
                    let quiet = table.quiet.iter().map(|word| u64::from(word.count_ones())).sum();
                    let captured = table.captures.iter().map(|c| c.ranks.len() as u64);
                    [quiet, captured.sum::<u64>() + table.slam_ends.len() as u64]
                })
                .collect();
            for moves in &self.moves[self.space.base(total)..][..rows_with(total)] {
                for (_, crossing) in moves.each() {
                    if let Some(place) = usize::from(crossing).checked_sub(1) {
                        quiet += counts[place][0];
                        captures += counts[place][1];
                    } else if opponent > 0 || moves.passes_empty {
                        quiet += rows_with(opponent) as u64;
                    }
                }
            }
        }
        [quiet, captures]
    }

    /// The table of a crossing of 1 or more.
    #[inline]
    pub(crate) fn crossing(&self, crossing: Crossing, total: usize) -> &CrossTable {
        &self.crossings[usize::from(crossing) - 1][total]
    }

    /// The table of a crossing and a total that may not exist.
    pub(crate) fn crossing_of(&self, crossing: Crossing, total: usize) -> Option<&CrossTable> {
        self.crossings.get(usize::from(crossing).checked_sub(1)?)?.get(total)
    }

    /// Whether any move captures this many seeds.
    pub(crate) fn captures_some(&self, captured: usize) -> bool {
        let captured = u8::try_from(captured).unwrap_or(u8::MAX);
        self.crossings.iter().flatten().any(|table| table.captures_of(captured).next().is_some())
    }

    /// The moves to this row, by rising number of the rows that have them.
    #[inline]
    pub(crate) fn moves_before(&self, row: usize) -> &[MoveBefore] {
        &self.before[self.before_start[row] as usize..self.before_start[row + 1] as usize]
    }
}

fn row_moves(space: &RowSpace, seeds: usize, rules: &TableRules) -> Vec<RowMoves> {
    let mut moves = vec![RowMoves::NONE; space.end(seeds)];
    for total in 0..=seeds {
        for (row, slot) in rows_of(total).zip(&mut moves[space.base(total)..]) {
            for house in 0..ROW {
                if let Some((after, crossing)) = lift(&row, house) {
                    let left = total - crossing_seeds(crossing);
                    slot.after[house] = (space.base(left) + rank(&after)) as u32;
                    slot.crossing[house] = crossing;
                }
            }
            slot.passes_empty = may_pass_an_empty_row(&row, rules);
        }
    }
    moves
}

/// For each row the moves to it, each pair of row and crossing once: where they start, and all.
fn moves_before(moves: &[RowMoves]) -> (Vec<u32>, Vec<MoveBefore>) {
    let distinct = |moves: &RowMoves| -> Vec<(usize, Crossing)> {
        let pairs: Vec<(usize, Crossing)> = moves.each().collect();
        (0..pairs.len()).filter(|&i| !pairs[..i].contains(&pairs[i])).map(|i| pairs[i]).collect()
    };
    let mut start = vec![0u32; moves.len() + 1];
    for (after, _) in moves.iter().flat_map(distinct) {
        start[after + 1] += 1;
    }
    for row in 0..moves.len() {
        start[row + 1] += start[row];
    }
    let mut next = start.clone();
    let mut before = vec![MoveBefore(0); start[moves.len()] as usize];
    for (row, moves) in moves.iter().enumerate() {
        for (after, crossing) in distinct(moves) {
            before[next[after] as usize] = MoveBefore::new(row, crossing);
            next[after] += 1;
        }
    }
    (start, before)
}

/// A row with a move to some row, and the crossing of that move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveBefore(u32);

/// Bits of a row number: there are 25.8 million rows with at most 48 seeds.
const ROW_BITS: u32 = 26;

impl MoveBefore {
    fn new(row: usize, crossing: Crossing) -> MoveBefore {
        MoveBefore(u32::from(crossing) << ROW_BITS | row as u32)
    }

    #[inline]
    pub(crate) fn row(self) -> usize {
        (self.0 & ((1 << ROW_BITS) - 1)) as usize
    }

    #[inline]
    pub(crate) fn crossing(self) -> usize {
        (self.0 >> ROW_BITS) as usize
    }
}
