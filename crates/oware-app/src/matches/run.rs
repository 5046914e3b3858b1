//! Plays the games of a match, several at once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use oware_rules::Side;

use super::adjudicate::Adjudicator;
use super::builtin::Workshop;
use super::game::{Effort, Played, Seat, Termination, play};
use super::opening::{Drawer, OpeningError};
use super::player::{Player, PlayerFault, Stop};
use super::schedule::{GameNumber, Plan, PlanError, side_of};
use super::spec::{EngineKind, EngineSpec};
use super::sprt::Course;
use super::stats::Pentanomial;

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

/// The result of a game, short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Which game.
    pub number: GameNumber,
    /// Half points of South: 0, 1 or 2.
    pub south_half_points: u8,
    /// South's store less North's at the end, in half seeds.
    pub south_ahead: i16,
    /// Plies, the opening counted.
    pub plies: usize,
    /// The side whose fault the end was, other than losing.
    pub fault: Option<Side>,
    /// Whether the runner decided the game.
    pub adjudicated: bool,
}

impl Finished {
    /// Of a game that is over; `None` if it is not.
    #[must_use]
    pub fn of(number: GameNumber, played: &Played) -> Option<Finished> {
        let ending = played.game.ending()?;
        let south_half_points = match ending.winner {
            Some(Side::South) => 2,
            None => 1,
            Some(Side::North) => 0,
        };
        Some(Finished {
            number,
            south_half_points,
            south_ahead: ending.score.south.halves() as i16 - ending.score.north.halves() as i16,
            plies: played.game.plies().len(),
            fault: played.termination.fault(),
            adjudicated: matches!(played.termination, Termination::Decided(_)),
        })
    }
}

/// Wins, draws and losses of an engine, against another or all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs of which both games are finished.
    pub pairs: Pentanomial,
    /// Store differences at the end, summed over all games, in half seeds.
    pub ahead: i64,
    /// Games lost by a fault or on time, own ones first.
    pub faults: [u64; 2],
    /// Games that the runner decided.
    pub adjudicated: u64,
}

impl Tally {
    /// Games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Seeds ahead at the end of a game, on average; 0 without a game.
    #[must_use]
    pub fn seeds_ahead(&self) -> f64 {
        if self.games() == 0 { 0.0 } else { self.ahead as f64 / 2.0 / self.games() as f64 }
    }

    fn add_game(&mut self, half_points: u8, ahead: i16) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
        self.ahead += i64::from(ahead);
    }
}

/// All that is known of a match at some moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Finished games by their place in the order.
    pub games: BTreeMap<usize, Finished>,
    /// What each engine did in the games of this run.
    pub effort: Vec<Effort>,
    /// How the test stands, if there is one.
    pub course: Course,
}

impl Outcome {
    /// How many games of the plan are finished.
    #[must_use]
    pub fn finished(&self, plan: &Plan) -> usize {
        self.games.range(..plan.games()).count()
    }

    /// Whether nothing is left to be played.
    #[must_use]
    pub fn is_complete(&self, plan: &Plan) -> bool {
        self.course.verdict.is_some() || self.finished(plan) == plan.games()
    }

    /// The place in the order of games before which games count: all, unless a test ended the
    /// match.
    #[must_use]
    pub fn end(&self, plan: &Plan) -> usize {
        match self.course.verdict {
            Some(_) => self.course.pairs.pairs() as usize * 2,
            None => plan.games(),
        }
    }

    /// Takes in a game.
    fn add(&mut self, plan: &Plan, finished: Finished) {
        self.games.insert(finished.number.index(), finished);
        self.test(plan);
    }

    fn test(&mut self, plan: &Plan) {
        if let Some(sprt) = &plan.sprt {
            let mut course = self.course;
            course.advance(sprt, plan, self);
            self.course = course;
        }
    }

    /// What two engines did against each other, seen by the first; only games before the place
    /// `end` count.
    #[must_use]
    pub fn tally(&self, plan: &Plan, engine: usize, other: usize, end: usize) -> Tally {
        let mut tally = Tally::default();
        let mut first_game = None;
        for (_, finished) in self.games.range(..end) {
            let seats = plan.seats_of(finished.number);
            let (Some(side), Some(_)) = (side_of(seats, engine), side_of(seats, other)) else {
                continue;
            };
            let (points, ahead) = match side {
                Side::South => (finished.south_half_points, finished.south_ahead),
                Side::North => (2 - finished.south_half_points, -finished.south_ahead),
            };
            tally.add_game(points, ahead);
            tally.adjudicated += u64::from(finished.adjudicated);
            if let Some(fault) = finished.fault {
                tally.faults[usize::from(fault != side)] += 1;
            }
            match (finished.number.swapped, first_game) {
                (true, Some((pair, before))) if pair == finished.number.pair => {
                    tally.pairs.0[usize::from(points + before)] += 1;
                }
                (swapped, _) => first_game = (!swapped).then_some((finished.number.pair, points)),
            }
        }
        tally
    }
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
