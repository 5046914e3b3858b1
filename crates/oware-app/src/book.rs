//! Opening books: boards with the value of each of their moves, built by our own search.
//!
//! A book is a list of *entries*. An entry is a board all of whose moves a search has valued; the
//! first is the start of a game, and each other is reached from an earlier one by a move. What a
//! move is worth in the book is what the entry it leads to is worth, and what a search said
//! where it leads out of the book. Stores are no part of it: values count what is still to be
//! taken.
//!
//! How it is built: [`build()`] and [`examine()`]; how it is played: [`Book::choices`]; how it is
//! written: docs/FORMATS.md.

mod choose;
mod entry;
mod error;
mod examine;
mod expand;
mod format;
mod graph;
mod recipe;
mod study;

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use oware_rules::{Board, Move, Rules};
use oware_search::Score;

pub use entry::{Entry, Mark, Valued};
pub use error::{BookError, BuildError};
pub use examine::{ExamineJob, Examined, examine};
pub use expand::{BuildJob, BuildProgress, Phase, build};
pub use recipe::Recipe;

use graph::Graph;

/// The book that is part of the program.
static BUILT_IN: &[u8] = include_bytes!("book/abapa.owb");

/// An opening book.
#[derive(Clone, Debug)]
pub struct Book {
    recipe: Recipe,
    entries: Vec<Entry>,
    graph: Graph,
    /// The seed of a choice among good moves; `None` for the best alone.
    variety: Option<u64>,
}

/// A move of an entry, as the book sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// What the mover still takes more than his opponent after it, by the book.
    pub value: Score,
    /// How much less that is than the best move of the entry; 0 or more, but for refused moves.
    pub loss: Score,
    /// The same by the search that valued the entry.
    pub found: Score,
    /// Plies that this search looked ahead.
    pub depth: u8,
    /// What a deeper search said.
    pub mark: Mark,
    /// What that search found, and how many plies it looked ahead; `None` where it was not asked.
    pub checked: Option<(Score, u8)>,
    /// The entry that the move leads to, by its number; `None` where it leads out of the book.
    pub leads_to: Option<usize>,
}

impl Book {
    /// The book that is part of the program, if it is of use under these rules.
    #[must_use]
    pub fn built_in(rules: &Rules) -> Option<Arc<Book>> {
        static BOOK: OnceLock<Option<Arc<Book>>> = OnceLock::new();
        let read = || Book::from_bytes(Path::new("the built-in book"), BUILT_IN).ok().map(Arc::new);
        BOOK.get_or_init(read).clone().filter(|book| book.serves(rules))
    }

    /// Reads a book for a game under some rules.
    ///
    /// # Errors
    /// When the file cannot be read, is damaged, or is a book of other rules.
    pub fn open(path: &Path, rules: &Rules) -> Result<Arc<Book>, BookError> {
        let book = Book::read(path)?;
        if !book.serves(rules) {
            let (found, expected) = (book.recipe.rules.id(), rules.id());
            return Err(BookError::Foreign { path: path.to_owned(), found, expected });
        }
        Ok(Arc::new(book))
    }

    /// Reads a book of whatever rules.
    ///
    /// # Errors
    /// When the file cannot be read or is damaged.
    pub fn read(path: &Path) -> Result<Book, BookError> {
        let bytes = std::fs::read(path);
        let bytes = bytes.map_err(|error| BookError::Io { path: path.to_owned(), error })?;
        Book::from_bytes(path, &bytes)
    }

    /// The book in these bytes. `name` stands in errors where the path of a file would.
    ///
    /// # Errors
    /// When they are no book, damaged, or of another version.
    pub fn from_bytes(name: &Path, bytes: &[u8]) -> Result<Book, BookError> {
        let (recipe, entries) = format::read(name, bytes)?;
        Ok(Book::of(recipe, entries))
    }

    /// The bytes of the book's file; the same for equal books.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        format::write(&self.recipe, &self.entries)
    }

    fn of(recipe: Recipe, entries: Vec<Entry>) -> Book {
        let graph = Graph::of(&entries, &recipe.rules);
        Book { recipe, entries, graph, variety: None }
    }

    /// How it was built.
    #[must_use]
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Whether its values hold under these rules: they may differ from those it was built for
    /// only in when a repetition ends the game and in playing on past 25, of which the search
    /// that valued it takes no notice.
    #[must_use]
    pub fn serves(&self, rules: &Rules) -> bool {
        let Rules { repetition, play_on, .. } = *rules;
        Rules { repetition, play_on, ..self.recipe.rules } == *rules
    }

    /// The entries, each after the one it is reached from.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The number of a board's entry.
    #[must_use]
    pub fn find(&self, board: Board) -> Option<usize> {
        self.graph.find(board)
    }

    /// What an entry is worth for its mover: the best of its moves, refused ones left out.
    /// `None` if there is no entry of this number.
    #[must_use]
    pub fn value(&self, entry: usize) -> Option<Score> {
        self.graph.best.get(entry).map(|&best| Score::of_hundredths(best))
    }

    /// The moves of an entry, best first; of equal ones that from the mover's left. None if
    /// there is no entry of this number.
    #[must_use]
    pub fn moves(&self, entry: usize) -> Vec<BookMove> {
        let Some(valued) = self.entries.get(entry).map(|entry| &entry.moves) else {
            return Vec::new();
        };
        let best = self.graph.best[entry];
        let book_move = |(place, valued): (usize, &Valued)| {
            let value = self.graph.values[entry][place];
            BookMove {
                mv: valued.mv,
                value: Score::of_hundredths(value),
                loss: Score::of_hundredths(best - value),
                found: valued.found,
                depth: valued.depth,
                mark: valued.mark,
                checked: valued.checked,
                leads_to: self.graph.links[entry][place].map(|next| next as usize),
            }
        };
        let mut moves: Vec<BookMove> = valued.iter().enumerate().map(book_move).collect();
        moves.sort_by_key(|known| (known.mark == Mark::Refused, -known.value.hundredths()));
        moves
    }

    /// The line that both sides would play from an entry on, each its best move, to the first
    /// move out of the book.
    #[must_use]
    pub fn line(&self, entry: usize) -> Vec<Move> {
        let mut line = Vec::new();
        let mut at = Some(entry);
        let mut seen = HashSet::new();
        while let Some(entry) = at.filter(|&entry| seen.insert(entry)) {
            let Some(best) = self.moves(entry).first().copied() else { break };
            line.push(best.mv);
            at = best.leads_to;
        }
        line
    }

    /// The moves by which an entry was first reached from the start.
    #[must_use]
    pub fn way_to(&self, entry: usize) -> Vec<Move> {
        let mut way = Vec::new();
        let mut at = self.entries.get(entry);
        while let Some((before, mv)) = at.and_then(|entry| entry.from) {
            way.push(mv);
            at = self.entries.get(before as usize);
        }
        way.reverse();
        way
    }
}
