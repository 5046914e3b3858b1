//! Values in words: no number without where it is from.

use std::cmp::Ordering;

use oware_rules::{Rules, Side};
use oware_search::{Bound, Score};

use super::accuracy::Label;
use super::game::PlyAnalysis;
use super::value::{Known, MoveValue};
use crate::knowledge::Basis;

/// A score: whole seeds if it is known, hundredths if it is a guess. A sign before it says
/// whether it is a bound: `+6`, `-0.25`, `>= +3.00`.
#[must_use]
pub fn value(value: &MoveValue) -> String {
    number(value, value.score, value.bound)
}

/// The same for a side, whoever moved.
#[must_use]
pub fn value_for(value: &MoveValue, side: Side) -> String {
    let bound = match (value.house.side() == side, value.bound) {
        (false, Bound::Lower) => Bound::Upper,
        (false, Bound::Upper) => Bound::Lower,
        (_, bound) => bound,
    };
    number(value, value.score_for(side), bound)
}

fn number(value: &MoveValue, score: Score, bound: Bound) -> String {
    let sign = match bound {
        Bound::Exact => "",
        Bound::Lower => ">= ",
        Bound::Upper => "<= ",
    };
    format!("{sign}{}", seeds(score, matches!(value.known, Known::Search { .. })))
}

/// Seeds with a sign, in hundredths or whole.
#[must_use]
pub fn seeds(score: Score, hundredths: bool) -> String {
    match (hundredths, score.hundredths()) {
        (true, _) => score.to_string(),
        (false, 0) => "0".to_owned(),
        (false, value) => format!("{:+}", f64::from(value) / 100.0),
    }
}

/// How a value is known: `search, 14 plies`, `tables: exact`; and behind a value that is not
/// proven what it is at least and at most, where tables prove that: `(-2 to +6)`.
#[must_use]
pub fn known(value: &MoveValue) -> String {
    let text = match value.known {
        Known::Ending => format!("end of the game ({})", reason(value)),
        Known::Exact(Basis::AnyLoop) => "tables: exact".to_owned(),
        Known::Exact(Basis::EvenLoops) => "tables: exact, loops are split evenly".to_owned(),
        Known::IfEven => "tables: if loops are split evenly".to_owned(),
        Known::Complete { depth, if_even: false } => {
            format!("searched to the end, {}", plies(depth))
        }
        Known::Complete { depth, if_even: true } => {
            format!("searched to the tables, {}: if loops are split evenly", plies(depth))
        }
        Known::Search { depth } => format!("search, {}", plies(depth)),
    };
    match (value.least, value.most) {
        _ if value.past && matches!(value.known, Known::Exact(_)) => {
            text + ", unless an earlier position comes back"
        }
        _ if matches!(value.known, Known::Exact(_) | Known::Ending) => text,
        (Some(least), Some(most)) => {
            let [least, most] = [least, most].map(|n| seeds(Score::whole(n.into()), false));
            format!("{text} ({least} to {most})")
        }
        _ => text,
    }
}

fn reason(value: &MoveValue) -> &'static str {
    value.ending.map_or("by the rules", |ending| ending.reason.name())
}

fn plies(number: u32) -> String {
    format!("{number} {}", if number == 1 { "ply" } else { "plies" })
}

/// What is proven of the result for the mover, and by how much: `proven win, by 3 or more`.
#[must_use]
pub fn proven(value: &MoveValue) -> Option<String> {
    let result = match value.proven? {
        Ordering::Greater => "proven win",
        Ordering::Equal => "proven draw",
        Ordering::Less => "proven loss",
    };
    let by = match (value.proven?, value.known) {
        (_, Known::Exact(_) | Known::Ending) | (Ordering::Equal, _) => None,
        // Then the two numbers stand beside the value.
        _ if value.least.is_some() && value.most.is_some() => None,
        (Ordering::Greater, _) => value.least.filter(|&least| least > 0),
        (Ordering::Less, _) => value.most.filter(|&most| most < 0),
    };
    Some(match (by, value.ending) {
        (_, Some(ending)) => format!("{result} ({})", ending.reason),
        (Some(by), None) => format!("{result}, by {} or more", by.unsigned_abs()),
        (None, None) => result.to_owned(),
    })
}

