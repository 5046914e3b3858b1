//! How much the site carries: many games at once at a steady pace, and many lines on which
//! nothing happens.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use futures_util::{SinkExt, StreamExt};
use oware_server::wire::{Action, ClientFrame, GameView, Happening, ServerFrame, Side, Status};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_tungstenite::tungstenite::Message;

use crate::http::Visitor;
use crate::line::{Socket, open};
use crate::player::sit_down;
use crate::random::Random;

/// Visitors that share an address: a bound of the site holds for each network.
const PER_ADDRESS: u32 = 50;
/// Games that are begun at the same time.
const AT_ONCE: usize = 32;
/// After this an acknowledgement is held for lost.
const LOST: Duration = Duration::from_secs(20);

/// Latencies, and what is said of them.
#[derive(Clone, Debug, Default)]
pub struct Times {
    all: Vec<Duration>,
}

impl Times {
    /// Another one.
    pub fn push(&mut self, time: Duration) {
        self.all.push(time);
    }

    /// All of both.
    pub fn merge(&mut self, other: Times) {
        self.all.extend(other.all);
    }

    /// How many.
    #[must_use]
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// The time below which so many of a thousand lie, in milliseconds; 0 if there is none.
    #[must_use]
    pub fn at(&self, of_thousand: usize) -> f64 {
        let mut sorted = self.all.clone();
        sorted.sort_unstable();
        let index = (sorted.len() * of_thousand / 1_000).min(sorted.len().saturating_sub(1));
        sorted.get(index).map_or(0.0, |time| time.as_secs_f64() * 1_000.0)
    }
}

/// What a load did.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// From sending a move to its acknowledgement.
    pub acks: Times,
    /// From sending a move until the other player has it.
    pub arrivals: Times,
    /// Moves that were refused.
    pub refused: u64,
    /// Acknowledgements that did not come, and lines that broke.
    pub lost: u64,
    /// Games that ended and were begun again.
    pub games: u64,
    /// What some refusals said.
    pub examples: Vec<String>,
}

/// What shall be tried.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Games at once.
    pub games: u32,
    /// For how long, after all have begun.
    pub time: Duration,
    /// From move to move in each game.
    pub every: Duration,
    /// What moves are drawn from.
    pub seed: u64,
}

#[derive(Default)]
struct Shared {
    measuring: AtomicBool,
    stop: AtomicBool,
    games: AtomicU64,
}

/// Plays many games at once, and measures.
///
/// # Errors
/// When games cannot be begun.
pub async fn play(to: SocketAddr, load: Load) -> Result<Outcome> {
    let shared = Arc::new(Shared::default());
    let gate = Arc::new(Semaphore::new(AT_ONCE));
    let mut random = Random::new(load.seed);
    let mut running = JoinSet::new();
    let (tell, mut told) = mpsc::channel(AT_ONCE);
    for number in 0..load.games {
        let (gate, shared, tell) = (Arc::clone(&gate), Arc::clone(&shared), tell.clone());
        let mut random = random.branch();
        running.spawn(async move {
            let place = gate.acquire().await?;
            let first = 2 * number / PER_ADDRESS;
            let table = Table::open([first, first].map(|from| Visitor::from_number(to, from)));
            let table = table.await?;
            drop(place);
            tell.send(()).await?;
            // Spread over one interval, as people would be. Each plays from its beginning on: a
            // line that nobody reads is given up by the server.
            let at = Instant::now() + load.every.mul_f64(random.unit());
            let run = Run { table, random, shared, outcome: Outcome::default() };
            Ok::<_, anyhow::Error>(run.play(at, load.every).await)
        });
    }
    drop(tell);
    for begun in 0..load.games {
        let one = told.recv().await;
        one.with_context(|| format!("only {begun} of {} games could be begun", load.games))?;
    }
    sleep(load.every.max(Duration::from_secs(2))).await;
    shared.measuring.store(true, Ordering::Relaxed);
    sleep(load.time).await;
    shared.stop.store(true, Ordering::Relaxed);
    let mut outcome = Outcome::default();
    while let Some(one) = running.join_next().await {
        let one = one??;
        outcome.acks.merge(one.acks);
        outcome.arrivals.merge(one.arrivals);
        outcome.refused += one.refused;
        outcome.lost += one.lost;
        outcome.examples.extend(one.examples);
    }
    outcome.examples.truncate(3);
    outcome.games = shared.games.load(Ordering::Relaxed);
    Ok(outcome)
}

