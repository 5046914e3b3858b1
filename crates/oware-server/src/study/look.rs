//! Searches for visitors: few at a time, in a queue with an end, and only as long as somebody
//! listens.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use oware_app::analysis::{Analyst, Control, Effort as Limits, MoveValue, Options, Work};
use oware_rules::Game;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{Shelf, probe, values};
use crate::wire::{AnalysisEvent, Effort, Fault, MoveValueView, ReportEvent};

/// Searches that may wait for a place.
pub const MAX_WAITING: usize = 16;
/// MiB of the transposition table of a search.
const HASH_MIB: usize = 16;
/// How long a search goes on at least when others wait.
const SHARED: Duration = Duration::from_millis(1_500);

/// How long a report may hold its place: on a slow machine long games are looked at with less
/// effort a ply.
const LONGEST_REPORT: Duration = Duration::from_secs(60);

/// The places for searches.
#[derive(Clone)]
pub struct Looker {
    places: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
}

/// A place in the queue, which may have to be waited for.
pub struct Ticket {
    looker: Looker,
}

impl Looker {
    /// So many searches at the same time.
    #[must_use]
    pub fn new(places: usize) -> Looker {
        Looker { places: Arc::new(Semaphore::new(places.max(1))), waiting: Arc::default() }
    }

    /// A place in the queue; `None` when it is full.
    #[must_use]
    pub fn queue(&self) -> Option<Ticket> {
        let room = |waiting: usize| (waiting < MAX_WAITING).then_some(waiting + 1);
        let taken = self.waiting.fetch_update(Ordering::SeqCst, Ordering::SeqCst, room);
        taken.ok().map(|_| Ticket { looker: self.clone() })
    }

    fn others_wait(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }
}

impl Ticket {
    /// Waits until it is one's turn.
    async fn turn(self) -> Option<OwnedSemaphorePermit> {
        let places = Arc::clone(&self.looker.places);
        places.acquire_owned().await.ok()
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.looker.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Runs something for somebody who listens: when nobody does any longer it is stopped.
fn run<E: Send + 'static>(
    ticket: Ticket,
    work: impl FnOnce(&UnboundedSender<E>, &Arc<Control>) + Send + 'static,
) -> UnboundedReceiver<E> {
    let (tell, told) = unbounded_channel();
    tokio::spawn(async move {
        let control = Arc::new(Control::new());
        let place = tokio::select! {
            () = tell.closed() => return,
            place = ticket.turn() => place,
        };
        let (teller, stopper) = (tell.clone(), Arc::clone(&control));
        let done = tokio::task::spawn_blocking(move || {
            work(&teller, &control);
            drop(place);
        });
        tokio::pin!(done);
        tokio::select! {
            () = tell.closed() => {
                stopper.stop();
                // The place is free when the search has ended, which takes milliseconds.
                let _ = done.await;
            }
            result = &mut done => {
                if let Err(error) = result {
                    tracing::error!("a search ended early: {error}");
                }
            }
        }
    });
    told
}

fn failed(error: &dyn std::error::Error) -> Fault {
    tracing::error!("analysis: {error}");
    let message = "the analysis failed; nothing was changed".to_owned();
    Fault { code: "internal".into(), field: None, message }
}

fn analyst(shelf: &Shelf, game: &Game) -> Result<Analyst, Fault> {
    let options = Options { hash_mib: HASH_MIB, threads: 1, ..Options::default() };
    let mut analyst = Analyst::new(options).map_err(|error| failed(&error))?;
    analyst.set_tables(shelf.for_analysis(game.rules()));
    Ok(analyst)
}

fn views(moves: &[MoveValue]) -> Vec<MoveValueView> {
    moves.iter().map(values::move_value).collect()
}

/// Analyses the position of a game, a depth after the other.
pub fn analyse(
    ticket: Ticket,
    shelf: Arc<Shelf>,
    game: Game,
    lines: usize,
    time: Duration,
) -> UnboundedReceiver<AnalysisEvent> {
    let looker = ticket.looker.clone();
    run(ticket, move |tell, control| {
        // Whoever does not listen any longer does not miss what is not heard.
        let say = |event| drop(tell.send(event));
        match probe(&shelf, &game) {
            Ok(known) if known.values.even.is_some() => {
                say(AnalysisEvent::Tables(Box::new(known)));
            }
            Ok(_) => {}
            Err(error) => tracing::warn!("endgame tables: {error}"),
        }
        let mut analyst = match analyst(&shelf, &game) {
            Ok(analyst) => analyst,
            Err(fault) => return say(AnalysisEvent::Failed { fault }),
        };
        let begun = Instant::now();
        let limits = Limits { time: Some(time), ..Limits::default() };
        let mut on_depth = |moves: &[MoveValue], work: Work| {
            let depth = moves.iter().filter_map(|value| value.known.depth()).max().unwrap_or(0);
            let elapsed_ms = begun.elapsed().as_millis() as u64;
            say(AnalysisEvent::Depth { depth, moves: views(moves), nodes: work.nodes, elapsed_ms });
            if begun.elapsed() > SHARED && looker.others_wait() {
                control.stop();
            }
        };
        let found = analyst.position_by_depths(&game, &limits, lines, control, &mut on_depth);
        say(match found {
            Ok(found) => AnalysisEvent::Done {
                moves: views(&found.moves),
                nodes: found.work.nodes,
                elapsed_ms: begun.elapsed().as_millis() as u64,
            },
            Err(error) => AnalysisEvent::Failed { fault: failed(&error) },
        });
    })
}

/// Looks at every ply of a game.
pub fn report(
    ticket: Ticket,
    shelf: Arc<Shelf>,
    game: Game,
    effort: Effort,
) -> UnboundedReceiver<ReportEvent> {
    run(ticket, move |tell, control| {
        let say = |event| drop(tell.send(event));
        let mut analyst = match analyst(&shelf, &game) {
            Ok(analyst) => analyst,
            Err(fault) => return say(ReportEvent::Failed { fault }),
        };
        let nodes = match effort {
            Effort::Quick => 20_000,
            Effort::Normal => 100_000,
            Effort::Deep => 400_000,
        };
        let plies = u32::try_from(game.plies().len()).unwrap_or(u32::MAX).max(1);
        let time = Some(LONGEST_REPORT / plies);
        let limits = Limits { nodes: Some(nodes), time, ..Limits::default() };
        let mut on_ply = |done: usize, of: usize| {
            say(ReportEvent::Progress { done: done as u32, of: of as u32 });
        };
        let found = analyst.game(&game, &limits, 1, control, &mut on_ply);
        say(match found {
            Ok(found) => ReportEvent::Done(Box::new(values::game(&found))),
            Err(error) => ReportEvent::Failed { fault: failed(&error) },
        });
    })
}
