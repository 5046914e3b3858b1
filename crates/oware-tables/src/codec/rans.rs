//! Static rANS with alias tables: one look per symbol, 512 bytes a distribution.
//!
//! The state x is 32 bits wide and filled up to 2^16.. by whole 16-bit words. A distribution gives
//! each of its symbols a part of the 4096 slots (the low 12 bits of x). By Vose's alias method
//! the slots are dealt out in 64 buckets of 64, so that each bucket holds at most two symbols:
//! a look at the bucket tells symbol, frequency and place in one 64-bit word.
//!
//! The encoder starts in state 0, not in 2^16 as is common: the decoder, where no word is left,
//! goes on with what the state holds. That saves two bytes a tile, and a tile in which every
//! symbol is the most frequent one of its distribution takes no bytes at all.

use std::hint::select_unpredictable;

use super::CodecError;
use super::bits::{Adaptive, Bits};

/// Binary logarithm of the number of slots.
const SCALE_BITS: u32 = 12;
/// Slots of a distribution: the sum of the frequencies.
pub(super) const SCALE: u32 = 1 << SCALE_BITS;
/// Buckets of a distribution, and most entries (symbols and the escape) it can have.
pub(super) const BUCKETS: usize = 64;
/// Slots in a bucket.
const BUCKET_SLOTS: u32 = SCALE / BUCKETS as u32;
/// Below this the state takes in a word.
const LOW: u32 = 1 << 16;
/// The entry that says: none of this distribution's symbols, a plain byte follows. The symbol of
/// this number is always coded that way: as a difference it is the largest, hence rare.
pub(super) const ESCAPE: u8 = 128;

/// Frequencies of up to 63 symbols and of [`ESCAPE`], which add up to [`SCALE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Distribution {
    /// By falling frequency, then by symbol. No frequency is 0 or [`SCALE`].
    entries: Vec<(u8, u16)>,
}

impl Distribution {
    /// Frequencies for counts by symbol: proportional, at least 1 for the escape and for what
    /// was seen, as far as there is room for it.
    pub(super) fn of(counts: &[u32]) -> Distribution {
        let seen = counts.iter().enumerate();
        let mut most: Vec<(u8, u32)> = seen
            .filter(|&(symbol, &count)| count > 0 && symbol != usize::from(ESCAPE))
            .map(|(symbol, &count)| (symbol as u8, count))
            .collect();
        most.sort_by_key(|&(symbol, count)| (std::cmp::Reverse(count), symbol));
        most.truncate(BUCKETS - 1);
        let total: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        let coded: u64 = most.iter().map(|&(_, count)| u64::from(count)).sum();
        let share = |count: u64| {
            let exact = 2 * count * u64::from(SCALE) / total.max(1);
            (exact.div_ceil(2) as u32).clamp(1, SCALE - 1)
        };
        let mut entries: Vec<(u8, u32)> =
            most.iter().map(|&(symbol, count)| (symbol, share(u64::from(count)))).collect();
        entries.push((ESCAPE, share(total - coded)));
        // What rounding left over or took too much is made good by the most frequent.
        let mut sum: u32 = entries.iter().map(|entry| entry.1).sum();
        entries[0].1 += SCALE.saturating_sub(sum);
        let mut place = 0;
        while sum > SCALE {
            let spare = (entries[place].1 - 1).min(sum - SCALE);
            entries[place].1 -= spare;
            sum -= spare;
            place += 1;
        }
        if entries.len() == 1 {
            // Nothing was seen: something has to share the slots with the escape.
            entries = vec![(0, SCALE / 2), (ESCAPE, SCALE / 2)];
        }
        let entries = entries.into_iter().map(|(symbol, share)| (symbol, share as u16));
        Distribution::ordered(entries.collect())
    }

    fn ordered(mut entries: Vec<(u8, u16)>) -> Distribution {
        entries.sort_by_key(|&(symbol, frequency)| (std::cmp::Reverse(frequency), symbol));
        Distribution { entries }
    }

