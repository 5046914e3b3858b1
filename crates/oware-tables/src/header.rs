//! The part of a table file before the tiles: docs/TABLES.md, section 2.

use std::path::Path;

use oware_rules::{Feeding, GrandSlam, Stuck, TableRules};

use crate::codec::TileSize;
use crate::error::{Subject, TableError};
use crate::{Convention, Kind, Layer, MOST_SEEDS, Quantity};

/// The first bytes of every table.
const MAGIC: [u8; 8] = *b"OWARETBL";
/// The format this program writes and reads.
pub const VERSION: u16 = 1;
/// Bytes of the fixed part.
const FIXED: usize = 48;
/// The index order of this version: opponent's rows, then mover's rows.
const ORDER: u8 = 1;
/// Bytes of one entry of the counts.
const COUNT: usize = 10;
/// The content hash and the checksum at the end.
const TAIL: usize = 32 + 4;

/// How often each value (or distance) stands in a layer. `None` is the distance where nothing is
/// forced.
pub type Counts = Vec<(Option<i16>, u64)>;

/// How tiles are coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Each tile by itself: any board can be probed.
    Tables,
    /// With the layers below as context: smaller, and read only whole.
    Archive,
}

impl Mode {
    /// The size of the tiles: archives are read whole, and so have large ones.
    #[must_use]
    pub const fn tile_size(self) -> TileSize {
        match self {
            Mode::Tables => TileSize::Small,
            Mode::Archive => TileSize::Large,
        }
    }
}

/// What is added to a board's byte to make the symbol that is coded, so that symbols start at 0:
/// the seeds to a value; 1 to a distance, whose missing one (255) becomes 0.
pub(crate) fn symbol_shift(subject: &Subject) -> u8 {
    match subject.kind.quantity {
        Quantity::Value => subject.seeds as u8,
        Quantity::Distance => 1,
    }
}

/// What stands before the tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// What the table is of.
    pub subject: Subject,
    /// How tiles are coded.
    pub mode: Mode,
    /// How often each value or distance occurs, in rising order, the missing distance first.
    pub counts: Counts,
    /// BLAKE3 of one byte a board in index order.
    pub content: [u8; 32],
    /// The compression model.
    pub model: Vec<u8>,
    /// Bytes of each tile, its checksum not counted.
    pub tiles: Vec<u16>,
}

impl Header {
    /// Bytes of all tiles with their checksums.
    pub(crate) fn data_length(&self) -> u64 {
        self.tiles.iter().map(|&length| u64::from(length) + 4).sum()
    }

    /// Bytes of the header, checksum included: where the tiles begin.
    pub(crate) fn length(&self) -> u64 {
        self.length_with(self.tiles.len())
    }

    /// The same with so many tiles.
    pub(crate) fn length_with(&self, tiles: usize) -> u64 {
        let text = self.subject.rules.to_string().len();
        let counts = self.counts.len() * COUNT;
        (FIXED + text + counts + self.model.len() + 2 * tiles + TAIL) as u64
    }

