//! One layer as some number of parts would solve it.

use oware_rules::ROW;
use oware_tables::rows::{rank, rows_with};
use oware_tables::{Layer, Row};

use super::before::{Before, Sowings, quiet_before};
use super::counts::Counts;
use super::draw::{Drawn, draw};
use super::sharing::Sharing;
use crate::halves::{crossing_seeds, lift};
use crate::partition::Partition;
use crate::state::Shape;

/// Opponent's rows in a strip of a lower layer, as in the tiles of a table.
const STRIP: usize = 12;
/// Bytes before the values that one row's move gives to one mover's row: which row, which
/// crossing, how many seeds were taken.
const HEADER: u64 = 8;

/// A quantity of each part: the most and the mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// Of the part that has most.
    pub most: f64,
    /// Of all parts.
    pub mean: f64,
}

impl Spread {
    fn of(parts: &[f64]) -> Spread {
        let mean = parts.iter().sum::<f64>() / parts.len() as f64;
        Spread { most: parts.iter().copied().fold(0.0, f64::max), mean }
    }

    /// The most as a multiple of the mean; 1 where there is nothing.
    #[must_use]
    pub fn balance(self) -> f64 {
        if self.mean > 0.0 { self.most / self.mean } else { 1.0 }
    }
}

/// What the parts of one layer have to do, to hold and to send. Boards, moves, planes and strips
/// are counted; the rest is counted or estimated from a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerShares {
    /// Seeds of the layer.
    pub seeds: usize,
    /// Number of parts.
    pub parts: usize,
    /// How groups are shared out.
    pub sharing: Sharing,
    /// Boards that a part decides.
    pub boards: Spread,
    /// Their moves without a capture.
    pub quiet: Spread,
    /// Their captures (under `leave_a_seed` with those that empty the row, most of them no moves).
    pub captures: Spread,
    /// Boards of lower layers that a part decodes.
    pub decoded: Spread,
    /// Bytes of captured values that a part gives to others in the first pass ...
    pub pushed: Spread,
    /// ... and gets from others.
    pub pulled: Spread,
    /// Boards a part tells others of, once for each other part, if every board is decided ...
    pub told: Spread,
    /// ... and is told of.
    pub heard: Spread,
    /// Bytes of counters.
    pub planes: Spread,
    /// Bytes of the frontier of a part's own boards.
    pub frontier_out: Spread,
    /// Bytes of the frontier of all boards in the rows that a part needs, or keeps the values of.
    pub frontier_in: Spread,
    /// Other parts that are told of a board, mean: those with a board before it, and the one that
    /// keeps the values of its opponent's row.
    pub receivers: f64,
    /// Other parts that would be told by the row alone, mean: those with any move to it.
    pub row_receivers: f64,
    /// Other parts that have a board before it, mean: the least that would do.
    pub least_receivers: f64,
    /// Moves without capture to a board, mean: the bound on messages when each is one.
    pub edges: f64,
    /// Which share of them begin and end within one part.
    pub within: f64,
    /// Boards that were looked at.
    pub sample: u64,
}

/// Sums for one way of sharing, by part.
struct Sums {
    partition: Partition,
    sharing: Sharing,
    pushed: Vec<f64>,
    pulled: Vec<f64>,
    heard: Vec<f64>,
    told: Vec<f64>,
    by_row: f64,
    needed: Vec<f64>,
    /// By total and part: which share of the rows it owns.
    owned: Vec<Vec<f64>>,
    least: f64,
    within: f64,
    owners: Vec<usize>,
}

/// What the layers of a simulation have in common.
pub(crate) struct Simulator {
    pub(crate) counts: Counts,
    sowings: Sowings,
}

/// Where the strips of lower layers start, by layer and mover's total.
struct Strips(Vec<Vec<u64>>);

impl Simulator {
    pub(crate) fn new(counts: Counts, seeds: usize) -> Simulator {
        Simulator { counts, sowings: Sowings::new(seeds) }
    }

