//! From the boards of one round to the boards before them, for a group of mover's rows.
//!
//! The work is done in steps over small lists: which rows after a move have boards, which words,
//! what stands before them, which of these are new. Each step reads scattered memory, but none of
//! its reads waits for another, so the processor has many under way at a time.

use crate::bits::{BitMoves, BitWork};
use crate::frontier::{Frontier, Run, lanes};
use crate::halves::{MOST_CROSSINGS, crossing_seeds, highest_crossing};
use crate::rounds::Rounds;
use crate::space::GROUP;
use crate::state::{Shape, Side};
use crate::tables::{CrossTable, MoveTables, NO_ROW};

/// What all moves of one crossing from rows of one total have in common.
pub(crate) struct Crossed<'a> {
    /// The total of the mover's row afterwards.
    left: usize,
    /// Which marks of a run can lead to boards before.
    useful: u64,
    /// `None` for moves that do not reach the opponent's row: they leave it as it is.
    table: Option<&'a CrossTable>,
}

impl<'a> Crossed<'a> {
    /// By the total of the mover's row and by crossing, what a layer needs.
    pub(crate) fn all(tables: &'a MoveTables, shape: &Shape) -> Vec<Vec<Crossed<'a>>> {
        let of_total = |total: usize| {
            let opponent = shape.seeds - total;
            let crossed = |crossing| {
                let left = total - crossing_seeds(crossing);
                let table = (crossing > 0).then(|| tables.crossing(crossing, opponent));
                let useful = table.map_or(u64::MAX, |table| table.useful);
                Crossed { left, useful, table }
            };
            (0..=highest_crossing(total)).map(crossed).collect()
        };
        (0..=shape.seeds).map(of_total).collect()
    }
}

/// By crossing, which marks of the run of a row can lead to boards before.
pub(crate) type Useful = [u64; MOST_CROSSINGS];

/// The same as in [`Crossed`], by the total of the row after the move.
pub(crate) fn useful_by_total(crossed: &[Vec<Crossed<'_>>]) -> Vec<Useful> {
    let of_total = |after: usize| {
        std::array::from_fn(|crossing| {
            let before = after + crossing_seeds(crossing as u8);
            let crossed = crossed.get(before).and_then(|crossed| crossed.get(crossing));
            crossed.map_or(0, |crossed| crossed.useful)
        })
    };
    (0..crossed.len()).map(of_total).collect()
}

/// A move of a row to a row that has boards.
#[derive(Clone, Copy)]
struct Reached {
    lane: u8,
    crossing: u8,
    run: Run,
    summary: u64,
}

/// A word of such boards.
#[derive(Clone, Copy)]
struct Word {
    lane: u8,
    crossing: u8,
    word: u32,
    /// Won and lost boards, for the player to move after the move.
    boards: [u64; 2],
}

/// Boards before them, a word in mover order.
#[derive(Clone, Copy)]
struct Before {
    lane: u8,
    side: Side,
    word: u32,
    /// Where the word is among all.
    place: usize,
    boards: u64,
}

/// A board that is decided in this round.
#[derive(Clone, Copy)]
struct New {
    lane: u8,
    side: Side,
    opponent_rank: u32,
}

/// The lists of one worker.
#[derive(Default)]
pub(crate) struct Lists {
    reached: Vec<Reached>,
    words: Vec<Word>,
    before: Vec<Before>,
    new: Vec<New>,
}

/// Some mover's rows of one group, whose moves may lead to boards of the round before.
pub(crate) struct Expand<'a, 'r> {
    pub(crate) rounds: &'a Rounds<'r>,
    pub(crate) worker: usize,
    pub(crate) group: usize,
    pub(crate) rows: u64,
    pub(crate) from: &'a Frontier,
    pub(crate) to: &'a Frontier,
    pub(crate) lists: &'a mut Lists,
}

impl BitWork for Expand<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<B: BitMoves>(mut self) -> u64 {
        self.find_rows();
        self.find_words();
        self.go_back::<B>();
        self.decide();
        self.emit()
    }
}

impl Expand<'_, '_> {
    fn opponent(&self) -> usize {
        self.rounds.shape.seeds - self.rounds.shape.groups[self.group].total
    }

