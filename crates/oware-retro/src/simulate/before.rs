//! The moves that lead to a row, and to a board, found by taking moves back.

use oware_rules::{ROW, TableRules};
use oware_tables::Row;
use oware_tables::rows::rank;

use super::counts::Counts;
use crate::halves::{
    Crossing, MOST_CROSSINGS, Received, crossing_seeds, lift, may_pass_an_empty_row, receive,
};

/// A move from a mover's row that leaves a certain row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    /// The group of the row it comes from.
    pub(crate) group: usize,
    pub(crate) crossing: Crossing,
}

/// What sowing adds to the rows, by house of origin and number of seeds: the row and the crossing.
pub(crate) struct Sowings(Vec<[(Row, Crossing); ROW]>);

impl Sowings {
    pub(crate) fn new(seeds: usize) -> Sowings {
        let of_house = |seeds: usize, house: usize| {
            let mut row = [0; ROW];
            row[house] = seeds as u8;
            lift(&row, house).unwrap_or(([0; ROW], 0))
        };
        let sowing = |seeds| std::array::from_fn(|house| of_house(seeds, house));
        Sowings((0..=seeds).map(sowing).collect())
    }

    /// The moves to an opponent's row of a layer that some board of the layer has.
    pub(crate) fn before(&self, row: &Row, seeds: usize, counts: &Counts, to: &mut Vec<Before>) {
        to.clear();
        let total: usize = row.iter().map(|&seeds| usize::from(seeds)).sum();
        for house in (0..ROW).filter(|&house| row[house] == 0) {
            for (lifted, sowings) in self.0.iter().enumerate().take(seeds + 1).skip(1) {
                let (added, crossing) = &sowings[house];
                let total = total + crossing_seeds(*crossing);
                if total > seeds || row.iter().zip(added).any(|(seeds, added)| seeds < added) {
                    // More seeds only add more.
                    break;
                }
                let mut from = *row;
                from.iter_mut().zip(added).for_each(|(seeds, added)| *seeds -= added);
                from[house] = lifted as u8;
                let opponent = seeds - total;
                let passes =
                    opponent > 0 || *crossing > 0 || may_pass_an_empty_row(&from, &counts.rules);
                if passes && (*crossing == 0 || counts.crossed(*crossing, opponent).quiet > 0) {
                    let group = counts.group(total, rank(&from));
                    to.push(Before { group, crossing: *crossing });
                }
            }
        }
    }
}

/// By crossing, whether it leads to a mover's row (the opponent's before the move) without a
/// capture.
pub(crate) fn quiet_before(row: &Row, rules: &TableRules) -> [bool; MOST_CROSSINGS] {
    std::array::from_fn(|crossing| {
        let (rounds, more) = ((crossing / 7) as u8, crossing % 7);
        let mut from = *row;
        for (house, seeds) in from.iter_mut().enumerate() {
            match seeds.checked_sub(rounds + u8::from(house < more)) {
                Some(left) => *seeds = left,
                None => return false,
            }
        }
        crossing == 0 || receive(&from, crossing as Crossing, rules) == Received::Quiet(*row)
    })
}
