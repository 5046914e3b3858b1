//! Games of a match as records, and back.

use oware_notation::ogn::{self, Record, Tag};
use oware_rules::{Rules, Side};

use super::game::{Played, Termination, side_name};
use super::outcome::Finished;
use super::schedule::{GameNumber, Plan};

/// What every record of a match begins with.
pub(super) const BEGIN: &str = "[Event \"";

/// The record of a game, with the tags `Event`, `Round`, `South`, `North`, `OpeningPlies`,
/// `Termination` (how it ended, in words) and, if so, `Fault` (by whose).
#[must_use]
pub fn write(plan: &Plan, finished: &Finished, played: &Played, opening_plies: usize) -> String {
    let names = plan.seats_of(finished.number).map(|engine| plan.engines[engine].name.clone());
    let [south, north] = names;
    let mut tags = vec![
        ("Event", plan.event.clone()),
        ("Round", finished.number.to_string()),
        ("South", south),
        ("North", north),
        ("OpeningPlies", opening_plies.to_string()),
        ("Termination", played.termination.to_string()),
    ];
    if let Some(side) = finished.fault {
        tags.push(("Fault", side_name(side).into()));
    }
    let tags = tags.into_iter().filter_map(|(name, value)| Tag::new(name, value).ok()).collect();
    ogn::write(&Record::from_game(&played.game, tags))
}

/// Reads the record of a game of a match.
///
/// # Errors
/// What does not fit, in words.
pub(super) fn read(text: &str, plan: &Plan) -> Result<Finished, String> {
    let record = ogn::parse(text).map_err(|error| error.to_string())?;
    let tag = |name: &str| record.tag(name).ok_or_else(|| format!("there is no tag {name}"));
    let number: GameNumber = tag("Round")?.parse().map_err(|why| format!("tag Round: {why}"))?;
    let seats = plan.seats_of(number).map(|engine| plan.engines[engine].name.as_str());
    if [tag("South")?, tag("North")?] != seats {
        return Err(format!("game {number} is between {} and {}", seats[0], seats[1]));
    }
    let rules: Rules = tag("Rules")?.parse().map_err(|error| format!("tag Rules: {error}"))?;
    if rules != plan.rules {
        return Err(format!("tag Rules: expected {}", plan.rules.id()));
    }
    let game = ogn::replay(&record).map_err(|error| error.to_string())?;
    let termination = tag("Termination")?.to_owned();
    let fault = match record.tag("Fault") {
        None => None,
        Some("South") => Some(Side::South),
        Some("North") => Some(Side::North),
        Some(_) => return Err("tag Fault: expected South or North".into()),
    };
    // The words of the end are kept in the record alone; what counts are its kinds.
    let adjudicated = termination.starts_with("adjudication");
    let played = Played { game, termination: Termination::Rules, effort: Default::default() };
    let finished = Finished::of(number, &played).ok_or("the game is not over")?;
    Ok(Finished { fault, adjudicated, ..finished })
}
