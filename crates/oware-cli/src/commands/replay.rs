//! `oware replay`: game records and JSON lines of games, played again by the rules.

use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use oware_app::{GameResult, MovesFault, play_moves};
use oware_notation::{Record, Tag, ogn};
use oware_rules::{Game, Position, Rules};

use super::inputs;
use super::json::{
    Element, Loose, Origin, Refusal, RulesCache, push_halves, push_number, push_text,
    push_text_or_null, read_fields, run_stream,
};
use super::words;

const EXAMPLES: &str = "\
With --json each line in is an object with
  moves     letters as in FfBeBc, A to F for South's houses, a to f for North's
and, if it likes,
  rules     rules for this line; they beat --rules
  position  the position to begin with, as a string; else the start of a game
Each line out has scores (South's first), reason (null while the game goes on) and plies, or else
error, line and ply. With --verify the fields scores, reason and plies of a line in are compared.

Examples:
  oware replay game.ogn
  oware replay --verify *.ogn
  echo '{\"moves\":\"FfBeBc\"}' | oware replay --json
  oware replay --json --verify games.jsonl";

/// Arguments of `oware replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReplayArgs {
    /// Read JSON lines and write JSON lines
    #[arg(long)]
    json: bool,
    /// Check also what stands beside the moves: with --json the given scores, reason and plies,
    /// else the variations
    #[arg(long)]
    verify: bool,
    /// Rules of games that name none: a preset, or fields, or both (see `oware rules`)
    #[arg(long, value_name = "RULES", default_value_t)]
    rules: Rules,
    /// Game records (OGN), or JSON lines with --json; `-` or none is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(crate) fn run(args: &ReplayArgs) -> anyhow::Result<ExitCode> {
    let good = if args.json {
        let mut cache = RulesCache::new(args.rules);
        run_stream(&args.files, |out, origin, line| {
            let answered = line
                .map_err(Fault::from)
                .and_then(|line| answer(out, line, &mut cache, args.verify));
            answered.map_err(|fault| push_fault(out, &fault, origin)).is_ok()
        })?
    } else {
        inputs::for_each(&args.files, |path, input| replay_file(path, input, args))?
    };
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

// Game records.

/// Replays every game of a file and says what came of each; gives whether all were right.
fn replay_file(path: &Path, input: Box<dyn Read>, args: &ReplayArgs) -> anyhow::Result<bool> {
    let shown = inputs::name(path);
    let bytes = inputs::read_opened(path, input)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let good = match ogn::decode(&bytes) {
        Ok(text) => replay_text(text, &shown, args, &mut out)?,
        Err(error) => {
            writeln!(out, "{shown}: {error}")?;
            false
        }
    };
    out.flush()?;
    Ok(good)
}

fn replay_text(
    text: &str,
    shown: &str,
    args: &ReplayArgs,
    out: &mut impl Write,
) -> io::Result<bool> {
    let mut good = true;
    let mut number = 0;
    for record in ogn::games(text) {
        number += 1;
        let told = record
            .map_err(|error| error.to_string())
            .and_then(|record| replay_record(record, args));
        match told {
            Ok(summary) => writeln!(out, "{shown}: game {number}: {summary}")?,
            Err(why) => {
                good = false;
                writeln!(out, "{shown}: game {number}: WRONG: {why}")?;
            }
        }
    }
    if number == 0 {
        writeln!(out, "{shown}: no game in it, expected tags or moves")?;
    }
    Ok(good && number > 0)
}

/// A game in one line, or what is wrong with it.
fn replay_record(mut record: Record, args: &ReplayArgs) -> Result<String, String> {
    if record.tag("Rules").is_none() && record.tag("Variant").is_none() {
        let tag = Tag::new("Rules", args.rules.id()).map_err(|error| error.to_string())?;
        record.set_tag(tag);
    }
    let game = ogn::replay(&record).map_err(|error| error.to_string())?;
    if args.verify {
        ogn::verify_variations(&record).map_err(|error| error.to_string())?;
    }
    Ok(summary(&record, &game))
}

pub(super) fn summary(record: &Record, game: &Game) -> String {
    let name = |tag| record.tag(tag).unwrap_or("?");
    let result = match game.ending() {
        Some(ending) => words::ending(&ending, game.rules()),
        None => {
            let [south, north] = game.position().stores();
            format!("not over, {south}-{north} so far, {} to move", game.position().to_move())
        }
    };
    let plies = game.plies().len();
    format!(
        "{} (South) - {} (North), {}, {plies} {}: {result}",
        name("South"),
        name("North"),
        game.rules(),
        if plies == 1 { "ply" } else { "plies" },
    )
}

// JSON lines.

const FIELDS: [&str; 6] = ["moves", "rules", "position", "scores", "reason", "plies"];

/// Why a line is refused, and at which ply.
struct Fault {
    refusal: Refusal,
    ply: Option<usize>,
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Fault {
        Fault { refusal, ply: None }
    }
}

impl From<MovesFault> for Fault {
    fn from(fault: MovesFault) -> Fault {
        Fault { ply: fault.ply, refusal: Refusal::of("moves", fault.why) }
    }
}

fn push_fault(out: &mut Vec<u8>, fault: &Fault, origin: Origin<'_>) {
    out.extend_from_slice(b"{\"error\":");
    push_text(out, &fault.refusal.why);
    origin.push(out);
    out.extend_from_slice(b",\"ply\":");
    match fault.ply {
        Some(ply) => push_number(out, ply),
        None => out.extend_from_slice(b"null"),
    }
    out.extend_from_slice(b",\"field\":");
    push_text_or_null(out, fault.refusal.field);
    out.push(b'}');
}

/// Appends the answer to one line; nothing if it is refused.
fn answer(
    out: &mut Vec<u8>,
    line: &[u8],
    cache: &mut RulesCache,
    verify: bool,
) -> Result<(), Fault> {
    let [moves, rules, position, scores, reason, plies] = read_fields(line, &FIELDS)?;
    let (rules, _) = cache.read(rules.as_ref())?;
    let start = match position {
        None => Position::start(rules),
        Some(position) => oware_notation::read_position(position.text("position")?)
            .and_then(|text| text.resolve(None, rules))
            .map_err(|error| Refusal::of("position", error.to_string()))?,
    };
    let Some(moves) = moves else {
        return Err(Refusal::of("moves", "moves is missing, expected letters as in FfBeBc").into());
    };
    let result = GameResult::of(&play_moves(start, moves.text("moves")?)?);
    if verify {
        let given = Given { scores, reason, plies };
        given.compare(&result).map_err(|refusal| Fault { refusal, ply: Some(result.plies) })?;
    }
    out.extend_from_slice(b"{\"scores\":");
    push_halves(out, [result.score.south, result.score.north]);
    out.extend_from_slice(b",\"reason\":");
    push_text_or_null(out, result.reason.map(oware_rules::Reason::name));
    out.extend_from_slice(b",\"plies\":");
    push_number(out, result.plies);
    out.push(b'}');
    Ok(())
}

/// What a line says of the result.
struct Given<'a> {
    scores: Option<Loose<'a>>,
    reason: Option<Loose<'a>>,
    plies: Option<Loose<'a>>,
}

impl Given<'_> {
    fn compare(&self, result: &GameResult) -> Result<(), Refusal> {
        let differs = |field, given: &dyn std::fmt::Display, found: &dyn std::fmt::Display| {
            Refusal::of(field, format!("the line says {field} {given}, the moves give {found}"))
        };
        if let Some(reason) = &self.reason {
            let given = match reason {
                Loose::Null => None,
                _ => Some(reason.text("reason")?),
            };
            let found = result.reason.map(oware_rules::Reason::name);
            if given != found {
                let given: String = given.unwrap_or("null").chars().take(40).collect();
                return Err(differs("reason", &given, &found.unwrap_or("null")));
            }
        }
        if let Some(scores) = &self.scores {
            let [south, north] = scores.final_scores("scores")?;
            let found = result.score;
            if [south, north] != [found.south, found.north] {
                return Err(differs("scores", &format_args!("{south}-{north}"), &found));
            }
        }
        match &self.plies {
            None => Ok(()),
            Some(Loose::Other(Element::Whole(n))) if *n == result.plies as u64 => Ok(()),
            Some(given) => Err(differs("plies", &given.kind(), &result.plies)),
        }
    }
}
