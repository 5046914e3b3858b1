//! The transposition table: what was found of boards met before.
//!
//! An entry is one 64-bit word, read and written at once, so that threads share the table without
//! locks and without torn entries. The place of an entry and the bits of the key in it together
//! are the whole key of its board ([`crate::key`]), so that an entry is never taken for another
//! board's.
//!
//! ```text
//! bits  0..27  the key, without the bits that are the bucket's number
//!      27..41  value + 8192, in hundredths of a seed
//!      41..48  depth; 127 = holds for any depth
//!      48..50  bound: 1 at least, 2 at most, 3 exact; 0 = empty
//!      50..53  best move, 7 = none
//!      53..59  the search that wrote it, counted up to 63 and then from 0
//! ```

use std::sync::atomic::{AtomicU64, Ordering};

use oware_rules::Move;

use crate::key::KEY_BITS;
use crate::memory;
use crate::{Bound, HashError, MOST_HASH_MIB};

/// Depth of a value in which no guess is: it holds whatever depth is asked for.
pub(crate) const ANY_DEPTH: i32 = 127;

const WAYS: usize = 4;
const MIB: usize = 1 << 20;
const VALUE_ZERO: i32 = 8192;
const NO_MOVE: u64 = 7;
const AGES: u64 = 64;

/// Entries that compete for the same boards; half a cache line.
#[repr(align(32))]
#[derive(Default)]
struct Bucket([AtomicU64; WAYS]);

const _: () = assert!(size_of::<Bucket>() == 32);
// One MiB has 2^15 buckets: the rest of the key fits into its 27 bits.
const _: () = assert!(KEY_BITS - (MIB / size_of::<Bucket>()).ilog2() <= 27);

/// What is known of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// What the mover will still take more than his opponent, in hundredths of a seed.
    pub(crate) value: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    pub(crate) mv: Option<Move>,
}

/// The table. All methods but `clear` may be called by several threads at once.
pub(crate) struct Table {
    buckets: Box<[Bucket]>,
    bits: u32,
    age: u64,
}

impl Table {
    /// An empty table of the largest power of two within `mib` MiB.
    pub(crate) fn new(mib: usize) -> Result<Table, HashError> {
        let mib = mib.clamp(1, MOST_HASH_MIB);
        let bits = (mib * MIB / size_of::<Bucket>()).ilog2();
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(1 << bits).map_err(|_| HashError { mib })?;
        memory::wish_large_pages(buckets.spare_capacity_mut());
        buckets.resize_with(1 << bits, Bucket::default);
        Ok(Table { buckets: buckets.into_boxed_slice(), bits, age: 0 })
    }

    pub(crate) fn clear(&mut self) {
        self.age = 0;
        for entry in self.buckets.iter_mut().flat_map(|bucket| &mut bucket.0) {
            *entry.get_mut() = 0;
        }
    }

    /// A new search begins: entries of earlier ones give way first.
    pub(crate) fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[key as usize & (self.buckets.len() - 1)]
    }

    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        memory::prefetch(self.bucket(key));
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        let rest = key >> self.bits;
        self.bucket(key).0.iter().find_map(|word| {
            let word = word.load(Ordering::Relaxed);
            (word & 0x7ff_ffff == rest && word != 0).then(|| unpack(word)).flatten()
        })
    }

    pub(crate) fn put(&self, key: u64, entry: Entry) {
        let rest = key >> self.bits;
        let bound = match entry.bound {
            Bound::Lower => 1,
            Bound::Upper => 2,
            Bound::Exact => 3,
        };
        let mut word = rest
            | ((entry.value + VALUE_ZERO) as u64 & 0x3fff) << 27
            | (entry.depth.clamp(0, ANY_DEPTH) as u64) << 41
            | bound << 48
            | entry.mv.map_or(NO_MOVE, |mv| mv.index() as u64) << 50
            | self.age << 53;
        let (mut place, mut least) = (0, i32::MAX);
        let bucket = self.bucket(key);
        for (i, old) in bucket.0.iter().enumerate() {
            let old = old.load(Ordering::Relaxed);
            if old & 0x7ff_ffff == rest && old != 0 {
                if entry.mv.is_none() {
                    word = word & !(7 << 50) | old & 7 << 50;
                }
                place = i;
                break;
            }
            let worth = self.worth(old);
            if worth < least {
                (place, least) = (i, worth);
            }
        }
        bucket.0[place].store(word, Ordering::Relaxed);
    }

    /// What is lost when an entry is overwritten.
    fn worth(&self, word: u64) -> i32 {
        if word == 0 {
            return i32::MIN;
        }
        let age = (self.age + AGES - (word >> 53 & 0x3f)) % AGES;
        (word >> 41 & 0x7f) as i32 - 4 * age as i32
    }

    /// Entries of this search among a thousand.
    pub(crate) fn permille_full(&self) -> u32 {
        let sample = self.buckets.len().min(1000 / WAYS);
        let words = self.buckets[..sample].iter().flat_map(|bucket| &bucket.0);
        let used = words.filter(|word| {
            let word = word.load(Ordering::Relaxed);
            word != 0 && word >> 53 & 0x3f == self.age
        });
        (used.count() * 1000 / (sample * WAYS)) as u32
    }
}

