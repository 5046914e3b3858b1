//! The pieces of a game record: tags, comments, results, moves, annotations.

use oware_rules::{FinalScore, HalfSeeds};

use super::super::error::{OgnError, OgnErrorKind};
use super::super::record::{GameResult, Line, Ply, Suffix, Tag, is_name_byte};
use super::{MAX_MOVES, Parser};
use crate::moves::{EXPECTED_CAPTURE, stated_move};
use crate::text::{Cursor, is_space, shown};

const EXPECTED_RESULT: &str =
    "a result: South's and North's store, such as 25-18 or 23.5-24.5, or *";
impl<'a> Parser<'a> {
    /// What a tag `Result` says; `None` where it says that the result is not known.
    pub(super) fn result_tag(
        &self,
        at: &Cursor<'_>,
        value: &str,
    ) -> Result<Option<GameResult>, OgnError> {
        if matches!(value, "" | "?") {
            return Ok(None);
        }
        match self.result(at, value)? {
            None => {
                let found = shown(value);
                let expected = EXPECTED_RESULT;
                Err(self.error(at, OgnErrorKind::Expected { expected, found }))
            }
            known => Ok(known),
        }
    }

    /// `None` if the text has not the form of a result.
    pub(super) fn result(
        &self,
        at: &Cursor<'_>,
        text: &str,
    ) -> Result<Option<GameResult>, OgnError> {
        if text == "*" {
            return Ok(Some(GameResult::Unfinished));
        }
        let stores = text.split_once('-').and_then(|(south, north)| {
            Some((south.parse::<HalfSeeds>().ok()?, north.parse::<HalfSeeds>().ok()?))
        });
        let Some((south, north)) = stores else {
            return Ok(None);
        };
        if south.halves() + north.halves() > HalfSeeds::whole(48).halves() {
            let found = text.to_owned();
            return Err(self.error(at, OgnErrorKind::ResultTooLarge { found }));
        }
        Ok(Some(GameResult::Stores(FinalScore { south, north })))
    }

    /// Reads a tag; gives also where its value begins.
    pub(super) fn tag(&mut self) -> Result<(Tag, Cursor<'a>), OgnError> {
        self.cursor.bump();
        self.cursor.skip_space();
        let name_at = self.cursor;
        let name = self.cursor.take_while(is_name_byte);
        let value = self.cursor.take_while(is_space);
        if name.is_empty() || (value.is_empty() && self.cursor.peek() != Some(b'"')) {
            return Err(self.expected_at(&name_at, "the name of a tag: letters, digits and _"));
        }
        let quote = self.cursor;
        if !self.cursor.eat(b'"') {
            return Err(self.expected("the value of the tag in double quotes"));
        }
        let value_at = self.cursor;
        let mut value = String::new();
        loop {
            value += self.cursor.take_until(|byte| matches!(byte, b'"' | b'\\' | b'\n' | b'\r'));
            if self.cursor.eat(b'"') {
                break;
            }
            if !self.cursor.eat(b'\\') {
                return Err(self.error(&quote, OgnErrorKind::OpenValue));
            }
            match self.cursor.peek() {
                Some(b'"') => value.push('"'),
                Some(b'\\') => value.push('\\'),
                Some(b'n') => value.push('\n'),
                Some(b'r') => value.push('\r'),
                Some(b't') => value.push('\t'),
                // Before anything else a backslash stands for itself.
                _ => {
                    value.push('\\');
                    continue;
                }
            }
            self.cursor.bump();
        }
        self.cursor.skip_space();
        if !self.cursor.eat(b']') {
            return Err(self.expected("] at the end of the tag"));
        }
        match Tag::new(name, value) {
            Ok(tag) => Ok((tag, value_at)),
            Err(_) => Err(self.expected_at(&name_at, "the name of a tag")),
        }
    }

    /// Comments one after the other, with white space around.
    pub(super) fn comments(&mut self) -> Result<Vec<String>, OgnError> {
        let mut comments = Vec::new();
        loop {
            self.cursor.skip_space();
            match self.cursor.peek() {
                Some(b'{' | b';') => comments.push(self.comment()?),
                _ => return Ok(comments),
            }
        }
    }

    /// `{ text }`, or `; text` to the end of the line.
    pub(super) fn comment(&mut self) -> Result<String, OgnError> {
        let start = self.cursor;
        if self.cursor.eat(b';') {
            let text = self.cursor.take_until(|byte| matches!(byte, b'\n' | b'\r'));
            return Ok(text.to_owned());
        }
        self.cursor.bump();
        let mut comment = String::new();
        loop {
            comment += self.cursor.take_until(|byte| matches!(byte, b'}' | b'\\' | b'\n'));
            match self.cursor.peek() {
                None => return Err(self.error(&start, OgnErrorKind::OpenComment)),
                Some(b'}') => {
                    self.cursor.bump();
                    return Ok(comment);
                }
                Some(b'\n') => {
                    self.cursor.bump();
                    comment.push(' ');
                }
                Some(_) => {
                    self.cursor.bump();
                    let escaped = match self.cursor.peek() {
                        Some(b'}') => Some('}'),
                        Some(b'\\') => Some('\\'),
                        Some(b'n') => Some('\n'),
                        _ => None,
                    };
                    // Before anything else a backslash stands for itself.
                    comment.push(escaped.unwrap_or('\\'));
                    if escaped.is_some() {
                        self.cursor.bump();
                    }
                }
            }
        }
    }

    /// Passes `12.` or `12...`; the number itself is not looked at. `false` if it is a result.
    pub(super) fn move_number(&mut self) -> bool {
        self.cursor.take_while(|byte| byte.is_ascii_digit());
        let dots = self.cursor.take_while(|byte| byte == b'.');
        !dots.is_empty() && !self.cursor.peek().is_some_and(|byte| byte.is_ascii_digit())
    }

    pub(super) fn nag(&mut self, line: &mut Line) -> Result<(), OgnError> {
        let start = self.cursor;
        let Some(ply) = line.plies.last_mut() else {
            return Err(self.expected("a move before its annotation"));
        };
        self.cursor.bump();
        let digits = self.cursor.take_while(|byte| byte.is_ascii_digit());
        match digits.parse::<u8>() {
            Ok(nag) if digits.len() <= 3 => ply.nags.push(nag),
            _ => return Err(self.expected_at(&start, "an annotation from $0 to $255")),
        }
        Ok(())
    }

    pub(super) fn ply(&mut self) -> Result<Option<Ply>, OgnError> {
        let start = self.cursor;
        let stated = match stated_move(&mut self.cursor) {
            Ok(Some(stated)) => stated,
            Ok(None) => return Ok(None),
            Err(_) => return Err(self.expected(EXPECTED_CAPTURE)),
        };
        self.moves += 1;
        if self.moves > MAX_MOVES {
            return Err(self.error(&start, OgnErrorKind::TooLong));
        }
        let mut ply = Ply::from(stated);
        let suffix_at = self.cursor;
        let suffix = self.cursor.take_while(|byte| matches!(byte, b'!' | b'?'));
        if !suffix.is_empty() {
            ply.suffix = Suffix::ALL.into_iter().find(|known| known.text() == suffix);
            if ply.suffix.is_none() {
                return Err(self.expected_at(&suffix_at, "one of ! ? !! ?? !? ?!"));
            }
        }
        Ok(Some(ply))
    }
}
