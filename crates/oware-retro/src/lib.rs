//! Retrograde analysis: solves every board of a layer from the layers below it.
//!
//! The value of a board is what the mover can force: a capture pays what it takes and leads to a
//! lower layer, a move without capture stays in the layer. From the highest value down, boards
//! whose value is known tell the boards before them, until nothing changes; what nobody can force
//! is endless play. Each board is decided once, in the round that is its distance.
//!
//! - [`halves`]: a move seen as two functions, one of each row;
//! - [`tables`]: these functions for all rows, as masks over 64 boards at a time;
//! - [`solve`]: one layer;
//! - [`exchange`]: how several parts of the work tell each other what they found;
//! - [`storage`]: where lower layers are read from;
//! - [`build`](mod@build): a directory of tables, layer by layer;
//! - [`partition`](mod@partition): which part owns which rows;
//! - [`plan`](mod@plan): what a build will take, before it starts;
//! - [`simulate`]: a build by many parts, computed and not made;
//! - [`recode`](mod@recode): tables made into archives, and back;
//! - [`verify`](mod@verify): every board again, by the rules;
//! - [`archive`]: what archives are coded with.

pub mod archive;
mod bits;
mod buckets;
pub mod build;
mod captures;
mod checkpoint;
pub mod decided;
pub mod exchange;
mod expand;
mod first;
mod frontier;
pub mod halves;
mod log;
mod own;
pub mod partition;
pub mod plan;
mod post;
pub mod recode;
mod rounds;
mod scan;
mod shared;
pub mod simulate;
pub mod solve;
mod space;
mod spill;
mod state;
pub mod storage;
pub mod tables;
pub mod verify;

pub use build::{BuildError, BuildEvent, BuildJob, build, build_in_parts};
pub use checkpoint::Scratch;
pub use decided::Decided;
pub use exchange::{Alone, Ending, Exchange, Spool, Traffic};
pub use log::Stretch;
pub use plan::{Plan, PlanJob, plan};
pub use recode::{RecodeJob, recode};
pub use rounds::Progress;
pub use simulate::{SimulateError, SimulateJob};
pub use solve::{LayerJob, SolveError, Solved, Target, decide_layer, solve_layer};
pub use storage::{InMemory, LowerLayers, OnDisk};
pub use tables::MoveTables;
pub use verify::{LayerVerified, VerifyError, VerifyJob, verify};
