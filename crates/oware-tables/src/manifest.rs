//! The list of the tables of one set of rules, with the hashes that chain them.
//!
//! A text file, docs/TABLES.md section 5. Each line names a table, its size, the hash of the
//! file, the hash of its content (one byte a board), and the chain: a hash over the content and
//! the chains of the tables it was computed from. So the chain of the highest layer speaks for
//! all below, whatever the tiles look like inside.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use oware_rules::TableRules;

use crate::error::TableError;
use crate::header::parse_rules;
use crate::set::file_name;
use crate::write::replace;
use crate::{Convention, Kind, MOST_SEEDS, Quantity};

/// The name of the manifest in its directory.
pub const MANIFEST: &str = "MANIFEST";
const FIRST_LINE: &str = "oware tables manifest 1";

/// A BLAKE3 hash.
pub type Hash = [u8; 32];

/// One table of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Convention, values or distances.
    pub kind: Kind,
    /// Seeds on each board.
    pub seeds: usize,
    /// Name of the file, in the manifest's directory.
    pub name: String,
    /// Bytes of the file.
    pub bytes: u64,
    /// BLAKE3 of the file.
    pub file: Hash,
    /// BLAKE3 of one byte a board.
    pub content: Hash,
    /// Content and what it came from: see [`chain`].
    pub chain: Hash,
}

/// The tables of one set of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The rules.
    pub rules: TableRules,
    /// The tables, by kind and seeds.
    pub entries: Vec<Entry>,
}

impl Manifest {
    /// Without tables.
    #[must_use]
    pub const fn new(rules: TableRules) -> Manifest {
        Manifest { rules, entries: Vec::new() }
    }

    /// The entry of a table.
    #[must_use]
    pub fn entry(&self, kind: Kind, seeds: usize) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.kind == kind && entry.seeds == seeds)
    }

    /// How many layers of a kind there are from 0 on without a gap.
    #[must_use]
    pub fn layers(&self, kind: Kind) -> usize {
        (0..=MOST_SEEDS).take_while(|&seeds| self.entry(kind, seeds).is_some()).count()
    }

    /// Adds an entry in its place, instead of one of the same table.
    pub fn put(&mut self, entry: Entry) {
        let key = |entry: &Entry| (entry.kind, entry.seeds);
        self.entries.retain(|old| key(old) != key(&entry));
        let place = self.entries.partition_point(|old| key(old) < key(&entry));
        self.entries.insert(place, entry);
    }

    /// The chain of a table with this content, computed from the tables listed here.
    ///
    /// `None` when one of those is not listed.
    #[must_use]
    pub fn chain(&self, kind: Kind, seeds: usize, content: &Hash) -> Option<Hash> {
        let mut from = Vec::new();
        for (kind, seeds) in computed_from(kind, seeds) {
            from.push(self.entry(kind, seeds)?.chain);
        }
        Some(chain(self.rules, kind, seeds, content, &from))
    }

    /// Reads the manifest of a directory.
    ///
    /// # Errors
    /// When it cannot be read, is damaged, or is of other rules. `None` when there is none.
    pub fn read(directory: &Path, rules: TableRules) -> Result<Option<Manifest>, TableError> {
        let path = directory.join(MANIFEST);
        let text = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(TableError::io(&path)(error)),
        };
        let damaged = |what: String| TableError::damaged(&path, what);
        let text = String::from_utf8(text).map_err(|_| damaged("not a text".to_owned()))?;
        let manifest = Manifest::parse(&text).map_err(damaged)?;
        if manifest.rules != rules {
            return Err(TableError::Foreign {
                path,
                found: format!("rules {}", manifest.rules),
                expected: format!("rules {rules}"),
            });
        }
        Ok(Some(manifest))
    }

    /// The manifest of a directory, without tables if it has none yet.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_or_new(directory: &Path, rules: TableRules) -> Result<Manifest, TableError> {
        Ok(Manifest::read(directory, rules)?.unwrap_or(Manifest::new(rules)))
    }

    /// Puts the manifest into a directory, instead of the one there.
    ///
    /// # Errors
    /// When the system refuses; the old one then stays.
    pub fn write(&self, directory: &Path) -> Result<(), TableError> {
        let text = self.to_text();
        replace(&directory.join(MANIFEST), std::iter::once(text.as_bytes()))
    }

    /// The manifest as its file has it.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("{FIRST_LINE}\nrules {}\n", self.rules);
        for entry in &self.entries {
            let Entry { kind, seeds, name, bytes, file, content, chain } = entry;
            let [file, content, chain] = [file, content, chain].map(hex);
            let _ = writeln!(text, "table {kind} {seeds} {name} {bytes} {file} {content} {chain}");
        }
        let sum = hex(blake3::hash(text.as_bytes()).as_bytes());
        let _ = writeln!(text, "check {sum}");
        text
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// What is wrong, and in which line.
    pub fn parse(text: &str) -> Result<Manifest, String> {
        let (body, check) = text
            .strip_suffix('\n')
            .and_then(|text| text.rsplit_once('\n'))
            .ok_or("the manifest ends too early")?;
        let body = format!("{body}\n");
        if check != format!("check {}", hex(blake3::hash(body.as_bytes()).as_bytes())) {
            return Err("the checksum of the manifest does not fit".to_owned());
        }
        let mut lines = body.lines().enumerate();
        if lines.next().map(|(_, line)| line) != Some(FIRST_LINE) {
            return Err(format!("line 1: expected \"{FIRST_LINE}\""));
        }
        let rules = lines.next().and_then(|(_, line)| line.strip_prefix("rules "));
        let rules = rules.and_then(parse_rules).ok_or("line 2: expected table rules")?;
        let mut manifest = Manifest::new(rules);
        for (number, line) in lines {
            let entry = parse_entry(line);
            let entry = entry.ok_or_else(|| format!("line {}: not a table", number + 1))?;
            let key = |entry: &Entry| (entry.kind, entry.seeds);
            if manifest.entries.last().is_some_and(|last| key(last) >= key(&entry)) {
                return Err(format!("line {}: out of order, or listed twice", number + 1));
            }
            manifest.entries.push(entry);
        }
        // Looked at together: lines stand by kind, so what a table came from may stand after it.
        let broken = manifest.entries.iter().find(|entry| {
            let chain = manifest.chain(entry.kind, entry.seeds, &entry.content);
            chain != Some(entry.chain)
        });
        match broken {
            Some(Entry { kind, seeds, .. }) => {
                Err(format!("{kind}, layer {seeds}: the chain of hashes is broken"))
            }
            None => Ok(manifest),
        }
    }
}

