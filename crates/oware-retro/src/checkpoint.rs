//! A solve written down between two thresholds, so that it can go on after an interruption.
//!
//! Then the frontiers are empty: the counters, where captures and values were written, and which
//! threshold comes next say everything. A checkpoint counts only when it is whole and was made for
//! the same layer over the same lower layers; else the layer is begun anew.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use oware_tables::write::replace_file;

use crate::buckets::Buckets;
use crate::first::Stalled;
use crate::log::ValueLog;
use crate::own::Own;
use crate::rounds::{Rounds, lock};
use crate::spill::{Numbers, Spill, named, put_number, strange};
use crate::state::{Planes, Shape};

const MAGIC: &[u8; 8] = b"OWARECP1";
/// Words of counters that are read or written at a time.
const WORDS: usize = 1 << 16;

/// Where a solve keeps what memory does not.
#[derive(Clone, Copy, Debug)]
pub struct Scratch<'a> {
    /// A directory of its own, made if it is not there. The solve leaves its files behind; they
    /// are for the next one, which goes on where this one was.
    pub directory: &'a Path,
    /// How much time may pass between two checkpoints. They are made between thresholds.
    pub every: Duration,
    /// What the solve starts from: it does not go on after one with another number.
    pub id: [u8; 32],
}

impl Scratch<'_> {
    fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// A new store under a name.
    pub(crate) fn spill(&self, name: &str) -> io::Result<Spill> {
        fs::create_dir_all(self.directory).map_err(named(self.directory))?;
        Spill::create(&self.path(name))
    }
}

/// The name of the store of values.
pub(crate) const VALUES: &str = "values";

/// The name of the store of the captures of a convention of the target, by its place.
pub(crate) fn captures(place: usize) -> String {
    format!("captures-{place}")
}

/// Makes checkpoints, and knows when the next is due.
pub(crate) struct Checkpoints<'a> {
    scratch: &'a Scratch<'a>,
    last: Mutex<Instant>,
}

/// A solve that goes on.
pub(crate) struct Resumed {
    /// The place of the next threshold.
    pub(crate) begin: usize,
    pub(crate) decided: u64,
    pub(crate) rounds: u64,
    pub(crate) longest: u16,
    pub(crate) planes: Planes,
    pub(crate) buckets: Vec<Buckets>,
    pub(crate) log: ValueLog,
    pub(crate) stalled: Vec<Stalled>,
}

impl<'a> Checkpoints<'a> {
    pub(crate) fn new(scratch: &'a Scratch<'a>) -> Checkpoints<'a> {
        Checkpoints { scratch, last: Mutex::new(Instant::now()) }
    }

    pub(crate) fn due(&self) -> bool {
        lock(&self.last).elapsed() >= self.scratch.every
    }

    /// Writes the state down; `number` is the place of the next threshold.
    pub(crate) fn write(&self, rounds: &Rounds<'_>, number: usize) -> io::Result<()> {
        let mut head = self.scratch.id.to_vec();
        put_number(&mut head, number as u64);
        put_number(&mut head, rounds.lockstep.decided.load(Relaxed));
        put_number(&mut head, rounds.lockstep.rounds.load(Relaxed));
        put_number(&mut head, u64::from(rounds.lockstep.longest.load(Relaxed)));
        put_number(&mut head, rounds.stalled.len() as u64);
        for board in &rounds.stalled {
            head.push(board.value as u8);
            put_number(&mut head, u64::from(board.mover));
            put_number(&mut head, u64::from(board.opponent));
        }
        for buckets in &rounds.buckets {
            buckets.save(&mut head)?;
        }
        rounds.log.save(&mut head)?;
        let path = self.scratch.path("checkpoint");
        let write = |file: &mut File| write(file, &head, rounds.planes);
        replace_file(&path, write).map_err(named(&path))?;
        *lock(&self.last) = Instant::now();
        Ok(())
    }
}

