//! Plays the games of a match, several at once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use oware_rules::Side;

use super::adjudicate::Adjudicator;
use super::builtin::Workshop;
use super::game::{Effort, Played, Seat, Termination, play};
use super::opening::{Drawer, OpeningError};
use super::outcome::{Finished, Outcome};
use super::player::{Player, PlayerFault, Stop};
use super::schedule::{GameNumber, Plan, PlanError};
use super::spec::{EngineKind, EngineSpec};

/// How often it is looked whether somebody wants the match to end.
const GLANCE: Duration = Duration::from_millis(50);

/// Why a match could not go on.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The plan cannot be played.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// There are not enough openings.
    #[error("openings: {0}")]
    Opening(#[from] OpeningError),
    /// An engine cannot be made, or failed too often.
    #[error("{0}")]
    Engine(String),
    /// The tables that shall decide games cannot be used.
    #[error("adjudication: {0}")]
    Tables(String),
    /// A game could not be saved.
    #[error("cannot save a game: {0}")]
    Save(#[from] std::io::Error),
}

/// How a match is run. What is in here does not decide its games.
pub struct Runner<'a> {
    /// The match.
    pub plan: &'a Plan,
    /// Games at once, 1 or more.
    pub concurrency: usize,
    /// Set by whoever wants the match to end early; games that run then are not finished.
    pub stop: &'a AtomicBool,
}

/// Told of a game as it ends: its result, the game, its opening's plies, all games so far.
pub type Tell<'a> = dyn FnMut(&Finished, &Played, usize, &Outcome) -> std::io::Result<()> + 'a;

type Report = Result<Ended, MatchError>;

/// A game that ended, and the plies of its opening.
struct Ended {
    number: GameNumber,
    played: Played,
    opening_plies: usize,
}

impl Runner<'_> {
    /// Plays all games that are not among those known, and tells each as it ends. Gives all
    /// games, also when the match was told to end early.
    ///
    /// # Errors
    /// [`MatchError`]; games told before that stay valid.
    pub fn run(&self, mut known: Outcome, tell: &mut Tell<'_>) -> Result<Outcome, MatchError> {
        self.plan.check()?;
        known.effort.resize(self.plan.engines.len(), Effort::default());
        known.test(self.plan);
        if known.is_complete(self.plan) {
            return Ok(known);
        }
        let stop = Stop::new();
        let workshop = Workshop::new(self.plan.rules);
        self.try_programs(&workshop, &stop)?;
        let tables = self.plan.rulings.tables.as_deref();
        let tables = tables.map(|dir| workshop.knowledge(dir)).transpose();
        let tables = tables.map_err(MatchError::Tables)?;
        let shared = Shared {
            plan: self.plan,
            workshop,
            drawer: Drawer::new(self.plan.openings.clone(), self.plan.rules),
            adjudicator: Adjudicator { rulings: self.plan.rulings.clone(), tables },
            stop,
            next: AtomicUsize::new(0),
            todo: (0..self.plan.games()).filter(|n| !known.games.contains_key(n)).collect(),
        };
        // A thread waits until its game is saved, so that a kill loses no more than is played.
        let (sender, reports) = mpsc::sync_channel(0);
        std::thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1).min(shared.todo.len()) {
                let sender = sender.clone();
                let shared = &shared;
                scope.spawn(move || shared.work(&sender));
            }
            drop(sender);
            let outcome = self.collect(known, &shared.stop, &reports, tell);
            // Whoever still waits to tell of a game may go.
            drop(reports);
            shared.stop.stop();
            outcome
        })
    }

    /// Starts each program once, so that one that does not run at all loses no games.
    fn try_programs(&self, workshop: &Workshop, stop: &Stop) -> Result<(), MatchError> {
        for spec in &self.plan.engines {
            if matches!(spec.kind, EngineKind::Process(_)) {
                let mut player = workshop.player(spec).map_err(MatchError::Engine)?;
                let begun = player.new_game(0, stop);
                begun.map_err(|fault| MatchError::Engine(told(spec, &fault)))?;
            }
        }
        Ok(())
    }

    fn collect(
        &self,
        mut outcome: Outcome,
        stop: &Stop,
        reports: &mpsc::Receiver<Report>,
        tell: &mut Tell<'_>,
    ) -> Result<Outcome, MatchError> {
        let count = self.plan.engines.len();
        let mut faults = vec![0; count];
        loop {
            if self.stop.load(Ordering::Relaxed) || outcome.course.verdict.is_some() {
                stop.stop();
            }
            let report = match reports.recv_timeout(GLANCE) {
                Ok(report) => report,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(outcome),
            };
            let Ended { number, played, opening_plies } = report?;
            let Some(finished) = Finished::of(number, &played) else { continue };
            // Who stops a match may well have stopped the engines with it: no fault of theirs.
            if self.stop.load(Ordering::Relaxed) && broken(&played.termination).is_some() {
                continue;
            }
            let seats = self.plan.seats_of(number);
            for side in Side::BOTH {
                outcome.effort[seats[side.index()]].join(&played.effort[side.index()]);
            }
            outcome.add(self.plan, finished);
            tell(&finished, &played, opening_plies, &outcome)?;
            if let Some(side) = broken(&played.termination) {
                let engine = seats[side.index()];
                faults[engine] += 1;
                self.count_fault(engine, faults[engine], number, &played.termination)?;
            }
        }
    }

    /// Gives the match up when an engine failed more often than it may.
    fn count_fault(
        &self,
        engine: usize,
        faults: u32,
        number: GameNumber,
        how: &Termination,
    ) -> Result<(), MatchError> {
        let spec = &self.plan.engines[engine];
        let most = match &spec.kind {
            EngineKind::Process(process) => process.restarts,
            _ => 0,
        };
        if faults <= most {
            return Ok(());
        }
        let name = &spec.name;
        Err(MatchError::Engine(format!(
            "engine {name}: failed in {faults} games, the last in game {number}: {how}"
        )))
    }
}

