//! The loop of a JSON-lines command: a line in, a line out, in order.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::{Line, Lines, MAX_LINE, Refusal, push_number, push_text};
use crate::commands::inputs;

/// Answers are handed on at the latest when this much has gathered.
const WRITE_AT: usize = 1 << 16;

/// Reads every line of the inputs and writes what `answer` makes of it. Blank lines are passed
/// over; lines that are too long are refused without being kept. Gives whether all was well.
///
/// `answer` appends one line without its end to the buffer, and says whether it was a good one.
/// What has been answered is written before more input is waited for, so that a program can ask
/// and read in turns.
pub(crate) fn run(
    files: &[PathBuf],
    mut answer: impl FnMut(&mut Vec<u8>, Origin<'_>, Result<&[u8], Refusal>) -> bool,
) -> anyhow::Result<bool> {
    let several = files.len() > 1;
    let mut stdout = io::stdout().lock();
    let mut out = Vec::with_capacity(2 * WRITE_AT);
    inputs::for_each(files, |path, input| {
        let mut lines = Lines::new(input);
        let mut number = 0;
        let mut good = true;
        loop {
            let mut hand_on = || hand_on(&mut stdout, &mut out);
            let next = lines.next(&mut hand_on);
            let Some(line) = next.with_context(|| format!("cannot read {}", inputs::name(path)))?
            else {
                break;
            };
            number += 1;
            let line = match line {
                Line::Bytes(bytes) => Ok(trimmed(bytes, number)),
                Line::TooLong => Err(Refusal::line(format!(
                    "the line is longer than {MAX_LINE} bytes, which is the most that is read"
                ))),
            };
            if line.as_ref().is_ok_and(|line| line.is_empty()) {
                continue;
            }
            let origin = Origin { line: number, file: several.then_some(path) };
            good &= answer(&mut out, origin, line);
            out.push(b'\n');
            if out.len() >= WRITE_AT {
                self::hand_on(&mut stdout, &mut out)?;
            }
        }
        self::hand_on(&mut stdout, &mut out)?;
        Ok(good)
    })
}

fn hand_on(stdout: &mut impl Write, out: &mut Vec<u8>) -> io::Result<()> {
    if !out.is_empty() {
        stdout.write_all(out)?;
        stdout.flush()?;
        out.clear();
    }
    Ok(())
}

/// Without white space around it, nor the mark that some editors put before the first line.
fn trimmed(line: &[u8], number: usize) -> &[u8] {
    let mark = b"\xef\xbb\xbf";
    let line = if number == 1 { line.strip_prefix(mark).unwrap_or(line) } else { line };
    line.trim_ascii()
}

/// Where a line stands.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'a> {
    /// Its number in the input, from 1, blank lines counted.
    line: usize,
    /// Its file, where there are several.
    file: Option<&'a Path>,
}

impl Origin<'_> {
    /// Ends an error line: its number, and its file where there are several.
    pub(crate) fn push(self, out: &mut Vec<u8>) {
        out.extend_from_slice(b",\"line\":");
        push_number(out, self.line);
        if let Some(file) = self.file {
            out.extend_from_slice(b",\"file\":");
            push_text(out, &file.to_string_lossy());
        }
    }
}
