//! What the rounds of a layer look like, taken from one that is solved here.
//!
//! Which boards are decided in which round cannot be known without solving. The profile of a
//! smaller layer stands for that of a larger one: how evenly each round falls on the parts, how
//! many rounds there are, how long the messages are.

use oware_rules::TableRules;
use oware_tables::rows::{row_at, rows_of, rows_with};
use oware_tables::{Convention, Layer, Row};

use super::before::{Sowings, quiet_before};
use super::counts::Counts;
use super::sharing::Sharing;
use crate::exchange::Alone;
use crate::partition::Partition;
use crate::solve::{LayerJob, SolveError, Target, solve_layer};
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
    /// Other parts that a board is told to, mean.
    pub told: f64,
    /// Bytes of a board's message to one part, mean.
    pub bytes: f64,
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
            let job = LayerJob::quiet(&tables, seeds, Target::Even, &lower);
            let job = LayerJob { distances: true, ..job };
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
        let mut to: Vec<(usize, u64)> = Vec::new();
        for mover in 0..=seeds {
            let total = seeds - mover;
            // By mover's row, which crossings lead to it without a capture, as bits.
            let bits = |row: Row| {
                let quiet = quiet_before(&row, &counts.rules).into_iter().enumerate();
                quiet.fold(0, |bits, (crossing, quiet)| bits | u64::from(quiet) << crossing)
            };
            let quiet: Vec<u64> = rows_of(mover).map(bits).collect();
            for rank in 0..rows_with(total) {
                sowings.before(&row_at(total, rank), seeds, counts, &mut before);
                to.clear();
                // Who keeps the row gets all its boards.
                to.push((partition.owner(counts.group(total, rank)), u64::MAX));
                for before in &before {
                    let (owner, crossing) = (partition.owner(before.group), 1 << before.crossing);
                    match to.iter_mut().find(|(other, _)| *other == owner) {
                        Some((_, crossings)) => *crossings |= crossing,
                        None => to.push((owner, crossing)),
                    }
                }
                let start = self.layer.run(mover, rank) as usize;
                messages.row += 1;
                for (column, &quiet) in quiet.iter().enumerate() {
                    let Some(round) = self.round(start + column) else { continue };
                    let from = partition.owner(counts.group(mover, column));
                    let others = to
                        .iter()
                        .filter(|&&(to, by)| to != from && (by == u64::MAX || quiet & by != 0));
                    messages.board(round, from, column, others.map(|&(to, _)| to));
                }
            }
        }
        messages.end(parts, partition.groups() as f64 / parts as f64)
    }
}

/// Messages of all rounds: lists of rows, and for each row of the boards in it.
struct Messages {
    parts: usize,
    row: u32,
    /// By round and sender.
    boards: Vec<u64>,
    /// By round, sender and receiver: the last row that was sent, and the last board.
    last: Vec<(u32, u32)>,
    bytes: u64,
    told: u64,
}

/// Bytes of a number, 7 bits in each.
fn length(number: u32) -> u64 {
    u64::from((32 - (number | 1).leading_zeros()).div_ceil(7))
}

impl Messages {
    fn new(seeds: usize, partition: &Partition) -> Messages {
        let (parts, rounds) = (partition.parts(), (seeds + 1) * LEVELS);
        Messages {
            parts,
            row: 0,
            boards: vec![0; rounds * parts],
            last: vec![(0, 0); rounds * parts * parts],
            bytes: 0,
            told: 0,
        }
    }

    /// A board of the present row that is decided in a round.
    fn board(&mut self, round: usize, from: usize, column: usize, to: impl Iterator<Item = usize>) {
        self.boards[round * self.parts + from] += 1;
        let column = column as u32;
        for to in to {
            let last = &mut self.last[(round * self.parts + from) * self.parts + to];
            // A new row is its distance and the number of its boards; a board is its distance and
            // its side.
            if last.0 != self.row {
                self.bytes += length(self.row - last.0) + 1;
                *last = (self.row, 0);
            }
            self.bytes += length((column - last.1) << 1);
            last.1 = column;
            self.told += 1;
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
            told: self.told as f64 / self.boards.iter().sum::<u64>().max(1) as f64,
        }
    }
}