/// The same for a side that does not depend on who moved: `proven: South wins`.
#[must_use]
pub fn proven_for_both(value: &MoveValue) -> Option<String> {
    let side = value.house.side();
    Some(match value.proven? {
        Ordering::Greater => format!("proven: {side} wins"),
        Ordering::Equal => "proven: a draw".to_owned(),
        Ordering::Less => format!("proven: {} wins", side.other()),
    })
}

/// What a fault cost: `mistake: 3.20 seeds and 12 % of a point lost, F was better`. `None` for
/// a move that is none.
#[must_use]
pub fn fault(ply: &PlyAnalysis) -> Option<String> {
    if !ply.label.is_fault() {
        return None;
    }
    let mut parts = Vec::new();
    if ply.lost > Score::default() {
        parts.push(format!("{:.2} seeds", ply.lost.seeds()));
    }
    let share = (ply.given_away * 100.0).round();
    if share > 0.0 {
        parts.push(format!("{share} % of a point"));
    }
    Some(format!("{}: {} lost, {} was better", ply.label, parts.join(" and "), ply.best().house))
}

/// The mark that records have for a label, if it is a fault: `?!`, `?`, `??`.
#[must_use]
pub const fn mark(label: Label) -> Option<oware_notation::ogn::Suffix> {
    use oware_notation::ogn::Suffix;
    match label {
        Label::Best | Label::Good => None,
        Label::Inaccuracy => Some(Suffix::Dubious),
        Label::Mistake => Some(Suffix::Mistake),
        Label::Blunder => Some(Suffix::Blunder),
    }
}

/// What the values mean, in sentences: those that are needed for these moves and no others.
#[must_use]
pub fn legend<'a>(values: impl IntoIterator<Item = &'a MoveValue>, rules: &Rules) -> Vec<String> {
    let [mut search, mut complete, mut even, mut exact, mut proven, mut bound] = [false; 6];
    let mut interval = false;
    for value in values {
        search |= matches!(value.known, Known::Search { .. });
        complete |= matches!(value.known, Known::Complete { if_even: false, .. });
        even |= matches!(value.known, Known::IfEven | Known::Complete { if_even: true, .. });
        exact |= matches!(value.known, Known::Exact(_));
        proven |= value.proven.is_some();
        bound |= value.bound != Bound::Exact;
        interval |= value.least.is_some()
            && value.most.is_some()
            && !matches!(value.known, Known::Exact(_) | Known::Ending);
    }
    let mut lines = vec![
        "Values are seeds: how far the player who moves ends ahead, both playing on to the last \
         seed."
            .to_owned(),
    ];
    let mut tell = |is: bool, text: &str| {
        if is {
            lines.push(text.to_owned());
        }
    };
    tell(search, "A search guesses where it stops: its values and chances are estimates.");
    tell(
        complete,
        "Searched to the end: no guess is in the value; a position that comes back counted as a \
         loop at once.",
    );
    tell(exact, "Exact: proven by endgame tables.");
    tell(
        even,
        "If loops are split evenly: by endgame tables that share out endless play by halves, \
         which is not certain here.",
    );
    tell(
        interval,
        "Numbers in brackets: the least and the most it can be, proven whatever becomes of loops.",
    );
    tell(proven, "Proven: the result can be forced, whatever the other player does.");
    tell(bound, "<= and >=: the value is at most or at least this.");
    if rules.capture_free_limit.is_some() {
        tell(
            even,
            "The limit on plies without a capture is not in the tables: they prove nothing.",
        );
    }
    lines
}
