//! One game as a pure machine: what happened in it ([`Event`]), where it stands because of that
//! ([`GameState`]), and what an action leads to ([`GameState::decide`]). No input or output, no
//! waiting, and the time is handed in, so that every case can be tested by a list of values.
//!
//! A state is the fold of its events: whoever has the row and the events has the game. Deciding
//! never changes a state; only [`GameState::apply`] does, and the events of a refused or failed
//! write are simply not applied.

mod act;
mod clocks;
mod event;
mod fault;
mod offers;
mod record;
mod series;
mod spec;
mod state;
mod tell;
mod time;

pub use act::{Actor, Decision, Request};
pub use clocks::Clocks;
pub use event::{End, Event, Stamped};
pub use fault::{Damaged, Refusal};
pub use record::record;
pub use series::{Score, next_in_match, rematch};
pub use spec::{Spec, pace};
pub use state::{GameState, Moment};
pub use tell::{Face, Faces, summary};

#[cfg(test)]
mod tests;
