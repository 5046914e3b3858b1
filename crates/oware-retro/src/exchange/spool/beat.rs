//! A counter in a file, by which a part shows that it lives where locks cannot.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::files::{Names, read_lines, remove, write_lines};

/// What a counter file holds: the part's number of this time, and the count.
pub(super) fn read(names: &Names, part: usize) -> io::Result<Option<(u64, String)>> {
    let read = read_lines(&names.beat(part), ["nonce", "count"])?;
    Ok(read.and_then(|[nonce, count]| Some((u64::from_str_radix(&nonce, 16).ok()?, count))))
}

/// How often the counter moves, for parts that may be silent for so long.
pub(super) fn interval(patience: Duration) -> Duration {
    (patience / 8).min(Duration::from_secs(5))
}

/// The thread that counts.
#[derive(Debug)]
pub(super) struct Beat {
    quit: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Beat {
    pub(super) fn begin(
        names: &Names,
        part: usize,
        nonce: u64,
        patience: Duration,
    ) -> io::Result<Beat> {
        let path = names.beat(part);
        let write = move |count: u64| {
            write_lines(&path, &[format!("nonce {nonce:016x}"), format!("count {count}")])
        };
        write(0)?;
        let quit = Arc::new(AtomicBool::new(false));
        let (names, seen) = (names.clone(), Arc::clone(&quit));
        let count = move || {
            let mut count = 0;
            let mut last = Instant::now();
            while !seen.load(Relaxed) {
                std::thread::park_timeout(interval(patience));
                // A wake-up for no reason is no reason to count.
                if seen.load(Relaxed) || last.elapsed() < interval(patience) / 2 {
                    continue;
                }
                last = Instant::now();
                // Another process with the same number counts here now: it must not be hidden
                // from the others that this one is no longer the one they know.
                if read(&names, part).is_ok_and(|there| there.is_some_and(|(n, _)| n != nonce)) {
                    return;
                }
                count += 1;
                // A write that fails is tried again next time; if it goes on, the part is silent.
                let _ = write(count);
            }
        };
        let thread = std::thread::Builder::new().name("oware-beat".to_owned()).spawn(count)?;
        Ok(Beat { quit, thread: Some(thread) })
    }

    /// Ends the counting and takes the file away, if it is still this part's.
    pub(super) fn end(&mut self, names: &Names, part: usize, nonce: u64) {
        self.quit.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
        if read(names, part).is_ok_and(|there| there.is_some_and(|(n, _)| n == nonce)) {
            let _ = remove(&names.beat(part));
        }
    }
}
