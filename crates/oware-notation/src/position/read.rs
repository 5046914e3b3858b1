//! Readers of position strings. The form is recognised by its marks: `|`, `/`, a turn letter.

use oware_rules::{HOUSES, House, ROW, Side};

use super::{PositionError, PositionFormat, PositionText};
use crate::text::{SPACE, parts, seeds, shown};

const SEEDS: &str = "a number of seeds from 0 to 48";
const TURN: &str = "S or N";

fn bad(field: impl Into<String>, found: &str, expected: &'static str) -> PositionError {
    PositionError::Field { field: field.into(), found: shown(found), expected }
}

fn trim(text: &str) -> &str {
    text.trim_matches(SPACE)
}

fn number(field: impl Fn() -> String, text: &str) -> Result<u8, PositionError> {
    seeds(text).ok_or_else(|| bad(field(), text, SEEDS))
}

/// Twelve numbers; `name` gives the name of a house for errors.
fn twelve(parts: &[&str], name: impl Fn(usize) -> String) -> Result<[u8; HOUSES], PositionError> {
    let mut houses = [0; HOUSES];
    for (index, (house, part)) in houses.iter_mut().zip(parts).enumerate() {
        *house = number(|| name(index), part)?;
    }
    Ok(houses)
}

fn absolute(index: usize) -> String {
    House::new(index).map_or_else(|| format!("house {index}"), |house| format!("house {house}"))
}

fn stores(south: &str, north: &str) -> Result<[u8; 2], PositionError> {
    Ok([number(|| "South's store".into(), south)?, number(|| "North's store".into(), north)?])
}

fn turn(text: &str) -> Result<Side, PositionError> {
    Side::BOTH
        .into_iter()
        .find(|side| text.strip_prefix(side.letter()) == Some(""))
        .ok_or_else(|| bad("turn", text, TURN))
}

/// Reads a position string of any known form; white space around it does not matter.
///
/// # Errors
/// [`PositionError`] with the part at fault and what was expected there.
pub fn read_position(text: &str) -> Result<PositionText, PositionError> {
    let text = trim(text);
    if text.is_empty() {
        Err(PositionError::Empty)
    } else if text.contains('|') {
        openspiel(text)
    } else if text.contains('/') {
        playstrategy(text)
    } else {
        numbers(text)
    }
}

/// At most this many parts are looked at: enough to say that there are too many.
const MOST_PARTS: usize = 100;

/// The canonical form, twelve numbers, and what is neither.
fn numbers(text: &str) -> Result<PositionText, PositionError> {
    let hyphens = !text.contains(',') && !text.contains(SPACE);
    let parts: Vec<&str> = if text.contains(',') {
        text.split(',').map(trim).take(MOST_PARTS).collect()
    } else if hyphens {
        text.split('-').take(MOST_PARTS).collect()
    } else {
        parts(text).take(MOST_PARTS).collect()
    };
    let last = parts.last().copied().unwrap_or_default();
    if hyphens && parts.len() == HOUSES + 3 {
        return Ok(PositionText {
            format: PositionFormat::Canonical,
            houses: twelve(&parts, absolute)?,
            stores: Some(stores(parts[HOUSES], parts[HOUSES + 1])?),
            to_move: Some(turn(last)?),
        });
    }
    let numeric = parts.iter().filter(|part| seeds(part).is_some()).count();
    match parts.len() {
        HOUSES => Ok(PositionText {
            format: PositionFormat::TwelveNumbers,
            houses: twelve(&parts, |index| format!("house {} of 12", index + 1))?,
            stores: None,
            to_move: None,
        }),
        14 if numeric == 14 => Err(PositionError::Kalah),
        // One part that is no number may be the turn, or a slip.
        found if numeric < 2 || numeric + 1 < found => {
            Err(PositionError::Unknown { found: shown(text) })
        }
        found => Err(PositionError::Count {
            found,
            what: if last.contains(['S', 'N']) { "parts, turn included" } else { "numbers" },
            expected: "12 houses, or 12 houses, two stores and the turn with hyphens between \
                       (4-4-4-4-4-4-4-4-4-4-4-4-0-0-S)",
        }),
    }
}

