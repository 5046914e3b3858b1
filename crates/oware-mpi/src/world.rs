//! Being a rank: from the start of MPI to its end.

use std::panic;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use mpi::Threading;
use mpi::traits::Communicator;
use oware_retro::{Ending, Traffic};

use crate::end::Mpi;
use crate::launch;
use crate::server::Server;

/// The most bytes that one message can be made to have: what a C `int` counts.
pub const LONGEST_CHUNK: usize = i32::MAX as usize;

/// How often the main thread looks for panics while there is nothing to exchange.
const LOOK: Duration = Duration::from_millis(50);

/// Whether any thread has panicked.
static PANICKED: AtomicBool = AtomicBool::new(false);

/// How a rank takes part.
pub struct Settings<'a> {
    /// The most bytes of one message, 1 to [`LONGEST_CHUNK`], the same for all ranks. Larger
    /// buffers travel in several.
    pub chunk: usize,
    /// How long a rank that is stopped or has failed waits for the others, so that all end in
    /// order, before it ends them all.
    pub grace: Duration,
    /// When set, the work is expected to end soon.
    pub stop: &'a AtomicBool,
    /// Told why all ranks are ended, if they are.
    pub tell: &'a dyn Fn(&str),
}

impl<'a> Settings<'a> {
    /// Messages of 64 MiB, and ten seconds of grace.
    #[must_use]
    pub fn new(stop: &'a AtomicBool, tell: &'a dyn Fn(&str)) -> Settings<'a> {
        Settings { chunk: 64 << 20, grace: Duration::from_secs(10), stop, tell }
    }
}

/// Why this program is no rank.
#[derive(Debug, thiserror::Error)]
pub enum MpiError {
    /// MPI can be started once in the life of a process.
    #[error("MPI was started before in this process")]
    Twice,
    /// The library does not let programs have threads.
    #[error("this MPI gives programs with threads no more than {level}, and FUNNELED is needed")]
    Threads {
        /// What it gives.
        level: String,
    },
    /// Each process would build for itself.
    #[error(
        "{started} processes were started by {who}, and each sees itself alone; \
         this program was built for {built}"
    )]
    Launcher {
        /// How many processes there are.
        started: usize,
        /// By whom.
        who: &'static str,
        /// The library that the program was built with.
        built: String,
    },
    /// No message is so long.
    #[error("messages of {chunk} bytes, expected 1 to {LONGEST_CHUNK}")]
    Chunk {
        /// What was asked for.
        chunk: usize,
    },
}

/// Makes this process a rank, does the work on another thread, and leaves as the work says.
///
/// To be called on the main thread. If any thread panics meanwhile, all ranks are ended; the same
/// when the others do not notice within the time of grace that this one is stopped or has failed.
///
/// # Errors
/// When this process cannot be a rank. The work was not begun.
pub fn run<T: Send>(
    settings: &Settings<'_>,
    work: impl FnOnce(&mut Mpi) -> (T, Ending) + Send,
) -> Result<T, MpiError> {
    if !(1..=LONGEST_CHUNK).contains(&settings.chunk) {
        return Err(MpiError::Chunk { chunk: settings.chunk });
    }
    let started = mpi::initialize_with_threading(Threading::Funneled);
    let (universe, level) = started.ok_or(MpiError::Twice)?;
    if level < Threading::Funneled {
        return Err(MpiError::Threads { level: format!("{level:?}").to_uppercase() });
    }
    let world = universe.world();
    let (part, parts) = (world.rank() as usize, world.size() as usize);
    launch::check(parts)?;
    notice_panics();
    let mut server = Server::new(world, settings);
    let (to, requests) = channel();
    let (replies, from) = channel();
    let mut end = Mpi { part, parts, to, from, traffic: Traffic::default() };
    let (result, ending) = thread::scope(|scope| {
        // The end goes with the thread, so that the main thread sees when the work is over.
        let worker = thread::Builder::new().name("oware-work".to_owned());
        let worker = worker.spawn_scoped(scope, move || work(&mut end));
        let worker = match worker {
            Ok(worker) => worker,
            Err(error) => server.abort(1, &format!("no thread for the work: {error}")),
        };
        loop {
            match requests.recv_timeout(LOOK) {
                // Nobody waits for the answer of a worker that is gone.
                Ok(to) => drop(replies.send(server.exchange(to))),
                Err(RecvTimeoutError::Timeout) => server.look(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        match worker.join() {
            Ok(result) => result,
            Err(_) => server.abort(101, "a thread has panicked"),
        }
    });
    server.leave(ending);
    drop(server);
    drop(universe);
    Ok(result)
}

/// Whether a thread has panicked.
pub(crate) fn has_panicked() -> bool {
    PANICKED.load(Relaxed)
}

/// Remembers panics of all threads, after they were told: those that wait for the thread at a
/// barrier would wait for ever.
fn notice_panics() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        before(info);
        PANICKED.store(true, Relaxed);
    }));
}
