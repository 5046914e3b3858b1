//! Checking a book: every move that it would play is looked at by a deeper search.
//!
//! Looked at are boards that come up when one player plays by the book and the other plays
//! anything that is in it, and there the moves within the book's margin of the best. First the
//! deep search looks for its own best move; where that is another one, it then compares them,
//! each with as many positions as the first search had. A move that costs more than the book
//! allows is refused. Values change by that, and so other moves can come to be played; so it goes
//! on until each of them was checked.

use std::sync::atomic::AtomicBool;

use oware_rules::{Move, MoveSet};
use oware_search::Score;

use super::study::{Asked, Searcher, Study};
use super::{Book, BuildError, BuildProgress, Mark, Phase, Recipe};

/// Boards that are checked together; part of what decides the marks of a book.
const BATCH: usize = 8;

/// A book to be checked, as its recipe says.
pub struct ExamineJob<'a> {
    /// The book. Moves that have a mark already are taken as checked.
    pub book: Book,
    /// Threads; they have no part in what comes out.
    pub threads: usize,
    /// When set, the work ends after the searches at hand.
    pub stop: &'a AtomicBool,
    /// Told how it goes on.
    pub tell: &'a mut dyn FnMut(&BuildProgress<'_>),
}

/// A move that was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Examined {
    /// The number of the entry.
    pub entry: usize,
    /// The move.
    pub mv: Move,
    /// What the mover still takes more than his opponent, by the deeper search.
    pub value: Score,
    /// Plies that it looked ahead.
    pub depth: u8,
    /// What the deeper search found it to cost against the best.
    pub loss: Score,
    /// The best move by the deeper search.
    pub best: Move,
    /// What follows.
    pub mark: Mark,
}

impl Book {
    /// The same book with no move checked, to be checked in another way: with so many positions
    /// a move, refusing those that cost more than `most_loss`, in hundredths of a seed.
    #[must_use]
    pub fn to_be_checked(mut self, check_nodes: u64, most_loss: u16) -> Book {
        self.recipe = Recipe { check_nodes, most_loss, ..self.recipe };
        let moves = self.entries.iter_mut().flat_map(|entry| &mut entry.moves);
        moves.for_each(|valued| *valued = valued.unmarked());
        Book { variety: self.variety, ..Book::of(self.recipe, self.entries) }
    }

    /// The moves that may be played, by their value alone: those within a margin of the best.
    pub(super) fn playable(&self, entry: usize, margin: i32) -> impl Iterator<Item = (Move, Mark)> {
        let (values, best) = (&self.graph.values[entry], self.graph.best[entry]);
        self.entries[entry]
            .moves
            .iter()
            .zip(values)
            .filter(move |&(valued, &value)| valued.mark != Mark::Refused && value >= best - margin)
            .map(|(valued, _)| (valued.mv, valued.mark))
    }

    /// Boards at which a player of the book may be to move, in rising order of their numbers.
    pub(super) fn own_boards(&self) -> Vec<usize> {
        let margin = i32::from(self.recipe.margin);
        let mut seen = vec![[false; 2]; self.entries.len()];
        let mut open: Vec<(usize, usize)> = Vec::new();
        if let Some(start) = seen.first_mut() {
            *start = [true; 2];
            open = vec![(0, 0), (0, 1)];
        }
        while let Some((entry, own)) = open.pop() {
            let mut playable = MoveSet::EMPTY;
            self.playable(entry, margin).for_each(|(mv, _)| playable.insert(mv));
            let moves = self.entries[entry].moves.iter().zip(&self.graph.links[entry]);
            for (valued, link) in moves {
                let Some(next) = link.map(|next| next as usize) else { continue };
                if (own == 0 || playable.contains(valued.mv)) && !seen[next][1 - own] {
                    seen[next][1 - own] = true;
                    open.push((next, 1 - own));
                }
            }
        }
        (0..seen.len()).filter(|&entry| seen[entry][1]).collect()
    }
}

/// A board with what is to be checked on it.
struct Task {
    entry: usize,
    /// Moves that have no mark yet and may come to be played.
    open: MoveSet,
    /// Moves that are not refused.
    allowed: MoveSet,
}

/// Checks every move that a book would play. `false` says that it was stopped before the last.
///
/// # Errors
/// When there is no memory for the searches.
pub fn examine(job: ExamineJob<'_>) -> Result<(Book, bool), BuildError> {
    let ExamineJob { mut book, threads, stop, tell } = job;
    let mut study = Study::new(threads, book.recipe.check_nodes)?;
    let mut done = 0;
    loop {
        let mut tasks = tasks(&book);
        if tasks.is_empty() {
            return Ok((book, true));
        }
        let of = done + tasks.len();
        tasks.truncate(BATCH);
        let Some(answers) = study.all(&tasks, stop, |searcher, task| look(searcher, &book, task))
        else {
            return Ok((book, false));
        };
        let examined: Vec<Examined> = answers.into_iter().flatten().collect();
        for found in &examined {
            let value = (found.value, found.depth);
            book.entries[found.entry].check(found.mv, found.mark, value);
        }
        done += tasks.len();
        book = Book { variety: book.variety, ..Book::of(book.recipe, book.entries) };
        let phase = Phase::Check;
        tell(&BuildProgress { phase, done, of, book: &book, examined: &examined });
    }
}

fn tasks(book: &Book) -> Vec<Task> {
    let margin = i32::from(book.recipe.margin);
    let task = |entry| {
        let open = book.playable(entry, margin).filter(|&(_, mark)| mark == Mark::Unchecked);
        let allowed = book.entries[entry].moves.iter().filter(|v| v.mark != Mark::Refused);
        let (open, allowed) = (open.map(|(mv, _)| mv).collect(), allowed.map(|v| v.mv).collect());
        Task { entry, open, allowed }
    };
    book.own_boards().into_iter().map(task).filter(|task| !task.open.is_empty()).collect()
}

fn look(searcher: &mut Searcher<'_>, book: &Book, task: &Task) -> Vec<Examined> {
    let Recipe { rules, check_nodes: nodes, most_loss, .. } = book.recipe;
    let board = book.entries[task.entry].board;
    let asked = Asked { moves: task.allowed, lines: 1, nodes };
    let first = searcher.search(board, &rules, asked, true);
    let Some(deep_best) = first.first().map(|valued| valued.mv) else { return Vec::new() };
    let mut moves = task.open;
    moves.insert(deep_best);
    let compared = match moves.len() {
        1 => first,
        number => {
            let asked = Asked { moves, lines: number, nodes: nodes * number as u64 };
            searcher.search(board, &rules, asked, false)
        }
    };
    let Some(best) = compared.first().copied() else { return Vec::new() };
    let examined = |valued: &super::Valued| {
        let loss = best.found - valued.found;
        let kept = loss.hundredths() <= i32::from(most_loss);
        let mark = if kept { Mark::Kept } else { Mark::Refused };
        let super::Valued { mv, found: value, depth, .. } = *valued;
        Examined { entry: task.entry, mv, value, depth, loss, best: best.mv, mark }
    };
    let all = compared.iter().map(examined);
    // The deep search's own move need not be one that the book would play: if it turns out not
    // to be good, nothing follows.
    all.filter(|found| task.open.contains(found.mv) || found.mark == Mark::Kept).collect()
}
