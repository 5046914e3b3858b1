//! Matches between engines: paired openings with sides swapped, limits and clocks, ends that the
//! runner decides, and what the results say about strength.
//!
//! A *pair* is two games of the same two engines from one opening, each having South once. Games
//! are numbered: pair 0 first, then pair 1. Which opening and which engines a pair has depends on
//! its number alone, and nothing of one game is left for the next; so with engines that are
//! limited by positions or plies the results do not depend on how many games run at once.

mod adjudicate;
mod budget;
mod builtin;
mod game;
mod opening;
mod outcome;
mod player;
mod process;
mod rating;
mod record;
mod run;
mod schedule;
mod spec;
mod sprt;
mod stats;
mod store;
mod text;

pub use adjudicate::{Decision, Rulings};
pub use budget::Budget;
pub use builtin::Workshop;
pub use game::{Effort, Played, Termination};
pub use opening::{OpeningError, Openings, Random};
pub use outcome::{Finished, Outcome, Tally};
pub use player::{Answer, Ask, Player, PlayerFault, Stop};
pub use rating::{Standing, standings};
pub use record::write as write_record;
pub use run::{MatchError, Runner, Tell};
pub use schedule::{Format, GameNumber, Plan, PlanError};
pub use spec::{Builtin, EngineKind, EngineSpec, Process, SpecError};
pub use sprt::{Course, Sprt, Verdict};
pub use stats::{Estimate, Pentanomial, elo_of_score, score_of_elo};
pub use store::{Store, StoreError};
