//! Writers of position strings.

use oware_rules::{Position, Side};

use super::PositionFormat;

fn joined<'a>(numbers: impl IntoIterator<Item = &'a u8>, separator: &str) -> String {
    numbers.into_iter().map(u8::to_string).collect::<Vec<_>>().join(separator)
}

/// Writes a position in one of the forms. Reading the text gives the position again, but for
/// the rules, which no form holds, and for what [`PositionFormat::TwelveNumbers`] leaves out.
#[must_use]
pub fn write_position(position: &Position, format: PositionFormat) -> String {
    let houses = position.houses();
    let [south, north] = position.stores();
    match format {
        PositionFormat::Canonical => position.to_string(),
        PositionFormat::OpenSpiel => {
            let player = position.to_move().index();
            format!("{player} | {south} {north} | {}", joined(&houses, " "))
        }
        PositionFormat::PlayStrategy => {
            let mut north_row = [0; 6];
            north_row.copy_from_slice(&houses[6..]);
            north_row.reverse();
            let rows = [playstrategy_row(&north_row), playstrategy_row(&houses[..6])];
            format!("{} {south} {north} {} 1", rows.join("/"), position.to_move().letter())
        }
        PositionFormat::TwelveNumbers => {
            let mut seen = houses;
            if position.to_move() == Side::North {
                seen.rotate_left(6);
            }
            joined(&seen, " ")
        }
    }
}

/// `4S` for a house with four seeds; a run of n empty houses is the bare number n.
fn playstrategy_row(row: &[u8]) -> String {
    let mut parts = Vec::new();
    let mut empty = 0;
    for &seeds in row {
        if seeds == 0 {
            empty += 1;
            continue;
        }
        if empty > 0 {
            parts.push(empty.to_string());
            empty = 0;
        }
        parts.push(format!("{seeds}S"));
    }
    if empty > 0 {
        parts.push(empty.to_string());
    }
    parts.join(",")
}
