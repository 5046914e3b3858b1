//! A plain alpha-beta with iterative deepening: no transposition table, no pruning beyond alpha
//! and beta.
//!
//! It is the first player of this project, the baseline that claims of strength and speed are
//! measured against, and the judge of the engine's `check` mode: with the same estimate at the
//! horizon both must find the same values.

mod by_hand;

use std::sync::atomic::{AtomicBool, Ordering};

use oware_rules::{Board, Game, LoopSplit, Move, MoveSet, Rules, SowingBoard, Sown, Stuck};

use crate::Score;

pub use by_hand::estimate as by_hand;

/// More than any value: 48 seeds are 4,800 hundredths.
const INFINITE: i32 = 1_000_000;
/// No line is followed further than this many plies.
const DEEPEST: u32 = 200;

/// When the search stops. Without any limit it goes on until it is told to stop, or has seen
/// everything to the greatest depth (200 plies).
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Plies.
    pub depth: Option<u32>,
    /// Positions. The same number gives the same result on every machine.
    pub nodes: Option<u64>,
    /// The guess at the horizon: what the mover will still take more than the opponent.
    pub estimate: fn(Board) -> Score,
}

impl Default for Limits {
    /// No limit, and the estimate [`by_hand()`].
    fn default() -> Limits {
        Limits { depth: None, nodes: None, estimate: by_hand }
    }
}

/// The best move and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The best move; `None` if there is no legal one.
    pub best: Option<Move>,
    /// The expected final difference of the stores, for the player to move.
    pub score: Score,
    /// Plies looked ahead, by the last depth that was finished.
    pub depth: u32,
    /// Positions seen.
    pub nodes: u64,
    /// The line expected, beginning with the best move; sides alternate.
    pub line: Vec<Move>,
}

/// The value of one legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveValue {
    /// The move.
    pub mv: Move,
    /// The expected final difference of the stores, for the player who plays it.
    pub score: Score,
    /// The line expected, beginning with the move.
    pub line: Vec<Move>,
}

struct Search<'a> {
    rules: Rules,
    /// Boards since the last capture and on the way to the present node, each seen by its mover.
    path: Vec<Board>,
    /// Where in `path` the boards since the last capture begin.
    since_capture: usize,
    /// Where in `path` the tree begins.
    root: usize,
    limits: Limits,
    nodes: u64,
    stop: &'a AtomicBool,
    stopped: bool,
    /// `lines[ply]` is the best line found from that ply on.
    lines: Vec<Vec<Move>>,
}

