//! `oware tables`: endgame tables, built, verified, looked into and written out.

mod asked;
mod build;
mod describe;
mod export;
mod list;
mod parts;
mod plan;
mod probe;
mod stats;
mod verify;
mod vu;
pub(crate) mod words;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use oware_retro::Target;
use oware_rules::Rules;
use oware_tables::{Convention, Kind, MOST_SEEDS, Quantity, TableFile, TableSet};

pub(crate) use build::stop_flag;

use crate::output::Usage;

/// Layers that are suggested where nothing says how many are wanted: built in seconds.
const SMALL_LAYERS: usize = 12;

const EXAMPLES: &str = "\
A table says for every board with n seeds (layer n) what the player to move takes from there on,
less what the opponent takes, under best play to the last seed. Endless play counts nothing
(even), against the player to move (low), or for him (high).

Examples:
  oware tables plan --layers 20
  oware tables build --convention even,low,high --distance --layers 10
  oware tables verify
  oware tables list
  oware tables stats --layers 6
  oware tables probe 0-0-0-0-0-1-1-0-0-0-0-0-23-23-S";

/// Arguments of `oware tables`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct TablesArgs {
    #[command(subcommand)]
    command: TablesCommand,
}

/// What to do with tables.
#[derive(Debug, clap::Subcommand)]
enum TablesCommand {
    /// Say what a build will take
    Plan(plan::PlanArgs),
    /// Solve and write tables
    Build(build::BuildArgs),
    /// Look at every board of tables again
    Verify(verify::VerifyArgs),
    /// Count how often each value occurs in a layer
    Stats(stats::StatsArgs),
    /// Say what the tables know of positions
    Probe(probe::ProbeArgs),
    /// List the tables there are
    List(list::ListArgs),
    /// Write tables in forms that other programs read
    Export(export::ExportArgs),
}

pub(crate) fn run(args: &TablesArgs) -> anyhow::Result<ExitCode> {
    match &args.command {
        TablesCommand::Plan(args) => plan::run(args),
        TablesCommand::Build(args) => build::run(args),
        TablesCommand::Verify(args) => verify::run(args),
        TablesCommand::Stats(args) => stats::run(args),
        TablesCommand::Probe(args) => probe::run(args),
        TablesCommand::List(args) => list::run(args),
        TablesCommand::Export(args) => export::run(args),
    }
}

/// Which tables are meant, and where they are.
#[derive(Debug, clap::Args)]
pub(crate) struct TableArgs {
    /// Rules: a preset, or fields, or both (see `oware rules`) [default: abapa]
    #[arg(long, value_name = "RULES")]
    rules: Option<Rules>,
    /// What endless play counts, several with commas: even (nothing), low (against the player to
    /// move), high (for him)
    #[arg(long = "convention", value_name = "CONVENTION", value_delimiter = ',')]
    conventions: Vec<Convention>,
    /// Also the tables of distances: plies to the next capture or the end
    #[arg(long)]
    distance: bool,
    /// Layers of 0 to N seeds
    #[arg(
        long,
        value_name = "N",
        value_parser = seeds(),
        conflicts_with = "layer",
        allow_negative_numbers = true
    )]
    layers: Option<u8>,
    /// The layer of N seeds alone; plan, build and verify take those below it too
    #[arg(long, value_name = "N", value_parser = seeds(), allow_negative_numbers = true)]
    layer: Option<u8>,
    /// Where tables are [default: the data directory, or $OWARE_TABLES]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// How many threads to work with.
#[derive(Debug, clap::Args)]
pub(crate) struct ThreadsArgs {
    /// Number of threads [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ThreadsArgs {
    /// 1 or more.
    fn number(&self) -> usize {
        self.threads.map_or_else(processors, usize::from)
    }
}

/// As many threads as there are processors.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The seeds that a layer can have.
fn seeds() -> clap::builder::RangedI64ValueParser<u8> {
    clap::value_parser!(u8).range(0..=MOST_SEEDS as i64)
}

impl TableArgs {
    /// The rules; abapa if none were given.
    fn rules(&self) -> Rules {
        self.rules.unwrap_or_default()
    }

    /// The conventions; even if none was given.
    fn conventions(&self) -> Vec<Convention> {
        match self.conventions.is_empty() {
            true => vec![Convention::Even],
            false => Convention::ALL
                .into_iter()
                .filter(|convention| self.conventions.contains(convention))
                .collect(),
        }
    }

