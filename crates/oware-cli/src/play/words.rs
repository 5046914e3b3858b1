//! Moves, refusals and surprises in sentences.

use oware_app::{Choice, Source, Turn};
use oware_rules::{Ending, GrandSlamOutcome, House, Rules, Side};

use crate::commands::words;

/// `1 seed`, `5 seeds`.
pub(crate) fn seeds(number: impl Into<u32>) -> String {
    let number = number.into();
    format!("{number} seed{}", if number == 1 { "" } else { "s" })
}

/// The move in a sentence.
pub(crate) fn turn(turn: &Turn) -> String {
    let report = &turn.report;
    let mut text = format!(
        "{} sows {} from {}, the last falls in {}",
        report.side,
        seeds(report.lifted.get()),
        report.from,
        report.last
    );
    if report.captured.get() > 0 {
        let houses: Vec<String> = report
            .captured_houses
            .iter()
            .map(|c| format!("{} from {}", c.seeds, c.house))
            .collect();
        text += &format!(", captures {}", houses.join(", "));
    }
    text + "."
}

/// What may surprise in a move, each in a sentence: lap, grand slam, feeding, a position that
/// came back.
pub(crate) fn surprises(turn: &Turn, occurrences: u16) -> Vec<String> {
    let report = &turn.report;
    let mut said = Vec::new();
    if report.laps > 0 {
        said.push(format!(
            "A house of 12 or more seeds goes round the board: {} itself is left out and stays \
             empty.",
            report.from
        ));
    }
    if let Some(outcome) = report.grand_slam {
        said.push(match outcome {
            GrandSlamOutcome::NothingCaptured => "This is a grand slam, a move that would take \
                every seed of the opponent: under these rules it captures nothing."
                .into(),
            GrandSlamOutcome::OpponentTookRest { given } => format!(
                "This is a grand slam: it captures, and {} gets the {given} left on the board.",
                report.side.other()
            ),
            GrandSlamOutcome::Kept(house) => {
                format!("This is a grand slam: under these rules house {house} is left standing.")
            }
            GrandSlamOutcome::CapturedAll => {
                "This is a grand slam: under these rules it captures everything.".into()
            }
        });
    }
    if report.fed(&turn.before) {
        said.push(format!(
            "{} had no seeds, so a move that feeds had to be played.",
            report.side.other()
        ));
    }
    if occurrences > 1 && turn.ending.is_none() {
        said.push(format!("This position has come up {occurrences} times since the last capture."));
    }
    said
}

/// A hint in a sentence.
pub(crate) fn hint(choice: &Choice) -> String {
    let Choice { house, value, depth, line, source } = choice;
    match source {
        Source::Search => {
            let line: String = line.iter().map(|house| house.letter()).collect();
            format!(
                "Hint: {house}, expecting {value:+.1} seeds at the end (an estimate, {depth} \
                 plies: {line})."
            )
        }
        Source::Tables { distance: 1, .. } => {
            format!("Hint: {house}, by the endgame tables: it captures or ends the game.")
        }
        Source::Tables { distance, .. } => format!(
            "Hint: {house}, by the endgame tables: the next capture or the end is {distance} plies \
             away."
        ),
    }
}

/// The end in a sentence.
pub(crate) fn ending(end: &Ending, rules: &Rules) -> String {
    format!("The game is over: {}.", words::ending(end, rules))
}

/// The houses as a list for the ear: `A 4, B 4, ...`; without numbers, which are empty.
pub(crate) fn row(houses: &[u8; 12], side: Side, counts: bool) -> String {
    let own = House::all().filter(|house| house.side() == side);
    let parts: Vec<String> = own
        .map(|house| match (houses[house.index()], counts) {
            (number, true) => format!("{house} {number}"),
            (0, false) => format!("{house} empty"),
            (_, false) => format!("{house} seeds"),
        })
        .collect();
    parts.join(", ")
}
