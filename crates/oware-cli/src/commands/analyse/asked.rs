//! What `oware analyse` is asked: the arguments, and the position or the games they name.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use oware_app::analysis::{Effort, MOST_HASH_MIB, MOST_THREADS};
use oware_app::play_moves;
use oware_notation::{Record, Tag, ogn};
use oware_rules::{Game, Rules};
use oware_tables::TileCache;

use crate::commands::position::PositionArgs;
use crate::commands::{inputs, tables};
use crate::output::Usage;

/// Positions looked at for a position where nothing limits the search.
const POSITION_NODES: u64 = 5_000_000;
/// The same for each ply of a game.
const GAME_NODES: u64 = 300_000;
/// The longest time for a search, in seconds: a day.
const LONGEST: f64 = 86_400.0;

const EXAMPLES: &str = "\
A value is what the player who moves is expected to end ahead in seeds, both playing on to the
last seed. How it is known stands beside it:
  tables: exact                       proven by endgame tables
  tables: if loops are split evenly   by tables that share out endless play, not certain
  searched to the end                 no guess in it; loops counted at the first return
  searched to the tables              no guess in it but how tables share out endless play
  search, N plies                     an estimate
Without FILE the position is analysed, or that after --moves; with FILE games are, ply by ply:
  inaccuracy  1 seed or 10 % of a point lost      a point is a win, half a point a draw,
  mistake     2.5 seeds or 20 %                   by what is proven, else by the chances;
  blunder     5 seeds or 35 %                     where the result is settled whatever is
                                                  played seeds make no more than an inaccuracy
The accuracy of a move is 100, halved for each tenth of a point lost; a player's is the mean of his
moves, those without a choice left out.

Examples:
  oware analyse --moves FfBeBc
  oware analyse --position 0-2-1-0-1-2-0-1-0-3-0-0-19-19-S --depth 20
  oware analyse game.ogn --time 2
  oware analyse game.ogn --svg game.svg --annotate game.ogn
  oware analyse --json < games.ogn -";

/// Arguments of `oware analyse`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AnalyseArgs {
    #[command(flatten)]
    start: PositionArgs,
    /// Moves from the position on, such as FfBeBc; that after them is analysed
    #[arg(long, value_name = "MOVES", conflicts_with = "files")]
    moves: Option<String>,
    /// Look ahead this many plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=120))]
    depth: Option<u32>,
    /// Look at this many positions in each search [default, where nothing else limits it: 5000000
    /// for a position, 300000 for a ply of a game]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search this long each time: seconds, or with a unit, as 500ms, 2.5 or 1m
    #[arg(long, value_name = "TIME", value_parser = read_time)]
    time: Option<Duration>,
    /// How many of the best moves to value [default: all; for a game 1 and the move played]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=6))]
    lines: Option<u8>,
    /// Threads of the search; only with one do limits other than time give the same each time
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS as i64))]
    threads: u16,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64,
          value_parser = clap::value_parser!(u32).range(1..=MOST_HASH_MIB as i64))]
    hash: u32,
    /// Endgame tables to use, where there are some [default: the data directory, or $OWARE_TABLES]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Use no endgame tables
    #[arg(long, conflicts_with_all = ["tables", "table_seeds"])]
    no_tables: bool,
    /// Hold the tables of 0 to N seeds in memory, for the search: 3 MB for 12, 150 MB for 18
    #[arg(long, value_name = "N", default_value_t = 12,
          value_parser = clap::value_parser!(u8).range(0..=24))]
    table_seeds: u8,
    /// Memory for decoded tiles of endgame tables that are probed, such as 256M; 0 for none
    #[arg(
        long,
        value_name = "SIZE",
        default_value = tables::Size::CACHE,
        value_parser = tables::Size::of_cache
    )]
    table_cache: tables::Size,
    /// Write one JSON object for the position, or for each game
    #[arg(long)]
    pub(super) json: bool,
    /// Write the evaluation of the game as a picture
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,
    /// Write the games with what was found as comments and variations (OGN); may be the file they
    /// are read from
    #[arg(long, value_name = "FILE")]
    pub(super) annotate: Option<PathBuf>,
    /// Use no character outside ASCII
    #[arg(long)]
    pub(super) ascii: bool,
    /// Do not say how far a game is
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Game records (OGN); `-` is standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["position", "scores"])]
    files: Vec<PathBuf>,
}

/// A time: seconds, or a number with `ms`, `s` or `m`.
fn read_time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text {
        _ if text.ends_with("ms") => (&text[..text.len() - 2], 0.001),
        _ if text.ends_with('s') => (&text[..text.len() - 1], 1.0),
        _ if text.ends_with('m') => (&text[..text.len() - 1], 60.0),
        _ => (text, 1.0),
    };
    let plain = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    number
        .parse::<f64>()
        .ok()
        .map(|number| number * unit)
        .filter(|seconds| plain && (0.001..=LONGEST).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "expected seconds up to a day, such as 500ms, 2.5 or 1m".into())
}

/// What is to be analysed.
pub(super) enum Asked {
    /// The present position of a game.
    Position(Box<Game>),
    /// Games of files, those that cannot be read among them.
    Games(Vec<AskedGame>),
}

/// A game of a file.
pub(super) struct AskedGame {
    /// The file, for messages.
    pub(super) file: String,
    /// Its number in the file, from 1; `None` where the file as a whole is at fault.
    pub(super) number: Option<usize>,
    /// The game, or what is wrong with it.
    pub(super) game: Result<(Record, Game), String>,
}

