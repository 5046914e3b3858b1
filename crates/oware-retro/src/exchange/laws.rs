//! What must hold for every exchange: the tests of each transport call this from all its parts.

use super::Exchange;

/// Exchanges of random sizes in every shape that occurs, each byte looked at when it comes.
///
/// All parts call this at the same time with the same numbers. `large` is the size in bytes of
/// the largest buffers: for a transport that cuts buffers into pieces, several pieces.
///
/// # Panics
/// If a law does not hold, or an exchange fails.
pub fn check(exchange: &mut dyn Exchange, seed: u64, rounds: usize, large: usize) {
    let (part, parts) = (exchange.part(), exchange.parts());
    assert!(part < parts, "part {part} of {parts}");
    let mut before = exchange.traffic();
    for round in 0..rounds {
        let plan = Round { seed, round: round as u64, parts, large };
        let to: Vec<Vec<u8>> = (0..parts).map(|to| plan.bytes(part, to)).collect();
        let others = (0..parts).filter(|&to| to != part);
        let given: usize = others.map(|to| plan.size(part, to)).sum();
        let taken = exchange.exchange(to).expect("the exchange works");
        assert_eq!(taken.len(), parts, "{plan:?}");
        for (from, taken) in taken.iter().enumerate() {
            let expected = plan.bytes(from, part);
            assert_eq!(taken.len(), expected.len(), "{plan:?}, from {from} to {part}");
            assert!(*taken == expected, "{plan:?}, from {from} to {part}: other bytes");
        }
        let traffic = exchange.traffic();
        if parts > 1 {
            assert_eq!(traffic.bytes - before.bytes, given as u64, "{plan:?}");
            assert_eq!(traffic.exchanges - before.exchanges, 1, "{plan:?}");
        }
        before = traffic;
        if round % 8 == 0 {
            numbers(exchange, &plan);
            before = exchange.traffic();
        }
    }
}

/// The calls that are made of exchanges.
fn numbers(exchange: &mut dyn Exchange, plan: &Round) {
    let (part, parts) = (exchange.part(), exchange.parts());
    let number = |part: usize| mix(plan.seed ^ plan.round << 20 ^ part as u64) >> 16;
    let all: Vec<u64> = (0..parts).map(number).collect();
    assert_eq!(exchange.gather(number(part)).expect("the exchange works"), all);
    assert_eq!(exchange.sum(number(part)).expect("the exchange works"), all.iter().sum::<u64>());
    let from = plan.round as usize % parts;
    let own = plan.bytes(part, from);
    let told = exchange.broadcast(from, own).expect("the exchange works");
    assert!(told == plan.bytes(from, from), "{plan:?}: other bytes from {from}");
}

/// What is exchanged in a round; every part can compute what every other gives.
#[derive(Debug)]
struct Round {
    seed: u64,
    round: u64,
    parts: usize,
    large: usize,
}

impl Round {
    /// Size of what one part gives another.
    fn size(&self, from: usize, to: usize) -> usize {
        let chance = mix(self.seed ^ self.round << 40 ^ (from as u64) << 20 ^ to as u64);
        let any = |below: usize| (chance >> 8) as usize % below.max(1);
        let one = (mix(self.seed ^ self.round) >> 9) as usize % self.parts;
        match self.round % 9 {
            // Nothing at all, single bytes, odd sizes.
            0 => 0,
            1 => 1,
            2 => any(64) | 1,
            // One gives much, one takes much, neighbours alone, everything from all to all.
            3 if from == one => self.large,
            4 if to == one => self.large - any(self.large),
            5 if to == (from + 1) % self.parts => self.large,
            6 => self.large,
            // Any size, and many with nothing.
            7 if chance & 1 == 0 => any(self.large),
            8 => any(300),
            _ => 0,
        }
    }

    fn bytes(&self, from: usize, to: usize) -> Vec<u8> {
        let mut state = mix(self.seed ^ self.round << 32 ^ (from as u64) << 16 ^ to as u64);
        let mut bytes = Vec::with_capacity(self.size(from, to) + 8);
        while bytes.len() < self.size(from, to) {
            state = mix(state);
            bytes.extend(state.to_le_bytes());
        }
        bytes.truncate(self.size(from, to));
        bytes
    }
}

/// The mixing of splitmix64.
fn mix(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
