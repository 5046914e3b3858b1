//! Players that are built in: the engine, the plain search, the levels.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use oware_rules::{Game, Rules};
use oware_search::{Endgame, Engine, plain};
use oware_tables::TileCache;

use super::player::{Answer, Ask, Player, PlayerFault, Stop};
use super::process::ProcessPlayer;
use super::spec::{Builtin, EngineKind, EngineSpec};
use crate::book::Book;
use crate::{Computer, Knowledge, Level, Thinker};

/// The name of the book that is part of the program.
const BUILT_IN: &str = "built-in";

type Leaves = Option<Arc<dyn Endgame>>;

/// Makes the players of a match. What is large and never changes is made once for all.
pub struct Workshop {
    rules: Rules,
    leaves: Mutex<HashMap<(PathBuf, u8), Leaves>>,
    /// What is kept of the tables of all players.
    tiles: Arc<TileCache>,
}

impl Workshop {
    /// For players under these rules.
    #[must_use]
    pub fn new(rules: Rules) -> Workshop {
        Workshop { rules, leaves: Mutex::default(), tiles: Arc::default() }
    }

    /// Makes a player.
    ///
    /// # Errors
    /// Why it cannot be made, in words that begin with its name.
    pub fn player(&self, spec: &EngineSpec) -> Result<Box<dyn Player>, String> {
        let made: Result<Box<dyn Player>, String> = match &spec.kind {
            EngineKind::Builtin(builtin) => self.thinker(builtin),
            EngineKind::Plain => Ok(Box::new(Plain)),
            EngineKind::Level { level, seed, tables } => {
                let tables = tables.as_deref().map(|dir| self.knowledge(dir)).transpose();
                tables.map(|tables| {
                    let (level, seed) = (*level, *seed);
                    Box::new(LevelPlayer { level, seed, pair: 0, tables }) as Box<dyn Player>
                })
            }
            EngineKind::Process(process) => Ok(Box::new(ProcessPlayer::new(process, self.rules))),
        };
        made.map_err(|why| format!("engine {}: {why}", spec.name))
    }

    /// Endgame tables, of which there must be some.
    pub(super) fn knowledge(&self, dir: &Path) -> Result<Knowledge, String> {
        let opened = Knowledge::open_with(dir, &self.rules, Arc::clone(&self.tiles));
        let knowledge = opened.map_err(|error| error.to_string())?;
        match knowledge.is_empty() {
            true => Err(format!("tables={}: no table for these rules there", dir.display())),
            false => Ok(knowledge),
        }
    }

    fn thinker(&self, builtin: &Builtin) -> Result<Box<dyn Player>, String> {
        let mut thinker = Thinker::new(builtin.options).map_err(|error| error.to_string())?;
        if let Some(dir) = &builtin.tables {
            let knowledge = self.knowledge(dir)?;
            thinker.engine().set_endgame(self.leaves(&knowledge, dir, builtin.leaves)?);
            thinker.set_knowledge(Some(knowledge));
        }
        if let Some(name) = &builtin.book {
            thinker.set_opening(Some(self.book(name)?));
        }
        Ok(Box::new(thinker))
    }

    /// An opening book of these rules.
    fn book(&self, name: &Path) -> Result<Arc<Book>, String> {
        if name == Path::new(BUILT_IN) {
            let missing = || format!("book={BUILT_IN}: it has no moves for {}", self.rules.id());
            return Book::built_in(&self.rules).ok_or_else(missing);
        }
        Book::open(name, &self.rules).map_err(|error| format!("book: {error}"))
    }

    /// Tables in memory, read once for each directory and size.
    fn leaves(&self, known: &Knowledge, dir: &Path, most_seeds: u8) -> Result<Leaves, String> {
        if most_seeds == 0 {
            return Ok(None);
        }
        let mut held = self.leaves.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (dir.to_owned(), most_seeds);
        if let Some(leaves) = held.get(&key) {
            return Ok(leaves.clone());
        }
        let leaves = known.in_memory(most_seeds, 1).map_err(|error| error.to_string())?;
        let leaves = leaves.map(|leaves| leaves as Arc<dyn Endgame>);
        if leaves.as_ref().is_none_or(|leaves| leaves.most_seeds() < most_seeds) {
            let dir = dir.display();
            return Err(format!("leaves={most_seeds}: {dir} has not all even tables up to there"));
        }
        held.insert(key, leaves.clone());
        Ok(leaves)
    }
}

/// Why a player that is built in found no move.
fn none(stop: &Stop) -> PlayerFault {
    match stop.is_stopped() {
        true => PlayerFault::Stopped,
        false => PlayerFault::Died("it found no move".into()),
    }
}

impl Player for Thinker {
    fn new_game(&mut self, _: usize, _: &Stop) -> Result<(), PlayerFault> {
        Engine::clear(self.engine());
        Ok(())
    }

    fn choose(&mut self, game: &Game, ask: &Ask<'_>) -> Result<Answer, PlayerFault> {
        let left = ask.clocks[game.position().to_move().index()];
        let limits = ask.budget.limits(left);
        let thought = self.think(game, &limits, ask.stop.control(), &mut |_| {});
        // A search that was cut short would make another move than the same game next time.
        if ask.stop.is_stopped() {
            return Err(PlayerFault::Stopped);
        }
        let mv = thought.best.ok_or_else(|| none(ask.stop))?;
        let report = &thought.report;
        let score = report.lines.first().map(|line| line.score);
        Ok(Answer { mv, score, depth: report.depth, nodes: report.nodes })
    }
}

/// The plain alpha-beta.
struct Plain;

impl Player for Plain {
    fn new_game(&mut self, _: usize, _: &Stop) -> Result<(), PlayerFault> {
        Ok(())
    }

    fn choose(&mut self, game: &Game, ask: &Ask<'_>) -> Result<Answer, PlayerFault> {
        let limits = plain::Limits {
            depth: ask.budget.depth,
            nodes: ask.budget.nodes,
            ..plain::Limits::default()
        };
        let report = plain::search(game, limits, ask.stop.flag(), &mut |_| {});
        if ask.stop.is_stopped() {
            return Err(PlayerFault::Stopped);
        }
        let mv = report.best.ok_or_else(|| none(ask.stop))?;
        Ok(Answer { mv, score: Some(report.score), depth: report.depth, nodes: report.nodes })
    }
}

/// A level of the computer. Its slips differ from pair to pair.
struct LevelPlayer {
    level: Level,
    seed: u64,
    pair: usize,
    tables: Option<Knowledge>,
}

impl Player for LevelPlayer {
    fn new_game(&mut self, pair: usize, _: &Stop) -> Result<(), PlayerFault> {
        self.pair = pair;
        Ok(())
    }

    fn choose(&mut self, game: &Game, ask: &Ask<'_>) -> Result<Answer, PlayerFault> {
        let seed = self.seed.wrapping_add(self.pair as u64);
        let computer = Computer::new(self.level, seed);
        let choice = computer.choose(game, self.tables.as_ref(), ask.stop.control());
        if ask.stop.is_stopped() {
            return Err(PlayerFault::Stopped);
        }
        let choice = choice.ok_or_else(|| none(ask.stop))?;
        let hundredths = (choice.value * 100.0).round() as i32;
        let score = Some(oware_search::Score::of_hundredths(hundredths));
        Ok(Answer { mv: choice.house.as_move(), score, depth: choice.depth, nodes: 0 })
    }
}