impl AskedGame {
    /// The file, and the game in it.
    pub(super) fn place(&self) -> String {
        match self.number {
            Some(number) => format!("{}: game {number}", self.file),
            None => self.file.clone(),
        }
    }
}

impl AnalyseArgs {
    /// Reads what is to be analysed.
    pub(super) fn asked(&self) -> anyhow::Result<Asked> {
        if self.files.is_empty() {
            for (given, name) in [(&self.svg, "--svg"), (&self.annotate, "--annotate")] {
                if given.is_some() {
                    return Err(Usage(format!("{name} needs a FILE with a game")).into());
                }
            }
            let start = self.start.resolve()?;
            let game =
                play_moves(start, self.moves.as_deref().unwrap_or_default()).map_err(|fault| {
                    let ply = fault.ply.map_or(String::new(), |ply| format!("ply {ply}: "));
                    Usage(format!("invalid value for --moves: {ply}{fault}"))
                })?;
            return Ok(Asked::Position(Box::new(game)));
        }
        self.check_targets()?;
        let games: Vec<AskedGame> =
            self.files.iter().flat_map(|path| read_file(path, &self.start.rules)).collect();
        let readable = games.iter().filter(|game| game.game.is_ok()).count();
        if self.svg.is_some() && readable > 1 {
            let what = format!("--svg is a picture of one game, there are {readable}");
            return Err(Usage(what).into());
        }
        Ok(Asked::Games(games))
    }

    /// Finds out before the search what could not be written after it.
    fn check_targets(&self) -> anyhow::Result<()> {
        for (target, name) in [(&self.svg, "--svg"), (&self.annotate, "--annotate")] {
            let Some(path) = target else { continue };
            let refused = |why: &str| {
                Usage(format!("invalid value for {name}: {} {why}", path.display())).into()
            };
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            if parent.is_some_and(|parent| !parent.is_dir()) {
                return Err(refused("lies in no directory that is there"));
            }
            if path.is_dir() {
                return Err(refused("is a directory, expected a file"));
            }
            let same = |file: &PathBuf| {
                file.canonicalize().ok().is_some_and(|file| path.canonicalize().ok() == Some(file))
            };
            if name == "--svg" && self.files.iter().any(same) {
                return Err(refused("is a game to be analysed, which the picture would replace"));
            }
        }
        Ok(())
    }

    /// How much is done for each position.
    pub(super) fn effort(&self) -> Effort {
        let (depth, time) = (self.depth, self.time);
        let usual = if self.files.is_empty() { POSITION_NODES } else { GAME_NODES };
        let nodes = self.nodes.or_else(|| (depth.is_none() && time.is_none()).then_some(usual));
        Effort { depth, nodes, time }
    }

    /// How many best moves are wanted, if that was said.
    pub(super) fn lines(&self) -> Option<usize> {
        self.lines.map(usize::from)
    }

    /// Threads, 1 or more.
    pub(super) fn threads(&self) -> usize {
        usize::from(self.threads)
    }

    /// MiB of the transposition table.
    pub(super) fn hash(&self) -> usize {
        self.hash as usize
    }

    /// The largest layer to hold in memory.
    pub(super) fn table_seeds(&self) -> u8 {
        self.table_seeds
    }

    /// Where tables are looked for; `None` if nowhere.
    pub(super) fn tables_dir(&self) -> Option<PathBuf> {
        match self.no_tables {
            true => None,
            false => self.tables.clone().or_else(tables::default_dir),
        }
    }

    /// What is kept of the tables.
    pub(super) fn tiles(&self) -> Arc<TileCache> {
        self.table_cache.cache()
    }

    /// Whether a directory of tables was named.
    pub(super) fn names_tables(&self) -> bool {
        self.tables.is_some()
    }
}

/// The games of a file.
fn read_file(path: &Path, rules: &Rules) -> Vec<AskedGame> {
    let file = inputs::name(path).into_owned();
    let fault = |why: String| vec![AskedGame { file: file.clone(), number: None, game: Err(why) }];
    let bytes = match inputs::read_all(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let why = error.chain().skip(1).map(ToString::to_string).collect::<Vec<_>>();
            return fault(format!("cannot be read: {}", why.join(": ")));
        }
    };
    let text = match ogn::decode(&bytes) {
        Ok(text) => text,
        Err(error) => return fault(error.to_string()),
    };
    let games: Vec<AskedGame> = ogn::games(text)
        .enumerate()
        .map(|(index, record)| AskedGame {
            file: file.clone(),
            number: Some(index + 1),
            game: record.map_err(|error| error.to_string()).and_then(|r| play(r, rules)),
        })
        .collect();
    match games.is_empty() {
        true => fault("no game in it, expected tags or moves".to_owned()),
        false => games,
    }
}

/// Plays a record, under these rules where it names none.
fn play(mut record: Record, rules: &Rules) -> Result<(Record, Game), String> {
    let unnamed = record.tag("Rules").is_none() && record.tag("Variant").is_none();
    if unnamed && *rules != Rules::ABAPA {
        let tag = Tag::new("Rules", rules.id()).map_err(|error| error.to_string())?;
        record.set_tag(tag);
    }
    let game = ogn::replay(&record).map_err(|error| error.to_string())?;
    Ok((record.normalized(), game))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_units() {
        for (text, milliseconds) in [("500ms", 500), ("2.5", 2500), ("2s", 2000), ("1m", 60_000)] {
            assert_eq!(read_time(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for wrong in ["", "0", "-1", "ms", "1h", "1e3", "inf", "nan", "100000", "1.2.3", "0ms"] {
            assert!(read_time(wrong).is_err(), "{wrong}");
        }
    }
}
