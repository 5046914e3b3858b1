//! The reader of game records. One pass over the text; lines and columns are counted only when
//! there is an error to report.

mod pieces;

use super::error::{OgnError, OgnErrorKind};
use super::record::{GameResult, Line, Note, Record};
use crate::text::Cursor;

/// How deep variations may stand in each other.
pub const MAX_NESTING: usize = 64;
/// How many moves a game may have, variations included.
pub const MAX_MOVES: usize = 1_000_000;

const EXPECTED_START: &str = "a tag such as [South \"Ama\"], a move or a result";
const EXPECTED_MOVE: &str =
    "a move (A to F or a to f, captures as c+2), a comment, a variation or a result";
const EXPECTED_IN_VARIATION: &str = "a move (A to F or a to f, captures as c+2), a comment, a \
                                     variation or a closing parenthesis";
const EXPECTED_NUMBER: &str = "a result (South's and North's store, 25-18 or 23.5-24.5, or *) or \
                               a move number with its dot (1. or 1...)";

/// The text of a file: UTF-8, with or without a byte order mark.
///
/// # Errors
/// [`OgnErrorKind::NotUtf8`] with the place of the first byte that is not.
pub fn decode(bytes: &[u8]) -> Result<&str, OgnError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let good = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
        error_at(good, good.len(), OgnErrorKind::NotUtf8)
    })
}

/// Reads a text that holds one game.
///
/// # Errors
/// [`OgnError`] with line and column and what was expected there; also when there is no game
/// or a second one.
pub fn parse(text: &str) -> Result<Record, OgnError> {
    let mut games = games(text);
    let start = games.parser.cursor;
    let record = match games.next() {
        Some(record) => record?,
        None => return Err(games.parser.expected_at(&start, EXPECTED_START)),
    };
    match games.parser.cursor.peek() {
        None => Ok(record),
        Some(_) => Err(games.parser.error(&games.parser.cursor, OgnErrorKind::SecondGame)),
    }
}

/// Reads a text of one game or more.
///
/// # Errors
/// As [`parse`]; the first error ends the reading.
pub fn parse_all(text: &str) -> Result<Vec<Record>, OgnError> {
    let mut games = games(text);
    let start = games.parser.cursor;
    let records = games.by_ref().collect::<Result<Vec<_>, _>>()?;
    if records.is_empty() {
        return Err(games.parser.expected_at(&start, EXPECTED_START));
    }
    Ok(records)
}

/// Reads the games of a text one by one, so that a large collection need not fit in memory as
/// records. After an error there is nothing more.
#[must_use]
pub fn games(text: &str) -> Games<'_> {
    let mut cursor = Cursor::new(text.strip_prefix('\u{feff}').unwrap_or(text));
    cursor.skip_space();
    Games { parser: Parser { text, cursor, moves: 0 }, failed: false }
}

/// See [`games`].
#[derive(Clone, Debug)]
pub struct Games<'a> {
    parser: Parser<'a>,
    failed: bool,
}

impl Iterator for Games<'_> {
    type Item = Result<Record, OgnError>;

    fn next(&mut self) -> Option<Result<Record, OgnError>> {
        if self.failed || self.parser.cursor.peek().is_none() {
            return None;
        }
        let record = self.parser.record();
        self.failed = record.is_err();
        Some(record)
    }
}

fn error_at(text: &str, offset: usize, kind: OgnErrorKind) -> OgnError {
    let before = &text[..offset];
    let mut line = 1;
    let mut line_start = 0;
    let bytes = before.as_bytes();
    for (index, &byte) in bytes.iter().enumerate() {
        if byte == b'\n' || (byte == b'\r' && bytes.get(index + 1) != Some(&b'\n')) {
            line += 1;
            line_start = index + 1;
        }
    }
    // A byte order mark is not a character of the first line.
    let column = before[line_start..].trim_start_matches('\u{feff}').chars().count() + 1;
    OgnError { line, column, kind }
}

#[derive(Clone, Debug)]
struct Parser<'a> {
    /// The whole text, with the byte order mark if there is one.
    text: &'a str,
    cursor: Cursor<'a>,
    /// Moves read in this game.
    moves: usize,
}

/// What ends a line of moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Parenthesis,
    Result,
    /// The next game's tags, or the end of the text.
    Text,
}

impl<'a> Parser<'a> {
    fn error(&self, at: &Cursor<'_>, kind: OgnErrorKind) -> OgnError {
        error_at(self.text, self.text.len() - at.rest().len(), kind)
    }

    fn expected_at(&self, at: &Cursor<'_>, expected: &'static str) -> OgnError {
        self.error(at, OgnErrorKind::Expected { expected, found: at.found() })
    }

    fn expected(&self, expected: &'static str) -> OgnError {
        self.expected_at(&self.cursor, expected)
    }

