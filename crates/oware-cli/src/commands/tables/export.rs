//! `oware tables export`: tables in forms that other programs read.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::ValueEnum;
use oware_retro::{BuildError, RecodeJob, SolveError, recode};
use oware_tables::set::{directory, file_name};
use oware_tables::{Kind, Layer, Mode, Subject, TableFile};

use super::build::stop_flag;
use super::{TableArgs, vu};
use crate::output::{Usage, complain, print, write_file};

const EXAMPLES: &str = "\
Formats
  vu    files scores.N as the public awari database of the VU Amsterdam has them: a signed byte a
        board, the boards whose opponent has an empty house, in rising order of the twelve houses
        read from the last to the first. Even values only.
  raw   files such as even-06.bin: a byte for every board of the layer in the order of the index
        (docs/TABLES.md); values are signed, a distance of 255 says that nothing is forced
  tables, archive
        a directory of tables again, in the other form, with the same content and chain; from
        layer 0 up, low and high together
Files are written whole or not at all, and replace those of the same name. A layer must fit in
memory, under vu twice.

Examples:
  oware tables export --rules awari --layers 6 --format vu --to scores
  oware tables export --convention low,high --distance --layer 6 --format raw --to bytes";

/// Arguments of `oware tables export`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    tables: TableArgs,
    /// The form to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Format,
    /// The directory to write to; made if it is not there
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// As the public awari database
    Vu,
    /// One byte a board
    Raw,
    /// Tables that can be probed, also from archives
    Tables,
    /// Archives: smaller, and only read whole
    Archive,
}

pub(crate) fn run(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let kinds = args.tables.kinds();
    if args.format == Format::Vu
        && kinds != [oware_tables::Kind::value(oware_tables::Convention::Even)]
    {
        let what =
            "--format vu holds even values only, expected --convention even without --distance";
        return Err(Usage(what.into()).into());
    }
    let dir = args.tables.dir()?;
    let form: Form = match args.format {
        Format::Tables => return code_anew(args, &dir, Mode::Tables),
        Format::Archive => return code_anew(args, &dir, Mode::Archive),
        Format::Vu => |subject, bytes| {
            let bytes = vu::reordered(&Layer::new(subject.seeds), &bytes);
            (format!("scores.{}", subject.seeds), bytes)
        },
        Format::Raw => |subject, bytes| (raw_name(subject.kind, subject.seeds), bytes),
    };
    let set = super::open(&dir, &args.tables.rules())?;
    // Everything is there before anything is written.
    let tables: Vec<Vec<&TableFile>> =
        kinds.iter().map(|&kind| args.tables.tables(&set, kind)).collect::<anyhow::Result<_>>()?;
    fs::create_dir_all(&args.to).with_context(|| format!("cannot make {}", args.to.display()))?;
    for table in tables.into_iter().flatten() {
        write(args, table, form)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes tables in another mode into another directory.
fn code_anew(args: &ExportArgs, dir: &Path, mode: Mode) -> anyhow::Result<ExitCode> {
    let rules = args.tables.rules().table_rules();
    let [from, to] = [dir, &args.to].map(|root| fs::canonicalize(directory(root, rules)).ok());
    if from.is_some() && from == to {
        let what = "--to is the directory of the tables themselves, expected another one";
        return Err(Usage(what.into()).into());
    }
    let set = super::open(dir, &args.tables.rules())?;
    for kind in args.tables.kinds() {
        args.tables.tables(&set, kind)?;
    }
    drop(set);
    let result = recode(&RecodeJob {
        from: dir,
        to: &args.to,
        rules,
        targets: &args.tables.targets(),
        distances: args.tables.distance,
        layers: args.tables.layers().map(|layers| *layers.end()),
        mode,
        threads: super::processors(),
        stop: &*stop_flag()?,
        tell: &|kind, seeds, bytes| {
            // Printing fails only when nobody reads; the files still come.
            let _ = print(&format!("{}  {bytes} bytes\n", file_name(kind, seeds)));
        },
    });
    match result {
        Err(BuildError::Solve(SolveError::Stopped)) => {
            complain(&"stopped; what was written stays");
            Ok(ExitCode::from(130))
        }
        result => Ok(result.map(|()| ExitCode::SUCCESS)?),
    }
}

/// Name and content of a file for one table.
type Form = fn(Subject, Vec<u8>) -> (String, Vec<u8>);

fn write(args: &ExportArgs, table: &TableFile, form: Form) -> anyhow::Result<()> {
    let bytes = table.read_all(None, super::processors())?;
    let (name, bytes) = form(table.header().subject, bytes);
    let path = args.to.join(name);
    write_file(&path, &bytes)?;
    // Printing fails only when nobody reads; the files still come.
    let _ = print(&format!("{}  {} bytes\n", path.display(), bytes.len()));
    Ok(())
}

fn raw_name(kind: Kind, seeds: usize) -> String {
    format!("{kind}-{seeds:02}.bin")
}
