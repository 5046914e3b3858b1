//! What the rounds of a layer look like, taken from one that is solved here.
//!
//! Which boards are decided in which round cannot be known without solving. The profile of a
//! smaller layer stands for that of a larger one: how evenly each round falls on the parts, how
//! many rounds there are, how long the messages are.

use std::sync::atomic::AtomicBool;

use oware_rules::TableRules;
use oware_tables::rows::{row_at, rows_with};
use oware_tables::{Convention, Layer};

use super::before::Sowings;
use super::counts::Counts;
use super::sharing::Sharing;
use crate::exchange::Alone;
use crate::partition::Partition;
use crate::solve::{LayerJob, SolveError, Target, solve_layer};
use crate::space::GROUP;
use crate::storage::InMemory;
use crate::tables::MoveTables;

/// Distances are below this.
const LEVELS: usize = 256;

/// The rounds of one layer, shared among some number of parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundShares {
    /// Number of parts.
    pub parts: usize,
    /// Groups of a part, mean.
    pub groups: f64,
    /// Sum over the rounds of what the part with most decides, beside that of the mean part.
    pub balance: f64,
    /// Deviation between the parts within a round beside the mean, weighted by boards.
    pub deviation: f64,
    /// Bytes of a board's message to one part, mean.
    pub bytes: f64,
    /// Boards of a message's word, mean.
    pub boards_a_word: f64,
}

/// The rounds of one layer that was solved.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Seeds of the layer.
    pub seeds: usize,
    /// Rounds of each layer from 0 to this one.
    pub rounds: Vec<u64>,
    /// Boards that are decided, as a share of all.
    pub decided: f64,
    /// The round that decides most, as a share of all boards.
    pub largest: f64,
    /// Rounds that decide fewer than 1 in 100,000 boards.
    pub thin: u64,
    /// For several numbers of parts, rising.
    pub shares: Vec<RoundShares>,
}

/// A layer's values and distances by even.
struct Layered {
    layer: Layer,
    values: Vec<i8>,
    distances: Vec<u8>,
}

impl Profile {
    /// Solves the layers up to `seeds`.
    pub(crate) fn new(rules: TableRules, seeds: usize) -> Result<Profile, SolveError> {
        let tables = MoveTables::new(rules, seeds);
        let counts = Counts::new(rules, seeds);
        let sowings = Sowings::new(seeds);
        let mut lower = InMemory::new();
        let mut rounds = Vec::new();
        let mut top = None;
        for seeds in 0..=seeds {
            let job = LayerJob {
                tables: &tables,
                seeds,
                target: Target::Even,
                distances: true,
                threads: 1,
                lower: &lower,
                scratch: None,
                stop: &AtomicBool::new(false),
                progress: &|_| (),
            };
            let mut solved = solve_layer(&job, &mut Alone)?;
            let (values, distances) =
                (solved.values.swap_remove(0), solved.distances.swap_remove(0));
            let solved = Layered { layer: Layer::new(seeds), values: values.clone(), distances };
            rounds.push(solved.rounds());
            top = Some(solved);
            lower.push(Convention::Even, values);
        }
        let shares = |solved: &Layered| {
            let shares = [2, 3, 4, 6, 8, 12, 16, 32];
            shares.map(|parts| solved.shares(parts, &counts, &sowings)).to_vec()
        };
        let boards = top.as_ref().map_or_else(Vec::new, Layered::boards);
        let all = Layer::new(seeds).size() as f64;
        Ok(Profile {
            seeds,
            rounds,
            decided: boards.iter().sum::<u64>() as f64 / all,
            largest: boards.iter().copied().max().unwrap_or(0) as f64 / all,
            thin: boards.iter().filter(|&&b| b > 0 && (b as f64) < all / 1e5).count() as u64,
            shares: top.as_ref().map_or_else(Vec::new, shares),
        })
    }

    /// Rounds of a layer: as counted, and beyond the profile by the power of the seeds that fits
    /// the upper half of its layers best.
    #[must_use]
    pub fn rounds_of(&self, seeds: usize) -> f64 {
        if let Some(&rounds) = self.rounds.get(seeds) {
            return rounds as f64;
        }
        let first = (self.seeds / 2).max(2);
        let points: Vec<(f64, f64)> = (first..=self.seeds)
            .filter(|&seeds| self.rounds[seeds] > 0)
            .map(|seeds| ((seeds as f64).ln(), (self.rounds[seeds] as f64).ln()))
            .collect();
        let count = points.len().max(1) as f64;
        let [x, y] = [0, 1].map(|axis| {
            points.iter().map(|&(x, y)| if axis == 0 { x } else { y }).sum::<f64>() / count
        });
        let over: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
        let under: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
        let power = if under > 0.0 { (over / under).clamp(0.0, 2.0) } else { 1.0 };
        (y + power * ((seeds as f64).ln() - x)).exp()
    }

    /// The shares that are most like those of a part with so many groups.
    #[must_use]
    pub fn like(&self, groups: f64) -> Option<&RoundShares> {
        let far = |shares: &&RoundShares| ((shares.groups / groups).ln().abs() * 1e6) as u64;
        self.shares.iter().min_by_key(far)
    }
}

