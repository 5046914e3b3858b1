//! Static rANS with alias tables: one look per symbol, 512 bytes a distribution.
//!
//! The state x is 32 bits wide and kept in 2^16.. by whole 16-bit words. A distribution gives
//! each of its symbols a part of the 4096 slots (the low 12 bits of x). By Vose's alias method
//! the slots are dealt out in 64 buckets of 64, so that each bucket holds at most two symbols:
//! a look at the bucket tells symbol, frequency and place in one 64-bit word.

use super::CodecError;

/// Binary logarithm of the number of slots.
pub(super) const SCALE_BITS: u32 = 12;
/// Slots of a distribution: the sum of the frequencies.
pub(super) const SCALE: u32 = 1 << SCALE_BITS;
/// Buckets of a distribution, and most entries (symbols and the escape) it can have.
pub(super) const BUCKETS: usize = 64;
/// Slots in a bucket.
const BUCKET_SLOTS: u32 = SCALE / BUCKETS as u32;
/// The state is never below this between symbols; the coder starts in it.
const LOW: u32 = 1 << 16;
/// The entry that says: none of this distribution's symbols, a plain byte follows. Symbol 255
/// itself is always coded that way.
pub(super) const ESCAPE: u8 = 255;

/// Frequencies of up to 63 symbols and of [`ESCAPE`], which add up to [`SCALE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Distribution {
    /// In rising order of the symbol; the last is the escape. No frequency is 0.
    entries: Vec<(u8, u16)>,
}

impl Distribution {
    /// `None` unless the entries are as the type wants them.
    pub(super) fn new(entries: Vec<(u8, u16)>) -> Option<Distribution> {
        let sum: u32 = entries.iter().map(|&(_, frequency)| u32::from(frequency)).sum();
        let good = entries.len() <= BUCKETS
            && sum == SCALE
            && entries.iter().all(|&(_, frequency)| frequency > 0)
            && entries.is_sorted_by(|one, next| one.0 < next.0)
            && entries.last().is_some_and(|last| last.0 == ESCAPE && last.1 < SCALE as u16);
        good.then_some(Distribution { entries })
    }

    /// Symbols and frequencies, the escape last.
    pub(super) fn entries(&self) -> &[(u8, u16)] {
        &self.entries
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
            (0..BUCKETS).partition(|&entry| rest[entry] < BUCKET_SLOTS);
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
            for (bucket, word) in words.iter_mut().enumerate() {
                *word = u64::from(distribution.buckets()[bucket].0) << SHARE_SHIFT;
            }
            distribution.parts(|bucket, entry, _, _, place| {
                let (symbol, frequency) = distribution.entries[entry];
                let field = u64::from(frequency) | u64::from(symbol) << SYMBOL_SHIFT;
                words[bucket] |= if entry == bucket && place == 0 {
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
    words: &'a [u8],
    next: usize,
    state: u32,
}

impl<'a> Decoder<'a> {
    /// Starts with the first symbol.
    pub(super) fn new(table: &'a DecodeTable, bytes: &'a [u8]) -> Result<Decoder<'a>, CodecError> {
        let (state, words) = bytes.split_first_chunk().ok_or(CodecError::Truncated)?;
        Ok(Decoder { table: &table.0, words, next: 0, state: u32::from_le_bytes(*state) })
    }

    /// The next symbol, under a distribution.
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
        let symbol = (field >> SYMBOL_SHIFT) as u8;
        let place = if other { (word >> PLACE_SHIFT) as u32 + low - share } else { low };
        self.advance(frequency.wrapping_mul(state >> SCALE_BITS).wrapping_add(place));
        if symbol == ESCAPE { self.plain() } else { symbol }
    }

    /// A byte in eight bits.
    #[cold]
    fn plain(&mut self) -> u8 {
        let symbol = self.state as u8;
        self.advance(self.state >> 8);
        symbol
    }

    #[inline]
    fn advance(&mut self, state: u32) {
        self.state = state;
        if state < LOW {
            let word = self.words.get(self.next..self.next + 2);
            let word = word.map_or(0, |word| u16::from_le_bytes([word[0], word[1]]));
            self.state = state << 16 | u32::from(word);
            self.next += 2;
        }
    }

    /// Whether all that was decoded stood in the bytes.
    pub(super) fn check(&self) -> Result<(), CodecError> {
        if self.next > self.words.len() { Err(CodecError::Truncated) } else { Ok(()) }
    }

    /// Whether the last symbol that was encoded has been decoded just now.
    pub(super) fn check_end(&self) -> Result<(), CodecError> {
        self.check()?;
        let ended = self.state == LOW && self.next == self.words.len();
        if ended { Ok(()) } else { Err(CodecError::Damaged) }
    }
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

    /// Appends the code of symbols, each under the distribution beside it.
    pub(super) fn encode(&self, symbols: &[(u8, u8)], out: &mut Vec<u8>) {
        let mut state = LOW;
        // The decoder wants the last word first.
        let mut words: Vec<u16> = Vec::with_capacity(symbols.len());
        for &(symbol, distribution) in symbols.iter().rev() {
            let entry = &self.0[usize::from(distribution)];
            let mut found = entry.symbols[usize::from(symbol)];
            if found.0 == 0 || symbol == ESCAPE {
                if state >= 1 << 24 {
                    words.push(state as u16);
                    state >>= 16;
                }
                state = state << 8 | u32::from(symbol);
                found = entry.symbols[usize::from(ESCAPE)];
            }
            let (frequency, before) = (u32::from(found.0), u32::from(found.1));
            if state >= frequency << (32 - SCALE_BITS) {
                words.push(state as u16);
                state >>= 16;
            }
            let (round, place) = (state / frequency, state % frequency);
            state = round << SCALE_BITS | u32::from(entry.slots[(before + place) as usize]);
        }
        out.extend_from_slice(&state.to_le_bytes());
        out.extend(words.iter().rev().flat_map(|word| word.to_le_bytes()));
    }
}
