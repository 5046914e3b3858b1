//! What others may tell a search while it runs.

use std::sync::atomic::{AtomicBool, Ordering};

/// Handed to a search and kept by whoever may want to stop it, on another thread.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
}

impl Control {
    /// Neither stopped nor pondering.
    #[must_use]
    pub const fn new() -> Control {
        Control { stop: AtomicBool::new(false), pondering: AtomicBool::new(false) }
    }

    /// A search that thinks on the opponent's time: limits of time and clock count only from
    /// [`ponder_hit`](Self::ponder_hit) on.
    #[must_use]
    pub const fn pondering() -> Control {
        Control { stop: AtomicBool::new(false), pondering: AtomicBool::new(true) }
    }

    /// Asks the search to end; it answers with the best it has, within milliseconds.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Says that the opponent played what was expected: time counts from now on.
    pub fn ponder_hit(&self) {
        self.pondering.store(false, Ordering::Relaxed);
    }

    /// Whether it still thinks on the opponent's time.
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }
}
