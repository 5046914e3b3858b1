//! The layout of the public awari database (VU Amsterdam, Romein, Bal and Verstoep): one signed
//! byte a board, boards in rising order of (house 11, house 10, ..., house 0), where 0..=5 are the
//! mover's houses. Boards whose opponent has no empty house are left out: the opponent has just
//! emptied one, so no move leads there.

use oware_rules::ROW;
use oware_tables::Layer;
use oware_tables::rows::{Row, rank, rows_of};

/// The values of one layer in this layout, from one byte a board in index order.
pub(super) fn reordered(layer: &Layer, bytes: &[u8]) -> Vec<u8> {
    let seeds = layer.seeds();
    let movers: Vec<Vec<u32>> = (0..=seeds).map(ranks_from_behind).collect();
    let mut out = Vec::with_capacity(bytes.len());
    for opponent in opponents(seeds) {
        let total: usize = opponent.iter().map(|&seeds| usize::from(seeds)).sum();
        let mover = seeds - total;
        let run = layer.run(mover, rank(&reversed(&opponent))) as usize;
        out.extend(movers[mover].iter().map(|&rank| bytes[run + rank as usize]));
    }
    out
}

/// The ranks of the rows of a total, in the order of their houses from the last to the first.
fn ranks_from_behind(total: usize) -> Vec<u32> {
    // Rows come in the order of their houses from the first to the last.
    rows_of(total).map(|row| rank(&reversed(&row)) as u32).collect()
}

/// The opponent's rows with an empty house and no more than `seeds` seeds, house 11 first, in
/// rising order.
fn opponents(seeds: usize) -> Vec<Row> {
    let rows = (0..=seeds).flat_map(rows_of);
    let mut rows: Vec<Row> = rows.filter(|row| row.contains(&0)).collect();
    rows.sort_unstable();
    rows
}

fn reversed(row: &Row) -> Row {
    let mut reversed = [0; ROW];
    reversed.iter_mut().zip(row.iter().rev()).for_each(|(to, &from)| *to = from);
    reversed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sorts the boards themselves, numbered by their index.
    #[test]
    fn boards_come_in_the_order_of_the_database() {
        for seeds in 0..=7 {
            let layer = Layer::new(seeds);
            let numbers: Vec<u8> = (0..layer.size()).map(|index| (index % 251) as u8).collect();
            let mut boards: Vec<_> = layer.boards().collect();
            boards.retain(|houses| houses[ROW..].contains(&0));
            boards.sort_by_key(|houses| {
                let mut key = *houses;
                key.reverse();
                key
            });
            let index = |houses| layer.index(houses).unwrap() as usize;
            let expected: Vec<u8> = boards.iter().map(|houses| numbers[index(houses)]).collect();
            assert_eq!(reordered(&layer, &numbers), expected, "{seeds} seeds");
        }
    }
}
