//! A record with what an analysis found: a comment behind each move, and what was better.
//!
//! What is written begins with a mark, `[oware]`, so that the next analysis takes it away and
//! nothing of anybody else's. Where a suffix such as `?` was set too, the mark says so:
//! `[oware ?]`.

use oware_notation::ogn::{Line, Note, Ply, Suffix};
use oware_notation::{Record, Tag};
use oware_rules::Side;

use super::game::{GameAnalysis, PlyAnalysis};
use super::{Label, words};

/// What comments of an analysis begin with.
pub const MARK: &str = "[oware]";
/// The tag that names who wrote the comments; left alone if it names somebody else.
pub const ANNOTATOR_TAG: &str = "Annotator";

/// The mark of a comment whose move was given this suffix.
fn mark(suffix: Option<Suffix>) -> String {
    suffix.map_or(MARK.to_owned(), |suffix| format!("[oware {}]", suffix.text()))
}

/// The suffix that an own comment says was set; the outer `None` for a comment of others.
fn own(comment: &str) -> Option<Option<Suffix>> {
    let begins = |suffix| comment.starts_with(&mark(suffix));
    if begins(None) {
        return Some(None);
    }
    Suffix::ALL.into_iter().find(|&suffix| begins(Some(suffix))).map(Some)
}

/// Takes what an earlier analysis wrote out of a record. Comments of others stay, also those in
/// a variation that the analysis had put there; then the variation stays too.
pub fn strip(record: &mut Record) {
    if record.tag(ANNOTATOR_TAG).is_some_and(|name| name.starts_with("oware ")) {
        record.remove_tag(ANNOTATOR_TAG);
    }
    record.line.comments.retain(|comment| own(comment).is_none());
    record.closing.retain(|comment| own(comment).is_none());
    for ply in &mut record.line.plies {
        strip_ply(ply);
    }
}

fn strip_ply(ply: &mut Ply) {
    let set = ply.notes.iter().find_map(|note| match note {
        Note::Comment(comment) => own(comment).flatten(),
        Note::Variation(_) => None,
    });
    if set.is_some() && ply.suffix == set {
        ply.suffix = None;
    }
    ply.notes.retain_mut(|note| match note {
        Note::Comment(comment) => own(comment).is_none(),
        Note::Variation(line) => {
            let before = line.comments.len();
            line.comments.retain(|comment| own(comment).is_none());
            line.comments.len() == before || has_more(line)
        }
    });
}

/// Whether somebody has written into a line of moves.
fn has_more(line: &Line) -> bool {
    let plain = |ply: &Ply| ply.notes.is_empty() && ply.suffix.is_none() && ply.nags.is_empty();
    !line.comments.is_empty() || !line.plies.iter().all(plain)
}

/// A record of the analysed game with what was found: the value after each move and how it is
/// known, seen by South; for faults what they cost and, as a variation, what was better; and what
/// the players' moves were like. `author` is the program with its version, `how` says how much it
/// did. What an earlier analysis wrote is replaced; everything else stays.
///
/// A record annotated again from the same analysis does not change.
#[must_use]
pub fn annotate(record: &Record, analysis: &GameAnalysis, author: &str, how: &str) -> Record {
    let mut record = record.clone();
    strip(&mut record);
    if record.tag(ANNOTATOR_TAG).is_none()
        && let Ok(tag) = Tag::new(ANNOTATOR_TAG, format!("oware {author}"))
    {
        record.set_tag(tag);
    }
    record.line.comments.push(format!(
        "{MARK} Analysis by {how}. Values are what South is expected to end ahead in seeds, both \
         playing on to the last."
    ));
    for (ply, found) in record.line.plies.iter_mut().zip(&analysis.plies) {
        annotate_ply(ply, found);
    }
    for (side, player) in Side::BOTH.into_iter().zip(&analysis.players) {
        let (Some(lost), Some(accuracy)) = (player.mean_lost(), player.accuracy()) else {
            continue;
        };
        let counts = Label::ALL.map(|label| format!("{} {label}", player.count(label)));
        record.closing.push(format!(
            "{MARK} {side}: accuracy {accuracy:.0}, {lost:.2} seeds lost a move ({})",
            counts.join(", ")
        ));
    }
    record.normalized()
}

fn annotate_ply(ply: &mut Ply, found: &PlyAnalysis) {
    let suffix = words::mark(found.label).filter(|_| ply.suffix.is_none());
    ply.suffix = ply.suffix.or(suffix);
    let mut text = format!(
        "{} {} ({})",
        mark(suffix),
        words::value_for(&found.played, Side::South),
        words::known(&found.played)
    );
    for more in [words::proven_for_both(&found.played), words::fault(found)].into_iter().flatten() {
        text += "; ";
        text += &more;
    }
    // In front of what others said, whose variations it would else stand behind.
    ply.notes.insert(0, Note::Comment(text));
    let best = found.best();
    if found.label.is_fault() && best.house != ply.house {
        let comment =
            format!("{MARK} {} ({})", words::value_for(best, Side::South), words::known(best));
        let plies = best.line.iter().map(|&house| plain(house)).collect();
        ply.notes.insert(1, Note::Variation(Line { comments: vec![comment], plies }));
    }
}

fn plain(house: oware_rules::House) -> Ply {
    oware_notation::StatedMove::from(house).into()
}