    #[inline(always)]
    fn find_rows(&mut self) {
        let Rounds { tables, shape, crossed, .. } = self.rounds;
        let crossed = &crossed[shape.groups[self.group].total];
        let fed = self.opponent() > 0;
        let reached = &mut self.lists.reached;
        reached.clear();
        for lane in lanes(self.rows) {
            let moves = &tables.moves[self.group * GROUP + lane];
            for (&after, &crossing) in moves.after.iter().zip(&moves.crossing) {
                if after == NO_ROW {
                    continue;
                }
                let after = after as usize;
                let how = &crossed[usize::from(crossing)];
                let summary = self.from.summary(after) & how.useful;
                if summary == 0 || !(fed || crossing > 0 || moves.passes_empty) {
                    continue;
                }
                let run = self.from.run(how.left, after);
                self.from.expect(run.start, run.first_marked(summary));
                reached.push(Reached { lane: lane as u8, crossing, run, summary });
            }
        }
    }

    #[inline(always)]
    fn find_words(&mut self) {
        let Lists { reached, words, .. } = self.lists;
        words.clear();
        for &Reached { lane, crossing, run, summary } in reached.iter() {
            run.marked(summary, |word| {
                let boards = self.from.boards(run.start, word);
                if boards != [0, 0] {
                    words.push(Word { lane, crossing, word: word as u32, boards });
                }
            });
        }
    }

    /// A board before one that the opponent loses is won; one before a board that he wins loses
    /// an alternative.
    #[inline(always)]
    fn go_back<B: BitMoves>(&mut self) {
        let Rounds { shape, planes, crossed, .. } = self.rounds;
        let group = shape.groups[self.group];
        let crossed = &crossed[group.total];
        let start = self.rounds.own.word(self.group);
        let width = shape.words(group.total);
        let Lists { words, before, .. } = self.lists;
        before.clear();
        for &Word { lane, crossing, word, boards } in words.iter() {
            let start = start + usize::from(lane) * width;
            let mut push = |side: Side, word: u32, boards: u64| {
                if boards != 0 {
                    let place = start + word as usize;
                    planes.expect(place);
                    before.push(Before { lane, side, word, place, boards });
                }
            };
            let [won, lost] = boards;
            let Some(table) = crossed[usize::from(crossing)].table else {
                push(Side::Won, word, lost);
                push(Side::Lost, word, won);
                continue;
            };
            for segment in table.segments(word as usize) {
                if lost != 0 {
                    push(Side::Won, segment.word, B::transfer(lost, segment.from, segment.to));
                }
                if won != 0 {
                    push(Side::Lost, segment.word, B::transfer(won, segment.from, segment.to));
                }
            }
        }
    }

    #[inline(always)]
    fn decide(&mut self) {
        let Rounds { tables, planes, own, .. } = self.rounds;
        let opponent = self.opponent();
        let mine = own.column(self.group);
        // Where boards are found all rows have runs, one after the other.
        let first = self.to.run(opponent, tables.space.base(opponent));
        let Lists { before, new, .. } = self.lists;
        new.clear();
        for &Before { lane, side, word, place, boards } in before.iter() {
            for bit in lanes(planes.decide(side, place, boards)) {
                let opponent_rank = word * 64 + bit as u32;
                self.to.expect(first.start + opponent_rank as usize * first.words, mine);
                new.push(New { lane, side, opponent_rank });
            }
        }
    }

    #[inline(always)]
    fn emit(&mut self) -> u64 {
        let Rounds { tables, own, .. } = self.rounds;
        let opponent = self.opponent();
        // All lanes of a group stand in one word of a run.
        let mine = own.column(self.group);
        let first = tables.space.base(opponent);
        for &New { lane, side, opponent_rank } in &self.lists.new {
            let run = self.to.run(opponent, first + opponent_rank as usize);
            self.to.add(self.worker, side, run, mine, 1 << lane);
        }
        self.lists.new.len() as u64
    }
}
