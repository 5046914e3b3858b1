//! One table file, written by several programs that share a file system.
//!
//! Each puts the boards that it knows at their places in a common file of one byte a board, codes
//! a range of tiles from that file into a file of its own, and one of them joins these. Between
//! these steps they wait for each other, which is not done here. The table that comes out is that
//! of [`write_table`](crate::write_table), byte for byte.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::codec::{Features, Geometry, Model, Symbols, Tile, shifted};
use crate::count::Counter;
use crate::error::{Subject, TableError};
use crate::header::{Header, Mode, symbol_shift};
use crate::positioned::{read_at, write_at};
use crate::write::{Tiles, Written, replace_with, temporary};
use crate::{Counts, Layer};

/// Bytes read or copied at a time.
const BLOCK: usize = 1 << 20;

/// The common file of one byte a board.
#[derive(Debug)]
pub struct RawLayer {
    path: PathBuf,
    file: File,
    subject: Subject,
}

/// What the tiles of a table are coded with, the same for all who code them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    content: [u8; 32],
    counts: Counts,
    model: Vec<u8>,
}

impl RawLayer {
    /// Where the common file of a table stands: beside it, under a name that a build removes.
    fn path_for(table: &Path) -> PathBuf {
        temporary(&table.with_extension("raw"))
    }

    /// Makes the common file of a table, as long as it will be. To be done by one.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn create(table: &Path, subject: &Subject) -> Result<RawLayer, TableError> {
        let path = RawLayer::path_for(table);
        let mut options = File::options();
        let file = options.create(true).truncate(true).read(true).write(true).open(&path);
        let file = file.and_then(|file| {
            file.set_len(Layer::new(subject.seeds).size())?;
            Ok(file)
        });
        let file = file.map_err(TableError::io(&path))?;
        Ok(RawLayer { path, file, subject: *subject })
    }

    /// Opens the common file of a table, which was made before.
    ///
    /// # Errors
    /// When it is not there, or the system refuses.
    pub fn open(table: &Path, subject: &Subject) -> Result<RawLayer, TableError> {
        let path = RawLayer::path_for(table);
        let file = File::options().read(true).write(true).open(&path);
        Ok(RawLayer { file: file.map_err(TableError::io(&path))?, path, subject: *subject })
    }

    /// Puts the bytes of consecutive boards at their place.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn put(&self, first_index: u64, bytes: &[u8]) -> Result<(), TableError> {
        write_at(&self.file, bytes, first_index).map_err(TableError::io(&self.path))
    }

    /// Returns when what was put can be read by others.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn sync(&self) -> Result<(), TableError> {
        self.file.sync_all().map_err(TableError::io(&self.path))
    }

    /// Learns what the tiles are coded with, from all boards. To be done by one, for all.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn draft(&self, features: &Features) -> Result<Draft, TableError> {
        let mut hasher = blake3::Hasher::new();
        let mut counter = Counter::default();
        let mut block = vec![0; BLOCK];
        let size = Layer::new(self.subject.seeds).size();
        for start in (0..size).step_by(BLOCK) {
            let block = &mut block[..(size - start).min(BLOCK as u64) as usize];
            read_at(&self.file, block, start).map_err(TableError::io(&self.path))?;
            hasher.update(block);
            counter.add(block);
        }
        let content = *hasher.finalize().as_bytes();
        let counts = counter.counts(self.subject.kind.quantity);
        let symbols = self.symbols();
        let counted = counter.symbols(symbols.shift);
        let model = Model::train(&self.geometry(), features, &symbols, &counted, None).to_bytes();
        symbols.end()?;
        Ok(Draft { content, counts, model })
    }

    /// Codes part `part` of `parts` of the tiles into a file of its own.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn encode(
        &self,
        draft: &Draft,
        features: &Features,
        part: usize,
        parts: usize,
        threads: usize,
    ) -> Result<(), TableError> {
        let geometry = self.geometry();
        let share =
            |part: usize| (geometry.count() as u128 * part as u128 / parts as u128) as usize;
        let damaged = |_| TableError::damaged(&self.path, "the model cannot be read");
        let model = Model::from_bytes(&draft.model).map_err(damaged)?;
        let symbols = self.symbols();
        let tiles =
            Tiles { geometry: &geometry, features, model: &model, symbols: &symbols, side: None };
        let path = self.part_path(part);
        let mut lengths: Vec<u16> = Vec::new();
        let written = File::create(&path).and_then(|file| {
            let mut file = BufWriter::new(file);
            tiles.each(share(part)..share(part + 1), threads, |coded| {
                lengths.extend(&coded.lengths);
                file.write_all(&coded.bytes)
            })?;
            file.write_all(&lengths.iter().flat_map(|l| l.to_le_bytes()).collect::<Vec<u8>>())?;
            file.write_all(&(lengths.len() as u64).to_le_bytes())?;
            file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
        });
        symbols.end()?;
        written.map_err(TableError::io(&path))
    }

    /// Joins the coded parts to the table, and removes them and the common file. To be done by
    /// one, when all parts are coded.
    ///
    /// # Errors
    /// When a part is not there or damaged, or the system refuses; nothing then stands under
    /// `table` that was not there before.
    pub fn join(self, table: &Path, draft: Draft, parts: usize) -> Result<Written, TableError> {
        let mut all = Vec::new();
        let mut tiles = Vec::new();
        for part in 0..parts {
            let path = self.part_path(part);
            let (file, lengths) = open_part(&path).map_err(TableError::io(&path))?;
            let data: u64 = lengths.iter().map(|&length| u64::from(length) + 4).sum();
            tiles.extend(lengths);
            all.push((file, data));
        }
        let Draft { content, counts, model, .. } = draft;
        let (mode, subject) = (Mode::Tables, self.subject);
        let header = Header { subject, mode, counts: counts.clone(), content, model, tiles };
        if header.tiles.len() != self.geometry().count() {
            return Err(TableError::damaged(&self.path, "its parts are not those of the layer"));
        }
        let start = header.to_bytes();
        let mut hasher = blake3::Hasher::new();
        hasher.update(&start);
        replace_with(table, |table| {
            table.write_all(&start)?;
            let mut block = vec![0; BLOCK];
            for (file, data) in all {
                let mut data = BufReader::new(file).take(data);
                loop {
                    let read = data.read(&mut block)?;
                    if read == 0 {
                        break;
                    }
                    hasher.update(&block[..read]);
                    table.write_all(&block[..read])?;
                }
            }
            Ok(())
        })?;
        // What stays is removed by the next build.
        (0..parts).for_each(|part| drop(fs::remove_file(self.part_path(part))));
        drop(fs::remove_file(&self.path));
        let bytes = start.len() as u64 + header.data_length();
        Ok(Written { bytes, file: *hasher.finalize().as_bytes(), content, counts })
    }

    fn geometry(&self) -> Geometry {
        Geometry::new(self.subject.seeds, Mode::Tables.tile_size())
    }

    fn part_path(&self, part: usize) -> PathBuf {
        let mut name = self.path.file_stem().unwrap_or_default().to_owned();
        name.push(format!("-{part}.new"));
        self.path.with_file_name(name)
    }

    fn symbols(&self) -> RawSymbols<'_> {
        RawSymbols { raw: self, shift: symbol_shift(&self.subject), failed: Mutex::default() }
    }
}

