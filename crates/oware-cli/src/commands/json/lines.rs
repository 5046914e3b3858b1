//! Lines from a stream, in memory that does not grow with it.

use std::io::{self, ErrorKind, Read};

/// The longest line that is read, in bytes. No position and no game of sense comes near.
pub(crate) const MAX_LINE: usize = 1 << 20;

const CHUNK: usize = 1 << 16;

/// A line without its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    /// The bytes.
    Bytes(&'a [u8]),
    /// It was longer than [`MAX_LINE`] and has been skipped.
    TooLong,
}

/// Reads lines from anything.
pub(crate) struct Lines<R> {
    reader: R,
    buffer: Vec<u8>,
    /// What has been read and not yet given out.
    start: usize,
    end: usize,
    /// Up to here (from `start`) there is no line end.
    searched: usize,
    skipping: bool,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(reader: R) -> Lines<R> {
        Lines { reader, buffer: vec![0; CHUNK], start: 0, end: 0, searched: 0, skipping: false }
    }

    /// The next line; `None` at the end. `before_read` is called whenever the stream has to be
    /// asked for more, which may block: the moment to hand on what has been answered so far.
    pub(crate) fn next(
        &mut self,
        mut before_read: impl FnMut() -> io::Result<()>,
    ) -> io::Result<Option<Line<'_>>> {
        loop {
            let unsearched = &self.buffer[self.start + self.searched..self.end];
            if let Some(found) = unsearched.iter().position(|&byte| byte == b'\n') {
                let from = self.start;
                let to = from + self.searched + found;
                self.start = to + 1;
                self.searched = 0;
                return Ok(Some(self.line(from, to)));
            }
            self.searched = self.end - self.start;
            if self.searched > MAX_LINE {
                self.skipping = true;
            }
            if self.skipping {
                (self.start, self.end, self.searched) = (0, 0, 0);
            }
            before_read()?;
            if self.fill()? == 0 {
                let (from, to) = (self.start, self.end);
                (self.start, self.end, self.searched) = (0, 0, 0);
                let rest = self.skipping || from < to;
                return Ok(rest.then(|| self.line(from, to)));
            }
        }
    }

    fn line(&mut self, from: usize, to: usize) -> Line<'_> {
        if std::mem::take(&mut self.skipping) || to - from > MAX_LINE {
            return Line::TooLong;
        }
        Line::Bytes(&self.buffer[from..to])
    }

    fn fill(&mut self) -> io::Result<usize> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.buffer.len() {
            self.buffer.resize(self.end + CHUNK, 0);
        }
        loop {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(read) => {
                    self.end += read;
                    return Ok(read);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives at most `step` bytes at a time.
    struct Dripping<'a> {
        bytes: &'a [u8],
        step: usize,
    }

    impl Read for Dripping<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let n = self.step.min(self.bytes.len()).min(buffer.len());
            buffer[..n].copy_from_slice(&self.bytes[..n]);
            self.bytes = &self.bytes[n..];
            Ok(n)
        }
    }

    /// The lengths of the lines, `None` for one that is too long.
    fn lengths(bytes: &[u8], step: usize) -> Vec<Option<usize>> {
        let mut lines = Lines::new(Dripping { bytes, step });
        let mut found = Vec::new();
        while let Some(line) = lines.next(|| Ok(())).unwrap() {
            found.push(match line {
                Line::Bytes(bytes) => Some(bytes.len()),
                Line::TooLong => None,
            });
        }
        found
    }

    #[test]
    fn lines_whatever_the_chunks() {
        for step in [1, 2, 3, 1000] {
            assert_eq!(lengths(b"", step), []);
            assert_eq!(lengths(b"\n", step), [Some(0)]);
            assert_eq!(lengths(b"abc", step), [Some(3)]);
            assert_eq!(lengths(b"abc\n\nde\n", step), [Some(3), Some(0), Some(2)]);
        }
    }

    #[test]
    fn a_long_line_is_skipped_and_memory_stays() {
        let mut bytes = b"first\n".to_vec();
        bytes.resize(bytes.len() + MAX_LINE, b'x');
        bytes.extend(b"\nsecond\n");
        bytes.resize(bytes.len() + MAX_LINE + 1, b'y');
        bytes.extend(b"\nthird\n");
        bytes.resize(bytes.len() + 5 * MAX_LINE, b'z');
        for step in [777, CHUNK, usize::MAX] {
            let found = lengths(&bytes, step);
            assert_eq!(
                found,
                [Some(5), Some(MAX_LINE), Some(6), None, Some(5), None],
                "in steps of {step}"
            );
        }
        let mut lines = Lines::new(&bytes[..]);
        while lines.next(|| Ok(())).unwrap().is_some() {}
        assert!(lines.buffer.len() <= MAX_LINE + 2 * CHUNK);
    }

    #[test]
    fn what_is_there_is_given_before_more_is_asked_for() {
        let mut lines = Lines::new(&b"a\nb\nc"[..]);
        let mut asked = 0;
        for expected in [1, 1, 2] {
            let mut count = || {
                asked += 1;
                Ok(())
            };
            assert!(lines.next(&mut count).unwrap().is_some());
            assert_eq!(asked, expected);
        }
    }
}
