//! Decoded tiles that are kept in memory, within a limit, for all tables that share them.
//!
//! The cache is cut into small sets, each with a lock of its own. Where a tile may lie follows from
//! its table and number; within a set the one that was asked for the longest ago makes room. A set
//! takes memory when its first tile comes, and all sets together fit into the limit, so that it
//! holds at any moment and under any number of threads.
//!
//! A tile is kept as far as it was decoded, for a probe stops at the board that was asked for.

use std::fmt;
use std::mem::size_of;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::codec::TileSize;

/// Tiles of a set.
const WAYS: usize = 8;
/// Boards of a tile, at most.
const BOARDS: usize = TileSize::Small.boards();
/// What the allocator keeps beside the tiles of a set, at most, in bytes.
const BESIDE: usize = 16;
/// Bytes that a set takes in all.
const SET: usize = size_of::<Place>() + size_of::<Set>() + BESIDE;

type Place = Mutex<Option<Box<Set>>>;

/// A tile of a table: what the cache finds it by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// What [`TileCache::new_table`] gave.
    pub(crate) table: u32,
    /// Number of the tile.
    pub(crate) tile: u32,
}

impl Key {
    /// A number that is as good as random (the end of SplitMix64).
    fn hash(self) -> u64 {
        let mixed = u64::from(self.table) << 32 | u64::from(self.tile);
        let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}

/// What the cache has of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Its symbol.
    Symbol(u8),
    /// The tile was decoded, but not as far as this board.
    Short,
    /// Nothing.
    Nothing,
}

/// Some tiles.
struct Set {
    keys: [Key; WAYS],
    /// How many symbols are there; 0 where there is no tile.
    lengths: [u8; WAYS],
    /// Numbers of the tiles, the one that was asked for last first.
    order: [u8; WAYS],
    symbols: [[u8; BOARDS]; WAYS],
}

impl Set {
    fn new() -> Set {
        Set {
            keys: [Key { table: 0, tile: 0 }; WAYS],
            lengths: [0; WAYS],
            order: std::array::from_fn(|way| way as u8),
            symbols: [[0; BOARDS]; WAYS],
        }
    }

    fn find(&self, key: Key) -> Option<usize> {
        (0..WAYS).find(|&way| self.keys[way] == key && self.lengths[way] > 0)
    }

    /// Puts a tile to the front of the order.
    fn touch(&mut self, way: usize) {
        let place = self.order.iter().position(|&other| usize::from(other) == way);
        self.order[..=place.unwrap_or(WAYS - 1)].rotate_right(1);
    }
}

/// What a cache has done since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheCounts {
    /// Boards that were found.
    pub hits: u64,
    /// Boards for which a tile was decoded.
    pub misses: u64,
    /// Tiles that made room for others.
    pub evicted: u64,
}

/// Decoded tiles in memory, within a limit. Shared by as many tables and threads as like.
pub struct TileCache {
    /// How many sets there may be.
    most: usize,
    /// Made when the first tile comes, so that a cache costs nothing where none does.
    sets: OnceLock<Box<[Place]>>,
    tables: AtomicU32,
    taken: AtomicU64,
    hits: AtomicU64,
    misses: AtomicU64,
    evicted: AtomicU64,
}

impl TileCache {
    /// The limit where nothing else is said, in bytes: 64 MiB.
    pub const DEFAULT: u64 = 64 << 20;

    /// A cache of at most so many bytes, all its own included; 0 keeps nothing, and so does
    /// anything below the 1.7 KB of one set.
    #[must_use]
    pub fn new(limit: u64) -> TileCache {
        let sets = usize::try_from(limit).unwrap_or(usize::MAX).saturating_sub(size_of::<Self>());
        let (most, sets) = (sets / SET, OnceLock::new());
        let [taken, hits, misses, evicted] = [const { AtomicU64::new(0) }; 4];
        TileCache { most, sets, tables: AtomicU32::new(0), taken, hits, misses, evicted }
    }

