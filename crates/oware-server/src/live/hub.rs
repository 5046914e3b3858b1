//! The hub: every game in memory by its name, and what can be asked of them.

use std::collections::HashMap;
use std::net::IpAddr;
use std::ops::Deref;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use oware_app::Knowledge;
use oware_rules::Rules;
use tokio::sync::{MutexGuard, OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::faces::Names;
use super::line::{Goodbye, Line, Lines, Sent, locked};
use super::lobby::Lobby;
use super::secrets::Secrets;
use super::table::{Live, Table};
use super::timers::{self, Timers};
use super::writer::Writer;
use crate::clock::{Clock, Millis};
use crate::game::{GameState, Refusal};
use crate::metrics::Metrics;
use crate::store::{SeatRow, Store, StoreError};
use crate::wire::{GameEvent, GameView, ServerFrame};

/// How often games that nobody needs are put away.
const SWEEP: Duration = Duration::from_secs(15);
/// How long the end may take.
const LAST_WRITES: Duration = Duration::from_secs(4);

/// Gives the endgame tables of some rules, where there are any.
pub type Tables = dyn Fn(&Rules) -> Option<Knowledge> + Send + Sync;

/// What the hub is told at the start.
#[derive(Clone)]
pub struct Settings {
    /// Shortest and longest time until the computer's move is shown, in milliseconds.
    pub think_ms: (u64, u64),
    /// Places for searches.
    pub work: Arc<Semaphore>,
    /// Where figures are counted.
    pub metrics: Arc<Metrics>,
    /// Endgame tables for the strongest level.
    pub tables: Option<Arc<Tables>>,
}

impl Settings {
    /// As the site plays, with places for `engines` searches.
    #[must_use]
    pub fn new(engines: usize) -> Settings {
        Settings {
            think_ms: (400, 2_500),
            work: Arc::new(Semaphore::new(engines.max(1))),
            metrics: Arc::default(),
            tables: None,
        }
    }
}

/// Who does something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Who {
    /// The player, by id.
    pub player: String,
    /// Whether they have an account.
    pub account: bool,
}

/// All games. A clone is the same hub.
#[derive(Clone)]
pub struct Hub(Arc<Inner>);

/// What the hub holds.
pub struct Inner {
    pub(super) store: Arc<dyn Store>,
    pub(super) clock: Clock,
    pub(super) settings: Settings,
    pub(super) writer: Writer,
    pub(super) lines: Lines,
    pub(super) lobby: Lobby,
    pub(super) timers: Timers,
    pub(super) names: Names,
    pub(super) stop: CancellationToken,
    pub(super) tasks: TaskTracker,
    talks: TaskTracker,
    pub(super) secrets: Secrets,
    tables: Mutex<HashMap<String, Arc<Table>>>,
}

impl Deref for Hub {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl std::fmt::Debug for Hub {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Hub({} games, {} lines)", locked(&self.tables).len(), self.lines.count())
    }
}

/// What the store could not do is for the log; players are told that nothing has changed.
#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
pub(super) fn internal(error: StoreError) -> Refusal {
    tracing::error!("{error}");
    Refusal::Internal
}

impl Hub {
    /// Starts the hub's tasks. Needs a runtime.
    #[must_use]
    pub fn start(store: Arc<dyn Store>, clock: Clock, settings: Settings) -> Hub {
        let tasks = TaskTracker::new();
        let hub = Hub(Arc::new(Inner {
            writer: Writer::start(Arc::clone(&store), &tasks),
            store,
            clock,
            settings,
            lines: Lines::default(),
            lobby: Lobby::default(),
            timers: Timers::default(),
            names: Names::default(),
            stop: CancellationToken::new(),
            tasks,
            talks: TaskTracker::new(),
            secrets: Secrets::default(),
            tables: Mutex::default(),
        }));
        tokio::spawn(timers::run(hub.clone()));
        tokio::spawn(super::lobby::run(hub.clone()));
        tokio::spawn(sweep(hub.clone()));
        hub
    }

    /// The place of a game, made if there is none.
    pub(super) fn table(&self, id: &str) -> Arc<Table> {
        let mut tables = locked(&self.tables);
        Arc::clone(tables.entry(id.to_owned()).or_insert_with(|| Table::new(id)))
    }

