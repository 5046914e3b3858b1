//! A build by several processes: ranks of MPI, or parts that share a spool directory.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use oware_retro::exchange::spool::{MOST_PARTS, Settings, Spool};
use oware_retro::exchange::{PartLeft, is_stop};
use oware_retro::plan::bytes;
use oware_retro::{Alone, BuildError, Ending, Exchange, SolveError};
use oware_tables::Manifest;
use oware_tables::set::directory;

use super::TableArgs;
use super::build::{SolvingArgs, target_name};
use crate::output::{Usage, complain};

/// The exit code of a build that was stopped.
const STOPPED: u8 = 130;

/// How several processes share a build.
#[derive(Debug, clap::Args)]
pub(crate) struct PartsArgs {
    /// Be one of the ranks that mpirun starts
    #[arg(long, conflicts_with = "spool")]
    mpi: bool,
    /// Bytes of one message
    #[arg(long, value_name = "BYTES", requires = "mpi", hide = true)]
    mpi_chunk: Option<usize>,
    /// Be one of several processes, which give each other files in this directory
    #[arg(long, value_name = "DIR", requires = "part", requires = "parts")]
    spool: Option<PathBuf>,
    /// With --spool: which of them, from 0 on
    #[arg(long, value_name = "I", requires = "spool")]
    part: Option<usize>,
    /// With --spool: how many there are
    #[arg(
        long,
        value_name = "N",
        requires = "spool",
        value_parser = clap::value_parser!(u64).range(1..=MOST_PARTS as u64)
    )]
    parts: Option<u64>,
    /// With --spool: parts that show no life for so long are gone; for file systems that have no
    /// locks across machines
    #[arg(
        long,
        value_name = "SECONDS",
        requires = "spool",
        value_parser = clap::value_parser!(u64).range(1..=86_400)
    )]
    spool_timeout: Option<u64>,
}

impl PartsArgs {
    /// What clap cannot check.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if self.mpi && cfg!(not(feature = "mpi")) {
            let what = "--mpi: this program was built without MPI; \
                        `cargo install --path crates/oware-cli --features mpi` builds it with it";
            return Err(Usage(what.to_owned()).into());
        }
        if let (Some(part), Some(parts)) = (self.part, self.parts)
            && part as u64 >= parts
        {
            let what = format!("--part is {part}, expected 0 to {} (--parts {parts})", parts - 1);
            return Err(Usage(what).into());
        }
        Ok(())
    }
}

/// Does the work as the part that the arguments say.
pub(super) fn run(
    args: &PartsArgs,
    stop: &AtomicBool,
    work: impl FnOnce(&mut dyn Exchange) -> anyhow::Result<ExitCode> + Send,
) -> anyhow::Result<ExitCode> {
    if args.mpi {
        return by_mpi(args, stop, work);
    }
    let Some(spool) = &args.spool else {
        return finish(work(&mut Alone), None, false).1;
    };
    let (part, parts) = (args.part.unwrap_or(0), args.parts.unwrap_or(1) as usize);
    let settings = Settings {
        directory: spool,
        part,
        parts,
        patience: args.spool_timeout.map(Duration::from_secs),
        stop,
        tell: &|text| note(&format!("part {part}: {text}")),
    };
    let mut end = match Spool::join(&settings) {
        Ok(end) => end,
        Err(error) => return finish(Err(error.into()), Some(part), false).1,
    };
    let (ending, code) = finish(work(&mut end), Some(part), false);
    end.leave(ending);
    code
}

