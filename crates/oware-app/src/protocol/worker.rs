//! The thread that thinks. It does one job after the other, and says what comes of it.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use oware_rules::{Game, MoveSet};
use oware_search::{Clock, DEEPEST, Limits, Report};
use oware_tables::{TableError, TileCache};

use super::reply::View;
use super::running::Running;
use super::{Event, Go, Output, Settings, choice};
use crate::{Knowledge, Opening, Origin, Thinker, Thought};

/// What the worker is asked for.
pub(super) enum Job {
    /// Takes other settings.
    Configure(Box<Settings>),
    /// Forgets every search so far.
    Clear,
    /// Says something, after all that was asked for before.
    Say(String),
    /// Searches.
    Search(Box<Request>),
}

/// A search to be done.
pub(super) struct Request {
    /// The game to be searched.
    pub(super) game: Game,
    /// What was asked for.
    pub(super) go: Go,
    /// The moves to be looked at; `None` for all.
    pub(super) moves: Option<MoveSet>,
    /// How it is told to stop.
    pub(super) running: Arc<Running>,
    /// When it was asked for.
    pub(super) asked: Instant,
}

/// What the thread holds.
pub(super) struct Worker {
    pub(super) thinker: Thinker,
    /// Those that are in force.
    pub(super) settings: Settings,
    /// Whether endgame tables are held in memory.
    pub(super) has_leaves: bool,
    pub(super) opening: Option<Arc<dyn Opening>>,
    pub(super) output: Output,
    pub(super) events: Sender<Event>,
    pub(super) refused: Refused,
}

/// A size of the transposition table for which there was no memory, and the size that it kept;
/// both in MiB.
pub(super) type Refused = Arc<Mutex<Option<(u64, u64)>>>;

impl Worker {
    /// Does jobs until there is nobody left to ask for more.
    pub(super) fn run(mut self, jobs: &Receiver<Job>) {
        let _alarm = Alarm(self.events.clone());
        self.configure_book();
        for job in jobs {
            match job {
                Job::Configure(settings) => self.configure(*settings),
                Job::Clear => self.thinker.engine().clear(),
                Job::Say(text) => (self.output)(&text),
                Job::Search(request) => self.search(&request),
            }
        }
    }

    fn say(&self, lines: &[String]) {
        if !lines.is_empty() {
            (self.output)(&lines.join("\n"));
        }
    }

    fn error(&self, why: &dyn std::fmt::Display) {
        (self.output)(&format!("info string error: {why}"));
    }

    fn configure(&mut self, settings: Settings) {
        let present = self.thinker.engine().options();
        let options = settings.options(present);
        if options != present
            && let Err(error) = self.thinker.engine().set_options(options)
        {
            let mib = present.hash_mib;
            let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
            *refused = Some((settings.hash_mib, mib as u64));
            self.error(&format_args!("option Hash: {error}; it stays at {mib} MiB"));
        }
        let before = std::mem::replace(&mut self.settings, settings);
        if self.settings.has_other_tables(&before) {
            self.open_tables();
        }
        if self.settings.own_book != before.own_book {
            self.configure_book();
        }
    }

    fn configure_book(&mut self) {
        let opening = self.opening.clone().filter(|_| self.settings.own_book);
        self.thinker.set_opening(opening);
    }

    /// Opens the endgame tables that the settings name; on an error there are none.
    fn open_tables(&mut self) {
        self.thinker.set_knowledge(None);
        self.thinker.engine().set_endgame(None);
        self.has_leaves = false;
        let Some(path) = self.settings.tables_path.clone() else { return };
        match self.take_tables(&path) {
            Ok(told) => (self.output)(&format!("info string tables: {told}")),
            Err(error) => self.error(&format_args!("option TablesPath: {error}")),
        }
    }