fn parse_entry(line: &str) -> Option<Entry> {
    let mut words = line.split(' ');
    let mut next = || words.next();
    if next() != Some("table") {
        return None;
    }
    let name = next()?;
    let kind = Kind::all().find(|kind| kind.name() == name)?;
    let seeds = number(next()?)? as usize;
    if seeds > MOST_SEEDS {
        return None;
    }
    let name = next()?.to_owned();
    if name != file_name(kind, seeds) {
        return None;
    }
    let bytes = number(next()?)?;
    let file = unhex(next()?)?;
    let content = unhex(next()?)?;
    let chain = unhex(next()?)?;
    next().is_none().then_some(Entry { kind, seeds, name, bytes, file, content, chain })
}

/// A number in the one way in which it is written.
fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| number.to_string() == text)
}

/// The tables that a table is computed from, directly.
fn computed_from(kind: Kind, seeds: usize) -> Vec<(Kind, usize)> {
    let pair: &[Convention] = match kind.convention {
        Convention::Even => &[Convention::Even],
        Convention::Low | Convention::High => &[Convention::Low, Convention::High],
    };
    let values = pair.iter().map(|&convention| Kind::value(convention));
    match (kind.quantity, seeds) {
        (Quantity::Distance, _) => values.map(|kind| (kind, seeds)).collect(),
        (Quantity::Value, 0) => Vec::new(),
        (Quantity::Value, _) => values.map(|kind| (kind, seeds - 1)).collect(),
    }
}

/// BLAKE3 of what a table is, its content, and the chains of the tables it came from: the
/// table below (which speaks for all lower ones), of both bounds for a bound; for distances the
/// values of the same layer.
#[must_use]
pub fn chain(rules: TableRules, kind: Kind, seeds: usize, content: &Hash, from: &[Hash]) -> Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(format!("oware table\n{rules}\n{kind}\n{seeds}\n").as_bytes());
    hasher.update(content);
    from.iter().for_each(|hash| {
        hasher.update(hash);
    });
    *hasher.finalize().as_bytes()
}

/// A hash in hexadecimal.
#[must_use]
pub fn hex(hash: &Hash) -> String {
    blake3::Hash::from_bytes(*hash).to_hex().to_string()
}

fn unhex(text: &str) -> Option<Hash> {
    let hash = blake3::Hash::from_hex(text).ok()?;
    // One way to write a hash, so that a manifest has one text.
    (hash.to_hex().as_str() == text).then_some(*hash.as_bytes())
}