    /// Codes the frequencies: writes them, or reads some. Only symbols up to `largest` and their
    /// negatives modulo 256 have any. `None` when what was read is no distribution.
    pub(super) fn code(
        &self,
        largest: u8,
        bits: &mut impl Bits,
        chances: &mut FrequencyChances,
    ) -> Option<Distribution> {
        let mut frequencies = [0u16; 256];
        for &(symbol, frequency) in &self.entries {
            frequencies[usize::from(symbol)] = frequency;
        }
        let mut entries = Vec::new();
        let mut before = 0;
        let most = largest.min(ESCAPE - 1);
        let negative = (1..=most).rev().map(u8::wrapping_neg);
        for symbol in (0..=most).chain(negative).chain([ESCAPE]) {
            let frequency = usize::from(frequencies[usize::from(symbol)]);
            let length = if frequency == 0 { 0 } else { frequency.ilog2() as usize + 1 };
            let length = bits.tree(length, 4, &mut chances.0[before]);
            before = length;
            if length > SCALE_BITS as usize {
                return None;
            }
            if length > 0 {
                let rest = bits.plain(frequency, length as u32 - 1);
                entries.push((symbol, (1 << (length - 1) | rest) as u16));
            }
        }
        let sum: u32 = entries.iter().map(|&(_, frequency)| u32::from(frequency)).sum();
        let escape = entries.last().is_some_and(|last| last.0 == ESCAPE);
        let good = sum == SCALE && escape && entries.len() <= BUCKETS;
        good.then(|| Distribution::ordered(entries))
    }

    /// Deals the slots out: for each bucket its own entry's share, and the other entry that has
    /// the rest.
    fn buckets(&self) -> [(u32, usize); BUCKETS] {
        let mut rest = [0u32; BUCKETS];
        for (place, &(_, frequency)) in rest.iter_mut().zip(&self.entries) {
            *place = u32::from(frequency);
        }
        let mut buckets: [(u32, usize); BUCKETS] = std::array::from_fn(|own| (BUCKET_SLOTS, own));
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..BUCKETS).rev().partition(|&entry| rest[entry] < BUCKET_SLOTS);
        while let (Some(poor), Some(rich)) = (small.pop(), large.pop()) {
            buckets[poor] = (rest[poor], rich);
            rest[rich] -= BUCKET_SLOTS - rest[poor];
            if rest[rich] < BUCKET_SLOTS { small.push(rich) } else { large.push(rich) }
        }
        buckets
    }

    /// Calls `part(bucket, entry, first slot in the bucket, number of slots, place of the first
    /// slot among those of the entry)` for all parts of buckets, own parts first in each.
    fn parts(&self, mut part: impl FnMut(usize, usize, u32, u32, u32)) {
        let buckets = self.buckets();
        let mut taken: [u32; BUCKETS] = std::array::from_fn(|own| buckets[own].0);
        for (bucket, &(share, other)) in buckets.iter().enumerate() {
            if share > 0 {
                part(bucket, bucket, 0, share, 0);
            }
            if share < BUCKET_SLOTS {
                part(bucket, other, share, BUCKET_SLOTS - share, taken[other]);
                taken[other] += BUCKET_SLOTS - share;
            }
        }
    }
}

/// Chances of the lengths of frequencies, by the length before.
pub(super) struct FrequencyChances([[Adaptive; 16]; 16]);

impl FrequencyChances {
    /// Nothing seen yet.
    pub(super) const NEW: FrequencyChances = FrequencyChances([[Adaptive::NEW; 16]; 16]);
}

/// Fields of a word of the decoding table: the own entry's frequency and symbol, the share of
/// the bucket it has, then the other entry's frequency, symbol, and the place of its part.
const SYMBOL_SHIFT: u32 = 12;
const SHARE_SHIFT: u32 = 20;
const OTHER_SHIFT: u32 = 32;
const PLACE_SHIFT: u32 = 52;

/// What the decoder looks at.
#[derive(Clone, Debug, Default)]
pub(super) struct DecodeTable(Vec<[u64; BUCKETS]>);

impl DecodeTable {
    /// The table of these distributions.
    pub(super) fn new(distributions: &[Distribution]) -> DecodeTable {
        let words = distributions.iter().map(|distribution| {
            let mut words = [0u64; BUCKETS];
            for (word, (share, _)) in words.iter_mut().zip(distribution.buckets()) {
                *word = u64::from(share) << SHARE_SHIFT;
            }
            distribution.parts(|bucket, entry, first, _, place| {
                let (symbol, frequency) = distribution.entries[entry];
                let field = u64::from(frequency) | u64::from(symbol) << SYMBOL_SHIFT;
                words[bucket] |= if entry == bucket && first == 0 {
                    field
                } else {
                    field << OTHER_SHIFT | u64::from(place) << PLACE_SHIFT
                };
            });
            words
        });
        DecodeTable(words.collect())
    }
}

