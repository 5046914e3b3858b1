//! `oware convert`.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use oware_app::play_moves;
use oware_notation::{
    MoveStyle, PositionFormat, Record, StatedMove, ogn, read_position, write_moves, write_position,
};
use oware_rules::Position;

use super::inputs;
use super::json::{Line, Lines, MAX_LINE};
use super::position::PositionArgs;
use crate::output::{Usage, complain, print, write_file};

const EXAMPLES: &str = "\
Forms of positions
  canonical     4-4-4-4-4-4-4-4-4-4-4-4-0-0-S   A..F, a..f, South's store, North's, turn
  openspiel     0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4
  playstrategy  4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1
  twelve        4 4 4 4 4 4 4 4 4 4 4 4         from the mover's left on; no stores, no turn
Forms of games
  ogn           a game record
  moves         FfBeBc

Examples:
  oware convert --to openspiel 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S
  oware convert --scores 20,19 '0 0 0 0 0 2 1 2 4 0 0 0'
  oware convert --to ogn --rules awari FfBeBc
  oware convert --ogn game.ogn -o game.ogn
  oware convert --ogn --to moves game.ogn";

/// Arguments of `oware convert`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ConvertArgs {
    /// The form to write [default: canonical, with --ogn ogn]
    #[arg(long, value_name = "FORM")]
    to: Option<Form>,
    /// The form that position strings must have [default: any]
    #[arg(long, value_name = "FORM", conflicts_with = "ogn")]
    from: Option<PositionFormat>,
    /// The arguments are files of game records (OGN), not texts
    #[arg(long, conflicts_with_all = ["position", "scores", "rules"])]
    ogn: bool,
    #[command(flatten)]
    start: PositionArgs,
    /// Write to a file, whole or not at all, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Positions, or moves for --to ogn and --to moves; without any, one from each line of
    /// standard input
    #[arg(value_name = "TEXT")]
    texts: Vec<String>,
}

/// What can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Position(PositionFormat),
    Ogn,
    Moves,
}

impl FromStr for Form {
    type Err = String;

    fn from_str(text: &str) -> Result<Form, String> {
        match text {
            "ogn" => Ok(Form::Ogn),
            "moves" => Ok(Form::Moves),
            _ => text
                .parse()
                .map(Form::Position)
                .map_err(|expected: String| format!("{expected}, ogn, moves")),
        }
    }
}

pub(crate) fn run(args: &ConvertArgs) -> anyhow::Result<ExitCode> {
    let to = args.to.unwrap_or(match args.ogn {
        true => Form::Ogn,
        false => Form::Position(PositionFormat::Canonical),
    });
    let mut sink = Sink { path: args.output.as_deref(), text: String::new(), good: true };
    if args.ogn {
        convert_files(args, to, &mut sink)?;
    } else {
        let converter = Converter::new(args, to)?;
        if args.texts.is_empty() {
            convert_stdin(&converter, &mut sink)?;
        }
        for text in &args.texts {
            sink.take(converter.convert(text))?;
        }
    }
    sink.finish()
}

/// Standard output gets what has gathered at the latest at this size.
const PRINT_AT: usize = 1 << 16;

/// Gathers what has been converted: for a file all of it, else a little at a time.
struct Sink<'a> {
    path: Option<&'a Path>,
    text: String,
    good: bool,
}

