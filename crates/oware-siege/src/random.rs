//! Random numbers, the same at every run with the same seed.

use std::time::Duration;

use anyhow::{Context, Result};

/// The environment variable that sets the seed of a test.
pub const SEED_VARIABLE: &str = "OWARE_SEED";

/// A small generator (splitmix64, by Steele, Lea and Flood, 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator that starts from this seed.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The seed of a test: what the environment variable `OWARE_SEED` says (decimal, or
    /// hexadecimal after `0x`), else a fixed one by the test's name.
    ///
    /// # Errors
    /// When the variable holds no such number.
    pub fn seed_of(name: &str) -> Result<u64> {
        let Ok(text) = std::env::var(SEED_VARIABLE) else {
            // FNV-1a.
            return Ok(name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            }));
        };
        let number = match text.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => text.parse(),
        };
        number.with_context(|| format!("{SEED_VARIABLE}={text} is not a 64-bit number"))
    }

    /// Another generator, which does not depend on how far this one is used later.
    #[must_use]
    pub fn branch(&mut self) -> Random {
        Random(self.bits())
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `limit`; 0 where that is 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        let wide = u128::from(self.bits()) * u128::from(limit);
        u64::try_from(wide >> 64).unwrap_or_default()
    }

    /// Whether something happens that happens `of_thousand` times in a thousand.
    pub fn chance(&mut self, of_thousand: u64) -> bool {
        self.below(1_000) < of_thousand
    }

    /// A number from 0 to 1, without 1.
    #[allow(clippy::cast_precision_loss, reason = "53 bits are what a float holds")]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// One of several things; none if there are none.
    pub fn one_of<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        let index = usize::try_from(self.below(things.len() as u64)).ok()?;
        things.get(index)
    }

    /// A time of at most so many milliseconds.
    pub fn up_to_ms(&mut self, most: u64) -> Duration {
        Duration::from_millis(self.below(most + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let mut one = Random::new(7);
        let mut other = Random::new(7);
        assert_eq!(one.bits(), other.bits());
        assert!((0..1_000).all(|_| one.below(10) < 10));
        assert_eq!(one.below(0), 0);
        assert_eq!(one.one_of::<u8>(&[]), None);
    }
}
