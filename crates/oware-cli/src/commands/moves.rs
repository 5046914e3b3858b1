//! `oware moves`: positions in, legal moves and what they do out. For programs.

use std::path::PathBuf;
use std::process::ExitCode;

use oware_app::{MoveOutcome, PositionView, score_seen_by};
use oware_rules::{Ending, Position, Rules, Setup, Side};

use super::json::{
    Loose, Origin, Refusal, RulesCache, push_bool, push_halves, push_houses, push_number,
    push_text, push_text_or_null, read_fields, run_stream,
};

const EXAMPLES: &str = "\
Each line in is an object with either
  houses    12 numbers, from the mover's left on, then the opponent's
  scores    [mover, opponent]
or
  position  a position string in any known form; one without stores needs scores beside it
and, if it likes,
  rules     rules for this line; they beat --rules
Other fields are ignored. Houses and scores must add to 48.

Each line out has rules, houses, scores, over, final, legal and moves. All is seen by the player
to move, also after his move and before any sharing out. A bad line gives an object with error,
field and line in its place; the next line is read, and the exit status is 1.

Examples:
  echo '{\"houses\":[4,4,4,4,4,4,4,4,4,4,4,4],\"scores\":[0,0]}' | oware moves
  echo '{\"position\":\"0-0-0-0-0-1-1-0-0-0-0-0-23-23-S\",\"rules\":\"awari\"}' | oware moves
  oware moves --rules slam-illegal positions.jsonl > moves.jsonl";

/// Arguments of `oware moves`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MovesArgs {
    /// Rules of lines that name none: a preset, or fields, or both (see `oware rules`)
    #[arg(long, value_name = "RULES", default_value_t)]
    rules: Rules,
    /// Files of JSON lines; `-` or none is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

const FIELDS: [&str; 4] = ["houses", "scores", "position", "rules"];

pub(crate) fn run(args: &MovesArgs) -> anyhow::Result<ExitCode> {
    let mut cache = RulesCache::new(args.rules);
    let good = run_stream(&args.files, |out, origin, line| {
        let answered = line.and_then(|line| answer(out, line, &mut cache));
        answered.map_err(|refusal| push_refusal(out, &refusal, origin)).is_ok()
    })?;
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub(super) fn push_refusal(out: &mut Vec<u8>, refusal: &Refusal, origin: Origin<'_>) {
    out.extend_from_slice(b"{\"error\":");
    push_text(out, &refusal.why);
    out.extend_from_slice(b",\"field\":");
    push_text_or_null(out, refusal.field);
    origin.push(out);
    out.push(b'}');
}

/// Appends the answer to one line; nothing if it is refused.
fn answer(out: &mut Vec<u8>, line: &[u8], cache: &mut RulesCache) -> Result<(), Refusal> {
    let [houses, scores, position, rules] = read_fields(line, &FIELDS)?;
    let (rules, id) = cache.read(rules.as_ref())?;
    let position = match (houses, position) {
        (Some(_), Some(_)) => {
            let why = "position and houses are both given, expected one of them";
            return Err(Refusal::of("position", why));
        }
        (None, Some(position)) => from_text(&position, scores.as_ref(), rules)?,
        (Some(houses), None) => from_numbers(&houses, scores.as_ref(), rules)?,
        (None, None) => {
            let why = "houses is missing, expected 12 numbers (or a position string in position)";
            return Err(Refusal::of("houses", why));
        }
    };
    push_view(out, &PositionView::of(&position), id);
    Ok(())
}

/// The position of a line with `houses` and `scores`.
pub(super) fn from_numbers(
    houses: &Loose<'_>,
    scores: Option<&Loose<'_>>,
    rules: Rules,
) -> Result<Position, Refusal> {
    let houses = houses.seeds("houses")?;
    let Some(scores) = scores else {
        return Err(Refusal::of("scores", "scores is missing, expected [mover, opponent]"));
    };
    let setup = Setup::from_mover(houses, scores.seeds("scores")?, Side::South);
    Position::new(setup, rules)
        .map_err(|error| Refusal::of("houses", error.to_string().replace("stores", "scores")))
}

/// The position of a line with `position`, and `scores` beside it where it has none.
pub(super) fn from_text(
    position: &Loose<'_>,
    scores: Option<&Loose<'_>>,
    rules: Rules,
) -> Result<Position, Refusal> {
    let scores = scores.map(|scores| scores.seeds("scores")).transpose()?;
    let refused = |error: oware_notation::PositionError| {
        let field = if error.field() == "scores" { "scores" } else { "position" };
        Refusal::of(field, error.to_string())
    };
    oware_notation::read_position(position.text("position")?)
        .map_err(refused)?
        .resolve(scores, rules)
        .map_err(refused)
}

fn push_view(out: &mut Vec<u8>, view: &PositionView, rules: &str) {
    let mover = view.position().to_move();
    // A rules id has no character that needs an escape.
    out.extend_from_slice(b"{\"rules\":\"");
    out.extend_from_slice(rules.as_bytes());
    out.extend_from_slice(b"\",\"houses\":");
    push_houses(out, &view.houses);
    out.extend_from_slice(b",\"scores\":");
    push_houses(out, &view.scores);
    push_ending(out, "over", view.ending, mover);
    out.extend_from_slice(b",\"legal\":[");
    for (place, mv) in view.legal.iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        push_number(out, mv.index());
    }
    out.extend_from_slice(b"],\"moves\":{");
    for (place, outcome) in view.outcomes().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        push_outcome(out, &outcome, mover);
    }
    out.extend_from_slice(b"}}");
}

fn push_outcome(out: &mut Vec<u8>, outcome: &MoveOutcome, mover: Side) {
    out.push(b'"');
    push_number(out, outcome.mv.index());
    out.extend_from_slice(b"\":{\"houses\":");
    push_houses(out, &outcome.houses);
    out.extend_from_slice(b",\"scores\":");
    push_houses(out, &outcome.scores);
    out.extend_from_slice(b",\"captured\":");
    push_number(out, usize::from(outcome.captured));
    out.extend_from_slice(b",\"given\":");
    push_number(out, usize::from(outcome.given));
    out.extend_from_slice(b",\"grand_slam\":");
    push_bool(out, outcome.grand_slam);
    push_ending(out, "terminal", outcome.ending, mover);
    out.extend_from_slice(b",\"last\":");
    push_number(out, outcome.last);
    out.extend_from_slice(b",\"laps\":");
    push_number(out, outcome.laps);
    out.extend_from_slice(b",\"captured_houses\":[");
    for (place, house) in outcome.captured_houses().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        push_number(out, house);
    }
    out.extend_from_slice(b"]}");
}

/// The reason under the given name, and `final`; both null while the game goes on.
fn push_ending(out: &mut Vec<u8>, name: &str, ending: Option<Ending>, mover: Side) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(name.as_bytes());
    match ending {
        Some(ending) => {
            out.extend_from_slice(b"\":\"");
            out.extend_from_slice(ending.reason.name().as_bytes());
            out.extend_from_slice(b"\",\"final\":");
            push_halves(out, score_seen_by(ending.score, mover));
        }
        None => out.extend_from_slice(b"\":null,\"final\":null"),
    }
}
