//! What endgame tables say of a position.
//!
//! A value counts the seeds that the player to move still takes, less those that the opponent
//! still takes, when both play on to the last seed; what stands in the stores is left out. There
//! is one for each [`Convention`], so that nobody ever meets a number without knowing what
//! endless play counts in it. Where a table is missing there is no value, never a guess.

mod advice;
mod asked;
mod claim;

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use oware_rules::{Board, Game, LoopSplit, Move, Position, Rules, SowingBoard};
use oware_tables::{Convention, Kind, MOST_SEEDS, TableError, TableSet, TileCache};

use crate::InMemory;

use asked::{Asked, Wish};

pub use advice::Advice;
pub use claim::{Basis, Claim, Past, proven_result};

/// The endgame tables of some rules, as far as a directory has them. A cheap handle.
#[derive(Clone, Debug)]
pub struct Knowledge {
    tables: Arc<TableSet>,
    rules: Rules,
    kinds: Vec<Kind>,
    layers: RangeInclusive<usize>,
}

/// What the tables say of a board; `None` where a table is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    values: [Option<i8>; 3],
    distances: [Option<u8>; 3],
}

/// What the tables say of a board and of each of its legal moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// What they say of the board.
    pub facts: Facts,
    /// The moves, as [`Knowledge::move_values`] gives them, by the conventions asked for.
    pub moves: Vec<SurveyedMove>,
}

/// A legal move in a [`Survey`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurveyedMove {
    /// The move.
    pub mv: Move,
    values: [Option<i8>; 3],
}

impl SurveyedMove {
    /// The value of playing the move, by a convention.
    #[must_use]
    pub const fn value(&self, convention: Convention) -> Option<i8> {
        self.values[convention as usize]
    }
}

/// The move that the tables would play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableMove {
    /// The move.
    pub mv: Move,
    /// By which convention it keeps the value of the board.
    pub convention: Convention,
    /// The value by this convention.
    pub value: i8,
    /// Plies to the next conversion (a capture, or the end), this move counted.
    pub distance: u8,
}

/// What the tables say of a position in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What they say of the board.
    pub facts: Facts,
    /// What follows for the result.
    pub claim: Claim,
    /// Whether the game's own past might stand in the way of that.
    pub past: Past,
}

impl Facts {
    /// The value by a convention, in seeds, for the player to move.
    #[must_use]
    pub const fn value(&self, convention: Convention) -> Option<i8> {
        self.values[convention as usize]
    }

    /// Plies to the next conversion; `None` also where nothing is forced.
    #[must_use]
    pub const fn distance(&self, convention: Convention) -> Option<u8> {
        self.distances[convention as usize]
    }

    /// Whether no table says anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Facts::default()
    }
}

impl Knowledge {
    /// Opens what a directory of tables has for some rules. Where it has nothing, or does not
    /// exist, nothing is known.
    ///
    /// # Errors
    /// When there are tables, and they are damaged or cannot be read.
    pub fn open(root: &Path, rules: &Rules) -> Result<Knowledge, TableError> {
        Knowledge::open_with(root, rules, Arc::default())
    }

    /// The same with a cache of decoded tiles, which others may share.
    ///
    /// # Errors
    /// When there are tables, and they are damaged or cannot be read.
    pub fn open_with(
        root: &Path,
        rules: &Rules,
        cache: Arc<TileCache>,
    ) -> Result<Knowledge, TableError> {
        let tables = Arc::new(TableSet::open_with(root, rules.table_rules(), cache)?);
        let kinds = Kind::all().collect();
        Ok(Knowledge { tables, rules: *rules, kinds, layers: 0..=MOST_SEEDS })
    }

    /// How many tables there are.
    #[must_use]
    pub fn number_of_tables(&self) -> usize {
        self.tables.tables().count()
    }

    /// Reads the even values of all layers up to one into memory, for the leaves of a search, as
    /// [`InMemory::load`] does.
    ///
    /// # Errors
    /// When a table is listed and cannot be read or is damaged.
    pub fn in_memory(
        &self,
        most_seeds: u8,
        threads: usize,
    ) -> Result<Option<Arc<InMemory>>, TableError> {
        InMemory::load(&self.tables, most_seeds, threads)
    }

    /// The same with no more than these kinds of tables and these layers.
    #[must_use]
    pub fn only(self, kinds: &[Kind], layers: RangeInclusive<usize>) -> Knowledge {
        Knowledge { kinds: kinds.to_vec(), layers, ..self }
    }

