//! Gathers contexts into classes so that coding by class takes few bits.
//!
//! Lloyd's algorithm, with the length of the code as distance: each context goes to the class
//! whose frequencies code its symbols shortest, and the frequencies of a class are those of its
//! contexts. All in integers.

use std::cmp::Reverse;

/// Bits are counted in units of 1 / 2^12.
pub(super) const UNIT_BITS: u32 = 12;
/// Weight of one count against one for each symbol that was not seen.
const WEIGHT: u64 = 50;

/// `log2(value)` in units, rounded down; 0 for 0.
pub(super) fn log2(value: u64) -> u32 {
    if value == 0 {
        return 0;
    }
    let whole = value.ilog2();
    // The fraction bit by bit, by squaring a number of 1..2 with 31 bits after the point.
    let mut number = if whole > 31 { value >> (whole - 31) } else { value << (31 - whole) };
    let mut result = whole;
    for _ in 0..UNIT_BITS {
        number = (number * number) >> 31;
        result <<= 1;
        if number >> 32 != 0 {
            result |= 1;
            number >>= 1;
        }
    }
    result
}

/// What was seen in each context: (condition, symbol) as one number, and how often.
#[derive(Debug, Default)]
pub(super) struct Histograms {
    /// Where the entries of each context start; one more at the end.
    starts: Vec<u32>,
    /// Of each context the most frequent first, so that a sum of costs grows fast.
    entries: Vec<(u16, u32)>,
}

impl Histograms {
    /// Of pairs of a context below `contexts` and what was seen there.
    pub(super) fn of(contexts: usize, seen: &[(u32, u16)]) -> Histograms {
        // Sorted by context first, by counting.
        let mut ends = vec![0usize; contexts + 1];
        for &(context, _) in seen {
            ends[context as usize + 1] += 1;
        }
        for context in 0..contexts {
            ends[context + 1] += ends[context];
        }
        let mut sorted = vec![0u16; seen.len()];
        for &(context, what) in seen {
            let place = &mut ends[context as usize];
            sorted[*place] = what;
            *place += 1;
        }
        let mut histograms = Histograms::default();
        let mut counts = vec![0u32; 1 << 16];
        let mut start = 0;
        for &end in &ends[..contexts] {
            histograms.starts.push(histograms.entries.len() as u32);
            let first = histograms.entries.len();
            histograms.add(&mut sorted[start..end], &mut counts);
            histograms.order(first);
            start = end;
        }
        histograms.starts.push(histograms.entries.len() as u32);
        histograms
    }

    /// Puts the entries from `start` on in order.
    fn order(&mut self, start: usize) {
        self.entries[start..].sort_unstable_by_key(|&(what, count)| (Reverse(count), what));
    }

    /// Appends the entries of a context. `counts` is for its use and 0 before and after.
    fn add(&mut self, seen: &mut [u16], counts: &mut [u32]) {
        if seen.len() < 256 {
            seen.sort_unstable();
            let runs = seen.chunk_by(|one, next| one == next);
            self.entries.extend(runs.map(|run| (run[0], run.len() as u32)));
            return;
        }
        for &what in &*seen {
            counts[usize::from(what)] += 1;
        }
        let largest = seen.iter().copied().max().map_or(0, usize::from);
        for (what, count) in counts[..=largest].iter_mut().enumerate() {
            if *count > 0 {
                self.entries.push((what as u16, *count));
                *count = 0;
            }
        }
    }

