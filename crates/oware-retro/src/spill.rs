//! Bytes that are written once and read once, out of the way of memory.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{PoisonError, RwLock};

use oware_tables::positioned::{read_at, write_at};

/// Where a stretch of bytes lies in a spill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) start: u64,
    pub(crate) length: u32,
    /// CRC-32 of the bytes.
    pub(crate) sum: u32,
}

impl Extent {
    /// Adds the extent to what is saved.
    pub(crate) fn put(self, into: &mut Vec<u8>) {
        put_number(into, self.start);
        put_number(into, u64::from(self.length));
        into.extend(self.sum.to_le_bytes());
    }

    /// An extent that was saved.
    pub(crate) fn take(numbers: &mut Numbers<'_>) -> io::Result<Extent> {
        let start = numbers.next()?;
        let length = u32::try_from(numbers.next()?).map_err(|_| strange())?;
        let sum = numbers.take(4)?.try_into().map_err(|_| strange())?;
        Ok(Extent { start, length, sum: u32::from_le_bytes(sum) })
    }
}

/// A store that grows at its end: a file, or memory where there is little to store.
#[derive(Debug)]
pub(crate) enum Spill {
    Memory(RwLock<Vec<u8>>),
    File { file: File, end: AtomicU64, path: PathBuf },
}

impl Spill {
    pub(crate) fn in_memory() -> Spill {
        Spill::Memory(RwLock::default())
    }

    /// A file of its own, emptied if it is there.
    pub(crate) fn create(path: &Path) -> io::Result<Spill> {
        let mut options = File::options();
        let file = options.create(true).truncate(true).read(true).write(true).open(path);
        let file = file.map_err(named(path))?;
        Ok(Spill::File { file, end: AtomicU64::new(0), path: path.to_owned() })
    }

    /// A file that was left behind, of which the first `end` bytes count.
    pub(crate) fn reopen(path: &Path, end: u64) -> io::Result<Spill> {
        let file = File::options().read(true).write(true).open(path)?;
        if file.metadata()?.len() < end {
            return Err(io::Error::other("a file of the solve is too short"));
        }
        file.set_len(end)?;
        Ok(Spill::File { file, end: AtomicU64::new(end), path: path.to_owned() })
    }

    /// Adds bytes; several workers may at the same time.
    pub(crate) fn append(&self, bytes: &[u8]) -> io::Result<Extent> {
        let length = bytes.len() as u32;
        let sum = crc32fast::hash(bytes);
        match self {
            Spill::Memory(all) => {
                let mut all = all.write().unwrap_or_else(PoisonError::into_inner);
                let start = all.len() as u64;
                all.extend_from_slice(bytes);
                Ok(Extent { start, length, sum })
            }
            Spill::File { file, end, path } => {
                let start = end.fetch_add(bytes.len() as u64, Relaxed);
                write_at(file, bytes, start).map_err(named(path))?;
                Ok(Extent { start, length, sum })
            }
        }
    }

    /// Adds the bytes of a stretch to `into`.
    pub(crate) fn read(&self, extent: Extent, into: &mut Vec<u8>) -> io::Result<()> {
        let Extent { start, length, sum } = extent;
        let before = into.len();
        match self {
            Spill::Memory(all) => {
                let all = all.read().unwrap_or_else(PoisonError::into_inner);
                let start = start as usize;
                let bytes = all.get(start..start + length as usize);
                into.extend_from_slice(bytes.ok_or_else(|| io::Error::other("no such bytes"))?);
            }
            Spill::File { file, path, .. } => {
                into.resize(before + length as usize, 0);
                read_at(file, &mut into[before..], start).map_err(named(path))?;
            }
        }
        if crc32fast::hash(&into[before..]) == sum { Ok(()) } else { Err(strange()) }
    }

    /// Bytes stored.
    pub(crate) fn length(&self) -> u64 {
        match self {
            Spill::Memory(all) => all.read().unwrap_or_else(PoisonError::into_inner).len() as u64,
            Spill::File { end, .. } => end.load(Relaxed),
        }
    }

    /// Returns when everything is where a loss of power leaves it.
    pub(crate) fn sync(&self) -> io::Result<()> {
        match self {
            Spill::Memory(_) => Ok(()),
            Spill::File { file, path, .. } => file.sync_data().map_err(named(path)),
        }
    }
}

/// Names the file in an error.
pub(crate) fn named(path: &Path) -> impl Fn(io::Error) -> io::Error + '_ {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Adds a number in groups of 7 bits, the low ones first; the last group's top bit is 0.
#[inline]
pub(crate) fn put_number(into: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        into.push(number as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}

/// Reads numbers written by [`put_number`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers<'a> {
    bytes: &'a [u8],
}

impl<'a> Numbers<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Numbers<'a> {
        Numbers { bytes }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    #[inline]
    pub(crate) fn next(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for place in 0..10 {
            let Some((&byte, rest)) = self.bytes.split_first() else { break };
            self.bytes = rest;
            number |= u64::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(strange())
    }

    /// The next bytes as they are.
    pub(crate) fn take(&mut self, length: usize) -> io::Result<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or_else(strange)?;
        self.bytes = rest;
        Ok(taken)
    }
}

/// What was read is not what a solve writes.
pub(crate) fn strange() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "what was read back is damaged")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 127, 128, 300, 1 << 20, u64::from(u32::MAX), u64::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&number| put_number(&mut bytes, number));
        let mut read = Numbers::new(&bytes);
        numbers.iter().for_each(|&number| assert_eq!(read.next().unwrap(), number));
        assert!(read.is_empty() && read.next().is_err());
    }

    #[test]
    fn bytes_come_back_from_memory_and_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("spill");
        for spill in [Spill::in_memory(), Spill::create(&path).unwrap()] {
            let first = spill.append(b"one").unwrap();
            let second = spill.append(b"three").unwrap();
            let mut into = b"x".to_vec();
            spill.read(second, &mut into).unwrap();
            spill.read(first, &mut into).unwrap();
            assert_eq!(into, b"xthreeone");
            assert_eq!(spill.length(), 8);
            assert!(spill.read(Extent { start: 6, ..first }, &mut into).is_err());
            assert!(spill.read(Extent { start: 1, ..first }, &mut into).is_err());
        }
        let again = Spill::reopen(&path, 3).unwrap();
        assert_eq!(again.append(b"two").unwrap().start, 3);
        assert!(Spill::reopen(&path, 7).is_err());
    }
}
