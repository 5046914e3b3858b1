//! Everything that can find a move, asked in order of certainty: endgame tables where they force
//! something, the opening book, the search.

use std::sync::Arc;

use oware_rules::{Board, Game, Move};
use oware_search::{Control, Engine, HashError, Limits, Options, Report};

use crate::Knowledge;
use crate::knowledge::{Advice, TableMove};

/// Moves of the opening, by board.
pub trait Opening: Send + Sync {
    /// The move to play on a board, whatever the stores; `None` where the book ends.
    fn choose(&self, game: &Game, board: Board) -> Option<Move>;
}

/// Where a move comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Endgame tables: what they force, and how soon.
    Tables(TableMove),
    /// The opening book.
    Book,
    /// The search.
    Search,
}

/// A move, and what was found on the way to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// The move; `None` if the game is over.
    pub best: Option<Move>,
    /// The reply expected, for thinking on the opponent's time.
    pub reply: Option<Move>,
    /// Where the move comes from.
    pub origin: Origin,
    /// What the search found; empty where it was not asked.
    pub report: Report,
}

/// A player of full strength.
pub struct Thinker {
    engine: Engine,
    knowledge: Option<Knowledge>,
    opening: Option<Arc<dyn Opening>>,
}

impl Thinker {
    /// A player without tables and book.
    ///
    /// # Errors
    /// When there is no memory for the transposition table.
    pub fn new(options: Options) -> Result<Thinker, HashError> {
        Ok(Thinker { engine: Engine::new(options)?, knowledge: None, opening: None })
    }

    /// The search.
    pub fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Takes the tables that choose at the root, or lays them aside. (Those for the leaves are
    /// the engine's, see [`Engine::set_endgame`].)
    pub fn set_knowledge(&mut self, knowledge: Option<Knowledge>) {
        self.knowledge = knowledge;
    }

    /// Takes an opening book, or lays it aside.
    pub fn set_opening(&mut self, opening: Option<Arc<dyn Opening>>) {
        self.opening = opening;
    }

    /// Finds a move. Tables and book answer at once, unless only some moves or several lines are
    /// asked for, or `limits` has no end (analysis): then the search looks. Tables that cannot be
    /// read are passed over.
    pub fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        on_depth: &mut dyn FnMut(&Report),
    ) -> Thought {
        let nothing =
            |best, origin| Thought { best, reply: None, origin, report: Report::default() };
        if game.is_over() {
            return nothing(None, Origin::Search);
        }
        let has_end = limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.time.is_some()
            || limits.clock.is_some();
        let mut limits = limits.clone();
        if has_end && limits.moves.is_none() && limits.lines <= 1 {
            match Advice::of(self.knowledge.as_ref(), game) {
                Advice::Play(found) => return nothing(Some(found.mv), Origin::Tables(found)),
                Advice::OneOf(moves) => limits.moves = Some(moves),
                Advice::Nothing => {}
            }
            let opening = self.opening.as_ref();
            let of_book = opening.and_then(|o| o.choose(game, game.position().board()));
            // The book knows nothing of what the tables hold for sure.
            if let Some(mv) = of_book.filter(|&mv| limits.moves.is_none_or(|m| m.contains(mv))) {
                return nothing(Some(mv), Origin::Book);
            }
        }
        let report = self.engine.search(game, &limits, control, on_depth);
        let reply = report.lines.first().and_then(|line| line.moves.get(1).copied());
        Thought { best: report.best(), reply, origin: Origin::Search, report }
    }
}
