//! The recursion: alpha-beta over further net captures, with a transposition table.
//!
//! The value of a board is what its mover will still take more than his opponent, so that stores
//! are no part of it and a move's window is its captures less the window of the board before.

use oware_rules::{Board, Move, MoveSet, SowingBoard, Sown};

use crate::Bound;
use crate::check::CheckKey;
use crate::key::key;
use crate::limits::DEEPEST;
use crate::parts::Part;
use crate::tt::{ANY_DEPTH, Entry};
use crate::worker::{Found, Frame, INFINITE, NO_LOOP, Worker, gain};

/// Below this depth the transposition table costs more than it saves.
const TABLE_DEPTH: i32 = 2;
/// From this depth on moves are ordered by a guess at the boards they lead to.
const ORDER_DEPTH: i32 = 2;
/// From this depth on, a node without a move to begin with is looked at a ply less deep.
const SHALLOWER_DEPTH: i32 = 5;
/// From this depth on late moves are reduced.
const REDUCE_DEPTH: i32 = 3;
/// What a killer move is preferred by, in hundredths of a seed.
const KILLER: i32 = 60;
/// Up to this depth nodes far above beta are given up; hundredths of a seed for each ply.
const FUTILE_DEPTH: i32 = 7;
const FUTILE_MARGIN: i32 = 70;
/// Up to this depth nodes far below alpha are given up, too, with so much more of a margin.
const HOPELESS_DEPTH: i32 = 2;
const HOPELESS_MARGIN: i32 = 100;

/// A move with what it makes, to be ordered.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    pub(crate) sown: Sown<Board>,
    /// The guess at the board it makes, for the opponent, if one was made.
    guess: Option<i32>,
    /// What a guess expects of it, for who plays it, in hundredths of a seed.
    prospect: i32,
    rank: i32,
}

/// The moves of a board, the likely best first.
pub(crate) struct Candidates {
    list: [Option<Candidate>; 6],
    len: usize,
}

impl Candidates {
    fn push(&mut self, candidate: Candidate) {
        let mut i = self.len;
        while i > 0 && self.list[i - 1].is_some_and(|before| before.rank < candidate.rank) {
            self.list[i] = self.list[i - 1];
            i -= 1;
        }
        self.list[i] = Some(candidate);
        self.len += 1;
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Candidate> + '_ {
        self.list[..self.len].iter().flatten().copied()
    }
}

/// A window and the depth of a node.
#[derive(Clone, Copy)]
pub(crate) struct Task {
    pub(crate) depth: i32,
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
}

