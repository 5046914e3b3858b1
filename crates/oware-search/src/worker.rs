//! One thread of a search: its line of boards, its counters, what it remembers of moves.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use oware_rules::{Board, LoopSplit, Move, Rules, SowingBoard, Sown, Stuck};

use crate::eval::NETWORK;
use crate::limits::DEEPEST;
use crate::parts::{Part, Parts};
use crate::past::{Past, SHORTEST_LOOP};
use crate::time::Deadline;
use crate::tt::Table;
use crate::{Control, Endgame, plain};

/// More than any value: 48 seeds are 4,800 hundredths.
pub(crate) const INFINITE: i32 = 8_000;
/// A value that no loop above the node has a part in.
pub(crate) const NO_LOOP: u32 = u32::MAX;
/// Positions between two looks at the clock and the other threads, at most.
const BETWEEN_LOOKS: u64 = 1024;
/// Room for the longest line: one more is made by the last move.
const FRAMES: usize = DEEPEST as usize + 2;

/// What all threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) rules: Rules,
    pub(crate) parts: Parts,
    pub(crate) check: bool,
    pub(crate) table: &'a Table,
    pub(crate) endgame: Option<&'a dyn Endgame>,
    /// Boards with so many seeds or fewer are looked up in `endgame`; -1 for none.
    pub(crate) known_to: i32,
    pub(crate) control: &'a Control,
    pub(crate) deadline: Deadline,
    pub(crate) most_nodes: Option<u64>,
    /// Set when the search is over, for whatever reason.
    pub(crate) over: AtomicBool,
    /// Positions seen by all threads, brought up to date at each look.
    pub(crate) nodes: AtomicU64,
}

/// The value of a node and what it rests on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// For the mover of the node: what he will still take more, in hundredths of a seed. Within
    /// the window it is exact, outside a bound.
    pub(crate) value: i32,
    /// The lowest ply of the line to which a loop in the tree below leads back.
    pub(crate) since: u32,
    /// Whether no guess is in it: it holds for any depth.
    pub(crate) proven: bool,
}

impl Found {
    pub(crate) const fn proven(value: i32) -> Found {
        Found { value, since: NO_LOOP, proven: true }
    }

    pub(crate) const fn guessed(value: i32) -> Found {
        Found { value, since: NO_LOOP, proven: false }
    }
}

/// A board on the line from the root.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) board: Board,
    /// Seeds in the houses.
    pub(crate) seeds: i32,
    /// Plies without a capture, those of the game included.
    pub(crate) quiet: u32,
    /// The guess at the board, if it was made already.
    pub(crate) guess: Option<i32>,
}