    fn take_tables(&mut self, path: &Path) -> Result<String, TableError> {
        let settings = &self.settings;
        let rules = settings.rules;
        let tiles = TileCache::new(settings.tables_cache_mib << 20);
        let knowledge = Knowledge::open_with(path, &rules, Arc::new(tiles))?;
        let number = knowledge.number_of_tables();
        if number == 0 {
            return Ok(format!("none for {} in {}", rules.id(), path.display()));
        }
        let leaves = match settings.use_leaves {
            true => knowledge.in_memory(settings.tables_seeds as u8, settings.threads as usize)?,
            false => None,
        };
        let held = match &leaves {
            Some(leaves) => {
                let most = oware_search::Endgame::most_seeds(&**leaves);
                format!("even values of layers 0 to {most} held in memory")
            }
            None => "none held in memory".to_owned(),
        };
        self.has_leaves = leaves.is_some();
        self.thinker.engine().set_endgame(leaves.map(|leaves| leaves as Arc<_>));
        self.thinker.set_knowledge(Some(knowledge));
        Ok(format!("{number} for {}, {held}", rules.id()))
    }

    /// Searches and answers with exactly one `bestmove`.
    fn search(&mut self, request: &Request) {
        let best = match request.game.ending() {
            Some(ending) => {
                let told = format!("info string game over: {}, {}", ending.reason, ending.score);
                (self.output)(&told);
                None
            }
            None => self.find(request),
        };
        request.running.wait_for_release();
        (self.output)(best.as_deref().unwrap_or("bestmove 0000"));
        request.running.set_answered();
        // Nobody is there to hear it when the session ends.
        let _ = self.events.send(Event::Finished);
    }

    /// Searches a game that is not over, tells what is found, and gives the answer.
    fn find(&mut self, request: &Request) -> Option<String> {
        let Request { game, running, .. } = request;
        if !self.settings.use_cache {
            self.thinker.engine().clear();
        }
        let view = View::of(game, self.has_leaves);
        let limits = self.limits(request);
        let told = self.settings.lines as usize;
        let mut last = Report::default();
        let output = Arc::clone(&self.output);
        let thought = self.thinker.think(game, &limits, &running.control, &mut |report| {
            output(&view.report(report, told).join("\n"));
            last = report.clone();
        });
        let Thought { best, reply, origin, report } = thought;
        match (origin, best) {
            (Origin::Tables(found), _) => self.say(&view.table_move(found)),
            (Origin::Book, Some(mv)) => self.say(&view.book_move(mv)),
            // What came of the last depth, which may have been broken off.
            _ if (&report.lines, report.nodes) != (&last.lines, last.nodes) => {
                self.say(&view.report(&report, told));
            }
            _ => (),
        }
        let (mut best, mut reply) = (best?, reply);
        if self.settings.chooses()
            && let Some(line) = choice::choose(&report, &self.settings, game)
            && line.mv != best
        {
            let (instead, score) = (view.letter(best), report.score());
            let told = format!(
                "info string plays {} ({}) instead of {instead} ({score})",
                view.letter(line.mv),
                line.score
            );
            (self.output)(&told);
            (best, reply) = (line.mv, line.moves.get(1).copied());
        }
        let reply = reply.filter(|_| self.settings.ponder);
        Some(view.best_move(best, reply))
    }

    fn limits(&self, request: &Request) -> Limits {
        let Request { game, go, .. } = request;
        // What the way of the move takes, and what was spent before the search began.
        let waited = if go.ponder { Duration::ZERO } else { request.asked.elapsed() };
        let lost = waited + Duration::from_millis(self.settings.move_overhead);
        let left = |milliseconds: u64| {
            Duration::from_millis(milliseconds).saturating_sub(lost).max(Duration::from_millis(1))
        };
        let mover = game.position().to_move().index();
        let clock = go.clocks[mover].map(|remaining| Clock {
            remaining: left(remaining),
            increment: Duration::from_millis(go.increments[mover].unwrap_or(0)),
            moves_to_go: go.movestogo,
        });
        let all = game.legal_moves();
        // Where a search has no end it is for analysis: tables and book shall not answer for it,
        // nor leave out moves, which they do not where moves are named.
        let analysis = go.infinite || !(go.ponder || go.has_limit(game.position().to_move()));
        Limits {
            depth: go.depth.map(|depth| depth.min(DEEPEST)),
            nodes: go.nodes,
            time: go.movetime.map(left),
            clock,
            moves: request.moves.or(analysis.then_some(all)),
            lines: if self.settings.chooses() { all.len() } else { self.settings.lines as usize },
        }
    }
}

/// Tells the session when the thread ends by a panic.
struct Alarm(Sender<Event>);

impl Drop for Alarm {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(Event::Lost);
        }
    }
}
