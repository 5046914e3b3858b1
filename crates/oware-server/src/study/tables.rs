//! Endgame tables: built in the background when the site first starts, then used.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oware_app::Knowledge;
use oware_app::analysis::Tables;
use oware_app::knowledge::{Claim, Facts, Past};
use oware_retro::{BuildEvent, BuildJob, Target, build};
use oware_rules::{Game, House, PRESETS, Rules, SowingBoard};
use oware_tables::{Convention, Kind, TableError, TableSet, TileCache};

use super::values::letters;
use crate::wire::{ClaimView, ProbeAnswer, TableMoveView, TableSetView, TablesView, Values};

/// Layers of rules other than abapa, which few ask for, go up to this.
const OTHER_RULES: u8 = 10;
/// Seeds of the layers that searches have in memory, at most (about 3 MB).
const IN_MEMORY: u8 = 12;
/// Rules whose tables are open at the same time, at most.
const MOST_OPEN: usize = 12;
/// Plies of the line of best play.
const LONGEST_LINE: usize = 24;

/// The tables of the site.
pub struct Shelf {
    root: PathBuf,
    seeds: u8,
    /// Decoded tiles, of all rules together.
    tiles: Arc<TileCache>,
    opened: Mutex<HashMap<Rules, Opened>>,
    building: AtomicBool,
    stop: Arc<AtomicBool>,
}

/// Tables of some rules that have been opened; `None` where there are none.
#[derive(Clone, Default)]
struct Opened {
    knowledge: Option<Knowledge>,
    analysis: Option<Tables>,
}

impl Shelf {
    /// The tables in a folder, to be built up to so many seeds. Decoded tiles take at most
    /// `cache` bytes of memory.
    #[must_use]
    pub fn new(root: PathBuf, seeds: u8, cache: u64) -> Shelf {
        Shelf {
            root,
            seeds,
            tiles: Arc::new(TileCache::new(cache)),
            opened: Mutex::default(),
            building: AtomicBool::new(false),
            stop: Arc::default(),
        }
    }

    /// What the tables know under some rules; `None` where there are none, or they cannot be
    /// read (which is logged).
    #[must_use]
    pub fn knowledge(&self, rules: &Rules) -> Option<Knowledge> {
        self.opened(rules).knowledge
    }

    /// The same for an analysis, with the lower layers in memory.
    #[must_use]
    pub fn for_analysis(&self, rules: &Rules) -> Option<Tables> {
        self.opened(rules).analysis
    }

    fn opened(&self, rules: &Rules) -> Opened {
        if let Some(opened) = self.cache().get(rules) {
            return opened.clone();
        }
        let logged = |error: &TableError| tracing::warn!("endgame tables: {error}");
        let tiles = Arc::clone(&self.tiles);
        let knowledge = Knowledge::open_with(&self.root, rules, tiles).inspect_err(logged).ok();
        let knowledge = knowledge.filter(|known| !known.is_empty());
        let analysis = knowledge.as_ref().and_then(|known| {
            let most = self.seeds.min(IN_MEMORY);
            Tables::of(known.clone(), most, 1).inspect_err(logged).ok().flatten()
        });
        let opened = Opened { knowledge, analysis };
        let mut cache = self.cache();
        // Rules can be put together freely: what nobody asks for any longer must not pile up.
        if cache.len() >= MOST_OPEN {
            cache.clear();
        }
        cache.insert(*rules, opened.clone());
        opened
    }

    fn cache(&self) -> MutexGuard<'_, HashMap<Rules, Opened>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Builds what is missing, on a thread of its own: first abapa, then the rules of all other
    /// presets. Finished layers are used at once and stay whatever happens.
    pub fn begin_building(self: &Arc<Shelf>) {
        if self.seeds == 0 || self.building.swap(true, Ordering::Relaxed) {
            return;
        }
        let shelf = Arc::clone(self);
        let built = std::thread::Builder::new().name("tables".into()).spawn(move || {
            shelf.build_all();
            shelf.building.store(false, Ordering::Relaxed);
        });
        if let Err(error) = built {
            tracing::warn!("no thread for building endgame tables: {error}");
            self.building.store(false, Ordering::Relaxed);
        }
    }

