//! Which part owns which rows of a layer.
//!
//! A move changes the mover's own row only from its house on, so rows that begin alike lead mostly
//! to rows that begin alike. Groups of 64 rows are therefore put in the order of their houses,
//! whatever their totals, and this order is cut into stretches of equal numbers of boards, dealt
//! out to the parts in turn. More stretches a part even out what stretches differ in (moves,
//! captures, how early boards are decided); fewer keep more moves within a part.

use oware_tables::rows::{row_at, rows_with};

use crate::space::GROUP;

/// Stretches of each part, chosen by simulation.
const STRETCHES: usize = 8;

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
        // Houses as one number each, the first highest; then the group and its boards.
        let mut groups = Vec::new();
        for total in 0..=seeds {
            let width = rows_with(seeds - total) as u64;
            for first in (0..rows_with(total)).step_by(GROUP) {
                let houses = row_at(total, first);
                let key = houses.iter().fold(0u64, |key, &seeds| key << 8 | u64::from(seeds));
                let rows = GROUP.min(rows_with(total) - first) as u64;
                groups.push((key, groups.len(), rows * width));
            }
        }
        let all: u64 = groups.iter().map(|&(.., boards)| boards).sum();
        let mut owners = vec![0; groups.len()];
        groups.sort_unstable();
        let mut before = 0;
        for (_, group, boards) in groups {
            // Where the middle of the group lies decides its stretch.
            let middle = u128::from(2 * before + boards) * (parts * stretches) as u128;
            let stretch = (middle / u128::from(2 * all)) as usize;
            owners[group] = (stretch % parts) as u16;
            before += boards;
        }
        Partition { parts, owners }
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

#[cfg(test)]
mod tests {
    use oware_tables::Layer;

    use super::*;
    use crate::space::RowSpace;
    use crate::state::Shape;

    #[test]
    fn parts_own_about_as_many_boards() {
        for (seeds, parts, allowed) in [(16, 2, 1.05), (16, 8, 1.35), (24, 8, 1.35)] {
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
