//! Which part owns which rows of a layer.
//!
//! A move changes the mover's own row only from its house on, so rows that begin alike lead mostly
//! to rows that begin alike. Groups of 64 rows are therefore put in the order of their houses,
//! whatever their totals, and this order is cut into stretches of about equal work, given to the
//! parts so that each gets some from everywhere. A group of a row with few seeds can have more
//! boards than a stretch; these groups are given out first, so that the rest can even them out.
//! More stretches a part even out what stretches differ in (moves, captures, how early boards are
//! decided); fewer mean that fewer parts have to be told of a board.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use oware_tables::rows::{rows_of, rows_with};

use crate::space::GROUP;

/// What a board is beside a move, as work.
const BOARD: u64 = 3;

/// Stretches of each part, chosen by simulation (docs/measurements, cluster): from 8 to 16 a board
/// goes to 4 to 8 % more parts, and the captures of the part with most fall from 1.21-1.52 of the
/// mean to 1.15-1.25.
const STRETCHES: usize = 16;

/// The owners of all groups of rows of one layer, computed from its seeds and the number of parts
/// alone, so that every part computes the same.
#[derive(Clone, Debug)]
pub struct Partition {
    parts: usize,
    /// By group, in the order of totals and then ranks.
    owners: Vec<u16>,
}

impl Partition {
    /// The owners for a layer of `seeds` seeds.
    ///
    /// # Panics
    /// Above 48 seeds, and unless there are 1 to 65,535 parts.
    #[must_use]
    pub fn new(seeds: usize, parts: usize) -> Partition {
        Partition::with_stretches(seeds, parts, STRETCHES)
    }

    /// The same with another number of stretches a part.
    ///
    /// # Panics
    /// As [`new`](Self::new), and when there are no stretches.
    #[must_use]
    pub fn with_stretches(seeds: usize, parts: usize, stretches: usize) -> Partition {
        assert!((1..=65_535).contains(&parts) && stretches > 0, "1 to 65,535 parts");
        let mut groups = groups(seeds);
        let all: u64 = groups.iter().map(|group| group.work).sum();
        // A stretch has about this much work; a group with more is a stretch of its own.
        let length = all.div_ceil((parts * stretches) as u64).max(1);
        groups.sort_unstable();
        let (large, small): (Vec<Group>, Vec<Group>) =
            groups.iter().partition(|group| group.work >= length);
        let mut dealer = Dealer::new(parts, groups.len());
        dealer.deal(large.iter().map(std::slice::from_ref).collect());
        let cut = cut(&small, length);
        // As many at a time as there are parts, so that each part gets some from everywhere.
        cut.chunks(parts).for_each(|stretches| dealer.deal(stretches.to_vec()));
        let owners = dealer.owners;
        Partition { parts, owners }
    }

    /// Owners that were found in another way, group by group.
    pub(crate) fn with_owners(parts: usize, owners: impl Iterator<Item = usize>) -> Partition {
        Partition { parts, owners: owners.map(|owner| owner as u16).collect() }
    }

    /// Number of parts.
    #[must_use]
    pub const fn parts(&self) -> usize {
        self.parts
    }

    /// The part that owns a group.
    #[inline]
    #[must_use]
    pub fn owner(&self, group: usize) -> usize {
        usize::from(self.owners[group])
    }

    /// Number of groups.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.owners.len()
    }
}

/// A group of rows, to be put in the order of its first row's houses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    /// Houses as one number, the first highest.
    houses: u64,
    number: usize,
    /// Boards and their moves, legal or not.
    work: u64,
}

/// Cuts groups into stretches of about `length` work. Where the middle of a group lies decides.
fn cut(groups: &[Group], length: u64) -> Vec<&[Group]> {
    let all: u64 = groups.iter().map(|group| group.work).sum();
    let stretches = u128::from(all.div_ceil(length).max(1));
    let (mut cut, mut first, mut last, mut before) = (Vec::new(), 0, 0, 0);
    for (place, group) in groups.iter().enumerate() {
        let middle = u128::from(2 * before + group.work) * stretches / u128::from(2 * all);
        if middle != last {
            cut.push(&groups[first..place]);
            (first, last) = (place, middle);
        }
        before += group.work;
    }
    cut.push(&groups[first..]);
    cut
}