    /// Loads a game into its place if it is not there.
    pub(super) async fn load<'a>(
        &self,
        table: &'a Arc<Table>,
    ) -> Result<MutexGuard<'a, Option<Live>>, Refusal> {
        let mut live = table.live.lock().await;
        if live.is_none() {
            *live = Some(self.read(&table.id).await?);
            self.settings.metrics.games.inc();
            if let Some(live) = &mut *live {
                self.timers.set(&table.id, live.state.wakes_at());
                self.secrets.note(&live.state);
                self.note_absent(live);
                self.think(table, live);
            }
        }
        Ok(live)
    }

    /// Reads a game from the store.
    pub(super) async fn read(&self, id: &str) -> Result<Live, Refusal> {
        let row = self.store.game(id).await.map_err(internal)?.ok_or(Refusal::NotFound)?;
        let events = self.store.events(id, 0).await.map_err(internal)?;
        let state = GameState::restore(&row, &events).map_err(|damaged| {
            tracing::error!("{damaged}");
            Refusal::Internal
        })?;
        let faces = self.faces(state.row()).await.map_err(internal)?;
        Ok(Live::new(state, faces))
    }

    /// A game as a player, or a stranger, sees it.
    ///
    /// # Errors
    /// When there is none, or the store fails.
    pub async fn view(&self, id: &str, player: Option<&str>) -> Result<GameView, Refusal> {
        check_game_id(id)?;
        let table = self.table(id);
        let live = self.load(&table).await?;
        let live = live.as_ref().ok_or(Refusal::NotFound)?;
        Ok(live.state.view(&live.faces, player, self.clock.now()))
    }

    /// What happened in a game after an event.
    ///
    /// # Errors
    /// As [`view`](Self::view).
    pub async fn events(&self, id: &str, after: u32) -> Result<Vec<GameEvent>, Refusal> {
        check_game_id(id)?;
        let table = self.table(id);
        let live = self.load(&table).await?;
        let live = live.as_ref().ok_or(Refusal::NotFound)?;
        let rows = self.store.events(id, 0).await.map_err(internal)?;
        GameState::tell_again(live.state.row(), &rows, after, &live.faces).map_err(|damaged| {
            tracing::error!("{damaged}");
            Refusal::Internal
        })
    }

    /// The game by the rules, for records.
    ///
    /// # Errors
    /// As [`view`](Self::view).
    pub async fn state(&self, id: &str) -> Result<(GameState, crate::game::Faces), Refusal> {
        check_game_id(id)?;
        let table = self.table(id);
        let live = self.load(&table).await?;
        let live = live.as_ref().ok_or(Refusal::NotFound)?;
        Ok((live.state.clone(), live.faces.clone()))
    }

    /// Opens a line to a tab; none if the session or the network has too many.
    #[must_use]
    pub fn open_line(
        &self,
        session: &str,
        player: &str,
        network: IpAddr,
    ) -> Option<(Arc<Line>, mpsc::Receiver<Arc<Sent>>)> {
        if self.stop.is_cancelled() {
            return None;
        }
        let opened = self.lines.open(session, player, network)?;
        self.settings.metrics.sockets.inc();
        self.lobby.people_changed();
        Some(opened)
    }

    /// Lets the end wait for the conversation of a line.
    pub async fn track(&self, talk: impl Future<Output = ()>) {
        self.talks.track_future(talk).await;
    }

    /// Ends all lines of a session, which was revoked.
    pub fn revoke(&self, session: &str) {
        let revoked = Sent::new(ServerFrame::Revoked {});
        for line in self.lines.all().iter().filter(|line| line.session == session) {
            line.send(&revoked);
            line.end(Goodbye::Revoked);
        }
    }

    /// Sends a word to everybody.
    pub fn announce(&self, text: Option<String>, restart_at: Option<Millis>) {
        let sent = Sent::new(ServerFrame::Announcement { text, restart_at });
        self.lines.all().iter().for_each(|line| line.send(&sent));
    }

    /// How many lines are open.
    #[must_use]
    pub fn people(&self) -> usize {
        self.lines.count()
    }

    /// Lets everything that goes by time look at the clock again, for tests that move it.
    pub fn nudge(&self) {
        self.timers.nudge();
    }

    /// Tells everybody that the server stops, finishes what has begun and is written.
    pub async fn shut_down(&self) {
        self.stop.cancel();
        let restarting = Sent::new(ServerFrame::Restarting {});
        for line in self.lines.all() {
            line.send(&restarting);
            line.end(Goodbye::Restarting);
        }
        // The writer is one of the tasks, and waits for more until the hub is gone: what counts
        // is that nothing waits.
        let idle = async {
            for table in self.tables() {
                if let Some(live) = table.live.lock().await.as_ref() {
                    live.thinking.iter().for_each(|thinking| thinking.stop());
                }
            }
            while self.tasks.len() > 1 || !self.talks.is_empty() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        if tokio::time::timeout(LAST_WRITES, idle).await.is_err() {
            tracing::warn!("some games were not put away in time");
        }
        self.beat().await;
    }

    pub(super) fn tables(&self) -> Vec<Arc<Table>> {
        locked(&self.tables).values().cloned().collect()
    }

    /// A place for a search.
    pub(super) async fn place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.settings.work).acquire_owned().await.ok()
    }

    /// Puts away games that nobody needs in memory.
    pub fn put_away(&self) {
        let mut tables = locked(&self.tables);
        tables.retain(|_, table| {
            // Whoever holds the table is about to use it.
            if Arc::strong_count(table) > 1 {
                return true;
            }
            let Ok(live) = table.live.try_lock() else { return true };
            let keep = live.as_ref().is_some_and(|live| !live.is_idle());
            if !keep && live.is_some() {
                self.settings.metrics.games.dec();
            }
            keep
        });
    }

    /// How many games are in memory.
    #[must_use]
    pub fn games_in_memory(&self) -> usize {
        locked(&self.tables).len()
    }
}

async fn sweep(hub: Hub) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(SWEEP) => hub.put_away(),
            () = hub.stop.cancelled() => return,
        }
    }
}

/// What cannot be a game's name is none, and is not looked for.
pub(super) fn check_game_id(id: &str) -> Result<(), Refusal> {
    let is_id = (1..=40).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_id { Ok(()) } else { Err(Refusal::NotFound) }
}

/// Whether the computer sits at one of the seats.
pub(super) fn has_computer(state: &GameState) -> bool {
    state.row().seats.iter().any(|seat| matches!(seat, SeatRow::Computer { .. }))
}
