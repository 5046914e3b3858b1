//! Reading one table file: by single boards, or whole.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use crate::ahead;
use crate::cache::{Found, Key, TileCache};
use crate::codec::{Features, Geometry, Model, Tile};
use crate::count::count;
use crate::error::{Subject, TableError};
use crate::header::{Header, Mode, symbol_shift};
use crate::layer::{Houses, rows};
use crate::places::Places;
use crate::positioned::read_at;
use crate::rows::rank;

/// Tiles that a worker takes at a time when a whole file is read.
const CLAIM: usize = 256;

/// An open table file. Header and model are in memory and checked; tiles are read when asked for,
/// each checked by itself, and may be kept in a [`TileCache`].
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    file: File,
    header: Header,
    geometry: Geometry,
    model: Model,
    features: Arc<Features>,
    places: Places,
    /// Decoded tiles, and by which number they are this table's.
    cache: Option<(Arc<TileCache>, u32)>,
    /// Whether the system can say at once that a tile is not in its memory.
    asks: AtomicBool,
}

/// Where a board is: the number of its tile, and its own in the tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    tile: usize,
    board: usize,
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
        let (file, mut header) = read_header(path)?;
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
        let places = Places::new(header.length(), std::mem::take(&mut header.tiles));
        let (path, asks) = (path.to_owned(), AtomicBool::new(true));
        Ok(TableFile { path, file, header, geometry, model, features, places, cache: None, asks })
    }

    /// The same with decoded tiles kept in a cache, which other tables may share.
    #[must_use]
    pub fn with_cache(self, cache: &Arc<TileCache>) -> TableFile {
        let own = (Arc::clone(cache), cache.new_table());
        TableFile { cache: (!cache.is_off()).then_some(own), ..self }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What stands before the tiles, but for their lengths, which are kept in another form:
    /// [`Header::tiles`] is empty.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Bytes of memory that the open table takes, without the cache.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<TableFile>() + self.places.bytes() + self.model.bytes() + self.header.model.len()
    }

    /// The byte of one board: a value (as `i8`) or a distance.
    ///
    /// # Errors
    /// When the file cannot be read, the board's tile is damaged, or the table is an archive.
    ///
    /// # Panics
    /// When the board is not of this layer.
    pub fn probe(&self, houses: &Houses) -> Result<u8, TableError> {
        self.probe_at(self.spot(houses)?)
    }

    /// Where a board is.
    ///
    /// # Errors
    /// When the table is an archive.
    pub(crate) fn spot(&self, houses: &Houses) -> Result<Spot, TableError> {
        if self.header.mode == Mode::Archive {
            return Err(TableError::Archive { path: self.path.clone() });
        }
        let (mover, opponent) = rows(houses);
        let total = |row: &[u8]| row.iter().map(|&seeds| usize::from(seeds)).sum::<usize>();
        let (mine, theirs) = (total(&mover), total(&opponent));
        assert_eq!(mine + theirs, self.header.subject.seeds, "{houses:?}");
        let (tile, board) = self.geometry.locate(mine, rank(&opponent), rank(&mover));
        Ok(Spot { tile, board })
    }

    /// The byte of the board at a spot.
    pub(crate) fn probe_at(&self, spot: Spot) -> Result<u8, TableError> {
        let found = self.look(spot);
        if let Found::Symbol(symbol) = found {
            return Ok(self.byte_of(symbol));
        }
        self.decode_at(spot, found, &self.read_tile(spot.tile)?)
    }

    /// The byte of the board at a spot if that takes no waiting for a disk. Else the system is
    /// asked to fetch the tile meanwhile, where it can be asked.
    pub(crate) fn probe_now(&self, spot: Spot) -> Result<Option<u8>, TableError> {
        let found = self.look(spot);
        if let Found::Symbol(symbol) = found {
            return Ok(Some(self.byte_of(symbol)));
        }
        let (start, length) = self.places.of(spot.tile);
        let mut code = vec![0; length + 4];
        if !ahead::read_now(&self.file, &self.asks, &mut code, start) {
            ahead::fetch(&self.file, start, code.len());
            return Ok(None);
        }
        self.decode_at(spot, found, self.checked(spot.tile, &code)?).map(Some)
    }

    fn key(&self, table: u32, tile: usize) -> Key {
        // A file says with 32 bits how many tiles it has.
        Key { table, tile: tile as u32 }
    }

    fn look(&self, spot: Spot) -> Found {
        let Some((cache, table)) = &self.cache else { return Found::Nothing };
        cache.find(self.key(*table, spot.tile), spot.board)
    }

    /// Decodes the tile of a spot as far as need be; to its end, which takes twice as long, where
    /// it is asked for again. Only what came out without a fault is kept.
    fn decode_at(&self, spot: Spot, found: Found, code: &[u8]) -> Result<u8, TableError> {
        let upto = if found == Found::Short { usize::MAX } else { spot.board };
        let mut symbols = Vec::new();
        self.decode_code(spot.tile, code, None, upto, &mut symbols)?;
        if let Some((cache, table)) = &self.cache {
            cache.keep(self.key(*table, spot.tile), &symbols);
        }
        Ok(self.byte_of(symbols[spot.board]))
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
        let Some(last) = (first + count).checked_sub(1) else { return Ok(()) };
        let (start, (end, length)) = (self.places.of(first).0, self.places.of(last));
        let mut code = vec![0; (end - start) as usize + length + 4];
        read_at(&self.file, &mut code, start).map_err(TableError::io(&self.path))?;
        let mut rest = &code[..];
        for number in first..first + count {
            let (code, after) = rest.split_at(self.places.of(number).1 + 4);
            rest = after;
            let code = self.checked(number, code)?;
            symbols.clear();
            self.decode_code(number, code, None, usize::MAX, symbols)?;
            show(&self.geometry.tile(number), symbols);
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
        let (start, length) = self.places.of(number);
        let mut code = vec![0; length + 4];
        read_at(&self.file, &mut code, start).map_err(TableError::io(&self.path))?;
        let length = self.checked(number, &code)?.len();
        code.truncate(length);
        Ok(code)
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
