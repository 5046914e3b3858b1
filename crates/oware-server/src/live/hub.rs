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
use super::table::{Live, Table};
use super::timers::{self, Timers};
use super::writer::Writer;
use crate::clock::{Clock, Millis};
use crate::game::{Actor, Decision, GameState, Refusal, Request};
use crate::metrics::Metrics;
use crate::store::{Door, Relation, SeatRow, Store, StoreError};
use crate::wire::{Action, GameEvent, GameView, ServerFrame};

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

    /// Does something in a game. The answer is the number of the (first) event it caused, which
    /// is committed; for an action that was done before, it is the event's number then.
    ///
    /// What has begun is finished even if nobody waits for the answer any more.
    ///
    /// # Errors
    /// Why it is refused; nothing has changed then, but that a time that was over has been
    /// noted.
    pub async fn act(
        &self,
        who: &Who,
        game: &str,
        id: Option<&str>,
        action: Action,
        lag: Option<Millis>,
    ) -> Result<u32, Refusal> {
        check_game_id(game)?;
        if let Some(id) = id {
            check_action_id(id)?;
        }
        if self.stop.is_cancelled() {
            return Err(Refusal::Restarting);
        }
        let begun = std::time::Instant::now();
        let (hub, who, game) = (self.clone(), who.clone(), game.to_owned());
        let id = id.map(str::to_owned);
        let task = self.tasks.spawn(async move {
            let table = hub.table(&game);
            hub.act_at(&table, &who, id.as_deref(), &action, lag).await
        });
        let done = task.await.unwrap_or(Err(Refusal::Internal));
        let metrics = &self.settings.metrics;
        match &done {
            Ok(_) => metrics.ack_seconds.observe(begun.elapsed().as_secs_f64()),
            Err(_) => {
                metrics.refusals.inc();
            }
        }
        done
    }

    async fn act_at(
        &self,
        table: &Arc<Table>,
        who: &Who,
        id: Option<&str>,
        action: &Action,
        lag: Option<Millis>,
    ) -> Result<u32, Refusal> {
        let mut guard = self.load(table).await?;
        let live = guard.as_mut().ok_or(Refusal::NotFound)?;
        let mut account = who.account;
        if *action == Action::Join {
            self.check_not_blocked(live.state.row(), &who.player).await?;
            // The line may be older than the account.
            let row = self.store.player(&who.player).await.map_err(internal)?;
            account = row.is_some_and(|row| row.name.is_some());
        }
        let request = Request {
            actor: Actor::Player(&who.player),
            id,
            action,
            lag,
            claim_at: live.claim_at(),
            account,
        };
        let now = self.clock.now();
        match live.state.decide(&request, now)? {
            Decision::Done(seq) => Ok(seq),
            Decision::Do(events) if events.is_empty() => Ok(live.state.seq()),
            Decision::Do(events) => {
                let action = id.map(|id| (who.player.clone(), id.to_owned()));
                let seq = self.commit(table, live, events, action).await?;
                self.note_alive(live, &who.player);
                Ok(seq)
            }
            Decision::TooLate(events) => {
                self.commit(table, live, events, None).await?;
                Err(Refusal::Over)
            }
        }
    }

    /// Neither of two players may have blocked the other.
    pub(super) async fn check_not_blocked(
        &self,
        row: &crate::store::GameRow,
        player: &str,
    ) -> Result<(), Refusal> {
        let creator = row.creator.as_str();
        if creator == player || row.door == Door::Closed {
            return Ok(());
        }
        for (of, to) in [(creator, player), (player, creator)] {
            if self.store.relation(of, to, Relation::Blocks).await.map_err(internal)? {
                return Err(Refusal::Forbidden("one of you does not want to play the other"));
            }
        }
        Ok(())
    }

    /// A game's time has come.
    pub(super) async fn on_time(&self, id: &str) {
        let table = self.table(id);
        let Ok(mut guard) = self.load(&table).await else { return };
        let Some(live) = guard.as_mut() else { return };
        match live.state.timed_out(self.clock.now()) {
            Some(events) => {
                if self.commit(&table, live, events, None).await.is_err() {
                    // The store failed: the time stays over, and is noted a little later.
                    self.timers.set(id, Some(self.clock.now() + 1_000));
                }
            }
            None => self.timers.set(id, live.state.wakes_at()),
        }
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
        for table in self.tables() {
            if let Some(live) = table.live.lock().await.as_ref() {
                live.thinking.iter().for_each(|thinking| thinking.stop());
            }
        }
        // The writer is one of the tasks, and waits for more until the hub is gone: what counts
        // is that nothing waits.
        let idle = async {
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

fn check_action_id(id: &str) -> Result<(), Refusal> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if (1..=40).contains(&id.len()) && id.bytes().all(plain) {
        return Ok(());
    }
    Err(Refusal::field("id", "expected 1 to 40 letters, digits, - and _"))
}

/// Whether the computer sits at one of the seats.
pub(super) fn has_computer(state: &GameState) -> bool {
    state.row().seats.iter().any(|seat| matches!(seat, SeatRow::Computer { .. }))
}