/// The side whose engine broke down.
fn broken(termination: &Termination) -> Option<Side> {
    match termination {
        Termination::Time(_) => None,
        other => other.fault(),
    }
}

fn told(spec: &EngineSpec, fault: &PlayerFault) -> String {
    let why = match fault {
        PlayerFault::Stopped => "stopped",
        PlayerFault::Illegal(text) => text,
        PlayerFault::Late | PlayerFault::Silent => "it does not answer",
        PlayerFault::Died(why) => why,
    };
    format!("engine {}: {why}", spec.name)
}

/// What the threads share.
struct Shared<'a> {
    plan: &'a Plan,
    workshop: Workshop,
    drawer: Drawer,
    adjudicator: Adjudicator,
    stop: Stop,
    next: AtomicUsize,
    todo: Vec<usize>,
}

impl Shared<'_> {
    /// Plays games until there are no more. A failure ends the match.
    fn work(&self, reports: &mpsc::SyncSender<Report>) {
        let mut players: Vec<Option<Box<dyn Player>>> =
            self.plan.engines.iter().map(|_| None).collect();
        while !self.stop.is_stopped() {
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&index) = self.todo.get(next) else { break };
            let number = GameNumber::at(index);
            let report = match self.play(number, &mut players) {
                Ok(Some(ended)) => Ok(ended),
                Ok(None) => break,
                Err(error) => Err(error),
            };
            let failed = report.is_err();
            if reports.send(report).is_err() || failed {
                break;
            }
        }
    }

    fn play(
        &self,
        number: GameNumber,
        players: &mut [Option<Box<dyn Player>>],
    ) -> Result<Option<Ended>, MatchError> {
        let opening = self.drawer.get(self.plan.opening_of(number.pair))?;
        let opening_plies = opening.plies().len();
        let seats = self.plan.seats_of(number);
        let mut sit = |engine: usize| match players[engine].take() {
            Some(player) => Ok(player),
            None => self.workshop.player(&self.plan.engines[engine]).map_err(MatchError::Engine),
        };
        let mut sitting = [sit(seats[0])?, sit(seats[1])?];
        let [south, north] = &mut sitting;
        let seat = |player, engine: usize| {
            let spec = &self.plan.engines[engine];
            Seat { player, budget: &spec.budget, margin: spec.margin }
        };
        let mut both = [seat(south.as_mut(), seats[0]), seat(north.as_mut(), seats[1])];
        let played = play(opening, number.pair, &mut both, &self.adjudicator, &self.stop);
        for (player, engine) in sitting.into_iter().zip(seats) {
            players[engine] = Some(player);
        }
        Ok(played.map(|played| Ended { number, played, opening_plies }))
    }
}