/// `player | south north | A..F a..f`.
fn openspiel(text: &str) -> Result<PositionText, PositionError> {
    let groups: Vec<&str> = text.split('|').take(MOST_PARTS).collect();
    let [player, scores, houses] = groups[..] else {
        return Err(PositionError::Count {
            found: groups.len(),
            what: "groups between |",
            expected: "3: player | two stores | 12 houses",
        });
    };
    let to_move = match trim(player) {
        "0" => Side::South,
        "1" => Side::North,
        other => return Err(bad("player", other, "0 (South) or 1 (North)")),
    };
    let check = |group: &'static str, text: &str, count: usize, expected: &'static str| {
        let found = parts(text).take(MOST_PARTS).count();
        if found == count {
            Ok(())
        } else {
            Err(PositionError::Count { found, what: group, expected })
        }
    };
    check("stores", scores, 2, "2, South's and North's")?;
    check("houses", houses, HOUSES, "12, A to F and a to f")?;
    let list = |text| parts(text).collect::<Vec<_>>();
    let scores = list(scores);
    Ok(PositionText {
        format: PositionFormat::OpenSpiel,
        houses: twelve(&list(houses), absolute)?,
        stores: Some(stores(scores[0], scores[1])?),
        to_move: Some(to_move),
    })
}

/// `f,e,d,c,b,a/A,B,C,D,E,F south north turn [move number]`.
fn playstrategy(text: &str) -> Result<PositionText, PositionError> {
    let parts: Vec<&str> = parts(text).take(MOST_PARTS).collect();
    if !matches!(parts.len(), 4 | 5) {
        return Err(PositionError::Count {
            found: parts.len(),
            what: "parts",
            expected: "5: rows, South's store, North's store, turn, move number",
        });
    }
    let rows: Vec<&str> = parts[0].split('/').take(MOST_PARTS).collect();
    let [north, south] = rows[..] else {
        return Err(PositionError::Count {
            found: rows.len(),
            what: "rows between /",
            expected: "2, North's (f to a) and South's (A to F)",
        });
    };
    let mut houses = [0; HOUSES];
    houses[..ROW].copy_from_slice(&playstrategy_row("South's row", south)?);
    houses[ROW..].copy_from_slice(&playstrategy_row("North's row", north)?);
    houses[ROW..].reverse();
    let number = parts.get(4).copied().unwrap_or("1");
    if number.len() > 9 || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(bad("move number", number, "a number"));
    }
    Ok(PositionText {
        format: PositionFormat::PlayStrategy,
        houses,
        stores: Some(stores(parts[1], parts[2])?),
        to_move: Some(turn(parts[3])?),
    })
}

fn playstrategy_row(name: &'static str, text: &str) -> Result<[u8; ROW], PositionError> {
    const EXPECTED: &str = "parts such as 4S (a house of four) or 2 (two empty houses)";
    const SIX: &str = "six houses";
    let mut row = [0; ROW];
    let mut at = 0;
    for part in text.split(',') {
        let (count, held) = match part.strip_suffix('S') {
            Some(digits) => (1, seeds(digits).filter(|&held| held > 0)),
            None => match seeds(part) {
                Some(gap) if gap > 0 => (usize::from(gap), Some(0)),
                _ => (0, None),
            },
        };
        let held = held.ok_or_else(|| bad(format!("a part of {name}"), part, EXPECTED))?;
        let places = row.get_mut(at..at + count).ok_or_else(|| bad(name, text, SIX))?;
        places.fill(held);
        at += count;
    }
    if at == ROW { Ok(row) } else { Err(bad(name, text, SIX)) }
}
