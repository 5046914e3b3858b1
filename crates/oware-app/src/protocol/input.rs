//! From bytes to events: lines of input, however long and whatever is in them.

use std::io::{self, BufRead, ErrorKind};

use super::Event;
use super::command::first_word;

/// The longest line that is read, in bytes without its end. A game of the greatest length that is
/// played, its moves parted by spaces, has room in it.
pub const MAX_LINE: usize = 65_536;

/// What is kept of a line that is too long: enough for its first word.
const KEPT: usize = 256;

/// The event that a line is: its text, or the refusal of what is no text.
#[must_use]
pub fn event_of(line: &[u8]) -> Event {
    match std::str::from_utf8(line) {
        Ok(text) => Event::Line(text.to_owned()),
        Err(error) => refusal(
            line,
            format!("the line is not UTF-8 at byte {}; it was not read", error.valid_up_to() + 1),
        ),
    }
}

fn refusal(line: &[u8], why: String) -> Event {
    let text = String::from_utf8_lossy(&line[..line.len().min(KEPT)]);
    Event::Refused { command: first_word(&text).0.to_owned(), why }
}

/// Reads the next line; [`Event::End`] where input ends. A line that is longer than
/// [`MAX_LINE`] is passed over without being kept.
///
/// # Errors
/// When the system cannot read.
pub fn read_event(input: &mut impl BufRead) -> io::Result<Event> {
    let mut line = Vec::new();
    let mut length = 0_usize;
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if bytes.is_empty() {
            // A last line without an end may be half of one, but a person at a terminal or a
            // script means it.
            return Ok(if length == 0 { Event::End } else { finished(&line, length) });
        }
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        let room = (MAX_LINE + 1).saturating_sub(line.len());
        line.extend_from_slice(&part[..part.len().min(room)]);
        length = length.saturating_add(part.len());
        let passed = part.len() + usize::from(end.is_some());
        input.consume(passed);
        if end.is_some() {
            return Ok(finished(&line, length));
        }
    }
}

fn finished(line: &[u8], length: usize) -> Event {
    // What ends lines elsewhere does not count.
    let carriage_return = line.len() == length && line.ends_with(b"\r");
    if length - usize::from(carriage_return) <= MAX_LINE {
        return event_of(line);
    }
    refusal(line, format!("the line is longer than {MAX_LINE} bytes; it was not read"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(mut bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        loop {
            let event = read_event(&mut bytes).unwrap();
            if matches!(event, Event::End) {
                return events;
            }
            events.push(event);
        }
    }

    #[test]
    fn lines_are_read_one_by_one() {
        let lines = events(b"uci\r\n\nisready\nquit");
        let texts = ["uci\r", "", "isready", "quit"].map(|text| Event::Line(text.to_owned()));
        assert_eq!(lines, texts);
    }

    #[test]
    fn what_cannot_be_a_command_is_refused() {
        let longest = "position startpos moves ".to_owned() + &"F".repeat(MAX_LINE - 24);
        let text = format!("{longest}\r\n{longest}x\nuci\n");
        let read = events(text.as_bytes());
        assert!(matches!(&read[0], Event::Line(line) if line.len() == MAX_LINE + 1));
        assert!(matches!(&read[1], Event::Refused { command, .. } if command == "position"));
        assert_eq!(read[2], Event::Line("uci".to_owned()));
        let read = events(b"go depth 3 \xff\n");
        let Event::Refused { command, why } = &read[0] else { panic!("{read:?}") };
        assert_eq!(command, "go");
        assert!(why.contains("byte 12"), "{why}");
        let huge = events(&vec![b'x'; 10 * MAX_LINE]);
        assert!(matches!(&huge[..], [Event::Refused { .. }]));
    }
}