    /// Of counts by context and symbol, `symbols` for each context.
    pub(super) fn dense(symbols: usize, counts: &[u32]) -> Histograms {
        let mut histograms = Histograms::default();
        for counts in counts.chunks(symbols) {
            let start = histograms.entries.len();
            histograms.starts.push(start as u32);
            let seen = counts.iter().enumerate().filter(|&(_, &count)| count > 0);
            histograms.entries.extend(seen.map(|(symbol, &count)| (symbol as u16, count)));
            histograms.order(start);
        }
        histograms.starts.push(histograms.entries.len() as u32);
        histograms
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn context(&self, number: usize) -> &[(u16, u32)] {
        &self.entries[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    fn total(&self, number: usize) -> u64 {
        self.context(number).iter().map(|&(_, count)| u64::from(count)).sum()
    }
}

/// One class: which of the histograms it codes, and the sum of theirs.
#[derive(Clone, Debug)]
pub(super) struct Class {
    /// Which way of seeing the symbols it takes.
    pub(super) base: usize,
    /// Counts by what was seen.
    pub(super) counts: Vec<u32>,
}

impl Class {
    fn of(base: usize, kinds: usize, context: &[(u16, u32)]) -> Class {
        let mut class = Class { base, counts: vec![0; kinds] };
        class.add(context);
        class
    }

    fn add(&mut self, context: &[(u16, u32)]) {
        for &(what, count) in context {
            self.counts[usize::from(what)] += count;
        }
    }

    /// The length of the code of everything that can be seen, condition by condition.
    fn costs(&self, symbols: usize) -> Vec<u32> {
        let mut costs = Vec::with_capacity(self.counts.len());
        for counts in self.counts.chunks(symbols) {
            let sum: u64 = counts.iter().map(|&count| u64::from(count)).sum();
            let sum = log2(sum * WEIGHT + symbols as u64);
            let cost = |&count: &u32| match count {
                0 => sum,
                count => sum - log2(u64::from(count) * WEIGHT + 1),
            };
            costs.extend(counts.iter().map(cost));
        }
        costs
    }
}

/// The classes found.
#[derive(Debug)]
pub(super) struct Clusters {
    /// By context: its class. A context in which nothing was seen is like the one before it.
    pub(super) of: Vec<u8>,
    /// The classes, at least one. Some may be empty.
    pub(super) classes: Vec<Class>,
    /// How long the code of everything seen is, about, in bits.
    pub(super) bits: u64,
}

/// What is clustered.
#[derive(Debug)]
pub(super) struct Task<'a> {
    /// Ways to see the same boards, all with the same contexts.
    pub(super) bases: &'a [Histograms],
    /// Number of conditions; each is coded by itself.
    pub(super) conditions: usize,
    /// Number of symbols.
    pub(super) symbols: usize,
    /// Number of classes wanted, 1 to 256.
    pub(super) classes: usize,
    /// Rounds of Lloyd's algorithm.
    pub(super) rounds: usize,
    /// What it costs to give a context another class than the one before it, in units.
    pub(super) change: u64,
}

impl Task<'_> {
    /// Finds classes.
    pub(super) fn run(&self) -> Clusters {
        let kinds = self.conditions * self.symbols;
        let first = &self.bases[0];
        let mut used: Vec<usize> = (0..first.len()).filter(|&at| first.total(at) > 0).collect();
        used.sort_by_key(|&at| (Reverse(first.total(at)), at));
        let count = self.classes.min(used.len()).max(1);
        let mut classes: Vec<Class> = (0..count)
            .map(|number| {
                let base = number % self.bases.len();
                let context = used.get(number).map_or(&[][..], |&at| self.bases[base].context(at));
                Class::of(base, kinds, context)
            })
            .collect();
        used.sort_unstable();
        let mut of = vec![0; first.len()];
        let mut bits = 0;
        for round in 0..self.rounds {
            bits = self.assign(&used, &mut classes, &mut of);
            if round + 3 < self.rounds {
                self.refill(&used, &mut classes, &of, round);
            }
        }
        let mut last = 0;
        for (at, class) in of.iter_mut().enumerate() {
            if first.context(at).is_empty() {
                *class = last;
            }
            last = *class;
        }
        Clusters { of, classes, bits: bits >> UNIT_BITS }
    }

    /// Sends each context to its best class, and takes the sums anew.
    fn assign(&self, used: &[usize], classes: &mut [Class], of: &mut [u8]) -> u64 {
        let mut bits = 0;
        let costs: Vec<Vec<u32>> = classes.iter().map(|class| class.costs(self.symbols)).collect();
        for class in classes.iter_mut() {
            class.counts.fill(0);
        }
        let mut last = 0;
        for &at in used {
            let context = |number: usize| self.bases[classes[number].base].context(at);
            let mut best = (cost(context(last), &costs[last], u64::MAX), last);
            // A good guess first, so that the others are soon seen to be worse.
            let guess = usize::from(of[at]);
            for number in [guess].into_iter().chain(0..costs.len()) {
                let cost = self.change + cost(context(number), &costs[number], best.0);
                if cost < best.0 {
                    best = (cost, number);
                }
            }
            last = best.1;
            of[at] = best.1 as u8;
            let class = &mut classes[best.1];
            class.add(self.bases[class.base].context(at));
            bits += best.0;
        }
        bits
    }

    /// Gives classes that were left empty the contexts that fit worst.
    fn refill(&self, used: &[usize], classes: &mut [Class], of: &[u8], round: usize) {
        let empty: Vec<usize> = (0..classes.len())
            .filter(|&number| classes[number].counts.iter().all(|&count| count == 0))
            .collect();
        if empty.is_empty() {
            return;
        }
        let costs: Vec<Vec<u32>> = classes.iter().map(|class| class.costs(self.symbols)).collect();
        let mut excess: Vec<(u64, usize)> = used
            .iter()
            .map(|&at| {
                let number = usize::from(of[at]);
                let context = self.bases[classes[number].base].context(at);
                let paid = cost(context, &costs[number], u64::MAX);
                (paid.saturating_sub(self.entropy(context)), at)
            })
            .collect();
        excess.sort_unstable_by_key(|&(cost, at)| (Reverse(cost), at));
        for (&number, &(_, at)) in empty.iter().zip(&excess) {
            let base = (number + round) % self.bases.len();
            let context = self.bases[base].context(at);
            classes[number] = Class::of(base, self.conditions * self.symbols, context);
        }
    }

    /// The length of the code of a context under its own frequencies.
    fn entropy(&self, context: &[(u16, u32)]) -> u64 {
        let condition = |entry: &(u16, u32)| usize::from(entry.0) / self.symbols;
        let mut context = context.to_vec();
        context.sort_unstable();
        let conditions = context.chunk_by(|one, next| condition(one) == condition(next));
        let lengths = conditions.map(|entries| {
            let sum: u64 = entries.iter().map(|entry| u64::from(entry.1)).sum();
            let each = entries.iter().map(|entry| u64::from(entry.1));
            each.map(|count| count * u64::from(log2(sum) - log2(count))).sum::<u64>()
        });
        lengths.sum()
    }
}

/// The length of the code of a context under the frequencies of a class, or something at least
/// `enough` when it is at least that.
#[inline]
fn cost(context: &[(u16, u32)], costs: &[u32], enough: u64) -> u64 {
    let mut sum = 0;
    for &(what, count) in context {
        sum += u64::from(count) * u64::from(costs[usize::from(what)]);
        if sum >= enough {
            break;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_rounded_down() {
        assert_eq!([log2(0), log2(1), log2(2), log2(1 << 40)], [0, 0, 4096, 40 * 4096]);
        for value in 1..5000u64 {
            let exact = (value as f64).log2() * 4096.0;
            assert!((exact - f64::from(log2(value))).abs() < 2.0, "{value}");
        }
    }

    #[test]
    fn unlike_contexts_come_apart() {
        let seen = (0..4000u32).map(|number| (number % 40, (number % 40 / 10) as u16));
        let bases = [Histograms::of(40, &seen.collect::<Vec<_>>())];
        let task =
            Task { bases: &bases, conditions: 1, symbols: 4, classes: 4, rounds: 8, change: 1 };
        let clusters = task.run();
        for number in 0..40 {
            assert_eq!(clusters.of[number], clusters.of[number / 10 * 10]);
        }
        let mut kinds: Vec<u8> = clusters.of.iter().step_by(10).copied().collect();
        kinds.sort_unstable();
        assert_eq!(kinds, [0, 1, 2, 3]);
    }
}