#[inline]
fn unpack(word: u64) -> Option<Entry> {
    let bound = match word >> 48 & 3 {
        1 => Bound::Lower,
        2 => Bound::Upper,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(Entry {
        value: (word >> 27 & 0x3fff) as i32 - VALUE_ZERO,
        depth: (word >> 41 & 0x7f) as i32,
        bound,
        mv: Move::new((word >> 50 & 7) as usize),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: i32, depth: i32, bound: Bound, mv: usize) -> Entry {
        Entry { value, depth, bound, mv: Move::new(mv) }
    }

    #[test]
    fn gives_back_what_was_put_in() {
        let table = Table::new(1).unwrap();
        let mut key: u64 = 1;
        for value in [-4800, -1, 0, 1, 4800] {
            for depth in [0, 1, ANY_DEPTH] {
                for bound in [Bound::Lower, Bound::Upper, Bound::Exact] {
                    for mv in 0..=6 {
                        key = key.wrapping_mul(0x5851_f42d_4c95_7f2d) % (1 << KEY_BITS);
                        let entry = entry(value, depth, bound, mv);
                        table.put(key, entry);
                        assert_eq!(table.get(key), Some(entry));
                    }
                }
            }
        }
    }

    #[test]
    fn tells_every_key_of_a_bucket_apart() {
        let table = Table::new(1).unwrap();
        let bucket = 77;
        let keys: Vec<u64> = (0..1 << (KEY_BITS - table.bits)).step_by(4097).collect();
        for &rest in &keys {
            let key = rest << table.bits | bucket;
            table.put(key, entry(rest as i32 % 1000, 5, Bound::Exact, 3));
            let found: Vec<u64> = keys
                .iter()
                .copied()
                .filter(|other| table.get(other << table.bits | bucket).is_some())
                .collect();
            assert!(found.len() <= WAYS && found.contains(&rest));
        }
    }

    #[test]
    fn keeps_the_deepest_and_the_newest() {
        let mut table = Table::new(1).unwrap();
        let key = |rest: u64| rest << table.bits | 5;
        let keys: Vec<u64> = (1..=6).map(key).collect();
        for (i, &key) in keys.iter().enumerate() {
            table.put(key, entry(0, 10 + i as i32, Bound::Exact, 0));
        }
        assert_eq!(table.get(keys[0]), None, "the shallowest gave way");
        assert!(table.get(keys[5]).is_some());
        for _ in 0..3 {
            table.grow_older();
        }
        table.put(keys[0], entry(0, 8, Bound::Exact, 0));
        assert!(table.get(keys[0]).is_some(), "an old entry gave way to a shallow new one");
    }

    #[test]
    fn keeps_a_known_move_when_none_is_told() {
        let table = Table::new(1).unwrap();
        table.put(9, entry(10, 4, Bound::Lower, 2));
        table.put(9, Entry { value: -10, depth: 6, bound: Bound::Upper, mv: None });
        assert_eq!(table.get(9).unwrap().mv, Move::new(2));
    }
}
