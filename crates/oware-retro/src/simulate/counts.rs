//! How many boards each move of a row leads to, counted row by row and without a board.
//!
//! What a move of one crossing does to the opponent's rows of one total depends on these two
//! numbers alone. So the moves of a layer are a table of counts by crossing and total, times how
//! often each crossing occurs among a group's moves.

use oware_rules::{ROW, TableRules};
use oware_tables::rows::{rows_of, rows_with};

use crate::halves::{
    Crossing, MOST_CROSSINGS, Received, crossing_seeds, highest_crossing, lift,
    may_pass_an_empty_row, receive,
};
use crate::space::{GROUP, RowSpace};

/// Rows of one total that lose the same number of seeds to a crossing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) captured: u8,
    empties: bool,
    pub(crate) rows: u64,
}

/// What a crossing makes of all rows of a total.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crossed {
    /// Rows that take it without a capture.
    pub(crate) quiet: u64,
    pub(crate) taken: Vec<Taken>,
}

impl Crossed {
    fn new(total: usize, crossing: Crossing, rules: &TableRules) -> Crossed {
        let mut crossed = Crossed::default();
        for row in rows_of(total) {
            let received = receive(&row, crossing, rules);
            match received {
                Received::Quiet(_) => crossed.quiet += 1,
                Received::Capture(_, captured) => {
                    let empties = !received.leaves_a_seed();
                    let same = |t: &&mut Taken| t.captured == captured && t.empties == empties;
                    match crossed.taken.iter_mut().find(same) {
                        Some(taken) => taken.rows += 1,
                        None => crossed.taken.push(Taken { captured, empties, rows: 1 }),
                    }
                }
                Received::SlamEnd(_) | Received::Illegal => {}
            }
        }
        crossed
    }

    /// Rows that lose seeds.
    pub(crate) fn captures(&self) -> u64 {
        self.taken.iter().map(|taken| taken.rows).sum()
    }
}

/// How often each crossing occurs among the moves of a group of rows.
#[derive(Clone, Copy, Debug)]
struct GroupMoves {
    crossings: [u16; MOST_CROSSINGS],
    /// Moves that do not reach the opponent and are legal though his row is empty.
    passing: u16,
}

/// The counts for all layers up to some number of seeds.
#[derive(Clone, Debug)]
pub(crate) struct Counts {
    pub(crate) rules: TableRules,
    pub(crate) space: RowSpace,
    /// By crossing and the total of the opponent's row; crossing 0 leaves every row as it is.
    crossed: Vec<Vec<Crossed>>,
    groups: Vec<GroupMoves>,
}

/// The moves of one group in one layer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Edges {
    /// To boards of the same layer.
    pub(crate) quiet: u64,
    /// To boards of lower layers.
    pub(crate) captures: u64,
}

impl Counts {
    pub(crate) fn new(rules: TableRules, seeds: usize) -> Counts {
        let crossed = (0..=highest_crossing(seeds))
            .map(|crossing| {
                let totals = 0..(seeds + 1).saturating_sub(crossing_seeds(crossing));
                totals.map(|total| Crossed::new(total, crossing, &rules)).collect()
            })
            .collect();
        let mut groups = Vec::new();
        for total in 0..=seeds {
            for (rank, row) in rows_of(total).enumerate() {
                if rank % GROUP == 0 {
                    groups.push(GroupMoves { crossings: [0; MOST_CROSSINGS], passing: 0 });
                }
                let Some(group) = groups.last_mut() else { continue };
                let passes = may_pass_an_empty_row(&row, &rules);
                for (_, crossing) in (0..ROW).filter_map(|house| lift(&row, house)) {
                    group.crossings[usize::from(crossing)] += 1;
                    group.passing += u16::from(crossing == 0 && passes);
                }
            }
        }
        Counts { rules, space: RowSpace::new(seeds), crossed, groups }
    }

    /// What a crossing makes of the opponent's rows of a total.
    pub(crate) fn crossed(&self, crossing: Crossing, total: usize) -> &Crossed {
        &self.crossed[usize::from(crossing)][total]
    }

    /// The moves of a group whose rows face opponent's rows of this total.
    pub(crate) fn edges(&self, group: usize, opponent: usize) -> Edges {
        let moves = &self.groups[group];
        let mut edges = Edges::default();
        let stay = if opponent > 0 { moves.crossings[0] } else { moves.passing };
        edges.quiet += u64::from(stay) * rows_with(opponent) as u64;
        for (crossing, &moves) in moves.crossings.iter().enumerate().skip(1) {
            if moves > 0 {
                let crossed = self.crossed(crossing as Crossing, opponent);
                edges.quiet += u64::from(moves) * crossed.quiet;
                edges.captures += u64::from(moves) * crossed.captures();
            }
        }
        edges
    }

    /// By number of seeds, whether some move of a layer captures so many.
    pub(crate) fn captured(&self, seeds: usize) -> Vec<bool> {
        let mut captured = vec![false; seeds + 1];
        for (crossing, totals) in self.crossed.iter().enumerate() {
            let most = (seeds + 1).saturating_sub(crossing_seeds(crossing as Crossing));
            for taken in totals.iter().take(most).flat_map(|crossed| &crossed.taken) {
                captured[usize::from(taken.captured)] = true;
            }
        }
        captured
    }

    /// The group of a row, in any layer.
    pub(crate) fn group(&self, total: usize, rank: usize) -> usize {
        (self.space.base(total) + rank) / GROUP
    }
}
