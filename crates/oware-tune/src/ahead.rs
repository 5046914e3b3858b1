//! A small alpha-beta that labels boards and plays fast games: a transposition table, captures
//! first, tables at the leaves. It knows no loops, for it never looks further than a loop is long.

use std::time::Instant;

use oware_app::InMemory;
use oware_rules::{Board, Move, Rules, SowingBoard, Sown};
use oware_search::Endgame;

use crate::random::Random;

/// More than any value.
const INFINITE: i32 = 1_000_000;
/// The rules of the tables; play goes on to the last seed.
pub(crate) const RULES: Rules = Rules::ABAPA;

#[derive(Clone, Copy)]
struct Entry {
    board: Board,
    value: i16,
    depth: u8,
    /// 0 none, 1 at most, 2 at least, 3 exact.
    bound: u8,
    mv: u8,
}

const NO_MOVE: u8 = 255;

/// How a leaf of the search is valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaf {
    /// As it stands.
    Still,
    /// After captures, while they gain.
    Captures,
}

/// What ends a search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Until {
    /// Plies.
    pub(crate) depth: u32,
    /// Positions; 0 for no limit.
    pub(crate) nodes: u64,
    /// A moment.
    pub(crate) time: Option<Instant>,
}

/// A search with its transposition table.
pub(crate) struct Ahead<'a, G: Fn(Board) -> i32> {
    guess: G,
    leaf: Leaf,
    endgame: Option<&'a InMemory>,
    most_seeds: u8,
    entries: Vec<Entry>,
    until: Until,
    stopped: bool,
    /// Positions since the last search began.
    pub(crate) nodes: u64,
    /// Leaves that were valued by the guess, a few of them taken at random.
    pub(crate) leaves: Vec<Board>,
    /// One leaf of this many is taken; 0 for none.
    pub(crate) one_of: usize,
    random: Random,
}

impl<'a, G: Fn(Board) -> i32> Ahead<'a, G> {
    /// A search with `1 << bits` entries in its table.
    pub(crate) fn new(guess: G, leaf: Leaf, endgame: Option<&'a InMemory>, bits: u32) -> Self {
        let none = Entry { board: Board::START, value: 0, depth: 0, bound: 0, mv: NO_MOVE };
        Ahead {
            guess,
            leaf,
            endgame,
            most_seeds: endgame.map_or(0, Endgame::most_seeds),
            entries: vec![none; 1 << bits],
            until: Until::default(),
            stopped: false,
            nodes: 0,
            leaves: Vec::new(),
            one_of: 0,
            random: Random::new(0),
        }
    }

    /// Sets the seed of what is taken at random.
    pub(crate) fn seed(&mut self, seed: u64) {
        self.random = Random::new(seed);
    }

    /// The best move and its value in hundredths, one ply deeper each time. `None` if there is
    /// no legal move; then the value is that of the rest.
    pub(crate) fn search(&mut self, board: Board, until: Until) -> (Option<Move>, i32, u32) {
        (self.until, self.stopped, self.nodes) = (until, false, 0);
        let mut legal = board.legal(&RULES).iter();
        let Some(first) = legal.next() else { return (None, own_rows(board), 0) };
        let single = legal.next().is_none();
        let (mut best, mut value, mut reached) = (first, 0, 0);
        for depth in 1..=until.depth {
            if single && until.nodes > 0 {
                break;
            }
            let (mut alpha, mut found) = (-INFINITE, None);
            for (mv, sown) in self.ordered(board, best.index() as u8) {
                let gain = i32::from(sown.captured) * 100;
                let got = gain - self.node(sown.board, depth - 1, -INFINITE, gain - alpha);
                if self.stopped {
                    break;
                }
                if got > alpha {
                    alpha = got;
                    found = Some(mv);
                }
            }
            // The old best move comes first, so what passed it in a search that was stopped did
            // so at the greater depth.
            if let Some(mv) = found {
                best = mv;
                value = alpha;
            }
            if self.stopped {
                break;
            }
            reached = depth;
        }
        (Some(best), value, reached)
    }

