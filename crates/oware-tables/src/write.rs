//! Writing one table file.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::Counts;
use crate::codec::{Features, Geometry, Model, Shifted, Symbols};
use crate::count::Counter;
use crate::error::{Subject, TableError};
use crate::header::{Header, Mode, symbol_shift};

/// Tiles that a worker codes at a time.
const CLAIM: usize = 256;
/// Tiles that are coded before they are written.
const WINDOW: usize = 1 << 16;

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Bytes of the file.
    pub bytes: u64,
    /// BLAKE3 of the file.
    pub file: [u8; 32],
    /// BLAKE3 of one byte a board in index order.
    pub content: [u8; 32],
    /// How often each value or distance occurs.
    pub counts: Counts,
}

/// Writes a table: to a temporary name beside it, synced, and renamed. The same bytes come out
/// whatever the number of threads.
///
/// `bytes` holds one byte a board in index order, a value as `i8` or a distance. With `side`, one
/// number a board that the reader will know too (see [`Model::train`]), the table is an archive.
///
/// # Errors
/// When the system refuses; nothing then stands under `path` that was not there before.
///
/// # Panics
/// When `bytes` or `side` is not one for each board, or a value is not between minus and plus
/// the number of seeds.
pub fn write_table(
    path: &Path,
    subject: &Subject,
    features: &Features,
    bytes: &[u8],
    side: Option<&[i8]>,
    threads: usize,
) -> Result<Written, TableError> {
    let mode = if side.is_some() { Mode::Archive } else { Mode::Tables };
    let geometry = Geometry::new(subject.seeds, mode.tile_size());
    let content = *blake3::hash(bytes).as_bytes();
    let mut counter = Counter::default();
    counter.add(bytes);
    let counts = counter.counts(subject.kind.quantity);
    let shift = symbol_shift(subject);
    let symbols = Shifted { bytes, shift };
    let model = Model::train(&geometry, features, &symbols, &counter.symbols(shift), side);
    let tiles = Tiles { geometry: &geometry, features, model: &model, symbols: &symbols, side };
    let mut header = Header {
        subject: *subject,
        mode,
        counts: counts.clone(),
        content,
        model: model.to_bytes(),
        tiles: Vec::with_capacity(geometry.count()),
    };
    let start = header.length_with(geometry.count());
    let mut hash = [0; 32];
    replace_with(path, |file| {
        // Tiles first, so that not all of them are held until their lengths are known.
        file.seek(SeekFrom::Start(start))?;
        tiles.each(0..geometry.count(), threads, |part| {
            header.tiles.extend(&part.lengths);
            file.write_all(&part.bytes)
        })?;
        file.rewind()?;
        file.write_all(&header.to_bytes())?;
        hash = hash_of(file)?;
        Ok(())
    })?;
    Ok(Written { bytes: start + header.data_length(), file: hash, content, counts })
}

/// The hash of a whole file.
pub(crate) fn hash_of(file: &mut File) -> io::Result<[u8; 32]> {
    let mut hasher = blake3::Hasher::new();
    let mut block = vec![0; 1 << 20];
    file.rewind()?;
    loop {
        match file.read(&mut block)? {
            0 => return Ok(*hasher.finalize().as_bytes()),
            read => hasher.update(&block[..read]),
        };
    }
}

/// Some consecutive tiles with their checksums.
#[derive(Default)]
pub(crate) struct Part {
    /// Bytes of each tile, without its checksum.
    pub(crate) lengths: Vec<u16>,
    pub(crate) bytes: Vec<u8>,
}

/// What tiles are coded from.
pub(crate) struct Tiles<'a> {
    pub(crate) geometry: &'a Geometry,
    pub(crate) features: &'a Features,
    pub(crate) model: &'a Model,
    pub(crate) symbols: &'a dyn Symbols,
    pub(crate) side: Option<&'a [i8]>,
}

impl Tiles<'_> {
    /// Codes consecutive tiles and shows them in order, some at a time.
    pub(crate) fn each(
        &self,
        range: Range<usize>,
        threads: usize,
        mut show: impl FnMut(&Part) -> io::Result<()>,
    ) -> io::Result<()> {
        for first in range.clone().step_by(WINDOW) {
            let coded = self.encode(first..range.end.min(first + WINDOW), threads);
            coded.iter().try_for_each(&mut show)?;
        }
        Ok(())
    }

    /// Codes consecutive tiles.
    fn encode(&self, range: Range<usize>, threads: usize) -> Vec<Part> {
        let next = AtomicUsize::new(range.start);
        let done: Mutex<Vec<(usize, Part)>> = Mutex::default();
        let work = || {
            loop {
                let first = next.fetch_add(CLAIM, Relaxed);
                if first >= range.end {
                    return;
                }
                let mut part = Part::default();
                for number in first..range.end.min(first + CLAIM) {
                    let tile = self.geometry.tile(number);
                    let symbols = self.symbols.tile(&tile);
                    let side = self.side.map(|side| tile.cut(side));
                    let start = part.bytes.len();
                    let (features, bytes) = (self.features, &mut part.bytes);
                    self.model.encode_tile(features, &tile, &symbols, side.as_deref(), bytes);
                    part.lengths.push((part.bytes.len() - start) as u16);
                    let sum = crc32fast::hash(&part.bytes[start..]);
                    part.bytes.extend(sum.to_le_bytes());
                }
                if let Ok(mut done) = done.lock() {
                    done.push((first, part));
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        let mut parts = done.into_inner().unwrap_or_default();
        parts.sort_unstable_by_key(|&(first, _)| first);
        parts.into_iter().map(|(_, part)| part).collect()
    }
}

/// Where a file is written before it gets its name.
pub(crate) fn temporary(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    path.with_file_name(name)
}

/// Puts a file with this content in place of what is there: all of it or nothing.
pub(crate) fn replace<'a>(
    path: &Path,
    parts: impl Iterator<Item = &'a [u8]>,
) -> Result<(), TableError> {
    replace_with(path, |file| parts.into_iter().try_for_each(|part| file.write_all(part)))
}

/// The same with what `write` writes.
pub(crate) fn replace_with(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), TableError> {
    replace_file(path, write).map_err(TableError::io(path))
}

/// Puts a file with what `write` writes in place of what is there, all of it or nothing: under a
/// temporary name beside it, synced, and renamed.
///
/// # Errors
/// When the system or `write` refuses; what was there before then still is.
pub fn replace_file(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let new = temporary(path);
    let mut options = File::options();
    let file = options.create(true).truncate(true).read(true).write(true).open(&new);
    let written = file.and_then(|mut file| {
        write(&mut file)?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        match path.parent() {
            Some(parent) if cfg!(unix) => File::open(parent)?.sync_all(),
            _ => Ok(()),
        }
    });
    written.inspect_err(|_| {
        // The fault is told; that the leftover may stay does not matter, it is overwritten.
        let _ = fs::remove_file(&new);
    })
}
