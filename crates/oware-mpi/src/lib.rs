//! Exchanges between the parts of a solve by MPI, over Open MPI or MPICH.
//!
//! `run` makes the program a rank of its world: the thread that calls it, the main thread, is the
//! only one that calls MPI, and the work is done by others, which hand it what is to be exchanged
//! through channels. So the least that MPI offers to programs with threads is enough
//! (`MPI_THREAD_FUNNELED`), which every build of it has, and whichever thread of the solver comes
//! last to a barrier may exchange. And while the main thread waits it sees what no blocking call
//! would: a panic in any thread, or that the program was told to stop. A rank that fails either
//! says so to all others, who then end in order, or ends them all.
//!
//! All of it needs the feature `mpi`, and that needs an MPI library and libclang where it is built.
//! Without it the crate is empty, so that the workspace builds everywhere.

#[cfg(feature = "mpi")]
mod end;
#[cfg(feature = "mpi")]
mod launch;
#[cfg(feature = "mpi")]
mod server;
#[cfg(feature = "mpi")]
mod world;

#[cfg(feature = "mpi")]
pub use end::Mpi;
#[cfg(feature = "mpi")]
pub use world::{LONGEST_CHUNK, MpiError, Settings, run};
