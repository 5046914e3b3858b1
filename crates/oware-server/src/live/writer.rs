//! The way into the store: all writes to games go through one task, which takes together what
//! waits. So the cost of a durable commit is shared by everybody who moves at the moment.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;

use crate::game::Refusal;
use crate::store::{Store, Write, WriteRefused, Written};

/// Jobs that may wait. When the store is slower than that for long, players are told so.
const WAITING: usize = 2_048;
/// Jobs of one commit.
const TOGETHER: usize = 256;

/// What came of the writes of a job, in order.
type Results = Vec<Result<Written, WriteRefused>>;

struct Job {
    writes: Vec<Write>,
    done: oneshot::Sender<Result<Results, Refusal>>,
}

/// The way into the store. Clones share one queue.
#[derive(Clone, Debug)]
pub struct Writer {
    queue: mpsc::Sender<Job>,
}

impl Writer {
    /// Starts the task. It ends, with nothing left waiting, when all clones are gone.
    #[must_use]
    pub fn start(store: Arc<dyn Store>, tasks: &TaskTracker) -> Writer {
        let (queue, jobs) = mpsc::channel(WAITING);
        tasks.spawn(work(store, jobs));
        Writer { queue }
    }

    /// Writes, together with whatever else waits. The writes of one job are in one commit.
    ///
    /// # Errors
    /// [`Refusal::Busy`] when too much waits, [`Refusal::Internal`] when the store failed;
    /// nothing was written then.
    pub async fn write(&self, writes: Vec<Write>) -> Result<Results, Refusal> {
        let (done, answer) = oneshot::channel();
        self.queue.try_send(Job { writes, done }).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => Refusal::Busy,
            mpsc::error::TrySendError::Closed(_) => Refusal::Restarting,
        })?;
        answer.await.unwrap_or(Err(Refusal::Internal))
    }
}

async fn work(store: Arc<dyn Store>, mut queue: mpsc::Receiver<Job>) {
    let mut jobs = Vec::with_capacity(TOGETHER);
    while queue.recv_many(&mut jobs, TOGETHER).await > 0 {
        let (writes, waiting): (Vec<_>, Vec<_>) =
            jobs.drain(..).map(|job| (job.writes, job.done)).unzip();
        let sizes: Vec<usize> = writes.iter().map(Vec::len).collect();
        let all: Vec<Write> = writes.into_iter().flatten().collect();
        let count = all.len();
        match store.write(all).await {
            Ok(results) if results.len() == count => {
                let mut results = results.into_iter();
                for (size, done) in sizes.into_iter().zip(waiting) {
                    // Nobody waits any more if the game was dropped, which changes nothing.
                    let _ = done.send(Ok(results.by_ref().take(size).collect()));
                }
            }
            failed => {
                match failed {
                    Ok(results) => {
                        tracing::error!("the store answered {} of {count} writes", results.len());
                    }
                    Err(error) => tracing::error!("{count} writes failed: {error}"),
                }
                for done in waiting {
                    let _ = done.send(Err(Refusal::Internal));
                }
            }
        }
    }
}