/// Two people and their game.
struct Table {
    visitors: [Visitor; 2],
    sockets: [Socket; 2],
    view: GameView,
}

async fn tell(socket: &mut Socket, frame: &ClientFrame) -> Result<()> {
    Ok(socket.send(Message::text(serde_json::to_string(frame)?)).await?)
}

async fn hear(socket: &mut Socket) -> Result<ServerFrame> {
    loop {
        let message = timeout(LOST, socket.next()).await.context("silence")?;
        let message = message.context("the line has ended")??;
        if let Message::Text(text) = message {
            return Ok(serde_json::from_str(&text)?);
        }
    }
}

impl Table {
    async fn open(mut visitors: [Visitor; 2]) -> Result<Table> {
        let [south, north] = &mut visitors;
        let [view, _] = sit_down(south, north, None).await?;
        let sockets = [open(&visitors[0]).await?, open(&visitors[1]).await?];
        let mut table = Table { visitors, sockets, view };
        table.watch().await?;
        Ok(table)
    }

    async fn watch(&mut self) -> Result<()> {
        for socket in &mut self.sockets {
            let frame = ClientFrame::Watch { game: self.view.id.clone(), seq: None };
            tell(socket, &frame).await?;
            while !matches!(hear(socket).await?, ServerFrame::Snapshot { .. }) {}
        }
        Ok(())
    }

    async fn again(&mut self) -> Result<()> {
        for socket in &mut self.sockets {
            tell(socket, &ClientFrame::Unwatch { game: self.view.id.clone() }).await?;
        }
        let [south, north] = &mut self.visitors;
        [self.view, _] = sit_down(south, north, None).await?;
        self.watch().await
    }
}

struct Run {
    table: Table,
    random: Random,
    shared: Arc<Shared>,
    outcome: Outcome,
}

impl Run {
    async fn play(mut self, mut at: Instant, every: Duration) -> Outcome {
        loop {
            sleep_until(at).await;
            if self.shared.stop.load(Ordering::Relaxed) {
                return self.outcome;
            }
            at += every;
            if let Err(error) = self.turn().await {
                self.outcome.lost += 1;
                self.outcome.examples.push(format!("{error:#}"));
                let visitors = self.table.visitors.clone();
                match Table::open(visitors).await {
                    Ok(table) => self.table = table,
                    Err(_) => sleep(every).await,
                }
            }
        }
    }

    async fn turn(&mut self) -> Result<()> {
        if self.table.view.status == Status::Over {
            self.shared.games.fetch_add(1, Ordering::Relaxed);
            self.table.again().await?;
            return Ok(());
        }
        let state = &self.table.view.state;
        let house = self.random.one_of(&state.legal).map(|trace| trace.house.clone());
        let house = house.context("no move in a game that goes on")?;
        let ply = u32::try_from(self.table.view.plies.len())? + 1;
        let [south, north] = &mut self.table.sockets;
        let (mover, other) = match state.to_move {
            Side::South => (south, north),
            Side::North => (north, south),
        };
        let id = format!("{ply}-{:x}", self.random.bits());
        let action = Action::Move { ply, house, lag_ms: None };
        let game = self.table.view.id.clone();
        let from = Instant::now();
        tell(mover, &ClientFrame::Act { id: id.clone(), game, action }).await?;
        let (acked, arrived) = tokio::join!(ack(mover, &id), arrival(other, ply));
        let measuring = self.shared.measuring.load(Ordering::Relaxed);
        if let Some(refused) = acked.1? {
            self.outcome.refused += 1;
            self.outcome.examples.push(refused);
            return Ok(());
        }
        let view = arrived.1?;
        if measuring {
            self.outcome.acks.push(acked.0 - from);
            self.outcome.arrivals.push(arrived.0 - from);
        }
        self.table.view.plies.push(view.0);
        self.table.view.state = view.1;
        if self.table.view.state.ending.is_some() {
            self.table.view.status = Status::Over;
        }
        Ok(())
    }
}

