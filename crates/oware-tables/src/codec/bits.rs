//! An adaptive binary arithmetic coder, for the model itself.
//!
//! The interval of 32 bits is cut by the probability of the next bit and its leading bytes that
//! are settled are written (a coder without carries, as in Mahoney's fpaq).

/// Probability of a 1, in 1 / 2^16, that follows what it sees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Adaptive(u16);

impl Adaptive {
    /// Nothing seen yet.
    pub(super) const NEW: Adaptive = Adaptive(1 << 15);
    /// The smaller, the faster it follows.
    const SHIFT: u32 = 5;

    fn learn(&mut self, bit: bool) {
        if bit {
            self.0 += (u16::MAX - self.0) >> Adaptive::SHIFT;
        } else {
            self.0 -= self.0 >> Adaptive::SHIFT;
        }
    }
}

/// Writes or reads bits: the same code describes both directions.
pub(super) trait Bits {
    /// Codes one bit: writes `bit`, or ignores it and reads.
    fn bit(&mut self, bit: bool, chance: &mut Adaptive) -> bool;

    /// Codes the low `count` bits of a number by a tree of chances, of which there must be
    /// 2^count.
    fn tree(&mut self, number: usize, count: u32, chances: &mut [Adaptive]) -> usize {
        let mut node = 1;
        for place in (0..count).rev() {
            let bit = self.bit(number >> place & 1 > 0, &mut chances[node]);
            node = node << 1 | usize::from(bit);
        }
        node - (1 << count)
    }

    /// Codes the low `count` bits of a number, each as likely 0 as 1.
    fn plain(&mut self, number: usize, count: u32) -> usize {
        (0..count).rev().fold(0, |read, place| {
            let mut even = Adaptive::NEW;
            let bit = self.bit(number >> place & 1 > 0, &mut even);
            read << 1 | usize::from(bit)
        })
    }
}

/// The interval that is left, both ends included.
#[derive(Debug)]
struct Interval {
    low: u32,
    high: u32,
}

impl Interval {
    const ALL: Interval = Interval { low: 0, high: u32::MAX };

    /// The last point of the part that stands for a 1.
    fn middle(&self, chance: Adaptive) -> u32 {
        let share = (u64::from(self.high - self.low) * u64::from(chance.0 | 1)) >> 16;
        self.low + share as u32
    }

    fn take(&mut self, bit: bool, middle: u32) {
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
    }

    /// Drops the leading byte if it is settled.
    fn shift(&mut self) -> Option<u8> {
        if (self.low ^ self.high) >> 24 != 0 {
            return None;
        }
        let byte = (self.low >> 24) as u8;
        self.low <<= 8;
        self.high = self.high << 8 | 255;
        Some(byte)
    }
}

/// Writes bits.
#[derive(Debug)]
pub(super) struct BitWriter {
    interval: Interval,
    bytes: Vec<u8>,
}

impl BitWriter {
    /// Nothing written yet.
    pub(super) fn new() -> BitWriter {
        BitWriter { interval: Interval::ALL, bytes: Vec::new() }
    }

    /// What was written. The reader takes the bytes that are missing at the end for zeros.
    pub(super) fn finish(mut self) -> Vec<u8> {
        // One byte that lies in the interval with zeros after it, if there is one.
        let byte = (self.interval.low >> 24) + 1;
        if self.interval.low > 0 {
            if byte << 24 <= self.interval.high {
                self.bytes.push(byte as u8);
            } else {
                self.bytes.extend_from_slice(&self.interval.high.to_be_bytes());
            }
        }
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

impl Bits for BitWriter {
    fn bit(&mut self, bit: bool, chance: &mut Adaptive) -> bool {
        let middle = self.interval.middle(*chance);
        self.interval.take(bit, middle);
        chance.learn(bit);
        while let Some(byte) = self.interval.shift() {
            self.bytes.push(byte);
        }
        bit
    }
}

/// Reads what [`BitWriter`] wrote.
#[derive(Debug)]
pub(super) struct BitReader<'a> {
    interval: Interval,
    window: u32,
    bytes: &'a [u8],
}

impl<'a> BitReader<'a> {
    /// Starts with the first bit.
    pub(super) fn new(bytes: &'a [u8]) -> BitReader<'a> {
        let mut reader = BitReader { interval: Interval::ALL, window: 0, bytes };
        for _ in 0..4 {
            reader.next_byte();
        }
        reader
    }

    fn next_byte(&mut self) {
        let (&byte, rest) = self.bytes.split_first().unwrap_or((&0, &[]));
        self.bytes = rest;
        self.window = self.window << 8 | u32::from(byte);
    }

    /// Whether no byte is left over.
    pub(super) fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }
}

impl Bits for BitReader<'_> {
    fn bit(&mut self, _: bool, chance: &mut Adaptive) -> bool {
        let middle = self.interval.middle(*chance);
        let bit = self.window <= middle;
        self.interval.take(bit, middle);
        chance.learn(bit);
        while self.interval.shift().is_some() {
            self.next_byte();
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_back() {
        for count in [0usize, 1, 2, 3, 7, 100, 5000] {
            let number = |place: usize| (place * place * 2_654_435_761) >> 11 & 31;
            let code = |bits: &mut dyn Bits| -> Vec<usize> {
                let mut chances = [Adaptive::NEW; 32];
                (0..count)
                    .map(|place| match place % 3 {
                        0 => bits.tree(number(place), 5, &mut chances),
                        1 => bits.plain(number(place), 5),
                        _ => usize::from(bits.bit(number(place) < 30, &mut chances[0])),
                    })
                    .collect()
            };
            let mut writer = BitWriter::new();
            let written = code(&mut writer);
            let bytes = writer.finish();
            let mut reader = BitReader::new(&bytes);
            assert_eq!(code(&mut reader), written);
            assert!(reader.is_at_end());
        }
    }
}
