//! What is asked of the tables: boards with or without stores, under rules that may change from
//! line to line.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oware_app::Knowledge;
use oware_notation::PositionError;
use oware_rules::{Board, Position, Rules, Side, SowingBoard, TableRules};
use oware_tables::{MOST_SEEDS, TileCache};

use super::TableArgs;
use crate::commands::json::{Loose, Refusal, RulesCache, read_fields};
use crate::commands::moves::{from_numbers, from_text};

const FIELDS: [&str; 4] = ["houses", "scores", "position", "rules"];

/// The board that is asked about.
pub(super) struct Asked {
    pub(super) board: Board,
    pub(super) mover: Side,
    /// The whole position, if the stores are known.
    pub(super) position: Option<Position>,
}

impl Asked {
    fn of(position: Position) -> Asked {
        Asked { board: position.board(), mover: position.to_move(), position: Some(position) }
    }

    /// Seeds on the board.
    pub(super) fn seeds(&self) -> u8 {
        self.board.total()
    }
}

/// The tables of all rules that have been asked for.
pub(super) struct Sets<'a> {
    dir: PathBuf,
    args: &'a TableArgs,
    cache: Arc<TileCache>,
    open: Vec<(TableRules, Knowledge)>,
}

impl<'a> Sets<'a> {
    /// Nothing is open yet. All rules will share the cache.
    pub(super) fn new(args: &'a TableArgs, cache: Arc<TileCache>) -> anyhow::Result<Sets<'a>> {
        Ok(Sets { dir: args.dir()?, args, cache, open: Vec::new() })
    }

    /// The rules of questions that name none.
    pub(super) fn rules(&self) -> Rules {
        self.args.rules()
    }

    /// What is known under some rules. Says it once where there is nothing at all.
    pub(super) fn knowledge(&mut self, rules: &Rules) -> Result<&Knowledge, Refusal> {
        let wanted = rules.table_rules();
        let place = match self.open.iter().position(|(open, _)| *open == wanted) {
            Some(place) => place,
            None => {
                let knowledge = Knowledge::open_with(&self.dir, rules, Arc::clone(&self.cache))
                    .map_err(|error| Refusal::line(error.to_string()))?;
                if knowledge.is_empty() {
                    note_missing(&self.dir, rules);
                }
                let layers = self.args.layers().unwrap_or(0..=MOST_SEEDS);
                let knowledge = knowledge.only(&self.args.kinds_or_all(), layers);
                self.open.push((wanted, knowledge));
                self.open.len() - 1
            }
        };
        Ok(&self.open[place].1)
    }
}

/// Says on standard error that there are no tables and how they are made.
fn note_missing(dir: &Path, rules: &Rules) {
    let (dir, build) = (dir.display(), super::build_command(rules, None, None));
    let _ = writeln!(
        std::io::stderr(),
        "note: no tables under {rules} in {dir}; `{build}` builds small ones"
    );
}

/// Reads a line of JSON.
pub(super) fn read_line<'c>(
    line: &[u8],
    cache: &'c mut RulesCache,
) -> Result<(Asked, Rules, &'c str), Refusal> {
    let [houses, scores, position, rules] = read_fields(line, &FIELDS)?;
    let (rules, id) = cache.read(rules.as_ref())?;
    let asked = match (houses, position) {
        (Some(_), Some(_)) => {
            let why = "position and houses are both given, expected one of them";
            return Err(Refusal::of("position", why));
        }
        (None, None) => {
            let why = "houses is missing, expected 12 numbers (or a position string in position)";
            return Err(Refusal::of("houses", why));
        }
        (Some(houses), None) if scores.is_some() => {
            Asked::of(from_numbers(&houses, scores.as_ref(), rules)?)
        }
        (Some(houses), None) => bare(houses.seeds("houses")?, Side::South, "houses")?,
        (None, Some(position)) => read_position(&position, scores.as_ref(), rules)?,
    };
    Ok((asked, rules, id))
}

/// A board without stores.
fn bare(houses: [u8; 12], mover: Side, field: &'static str) -> Result<Asked, Refusal> {
    let board =
        Board::from_houses(houses).map_err(|error| Refusal::of(field, error.to_string()))?;
    Ok(Asked { board, mover, position: None })
}

fn read_position(
    position: &Loose<'_>,
    scores: Option<&Loose<'_>>,
    rules: Rules,
) -> Result<Asked, Refusal> {
    let text = position.text("position")?;
    match oware_notation::read_position(text) {
        // Only a form without a turn has no stores: it is seen by the mover.
        Ok(read) if read.stores.is_none() && scores.is_none() => {
            bare(read.houses, Side::South, "position")
        }
        _ => from_text(position, scores, rules).map(Asked::of),
    }
}

/// Reads a position string; `scores` are the stores beside it.
pub(super) fn read_text(
    text: &str,
    scores: Option<[u8; 2]>,
    rules: Rules,
) -> Result<Asked, Refusal> {
    let refused = |error: PositionError| Refusal::of("position", error.to_string());
    let read = oware_notation::read_position(text).map_err(refused)?;
    if read.stores.is_none() && scores.is_none() {
        return bare(read.houses, Side::South, "position");
    }
    read.resolve(scores, rules).map(Asked::of).map_err(refused)
}
