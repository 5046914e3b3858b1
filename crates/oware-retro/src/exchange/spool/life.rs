//! Who is there: locks that processes hold, or counters that move.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::super::stop_error;
use super::beat::{self, Beat};
use super::files::{Names, at, read_lines, remove, write_lines};

/// How often, and after which time, a lock is tried again: others hold it for a moment when they
/// look whether this part is there.
const TRIES: u32 = 100;
const BETWEEN_TRIES: Duration = Duration::from_millis(10);

/// A number that nobody else has.
pub(super) fn fresh_number() -> u64 {
    let time = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
    RandomState::new().hash_one((std::process::id(), time))
}

/// What a part says when it comes: which process it is, of how many parts, and which run it
/// agrees to (0 for none).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hello {
    pub(super) nonce: u64,
    pub(super) parts: usize,
    pub(super) agreed: u64,
}

impl Hello {
    pub(super) fn write(&self, names: &Names, part: usize) -> io::Result<()> {
        let Hello { nonce, parts, agreed } = self;
        let lines = [
            format!("nonce {nonce:016x}"),
            format!("parts {parts}"),
            format!("agreed {agreed:016x}"),
        ];
        write_lines(&names.hello(part), &lines)
    }

    pub(super) fn read(names: &Names, part: usize) -> io::Result<Option<Hello>> {
        let read = read_lines(&names.hello(part), ["nonce", "parts", "agreed"])?;
        Ok(read.and_then(|[nonce, parts, agreed]| {
            Some(Hello {
                nonce: u64::from_str_radix(&nonce, 16).ok()?,
                parts: parts.parse().ok()?,
                agreed: u64::from_str_radix(&agreed, 16).ok()?,
            })
        }))
    }
}

/// A counter of another part as it was last seen.
#[derive(Debug)]
struct Seen {
    nonce: u64,
    count: String,
    since: Instant,
    /// Whether it has moved since it was first looked at: what a killed process left does not.
    moved: bool,
}

/// This part's own sign of life, and how it sees those of others.
#[derive(Debug)]
pub(super) struct Life {
    names: Names,
    part: usize,
    /// Which process this is.
    pub(super) nonce: u64,
    patience: Option<Duration>,
    lock: Option<File>,
    beat: Option<Beat>,
    seen: HashMap<usize, Seen>,
}

impl Life {
    /// Takes a part's number.
    ///
    /// # Errors
    /// When another process has it; when there are no locks and no patience.
    pub(super) fn begin(
        names: &Names,
        part: usize,
        patience: Option<Duration>,
        stop: &AtomicBool,
    ) -> io::Result<Life> {
        let nonce = fresh_number();
        let lock = take_lock(&names.lock(part), part, patience.is_none())?;
        let mut beat = None;
        if let Some(patience) = patience {
            let before = beat::read(names, part)?;
            let start = Instant::now();
            while before.is_some() && start.elapsed() < beat::interval(patience) * 3 {
                if stop.load(Relaxed) {
                    return Err(stop_error("stopped before all parts had come"));
                }
                if beat::read(names, part)? != before {
                    return Err(taken(part, &names.beat(part)));
                }
                std::thread::sleep(BETWEEN_TRIES);
            }
            beat = Some(Beat::begin(names, part, nonce, patience)?);
        }
        let seen = HashMap::new();
        Ok(Life { names: names.clone(), part, nonce, patience, lock, beat, seen })
    }

    /// Whether the process that a part was is still there.
    pub(super) fn is_here(&mut self, part: usize, nonce: u64) -> io::Result<bool> {
        if self.patience.is_none() {
            return Ok(is_locked(&self.names.lock(part))?
                && Hello::read(&self.names, part)?.is_some_and(|hello| hello.nonce == nonce));
        }
        Ok(self.look(part)?.is_some_and(|(seen, _)| seen == nonce))
    }

    /// Whether a part that has said hello is there, and not something that was left behind.
    pub(super) fn has_come(&mut self, part: usize, nonce: u64) -> io::Result<bool> {
        if self.patience.is_none() {
            return is_locked(&self.names.lock(part));
        }
        Ok(self.look(part)? == Some((nonce, true)))
    }

    /// The process whose counter is not silent, and whether the counter was seen to move.
    fn look(&mut self, part: usize) -> io::Result<Option<(u64, bool)>> {
        let Some((nonce, count)) = beat::read(&self.names, part)? else { return Ok(None) };
        let now = Instant::now();
        let new = || Seen { nonce, count: count.clone(), since: now, moved: false };
        let seen = self.seen.entry(part).or_insert_with(new);
        if seen.nonce != nonce || seen.count != count {
            *seen = Seen { nonce, count, since: now, moved: true };
        }
        let silent = self.patience.is_some_and(|patience| now - seen.since > patience);
        Ok((!silent).then_some((nonce, seen.moved)))
    }

    /// By what it is seen that a part is gone.
    pub(super) fn how(&self, names: &Names, part: usize) -> String {
        match self.patience {
            None => format!("nobody holds {}", names.lock(part).display()),
            Some(patience) => {
                let (beat, seconds) = (names.beat(part), patience.as_secs_f64());
                format!("{} has not changed for {seconds} s", beat.display())
            }
        }
    }

    /// Gives the number back.
    pub(super) fn end(&mut self) {
        let own = Hello::read(&self.names, self.part).ok().flatten();
        if own.is_some_and(|hello| hello.nonce == self.nonce) {
            let _ = remove(&self.names.hello(self.part));
        }
        if let Some(mut beat) = self.beat.take() {
            beat.end(&self.names, self.part, self.nonce);
        }
        self.lock = None;
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        self.end();
    }
}

fn taken(part: usize, path: &Path) -> io::Error {
    let path = path.display();
    let what = format!("part {part} is taken: another process is at work with {path}");
    io::Error::new(io::ErrorKind::AlreadyExists, what)
}

/// Takes a part's lock; `None` where there are no locks and none are needed.
fn take_lock(path: &Path, part: usize, needed: bool) -> io::Result<Option<File>> {
    // Network file systems lock for oneself only what is open for writing, and for all to see only
    // what is open for reading.
    let file = File::options().create(true).truncate(false).read(true).write(true).open(path);
    let file = file.map_err(at(path))?;
    for _ in 0..TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::WouldBlock) => std::thread::sleep(BETWEEN_TRIES),
            Err(TryLockError::Error(error)) if needed => {
                let what = "without locks, parts need a time to be silent for";
                return Err(at(path)(io::Error::new(error.kind(), format!("{error}; {what}"))));
            }
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
    Err(taken(part, path))
}

/// Whether a process holds a part's lock.
fn is_locked(path: &Path) -> io::Result<bool> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(at(path)(error)),
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(at(path)(error)),
    }
}
