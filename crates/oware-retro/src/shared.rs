//! What several workers share: memory in large pages, and a place to wait.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicUsize, Ordering};

/// Asks for large pages behind memory that is not touched yet. With small ones a scattered access
/// costs about twice as much, most of it for the page's address. Only a wish: where the system
/// has no such pages nothing happens.
pub(crate) fn wish_large_pages<T>(memory: &mut [T]) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        /// Pages that advice can begin at.
        const PAGE: usize = 4096;
        let bytes = size_of_val(memory);
        let start = memory.as_mut_ptr() as usize;
        let first = start.next_multiple_of(PAGE);
        let Some(length) = (start + bytes).checked_sub(first).map(|length| length / PAGE * PAGE)
        else {
            return;
        };
        if length > 0 {
            // SAFETY: the range lies within memory that is exclusively borrowed, and this advice
            // changes neither its content nor what may be done with it.
            let _ = unsafe { madvise(first as *mut _, length, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

/// Waits for all workers. There are thousands of phases in a layer, many of them short, so it
/// spins for a while before it gives the processor away.
pub(crate) struct SpinBarrier {
    workers: usize,
    arrived: AtomicUsize,
    turn: AtomicUsize,
}

/// How often a waiting worker looks before it lets others run.
const SPINS: usize = 4000;

impl SpinBarrier {
    pub(crate) fn new(workers: usize) -> SpinBarrier {
        SpinBarrier { workers, arrived: AtomicUsize::new(0), turn: AtomicUsize::new(0) }
    }

    /// Returns when all have come. The last to come does `then` before anybody goes on.
    pub(crate) fn wait(&self, then: impl FnOnce()) {
        let turn = self.turn.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.workers {
            then();
            self.arrived.store(0, Ordering::Relaxed);
            self.turn.store(turn.wrapping_add(1), Ordering::Release);
            return;
        }
        let mut spins = 0;
        while self.turn.load(Ordering::Acquire) == turn {
            spins += 1;
            if spins < SPINS {
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
    }
}