    /// The bytes of the header, checksum included.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let text = self.subject.rules.to_string();
        let kind = self.subject.kind;
        let mut out = Vec::with_capacity(self.length() as usize);
        out.extend(MAGIC);
        out.extend(VERSION.to_le_bytes());
        out.push(self.subject.seeds as u8);
        out.push(kind.convention as u8);
        out.push(kind.quantity as u8);
        out.push(self.mode as u8);
        out.push(ORDER);
        out.push(0);
        out.extend(self.subject.rules.hash64().to_le_bytes());
        let lengths = [text.len(), self.counts.len(), self.model.len(), self.tiles.len()];
        lengths.iter().for_each(|&length| out.extend((length as u32).to_le_bytes()));
        out.extend(self.data_length().to_le_bytes());
        out.extend(text.bytes());
        for &(value, count) in &self.counts {
            out.extend(value.unwrap_or(i16::MIN).to_le_bytes());
            out.extend(count.to_le_bytes());
        }
        out.extend(&self.model);
        self.tiles.iter().for_each(|length| out.extend(length.to_le_bytes()));
        out.extend(self.content);
        out.extend(crc32fast::hash(&out).to_le_bytes());
        debug_assert_eq!(out.len() as u64, self.length());
        out
    }

    /// Reads the header of a table that is in memory as a whole.
    ///
    /// # Errors
    /// When the bytes are no table, damaged before the tiles, or of another version. `name` stands
    /// where the path of the file would.
    pub fn from_slice(name: &Path, bytes: &[u8]) -> Result<Header, TableError> {
        let mut rest = bytes;
        Header::read(name, bytes.len() as u64, |buffer| {
            std::io::Read::read_exact(&mut rest, buffer)
        })
    }

    /// Reads a header with `read`, which fills a buffer with the next bytes of the file.
    pub(crate) fn read(
        path: &Path,
        file_length: u64,
        mut read: impl FnMut(&mut [u8]) -> std::io::Result<()>,
    ) -> Result<Header, TableError> {
        let damaged = |what: &str| TableError::damaged(path, what);
        let mut bytes = vec![0; FIXED];
        if file_length < (FIXED + TAIL) as u64 {
            let mut start = vec![0; MAGIC.len().min(file_length as usize)];
            read(&mut start).map_err(TableError::io(path))?;
            return Err(if start == MAGIC {
                damaged("the file ends within the header")
            } else {
                TableError::NotATable { path: path.to_owned() }
            });
        }
        read(&mut bytes).map_err(TableError::io(path))?;
        if bytes[..8] != MAGIC {
            return Err(TableError::NotATable { path: path.to_owned() });
        }
        let fixed = Fields(&bytes);
        let version = fixed.u16(8);
        if version != VERSION {
            let path = path.to_owned();
            return Err(TableError::Version { path, found: version, known: VERSION });
        }
        let lengths = [24, 28, 32, 36].map(|at| u64::from(fixed.u32(at)));
        let [text, counts, model, tiles] = lengths;
        let data = fixed.u64(40);
        let rest = text + counts * COUNT as u64 + model + tiles * 2 + TAIL as u64;
        // Checked before anything of that size is asked for.
        if (FIXED as u64 + rest).checked_add(data) != Some(file_length) {
            return Err(damaged("the file is not as long as its header says (or that is damaged)"));
        }
        bytes.resize(FIXED + rest as usize, 0);
        read(&mut bytes[FIXED..]).map_err(TableError::io(path))?;
        let (checked, sum) = bytes.split_at(bytes.len() - 4);
        if crc32fast::hash(checked) != Fields(sum).u32(0) {
            return Err(damaged("the checksum of the header does not fit"));
        }
        let lengths = lengths.map(|length| length as usize);
        Header::parse(checked, lengths, data).map_err(|what| TableError::damaged(path, what))
    }

    /// The header in bytes whose checksum was right. Sound files of strange programs are refused
    /// here too.
    fn parse(bytes: &[u8], lengths: [usize; 4], data: u64) -> Result<Header, String> {
        let fixed = Fields(bytes);
        let seeds = usize::from(bytes[10]);
        if seeds > MOST_SEEDS {
            return Err(format!("a layer of {seeds} seeds, expected at most {MOST_SEEDS}"));
        }
        let convention = Convention::ALL.into_iter().find(|&c| c as u8 == bytes[11]);
        let quantity =
            [Quantity::Value, Quantity::Distance].into_iter().find(|&q| q as u8 == bytes[12]);
        let mode = [Mode::Tables, Mode::Archive].into_iter().find(|&mode| mode as u8 == bytes[13]);
        let (Some(convention), Some(quantity), Some(mode)) = (convention, quantity, mode) else {
            return Err("an unknown convention, quantity or mode".to_owned());
        };
        if bytes[14] != ORDER || bytes[15] != 0 {
            return Err(format!("index order {}, expected {ORDER}", bytes[14]));
        }
        let [text, counts, model, tiles] = lengths;
        let mut at = FIXED;
        let mut next = |length: usize| {
            at += length;
            &bytes[at - length..at]
        };
        let text = next(text);
        let rules = std::str::from_utf8(text).ok().and_then(parse_rules);
        let rules = rules.ok_or("the rules are none that this program knows")?;
        if rules.hash64() != fixed.u64(16) {
            return Err("the hash of the rules is not that of their text".to_owned());
        }
        let counts = read_counts(next(counts * COUNT));
        let model = next(model).to_vec();
        let tiles: Vec<u16> = next(tiles * 2).chunks(2).map(|two| Fields(two).u16(0)).collect();
        let mut content = [0; 32];
        content.copy_from_slice(next(32));
        let kind = Kind { convention, quantity };
        let subject = Subject { rules, kind, seeds };
        let header = Header { subject, mode, counts, content, model, tiles };
        if header.data_length() != data {
            return Err("the lengths of the tiles do not add up".to_owned());
        }
        let boards: u128 = header.counts.iter().map(|&(_, count)| u128::from(count)).sum();
        if boards != u128::from(Layer::new(seeds).size()) {
            return Err("the counts do not add up to the boards of the layer".to_owned());
        }
        Ok(header)
    }
}

fn read_counts(bytes: &[u8]) -> Counts {
    let entry = |ten: &[u8]| {
        let value = Fields(ten).u16(0) as i16;
        ((value != i16::MIN).then_some(value), Fields(ten).u64(2))
    };
    bytes.chunks(COUNT).map(entry).collect()
}

/// Little-endian numbers in bytes that are known to be long enough.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn bytes<const N: usize>(&self, at: usize) -> [u8; N] {
        let mut bytes = [0; N];
        bytes.copy_from_slice(&self.0[at..at + N]);
        bytes
    }

    fn u16(&self, at: usize) -> u16 {
        u16::from_le_bytes(self.bytes(at))
    }

    fn u32(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.bytes(at))
    }

    fn u64(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.bytes(at))
    }
}

/// All table rules there are: 6 grand slams, 2 feedings, 2 ways to share out.
pub fn all_table_rules() -> impl Iterator<Item = TableRules> {
    use GrandSlam::{Captures, Illegal, KeepFirst, KeepLast, NoCapture, OpponentTakesRest};
    let slams = [NoCapture, Illegal, OpponentTakesRest, KeepLast, KeepFirst, Captures];
    slams.into_iter().flat_map(|grand_slam| {
        [Feeding::WhenEmpty, Feeding::LeaveASeed].into_iter().flat_map(move |feeding| {
            [Stuck::OwnRows, Stuck::OpponentTakesAll].map(|stuck| TableRules {
                grand_slam,
                feeding,
                stuck,
            })
        })
    })
}

/// The table rules with this text.
pub(crate) fn parse_rules(text: &str) -> Option<TableRules> {
    all_table_rules().find(|rules| rules.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_rule_is_read_back() {
        assert_eq!(all_table_rules().count(), 24);
        for rules in all_table_rules() {
            assert_eq!(parse_rules(&rules.to_string()), Some(rules));
        }
        assert_eq!(parse_rules("grand_slam=none"), None);
    }
}
