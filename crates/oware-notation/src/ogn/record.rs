//! What a game record holds.

use std::fmt;

use oware_rules::{FinalScore, Game, House, Reason, Setup, Side};

use crate::moves::StatedMove;
use crate::position::{PositionFormat, write_position};

/// The seven tags that begin every canonical record.
pub(crate) const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "South", "North", "Result"];
/// The tags with a meaning that follow them, in canonical order.
const KNOWN: [&str; 5] = ["Rules", "Variant", "FEN", "Winner", "Reason"];

/// A name that cannot be a tag's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a tag name: expected letters A-Z a-z, digits and _")]
pub struct TagNameError(pub String);

/// A tag: `[South "Ama"]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tag {
    name: String,
    value: String,
}

impl Tag {
    /// A tag. The value may be any text.
    ///
    /// # Errors
    /// When the name is empty or not of ASCII letters, digits and `_`.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Result<Tag, TagNameError> {
        let name = name.into();
        if name.is_empty() || !name.bytes().all(is_name_byte) {
            return Err(TagNameError(name));
        }
        Ok(Tag { name, value: value.into() })
    }

    fn known(name: &str, value: String) -> Tag {
        Tag { name: name.into(), value }
    }

    /// The name, such as `South`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value, without quotes and escapes.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }
}

/// What tag names are made of.
pub(crate) const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// How a game ended, as the record states it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `*`: the game is not over.
    #[default]
    Unfinished,
    /// `25-18`: the stores, South's first, after any sharing out.
    Stores(FinalScore),
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameResult::Unfinished => f.write_str("*"),
            GameResult::Stores(score) => score.fmt(f),
        }
    }
}

/// What a reader thinks of a move, written right behind it. The same as `$1` to `$6`, but kept
/// apart from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Suffix {
    /// `!`
    Good,
    /// `?`
    Mistake,
    /// `!!`
    Brilliant,
    /// `??`
    Blunder,
    /// `!?`
    Interesting,
    /// `?!`
    Dubious,
}

impl Suffix {
    /// All of them, in the order of the numbers `$1` to `$6`.
    pub const ALL: [Suffix; 6] = [
        Suffix::Good,
        Suffix::Mistake,
        Suffix::Brilliant,
        Suffix::Blunder,
        Suffix::Interesting,
        Suffix::Dubious,
    ];

    /// The marks.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Suffix::Good => "!",
            Suffix::Mistake => "?",
            Suffix::Brilliant => "!!",
            Suffix::Blunder => "??",
            Suffix::Interesting => "!?",
            Suffix::Dubious => "?!",
        }
    }
}

/// What can stand behind a move, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// `{ text }`
    Comment(String),
    /// `( 2. E f )`: other play from the position before the move.
    Variation(Line),
}

/// A move of a record with what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The house that is lifted.
    pub house: House,
    /// Seeds captured, where the text states it.
    pub captured: Option<u8>,
    /// `!`, `?` and the like.
    pub suffix: Option<Suffix>,
    /// Numeric annotations: `$5`.
    pub nags: Vec<u8>,
    /// Comments, and variations in place of this move.
    pub notes: Vec<Note>,
}

impl Ply {
    /// The variations in place of this move.
    pub fn variations(&self) -> impl Iterator<Item = &Line> {
        self.notes.iter().filter_map(|note| match note {
            Note::Variation(line) => Some(line),
            Note::Comment(_) => None,
        })
    }
}

