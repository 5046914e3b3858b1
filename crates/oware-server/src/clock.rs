//! The server's time: milliseconds since 1970 that never run backwards while it is up.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970, or a length in milliseconds.
pub type Millis = i64;

/// Tells the time. The wall clock is read once, at the start, and the monotonic clock counts on
/// from there: a corrected wall clock cannot cost a player time.
#[derive(Clone, Debug)]
pub struct Clock {
    origin: Millis,
    started: Instant,
    /// Moved by tests.
    ahead: Arc<AtomicI64>,
}

impl Clock {
    /// The machine's clock.
    #[must_use]
    pub fn system() -> Clock {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let origin = Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX / 2);
        Clock { origin, started: Instant::now(), ahead: Arc::default() }
    }

    /// The time now.
    #[must_use]
    pub fn now(&self) -> Millis {
        let passed = Millis::try_from(self.started.elapsed().as_millis()).unwrap_or(0);
        self.origin + passed + self.ahead.load(Ordering::Relaxed)
    }

    /// Moves the time ahead, for every clone; for tests of what takes days.
    pub fn advance(&self, by: Millis) {
        self.ahead.fetch_add(by.max(0), Ordering::Relaxed);
    }
}
