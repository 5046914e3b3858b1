//! `oware bench`: the engine on fixed positions.

use std::process::ExitCode;
use std::sync::atomic::Ordering;

use oware_app::bench::{
    BENCH_DEPTH, BenchRow, BenchSettings, BenchTotal, MOST_HASH_MIB, MOST_THREADS, bench,
};
use serde::Serialize;

use super::tables::stop_flag;
use crate::output::{Usage, complain, print};

const EXAMPLES: &str = "\
The number behind `bench:` is that of all positions seen. With one thread it is the same on every
machine, and changes only when the search does: it is the signature of the engine.

Examples:
  oware bench
  oware bench --depth 16 --hash 64
  oware bench --without pvs+killers";

/// Arguments of `oware bench`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BenchArgs {
    /// Plies to look ahead
    #[arg(long, value_name = "PLIES", default_value_t = BENCH_DEPTH,
          value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Size of the transposition table in MiB; it is cleared before each position
    #[arg(long, value_name = "MIB", default_value_t = 16,
          value_parser = clap::value_parser!(u64).range(1..=MOST_HASH_MIB as u64))]
    hash: u64,
    /// Threads of a search; with more than one the number of positions varies
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=MOST_THREADS as u64))]
    threads: u64,
    /// Parts of the search to switch off, with + between
    #[arg(long, value_name = "PARTS", default_value = "", hide_default_value = true)]
    without: String,
    /// Leave out all that varies from run to run
    #[arg(long, conflicts_with = "json")]
    signature: bool,
    /// Write one JSON object for each position, and one for all
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct JsonRow {
    position: String,
    rules: String,
    depth: u32,
    score: f64,
    best: Option<String>,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct JsonTotal {
    bench: u64,
    seconds: f64,
    nodes_per_second: f64,
}

pub(crate) fn run(args: &BenchArgs) -> anyhow::Result<ExitCode> {
    let settings = BenchSettings {
        depth: args.depth,
        hash_mib: args.hash as usize,
        threads: args.threads as usize,
        without: args.without.clone(),
    };
    let stop = stop_flag()?;
    let mut told = Ok(());
    let total = bench(&settings, &stop, &mut |row| {
        if told.is_ok() {
            told = tell(args, row);
        }
        if told.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
    });
    let total = total.map_err(Usage)?;
    told?;
    let Some(total) = total else {
        complain(&"stopped before all positions were searched");
        return Ok(ExitCode::from(130));
    };
    print(&sum(args, &total)?)?;
    Ok(ExitCode::SUCCESS)
}

fn tell(args: &BenchArgs, row: &BenchRow) -> anyhow::Result<()> {
    let position = row.game.position();
    let best = row.report.best().map(|mv| oware_rules::House::of(position.to_move(), mv));
    let (nodes, seconds) = (row.report.nodes, row.report.elapsed.as_secs_f64());
    if args.json {
        let text = serde_json::to_string(&JsonRow {
            position: position.to_string(),
            rules: position.rules().id(),
            depth: row.report.depth,
            score: row.report.score().seeds(),
            best: best.map(|house| house.to_string()),
            nodes,
            seconds,
        })?;
        return Ok(print(&format!("{text}\n"))?);
    }
    let best = best.map_or_else(|| "-".into(), |house| house.to_string());
    let mut line = format!(
        "{:>2} {:<40} {:<24} depth {:>2}  {best} {:>+7.2}  {nodes:>9} nodes",
        row.number,
        position.to_string(),
        position.rules().id(),
        row.report.depth,
        row.report.score().seeds(),
    );
    if !args.signature {
        line += &format!("  {seconds:>7.3} s");
    }
    line.push('\n');
    Ok(print(&line)?)
}

fn sum(args: &BenchArgs, total: &BenchTotal) -> anyhow::Result<String> {
    let (seconds, speed) = (total.time.as_secs_f64(), total.nodes_per_second());
    if args.json {
        let total = JsonTotal { bench: total.nodes, seconds, nodes_per_second: speed.round() };
        return Ok(format!("{}\n", serde_json::to_string(&total)?));
    }
    let signature = format!("bench: {}\n", total.nodes);
    Ok(match args.signature {
        true => signature,
        false => format!("\n{seconds:.3} s, {speed:.0} nodes/s\n{signature}"),
    })
}
