//! The file of a book: docs/FORMATS.md, "Opening books".

use std::collections::HashSet;
use std::path::Path;

use oware_rules::{Board, Move, Rules, SowingBoard};
use oware_search::Score;

use super::entry::MOST_DEPTH;
use super::{BookError, Entry, Mark, Recipe, Valued};

/// The first bytes of every book.
const MAGIC: [u8; 8] = *b"OWAREBOK";
/// The format this program writes and reads.
const VERSION: u16 = 1;
/// Bytes before the text of the rules.
const FIXED: usize = 40;
/// Bytes of the checksum at the end.
const TAIL: usize = 4;
/// Stands for the start, which is reached from nowhere.
const NOWHERE: u32 = u32::MAX;

/// The bytes of a book.
pub(super) fn write(recipe: &Recipe, entries: &[Entry]) -> Vec<u8> {
    let text = recipe.rules.id();
    let mut out = Vec::new();
    out.extend(MAGIC);
    out.extend(VERSION.to_le_bytes());
    out.extend((text.len() as u16).to_le_bytes());
    out.extend((entries.len() as u32).to_le_bytes());
    out.extend(recipe.nodes.to_le_bytes());
    out.extend(recipe.check_nodes.to_le_bytes());
    for field in [recipe.own_weight, recipe.other_weight, recipe.margin, recipe.most_loss] {
        out.extend(field.to_le_bytes());
    }
    out.extend(text.bytes());
    for entry in entries {
        let from = entry.from.map_or(NOWHERE, |(from, mv)| from << 3 | mv.index() as u32);
        out.extend(from.to_le_bytes());
        let marks = |bits: u16, valued: &Valued| bits | mark_bits(valued);
        out.extend(entry.moves.iter().fold(0, marks).to_le_bytes());
        for valued in &entry.moves {
            out.extend((valued.found.hundredths() as i16).to_le_bytes());
            out.push(valued.depth);
            if let Some((value, depth)) = valued.checked {
                out.extend((value.hundredths() as i16).to_le_bytes());
                out.push(depth);
            }
        }
    }
    out.extend(crc32fast::hash(&out).to_le_bytes());
    out
}

fn mark_bits(valued: &Valued) -> u16 {
    (valued.mark as u16) << (2 * valued.mv.index())
}

/// Reads a book from its bytes, and looks at everything in it.
pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<(Recipe, Vec<Entry>), BookError> {
    let damaged = |what: String| BookError::Damaged { path: path.to_owned(), what };
    let magic = bytes.get(..MAGIC.len());
    if magic != Some(&MAGIC) {
        return Err(BookError::NotABook { path: path.to_owned() });
    }
    let mut head = Bytes(&bytes[MAGIC.len()..]);
    let cut = || damaged("the file ends within the header".to_owned());
    let version = head.u16().ok_or_else(cut)?;
    if version != VERSION {
        let path = path.to_owned();
        return Err(BookError::Version { path, found: version, known: VERSION });
    }
    if bytes.len() < FIXED + TAIL {
        return Err(cut());
    }
    let (checked, sum) = bytes.split_at(bytes.len() - TAIL);
    if Some(crc32fast::hash(checked)) != Bytes(sum).u32() {
        return Err(damaged("the checksum does not fit".to_owned()));
    }
    parse(Bytes(&checked[MAGIC.len() + 2..])).map_err(damaged)
}