fn write(file: &mut File, head: &[u8], planes: &Planes) -> io::Result<()> {
    let mut file = Hashing { inner: file, hasher: blake3::Hasher::new() };
    file.write_all(MAGIC)?;
    file.write_all(&(head.len() as u64).to_le_bytes())?;
    file.write_all(head)?;
    let mut bytes = Vec::with_capacity(8 * WORDS);
    for words in planes.words().chunks(WORDS) {
        bytes.clear();
        bytes.extend(words.iter().flat_map(|word| word.load(Relaxed).to_le_bytes()));
        file.write_all(&bytes)?;
    }
    let Hashing { inner, hasher } = file;
    inner.write_all(hasher.finalize().as_bytes())
}

/// A file with the hash of what was read from it or written to it.
struct Hashing<'a> {
    inner: &'a mut File,
    hasher: blake3::Hasher,
}

impl Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl Read for Hashing<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.hasher.update(&bytes[..read]);
        Ok(read)
    }
}

/// The solve that was written down, `None` where there is none that can go on.
pub(crate) fn resume(
    scratch: &Scratch<'_>,
    shape: &Shape,
    own: &Own,
    bounds: bool,
    thresholds: usize,
) -> Option<Resumed> {
    let mut file = File::open(scratch.path("checkpoint")).ok()?;
    let mut file = Hashing { inner: &mut file, hasher: blake3::Hasher::new() };
    // Whatever is wrong with it: the layer is begun anew, which is always right.
    read(&mut file, scratch, shape, own, bounds, thresholds).ok()
}

fn read(
    file: &mut Hashing<'_>,
    scratch: &Scratch<'_>,
    shape: &Shape,
    own: &Own,
    bounds: bool,
    thresholds: usize,
) -> io::Result<Resumed> {
    let mut start = [0; 16];
    file.read_exact(&mut start)?;
    let length = u64::from_le_bytes(start[8..].try_into().map_err(|_| strange())?);
    if start[..8] != *MAGIC || length > file.inner.metadata()?.len() {
        return Err(strange());
    }
    let mut head = vec![0; length as usize];
    file.read_exact(&mut head)?;
    if head.get(..32) != Some(&scratch.id) {
        return Err(strange());
    }
    let planes = Planes::new(own.all_words(), bounds).map_err(|_| strange())?;
    let mut bytes = vec![0; 8 * WORDS];
    for words in planes.words().chunks(WORDS) {
        let bytes = &mut bytes[..8 * words.len()];
        file.read_exact(bytes)?;
        for (word, bytes) in words.iter().zip(bytes.chunks(8)) {
            word.store(u64::from_le_bytes(bytes.try_into().map_err(|_| strange())?), Relaxed);
        }
    }
    let found = file.hasher.finalize();
    let mut hash = [0; 32];
    file.inner.read_exact(&mut hash)?;
    if *found.as_bytes() != hash {
        return Err(strange());
    }
    let mut numbers = Numbers::new(&head[32..]);
    let begin = numbers.next()? as usize;
    let (decided, rounds) = (numbers.next()?, numbers.next()?);
    let longest = numbers.next()? as u16;
    let mut stalled = Vec::new();
    for _ in 0..numbers.next()? {
        let value = numbers.take(1)?[0] as i8;
        let (mover, opponent) = (numbers.next()? as u32, numbers.next()? as u32);
        stalled.push(Stalled { value, mover, opponent });
    }
    let widths = own.widths_of_groups(shape);
    let mut buckets = Vec::new();
    for place in 0..if bounds { 2 } else { 1 } {
        let open = |end| Spill::reopen(&scratch.path(&captures(place)), end);
        buckets.push(Buckets::restore(&widths, thresholds, &mut numbers, open)?);
    }
    let open = |end| Spill::reopen(&scratch.path(VALUES), end);
    let log = ValueLog::restore(shape, own, &mut numbers, open)?;
    if begin > thresholds || !numbers.is_empty() {
        return Err(strange());
    }
    Ok(Resumed { begin, decided, rounds, longest, planes, buckets, log, stalled })
}