impl Worker<'_> {
    /// The value of the board at `ply` of the line.
    pub(crate) fn node<const PV: bool>(&mut self, ply: u32, task: Task) -> Found {
        self.visit(ply);
        if self.stopped {
            return Found::guessed(0);
        }
        if PV {
            self.lines[ply as usize].clear();
        }
        let frame = self.frames[ply as usize];
        let board = frame.board;
        let legal = board.legal(&self.shared.rules);
        if legal.is_empty() {
            return Found::proven(self.stuck_value(board));
        }
        if let Some(since) = self.loops_to(ply) {
            return Found { since, ..Found::proven(self.loop_value(board)) };
        }
        if let Some(value) = self.known(board, frame.seeds) {
            return Found::proven(value);
        }
        if task.depth <= 0 || ply >= DEEPEST {
            return Found::guessed(self.guess_at(&frame));
        }
        if self.shared.check {
            return self.checked_node::<PV>(ply, legal, task);
        }
        // Nobody takes more than there is.
        let all = 100 * frame.seeds;
        if all <= task.alpha {
            return Found::proven(all);
        }
        if -all >= task.beta {
            return Found::proven(-all);
        }
        self.inner::<PV>(ply, legal, task)
    }

    /// The exact value that endgame tables have.
    #[inline]
    pub(crate) fn known(&mut self, board: Board, seeds: i32) -> Option<i32> {
        if seeds > self.shared.known_to {
            return None;
        }
        let value = self.shared.endgame?.value(board)?;
        self.table_hits += 1;
        Some(100 * i32::from(value))
    }

    /// A node whose value is not known beforehand.
    fn inner<const PV: bool>(&mut self, ply: u32, legal: MoveSet, task: Task) -> Found {
        let frame = self.frames[ply as usize];
        let board = frame.board;
        let uses_table =
            task.depth >= TABLE_DEPTH && self.has(Part::Table) && !self.near_limit(ply, task);
        let key = if uses_table { key(board) } else { 0 };
        let entry = if uses_table { self.shared.table.get(key) } else { None };
        if let Some(entry) = entry
            && !PV
            && entry.depth >= task.depth
            && settles(&entry, task)
        {
            let proven = entry.depth == ANY_DEPTH;
            return Found { value: entry.value, since: NO_LOOP, proven };
        }
        if !PV && let Some(value) = self.futile(&frame, task) {
            return Found::guessed(value);
        }
        let first = entry.and_then(|entry| entry.mv);
        let mut task = task;
        if first.is_none()
            && task.depth >= SHALLOWER_DEPTH
            && self.has(Part::Shallower)
            && uses_table
        {
            task.depth -= 1;
        }
        let candidates = self.candidates(board, legal, first, ply, task.depth);
        let (found, best) = self.try_all::<PV>(ply, &candidates, task);
        if uses_table && !self.stopped && found.since >= ply {
            let bound = bound_of(found.value, task);
            let depth = if found.proven { ANY_DEPTH } else { task.depth };
            let mv = if bound == Bound::Upper { None } else { best };
            self.shared.table.put(key, Entry { value: found.value, depth, bound, mv });
        }
        let since = if found.since >= ply { NO_LOOP } else { found.since };
        Found { since, ..found }
    }

    /// Near the horizon, the value of a board whose guess lies so far outside the window that a
    /// search would hardly bring it back.
    fn futile(&self, frame: &Frame, task: Task) -> Option<i32> {
        let all = 100 * frame.seeds;
        if task.depth > FUTILE_DEPTH || !self.has(Part::Futility) {
            return None;
        }
        let guess = self.guess_at(frame);
        let margin = FUTILE_MARGIN * task.depth;
        if task.beta.abs() < all && guess - margin >= task.beta {
            return Some(guess - margin);
        }
        let below = guess + margin + HOPELESS_MARGIN;
        let hopeless = task.depth <= HOPELESS_DEPTH && task.alpha.abs() < all;
        (hopeless && below <= task.alpha).then_some(below)
    }

    /// The guess at the board of a frame.
    #[inline]
    fn guess_at(&self, frame: &Frame) -> i32 {
        frame.guess.unwrap_or_else(|| self.guess(frame.board, frame.seeds))
    }

    /// Whether a limit on plies without a capture may end a line below: values of other histories
    /// are then of no use.
    fn near_limit(&self, ply: u32, task: Task) -> bool {
        let limit = self.shared.rules.capture_free_limit;
        let reach = self.frames[ply as usize].quiet + task.depth.max(0) as u32;
        limit.is_some_and(|limit| reach + 1 >= u32::from(limit.get()))
    }

    /// Tries the moves in turn. What comes out rests on all moves tried, or on the one that cut.
    fn try_all<const PV: bool>(
        &mut self,
        ply: u32,
        candidates: &Candidates,
        task: Task,
    ) -> (Found, Option<Move>) {
        let mut alpha = task.alpha;
        let mut best = Found { value: -INFINITE, ..Found::proven(0) };
        let mut best_move = None;
        for (index, candidate) in candidates.iter().enumerate() {
            let found = self.child::<PV>(ply, index, &candidate, Task { alpha, ..task });
            if self.stopped {
                return (best, best_move);
            }
            best.since = best.since.min(found.since);
            best.proven &= found.proven;
            if found.value > best.value {
                best.value = found.value;
                if found.value > alpha {
                    best_move = Some(candidate.mv);
                    if PV {
                        self.keep_line(ply, candidate.mv);
                    }
                    alpha = found.value;
                }
            }
            if alpha >= task.beta {
                self.remember_cut(ply, index, candidates, task.depth);
                return (found, best_move);
            }
        }
        (best, best_move)
    }

    /// The value of a move for who plays it.
    fn child<const PV: bool>(
        &mut self,
        ply: u32,
        index: usize,
        candidate: &Candidate,
        task: Task,
    ) -> Found {
        let sown = &candidate.sown;
        let gain = gain(sown);
        if sown.ends_by_slam(&self.shared.rules) {
            self.visit(ply + 1);
            self.lines[ply as usize + 1].clear();
            return Found::proven(gain);
        }
        self.push(ply, sown, candidate.guess);
        let for_mover = |found: Found| Found { value: gain - found.value, ..found };
        let depth = task.depth - 1;
        let full = Task { depth, alpha: gain - task.beta, beta: gain - task.alpha };
        let empty = Task { alpha: gain - task.alpha - 1, ..full };
        if index == 0 || !self.has(Part::Pvs) {
            return for_mover(self.node::<PV>(ply + 1, full));
        }
        let reduction = self.reduction::<PV>(index, candidate, task);
        let reduced = Task { depth: depth - reduction, ..empty };
        let mut found = for_mover(self.node::<false>(ply + 1, reduced));
        if reduction > 0 && found.value > task.alpha && !found.proven && !self.stopped {
            found = for_mover(self.node::<false>(ply + 1, empty));
        }
        if PV && found.value > task.alpha && found.value < task.beta && !self.stopped {
            found = for_mover(self.node::<true>(ply + 1, full));
        }
        found
    }

    /// By how many plies a late move is looked at less deep: the more, the less is to be expected
    /// of it.
    fn reduction<const PV: bool>(&self, index: usize, candidate: &Candidate, task: Task) -> i32 {
        let depth = task.depth;
        if depth < REDUCE_DEPTH || !self.has(Part::Reductions) || self.shared.check {
            return 0;
        }
        let hopeless = match task.alpha - candidate.prospect {
            ..20 => -1,
            20..=100 => 0,
            101..=250 => 1,
            251.. => 2,
        };
        let reduction = 1 + i32::from(index >= 3) + depth / 8 + hopeless - i32::from(PV);
        reduction.clamp(0, depth - 1)
    }

    /// Moves with what they make, the likely best first: `first`, then by captures and a guess at
    /// the board after them.
    pub(crate) fn candidates(
        &self,
        board: Board,
        legal: MoveSet,
        first: Option<Move>,
        ply: u32,
        depth: i32,
    ) -> Candidates {
        let seeds = self.frames[ply as usize].seeds;
        let mut candidates = Candidates { list: [None; 6], len: 0 };
        let deep = depth >= ORDER_DEPTH;
        let guesses = deep && self.has(Part::Order);
        for mv in legal {
            let sown = board.sow(mv, &self.shared.rules);
            if depth > TABLE_DEPTH && !self.shared.check {
                self.shared.table.prefetch(key(sown.board));
            }
            let left = seeds - i32::from(sown.captured);
            let guess = guesses.then(|| self.guess(sown.board, left));
            let prospect = gain(&sown) - guess.unwrap_or(0);
            let mut rank = prospect;
            if Some(mv) == first {
                rank = INFINITE * 4;
            } else if deep && self.has(Part::Killers) {
                if self.killers[ply as usize] == Some(mv) {
                    rank += KILLER;
                }
                rank += self.history[mv.index()][board.lifted(mv) as usize % 64] / 64;
            }
            // Equal ones from the right, whose seeds reach the opponent soonest.
            candidates.push(Candidate {
                mv,
                sown,
                guess,
                prospect,
                rank: rank * 8 + mv.index() as i32,
            });
        }
        candidates
    }

    /// A move cut: similar ones are tried earlier.
    fn remember_cut(&mut self, ply: u32, index: usize, candidates: &Candidates, depth: i32) {
        if depth < ORDER_DEPTH || index == 0 && depth < 4 {
            return;
        }
        let board = self.frames[ply as usize].board;
        let worth = (depth * depth).min(400);
        for (i, candidate) in candidates.iter().take(index + 1).enumerate() {
            let mv = candidate.mv;
            let entry = &mut self.history[mv.index()][board.lifted(mv) as usize % 64];
            let change = if i == index { worth } else { -worth };
            // Drawn towards its limit of 4096 less the nearer it is.
            *entry += change - *entry * worth / 4096;
        }
        self.killers[ply as usize] = candidates.list[index].map(|cut| cut.mv);
    }

    /// A node of the `check` mode.
    fn checked_node<const PV: bool>(&mut self, ply: u32, legal: MoveSet, task: Task) -> Found {
        let board = self.frames[ply as usize].board;
        let key = CheckKey::of(&self.frames[..=ply as usize], self.past, task.depth);
        if let Some((value, bound)) = self.checked.get(&key)
            && !PV
            && settles(&Entry { value, depth: 0, bound, mv: None }, task)
        {
            return Found::guessed(value);
        }
        let candidates = self.candidates(board, legal, None, ply, task.depth);
        let (found, _) = self.try_all::<PV>(ply, &candidates, task);
        if !self.stopped {
            self.checked.put(key, found.value, bound_of(found.value, task));
        }
        found
    }
}

/// Whether an entry answers a window.
fn settles(entry: &Entry, task: Task) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.value >= task.beta,
        Bound::Upper => entry.value <= task.alpha,
    }
}

/// What a value found with a window says.
pub(crate) fn bound_of(value: i32, task: Task) -> Bound {
    if value >= task.beta {
        Bound::Lower
    } else if value <= task.alpha {
        Bound::Upper
    } else {
        Bound::Exact
    }
}
