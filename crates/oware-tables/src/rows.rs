//! Rows (halves of a board) numbered within their total.
//!
//! A row is six houses. The rows that hold k seeds are numbered 0..C(k+5,5) in lexicographic
//! order, house 0 most significant. The order matters: sowing adds the same seeds to every row,
//! and adding a constant keeps lexicographic order, so what a move makes of consecutive rows is
//! consecutive again over long stretches.

use oware_rules::{ROW, TOTAL_SEEDS};

/// Six houses in the order in which they are sown.
pub type Row = [u8; ROW];

/// The most seeds a row or a board can hold.
pub const MOST_SEEDS: usize = TOTAL_SEEDS as usize;

/// `WAYS[m][r]`: in how many ways r seeds lie in m houses, C(r+m-1, m-1), for m >= 1.
const WAYS: [[u32; MOST_SEEDS + 1]; ROW + 1] = ways();

const fn ways() -> [[u32; MOST_SEEDS + 1]; ROW + 1] {
    let mut table = [[0; MOST_SEEDS + 1]; ROW + 1];
    table[0][0] = 1;
    let mut houses = 1;
    while houses <= ROW {
        let mut seeds = 0;
        let mut sum = 0;
        while seeds <= MOST_SEEDS {
            sum += table[houses - 1][seeds];
            table[houses][seeds] = sum;
            seeds += 1;
        }
        houses += 1;
    }
    table
}

/// How many rows hold exactly `seeds` seeds: C(seeds+5, 5).
///
/// # Panics
/// Above [`MOST_SEEDS`].
#[inline]
#[must_use]
pub const fn rows_with(seeds: usize) -> usize {
    WAYS[ROW][seeds] as usize
}

/// How many rows hold fewer than `seeds` seeds: C(seeds+5, 6). The number of a row among all
/// rows, by total and then by rank, is this plus its rank.
#[must_use]
pub fn rows_below(seeds: usize) -> usize {
    (0..seeds).map(rows_with).sum()
}

/// The number of a row among those of its total.
///
/// With r seeds from house i on, the rows that have fewer in house i number
/// `WAYS[6-i][r] - WAYS[6-i][r-s]`.
///
/// # Panics
/// When the row holds more than [`MOST_SEEDS`] seeds.
#[inline]
#[must_use]
pub fn rank(row: &Row) -> usize {
    let mut rest: usize = row.iter().map(|&seeds| usize::from(seeds)).sum();
    let mut rank = 0;
    for (house, &seeds) in row.iter().enumerate() {
        let after = rest - usize::from(seeds);
        rank += WAYS[ROW - house][rest] - WAYS[ROW - house][after];
        rest = after;
    }
    rank as usize
}

/// The row with this total and rank, the inverse of [`rank`].
///
/// # Panics
/// When `rank` is not below [`rows_with`]`(total)`.
#[must_use]
pub fn row_at(total: usize, rank: usize) -> Row {
    assert!(rank < rows_with(total), "row rank {rank} of total {total}");
    let mut row = [0; ROW];
    let mut rest = total;
    let mut left = rank as u32;
    for (house, seeds) in row.iter_mut().enumerate().take(ROW - 1) {
        let ways = WAYS[ROW - house];
        // The largest s whose count of smaller rows is not above what is left.
        let mut taken = 0;
        while taken < rest && ways[rest] - ways[rest - taken - 1] <= left {
            taken += 1;
        }
        left -= ways[rest] - ways[rest - taken];
        *seeds = taken as u8;
        rest -= taken;
    }
    row[ROW - 1] = rest as u8;
    row
}

/// Every row of a total, in the order of its ranks.
pub fn rows_of(total: usize) -> impl Iterator<Item = Row> {
    let mut next = Some(first_row(total));
    std::iter::from_fn(move || {
        let row = next?;
        next = following(row);
        Some(row)
    })
}

fn first_row(total: usize) -> Row {
    let mut row = [0; ROW];
    row[ROW - 1] = total as u8;
    row
}

/// The next row of the same total: one seed more in the last house that has seeds to its right,
/// and what then is left over as far right as it goes.
fn following(mut row: Row) -> Option<Row> {
    let last = (0..ROW).rev().find(|&house| row[house] > 0)?;
    if last == 0 {
        return None;
    }
    let moved = row[last];
    row[last] = 0;
    row[last - 1] += 1;
    row[ROW - 1] = moved - 1;
    Some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_up_in_lexicographic_order() {
        for total in 0..=16 {
            let rows: Vec<Row> = rows_of(total).collect();
            assert_eq!(rows.len(), rows_with(total));
            assert!(rows.is_sorted());
            for (number, row) in rows.iter().enumerate() {
                assert_eq!(rank(row), number, "{row:?}");
                assert_eq!(row_at(total, number), *row);
            }
        }
    }

    #[test]
    fn the_largest_total_has_its_ends_in_place() {
        assert_eq!(rows_with(48), 2_869_685);
        assert_eq!(row_at(48, 0), [0, 0, 0, 0, 0, 48]);
        assert_eq!(row_at(48, 2_869_684), [48, 0, 0, 0, 0, 0]);
        for number in (0..rows_with(48)).step_by(997) {
            assert_eq!(rank(&row_at(48, number)), number);
        }
        assert_eq!(rows_below(49), 25_827_165);
    }
}
