//! Building a book by drop-out expansion.
//!
//! After Thomas Lincke, "Strategies for the automatic construction of opening books" (Computers
//! and Games 2000): of all moves that lead out of the book, that one is looked at next which is
//! reached soonest and at the least loss. A move costs a ply and what it loses against the best,
//! times a weight; the sum over the way there decides. The player who uses the book plays near
//! his best, while his opponent may play anything; so each way is counted twice, once with either
//! as the player who uses it, with a weight for each, and the cheaper one counts.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::atomic::AtomicBool;

use oware_rules::{Board, Move, SowingBoard};

use super::study::Study;
use super::{Book, BuildError, Entry, ExamineJob, Examined, Mark, Recipe, Valued, examine};

/// Moves that are chosen together, before anything is known of the first: so that several
/// threads have work. Part of what decides the bytes of a book.
const BATCH: usize = 8;
/// What a ply costs; a hundredth of a seed costs the weight.
const PLY: u64 = 100;

/// A book to be built.
pub struct BuildJob<'a> {
    /// How.
    pub recipe: Recipe,
    /// How many boards shall be in it.
    pub entries: usize,
    /// Threads; they have no part in what comes out.
    pub threads: usize,
    /// A book to go on with, built by the same search: what it knows is not searched again. What
    /// comes out is the same without it.
    pub known: Option<Book>,
    /// When set, the work ends after the searches at hand.
    pub stop: &'a AtomicBool,
    /// Told how it goes on.
    pub tell: &'a mut dyn FnMut(&BuildProgress<'_>),
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Boards are added.
    Expand,
    /// Moves are checked by a deeper search.
    Check,
}

/// How a book goes on.
#[derive(Debug)]
pub struct BuildProgress<'a> {
    /// What is being done.
    pub phase: Phase,
    /// Boards that are done in this phase.
    pub done: usize,
    /// How many there are to do; in checking, as far as is known.
    pub of: usize,
    /// The book so far. Building can go on from it.
    pub book: &'a Book,
    /// What was checked since the last time.
    pub examined: &'a [Examined],
}

/// Builds a book. `false` says that it was stopped before it was whole.
///
/// # Errors
/// When there is no memory for the searches, or the book to go on with is of another kind.
pub fn build(job: BuildJob<'_>) -> Result<(Book, bool), BuildError> {
    let BuildJob { recipe, entries: wanted, threads, known, stop, tell } = job;
    let mut study = Study::new(threads, recipe.nodes)?;
    if let Some(known) = &known {
        compare(&recipe, &known.recipe)?;
    }
    let Some(start) = study.all(&[Board::START], stop, |s, &board| s.value(board, &recipe)) else {
        return Ok((known.unwrap_or_else(|| Book::of(recipe, Vec::new())), false));
    };
    let moves = start.into_iter().flatten().collect();
    let start = Entry { board: Board::START, from: None, moves };
    let mut book = Book::of(recipe, vec![start]);
    let mut values = HashMap::new();
    if let Some(known) = known.filter(|known| !known.entries.is_empty()) {
        let same = |(a, b): (&Valued, &Valued)| (a.found, a.depth) == (b.found, b.depth);
        if !known.entries[0].moves.iter().zip(&book.entries[0].moves).all(same) {
            return Err(BuildError::OtherSearch);
        }
        if known.recipe == recipe && known.entries.len() == wanted {
            book = known;
        } else {
            values = unmarked(known);
        }
    }
    while book.entries.len() < wanted {
        let leaves = next_leaves(&book, BATCH.min(wanted - book.entries.len()));
        let value = |s: &mut super::study::Searcher<'_>, leaf: &Leaf| match values.get(&leaf.board)
        {
            Some(known) => Vec::clone(known),
            None => s.value(leaf.board, &recipe),
        };
        let Some(answers) = study.all(&leaves, stop, value) else { return Ok((book, false)) };
        if leaves.is_empty() {
            break;
        }
        let Book { mut entries, .. } = book;
        entries.extend(leaves.iter().zip(answers).map(|(leaf, moves)| leaf.entry(moves)));
        book = Book::of(recipe, entries);
        let done = book.entries.len();
        let (phase, examined) = (Phase::Expand, &[][..]);
        tell(&BuildProgress { phase, done, of: wanted, book: &book, examined });
    }
    match recipe.check_nodes {
        0 => Ok((book, true)),
        _ => examine(ExamineJob { book, threads, stop, tell }),
    }
}

/// Whether what a book knows can be used for another.
fn compare(recipe: &Recipe, known: &Recipe) -> Result<(), BuildError> {
    if known.same_search(recipe) {
        return Ok(());
    }
    let (field, found, expected) = match known.rules == recipe.rules {
        true => ("nodes", known.nodes.to_string(), recipe.nodes.to_string()),
        false => ("rules", known.rules.id(), recipe.rules.id()),
    };
    Err(BuildError::OtherRecipe { field, found, expected })
}

/// The values of a book's boards, as the search left them.
fn unmarked(book: Book) -> HashMap<Board, Vec<Valued>> {
    let moves = |moves: Vec<Valued>| moves.into_iter().map(Valued::unmarked).collect();
    book.entries.into_iter().map(|entry| (entry.board, moves(entry.moves))).collect()
}

/// A board that a move out of the book leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Leaf {
    cost: u64,
    from: u32,
    mv: Move,
    board: Board,
}

impl Leaf {
    fn entry(&self, moves: Vec<Valued>) -> Entry {
        Entry { board: self.board, from: Some((self.from, self.mv)), moves }
    }
}

/// The boards to look at next, the cheapest first.
///
/// An entry has two costs: on the way there the player who uses the book was to move at the
/// start, or his opponent was (Dijkstra's algorithm on pairs of an entry and whether he is to
/// move there).
fn next_leaves(book: &Book, most: usize) -> Vec<Leaf> {
    let Recipe { rules, own_weight, other_weight, .. } = book.recipe;
    let mut costs = vec![[u64::MAX; 2]; book.entries.len()];
    let mut open = BinaryHeap::from([Reverse((0, 0_u32, 0)), Reverse((0, 0, 1))]);
    costs[0] = [0; 2];
    let mut leaves: HashMap<Board, Leaf> = HashMap::new();
    while let Some(Reverse((cost, from, own))) = open.pop() {
        let number = from as usize;
        if cost > costs[number][own] {
            continue;
        }
        let entry = &book.entries[number];
        let weight = u64::from([other_weight, own_weight][own]);
        for (place, valued) in entry.moves.iter().enumerate() {
            if valued.mark == Mark::Refused {
                continue;
            }
            let loss = book.graph.best[number] - book.graph.values[number][place];
            let cost = cost + PLY + weight * u64::from(loss.unsigned_abs());
            if let Some(next) = book.graph.links[number][place] {
                let known = &mut costs[next as usize][1 - own];
                if cost < *known {
                    *known = cost;
                    open.push(Reverse((cost, next, 1 - own)));
                }
                continue;
            }
            let sown = entry.board.sow(valued.mv, &rules);
            let board = sown.board;
            if sown.ends_by_slam(&rules) || board.legal(&rules).is_empty() {
                continue;
            }
            if book.graph.find(board).is_none() {
                let leaf = Leaf { cost, from, mv: valued.mv, board };
                leaves.entry(board).and_modify(|old| *old = leaf.min(*old)).or_insert(leaf);
            }
        }
    }
    let mut leaves: Vec<Leaf> = leaves.into_values().collect();
    leaves.sort_unstable();
    leaves.truncate(most);
    leaves
}
