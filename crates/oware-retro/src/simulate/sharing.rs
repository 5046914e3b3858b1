//! Ways to share the groups of a layer among parts, to be compared.

use std::fmt;

use crate::partition::Partition;
use crate::space::{GROUP, RowSpace};
use crate::state::Shape;

/// A way to share out groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// As [`Partition::new`] does.
    Default,
    /// So many stretches a part of the groups in the order of their houses.
    Stretches(usize),
    /// Group by group in turn, in the order of totals and ranks.
    InTurn,
    /// One stretch a part, in the order of totals and ranks.
    Ranges,
}

impl fmt::Display for Sharing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sharing::Default => f.write_str("default"),
            Sharing::Stretches(number) => write!(f, "{number} stretches"),
            Sharing::InTurn => f.write_str("in turn"),
            Sharing::Ranges => f.write_str("ranges"),
        }
    }
}

impl Sharing {
    /// All that a comparison looks at.
    #[must_use]
    pub fn all() -> Vec<Sharing> {
        let stretches = [1, 2, 4, 8, 16, 32, 64].map(Sharing::Stretches);
        [Sharing::Default]
            .into_iter()
            .chain(stretches)
            .chain([Sharing::InTurn, Sharing::Ranges])
            .collect()
    }

    /// The owners of a layer's groups.
    ///
    /// # Panics
    /// As [`Partition::new`].
    #[must_use]
    pub fn partition(self, seeds: usize, parts: usize) -> Partition {
        match self {
            Sharing::Default => Partition::new(seeds, parts),
            Sharing::Stretches(number) => Partition::with_stretches(seeds, parts, number),
            Sharing::InTurn => {
                let groups = RowSpace::new(seeds).end(seeds) / GROUP;
                Partition::with_owners(parts, (0..groups).map(|group| group % parts))
            }
            Sharing::Ranges => {
                let shape = Shape::new(seeds, &RowSpace::new(seeds));
                let boards = |group: usize| {
                    let rows = shape.groups[group];
                    (rows.rows * shape.width(rows.total)) as u64
                };
                let all: u64 = (0..shape.groups.len()).map(boards).sum();
                let mut before = 0;
                let owners = (0..shape.groups.len()).map(|group| {
                    let middle = u128::from(2 * before + boards(group)) * parts as u128;
                    before += boards(group);
                    (middle / u128::from(2 * all)) as usize
                });
                Partition::with_owners(parts, owners)
            }
        }
    }
}
