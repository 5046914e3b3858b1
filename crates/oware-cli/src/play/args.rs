//! What `oware play` can be told.

use std::path::PathBuf;

use clap::ValueEnum;
use oware_app::{Level, Player};
use oware_rules::Side;

use super::session::MOST_GAMES;
use crate::commands::position::PositionArgs;
use crate::commands::tables::Size;

const EXAMPLES: &str = "\
Examples:
  oware play                           South against the computer at level 5
  oware play --level 12 --seat north --start lot
  oware play --two --rules awari       two at the table, under other rules
  oware play --line                    plain lines, for screen readers and pipes
  oware play --south 3 --north 8       watch the computer play itself

The game is saved after every move and goes on next time, also if the program was killed.
Finished games are kept beside it (game.1.ogn, ...) when the next begins.";

/// Arguments of `oware play`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,
    /// The computer's level, 1 (beginner) to 12 (full strength); easy is 2, medium 5, hard 12
    #[arg(long, default_value = "5", conflicts_with = "two")]
    pub(crate) level: Level,
    /// Where you sit against the computer
    #[arg(long, value_enum, default_value = "south", conflicts_with = "two")]
    pub(crate) seat: Seat,
    /// Two people at the table
    #[arg(long)]
    pub(crate) two: bool,
    /// Who plays South: person, or the computer's level, 1 to 12
    #[arg(long, conflicts_with_all = ["two", "seat", "level"])]
    pub(crate) south: Option<Player>,
    /// Who plays North: person, or the computer's level, 1 to 12
    #[arg(long, conflicts_with_all = ["two", "seat", "level"])]
    pub(crate) north: Option<Player>,
    /// Who starts the first game; the start alternates in a series
    #[arg(long, value_enum, default_value = "south", conflicts_with = "position")]
    pub(crate) start: Start,
    /// Games in the series
    #[arg(long, default_value_t = 1, value_parser = games())]
    pub(crate) games: u32,
    /// Fixes the lot and the computer's moves; drawn from the clock if not given
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Plain lines instead of the full screen
    #[arg(long)]
    pub(crate) line: bool,
    /// Use no character outside ASCII
    #[arg(long)]
    pub(crate) ascii: bool,
    /// Say only moves, refusals and results
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Whether numbers of seeds are shown, or only on request
    #[arg(long, value_enum, default_value = "shown")]
    pub(crate) counts: Counts,
    /// Go on with the saved game without asking
    #[arg(long, conflicts_with = "new")]
    pub(crate) resume: bool,
    /// Begin a new game and put the saved one aside
    #[arg(long)]
    pub(crate) new: bool,
    /// Where the game is saved, a game record [default: the data directory, or $OWARE_DATA]
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Endgame tables to use, where there are some [default: the data directory, or $OWARE_TABLES]
    #[arg(long, value_name = "DIR")]
    pub(crate) tables: Option<PathBuf>,
    /// Memory for decoded tiles of endgame tables, such as 256M; 0 for none
    #[arg(long, value_name = "SIZE", default_value = Size::CACHE, value_parser = Size::of_cache)]
    pub(crate) table_cache: Size,
}

/// The numbers of games a series can have.
fn games() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=i64::from(MOST_GAMES))
}

/// A side of the board, on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Seat {
    /// A..F
    South,
    /// a..f
    North,
}

impl Seat {
    /// The side.
    pub(crate) fn side(self) -> Side {
        match self {
            Seat::South => Side::South,
            Seat::North => Side::North,
        }
    }
}

/// Who starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Start {
    /// South
    South,
    /// North
    North,
    /// A lot, drawn by the seed
    Lot,
}

/// Whether numbers are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Counts {
    /// Always
    Shown,
    /// Only on request
    Hidden,
}

impl PlayArgs {
    /// Who plays, South first.
    pub(crate) fn players(&self) -> [Player; 2] {
        if self.two {
            return [Player::Person; 2];
        }
        if self.south.is_some() || self.north.is_some() {
            return [self.south, self.north].map(|given| given.unwrap_or(Player::Person));
        }
        let mut players = [Player::Computer(self.level); 2];
        players[self.seat.side().index()] = Player::Person;
        players
    }
}