/// What stands in bytes whose checksum was right. Sound files of strange programs are refused
/// here too.
fn parse(mut bytes: Bytes<'_>) -> Result<(Recipe, Vec<Entry>), String> {
    let cut = "the file ends within the header";
    let text = usize::from(bytes.u16().ok_or(cut)?);
    let count = bytes.u32().ok_or(cut)? as usize;
    let [nodes, check_nodes] = [bytes.u64().ok_or(cut)?, bytes.u64().ok_or(cut)?];
    let mut field = || bytes.u16().ok_or(cut);
    let [own_weight, other_weight, margin, most_loss] = [field()?, field()?, field()?, field()?];
    let text = std::str::from_utf8(bytes.take(text).ok_or(cut)?);
    let rules = text.ok().and_then(|text| Some((text, text.parse::<Rules>().ok()?)));
    let (_, rules) = rules
        .filter(|(text, rules)| rules.id() == **text)
        .ok_or("the rules are none that this program knows")?;
    let recipe = Recipe { rules, nodes, own_weight, other_weight, check_nodes, margin, most_loss };
    // An entry takes at least so many bytes: no more room is asked for than the file can fill.
    let mut entries = Vec::with_capacity(count.min(bytes.0.len() / 6));
    let mut seen = HashSet::new();
    for number in 0..count {
        let entry = read_entry(&mut bytes, &entries, &rules);
        let entry = entry.map_err(|what| format!("entry {number}: {what}"))?;
        if !seen.insert(entry.board) {
            return Err(format!("entry {number}: its board stands in an earlier one"));
        }
        entries.push(entry);
    }
    match bytes.0.len() {
        0 => Ok((recipe, entries)),
        more => Err(format!("{more} bytes after the last entry, expected none")),
    }
}

fn read_entry(bytes: &mut Bytes<'_>, before: &[Entry], rules: &Rules) -> Result<Entry, String> {
    const CUT: &str = "the file ends within it";
    let from = bytes.u32().ok_or(CUT)?;
    let marks = bytes.u16().ok_or(CUT)?;
    let (from, board) = match from {
        NOWHERE if before.is_empty() => (None, Board::START),
        NOWHERE => return Err("it is reached from nowhere, as only the first may be".to_owned()),
        _ => reached(from, before, rules)?,
    };
    let seeds = i32::from(board.total());
    let legal = board.legal(rules);
    if legal.is_empty() {
        return Err("its board has no legal move".to_owned());
    }
    let mut moves = Vec::with_capacity(legal.len());
    let mut known = 0;
    for mv in legal {
        let mut value = || read_value(bytes, seeds).map_err(|what| format!("move {mv}: {what}"));
        let (found, depth) = value()?;
        let mark = match marks >> (2 * mv.index()) & 3 {
            0 => Mark::Unchecked,
            1 => Mark::Kept,
            2 => Mark::Refused,
            _ => return Err(format!("the mark of move {mv} is 3, expected 0 to 2")),
        };
        let checked = if mark == Mark::Unchecked { None } else { Some(value()?) };
        let valued = Valued { mv, found, depth, mark, checked };
        known |= mark_bits(&valued);
        moves.push(valued);
    }
    if known != marks {
        return Err("a mark of a move that is not legal".to_owned());
    }
    Ok(Entry { board, from, moves })
}

/// A value with the depth of the search that found it.
fn read_value(bytes: &mut Bytes<'_>, seeds: i32) -> Result<(Score, u8), String> {
    const CUT: &str = "the file ends within it";
    let found = i32::from(bytes.u16().ok_or(CUT)? as i16);
    let depth = *bytes.take(1).and_then(<[u8]>::first).ok_or(CUT)?;
    if found.abs() > 100 * seeds {
        return Err(format!("the value {found}, where {seeds} seeds are left"));
    }
    if depth > MOST_DEPTH {
        return Err(format!("the depth {depth}, expected at most {MOST_DEPTH}"));
    }
    Ok((Score::of_hundredths(found), depth))
}

/// Where an entry comes from, and its board.
fn reached(
    from: u32,
    before: &[Entry],
    rules: &Rules,
) -> Result<(Option<(u32, Move)>, Board), String> {
    let (number, mv) = (from >> 3, Move::new((from & 7) as usize));
    let parent = before.get(number as usize).ok_or("it is reached from an entry after it")?;
    let valued = mv.and_then(|mv| parent.get(mv)).ok_or("it is reached by a move not legal")?;
    let sown = parent.board.sow(valued.mv, rules);
    if sown.ends_by_slam(rules) {
        return Err("it is reached by a move that ends the game".to_owned());
    }
    Ok((Some((number, valued.mv)), sown.board))
}

/// Bytes not read yet, with little-endian numbers.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }
}
