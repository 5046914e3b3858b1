//! What tables know of a position, in lines for people.

use std::fmt::Write as _;
use std::path::Path;

use oware_app::Knowledge;
use oware_app::knowledge::{Claim, Facts, Past, Survey, SurveyedMove};
use oware_rules::{House, Position, Rules, SowingBoard};
use oware_tables::{Convention, TableError};

use super::asked::{Asked, Sets, read_line, read_text};
use crate::commands::inputs;
use crate::commands::json::{Refusal, RulesCache};
use crate::output::{complain, print};

/// Tells of each position in words. Gives whether all were good.
pub(super) fn describe_all(
    texts: &[String],
    scores: Option<[u8; 2]>,
    cache: &mut RulesCache,
    sets: &mut Sets<'_>,
) -> anyhow::Result<bool> {
    let mut texts: Vec<(String, String)> =
        texts.iter().map(|text| (String::new(), text.clone())).collect();
    if texts.is_empty() {
        let input = inputs::read_all(Path::new("-"))?;
        let input = String::from_utf8_lossy(&input);
        let lines = input.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        texts = lines.map(|(n, line)| (format!("line {}: ", n + 1), line.to_owned())).collect();
    }
    let mut good = true;
    for (place, (name, text)) in texts.iter().enumerate() {
        match describe(text.trim(), scores, cache, sets) {
            Ok(said) => print(&format!("{}{said}", if place > 0 { "\n" } else { "" }))?,
            Err(refusal) => {
                complain(&format_args!("{name}{}", refusal.why));
                good = false;
            }
        }
    }
    Ok(good)
}

fn describe(
    text: &str,
    scores: Option<[u8; 2]>,
    cache: &mut RulesCache,
    sets: &mut Sets<'_>,
) -> Result<String, Refusal> {
    let (asked, rules) = if text.starts_with('{') {
        let (asked, rules, _) = read_line(text.as_bytes(), cache)?;
        (asked, rules)
    } else {
        (read_text(text, scores, sets.rules())?, sets.rules())
    };
    let knowledge = sets.knowledge(&rules)?;
    said(&asked, &rules, knowledge).map_err(|error| Refusal::line(error.to_string()))
}

/// All that is known of a board, in lines.
fn said(asked: &Asked, rules: &Rules, knowledge: &Knowledge) -> Result<String, TableError> {
    let mut text = String::new();
    let seeds = crate::play::words::seeds(asked.seeds());
    let houses = asked.board.houses().map(|seeds| seeds.to_string());
    let (own, other) = houses.split_at(6);
    let (own, other) = (own.join(" "), other.join(" "));
    let _ = writeln!(text, "{own} | {other}: {} to move, {seeds}, {rules}", asked.mover);
    let Survey { facts, moves } = knowledge.survey(asked.board, &Convention::ALL)?;
    if facts.is_empty() {
        let build = super::build_command(rules, None, Some(usize::from(asked.seeds())));
        let _ = writeln!(text, "  No table covers this board; `{build}` builds them.");
    }
    for convention in Convention::ALL {
        let Some(value) = facts.value(convention) else { continue };
        let label = super::words::convention(convention);
        let _ =
            write!(text, "  {:<5} {:>3}  {label}", convention.name(), super::words::signed(value));
        if let Some(distance) = facts.distance(convention) {
            let plies = if distance == 1 { "ply" } else { "plies" };
            let _ = write!(text, "; next capture or end after {distance} {plies}");
        }
        text.push('\n');
    }
    push_moves(&mut text, asked, &moves);
    if let Some(position) = &asked.position {
        push_result(&mut text, position, &facts);
    }
    Ok(text)
}

/// A line for each legal move with its values by every convention that is known.
fn push_moves(text: &mut String, asked: &Asked, moves: &[SurveyedMove]) {
    let is_known = |c: &Convention| moves.iter().any(|surveyed| surveyed.value(*c).is_some());
    let columns: Vec<Convention> = Convention::ALL.into_iter().filter(is_known).collect();
    if columns.is_empty() {
        return;
    }
    text.push_str("  move ");
    columns.iter().for_each(|convention| _ = write!(text, " {:>5}", convention.name()));
    text.push('\n');
    for surveyed in moves {
        let _ = write!(text, "  {}    ", House::of(asked.mover, surveyed.mv));
        for &convention in &columns {
            let value = surveyed.value(convention).map_or("-".to_owned(), super::words::signed);
            let _ = write!(text, " {value:>5}");
        }
        text.push('\n');
    }
}

fn push_result(text: &mut String, position: &Position, facts: &Facts) {
    let mover = position.to_move();
    let stores = [mover, mover.other()].map(|side| position.store(side).get());
    let said = match position.ending() {
        Some(ending) => crate::commands::words::ending(&ending, position.rules()),
        None => {
            let lead = stores[0] as i8 - stores[1] as i8;
            super::words::claim(Claim::of(facts, position.rules(), lead), mover, Past::Clear)
        }
    };
    let _ = writeln!(text, "  stores {}-{} ({mover} first): {said}", stores[0], stores[1]);
}