/// Gives stretches to parts.
struct Dealer {
    owners: Vec<u16>,
    /// Work and number of each part, the part with least first.
    loads: BinaryHeap<Reverse<(u64, usize)>>,
}

impl Dealer {
    fn new(parts: usize, groups: usize) -> Dealer {
        let loads = (0..parts).map(|part| Reverse((0, part))).collect();
        Dealer { owners: vec![0; groups], loads }
    }

    /// The longest first, in their order where they are equal, each to the part with least work.
    fn deal(&mut self, stretches: Vec<&[Group]>) {
        let work = |stretch: &[Group]| stretch.iter().map(|group| group.work).sum::<u64>();
        let mut stretches: Vec<_> = stretches.into_iter().map(|s| (Reverse(work(s)), s)).collect();
        stretches.sort_by_key(|&(work, _)| work);
        for (Reverse(work), stretch) in stretches {
            let Some(mut least) = self.loads.peek_mut() else { return };
            least.0.0 += work;
            for group in stretch {
                self.owners[group.number] = least.0.1 as u16;
            }
        }
    }
}

/// All groups of a layer, in the order of totals and ranks.
fn groups(seeds: usize) -> Vec<Group> {
    let mut groups = Vec::new();
    for total in 0..=seeds {
        let width = rows_with(seeds - total) as u64;
        for (rank, row) in rows_of(total).enumerate() {
            if rank % GROUP == 0 {
                let houses = row.iter().fold(0u64, |key, &seeds| key << 8 | u64::from(seeds));
                groups.push(Group { houses, number: groups.len(), work: 0 });
            }
            let moves = row.iter().filter(|&&seeds| seeds > 0).count() as u64;
            if let Some(group) = groups.last_mut() {
                group.work += (BOARD + moves) * width;
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use oware_tables::Layer;

    use super::*;
    use crate::space::RowSpace;
    use crate::state::Shape;

    #[test]
    fn every_group_has_one_owner_and_every_part_something() {
        for seeds in 0..=14 {
            for parts in [1, 2, 3, 7, 64] {
                for stretches in [1, 5, 16] {
                    let partition = Partition::with_stretches(seeds, parts, stretches);
                    let groups = Shape::new(seeds, &RowSpace::new(seeds)).groups.len();
                    assert_eq!((partition.groups(), partition.parts()), (groups, parts));
                    let mut owned = vec![0; parts];
                    (0..groups).for_each(|group| owned[partition.owner(group)] += 1);
                    assert_eq!(owned.iter().sum::<usize>(), groups);
                    let idle = owned.iter().filter(|&&owned| owned == 0).count();
                    assert!(
                        groups < 8 * parts || stretches == 1 || idle == 0,
                        "{seeds} {parts} {stretches}"
                    );
                }
            }
        }
    }

    #[test]
    fn parts_own_about_as_many_boards() {
        for (seeds, parts, allowed) in [(16, 2, 1.05), (16, 8, 1.15), (26, 64, 1.15)] {
            let partition = Partition::new(seeds, parts);
            let shape = Shape::new(seeds, &RowSpace::new(seeds));
            assert_eq!(partition.groups(), shape.groups.len());
            let mut boards = vec![0u64; parts];
            for (number, group) in shape.groups.iter().enumerate() {
                boards[partition.owner(number)] += (group.rows * shape.width(group.total)) as u64;
            }
            let all = Layer::new(seeds).size();
            assert_eq!(boards.iter().sum::<u64>(), all);
            let mean = all as f64 / parts as f64;
            let most = *boards.iter().max().unwrap() as f64;
            assert!(most <= mean * allowed, "{seeds} seeds, {parts} parts: {}", most / mean);
        }
    }
}