/// Decodes one tile.
pub(super) struct Decoder<'a> {
    table: &'a [[u64; BUCKETS]],
    /// The words, and one more that is never taken in.
    words: Vec<u16>,
    next: usize,
    state: u32,
}

impl<'a> Decoder<'a> {
    /// Starts with the first symbol. The state is the first four bytes, or three when the number
    /// of bytes is odd, or all when there are fewer.
    pub(super) fn new(table: &'a DecodeTable, bytes: &'a [u8]) -> Decoder<'a> {
        let length = if bytes.len() <= 4 { bytes.len() } else { 4 - bytes.len() % 2 };
        let (first, words) = bytes.split_at(length);
        let state = first.iter().rev().fold(0, |state, &byte| state << 8 | u32::from(byte));
        let words = words.as_chunks().0.iter().map(|&word| u16::from_le_bytes(word));
        Decoder { table: &table.0, words: words.chain([0]).collect(), next: 0, state }
    }

    /// The next symbol, under a distribution; [`ESCAPE`] when [`plain`](Self::plain) is to follow.
    #[inline]
    pub(super) fn symbol(&mut self, distribution: u8) -> u8 {
        let state = self.state;
        let slot = state & (SCALE - 1);
        let low = slot & (BUCKET_SLOTS - 1);
        let word = self.table[usize::from(distribution)][(slot / BUCKET_SLOTS) as usize];
        let share = (word >> SHARE_SHIFT) as u32 & 127;
        let other = low >= share;
        let field = word >> (u32::from(other) * OTHER_SHIFT);
        let frequency = field as u32 & (SCALE - 1);
        let place = if other { (word >> PLACE_SHIFT) as u32 + low - share } else { low };
        self.advance(frequency.wrapping_mul(state >> SCALE_BITS).wrapping_add(place));
        (field >> SYMBOL_SHIFT) as u8
    }

    /// A byte in eight bits.
    #[cold]
    pub(super) fn plain(&mut self) -> u8 {
        let symbol = self.state as u8;
        self.advance(self.state >> 8);
        symbol
    }

    /// Goes on to a state, and takes in a word if it is low and there is one. Without a branch,
    /// for when that happens cannot be foretold.
    #[inline]
    fn advance(&mut self, state: u32) {
        let Some(&word) = self.words.get(self.next) else {
            return;
        };
        let takes = (state < LOW) & (self.next + 1 < self.words.len());
        let filled = state << 16 | u32::from(word);
        self.state = select_unpredictable(takes, filled, state);
        self.next += usize::from(takes);
    }

    /// Whether the symbol decoded last is the one that was encoded first, as far as can be told.
    pub(super) fn check_end(&self) -> Result<(), CodecError> {
        let ended = self.state == 0 && self.next + 1 == self.words.len();
        if ended { Ok(()) } else { Err(CodecError::Damaged) }
    }
}

/// `RECIPROCALS[f]`: 2^44 / f, rounded up.
static RECIPROCALS: [u64; SCALE as usize] = reciprocals();

const fn reciprocals() -> [u64; SCALE as usize] {
    let mut table = [0; SCALE as usize];
    let mut divisor = 1;
    while divisor < SCALE as usize {
        table[divisor] = (1u64 << 44).div_ceil(divisor as u64);
        divisor += 1;
    }
    table
}

/// `state / frequency` for a state below 2^20 times the frequency, which is below 2^12: then
/// what rounding adds to the product is below 2^44 / frequency, and the product below 2^64.
#[inline]
fn divide(state: u32, frequency: u32) -> u32 {
    let reciprocal = RECIPROCALS[(frequency % SCALE) as usize];
    (u64::from(state).wrapping_mul(reciprocal) >> 44) as u32
}

/// One symbol to encode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coded {
    /// The symbol as the distribution has it, or [`ESCAPE`].
    pub(super) symbol: u8,
    /// The byte that follows an escape.
    pub(super) plain: u8,
    /// The distribution.
    pub(super) distribution: u8,
}

