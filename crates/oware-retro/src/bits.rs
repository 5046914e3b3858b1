//! Moving bits to other places (extract by a mask, deposit by a mask), and hints to the processor.
//!
//! The processor's own instructions (BMI2) are used where it has them; a plain way does the same
//! elsewhere. Which one is decided once for each group of rows, so that the fast way is inlined.
#![allow(unsafe_code)]

/// Ways to extract and deposit bits.
pub(crate) trait BitMoves {
    /// The bits of `word` under `from`, in order, put to the places of `to`. Both masks have the
    /// same number of bits.
    fn transfer(word: u64, from: u64, to: u64) -> u64;
}

/// Bit by bit, for any processor.
pub(crate) struct Plain;

impl BitMoves for Plain {
    #[inline(always)]
    fn transfer(word: u64, from: u64, to: u64) -> u64 {
        let mut left = word & from;
        let mut moved = 0;
        let (mut places, mut passed) = (to, from);
        while left != 0 {
            let lowest = left & left.wrapping_neg();
            // Skip as many places as there are mask bits below the lowest set bit.
            for _ in 0..(passed & (lowest - 1)).count_ones() {
                places &= places - 1;
            }
            passed &= !(lowest - 1);
            moved |= places & places.wrapping_neg();
            left ^= lowest;
        }
        moved
    }
}

/// With the instructions of BMI2.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Bmi2;

#[cfg(target_arch = "x86_64")]
impl BitMoves for Bmi2 {
    #[inline(always)]
    fn transfer(word: u64, from: u64, to: u64) -> u64 {
        use std::arch::x86_64::{_pdep_u64, _pext_u64};
        // SAFETY: only reached through `with_best`, which has asked the processor for BMI2.
        unsafe { _pdep_u64(_pext_u64(word, from), to) }
    }
}

/// Tells the processor that this will be read soon.
#[inline(always)]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint, which reads nothing; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Work that moves bits and can be compiled for either way.
pub(crate) trait BitWork {
    type Output;
    fn run<B: BitMoves>(self) -> Self::Output;
}

/// Runs the work the fastest way this processor knows.
#[inline]
pub(crate) fn with_best<W: BitWork>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
    {
        // SAFETY: the features were just detected.
        return unsafe { run_bmi2(work) };
    }
    work.run::<Plain>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt")]
unsafe fn run_bmi2<W: BitWork>(work: W) -> W::Output {
    work.run::<Bmi2>()
}

#[cfg(test)]
mod tests {
    use oware_testkit::TestRng;

    use super::*;

    struct Transfer(u64, u64, u64);

    impl BitWork for Transfer {
        type Output = u64;
        fn run<B: BitMoves>(self) -> u64 {
            B::transfer(self.0, self.1, self.2)
        }
    }

    #[test]
    fn both_ways_move_the_same_bits() {
        let mut rng = TestRng::from_env("both_ways_move_the_same_bits");
        for round in 0..20_000 {
            let mut word = || rng.next_u64();
            let (bits, mut from, mut to) = (word(), word(), word());
            if round % 3 == 0 {
                (from, to) = (from & word() & word(), to & word() & word());
            }
            while from.count_ones() > to.count_ones() {
                from &= from - 1;
            }
            while to.count_ones() > from.count_ones() {
                to &= to - 1;
            }
            let plain = Plain::transfer(bits, from, to);
            assert_eq!(plain, with_best(Transfer(bits, from, to)), "{bits:x} {from:x} {to:x}");
            assert_eq!(plain.count_ones(), (bits & from).count_ones());
        }
        assert_eq!(Plain::transfer(u64::MAX, u64::MAX, u64::MAX), u64::MAX);
        assert_eq!(Plain::transfer(0b1010, 0b1110, 0b111_0000), 0b101_0000);
    }
}
