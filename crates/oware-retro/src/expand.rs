//! From the boards of one round to the boards before them, for a group of mover's rows.
//!
//! The work is done in steps over small lists: which rows after a move have boards, which words,
//! what stands before them, which of these are new. Each step reads scattered memory, but none of
//! its reads waits for another, so the processor has many under way at a time.

use crate::bits::{BitMoves, BitWork};
use crate::frontier::{Frontier, Run, lanes};
use crate::halves::crossing_seeds;
use crate::rounds::Rounds;
use crate::space::GROUP;
use crate::state::Side;
use crate::tables::NO_ROW;

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
        let Rounds { tables, shape, .. } = self.rounds;
        let total = shape.groups[self.group].total;
        let opponent = self.opponent();
        let reached = &mut self.lists.reached;
        reached.clear();
        for lane in lanes(self.rows) {
            let moves = &tables.moves[self.group * GROUP + lane];
            for house in 0..moves.after.len() {
                let (after, crossing) = (moves.after[house], moves.crossing[house]);
                if after == NO_ROW {
                    continue;
                }
                let after = after as usize;
                let mut summary = self.from.summary(after);
                if crossing != 0 {
                    summary &= tables.crossing(crossing, opponent).useful;
                }
                if summary == 0 || (crossing == 0 && opponent == 0 && !moves.passes_empty) {
                    continue;
                }
                let left = total - crossing_seeds(crossing);
                let run = Run::new(shape, after, left, after - tables.space.base(left));
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
            for word in run.marked(summary) {
                let boards = self.from.boards(run.start, word);
                if boards != [0, 0] {
                    words.push(Word { lane, crossing, word: word as u32, boards });
                }
            }
        }
    }

    /// A board before one that the opponent loses is won; one before a board that he wins loses
    /// an alternative.
    #[inline(always)]
    fn go_back<B: BitMoves>(&mut self) {
        let Rounds { tables, shape, planes, .. } = self.rounds;
        let opponent = self.opponent();
        let group = shape.groups[self.group];
        let start = shape.run(group.total, group.first_rank);
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
            if crossing == 0 {
                push(Side::Won, word, lost);
                push(Side::Lost, word, won);
                continue;
            }
            let table = tables.crossing(crossing, opponent);
            let word = word as usize;
            let range = table.starts[word] as usize..table.starts[word + 1] as usize;
            for segment in &table.segments[range] {
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
        let Rounds { shape, planes, .. } = self.rounds;
        let opponent = self.opponent();
        let mine = shape.groups[self.group].first_rank / GROUP;
        let Lists { before, new, .. } = self.lists;
        new.clear();
        for &Before { lane, side, word, place, boards } in before.iter() {
            let boards = match side {
                Side::Won => planes.win(place, boards),
                Side::Lost => planes.refute(place, boards),
            };
            for bit in lanes(boards) {
                let opponent_rank = word as usize * 64 + bit;
                self.to.expect(shape.run(opponent, opponent_rank), mine);
                new.push(New { lane, side, opponent_rank: opponent_rank as u32 });
            }
        }
    }

    #[inline(always)]
    fn emit(&mut self) -> u64 {
        let Rounds { tables, shape, .. } = self.rounds;
        let opponent = self.opponent();
        let group = shape.groups[self.group];
        // All lanes of a group stand in one word of a run.
        debug_assert_eq!(group.first_rank % GROUP, 0);
        let mine = group.first_rank / GROUP;
        let base = tables.space.base(opponent);
        for &New { lane, side, opponent_rank } in &self.lists.new {
            let rank = opponent_rank as usize;
            let run = Run::new(shape, base + rank, opponent, rank);
            self.to.add(self.worker, side, run, mine, 1 << lane);
        }
        self.lists.new.len() as u64
    }
}