    /// Asks the building to end soon.
    pub fn stop_building(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    fn build_all(&self) {
        let mut done = Vec::new();
        let presets = PRESETS.iter().map(|preset| preset.rules);
        for rules in [Rules::ABAPA].into_iter().chain(presets) {
            let table_rules = rules.table_rules();
            if done.contains(&table_rules) || self.stop.load(Ordering::Relaxed) {
                continue;
            }
            let most = if done.is_empty() { self.seeds } else { self.seeds.min(OTHER_RULES) };
            done.push(table_rules);
            let job = BuildJob::quiet(&self.root, table_rules, &Target::ALL, usize::from(most));
            let begun = std::time::Instant::now();
            let tell = |event: &BuildEvent| {
                if let BuildEvent::Done(_) = event {
                    self.cache().clear();
                }
            };
            match build(&BuildJob { stop: &self.stop, tell: &tell, ..job }) {
                Ok(()) => tracing::info!(
                    "endgame tables of {table_rules} to {most} seeds are there ({} ms)",
                    begun.elapsed().as_millis()
                ),
                Err(_) if self.stop.load(Ordering::Relaxed) => return,
                Err(error) => tracing::warn!("endgame tables of {table_rules}: {error}"),
            }
        }
    }

    /// What there is.
    #[must_use]
    pub fn view(&self) -> TablesView {
        let mut sets: Vec<TableSetView> = Vec::new();
        for preset in PRESETS {
            let rules = preset.rules.table_rules();
            let name = rules.to_string();
            if let Some(set) = sets.iter_mut().find(|set| set.rules == name) {
                set.presets.push(preset.name.to_owned());
                continue;
            }
            let Ok(tables) = TableSet::open(&self.root, rules) else { continue };
            let highest = |convention| tables.highest(Kind::value(convention)).map(|n| n as i8);
            let layers = Values {
                even: highest(Convention::Even),
                low: highest(Convention::Low),
                high: highest(Convention::High),
            };
            if layers != Values::default() {
                sets.push(TableSetView { rules: name, presets: vec![preset.name.into()], layers });
            }
        }
        TablesView { building: self.building.load(Ordering::Relaxed), sets }
    }
}

fn values<T>(of: impl Fn(Convention) -> Option<T>, into: impl Fn(T) -> i8) -> Values {
    let [even, low, high] = Convention::ALL.map(|convention| of(convention).map(&into));
    Values { even, low, high }
}

fn claim(claim: Claim) -> ClaimView {
    match claim {
        Claim::Exact { ahead, basis } => {
            let even_loops = basis == oware_app::knowledge::Basis::EvenLoops;
            ClaimView::Exact { ahead, even_loops }
        }
        Claim::Win { least } => ClaimView::Win { least },
        Claim::Loss { least } => ClaimView::Loss { least },
        Claim::IfEven { ahead } => ClaimView::IfEven { ahead },
        Claim::Unknown => ClaimView::Unknown,
    }
}

/// What tables say of the position of a game; everything `None` where they do not reach.
///
/// # Errors
/// When a table cannot be read or is damaged.
pub fn probe(shelf: &Shelf, game: &Game) -> Result<ProbeAnswer, TableError> {
    let position = game.position();
    let (board, rules) = (position.board(), position.rules());
    let knowledge = shelf.knowledge(rules).filter(|_| !game.is_over());
    let survey = knowledge.as_ref().map(|known| known.survey(board, &Convention::ALL));
    let survey = survey.transpose()?;
    let facts = survey.as_ref().map(|survey| survey.facts).unwrap_or_default();
    let surveyed = survey.map(|survey| survey.moves).unwrap_or_default();
    let mut moves: Vec<TableMoveView> = Vec::new();
    for mv in game.legal_moves() {
        let known = surveyed.iter().find(|surveyed| surveyed.mv == mv);
        moves.push(TableMoveView {
            house: House::of(position.to_move(), mv).to_string(),
            captured: board.sow(mv, rules).captured,
            values: known.map_or_else(Values::default, |known| values(|c| known.value(c), |v| v)),
        });
    }
    let layers = TableSet::open(&shelf.root, rules.table_rules())?
        .highest(Kind::value(Convention::Even))
        .map(|seeds| seeds as u8);
    Ok(ProbeAnswer {
        position: position.to_string(),
        seeds: board.total(),
        layers,
        values: values(|convention| facts.value(convention), |value| value),
        distance: values(|c| facts.distance(c), |plies| plies.min(127) as i8),
        lead: position.lead(),
        claim: claim(claimed(&facts, game)),
        past: knowledge.is_some() && Past::of(game) == Past::InTheWay,
        moves,
        line: match &knowledge {
            Some(known) => main_line(known, game)?,
            None => String::new(),
        },
    })
}

fn claimed(facts: &Facts, game: &Game) -> Claim {
    let position = game.position();
    Claim::of(facts, position.rules(), position.lead())
}

/// Best play by the tables, as far as something is forced.
fn main_line(knowledge: &Knowledge, game: &Game) -> Result<String, TableError> {
    let mut game = game.clone();
    let mut line = Vec::new();
    while line.len() < LONGEST_LINE && !game.is_over() {
        let Some(best) = knowledge.choose(game.position())? else { break };
        line.push(House::of(game.position().to_move(), best.mv));
        if game.play_quick(best.mv).is_err() {
            break;
        }
    }
    Ok(letters(&line))
}
