//! Parts that are processes with a file system in common, and nothing else.
//!
//! In each exchange every part writes one file with what it gives to each other part, under a
//! temporary name, and renames it; the others wait for the file and read their share. A file is
//! removed when its writer has finished the next exchange: by then all have taken theirs.
//!
//! Each part holds a lock on a file of its own as long as it lives, so that the others see that it
//! is gone, however it ended, and that nobody comes twice. Where a file system has no locks that
//! all machines see, parts show that they live by writing a counter, and one that is silent for
//! longer than [`Settings::patience`] counts as gone.
//!
//! What a killed run leaves behind is in nobody's way: part 0 takes it away, and each run has a
//! number that all agree on at its start and that stands in the names of its files.

mod beat;
mod files;
mod join;
mod life;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use self::files::Names;
use self::join::Run;
use self::life::Life;
use super::{Ending, Exchange, Traffic, stop_error};

/// The most parts that share a directory.
pub const MOST_PARTS: usize = 4096;

/// How long the first part waits for the others when all is done, to take the files away.
const FAREWELL: Duration = Duration::from_secs(10);

/// How a part takes part.
pub struct Settings<'a> {
    /// The directory, which is made if need be. Other files in it stay as they are.
    pub directory: &'a Path,
    /// This part's number, below `parts`.
    pub part: usize,
    /// Number of parts, 1 to [`MOST_PARTS`].
    pub parts: usize,
    /// `None`: locks tell who lives. Otherwise how long a part may show no life, 100 ms or more;
    /// for network file systems, and longer than changes there take to be seen by all.
    pub patience: Option<Duration>,
    /// When set, waiting ends with an error of [`is_stop`](super::is_stop).
    pub stop: &'a AtomicBool,
    /// Told what is waited for when the others do not come at once.
    pub tell: &'a dyn Fn(&str),
}

/// One part's end of an exchange through a directory.
#[derive(Debug)]
pub struct Spool<'a> {
    names: Names,
    part: usize,
    parts: usize,
    run: Run,
    life: Life,
    stop: &'a AtomicBool,
    /// Number of exchanges finished.
    finished: u64,
    /// The file of the exchange before, which others may still be reading.
    last: Option<PathBuf>,
    traffic: Traffic,
    left: bool,
}

