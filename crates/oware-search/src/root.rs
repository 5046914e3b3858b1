//! The root: iterative deepening, aspiration, several lines.

use std::cmp::Reverse;
use std::sync::atomic::Ordering;
use std::time::Instant;

use oware_rules::{Board, Move, MoveSet, Sown};

use crate::node::{Task, bound_of};
use crate::parts::Part;
use crate::worker::{Found, INFINITE, Worker, gain};
use crate::{Bound, DEEPEST, Line, Report, Score, Source};

/// Half the first window of a depth, in hundredths of a seed.
const ASPIRATION: i32 = 120;

/// A move of the root with what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    mv: Move,
    sown: Sown<Board>,
    /// By the last depth at which it was among the best.
    value: i32,
    /// What the value is, if the window it was found with was left.
    bound: Bound,
    proven: bool,
    depth: u32,
    line: Vec<Move>,
}

/// What is asked at the root.
pub(crate) struct Root {
    /// The difference of the stores, for the mover.
    pub(crate) stores: i32,
    pub(crate) legal: MoveSet,
    pub(crate) lines: usize,
    pub(crate) depth: u32,
    /// What endgame tables say of the moves; empty if they do not know the board.
    pub(crate) of_tables: Vec<(Move, i32)>,
}

impl Worker<'_> {
    fn root_moves(&self, legal: MoveSet) -> Vec<RootMove> {
        let board = self.frames[0].board;
        let candidates = self.candidates(board, legal, None, 0, 3);
        candidates
            .iter()
            .map(|candidate| RootMove {
                mv: candidate.mv,
                sown: candidate.sown,
                value: gain(&candidate.sown) - self.guess(candidate.sown.board, 48),
                bound: Bound::Exact,
                proven: false,
                depth: 0,
                line: vec![candidate.mv],
            })
            .collect()
    }

    /// Looks one ply deeper each time, beginning with `first`.
    pub(crate) fn deepen(
        &mut self,
        root: &Root,
        first: u32,
        on_depth: &mut dyn FnMut(&Report),
    ) -> Report {
        // Browsers' wasm has no clock here.
        let begun = cfg!(not(target_family = "wasm")).then(Instant::now);
        let mut moves = self.root_moves(root.legal);
        let lines = root.lines.clamp(1, moves.len().max(1));
        let mut report = self.report(root, begun, &moves[..lines.min(moves.len())], 0);
        if moves.is_empty() {
            return report;
        }
        let mut changes = 0.0;
        for depth in first..=root.depth.min(DEEPEST) {
            let earlier = moves[..lines].to_vec();
            let finished = self.iterate(&mut moves, lines, depth);
            if !finished {
                take_back_bounds(&mut moves[..lines], &earlier);
                report = self.report(root, begun, &moves[..lines], report.depth);
                break;
            }
            report = self.report(root, begun, &moves[..lines], depth);
            on_depth(&report);
            changes = changes * 0.5 + f64::from(u8::from(moves[0].mv != earlier[0].mv));
            if self.is_enough(&moves, lines, 1.0 + changes) {
                break;
            }
        }
        report
    }

    /// Whether a further depth would bring nothing, or not be finished.
    fn is_enough(&mut self, moves: &[RootMove], lines: usize, calm: f64) -> bool {
        let shared = self.shared;
        let settled = !shared.check && moves[..lines].iter().all(|mv| mv.proven);
        let only = moves.len() == 1 && shared.deadline.is_shared_out();
        self.look();
        self.stopped
            || shared.deadline.is_near(shared.control, calm)
            || !shared.control.is_pondering()
                && (settled && moves.iter().all(|mv| mv.proven) || only)
    }

    /// One depth for all lines. `false` if it was stopped; `moves` then hold what was found.
    fn iterate(&mut self, moves: &mut [RootMove], lines: usize, depth: u32) -> bool {
        for line in 0..lines {
            let guess = moves[line].value;
            let narrow = self.has(Part::Aspiration) && depth >= 4 && !moves[line].proven;
            let mut delta = if narrow { ASPIRATION } else { 2 * INFINITE };
            let (mut alpha, mut beta) = (guess - delta, guess + delta);
            loop {
                let window = (alpha.max(-INFINITE), beta.min(INFINITE));
                let value = self.root_window(&mut moves[line..], depth, window);
                if self.stopped {
                    return false;
                }
                delta *= 3;
                if value <= window.0 && window.0 > -INFINITE {
                    alpha = value - delta;
                } else if value >= window.1 && window.1 < INFINITE {
                    beta = value + delta;
                } else {
                    break;
                }
            }
        }
        moves[..lines].sort_by_key(|mv| Reverse(mv.value));
        true
    }

    /// The best of these moves within a window; it is put first, the others keep their order.
    fn root_window(
        &mut self,
        moves: &mut [RootMove],
        depth: u32,
        (mut alpha, beta): (i32, i32),
    ) -> i32 {
        let mut best = -INFINITE;
        for i in 0..moves.len() {
            let task = Task { depth: depth as i32, alpha, beta };
            let found = self.root_child(&moves[i], i, task);
            if self.stopped {
                return best;
            }
            best = best.max(found.value);
            if found.value > alpha || i == 0 {
                let mv = &mut moves[i];
                (mv.value, mv.proven, mv.depth) = (found.value, found.proven, depth);
                mv.bound = bound_of(found.value, task);
                if found.value > alpha {
                    self.keep_line(0, mv.mv);
                    mv.line.clone_from(&self.lines[0]);
                    moves[..=i].rotate_right(1);
                    alpha = found.value;
                }
            } else {
                moves[i].proven = found.proven;
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }

    fn root_child(&mut self, root_move: &RootMove, index: usize, task: Task) -> Found {
        let gain = gain(&root_move.sown);
        if root_move.sown.ends_by_slam(&self.shared.rules) {
            self.visit(1);
            self.lines[1].clear();
            return Found::proven(gain);
        }
        self.push(0, &root_move.sown, None);
        let for_mover = |found: Found| Found { value: gain - found.value, ..found };
        let full = Task { depth: task.depth - 1, alpha: gain - task.beta, beta: gain - task.alpha };
        if index > 0 && self.has(Part::Pvs) {
            let empty = Task { alpha: full.beta - 1, ..full };
            let found = for_mover(self.node::<false>(1, empty));
            if found.value <= task.alpha || self.stopped {
                return found;
            }
        }
        for_mover(self.node::<true>(1, full))
    }

    fn report(
        &self,
        root: &Root,
        begun: Option<Instant>,
        moves: &[RootMove],
        depth: u32,
    ) -> Report {
        let line = |mv: &RootMove| {
            let of_tables = root.of_tables.iter().find(|(known, _)| *known == mv.mv);
            let (source, value) = match of_tables {
                Some(&(_, value)) => (Source::Table, value),
                None if mv.proven => (Source::Bound, mv.value),
                None => (Source::Search, mv.value),
            };
            Line {
                mv: mv.mv,
                score: Score(root.stores + value),
                bound: mv.bound,
                source,
                depth: mv.depth,
                moves: mv.line.clone(),
            }
        };
        Report {
            lines: moves.iter().map(line).collect(),
            depth,
            selective_depth: self.deepest,
            nodes: self.shared.nodes.load(Ordering::Relaxed).max(self.nodes),
            table_hits: self.table_hits,
            hash_full: self.shared.table.permille_full(),
            elapsed: begun.map(|begun| begun.elapsed()).unwrap_or_default(),
        }
    }
}

/// Where a depth was not finished, a value of the depth before says more than a bound.
fn take_back_bounds(moves: &mut [RootMove], earlier: &[RootMove]) {
    for mv in &mut *moves {
        let known = earlier.iter().find(|known| known.mv == mv.mv);
        if let (Bound::Lower | Bound::Upper, Some(known)) = (mv.bound, known) {
            mv.clone_from(known);
        }
    }
    moves.sort_by_key(|mv| Reverse(mv.value));
}
