//! A search that runs, as seen from both threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use oware_search::Control;

use super::Go;

/// What holds the answer back though the search may have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    /// Nothing.
    Nothing,
    /// It waits for `stop`.
    Stop,
    /// It waits for `stop` or `ponderhit`.
    PonderHit,
}

/// A search: told to stop by the session, answered by the worker.
pub(super) struct Running {
    /// What the search looks at while it runs.
    pub(super) control: Control,
    /// Whether anything but `stop` ends it once pondering is over.
    has_limit: bool,
    hold: Mutex<Hold>,
    released: Condvar,
    answered: AtomicBool,
}

impl Running {
    /// A search that was asked for. Without `has_limit` and without pondering nothing but `stop`
    /// ends it.
    pub(super) fn new(go: &Go, has_limit: bool) -> Running {
        let hold = match (go.infinite, go.ponder) {
            (false, true) => Hold::PonderHit,
            (false, false) if has_limit => Hold::Nothing,
            _ => Hold::Stop,
        };
        Running {
            control: if go.ponder { Control::pondering() } else { Control::new() },
            has_limit,
            hold: Mutex::new(hold),
            released: Condvar::new(),
            answered: AtomicBool::new(false),
        }
    }

    fn release(&self) {
        *self.hold.lock().unwrap_or_else(PoisonError::into_inner) = Hold::Nothing;
        self.released.notify_all();
    }

    fn hold(&self) -> Hold {
        *self.hold.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the search.
    pub(super) fn stop(&self) {
        self.control.stop();
        self.release();
    }

    /// The opponent played what was expected. Gives whether it was pondering. A search without
    /// a limit then ends at once: there is nothing else that could end it.
    pub(super) fn ponder_hit(&self) -> bool {
        match self.hold() {
            Hold::PonderHit if !self.has_limit => self.stop(),
            Hold::PonderHit => {
                self.control.ponder_hit();
                self.release();
            }
            Hold::Stop if self.control.is_pondering() => self.control.ponder_hit(),
            _ => return false,
        }
        true
    }

    /// Whether the search ends without another command.
    pub(super) fn ends_by_itself(&self) -> bool {
        self.hold() == Hold::Nothing
    }

    /// Waits until the answer may be told.
    pub(super) fn wait_for_release(&self) {
        let mut hold = self.hold.lock().unwrap_or_else(PoisonError::into_inner);
        while *hold != Hold::Nothing {
            hold = self.released.wait(hold).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Says that the answer was told.
    pub(super) fn set_answered(&self) {
        self.answered.store(true, Ordering::Release);
    }

    /// Whether the answer was told.
    pub(super) fn is_answered(&self) -> bool {
        self.answered.load(Ordering::Acquire)
    }
}