/// How a part leaves after its work, and what the program ends with. `quiet` when another part
/// says what is known to all: that they were stopped, or that one of them has failed.
fn finish(
    result: anyhow::Result<ExitCode>,
    part: Option<usize>,
    quiet: bool,
) -> (Ending, anyhow::Result<ExitCode>) {
    let error = match result {
        Ok(code) => return (Ending::Done, Ok(code)),
        Err(error) => error,
    };
    let build = error.downcast_ref::<BuildError>();
    let of_exchange = match build {
        Some(BuildError::Solve(SolveError::Io { error, .. })) => Some(error),
        _ => error.downcast_ref::<io::Error>(),
    };
    let left = of_exchange.and_then(PartLeft::find);
    let stopped = matches!(build, Some(BuildError::Solve(SolveError::Stopped)));
    let front = part.map_or(String::new(), |part| format!("part {part}: "));
    if stopped || of_exchange.is_some_and(is_stop) {
        if !quiet {
            let what = left.map_or("stopped".to_owned(), |left| left.to_string());
            let on = "the same command goes on with the layer it was at";
            complain(&format_args!("{front}{what}; {on}"));
        }
        return (Ending::Stopped, Ok(ExitCode::from(STOPPED)));
    }
    if quiet && left.is_some() {
        return (Ending::Failed, Ok(ExitCode::FAILURE));
    }
    let error = match part {
        Some(part) => error.context(format!("part {part}")),
        None => error,
    };
    (Ending::Failed, Err(error))
}

/// What all parts have to mean alike, line by line: the command, the program, and the tables that
/// are there already.
pub(super) fn description(tables: &TableArgs, solving: &SolvingArgs) -> anyhow::Result<String> {
    let rules = tables.rules().table_rules();
    let targets: Vec<&str> = tables.targets().into_iter().map(target_name).collect();
    let manifest = Manifest::read_or_new(&directory(&tables.dir()?, rules), rules)?;
    let chains = manifest.entries.iter().flat_map(|entry| entry.chain);
    let tables_hash = chains.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let lines = [
        format!("oware {}", env!("CARGO_PKG_VERSION")),
        format!("--rules {}", tables.rules().id()),
        format!("--convention {}", targets.join(",")),
        format!("--distance {}", tables.distance),
        format!("--layers {}", tables.highest()?),
        format!("--archive {}", solving.archive),
        format!("{} tables there, hash {tables_hash:016x}", manifest.entries.len()),
    ];
    Ok(lines.join("\n"))
}

/// What all parts gave each other; all of them ask.
pub(super) fn traffic(exchange: &mut dyn Exchange, boards: u64) -> io::Result<String> {
    let own = exchange.traffic();
    let all = exchange.sum(own.bytes)?;
    let each = all as f64 / boards.max(1) as f64;
    let (all, exchanges) = (bytes(all), own.exchanges);
    Ok(format!(
        "The parts gave each other {all} in {exchanges} exchanges: {each:.2} bytes a board."
    ))
}

/// Something that is worth knowing and no fault.
fn note(text: &str) {
    let _ = writeln!(io::stderr(), "note: {text}");
}

#[cfg(feature = "mpi")]
fn by_mpi(
    args: &PartsArgs,
    stop: &AtomicBool,
    work: impl FnOnce(&mut dyn Exchange) -> anyhow::Result<ExitCode> + Send,
) -> anyhow::Result<ExitCode> {
    let tell = |text: &str| complain(&text);
    let mut settings = oware_mpi::Settings::new(stop, &tell);
    settings.chunk = args.mpi_chunk.unwrap_or(settings.chunk);
    let code = oware_mpi::run(&settings, |end| {
        let part = end.part();
        // All ranks write to one terminal: what one has said the others need not repeat.
        let (ending, code) = finish(work(end), Some(part), part > 0);
        // Said before the others know that this part leaves, and with that end.
        let code = code.unwrap_or_else(|error| {
            complain(&format_args!("{error:#}"));
            ExitCode::FAILURE
        });
        (code, ending)
    })?;
    Ok(code)
}

#[cfg(not(feature = "mpi"))]
fn by_mpi(
    _: &PartsArgs,
    _: &AtomicBool,
    _: impl FnOnce(&mut dyn Exchange) -> anyhow::Result<ExitCode> + Send,
) -> anyhow::Result<ExitCode> {
    unreachable!("refused when the arguments were checked")
}