impl Draft {
    /// BLAKE3 of one byte a board in index order.
    #[must_use]
    pub const fn content(&self) -> [u8; 32] {
        self.content
    }

    /// To be given to others.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut all = self.content.to_vec();
        all.extend(&self.model);
        all
    }

    /// What one who joins nothing needs of a draft: it cannot be joined with. `None` when these
    /// are not the bytes of a draft.
    #[must_use]
    pub fn from_bytes(all: &[u8]) -> Option<Draft> {
        let (content, model) = all.split_first_chunk::<32>()?;
        Some(Draft { content: *content, counts: Vec::new(), model: model.to_vec() })
    }
}

/// A coded part: its data at the start, and the lengths of its tiles.
fn open_part(path: &Path) -> io::Result<(File, Vec<u16>)> {
    let file = File::open(path)?;
    let short = || io::Error::from(io::ErrorKind::UnexpectedEof);
    let end = file.metadata()?.len().checked_sub(8).ok_or_else(short)?;
    let mut count = [0; 8];
    read_at(&file, &mut count, end)?;
    let length = u64::from_le_bytes(count).checked_mul(2).filter(|&length| length <= end);
    let length = length.ok_or_else(short)?;
    let mut bytes = vec![0; length as usize];
    read_at(&file, &mut bytes, end - length)?;
    let lengths = bytes.chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    Ok((file, lengths))
}

/// The symbols of the boards in a common file.
struct RawSymbols<'a> {
    raw: &'a RawLayer,
    shift: u8,
    failed: Mutex<Option<io::Error>>,
}

impl RawSymbols<'_> {
    /// The first error of reading, if there was one.
    fn end(self) -> Result<(), TableError> {
        match self.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(TableError::io(&self.raw.path)(error)),
            None => Ok(()),
        }
    }
}

impl Symbols for RawSymbols<'_> {
    fn tile(&self, tile: &Tile) -> Vec<u8> {
        let mut bytes = vec![0; tile.len()];
        for (row, start) in bytes.chunks_mut(tile.mover_rows).zip(tile.runs()) {
            if let Err(error) = read_at(&self.raw.file, row, start) {
                let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
                failed.get_or_insert(error);
            }
        }
        shifted(bytes, self.shift)
    }
}
