//! `oware perft`.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use oware_app::{MAX_PERFT_DEPTH, PerftMode, perft_divide};
use oware_rules::{House, PerftCounts, Position};
use serde::Serialize;

use super::position::PositionArgs;
use crate::output::print;

const MAX_THREADS: u64 = 1024;

const EXAMPLES: &str = "\
The count for a depth is the number of sequences of exactly that many legal moves. A game that
ends earlier is not counted. Repetition and the capture-free limit are not looked at.

Examples:
  oware perft --depth 11
  oware perft --depth 6 --divide --position 0-0-2-1-6-3-1-1-2-0-0-0-16-16-S
  oware perft --depth 8 --detail --json --rules slam-illegal";

/// Arguments of `oware perft`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Count for 1 to this many plies
    #[arg(long, value_name = "PLIES", default_value_t = 9,
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_PERFT_DEPTH)))]
    depth: u32,
    /// Also show the counts below each move
    #[arg(long)]
    divide: bool,
    /// Also count finished games and grand slams (slower: every leaf is looked at)
    #[arg(long)]
    detail: bool,
    /// Threads [default: as many as there are processors]
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    threads: Option<u64>,
    /// Write one JSON object for each depth
    #[arg(long)]
    json: bool,
}

/// The result for one depth.
struct Row {
    depth: u32,
    total: PerftCounts,
    moves: Vec<(House, PerftCounts)>,
    time: Duration,
}

#[derive(Serialize)]
struct JsonRow<'a> {
    position: &'a str,
    rules: &'a str,
    depth: u32,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slams: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<serde_json::Map<String, serde_json::Value>>,
    seconds: f64,
    nodes_per_second: Option<f64>,
}

impl Row {
    fn count(position: &Position, depth: u32, threads: NonZeroUsize, mode: PerftMode) -> Row {
        let begin = Instant::now();
        let moves = perft_divide(position, depth, threads, mode);
        let time = begin.elapsed();
        let total = moves.iter().map(|(_, below)| *below).sum();
        Row { depth, total, moves, time }
    }

    /// `None` where the clock has not moved.
    fn nodes_per_second(&self) -> Option<f64> {
        let seconds = self.time.as_secs_f64();
        (seconds > 0.0).then(|| self.total.nodes as f64 / seconds)
    }

    fn text(&self, detail: bool) -> String {
        let PerftCounts { nodes, ended, slams } = self.total;
        let mut line = format!("{:>5} {nodes:>20}", self.depth);
        if detail {
            let _ = write!(line, " {ended:>20} {slams:>20}");
        }
        let speed = self.nodes_per_second().map_or("-".into(), |n| format!("{:.1}", n / 1e6));
        let _ = writeln!(line, " {:>10.3} {speed:>8}", self.time.as_secs_f64());
        line
    }

    fn json(&self, args: &PerftArgs, position: &str, rules: &str) -> serde_json::Result<String> {
        let moves = self.moves.iter();
        let divide = || moves.map(|(house, n)| (house.to_string(), n.nodes.into())).collect();
        let mut line = serde_json::to_string(&JsonRow {
            position,
            rules,
            depth: self.depth,
            nodes: self.total.nodes,
            ended: args.detail.then_some(self.total.ended),
            slams: args.detail.then_some(self.total.slams),
            divide: args.divide.then(divide),
            seconds: self.time.as_secs_f64(),
            nodes_per_second: self.nodes_per_second().map(f64::round),
        })?;
        line.push('\n');
        Ok(line)
    }
}

pub(crate) fn run(args: &PerftArgs) -> anyhow::Result<ExitCode> {
    let position = args.position.resolve()?;
    let threads = match args.threads {
        Some(n) => NonZeroUsize::new(n as usize).unwrap_or(NonZeroUsize::MIN),
        None => available_parallelism().unwrap_or(NonZeroUsize::MIN),
    };
    let mode = if args.detail { PerftMode::Detailed } else { PerftMode::Nodes };
    let (text, rules) = (position.to_string(), args.position.rules.id());
    if !args.json {
        let detail =
            if args.detail { format!(" {:>20} {:>20}", "ended", "slams") } else { String::new() };
        print(&format!(
            "position {text}\nrules    {rules}\nthreads  {threads}\n\n\
             {:>5} {:>20}{detail} {:>10} {:>8}\n",
            "depth", "sequences", "seconds", "Mn/s"
        ))?;
    }
    for depth in 1..=args.depth {
        let row = Row::count(&position, depth, threads, mode);
        if args.json {
            print(&row.json(args, &text, &rules)?)?;
            continue;
        }
        print(&row.text(args.detail))?;
        if args.divide && depth == args.depth {
            let mut below = format!("\nbelow each move at depth {depth}\n");
            for (house, counts) in &row.moves {
                let _ = writeln!(below, "{house:>5} {:>20}", counts.nodes);
            }
            print(&below)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