impl Layered {
    /// The round that decides a board, if one does.
    fn round(&self, index: usize) -> Option<usize> {
        let value = usize::from(self.values[index].unsigned_abs());
        (value > 0).then(|| value * LEVELS + usize::from(self.distances[index]))
    }

    /// Boards decided, by round.
    fn boards(&self) -> Vec<u64> {
        let mut boards = vec![0; (self.layer.seeds() + 1) * LEVELS];
        (0..self.values.len()).filter_map(|i| self.round(i)).for_each(|round| boards[round] += 1);
        boards
    }

    /// Exchanges: for each threshold one for each level, and one that finds nothing more.
    fn rounds(&self) -> u64 {
        let boards = self.boards();
        let levels = |threshold: usize| {
            let levels = &boards[threshold * LEVELS..(threshold + 1) * LEVELS];
            let longest = levels.iter().rposition(|&boards| boards > 0).unwrap_or(0);
            longest as u64 + 2
        };
        (1..=self.layer.seeds()).map(levels).sum()
    }

    fn shares(&self, parts: usize, counts: &Counts, sowings: &Sowings) -> RoundShares {
        let seeds = self.layer.seeds();
        let partition = Sharing::Default.partition(seeds, parts);
        let mut messages = Messages::new(seeds, &partition);
        let mut before = Vec::new();
        let mut to: Vec<usize> = Vec::new();
        for mover in 0..=seeds {
            let total = seeds - mover;
            for rank in 0..rows_with(total) {
                sowings.before(&row_at(total, rank), seeds, counts, &mut before);
                to.clear();
                to.push(partition.owner(counts.group(total, rank)));
                for before in &before {
                    let owner = partition.owner(before.group);
                    if !to.contains(&owner) {
                        to.push(owner);
                    }
                }
                let start = self.layer.run(mover, rank) as usize;
                for first in (0..rows_with(mover)).step_by(GROUP) {
                    let from = partition.owner(counts.group(mover, first));
                    let boards = first..rows_with(mover).min(first + GROUP);
                    let rounds = boards.filter_map(|column| self.round(start + column));
                    messages.word(from, &to, rounds);
                }
            }
        }
        messages.end(parts, partition.groups() as f64 / parts as f64)
    }
}

/// Messages of all rounds, as the frontier words they carry.
struct Messages {
    parts: usize,
    word: u32,
    rounds: Vec<usize>,
    /// By round and sender.
    boards: Vec<u64>,
    /// By round, sender and receiver: the last word that was sent.
    last: Vec<u32>,
    bytes: u64,
    words: u64,
    told: u64,
}

impl Messages {
    fn new(seeds: usize, partition: &Partition) -> Messages {
        let (parts, rounds) = (partition.parts(), (seeds + 1) * LEVELS);
        Messages {
            parts,
            word: 0,
            rounds: Vec::new(),
            boards: vec![0; rounds * parts],
            last: vec![0; rounds * parts * parts],
            bytes: 0,
            words: 0,
            told: 0,
        }
    }

    /// 64 boards of one opponent's row: the rounds of those that are decided.
    fn word(&mut self, from: usize, to: &[usize], rounds: impl Iterator<Item = usize>) {
        self.word += 1;
        self.rounds.clear();
        self.rounds.extend(rounds);
        self.rounds.sort_unstable();
        for same in self.rounds.chunk_by(|a, b| a == b) {
            let boards = same.len() as u64;
            self.boards[same[0] * self.parts + from] += boards;
            for &to in to.iter().filter(|&&to| to != from) {
                let last = &mut self.last[(same[0] * self.parts + from) * self.parts + to];
                // How much further on it is, 7 bits a byte, with two bits for side and form; then
                // a byte for each board, or all 64 bits.
                let further = u64::from(self.word - *last) << 2;
                *last = self.word;
                self.bytes += u64::from((64 - further.leading_zeros()).div_ceil(7)) + boards.min(8);
                self.words += 1;
                self.told += boards;
            }
        }
    }

    fn end(&self, parts: usize, groups: f64) -> RoundShares {
        let (mut most, mut mean, mut deviation) = (0.0, 0.0, 0.0);
        for round in self.boards.chunks(parts) {
            let each = round.iter().sum::<u64>() as f64 / parts as f64;
            let square: f64 = round.iter().map(|&boards| (boards as f64 - each).powi(2)).sum();
            most += round.iter().copied().max().unwrap_or(0) as f64;
            mean += each;
            deviation += (square / parts as f64).sqrt();
        }
        let over = |number: f64, by: f64| if by > 0.0 { number / by } else { 0.0 };
        RoundShares {
            parts,
            groups,
            balance: if mean > 0.0 { most / mean } else { 1.0 },
            deviation: over(deviation, mean),
            bytes: over(self.bytes as f64, self.told as f64),
            boards_a_word: over(self.told as f64, self.words as f64),
        }
    }
}
