//! What is said while a match is played, on standard error.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use oware_app::matches::{Finished, Outcome, Plan, Played};

use super::table::{estimate_text, test_text};

/// How often the state is told where standard error is no terminal.
const SELDOM: Duration = Duration::from_secs(30);
/// How often it is told on a terminal.
const OFTEN: Duration = Duration::from_millis(200);

/// Tells how a match goes on.
pub(super) struct Live<'a> {
    plan: &'a Plan,
    quiet: bool,
    terminal: bool,
    begun: Instant,
    told: Instant,
    /// Games finished by this run.
    games: usize,
}

impl<'a> Live<'a> {
    pub(super) fn new(plan: &'a Plan, quiet: bool) -> Live<'a> {
        let now = Instant::now();
        let terminal = std::io::stderr().is_terminal();
        Live { plan, quiet, terminal, begun: now, told: now, games: 0 }
    }

    /// Wipes the line of the state.
    pub(super) fn clear(&self) {
        if self.terminal && !self.quiet {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }

    /// Says how much is there already.
    pub(super) fn begin(&self, games: usize) {
        if games > 0 && !self.quiet {
            let all = self.plan.games();
            let _ = writeln!(std::io::stderr(), "{games} of {all} games are there already");
        }
    }

    pub(super) fn tell(&mut self, finished: &Finished, played: &Played, outcome: &Outcome) {
        self.games += 1;
        if self.quiet {
            return;
        }
        if let Some(side) = finished.fault {
            let engine = self.plan.seats_of(finished.number)[side.index()];
            let name = &self.plan.engines[engine].name;
            self.clear();
            // Progress that nobody can read is no reason to give up the match.
            let _ = writeln!(
                std::io::stderr(),
                "game {}, after {} plies, {name} lost: {}",
                finished.number,
                finished.plies,
                played.termination
            );
        }
        let now = Instant::now();
        let pause = if self.terminal { OFTEN } else { SELDOM };
        if now - self.told < pause {
            return;
        }
        self.told = now;
        let (done, all) = (outcome.finished(self.plan), self.plan.games());
        let pace = (now - self.begun).as_secs_f64() / self.games as f64;
        let left = (pace * all.saturating_sub(done) as f64).round();
        let mut line = format!("{done} of {all} games");
        if self.plan.engines.len() == 2 {
            let tally = outcome.tally(self.plan, 0, 1, all);
            line += &format!(", {}", estimate_text(&tally));
        }
        match &self.plan.sprt {
            Some(sprt) => line += &format!(", {}", test_text(sprt, outcome)),
            None => line += &format!(", about {left} s left"),
        }
        let _ = match self.terminal {
            true => write!(std::io::stderr(), "\r\x1b[K{line}"),
            false => writeln!(std::io::stderr(), "{line}"),
        };
    }
}