    /// Looks at one layer with several ways to share it, over the same sample.
    pub(crate) fn layer(
        &self,
        seeds: usize,
        ways: &[(Sharing, usize)],
        sample: Option<u64>,
        seed: u64,
    ) -> Vec<LayerShares> {
        let shape = Shape::new(seeds, &self.counts.space);
        let mut sums: Vec<Sums> =
            ways.iter().map(|&(sharing, parts)| Sums::new(sharing, parts, &shape)).collect();
        let strips = Strips::new(&self.counts, seeds);
        let mut before = Vec::new();
        let (mut looked, mut edges) = (0, 0.0);
        draw(seeds, sample, seed, |drawn| {
            self.sowings.before(&drawn.row, seeds, &self.counts, &mut before);
            looked += drawn.columns.len() as u64;
            let own = self.counts.group(drawn.total, rank(&drawn.row));
            for sums in &mut sums {
                sums.row(&drawn, own, &before, &shape);
            }
            self.push(&drawn, own, &strips, seeds, &mut sums);
            edges += self.boards(&drawn, &before, &mut sums);
        });
        let boards = Layer::new(seeds).size() as f64;
        let ends = sums.into_iter().map(|sums| {
            let mut end = sums.end(&shape, &self.counts, &strips);
            end.sample = looked;
            end.edges = edges / boards;
            end.least_receivers /= boards;
            end.within /= edges.max(1.0);
            end
        });
        ends.collect()
    }

    /// The captures of a row, as the mover's: from the strips they are read in to its owner.
    fn push(
        &self,
        drawn: &Drawn<'_>,
        own: usize,
        strips: &Strips,
        seeds: usize,
        sums: &mut [Sums],
    ) {
        let opponent = seeds - drawn.total;
        let times = drawn.boards / rows_with(opponent) as f64;
        for (after, crossing) in (0..ROW).filter_map(|house| lift(&drawn.row, house)) {
            if crossing == 0 {
                continue;
            }
            let total = drawn.total - crossing_seeds(crossing);
            for taken in &self.counts.crossed(crossing, opponent).taken {
                let left = seeds - usize::from(taken.captured);
                let strip = strips.number(left, left - total, rank(&after));
                let bytes = (taken.rows + HEADER) as f64 * times;
                for sums in &mut *sums {
                    let parts = sums.partition.parts();
                    let (from, to) = ((strip % parts as u64) as usize, sums.partition.owner(own));
                    if from != to {
                        sums.pushed[from] += bytes;
                        sums.pulled[to] += bytes;
                    }
                }
            }
        }
    }

    /// Boards of a run one by one: the moves to them, and whose these are. Returns their number.
    fn boards(&self, drawn: &Drawn<'_>, before: &[Before], sums: &mut [Sums]) -> f64 {
        let each = drawn.boards / drawn.columns.len() as f64;
        let mut edges = 0.0;
        let mut found: Vec<usize> = Vec::new();
        let row = self.counts.group(drawn.total, rank(&drawn.row));
        for column in drawn.columns {
            let quiet = quiet_before(column, &self.counts.rules);
            found.clear();
            let real = before.iter().filter(|before| quiet[usize::from(before.crossing)]);
            found.extend(real.map(|before| before.group));
            edges += each * found.len() as f64;
            let own = self.counts.group(total(column), rank(column));
            for sums in &mut *sums {
                sums.board(own, row, &found, each);
            }
        }
        edges
    }
}

fn total(row: &Row) -> usize {
    row.iter().map(|&seeds| usize::from(seeds)).sum()
}

impl Strips {
    fn new(counts: &Counts, seeds: usize) -> Strips {
        let mut next = 0;
        let mut layers = vec![Vec::new(); seeds + 1];
        for captured in (1..=seeds).rev().filter(|&c| counts.captured(seeds)[c]) {
            let left = seeds - captured;
            for mover in 0..=left {
                layers[left].push(next);
                next += rows_with(left - mover).div_ceil(STRIP) as u64;
            }
        }
        Strips(layers)
    }

    fn number(&self, layer: usize, mover: usize, rank: usize) -> u64 {
        self.0[layer][mover] + (rank / STRIP) as u64
    }

    /// Boards that each part decodes when strips are dealt in turn.
    fn decoded(&self, parts: usize) -> Vec<f64> {
        let mut decoded = vec![0.0; parts];
        for (seeds, blocks) in self.0.iter().enumerate() {
            for (mover, &first) in blocks.iter().enumerate() {
                let (rows, width) = (rows_with(seeds - mover), rows_with(mover));
                for strip in 0..rows.div_ceil(STRIP) {
                    let part = (first + strip as u64) % parts as u64;
                    let rows = STRIP.min(rows - strip * STRIP);
                    decoded[part as usize] += (rows * width) as f64;
                }
            }
        }
        decoded
    }
}