/// One thread of a search.
pub(crate) struct Worker<'a> {
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) past: &'a Past,
    pub(crate) frames: Box<[Frame; FRAMES]>,
    /// `lines[ply]` is the best line found from that ply on.
    pub(crate) lines: Vec<Vec<Move>>,
    pub(crate) killers: [Option<Move>; FRAMES],
    /// How often the move of a house with so many seeds cut, weighted by depth.
    pub(crate) history: [[i32; 64]; 6],
    pub(crate) nodes: u64,
    reported: u64,
    next_look: u64,
    pub(crate) table_hits: u64,
    pub(crate) deepest: u32,
    pub(crate) stopped: bool,
    pub(crate) checked: crate::check::CheckTable,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(shared: &'a Shared<'a>, past: &'a Past, root: Board) -> Worker<'a> {
        let seeds = i32::from(root.total());
        let frame = Frame { board: root, seeds, quiet: past.quiet, guess: None };
        Worker {
            shared,
            past,
            frames: Box::new([frame; FRAMES]),
            lines: vec![Vec::new(); FRAMES],
            killers: [None; FRAMES],
            history: [[0; 64]; 6],
            nodes: 0,
            reported: 0,
            next_look: shared.most_nodes.unwrap_or(BETWEEN_LOOKS).min(BETWEEN_LOOKS),
            table_hits: 0,
            deepest: 0,
            stopped: false,
            checked: crate::check::CheckTable::default(),
        }
    }

    #[inline]
    pub(crate) fn has(&self, part: Part) -> bool {
        self.shared.parts.has(part)
    }

    /// Counts a position, and now and then looks whether it is time to stop.
    #[inline]
    pub(crate) fn visit(&mut self, ply: u32) {
        self.nodes += 1;
        self.deepest = self.deepest.max(ply);
        if self.nodes >= self.next_look {
            self.look();
        }
    }

    /// Looks at everything that may end the search.
    #[cold]
    pub(crate) fn look(&mut self) {
        let new = self.nodes - self.reported;
        self.reported = self.nodes;
        let shared = self.shared;
        let total = shared.nodes.fetch_add(new, Ordering::Relaxed) + new;
        let left = shared.most_nodes.map_or(BETWEEN_LOOKS, |most| most.saturating_sub(total));
        self.next_look = self.nodes + left.clamp(1, BETWEEN_LOOKS);
        if left == 0 || shared.control.is_stopped() || shared.deadline.is_past(shared.control) {
            shared.over.store(true, Ordering::Relaxed);
        }
        self.stopped = shared.over.load(Ordering::Relaxed);
    }

    /// The frame after a move, and the guess at it, if there is one.
    #[inline]
    pub(crate) fn push(&mut self, ply: u32, sown: &Sown<Board>, guess: Option<i32>) {
        let frame = self.frames[ply as usize];
        self.frames[ply as usize + 1] = Frame {
            board: sown.board,
            seeds: frame.seeds - i32::from(sown.captured),
            quiet: if sown.captured > 0 { 0 } else { frame.quiet + 1 },
            guess,
        };
    }

    /// If play is a loop at this ply, the ply of the line that it leads back to: its board was
    /// on the line since the last capture with the same player to move, or comes up for the last
    /// time that the game allows, or too many plies went by without a capture.
    #[inline]
    pub(crate) fn loops_to(&self, ply: u32) -> Option<u32> {
        let Frame { board, quiet, .. } = self.frames[ply as usize];
        if quiet < SHORTEST_LOOP && self.shared.rules.capture_free_limit.is_none() || ply == 0 {
            return None;
        }
        self.search_loop(ply, board, quiet)
    }

    fn search_loop(&self, ply: u32, board: Board, quiet: u32) -> Option<u32> {
        let mut back = SHORTEST_LOOP;
        while back <= quiet.min(ply) {
            if self.frames[(ply - back) as usize].board == board {
                return Some(ply - back);
            }
            back += 2;
        }
        if quiet > ply && self.past.ends(board, ply) {
            return Some(0);
        }
        let limit = self.shared.rules.capture_free_limit;
        limit.is_some_and(|limit| quiet >= u32::from(limit.get())).then_some(0)
    }

    /// What the mover still gets more than his opponent when play ends here as a loop.
    pub(crate) fn loop_value(&self, board: Board) -> i32 {
        match self.shared.rules.loop_split {
            LoopSplit::Even => 0,
            LoopSplit::OwnRows => own_rows(board),
        }
    }

    /// The same when the mover has no legal move.
    pub(crate) fn stuck_value(&self, board: Board) -> i32 {
        match self.shared.rules.stuck {
            Stuck::OwnRows => own_rows(board),
            Stuck::OpponentTakesAll => -seeds(board.total()),
        }
    }

    /// The guess at a board, within what its seeds allow.
    #[inline]
    pub(crate) fn guess(&self, board: Board, seeds: i32) -> i32 {
        match self.has(Part::Fitted) {
            true => NETWORK.value(board),
            false => plain::by_hand(board).0.clamp(-100 * seeds, 100 * seeds),
        }
    }

    pub(crate) fn keep_line(&mut self, ply: u32, mv: Move) {
        let (here, below) = self.lines.split_at_mut(ply as usize + 1);
        let line = &mut here[ply as usize];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }
}

/// Whole seeds in hundredths.
fn seeds(number: u8) -> i32 {
    i32::from(number) * 100
}

/// What a move takes, less what it hands over.
#[inline]
pub(crate) fn gain(sown: &Sown<Board>) -> i32 {
    seeds(sown.captured) - seeds(sown.given)
}

/// Each takes his own row.
fn own_rows(board: Board) -> i32 {
    seeds(board.mover_total()) - seeds(board.opponent_total())
}