    fn visit(&mut self) {
        self.nodes += 1;
        if self.until.nodes > 0 && self.nodes >= self.until.nodes {
            self.stopped = true;
        }
        if self.nodes.is_multiple_of(256) && self.until.time.is_some_and(|t| Instant::now() >= t) {
            self.stopped = true;
        }
    }

    fn node(&mut self, board: Board, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        self.visit();
        let seeds = board.total();
        if let Some(value) = self.known(board, seeds) {
            return value;
        }
        if board.legal(&RULES).is_empty() {
            return own_rows(board);
        }
        if depth == 0 {
            return self.leaf(board, alpha, beta);
        }
        let slot = slot(board) & (self.entries.len() - 1);
        let entry = self.entries[slot];
        let mut first = NO_MOVE;
        if entry.bound > 0 && entry.board == board {
            first = entry.mv;
            let value = i32::from(entry.value);
            if u32::from(entry.depth) == depth
                && match entry.bound {
                    1 => value <= alpha,
                    2 => value >= beta,
                    _ => true,
                }
            {
                return value;
            }
        }
        let (before, mut best, mut best_move) = (alpha, -INFINITE, NO_MOVE);
        for (mv, sown) in self.ordered(board, first) {
            let gain = i32::from(sown.captured) * 100;
            let value = gain - self.node(sown.board, depth - 1, gain - beta, gain - alpha);
            if self.stopped {
                return alpha;
            }
            if value > best {
                (best, best_move) = (value, mv.index() as u8);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        let bound = if best <= before { 1 } else { 2 + u8::from(best < beta) };
        let (value, depth) = (best as i16, depth as u8);
        self.entries[slot] = Entry { board, value, depth, bound, mv: best_move };
        best
    }

    fn known(&self, board: Board, seeds: u8) -> Option<i32> {
        let endgame = self.endgame.filter(|_| seeds <= self.most_seeds)?;
        endgame.value(board).map(|value| i32::from(value) * 100)
    }

    fn leaf(&mut self, board: Board, mut alpha: i32, beta: i32) -> i32 {
        if self.one_of > 0 && self.random.below(self.one_of) == 0 {
            self.leaves.push(board);
        }
        let mut best = (self.guess)(board);
        if self.leaf == Leaf::Still || best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        for (_, sown) in self.ordered(board, NO_MOVE) {
            if sown.captured == 0 {
                break;
            }
            self.visit();
            let gain = i32::from(sown.captured) * 100;
            let seeds = sown.board.total();
            let after = match self.known(sown.board, seeds) {
                Some(value) => value,
                None if sown.board.legal(&RULES).is_empty() => own_rows(sown.board),
                None => self.leaf(sown.board, gain - beta, gain - alpha),
            };
            best = best.max(gain - after);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The moves with what they make: `first`, then by seeds captured, then from the right.
    fn ordered(
        &self,
        board: Board,
        first: u8,
    ) -> impl Iterator<Item = (Move, Sown<Board>)> + use<G> {
        let mut moves = [None; 6];
        for (number, mv) in board.legal(&RULES).iter().enumerate() {
            let sown = board.sow(mv, &RULES);
            let index = mv.index() as u8;
            let key = if index == first { u8::MAX } else { sown.captured * 6 + index };
            let mut at = number;
            while at > 0 && matches!(moves[at - 1], Some((other, _, _)) if other < key) {
                moves[at] = moves[at - 1];
                at -= 1;
            }
            moves[at] = Some((key, mv, sown));
        }
        moves.into_iter().flatten().map(|(_, mv, sown)| (mv, sown))
    }
}

/// Each takes his own row, in hundredths.
fn own_rows(board: Board) -> i32 {
    (i32::from(board.mover_total()) - i32::from(board.opponent_total())) * 100
}

fn slot(board: Board) -> usize {
    let word = |bytes: &[u8]| bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
    let houses = board.houses();
    let mixed = word(&houses[..6]).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ word(&houses[6..]).wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
    (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32) as usize
}
