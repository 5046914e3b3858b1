//! Move text: `FfBeBc`, `F f B e`, `1. F f 2. D c+2`.

use std::fmt::Write as _;

use oware_rules::{House, PlyRecord, Side};

use crate::text::{Cursor, seeds};

/// A move as it stands in a text: the house, and how many seeds the text says it captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StatedMove {
    /// The house that is lifted.
    pub house: House,
    /// Seeds captured, 1 to 48; `None` where the text does not say.
    pub captured: Option<u8>,
}

impl From<House> for StatedMove {
    fn from(house: House) -> StatedMove {
        StatedMove { house, captured: None }
    }
}

impl From<&PlyRecord> for StatedMove {
    fn from(ply: &PlyRecord) -> StatedMove {
        StatedMove { house: ply.house(), captured: Some(ply.captured).filter(|&n| n > 0) }
    }
}

impl std::fmt::Display for StatedMove {
    /// `c` or `c+2`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_char(self.house.letter())?;
        self.captured.map_or(Ok(()), |captured| write!(f, "+{captured}"))
    }
}

/// How moves are written one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveStyle {
    /// `FfDc`: letters only.
    Joined,
    /// `F f D c+2`: with captures.
    Spaced,
    /// `1. F f 2. D c+2`: with captures and move numbers; `1... f` where North begins.
    Numbered,
}

/// Why a text is not a list of moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("offset {offset}: expected {expected}, found {found}")]
pub struct MoveTextError {
    /// Bytes before the place of the error.
    pub offset: usize,
    /// What was expected there.
    pub expected: &'static str,
    /// What stands there, quoted.
    pub found: String,
}

/// What a move can be.
pub(crate) const EXPECTED_MOVE: &str = "a house (A to F or a to f)";
/// What stands behind `+` or `x`.
pub(crate) const EXPECTED_CAPTURE: &str = "a number of captured seeds from 1 to 48";
/// What a number can be among moves.
const EXPECTED_NUMBER: &str = "a move number such as 1. or 1...";

fn error_at(cursor: &Cursor<'_>, expected: &'static str) -> MoveTextError {
    MoveTextError { offset: cursor.offset(), expected, found: cursor.found() }
}

/// Passes a house with its captures, if one stands here: `c`, `c+2`, `cx2`.
pub(crate) fn stated_move(cursor: &mut Cursor<'_>) -> Result<Option<StatedMove>, MoveTextError> {
    let Some(house) = cursor.peek().and_then(|byte| House::try_from(char::from(byte)).ok()) else {
        return Ok(None);
    };
    cursor.bump();
    if !(cursor.eat(b'+') || cursor.eat(b'x')) {
        return Ok(Some(house.into()));
    }
    let mut after = *cursor;
    let captured = seeds(after.take_while(|byte| byte.is_ascii_digit())).filter(|&n| n > 0);
    if captured.is_none() {
        return Err(error_at(cursor, EXPECTED_CAPTURE));
    }
    *cursor = after;
    Ok(Some(StatedMove { house, captured }))
}

/// Reads moves, and what the text says they capture.
///
/// Letters may stand together or apart, with captures (`c+2`, `cx2`), with or without move
/// numbers (`1.`, `1...`), whose values are not looked at. Neither is whose turn it is.
///
/// # Errors
/// [`MoveTextError`] with the offset of what is not a move.
pub fn read_stated_moves(text: &str) -> Result<Vec<StatedMove>, MoveTextError> {
    let mut cursor = Cursor::new(text);
    let mut moves = Vec::new();
    loop {
        cursor.skip_space();
        match cursor.peek() {
            None => return Ok(moves),
            Some(b'0'..=b'9') => {
                let start = cursor;
                cursor.take_while(|byte| byte.is_ascii_digit());
                if cursor.take_while(|byte| byte == b'.').is_empty() {
                    return Err(error_at(&start, EXPECTED_NUMBER));
                }
            }
            _ => match stated_move(&mut cursor)? {
                Some(stated) => moves.push(stated),
                None => return Err(error_at(&cursor, EXPECTED_MOVE)),
            },
        }
    }
}

/// Reads moves; see [`read_stated_moves`] for what is understood.
///
/// # Errors
/// [`MoveTextError`] with the offset of what is not a move.
pub fn read_moves(text: &str) -> Result<Vec<House>, MoveTextError> {
    Ok(read_stated_moves(text)?.iter().map(|stated| stated.house).collect())
}

/// The move number before the move at `slot` (0 for South's first), if one is written: always
/// before South's, before North's only where `forced`.
pub(crate) fn move_number(slot: usize, forced: bool) -> Option<String> {
    let number = slot / 2 + 1;
    match (slot % 2, forced) {
        (0, _) => Some(format!("{number}.")),
        (_, true) => Some(format!("{number}...")),
        _ => None,
    }
}

/// 1 where North makes the first move, which then stands in the second slot of move 1.
pub(crate) fn first_slot(first: Option<House>) -> usize {
    usize::from(first.is_some_and(|house| house.side() == Side::North))
}

/// Writes moves. Reading the text gives them again; captures only where the style has them.
#[must_use]
pub fn write_moves(moves: &[StatedMove], style: MoveStyle) -> String {
    let mut text = String::new();
    let start = first_slot(moves.first().map(|stated| stated.house));
    for (index, stated) in moves.iter().enumerate() {
        if style == MoveStyle::Joined {
            text.push(stated.house.letter());
            continue;
        }
        if index > 0 {
            text.push(' ');
        }
        if style == MoveStyle::Numbered
            && let Some(number) = move_number(start + index, index == 0)
        {
            text += &number;
            text.push(' ');
        }
        // Writing to a string does not fail.
        let _ = write!(text, "{stated}");
    }
    text
}
