//! The canonical form of game records.

use super::record::{Line, Note, ROSTER, Record, unknown_value, words};
use crate::moves::{StatedMove, first_slot, move_number};

/// Lines of moves and comments are shorter than this, in characters.
const WIDTH: usize = 80;

/// Writes a record in canonical form. What is not [normal](Record::normalized) in it is
/// written as if it were.
#[must_use]
pub fn write(record: &Record) -> String {
    let record = record.clone().normalized();
    let mut text = String::new();
    for name in ROSTER {
        let result;
        let value = if name == "Result" {
            result = record.result.to_string();
            &result
        } else {
            record.tag(name).unwrap_or(unknown_value(name))
        };
        write_tag(&mut text, name, value);
    }
    for tag in record.tags.iter().filter(|tag| !ROSTER.contains(&tag.name())) {
        write_tag(&mut text, tag.name(), tag.value());
    }
    text.push('\n');
    let mut words = Wrapped { text, column: 0 };
    let start = first_slot(record.houses().next());
    write_line(&mut words, &record.line, start);
    words.push(&record.result.to_string());
    record.closing.iter().for_each(|comment| write_comment(&mut words, comment));
    words.text.push('\n');
    words.text
}

/// Writes several records into one text, with an empty line between.
#[must_use]
pub fn write_all(records: &[Record]) -> String {
    records.iter().map(write).collect::<Vec<_>>().join("\n")
}

fn write_tag(text: &mut String, name: &str, value: &str) {
    text.push('[');
    *text += name;
    *text += " \"";
    for letter in value.chars() {
        match letter {
            '"' => *text += "\\\"",
            '\\' => *text += "\\\\",
            '\n' => *text += "\\n",
            '\r' => *text += "\\r",
            '\t' => *text += "\\t",
            other => text.push(other),
        }
    }
    *text += "\"]\n";
}

/// Words with a space or the end of a line between them.
struct Wrapped {
    text: String,
    /// Characters in the present line.
    column: usize,
}

impl Wrapped {
    fn push(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column > 0 {
            if self.column + 1 + width < WIDTH {
                self.text.push(' ');
                self.column += 1;
            } else {
                self.text.push('\n');
                self.column = 0;
            }
        }
        self.text += word;
        self.column += width;
    }
}

fn write_comment(out: &mut Wrapped, comment: &str) {
    out.push("{");
    for word in words(comment) {
        let mut escaped = String::with_capacity(word.len());
        for letter in word.chars() {
            match letter {
                '}' => escaped += "\\}",
                '\\' => escaped += "\\\\",
                '\n' => escaped += "\\n",
                other => escaped.push(other),
            }
        }
        out.push(&escaped);
    }
    out.push("}");
}

/// Writes moves, the first of which stands in the given slot (see [`move_number`]).
fn write_line(out: &mut Wrapped, line: &Line, start: usize) {
    line.comments.iter().for_each(|comment| write_comment(out, comment));
    let mut forced = true;
    for (slot, ply) in (start..).zip(&line.plies) {
        if let Some(number) = move_number(slot, forced) {
            out.push(&number);
        }
        let stated = StatedMove { house: ply.house, captured: ply.captured };
        let suffix = ply.suffix.map_or("", super::Suffix::text);
        out.push(&format!("{stated}{suffix}"));
        ply.nags.iter().for_each(|nag| out.push(&format!("${nag}")));
        for note in &ply.notes {
            match note {
                Note::Comment(comment) => write_comment(out, comment),
                Note::Variation(line) => {
                    out.push("(");
                    write_line(out, line, slot);
                    out.push(")");
                }
            }
        }
        forced = !ply.notes.is_empty();
    }
}