impl Sums {
    fn new(sharing: Sharing, parts: usize, shape: &Shape) -> Sums {
        let partition = sharing.partition(shape.seeds, parts);
        let mut owned = vec![vec![0.0; parts]; shape.seeds + 1];
        for (number, group) in shape.groups.iter().enumerate() {
            owned[group.total][partition.owner(number)] +=
                group.rows as f64 / rows_with(group.total) as f64;
        }
        let zeros = || vec![0.0; parts];
        Sums {
            partition,
            sharing,
            pushed: zeros(),
            pulled: zeros(),
            heard: zeros(),
            told: zeros(),
            by_row: 0.0,
            needed: zeros(),
            owned,
            least: 0.0,
            within: 0.0,
            owners: Vec::new(),
        }
    }

    fn owners_of(&mut self, groups: impl Iterator<Item = usize>) {
        self.owners.clear();
        for group in groups {
            let owner = self.partition.owner(group);
            if !self.owners.contains(&owner) {
                self.owners.push(owner);
            }
        }
    }

    /// An opponent's row: who needs it.
    fn row(&mut self, drawn: &Drawn<'_>, own: usize, before: &[Before], shape: &Shape) {
        let mover = shape.seeds - drawn.total;
        // The owner of the row keeps the values of its boards.
        self.owners_of(before.iter().map(|before| before.group).chain([own]));
        let words = shape.words(drawn.total) as f64 / shape.width(drawn.total) as f64;
        for &owner in &self.owners {
            self.needed[owner] += drawn.boards * words * 16.0;
        }
        let own = |&owner: &usize| self.owned[mover][owner];
        let others = self.owners.len() as f64 - self.owners.iter().map(own).sum::<f64>();
        self.by_row += drawn.boards * others;
    }

    /// A board: `groups` are those of the rows with a move to it, `row` that of the opponent's.
    fn board(&mut self, own: usize, row: usize, groups: &[usize], boards: f64) {
        let mine = self.partition.owner(own);
        let within = groups.iter().filter(|&&group| self.partition.owner(group) == mine).count();
        self.within += boards * within as f64;
        self.owners_of(groups.iter().copied());
        let others = self.owners.iter().filter(|&&owner| owner != mine).count();
        self.least += boards * others as f64;
        let keeper = self.partition.owner(row);
        if !self.owners.contains(&keeper) {
            self.owners.push(keeper);
        }
        for &owner in self.owners.iter().filter(|&&owner| owner != mine) {
            self.told[mine] += boards;
            self.heard[owner] += boards;
        }
    }

    fn end(self, shape: &Shape, counts: &Counts, strips: &Strips) -> LayerShares {
        let parts = self.partition.parts();
        let zeros = || vec![0.0; parts];
        let [mut boards, mut quiet, mut captures] = [zeros(), zeros(), zeros()];
        let [mut planes, mut frontier] = [zeros(), zeros()];
        for (number, group) in shape.groups.iter().enumerate() {
            let owner = self.partition.owner(number);
            let edges = counts.edges(number, shape.seeds - group.total);
            boards[owner] += (group.rows * shape.width(group.total)) as f64;
            quiet[owner] += edges.quiet as f64;
            captures[owner] += edges.captures as f64;
            planes[owner] += (group.rows * shape.words(group.total) * 24) as f64;
            frontier[owner] += (shape.width(group.total) * 16) as f64;
        }
        LayerShares {
            seeds: shape.seeds,
            parts,
            sharing: self.sharing,
            receivers: self.told.iter().sum::<f64>() / boards.iter().sum::<f64>(),
            row_receivers: self.by_row / boards.iter().sum::<f64>(),
            boards: Spread::of(&boards),
            quiet: Spread::of(&quiet),
            captures: Spread::of(&captures),
            decoded: Spread::of(&strips.decoded(parts)),
            pushed: Spread::of(&self.pushed),
            pulled: Spread::of(&self.pulled),
            told: Spread::of(&self.told),
            heard: Spread::of(&self.heard),
            planes: Spread::of(&planes),
            frontier_out: Spread::of(&frontier),
            frontier_in: Spread::of(&self.needed),
            least_receivers: self.least,
            edges: 0.0,
            within: self.within,
            sample: 0,
        }
    }
}