impl<'a> Search<'a> {
    fn new(game: &Game, limits: Limits, stop: &'a AtomicBool) -> Search<'a> {
        let here = game.plies().len();
        let first = here - game.capture_free() as usize;
        let path: Vec<Board> =
            (first..=here).filter_map(|ply| Some(game.position_at(ply)?.board())).collect();
        Search {
            rules: *game.rules(),
            root: path.len() - 1,
            path,
            since_capture: 0,
            limits,
            nodes: 0,
            stop,
            stopped: false,
            lines: vec![Vec::new(); DEEPEST as usize + 2],
        }
    }

    fn board(&self) -> Board {
        *self.path.last().expect("the path holds the root")
    }

    /// Counts a position and looks whether it is time to stop.
    fn visit(&mut self) {
        self.nodes += 1;
        if self.limits.nodes.is_some_and(|most| self.nodes >= most)
            || (self.nodes.is_multiple_of(1024) && self.stop.load(Ordering::Relaxed))
        {
            self.stopped = true;
        }
    }

    /// Whether play is a loop at the present node: its board has been in the tree with the same
    /// player to move, or occurs for the last time that the game allows, or too many plies went by
    /// without a capture.
    fn is_loop(&self) -> bool {
        let since = &self.path[self.since_capture..];
        let board = self.board();
        let in_game = self.root.saturating_sub(self.since_capture);
        let earlier = (0..since.len() - 1).rev().skip(1).step_by(2);
        let same: Vec<usize> = earlier.filter(|&i| since[i] == board).collect();
        same.iter().any(|&i| i >= in_game)
            || self.rules.repetition.is_some_and(|n| same.len() + 1 >= usize::from(n.get()))
            || self.rules.capture_free_limit.is_some_and(|n| since.len() > usize::from(n.get()))
    }

    /// What the mover still gets more than his opponent when play ends here as a loop.
    fn loop_value(&self, board: Board) -> i32 {
        match self.rules.loop_split {
            LoopSplit::Even => 0,
            LoopSplit::OwnRows => own_rows(board),
        }
    }

    fn stuck_value(&self, board: Board) -> i32 {
        match self.rules.stuck {
            Stuck::OwnRows => own_rows(board),
            Stuck::OpponentTakesAll => {
                -(seeds(board.mover_total()) + seeds(board.opponent_total()))
            }
        }
    }

    /// The value of the present node for its mover: what he will still take more than the
    /// opponent. Within `alpha` and `beta` it is exact, outside a bound.
    fn node(&mut self, depth: u32, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        self.visit();
        self.lines[ply].clear();
        let board = self.board();
        let legal = board.legal(&self.rules);
        if legal.is_empty() {
            return self.stuck_value(board);
        }
        if ply > 0 && self.is_loop() {
            return self.loop_value(board);
        }
        if depth == 0 || ply >= DEEPEST as usize {
            return (self.limits.estimate)(board).0;
        }
        let mut best = -INFINITE;
        for (mv, sown) in self.ordered(board, legal, None) {
            let value = self.child(&sown, depth, ply, alpha, beta);
            if self.stopped {
                return alpha;
            }
            if value > best {
                best = value;
                self.keep_line(ply, mv);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The value of a move for who plays it.
    fn child(&mut self, sown: &Sown<Board>, depth: u32, ply: usize, alpha: i32, beta: i32) -> i32 {
        let gain = seeds(sown.captured) - seeds(sown.given);
        if sown.ends_by_slam(&self.rules) {
            self.visit();
            self.lines[ply + 1].clear();
            return gain;
        }
        let since = self.since_capture;
        if sown.captured > 0 {
            self.since_capture = self.path.len();
        }
        self.path.push(sown.board);
        let value = gain - self.node(depth - 1, ply + 1, gain - beta, gain - alpha);
        self.path.pop();
        self.since_capture = since;
        value
    }

    /// The moves with what they make, the likely best first: `first`, then by seeds captured,
    /// then from the right, whose seeds reach the opponent soonest.
    fn ordered(
        &self,
        board: Board,
        legal: MoveSet,
        first: Option<Move>,
    ) -> impl Iterator<Item = (Move, Sown<Board>)> + use<> {
        let mut moves: Vec<(Move, Sown<Board>)> =
            legal.iter().map(|mv| (mv, board.sow(mv, &self.rules))).collect();
        moves.sort_by_key(|(mv, sown)| {
            let gain = i32::from(sown.captured) - i32::from(sown.given);
            (Some(*mv) != first, -gain, std::cmp::Reverse(mv.index()))
        });
        moves.into_iter()
    }

    fn keep_line(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut here[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }
}

fn seeds(number: u8) -> i32 {
    i32::from(number) * 100
}

/// Each takes his own row.
fn own_rows(board: Board) -> i32 {
    seeds(board.mover_total()) - seeds(board.opponent_total())
}

/// The difference of the stores so far, for the player to move.
fn store_difference(game: &Game) -> i32 {
    100 * i32::from(game.position().lead())
}

/// Searches the game's present position, one ply deeper each time, and tells `on_depth` of each
/// depth finished. A game that is over by its stores is searched as if it went on.
pub fn search(
    game: &Game,
    limits: Limits,
    stop: &AtomicBool,
    on_depth: &mut dyn FnMut(&Report),
) -> Report {
    let mut search = Search::new(game, limits, stop);
    let stores = store_difference(game);
    let board = search.board();
    let legal = board.legal(&search.rules);
    let mut report = Report {
        best: search.ordered(board, legal, None).next().map(|(mv, _)| mv),
        score: Score(stores + (limits.estimate)(board).0),
        depth: 0,
        nodes: 0,
        line: Vec::new(),
    };
    if legal.is_empty() {
        report.score = Score(stores + search.stuck_value(board));
        return report;
    }
    for depth in 1..=limits.depth.unwrap_or(DEEPEST).min(DEEPEST) {
        let (mut best, mut alpha) = (None, -INFINITE);
        for (mv, sown) in search.ordered(board, legal, report.best) {
            let value = search.child(&sown, depth, 0, alpha, INFINITE);
            if search.stopped {
                break;
            }
            if value > alpha {
                alpha = value;
                best = Some(mv);
                search.keep_line(0, mv);
            }
        }
        report.nodes = search.nodes;
        if search.stopped {
            // A better move found before the stop is worth having: the old best came first, so
            // whatever passed it did so at the greater depth.
            if best.is_some_and(|mv| Some(mv) != report.best) {
                take(&mut report, best, stores + alpha, depth - 1, &search.lines[0]);
            }
            break;
        }
        take(&mut report, best, stores + alpha, depth, &search.lines[0]);
        on_depth(&report);
    }
    report
}

fn take(report: &mut Report, best: Option<Move>, value: i32, depth: u32, line: &[Move]) {
    report.best = best;
    report.score = Score(value);
    report.depth = depth;
    report.line = line.to_vec();
}

/// The value of every legal move to a fixed depth (1 or more), best first; equal ones from the
/// mover's right. Empty if there is no legal move; moves not finished before a stop are left out.
#[must_use]
pub fn value_moves(game: &Game, depth: u32, stop: &AtomicBool) -> Vec<MoveValue> {
    let mut search = Search::new(game, Limits::default(), stop);
    let stores = store_difference(game);
    let board = search.board();
    let depth = depth.clamp(1, DEEPEST);
    let mut values = Vec::new();
    for (mv, sown) in search.ordered(board, board.legal(&search.rules), None) {
        let value = search.child(&sown, depth, 0, -INFINITE, INFINITE);
        if search.stopped {
            break;
        }
        search.keep_line(0, mv);
        values.push(MoveValue { mv, score: Score(stores + value), line: search.lines[0].clone() });
    }
    values.sort_by_key(|value| std::cmp::Reverse(value.score));
    values
}