impl<'a> Spool<'a> {
    /// Waits until all parts are there, and agrees with them on a run.
    ///
    /// # Errors
    /// When the numbers are out of range, when another process has this part's number, when part
    /// 0 has come for another number of parts, when the stop flag is set, when the system refuses.
    pub fn join(settings: &Settings<'a>) -> io::Result<Spool<'a>> {
        let Settings { directory, part, parts, patience, stop, .. } = *settings;
        let wrong = |what| Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        if !(1..=MOST_PARTS).contains(&parts) {
            return wrong(format!("{parts} parts, expected 1 to {MOST_PARTS}"));
        }
        if part >= parts {
            return wrong(format!("part {part} of {parts}, expected 0 to {}", parts - 1));
        }
        if patience.is_some_and(|patience| patience < Duration::from_millis(100)) {
            return wrong("parts must be given 100 ms or more to show life".to_owned());
        }
        fs::create_dir_all(directory).map_err(files::at(directory))?;
        let names = Names::new(directory);
        let mut life = Life::begin(&names, part, patience, stop)?;
        let run = join::join(settings, &names, &mut life)?;
        Ok(Spool {
            names,
            part,
            parts,
            run,
            life,
            stop,
            finished: 0,
            last: None,
            traffic: Traffic::default(),
            left: false,
        })
    }

    /// Leaves. After [`Ending::Done`] the first part takes the files away, as soon as the others
    /// have left too; otherwise the others are told, and give up what they wait for. A part that
    /// is dropped has failed.
    pub fn leave(mut self, ending: Ending) {
        self.end(ending);
    }

    fn end(&mut self, ending: Ending) {
        if std::mem::replace(&mut self.left, true) {
            return;
        }
        if ending != Ending::Done {
            // Who cannot be told sees soon that nobody holds the lock.
            let _ = files::write_ending(&self.names, self.run.id, self.part, ending);
        } else if self.part == 0 && self.all_have_left() {
            // What cannot be taken away now, the next run takes away.
            let _ = files::clear(&self.names);
        }
        self.life.end();
    }

    /// Waits until the other parts have left, for a while.
    fn all_have_left(&mut self) -> bool {
        let mut pause = Pause::new();
        (1..self.parts).all(|part| {
            loop {
                match self.life.is_here(part, self.run.nonces[part]) {
                    Ok(false) => return true,
                    Ok(true) if pause.start.elapsed() < FAREWELL && !self.stop.load(Relaxed) => {
                        pause.wait();
                    }
                    _ => return false,
                }
            }
        })
    }

    /// Waits for what a part gives in this exchange.
    fn take(&mut self, from: usize) -> io::Result<Vec<u8>> {
        let mut pause = Pause::new();
        let mut other = from;
        loop {
            if let Some(bytes) = self.read(from)? {
                return Ok(bytes);
            }
            if self.stop.load(Relaxed) {
                return Err(stop_error(format!("stopped while waiting for part {from}")));
            }
            if pause.is_long() {
                if let Some(left) = files::read_ending(&self.names, self.run.id)? {
                    return Err(left.into());
                }
                self.look_for(from, from)?;
                // The others one by one: the one waited for may itself wait for somebody gone.
                other = (other + 1) % self.parts;
                if other != self.part {
                    self.look_for(other, from)?;
                }
            }
            pause.wait();
        }
    }

    /// Fails when a part is gone without having given what is waited for.
    fn look_for(&mut self, part: usize, from: usize) -> io::Result<()> {
        if self.life.is_here(part, self.run.nonces[part])? {
            return Ok(());
        }
        // It may have ended well after its last exchange, or told why it ends.
        if let Some(left) = files::read_ending(&self.names, self.run.id)? {
            return Err(left.into());
        }
        let file = self.names.data(self.run.id, self.finished, part);
        if file.exists()
            && (part == from || self.names.data(self.run.id, self.finished, from).exists())
        {
            return Ok(());
        }
        let how = self.life.how(&self.names, part);
        Err(io::Error::other(format!("part {part} is gone: {how}; {} is missing", file.display())))
    }

    fn read(&self, from: usize) -> io::Result<Option<Vec<u8>>> {
        let key = files::Key { run: self.run.id, exchange: self.finished, from, parts: self.parts };
        files::read_data(&self.names, &key, self.part)
    }
}

impl Exchange for Spool<'_> {
    fn parts(&self) -> usize {
        self.parts
    }

    fn part(&self) -> usize {
        self.part
    }

    fn exchange(&mut self, mut to: Vec<Vec<u8>>) -> io::Result<Vec<Vec<u8>>> {
        assert_eq!(to.len(), self.parts, "one buffer for each part");
        let own = std::mem::take(&mut to[self.part]);
        let given: u64 = to.iter().map(|bytes| bytes.len() as u64).sum();
        self.traffic.exchanges += 1;
        self.traffic.bytes += given;
        if self.parts == 1 {
            return Ok(vec![own]);
        }
        let key = files::Key {
            run: self.run.id,
            exchange: self.finished,
            from: self.part,
            parts: self.parts,
        };
        let written = files::write_data(&self.names, &key, &to)?;
        drop(to);
        let mut taken = vec![Vec::new(); self.parts];
        taken[self.part] = own;
        for step in 1..self.parts {
            let from = (self.part + step) % self.parts;
            taken[from] = self.take(from)?;
        }
        self.finished += 1;
        if let Some(last) = self.last.replace(written) {
            fs::remove_file(&last).map_err(files::at(&last))?;
        }
        Ok(taken)
    }

    fn traffic(&self) -> Traffic {
        self.traffic
    }
}

impl Drop for Spool<'_> {
    fn drop(&mut self) {
        self.end(Ending::Failed);
    }
}

/// Waiting that is short at first, since parts mostly come together, and then costs little.
#[derive(Debug)]
struct Pause {
    start: Instant,
    length: Duration,
    turns: u32,
}

impl Pause {
    fn new() -> Pause {
        Pause { start: Instant::now(), length: Duration::from_micros(20), turns: 0 }
    }

    /// Whether it is time to look whether what is waited for can still come.
    fn is_long(&self) -> bool {
        self.start.elapsed() > Duration::from_millis(50)
    }

    fn wait(&mut self) {
        self.turns += 1;
        if self.turns < 10 {
            std::thread::yield_now();
            return;
        }
        std::thread::sleep(self.length);
        let most = if self.is_long() { 20_000 } else { 1000 };
        self.length = (self.length * 2).min(Duration::from_micros(most));
    }
}