    /// Reads one game and the white space and comments behind it.
    fn record(&mut self) -> Result<Record, OgnError> {
        self.moves = 0;
        let mut record = Record::default();
        let mut names = std::collections::HashSet::new();
        let mut tagged: Option<GameResult> = None;
        let mut comments = Vec::new();
        loop {
            self.cursor.skip_space();
            let start = self.cursor;
            match self.cursor.peek() {
                Some(b'[') => {
                    let (tag, value_at) = self.tag()?;
                    if !names.insert(tag.name().to_owned()) {
                        let name = tag.name().to_owned();
                        return Err(self.error(&start, OgnErrorKind::RepeatedTag { name }));
                    }
                    if tag.name() == "Result" {
                        tagged = self.result_tag(&value_at, tag.value())?;
                    } else {
                        record.tags.push(tag);
                    }
                }
                Some(b'{' | b';') => comments.push(self.comment()?),
                None if names.is_empty() => return Err(self.expected(EXPECTED_START)),
                _ => break,
            }
        }
        let (mut line, end) = self.line(0)?;
        line.comments.splice(0..0, comments);
        if names.is_empty() && line.plies.is_empty() && end == End::Text {
            return Err(self.expected(EXPECTED_START));
        }
        record.line = line;
        record.result = self.closing_result(end, tagged)?;
        record.closing = self.comments()?;
        if end == End::Result && !matches!(self.cursor.peek(), None | Some(b'[')) {
            return Err(self.expected("the tags of another game or the end of the text"));
        }
        Ok(record.normalized())
    }

    /// The result behind the moves, where there may be none if the tag gives no score.
    fn closing_result(
        &mut self,
        end: End,
        tagged: Option<GameResult>,
    ) -> Result<GameResult, OgnError> {
        let at = self.cursor;
        if end != End::Result {
            return match tagged {
                Some(GameResult::Stores(score)) => {
                    Err(self.error(&at, OgnErrorKind::ResultMissing { tag: score.to_string() }))
                }
                _ => Ok(GameResult::Unfinished),
            };
        }
        let text = self.cursor.take_while(is_result_byte);
        let Some(result) = self.result(&at, text)? else {
            return Err(self.expected_at(&at, EXPECTED_NUMBER));
        };
        match tagged {
            Some(tag) if tag != result => {
                let (moves, tag) = (result.to_string(), tag.to_string());
                Err(self.error(&at, OgnErrorKind::ResultsDiffer { moves, tag }))
            }
            _ => Ok(result),
        }
    }

    /// Moves up to what ends them, which is passed only if it is a parenthesis.
    fn line(&mut self, depth: usize) -> Result<(Line, End), OgnError> {
        let expected = if depth == 0 { EXPECTED_MOVE } else { EXPECTED_IN_VARIATION };
        let mut line = Line::default();
        loop {
            self.cursor.skip_space();
            let start = self.cursor;
            match self.cursor.peek() {
                Some(b'{' | b';') => {
                    let comment = self.comment()?;
                    match line.plies.last_mut() {
                        Some(ply) => ply.notes.push(Note::Comment(comment)),
                        None => line.comments.push(comment),
                    }
                }
                Some(b'(') => {
                    if line.plies.is_empty() {
                        return Err(self.expected("a move before its variation"));
                    }
                    let variation = self.variation(depth)?;
                    if let Some(ply) = line.plies.last_mut() {
                        ply.notes.push(Note::Variation(variation));
                    }
                }
                Some(b')') if depth > 0 => {
                    if line.plies.is_empty() {
                        return Err(self.expected("a move in the variation"));
                    }
                    self.cursor.bump();
                    return Ok((line, End::Parenthesis));
                }
                Some(b'$') => self.nag(&mut line)?,
                Some(b'*') if depth == 0 => return Ok((line, End::Result)),
                Some(b'0'..=b'9') => {
                    if !self.move_number() {
                        if depth > 0 {
                            return Err(self.expected_at(&start, expected));
                        }
                        self.cursor = start;
                        return Ok((line, End::Result));
                    }
                }
                None | Some(b'[') if depth == 0 => return Ok((line, End::Text)),
                _ => match self.ply()? {
                    Some(ply) => line.plies.push(ply),
                    None => return Err(self.expected_at(&start, expected)),
                },
            }
        }
    }

    fn variation(&mut self, depth: usize) -> Result<Line, OgnError> {
        let start = self.cursor;
        if depth >= MAX_NESTING {
            return Err(self.error(&start, OgnErrorKind::TooDeep));
        }
        self.cursor.bump();
        match self.line(depth + 1) {
            Ok((line, _)) => Ok(line),
            // Where the text ends inside, the place where the variation begins says more.
            Err(OgnError { kind: OgnErrorKind::Expected { .. }, .. })
                if self.cursor.peek().is_none() =>
            {
                Err(self.error(&start, OgnErrorKind::OpenVariation))
            }
            Err(error) => Err(error),
        }
    }
}

/// What results are made of.
const fn is_result_byte(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'*' | b'/')
}
