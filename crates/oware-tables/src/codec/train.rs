//! How the distributions of a model are chosen.
//!
//! Boards are sorted into fine contexts; the histograms of these are gathered into few clusters
//! so that coding each board with the distribution of its cluster takes the fewest bits (Lloyd's
//! algorithm with the length of the code as distance). All in integers.

use super::rans::{BUCKETS, Distribution, ESCAPE, SCALE};

/// Bits are counted in units of 1 / 2^16.
pub(super) const UNIT_BITS: u32 = 16;

/// `log2(value)` in units, rounded down; 0 for 0.
pub(super) fn log2(value: u32) -> u32 {
    if value == 0 {
        return 0;
    }
    let whole = value.ilog2();
    // The fraction bit by bit, by squaring a number of 1..2 with 31 bits after the point.
    let mut number = u64::from(value) << (31 - whole);
    let mut result = whole;
    for _ in 0..UNIT_BITS {
        number = number * number >> 31;
        result <<= 1;
        if number >> 32 != 0 {
            result |= 1;
            number >>= 1;
        }
    }
    result
}

/// How often each symbol was seen, in the order of the symbols, each at least once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Histogram {
    /// Symbol and count.
    pub(super) counts: Vec<(u8, u32)>,
}

impl Histogram {
    /// Of counts by symbol.
    pub(super) fn of(counts: &[u32]) -> Histogram {
        let seen = counts.iter().enumerate().filter(|&(_, &count)| count > 0);
        Histogram { counts: seen.map(|(symbol, &count)| (symbol as u8, count)).collect() }
    }

    /// All counts.
    pub(super) fn total(&self) -> u64 {
        self.counts.iter().map(|&(_, count)| u64::from(count)).sum()
    }

    /// The frequencies that code these counts: proportional, at least 1 for what was seen while
    /// there is room, and at least 1 for the escape.
    pub(super) fn distribution(&self) -> Distribution {
        let mut most: Vec<(u8, u32)> =
            self.counts.iter().copied().filter(|&(symbol, _)| symbol != ESCAPE).collect();
        most.sort_by_key(|&(symbol, count)| (std::cmp::Reverse(count), symbol));
        most.truncate(BUCKETS - 1);
        let coded: u64 = most.iter().map(|&(_, count)| u64::from(count)).sum();
        let total = self.total().max(1);
        let share = |count: u64| (count * u64::from(SCALE) / total).max(1) as u32;
        let mut entries: Vec<(u8, u32)> =
            most.iter().map(|&(symbol, count)| (symbol, share(u64::from(count)))).collect();
        entries.push((ESCAPE, share(total - coded)));
        // What rounding left over or took too much is made good by the most frequent.
        let mut sum: u32 = entries.iter().map(|entry| entry.1).sum();
        entries[0].1 += SCALE.saturating_sub(sum);
        sum = sum.max(SCALE);
        let mut place = 0;
        while sum > SCALE {
            let spare = (entries[place].1 - 1).min(sum - SCALE);
            entries[place].1 -= spare;
            sum -= spare;
            place += 1;
        }
        entries.sort_unstable();
        let entries = entries.into_iter().map(|(symbol, share)| (symbol, share as u16)).collect();
        Distribution::new(entries).unwrap_or_else(uniform)
    }
}

/// A distribution for no purpose: symbol 0, else the escape.
pub(super) fn uniform() -> Distribution {
    let half = (SCALE / 2) as u16;
    Distribution::new(vec![(0, half), (ESCAPE, half)]).expect("the halves add up to the scale")
}

/// The clusters of some histograms.
pub(super) struct Clusters {
    /// The cluster of each histogram.
    pub(super) of: Vec<u8>,
    /// The distribution of each cluster.
    pub(super) distributions: Vec<Distribution>,
}

/// Cost of each symbol under a distribution, in units.
fn costs(distribution: &Distribution) -> [u32; 256] {
    let escape = distribution.entries().last().map_or(1, |last| u32::from(last.1));
    let scale = 12 << UNIT_BITS;
    let mut costs = [scale - log2(escape) + (8 << UNIT_BITS); 256];
    for &(symbol, frequency) in distribution.entries() {
        if symbol != ESCAPE {
            costs[usize::from(symbol)] = scale - log2(u32::from(frequency));
        }
    }
    costs
}

fn cost(histogram: &Histogram, costs: &[u32; 256]) -> u64 {
    let each = histogram.counts.iter();
    each.map(|&(symbol, count)| u64::from(count) * u64::from(costs[usize::from(symbol)])).sum()
}

/// Gathers the histograms into `most` clusters or fewer.
pub(super) fn cluster(histograms: &[Histogram], most: usize, rounds: usize) -> Clusters {
    let mut heavy: Vec<usize> = (0..histograms.len()).collect();
    heavy.sort_by_key(|&number| (std::cmp::Reverse(histograms[number].total()), number));
    heavy.truncate(most.clamp(1, 256));
    let mut distributions: Vec<Distribution> =
        heavy.iter().map(|&number| histograms[number].distribution()).collect();
    let mut of = vec![0; histograms.len()];
    for _ in 0..rounds {
        let tables: Vec<[u32; 256]> = distributions.iter().map(costs).collect();
        let mut sums = vec![[0u32; 256]; distributions.len()];
        for (histogram, of) in histograms.iter().zip(&mut of) {
            let best = (0..tables.len()).min_by_key(|&number| cost(histogram, &tables[number]));
            *of = best.unwrap_or(0) as u8;
            for &(symbol, count) in &histogram.counts {
                sums[usize::from(*of)][usize::from(symbol)] += count;
            }
        }
        for (distribution, sums) in distributions.iter_mut().zip(&sums) {
            *distribution = Histogram::of(sums).distribution();
        }
    }
    Clusters { of, distributions }
}