    /// The kinds of tables: values of the conventions, with `--distance` distances too.
    fn kinds(&self) -> Vec<Kind> {
        let conventions = self.conventions();
        let distances = conventions.iter().copied().map(Kind::distance);
        let values = conventions.iter().copied().map(Kind::value);
        values.chain(distances.filter(|_| self.distance)).collect()
    }

    /// As [`kinds`](Self::kinds), but every kind if nothing was said about them.
    fn kinds_or_all(&self) -> Vec<Kind> {
        match self.any_kind() {
            true => Kind::all().collect(),
            false => self.kinds(),
        }
    }

    /// Whether nothing was said about kinds of tables.
    fn any_kind(&self) -> bool {
        self.conventions.is_empty() && !self.distance
    }

    /// What has to be solved for the conventions.
    fn targets(&self) -> Vec<Target> {
        let conventions = self.conventions();
        let wanted = |target: &Target| target.conventions().iter().any(|c| conventions.contains(c));
        Target::ALL.into_iter().filter(wanted).collect()
    }

    /// The highest layer that was asked for.
    ///
    /// # Errors
    /// When none was.
    fn highest(&self) -> anyhow::Result<usize> {
        let layers = self.layers().map(|layers| *layers.end());
        layers.ok_or_else(|| {
            Usage("--layers N is needed: the highest layer, 0 to 48".to_owned()).into()
        })
    }

    /// The layers that were asked for, if any.
    fn layers(&self) -> Option<RangeInclusive<usize>> {
        let layer = self.layer.map(|layer| usize::from(layer)..=usize::from(layer));
        layer.or(self.layers.map(|layers| 0..=usize::from(layers)))
    }

    /// The directory of all tables.
    fn dir(&self) -> anyhow::Result<PathBuf> {
        let dir = self.dir.clone().or_else(default_dir);
        dir.context("no home directory to look for tables in; name a directory with --dir")
    }

    /// The layers of a kind that were asked for; if none were, all that are there.
    ///
    /// # Errors
    /// When one is not there, with the command that builds it.
    fn tables<'a>(&self, set: &'a TableSet, kind: Kind) -> anyhow::Result<Vec<&'a TableFile>> {
        let table = |seeds| {
            let table = set.file(kind, seeds)?;
            table.ok_or_else(|| self.missing(kind, Some(seeds)))
        };
        let tables: Vec<&TableFile> = match self.layers() {
            Some(layers) => layers.map(table).collect::<anyhow::Result<_>>()?,
            None => set
                .tables()
                .filter(|&(other, _)| other == kind)
                .map(|(_, seeds)| table(seeds))
                .collect::<anyhow::Result<_>>()?,
        };
        if tables.is_empty() { Err(self.missing(kind, None)) } else { Ok(tables) }
    }

    /// Says that a table is missing, and how it is made.
    fn missing(&self, kind: Kind, seeds: Option<usize>) -> anyhow::Error {
        let what = match kind.quantity {
            Quantity::Value => "values",
            Quantity::Distance => "distances",
        };
        let layer = seeds.map_or(String::new(), |seeds| format!(" for layer {seeds}"));
        let (rules, dir) = (self.rules(), self.dir().unwrap_or_default());
        anyhow!(
            "no table of {} {what}{layer} under {rules} in {}; it is built by `{}`",
            kind.convention,
            dir.display(),
            build_command(&rules, Some(kind), seeds)
        )
    }
}

/// The command that builds a table with all it needs.
fn build_command(rules: &Rules, kind: Option<Kind>, seeds: Option<usize>) -> String {
    let convention =
        kind.map_or(String::new(), |kind| format!(" --convention {}", kind.convention));
    let distance = match kind.map(|kind| kind.quantity) {
        Some(Quantity::Distance) => " --distance",
        _ => "",
    };
    let layers = seeds.unwrap_or(SMALL_LAYERS);
    format!("oware tables build --rules {rules}{convention}{distance} --layers {layers}")
}

/// Where tables are if nobody says where: `$OWARE_TABLES`, else in the platform's data directory.
pub(crate) fn default_dir() -> Option<PathBuf> {
    match std::env::var_os("OWARE_TABLES").filter(|dir| !dir.is_empty()) {
        Some(dir) => Some(PathBuf::from(dir)),
        None => directories::ProjectDirs::from("", "", "oware")
            .map(|dirs| dirs.data_dir().join("tables")),
    }
}

/// Opens the tables of some rules.
fn open(dir: &Path, rules: &Rules) -> anyhow::Result<TableSet> {
    Ok(TableSet::open(dir, rules.table_rules())?)
}