/// Waits for the answer to a move: why it was refused, if it was.
async fn ack(socket: &mut Socket, id: &str) -> (Instant, Result<Option<String>>) {
    loop {
        match hear(socket).await {
            Ok(ServerFrame::Ack { id: acked, .. }) if acked == id => {
                return (Instant::now(), Ok(None));
            }
            Ok(ServerFrame::Refused { id: Some(refused), fault, .. }) if refused == id => {
                return (Instant::now(), Ok(Some(format!("{}: {}", fault.code, fault.message))));
            }
            Ok(_) => {}
            Err(error) => return (Instant::now(), Err(error)),
        }
    }
}

type Arrived = (oware_server::wire::PlyView, oware_server::wire::PositionView);

/// Waits until a ply has reached the other player.
async fn arrival(socket: &mut Socket, ply: u32) -> (Instant, Result<Arrived>) {
    loop {
        match hear(socket).await {
            Ok(ServerFrame::Event { event, .. }) => {
                if let Happening::Moved { ply: played, state, .. } = event.what
                    && played.ply == ply
                {
                    return (Instant::now(), Ok((*played, *state)));
                }
            }
            Ok(_) => {}
            Err(error) => return (Instant::now(), Err(error)),
        }
    }
}

/// Opens many lines on which nothing happens, holds them, and counts those that still answer.
///
/// # Errors
/// When they cannot be opened.
pub async fn idle(to: SocketAddr, sockets: u32, time: Duration) -> Result<(u32, Times)> {
    let gate = Arc::new(Semaphore::new(AT_ONCE));
    let (end, ends) = watch::channel(false);
    let (tell, mut told) = mpsc::channel(AT_ONCE);
    let mut held = JoinSet::new();
    for number in 0..sockets {
        let (gate, tell, ends) = (Arc::clone(&gate), tell.clone(), ends.clone());
        held.spawn(async move {
            let place = gate.acquire().await.ok()?;
            let line = open(&Visitor::from_number(to, number / PER_ADDRESS)).await;
            drop(place);
            let line = match line {
                Ok(line) => line,
                Err(error) => {
                    let _ = tell.send(Err(error)).await;
                    return None;
                }
            };
            tell.send(Ok(())).await.ok()?;
            hold(line, ends).await
        });
    }
    drop(tell);
    for _ in 0..sockets {
        told.recv().await.context("a line was given up")??;
    }
    sleep(time).await;
    end.send(true)?;
    let mut times = Times::default();
    held.join_all().await.into_iter().flatten().for_each(|time| times.push(time));
    let alive = u32::try_from(times.count())?;
    ensure!(alive > 0, "no line answers any more");
    Ok((alive, times))
}

/// Reads, which answers the server's pings, until the end; then asks whether the server is there.
async fn hold(mut line: Socket, mut ends: watch::Receiver<bool>) -> Option<Duration> {
    loop {
        tokio::select! {
            message = line.next() => { message?.ok()?; }
            ended = ends.wait_for(|ended| *ended) => {
                ended.ok()?;
                break;
            }
        }
    }
    let from = Instant::now();
    tell(&mut line, &ClientFrame::Ping { n: 7 }).await.ok()?;
    loop {
        if let ServerFrame::Pong { .. } = hear(&mut line).await.ok()? {
            return Some(from.elapsed());
        }
    }
}