    /// Whether there is no table at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tables.tables().next().is_none()
    }

    /// What is known of a board.
    ///
    /// # Errors
    /// When a table cannot be read or is damaged.
    pub fn facts(&self, board: Board) -> Result<Facts, TableError> {
        let mut asked = Asked::default();
        self.ask_facts(board, &mut asked);
        Ok(asked.answer(&self.tables)?.facts())
    }

    /// What is known of a board, and of all its moves by some conventions, looked up together:
    /// where a disk has to be waited for, that is not done for one table after the other.
    ///
    /// # Errors
    /// When a table cannot be read or is damaged.
    pub fn survey(&self, board: Board, conventions: &[Convention]) -> Result<Survey, TableError> {
        let mut asked = Asked::default();
        self.ask_facts(board, &mut asked);
        let legal = board.legal(&self.rules);
        for mv in legal.iter() {
            conventions.iter().for_each(|&c| self.ask_move(board, mv, c, &mut asked));
        }
        let mut answers = asked.answer(&self.tables)?;
        let facts = answers.facts();
        let surveyed = |mv| {
            let mut values = [None; 3];
            conventions.iter().for_each(|&c| values[c as usize] = answers.value());
            SurveyedMove { mv, values }
        };
        Ok(Survey { facts, moves: legal.iter().map(surveyed).collect() })
    }

    /// The value of playing each legal move, whatever the stores: what it captures, less the
    /// value of the board after it for the opponent.
    ///
    /// # Errors
    /// When a table cannot be read or is damaged.
    pub fn move_values(
        &self,
        board: Board,
        convention: Convention,
    ) -> Result<Vec<(Move, Option<i8>)>, TableError> {
        let mut asked = Asked::default();
        let legal = board.legal(&self.rules);
        legal.iter().for_each(|mv| self.ask_move(board, mv, convention, &mut asked));
        let mut answers = asked.answer(&self.tables)?;
        Ok(legal.iter().map(|mv| (mv, answers.value())).collect())
    }

    /// Of the moves that keep the value by a convention, the one that makes progress: the side
    /// that forces the value takes the least distance to the next conversion, the other side the
    /// most. `None` where nothing is forced, or tables are missing.
    ///
    /// Values alone are no guide, since moves that keep them can go round in circles.
    ///
    /// # Errors
    /// When a table cannot be read or is damaged.
    pub fn best(
        &self,
        board: Board,
        convention: Convention,
    ) -> Result<Option<TableMove>, TableError> {
        let Some(value) = self.value(convention, board)? else { return Ok(None) };
        let seeds = usize::from(board.total());
        if value == convention.endless(seeds) {
            return Ok(None);
        }
        let forces = match convention {
            Convention::Even => value > 0,
            Convention::Low => true,
            Convention::High => false,
        };
        let mut keeping = self.move_values(board, convention)?;
        keeping.retain(|&(_, after)| after == Some(value));
        let mut asked = Asked::default();
        keeping
            .iter()
            .for_each(|&(mv, _)| self.ask_move_distance(board, mv, convention, &mut asked));
        let mut answers = asked.answer(&self.tables)?;
        let mut best: Option<TableMove> = None;
        for (mv, _) in keeping {
            let Some(distance) = answers.distance() else { continue };
            let better = best.is_none_or(|best| match forces {
                true => distance < best.distance,
                false => distance > best.distance,
            });
            if better {
                best = Some(TableMove { mv, convention, value, distance });
            }
        }
        Ok(best)
    }

    /// The move by which the tables make progress in a position: one that keeps a win that is
    /// proven, else one that keeps the even value. `None` where neither is forced, or tables are
    /// missing: then a search knows more.
    ///
    /// # Errors
    /// When a table cannot be read or is damaged.
    pub fn choose(&self, position: &Position) -> Result<Option<TableMove>, TableError> {
        if position.ending().is_some() {
            return Ok(None);
        }
        let board = position.board();
        if self.least(position)?.is_some_and(|least| least > 0)
            && let Some(best) = self.best(board, Convention::Low)?
        {
            return Ok(Some(best));
        }
        self.best(board, Convention::Even)
    }

    /// How far ahead the mover ends at least, whatever becomes of loops, where the rules give each
    /// his own row of them. `None` where no table says so, or a limit on plies without a capture
    /// can cut off what is forced.
    fn least(&self, position: &Position) -> Result<Option<i8>, TableError> {
        let rules = position.rules();
        if rules.loop_split != LoopSplit::OwnRows || rules.capture_free_limit.is_some() {
            return Ok(None);
        }
        let low = self.value(Convention::Low, position.board())?;
        Ok(low.map(|low| position.lead() + low))
    }

    /// What is known of the position of a game; `None` where no table says anything.
    ///
    /// # Errors
    /// When a table cannot be read or is damaged.
    pub fn verdict(&self, game: &Game) -> Result<Option<Verdict>, TableError> {
        let position = game.position();
        let facts = self.facts(position.board())?;
        let claim = Claim::of(&facts, position.rules(), position.lead());
        Ok((!facts.is_empty()).then(|| Verdict { facts, claim, past: Past::of(game) }))
    }

    fn uses(&self, kind: Kind, board: Board) -> bool {
        let seeds = usize::from(board.total());
        self.kinds.contains(&kind) && self.layers.contains(&seeds)
    }

    fn value(&self, convention: Convention, board: Board) -> Result<Option<i8>, TableError> {
        match self.uses(Kind::value(convention), board) {
            true => self.tables.value(convention, &board.houses()),
            false => Ok(None),
        }
    }

    /// Asks for all that is known of a board.
    fn ask_facts(&self, board: Board, asked: &mut Asked) {
        for convention in Convention::ALL {
            self.ask(Kind::value(convention), board, Wish::Value, asked);
            self.ask(Kind::distance(convention), board, Wish::Distance(0), asked);
        }
    }

    /// Asks for the value of a move.
    fn ask_move(&self, board: Board, mv: Move, convention: Convention, asked: &mut Asked) {
        let sown = board.sow(mv, &self.rules);
        let captured = sown.captured as i8;
        if sown.ends_by_slam(&self.rules) {
            asked.known(Some(i16::from(captured - sown.given as i8)));
        } else {
            let kind = Kind::value(convention.after_a_move());
            self.ask(kind, sown.board, Wish::Captured(captured), asked);
        }
    }

    /// Asks how many plies lie before the next conversion by a move, itself counted.
    fn ask_move_distance(&self, board: Board, mv: Move, convention: Convention, asked: &mut Asked) {
        let sown = board.sow(mv, &self.rules);
        if sown.captured > 0 {
            asked.known(Some(1));
        } else {
            let kind = Kind::distance(convention.after_a_move());
            self.ask(kind, sown.board, Wish::Distance(1), asked);
        }
    }

    fn ask(&self, kind: Kind, board: Board, wish: Wish, asked: &mut Asked) {
        match self.uses(kind, board) {
            true => asked.board(kind, board, wish),
            false => asked.known(None),
        }
    }
}
