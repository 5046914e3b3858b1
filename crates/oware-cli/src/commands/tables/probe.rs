//! `oware tables probe`: positions in, what the tables know of them out.

use std::cmp::Ordering;
use std::path::PathBuf;
use std::process::ExitCode;

use oware_app::knowledge::{Facts, Survey, proven_result};
use oware_rules::{Position, SowingBoard};
use oware_tables::{Convention, TableError};

use super::asked::{Sets, read_line};
use super::describe::describe_all;
use super::{Size, TableArgs};
use crate::commands::json::{Refusal, RulesCache, push_houses, push_number, run_stream};
use crate::commands::moves::push_refusal;
use crate::commands::position::read_scores;

const EXAMPLES: &str = "\
Without --json each argument, or each line of standard input, is a position string in any known
form or a JSON object. With --json each line of the files is an object as `oware moves` reads it:
  houses    12 numbers, from the mover's left on, then the opponent's
  scores    [mover, opponent], may be left out
or
  position  a position string in any known form
and, if it likes,
  rules     rules for this line; they beat --rules

Each line out has rules, houses and
  value     seeds the mover still takes less those the opponent takes, if both play on to the last
            seed and endless play counts nothing (even)
  low high  the same where endless play counts against the mover, or for him
  distance  plies to the next capture or the end, where the even value is forced
  moves     for each legal move the even value of playing it
null stands where a table is missing. If there are scores there are also scores, over (why the
game is over, or null) and result: win, draw or loss for the mover where that is proven for a
position without a past, else unknown. All tables are used; with --convention, --distance, --layers
or --layer only those.

Examples:
  oware tables probe 0-0-0-0-0-1-1-0-0-0-0-0-23-23-S
  oware tables probe --rules awari '1 1 0 0 0 1 2 0 3 0 0 0'
  echo '{\"houses\":[0,0,0,0,0,1,1,0,0,0,0,0]}' | oware tables probe --json";

/// Arguments of `oware tables probe`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ProbeArgs {
    #[command(flatten)]
    tables: TableArgs,
    /// Stores of the player to move and his opponent, where a position string has none
    #[arg(long, value_name = "MOVER,OPPONENT", value_parser = read_scores, conflicts_with = "json")]
    scores: Option<[u8; 2]>,
    /// Memory for decoded tiles, such as 256M; 0 for none
    #[arg(long, value_name = "SIZE", default_value = Size::CACHE, value_parser = Size::of_cache)]
    cache: Size,
    /// Read JSON lines and write JSON lines
    #[arg(long)]
    json: bool,
    /// Positions; with --json files of JSON lines. Without any, or for `-` with --json, standard
    /// input
    #[arg(value_name = "TEXT")]
    texts: Vec<String>,
}

pub(crate) fn run(args: &ProbeArgs) -> anyhow::Result<ExitCode> {
    let mut sets = Sets::new(&args.tables, args.cache.cache())?;
    let mut cache = RulesCache::new(args.tables.rules());
    let good = if args.json {
        let files: Vec<PathBuf> = args.texts.iter().map(PathBuf::from).collect();
        run_stream(&files, |out, origin, line| {
            let start = out.len();
            let answered = line.and_then(|line| answer(out, line, &mut cache, &mut sets));
            answered
                .map_err(|refusal| {
                    out.truncate(start);
                    push_refusal(out, &refusal, origin);
                })
                .is_ok()
        })?
    } else {
        describe_all(&args.texts, args.scores, &mut cache, &mut sets)?
    };
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Appends the answer to one line of JSON.
fn answer(
    out: &mut Vec<u8>,
    line: &[u8],
    cache: &mut RulesCache,
    sets: &mut Sets<'_>,
) -> Result<(), Refusal> {
    let (asked, rules, id) = read_line(line, cache)?;
    let knowledge = sets.knowledge(&rules)?;
    let failed = |error: TableError| Refusal::line(error.to_string());
    let Survey { facts, moves } =
        knowledge.survey(asked.board, &[Convention::Even]).map_err(failed)?;
    // A rules id has no character that needs an escape.
    out.extend_from_slice(b"{\"rules\":\"");
    out.extend_from_slice(id.as_bytes());
    out.extend_from_slice(b"\",\"houses\":");
    push_houses(out, &asked.board.houses());
    if let Some(position) = &asked.position {
        push_scores(out, position, &facts);
    }
    for (name, value) in [
        ("value", facts.value(Convention::Even)),
        ("low", facts.value(Convention::Low)),
        ("high", facts.value(Convention::High)),
    ] {
        push_name(out, name);
        push_value(out, value);
    }
    push_name(out, "distance");
    match facts.distance(Convention::Even) {
        Some(distance) => push_number(out, usize::from(distance)),
        None => out.extend_from_slice(b"null"),
    }
    push_name(out, "moves");
    out.push(b'{');
    for (place, surveyed) in moves.into_iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        out.push(b'"');
        push_number(out, surveyed.mv.index());
        out.extend_from_slice(b"\":");
        push_value(out, surveyed.value(Convention::Even));
    }
    out.extend_from_slice(b"}}");
    Ok(())
}

fn push_name(out: &mut Vec<u8>, name: &str) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\":");
}

fn push_value(out: &mut Vec<u8>, value: Option<i8>) {
    let Some(value) = value else {
        out.extend_from_slice(b"null");
        return;
    };
    if value < 0 {
        out.push(b'-');
    }
    push_number(out, usize::from(value.unsigned_abs()));
}

fn push_scores(out: &mut Vec<u8>, position: &Position, facts: &Facts) {
    push_name(out, "scores");
    let mover = position.to_move();
    push_houses(out, &[mover, mover.other()].map(|side| position.store(side).get()));
    push_name(out, "over");
    match position.ending() {
        Some(ending) => {
            out.push(b'"');
            out.extend_from_slice(ending.reason.name().as_bytes());
            out.push(b'"');
        }
        None => out.extend_from_slice(b"null"),
    }
    push_name(out, "result");
    out.extend_from_slice(match proven_result(position, facts) {
        Some(Ordering::Greater) => b"\"win\"",
        Some(Ordering::Equal) => b"\"draw\"",
        Some(Ordering::Less) => b"\"loss\"",
        None => b"\"unknown\"",
    });
}