impl Sink<'_> {
    fn take(&mut self, converted: Result<String, String>) -> io::Result<()> {
        match converted {
            Ok(text) => {
                self.text += &text;
                if self.text.len() < PRINT_AT { Ok(()) } else { self.hand_on() }
            }
            Err(why) => {
                self.good = false;
                // What stood before the fault is also seen before it.
                self.hand_on()?;
                complain(&why);
                Ok(())
            }
        }
    }

    /// Prints what has gathered, unless it is for a file.
    fn hand_on(&mut self) -> io::Result<()> {
        if self.path.is_none() && !self.text.is_empty() {
            print(&self.text)?;
            self.text.clear();
        }
        Ok(())
    }

    /// Writes the file, unless something could not be converted: half a file helps nobody.
    fn finish(mut self) -> anyhow::Result<ExitCode> {
        self.hand_on()?;
        match self.path {
            Some(path) if self.good => write_file(path, self.text.as_bytes())?,
            Some(path) => complain(&format_args!("{} is not written", path.display())),
            None => {}
        }
        Ok(if self.good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// How one text becomes another.
enum Converter<'a> {
    Positions { args: &'a ConvertArgs, to: PositionFormat },
    Games { start: Position, to: Form, separate: std::cell::Cell<bool> },
}

impl Converter<'_> {
    fn new(args: &ConvertArgs, to: Form) -> Result<Converter<'_>, Usage> {
        match to {
            Form::Position(_) if args.start.has_position() => Err(Usage(
                "--position is where moves begin; it needs --to ogn or --to moves".into(),
            )),
            Form::Position(to) => Ok(Converter::Positions { args, to }),
            Form::Ogn | Form::Moves if args.from.is_some() => {
                Err(Usage("--from is a form of positions; moves are read in any form".into()))
            }
            Form::Ogn | Form::Moves => {
                let separate = std::cell::Cell::new(false);
                Ok(Converter::Games { start: args.start.resolve()?, to, separate })
            }
        }
    }

    /// The converted text with its line end.
    fn convert(&self, text: &str) -> Result<String, String> {
        match self {
            Converter::Positions { args, to } => position(text, args, *to),
            Converter::Games { start, to, separate } => {
                let game = play_moves(*start, text).map_err(|fault| match fault.ply {
                    Some(ply) => format!("ply {ply}: {fault}"),
                    None => fault.to_string(),
                })?;
                if *to == Form::Ogn {
                    // Games in one file stand apart.
                    let gap = if separate.replace(true) { "\n" } else { "" };
                    return Ok(gap.to_owned() + &ogn::write(&Record::from_game(&game, Vec::new())));
                }
                let moves: Vec<_> = game.houses_played().map(StatedMove::from).collect();
                Ok(write_moves(&moves, MoveStyle::Joined) + "\n")
            }
        }
    }
}

fn position(text: &str, args: &ConvertArgs, to: PositionFormat) -> Result<String, String> {
    let read = read_position(text).map_err(|error| error.to_string())?;
    if let Some(from) = args.from.filter(|&from| from != read.format) {
        return Err(format!("the position has the form {}, expected {from}", read.format));
    }
    let scores = args.start.scores();
    let position = read.resolve(scores, args.start.rules).map_err(|error| error.to_string())?;
    Ok(write_position(&position, to) + "\n")
}

fn convert_stdin(converter: &Converter<'_>, sink: &mut Sink<'_>) -> anyhow::Result<()> {
    let mut lines = Lines::new(io::stdin());
    let mut number = 0;
    while let Some(line) = lines.next(|| sink.hand_on())? {
        number += 1;
        let text = match line {
            Line::Bytes(bytes) => {
                std::str::from_utf8(bytes).map_err(|_| "the line is not UTF-8".to_owned())
            }
            Line::TooLong => Err(format!("the line is longer than {MAX_LINE} bytes")),
        };
        let text = text.map(|text| text.trim().trim_start_matches('\u{feff}'));
        if text == Ok("") {
            continue;
        }
        let converted = text.and_then(|text| converter.convert(text));
        sink.take(converted.map_err(|why| format!("line {number}: {why}")))?;
    }
    Ok(())
}

/// Writes the games of OGN files in canonical form, or their moves alone. Whether the moves are
/// legal is not asked: that is `oware replay`.
fn convert_files(args: &ConvertArgs, to: Form, sink: &mut Sink<'_>) -> anyhow::Result<()> {
    if let Form::Position(_) = to {
        return Err(Usage("game records can be written --to ogn or --to moves".into()).into());
    }
    if args.texts.is_empty() {
        return Err(Usage("--ogn needs at least one FILE (- for standard input)".into()).into());
    }
    let mut first = true;
    for path in &args.texts {
        let bytes = inputs::read_all(Path::new(path))?;
        let text = match ogn::decode(&bytes) {
            Ok(text) => text,
            Err(error) => {
                sink.take(Err(format!("{path}: {error}")))?;
                continue;
            }
        };
        let mut games = ogn::games(text).peekable();
        if games.peek().is_none() {
            sink.take(Err(format!("{path}: no game in it, expected tags or moves")))?;
        }
        for record in games {
            let converted = record.map(|record| match to {
                Form::Moves => {
                    let moves: Vec<_> = record.houses().map(StatedMove::from).collect();
                    write_moves(&moves, MoveStyle::Joined) + "\n"
                }
                _ if std::mem::take(&mut first) => ogn::write(&record),
                _ => "\n".to_owned() + &ogn::write(&record),
            });
            sink.take(converted.map_err(|error| format!("{path}: {error}")))?;
        }
    }
    Ok(())
}