impl From<StatedMove> for Ply {
    fn from(stated: StatedMove) -> Ply {
        Ply {
            house: stated.house,
            captured: stated.captured,
            suffix: None,
            nags: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// Moves one after the other: those of the game, or a variation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub plies: Vec<Ply>,
}

/// A game record.
///
/// Whatever is put in, [`write`](super::write()) writes a text that can be read, as long as
/// variations are not nested deeper than [`MAX_NESTING`](super::MAX_NESTING).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The tags with a value; `Result` is not among them. `?` is no value.
    pub tags: Vec<Tag>,
    /// The game.
    pub line: Line,
    /// The result, as the record states it.
    pub result: GameResult,
    /// Comments behind the result.
    pub closing: Vec<String>,
}

impl Record {
    /// The record of a game. It states captures, the rules (always), the start position (if it
    /// is not the usual one), the result, and reason and winner where they do not follow from
    /// the moves; tags of these names in `tags` are left out.
    #[must_use]
    pub fn from_game(game: &Game, tags: Vec<Tag>) -> Record {
        let mut record = Record { tags, ..Record::default() };
        for name in ["Rules", "Variant", "FEN", "Winner", "Reason"] {
            record.remove_tag(name);
        }
        record.tags.push(Tag::known("Rules", game.rules().id()));
        if game.start().setup() != Setup::START {
            let start = write_position(game.start(), PositionFormat::Canonical);
            record.tags.push(Tag::known("FEN", start));
        }
        if let Some(ending) = game.ending() {
            record.result = GameResult::Stores(ending.score);
            if !matches!(ending.reason, Reason::LoopAgreed | Reason::DrawAgreed)
                && !ending.reason.follows_from_moves()
            {
                let winner = winner_name(ending.winner);
                record.tags.push(Tag::known("Winner", winner.into()));
            }
            if !ending.reason.follows_from_moves() {
                record.tags.push(Tag::known("Reason", ending.reason.name().into()));
            }
        }
        record.line.plies =
            game.plies().iter().map(|ply| Ply::from(StatedMove::from(ply))).collect();
        record.normalized()
    }

    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name == name).map(Tag::value)
    }

    /// Sets a tag, in place of one of the same name if there is one.
    pub fn set_tag(&mut self, tag: Tag) {
        match self.tags.iter_mut().find(|old| old.name == tag.name) {
            Some(old) => *old = tag,
            None => self.tags.push(tag),
        }
    }

    /// Takes a tag away; gives its value if there was one.
    pub fn remove_tag(&mut self, name: &str) -> Option<String> {
        let index = self.tags.iter().position(|tag| tag.name == name)?;
        Some(self.tags.remove(index).value)
    }

    /// The houses of the game's moves, in order.
    pub fn houses(&self) -> impl Iterator<Item = House> + '_ {
        self.line.plies.iter().map(|ply| ply.house)
    }

    /// The same record as it comes back from a text: tags in canonical order, each once (the
    /// first counts), none without a value, no `Result` among them; comments with single
    /// spaces; no variation without a move, no capture of 0 or of more than 48.
    #[must_use]
    pub fn normalized(mut self) -> Record {
        let mut seen = std::collections::HashSet::new();
        self.tags.retain(|tag| {
            tag.name != "Result"
                && !is_unknown(&tag.name, &tag.value)
                && seen.insert(tag.name.clone())
        });
        self.tags.sort_by_key(|tag| rank(&tag.name));
        self.line.normalize();
        self.closing.iter_mut().for_each(normalize_comment);
        if let GameResult::Stores(score) = self.result
            && u32::from(score.south.halves()) + u32::from(score.north.halves()) > 96
        {
            self.result = GameResult::Unfinished;
        }
        self
    }
}

impl Line {
    fn normalize(&mut self) {
        self.comments.iter_mut().for_each(normalize_comment);
        for ply in &mut self.plies {
            ply.captured = ply.captured.filter(|captured| (1..=48).contains(captured));
            ply.notes
                .retain(|note| !matches!(note, Note::Variation(line) if line.plies.is_empty()));
            for note in &mut ply.notes {
                match note {
                    Note::Comment(comment) => normalize_comment(comment),
                    Note::Variation(line) => line.normalize(),
                }
            }
        }
    }
}

/// The words of a comment: what stands between white space. A line feed is part of a word, for
/// it has an escape of its own.
pub(crate) fn words(comment: &str) -> impl Iterator<Item = &str> {
    comment.split([' ', '\t', '\r']).filter(|word| !word.is_empty())
}

fn normalize_comment(comment: &mut String) {
    *comment = words(comment).collect::<Vec<_>>().join(" ");
}

/// Where a tag stands in canonical order; all that have no place of their own are equal.
fn rank(name: &str) -> usize {
    ROSTER.iter().chain(&KNOWN).position(|known| *known == name).unwrap_or(usize::MAX)
}

/// What stands for "not known" in a roster tag.
pub(crate) fn unknown_value(name: &str) -> &'static str {
    if name == "Date" { "????.??.??" } else { "?" }
}

fn is_unknown(name: &str, value: &str) -> bool {
    ROSTER.contains(&name) && (value.is_empty() || value == "?" || value == unknown_value(name))
}

/// The value of a `Winner` tag.
pub(crate) const fn winner_name(winner: Option<Side>) -> &'static str {
    match winner {
        Some(Side::South) => "South",
        Some(Side::North) => "North",
        None => "draw",
    }
}
