//! Reading one table file: by single boards, or whole.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use crate::codec::{Features, Geometry, Model, Tile};
use crate::count::count;
use crate::error::{Subject, TableError};
use crate::header::{Header, Mode, symbol_shift};
use crate::layer::{Houses, rows};
use crate::positioned::read_at;
use crate::rows::rank;

/// Tiles between two whole offsets; in between lengths are added up.
const STRIDE: usize = 64;
/// Tiles that a worker takes at a time when a whole file is read.
const CLAIM: usize = 256;

/// An open table file. Header and model are in memory and checked; tiles are read when asked for,
/// each checked by itself.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    file: File,
    header: Header,
    geometry: Geometry,
    model: Model,
    features: Arc<Features>,
    /// Where every `STRIDE`th tile starts in the file.
    starts: Vec<u64>,
}

impl TableFile {
    /// Opens a table and checks everything but the tiles.
    ///
    /// # Errors
    /// When the file is missing, no table, damaged, of another version, or not of `subject`.
    ///
    /// # Panics
    /// When `features` are for other rules or fewer seeds than `subject`.
    pub fn open(
        path: &Path,
        subject: &Subject,
        features: Arc<Features>,
    ) -> Result<TableFile, TableError> {
        assert!(features.seeds() >= subject.seeds && features.rules() == subject.rules);
        let (file, header) = read_header(path)?;
        if header.subject != *subject {
            return Err(TableError::Foreign {
                path: path.to_owned(),
                found: header.subject.to_string(),
                expected: subject.to_string(),
            });
        }
        let geometry = Geometry::new(subject.seeds, header.mode.tile_size());
        if geometry.count() != header.tiles.len() {
            return Err(TableError::damaged(path, "the number of tiles is not that of the layer"));
        }
        let model = Model::from_bytes(&header.model)
            .map_err(|error| TableError::damaged(path, error.to_string()))?;
        if model.wants_side() != (header.mode == Mode::Archive) {
            return Err(TableError::damaged(path, "the model is for another mode"));
        }
        let mut next = header.length();
        let mut starts = Vec::with_capacity(header.tiles.len() / STRIDE + 1);
        for (number, &length) in header.tiles.iter().enumerate() {
            if number % STRIDE == 0 {
                starts.push(next);
            }
            next += u64::from(length) + 4;
        }
        Ok(TableFile { path: path.to_owned(), file, header, geometry, model, features, starts })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What stands before the tiles.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The byte of one board: a value (as `i8`) or a distance.
    ///
    /// # Errors
    /// When the file cannot be read, the board's tile is damaged, or the table is an archive.
    ///
    /// # Panics
    /// When the board is not of this layer.
    pub fn probe(&self, houses: &Houses) -> Result<u8, TableError> {
        if self.header.mode == Mode::Archive {
            return Err(TableError::Archive { path: self.path.clone() });
        }
        let (mover, opponent) = rows(houses);
        let total = |row: &[u8]| row.iter().map(|&seeds| usize::from(seeds)).sum::<usize>();
        let (mine, theirs) = (total(&mover), total(&opponent));
        assert_eq!(mine + theirs, self.header.subject.seeds, "{houses:?}");
        let (number, place) = self.geometry.locate(mine, rank(&opponent), rank(&mover));
        let mut symbols = Vec::with_capacity(place + 1);
        self.decode(number, None, place, &mut symbols)?;
        Ok(self.byte_of(symbols[place]))
    }

    /// Every board's byte in index order. An archive needs what it was written with: see
    /// [`write_table`](crate::write_table).
    ///
    /// # Errors
    /// When the file cannot be read, a tile is damaged, or the bytes are not those that the
    /// header's content hash and counts speak of.
    pub fn read_all(&self, side: Option<&[i8]>, threads: usize) -> Result<Vec<u8>, TableError> {
        let size = self.geometry.layer().size() as usize;
        if side.is_some() != (self.header.mode == Mode::Archive) {
            return Err(TableError::Archive { path: self.path.clone() });
        }
        let mut bytes = vec![0u8; size];
        let tiles = self.geometry.count();
        let next = AtomicUsize::new(0);
        let failed = Mutex::new(None);
        let done: Mutex<Vec<(usize, Vec<u8>)>> = Mutex::default();
        // Workers decode stretches of tiles; the rows are put in place afterwards, in turn.
        let round = CLAIM * threads.max(1) * 8;
        for first in (0..tiles).step_by(round) {
            let end = tiles.min(first + round);
            next.store(first, Relaxed);
            std::thread::scope(|scope| {
                for _ in 0..threads.max(1) {
                    scope.spawn(|| self.decode_some(&next, end, side, &failed, &done));
                }
            });
            if let Some(error) = lock(&failed).take() {
                return Err(error);
            }
            for (first, symbols) in lock(&done).drain(..) {
                self.put(first, end, &symbols, &mut bytes);
            }
        }
        self.check_content(&bytes)?;
        Ok(bytes)
    }

    fn decode_some(
        &self,
        next: &AtomicUsize,
        end: usize,
        side: Option<&[i8]>,
        failed: &Mutex<Option<TableError>>,
        done: &Mutex<Vec<(usize, Vec<u8>)>>,
    ) {
        loop {
            let first = next.fetch_add(CLAIM, Relaxed);
            if first >= end {
                return;
            }
            let mut symbols = Vec::new();
            for number in first..end.min(first + CLAIM) {
                if let Err(error) = self.decode(number, side, usize::MAX, &mut symbols) {
                    *lock(failed) = Some(error);
                    next.store(end, Relaxed);
                    return;
                }
            }
            lock(done).push((first, symbols));
        }
    }

    /// Puts the symbols of consecutive tiles to their places in the layer.
    fn put(&self, first: usize, end: usize, symbols: &[u8], bytes: &mut [u8]) {
        let mut rest = symbols;
        for number in first..end.min(first + CLAIM) {
            let tile = self.geometry.tile(number);
            for start in tile.runs() {
                let (row, after) = rest.split_at(tile.mover_rows);
                let start = start as usize;
                for (slot, &symbol) in bytes[start..start + row.len()].iter_mut().zip(row) {
                    *slot = self.byte_of(symbol);
                }
                rest = after;
            }
        }
    }

    /// How the layer is cut.
    pub(crate) fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Reads consecutive tiles at once and shows the symbols of each.
    pub(crate) fn decode_tiles(
        &self,
        first: usize,
        count: usize,
        show: &mut dyn FnMut(&Tile, &[u8]),
        symbols: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        let lengths = &self.header.tiles[first..first + count];
        let all: u64 = lengths.iter().map(|&length| u64::from(length) + 4).sum();
        let mut code = vec![0; all as usize];
        read_at(&self.file, &mut code, self.start(first)).map_err(TableError::io(&self.path))?;
        let mut rest = &code[..];
        for (number, &length) in (first..).zip(lengths) {
            let (tile_code, after) = rest.split_at(usize::from(length) + 4);
            rest = after;
            let tile = self.geometry.tile(number);
            symbols.clear();
            self.decode_code(number, self.checked(number, tile_code)?, None, usize::MAX, symbols)?;
            show(&tile, symbols);
        }
        Ok(())
    }

    pub(crate) fn byte_of(&self, symbol: u8) -> u8 {
        symbol.wrapping_sub(symbol_shift(&self.header.subject))
    }

    fn decode(
        &self,
        number: usize,
        side: Option<&[i8]>,
        upto: usize,
        symbols: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        let code = self.read_tile(number)?;
        self.decode_code(number, &code, side, upto, symbols)
    }

    fn decode_code(
        &self,
        number: usize,
        code: &[u8],
        side: Option<&[i8]>,
        upto: usize,
        symbols: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        let tile = self.geometry.tile(number);
        let side: Option<Vec<i8>> = side.map(|side| {
            let row = |start: u64| &side[start as usize..start as usize + tile.mover_rows];
            tile.runs().flat_map(row).copied().collect()
        });
        self.model
            .decode_tile(&self.features, &tile, code, side.as_deref(), symbols, upto)
            .map_err(|error| TableError::damaged(&self.path, format!("tile {number}: {error}")))
    }

    /// The bytes of a tile, after a look at their checksum.
    fn read_tile(&self, number: usize) -> Result<Vec<u8>, TableError> {
        let mut code = vec![0; usize::from(self.header.tiles[number]) + 4];
        read_at(&self.file, &mut code, self.start(number)).map_err(TableError::io(&self.path))?;
        let length = self.checked(number, &code)?.len();
        code.truncate(length);
        Ok(code)
    }

    /// Where a tile starts in the file.
    fn start(&self, number: usize) -> u64 {
        let first = number / STRIDE * STRIDE;
        let skipped = &self.header.tiles[first..number];
        let skipped: u64 = skipped.iter().map(|&length| u64::from(length) + 4).sum();
        self.starts[number / STRIDE] + skipped
    }

    /// The code of a tile without its checksum, which fits.
    fn checked<'a>(&self, number: usize, code: &'a [u8]) -> Result<&'a [u8], TableError> {
        let (bytes, sum) = code.split_at(code.len() - 4);
        if crc32fast::hash(bytes).to_le_bytes() != sum {
            let what = format!("the checksum of tile {number} does not fit");
            return Err(TableError::damaged(&self.path, what));
        }
        Ok(bytes)
    }

    fn check_content(&self, bytes: &[u8]) -> Result<(), TableError> {
        if *blake3::hash(bytes).as_bytes() != self.header.content {
            let what = "the content hash does not fit the boards";
            return Err(TableError::damaged(&self.path, what));
        }
        if count(self.header.subject.kind.quantity, bytes) != self.header.counts {
            return Err(TableError::damaged(&self.path, "the counts do not fit the boards"));
        }
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The header of a table, whatever it is of.
///
/// # Errors
/// When the file is missing, no table, damaged before the tiles, or of another version.
pub fn read_header(path: &Path) -> Result<(File, Header), TableError> {
    use std::io::Read;
    let mut file = File::open(path).map_err(TableError::io(path))?;
    let length = file.metadata().map_err(TableError::io(path))?.len();
    let header = Header::read(path, length, |bytes| file.read_exact(bytes))?;
    Ok((file, header))
}
