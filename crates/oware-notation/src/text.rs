//! Small things about text that every reader here needs.

/// The white space of the formats; every other character counts as itself.
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// The same, for the searches of `str`.
pub(crate) const SPACE: [char; 4] = [' ', '\t', '\r', '\n'];

/// The parts of a text between white space.
pub(crate) fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(SPACE).filter(|part| !part.is_empty())
}

/// What is repeated of a bad text in an error: its beginning, quoted, so that a huge or binary
/// input does not flood the message.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 30;
    let mut cut: String = text.chars().take(MOST).collect();
    if text.chars().nth(MOST).is_some() {
        cut.push('…');
    }
    format!("{cut:?}")
}

/// A number of seeds, 0..=48, in one or two digits.
pub(crate) fn seeds(text: &str) -> Option<u8> {
    let digits = matches!(text.len(), 1 | 2) && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { text.parse().ok()? } else { return None };
    (number <= oware_rules::TOTAL_SEEDS).then_some(number)
}

/// A place in a text, moving forward. It always stands on a character's first byte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) const fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    /// Bytes before the place.
    pub(crate) const fn offset(&self) -> usize {
        self.at
    }

    /// Everything from here on.
    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next byte; not moving.
    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Passes one ASCII byte that was seen by [`peek`](Self::peek).
    pub(crate) fn bump(&mut self) {
        debug_assert!(self.peek().is_some_and(|byte| byte.is_ascii()));
        self.at += 1;
    }

    /// Passes the byte if it is the next one.
    pub(crate) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.bump();
        }
        found
    }

    /// Passes the ASCII bytes for which `keep` holds, and gives them.
    pub(crate) fn take_while(&mut self, keep: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii() && keep(byte)) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// Passes everything before the next byte for which `stop` holds (an ASCII one), or to the
    /// end, and gives it.
    pub(crate) fn take_until(&mut self, stop: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(|byte| !(byte.is_ascii() && stop(byte))) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    pub(crate) fn skip_space(&mut self) {
        self.take_while(is_space);
    }

    /// What stands here, for messages: the next word, or the end of the text.
    pub(crate) fn found(&self) -> String {
        let word = self.rest().split(SPACE).next().unwrap_or_default();
        match (word.is_empty(), self.rest().is_empty()) {
            (_, true) => "the end of the text".into(),
            (true, false) => "white space".into(),
            (false, _) => shown(word),
        }
    }
}