    /// Whether nothing can be kept.
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.most == 0
    }

    /// Bytes of memory taken now.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let places = self.sets.get().map_or(0, |sets| sets.len());
        let fixed = size_of::<Self>() + places * size_of::<Place>();
        let set = (size_of::<Set>() + BESIDE) as u64;
        fixed as u64 + self.taken.load(Relaxed) * set
    }

    /// What was done so far.
    #[must_use]
    pub fn counts(&self) -> CacheCounts {
        let [hits, misses, evicted] =
            [&self.hits, &self.misses, &self.evicted].map(|count| count.load(Relaxed));
        CacheCounts { hits, misses, evicted }
    }

    /// A number for a table that was opened. None is given twice, so that what was read from a
    /// file is never taken for what stands in another, be it of the same name.
    pub(crate) fn new_table(&self) -> u32 {
        self.tables.fetch_add(1, Relaxed)
    }

    /// Looks for a board of a tile.
    pub(crate) fn find(&self, key: Key, board: usize) -> Found {
        let Some(mut place) = self.place(key) else { return Found::Nothing };
        let Some(set) = place.as_deref_mut() else { return Found::Nothing };
        let Some(way) = set.find(key) else { return Found::Nothing };
        set.touch(way);
        match board < usize::from(set.lengths[way]) {
            true => {
                self.hits.fetch_add(1, Relaxed);
                Found::Symbol(set.symbols[way][board])
            }
            false => Found::Short,
        }
    }

    /// Keeps the first symbols of a tile, which was decoded because they were missing; nothing
    /// changes where another thread was faster.
    pub(crate) fn keep(&self, key: Key, symbols: &[u8]) {
        self.misses.fetch_add(1, Relaxed);
        let Some(mut place) = self.place(key).filter(|_| symbols.len() <= BOARDS) else { return };
        let set = place.get_or_insert_with(|| {
            self.taken.fetch_add(1, Relaxed);
            Box::new(Set::new())
        });
        let way = set.find(key).unwrap_or_else(|| {
            let last = usize::from(set.order[WAYS - 1]);
            self.evicted.fetch_add(u64::from(set.lengths[last] > 0), Relaxed);
            (set.keys[last], set.lengths[last]) = (key, 0);
            last
        });
        set.touch(way);
        if symbols.len() > usize::from(set.lengths[way]) {
            set.symbols[way][..symbols.len()].copy_from_slice(symbols);
            set.lengths[way] = symbols.len() as u8;
        }
    }

    /// The set of a tile, locked; `None` when the cache is off.
    fn place(&self, key: Key) -> Option<MutexGuard<'_, Option<Box<Set>>>> {
        if self.is_off() {
            return None;
        }
        let sets = self.sets.get_or_init(|| (0..self.most).map(|_| Mutex::new(None)).collect());
        let number = (u128::from(key.hash()) * sets.len() as u128) >> 64;
        // Each change of a set leaves it whole, so a thread that died in one did no harm.
        Some(sets.get(number as usize)?.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Default for TileCache {
    fn default() -> TileCache {
        TileCache::new(TileCache::DEFAULT)
    }
}

impl fmt::Debug for TileCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sets, bytes) = (self.most, self.bytes());
        write!(f, "TileCache {{ sets: {sets}, bytes: {bytes}, {:?} }}", self.counts())
    }
}

#[cfg(test)]
mod tests {
    use oware_testkit::TestRng;

    use super::*;

    /// What every tile holds in these tests.
    fn symbol(key: Key, board: usize) -> u8 {
        (key.hash() >> (board % 50)) as u8
    }

    #[test]
    fn the_limit_holds_under_many_threads_and_nothing_is_mixed_up() {
        let mut rng = TestRng::from_env("the_limit_holds_under_many_threads");
        for limit in [SET * 2, SET * 3 + 500, 50_000, 700_000] {
            let cache = TileCache::new(limit as u64);
            let seeds: Vec<u64> = (0..6).map(|_| rng.next_u64()).collect();
            std::thread::scope(|scope| {
                for seed in seeds {
                    let cache = &cache;
                    scope.spawn(move || use_randomly(cache, seed, limit as u64));
                }
            });
            let CacheCounts { hits, misses, evicted } = cache.counts();
            assert!(hits > 0 && misses > 0 && (evicted > 0) == (limit < 700_000), "{cache:?}");
        }
    }

    fn use_randomly(cache: &TileCache, seed: u64, limit: u64) {
        let mut state = seed | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as usize
        };
        for _ in 0..20_000 {
            let key = Key { table: (next() % 3) as u32, tile: (next() % 50) as u32 };
            let board = next() % BOARDS;
            if let Found::Symbol(found) = cache.find(key, board) {
                assert_eq!(found, symbol(key, board), "seed {seed}, {key:?}, board {board}");
            } else {
                let symbols: Vec<u8> = (0..=board).map(|board| symbol(key, board)).collect();
                cache.keep(key, &symbols);
            }
            assert!(cache.bytes() <= limit, "seed {seed}: {cache:?}");
        }
    }

    #[test]
    fn what_was_asked_for_last_stays() {
        let cache = TileCache::new((SET + size_of::<TileCache>()) as u64);
        let key = |tile| Key { table: 7, tile };
        (0..WAYS as u32).for_each(|tile| cache.keep(key(tile), &[tile as u8]));
        assert_eq!(cache.find(key(0), 0), Found::Symbol(0));
        assert_eq!(cache.find(key(0), 1), Found::Short);
        cache.keep(key(100), &[1, 2]);
        assert_eq!(cache.find(key(1), 0), Found::Nothing, "the oldest made room");
        assert_eq!(cache.find(key(0), 0), Found::Symbol(0));
        assert_eq!(cache.counts().evicted, 1);
        // Fewer symbols take nothing away.
        cache.keep(key(100), &[1]);
        assert_eq!(cache.find(key(100), 1), Found::Symbol(2));
    }

    #[test]
    fn a_limit_too_small_for_a_set_keeps_nothing() {
        for limit in [0, 1, SET as u64 - 1] {
            let cache = TileCache::new(limit);
            cache.keep(Key { table: 0, tile: 0 }, &[1]);
            assert!(cache.is_off());
            assert_eq!(cache.find(Key { table: 0, tile: 0 }, 0), Found::Nothing);
        }
    }
}