/// What the encoder looks at.
#[derive(Clone, Debug)]
pub(super) struct EncodeTable(Vec<EncodeEntry>);

/// One distribution for the encoder.
#[derive(Clone, Debug)]
struct EncodeEntry {
    /// By symbol: its frequency and the sum of the frequencies before it. Frequency 0: escape.
    symbols: [(u16, u16); 256],
    /// By that sum and place: the slot.
    slots: Vec<u16>,
}

impl EncodeTable {
    /// The table of these distributions.
    pub(super) fn new(distributions: &[Distribution]) -> EncodeTable {
        let entries = distributions.iter().map(|distribution| {
            let mut symbols = [(0, 0); 256];
            let mut before = Vec::with_capacity(BUCKETS);
            let mut sum = 0;
            for &(symbol, frequency) in &distribution.entries {
                symbols[usize::from(symbol)] = (frequency, sum);
                before.push(u32::from(sum));
                sum += frequency;
            }
            let mut slots = vec![0; SCALE as usize];
            distribution.parts(|bucket, entry, first, count, place| {
                for number in 0..count {
                    let slot = bucket as u32 * BUCKET_SLOTS + first + number;
                    slots[(before[entry] + place + number) as usize] = slot as u16;
                }
            });
            EncodeEntry { symbols, slots }
        });
        EncodeTable(entries.collect())
    }

    /// Appends the code of symbols.
    pub(super) fn encode(&self, symbols: &[Coded], out: &mut Vec<u8>) {
        let mut state = 0u32;
        // The decoder wants the last word first. A symbol takes at most two words.
        let mut words = vec![0u16; 2 * symbols.len() + 1];
        let mut first = words.len();
        // Without a branch, for when a word is full cannot be foretold.
        let mut room = |state: &mut u32, most: u32| {
            words[first - 1] = *state as u16;
            let full = *state >= most;
            first -= usize::from(full);
            *state = select_unpredictable(full, *state >> 16, *state);
        };
        for coded in symbols.iter().rev() {
            let entry = &self.0[usize::from(coded.distribution)];
            let mut found = entry.symbols[usize::from(coded.symbol)];
            if found.0 == 0 || coded.symbol == ESCAPE {
                room(&mut state, 1 << 24);
                state = state << 8 | u32::from(coded.plain);
                found = entry.symbols[usize::from(ESCAPE)];
            }
            let (frequency, before) = (u32::from(found.0), u32::from(found.1));
            room(&mut state, frequency << (32 - SCALE_BITS));
            let round = divide(state, frequency);
            let place = state - round * frequency;
            state = round << SCALE_BITS | u32::from(entry.slots[(before + place) as usize]);
        }
        let length = 4 - state.leading_zeros() as usize / 8;
        out.extend_from_slice(&state.to_le_bytes()[..length]);
        out.extend(words[first..].iter().flat_map(|word| word.to_le_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dividing_by_multiplying_is_exact() {
        for frequency in 1..SCALE {
            let limit = frequency << (32 - SCALE_BITS);
            for round in (0..1 << 20).step_by(1021).chain([(1 << 20) - 1]) {
                for state in [round * frequency, (round + 1) * frequency - 1] {
                    assert!(state < limit);
                    assert_eq!(divide(state, frequency), round, "{state} / {frequency}");
                }
            }
        }
    }

    #[test]
    fn frequencies_add_up_and_follow_the_counts() {
        let all: Vec<u32> = (0..256).map(|symbol| symbol * symbol % 97).collect();
        let mut one = vec![0; 256];
        one[77] = 5;
        for counts in [&[][..], &[0, 0], &[1], &[u32::MAX, 1, 1], &[1; 63], &[1; 200], &all, &one] {
            let distribution = Distribution::of(counts);
            let sum: u32 = distribution.entries.iter().map(|entry| u32::from(entry.1)).sum();
            assert_eq!(sum, SCALE);
            assert!(distribution.entries.len() <= BUCKETS);
            assert!(distribution.entries.iter().all(|entry| entry.1 > 0));
            assert_eq!(distribution.entries.iter().filter(|entry| entry.0 == ESCAPE).count(), 1);
            let mut slots = 0;
            distribution.parts(|_, _, _, count, _| slots += count);
            assert_eq!(slots, SCALE);
        }
    }
}
