//! `oware tables plan`: what a build will take.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use oware_retro::plan::{LayerPlan, available_disk, available_memory, bytes, plan};
use oware_retro::simulate::{Cluster, Prediction, RankPlan, plan_ranks};
use oware_retro::{Plan, PlanJob, Target};
use oware_tables::set::directory;
use oware_tables::{Manifest, Mode};
use serde_json::json;

use super::TableArgs;
use super::build::{SolvingArgs, target_name};
use crate::output::{Usage, print};

const EXAMPLES: &str = "\
Memory follows from the sizes of the arrays; disk and time are scaled from measured figures, the
time after a quarter of a second of solving on this machine. Layers that are there already only
have to be read.

Examples:
  oware tables plan --layers 24
  oware tables plan --layers 40 --ranks 64 --memory 8G
  oware tables plan --convention even,low --distance --layers 20 --json";

/// Arguments of `oware tables plan`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    solving: SolvingArgs,
    /// Plan for so many ranks of a cluster, each with --memory, by `oware tables simulate`; even
    /// values alone
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    ranks: Option<u16>,
    /// Write one JSON object for each layer
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &PlanArgs) -> anyhow::Result<ExitCode> {
    if let Some(ranks) = args.ranks {
        return for_ranks(args, ranks);
    }
    let dir = args.tables.dir()?;
    let plan = make(&args.tables, &args.solving)?;
    let mut text = String::new();
    if args.json {
        for layer in &plan.layers {
            text += &format!("{}\n", line(args, layer));
        }
    } else {
        push_table(&mut text, &plan);
        let disk = available_disk(&dir);
        let verdict = plan.check(args.solving.memory_limit(), disk);
        let _ = match verdict {
            Ok(()) => writeln!(text, "It fits."),
            Err(error) => writeln!(text, "It does not fit: {error}."),
        };
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// What each of some ranks will take.
fn for_ranks(args: &PlanArgs, ranks: u16) -> anyhow::Result<ExitCode> {
    if args.tables.targets() != [Target::Even] || args.tables.distance {
        return Err(Usage("--ranks plans even values alone".to_owned()).into());
    }
    let rules = args.tables.rules().table_rules();
    let cluster = Cluster { cores: args.solving.ranks_threads(), ..Cluster::default() };
    let plan = plan_ranks(rules, args.tables.highest()?, usize::from(ranks), cluster)?;
    let mut text = String::new();
    for (seeds, layer) in plan.layers.iter().enumerate().filter(|_| args.json) {
        let line = json!({
            "rules": args.tables.rules().id(), "layer": seeds, "ranks": ranks,
            "positions": layer.boards, "memory": layer.memory(),
            "network": layer.first_bytes + layer.round_bytes, "disk": layer.kept,
            "seconds": (layer.time() * 1000.0).round() / 1000.0,
        });
        let _ = writeln!(text, "{line}");
    }
    if !args.json {
        push_ranks(&mut text, &plan, ranks, args.solving.memory_limit());
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Memory of the rank that needs most; network and local disk of the mean rank.
fn push_ranks(text: &mut String, plan: &RankPlan, ranks: u16, memory: Option<u64>) {
    let _ = writeln!(text, "layer         boards      memory     network        disk        time");
    let each = |all: f64| bytes((all / f64::from(ranks)) as u64);
    let mut push = |name: &str, layer: &Prediction| {
        let [memory, boards] = [layer.memory(), layer.boards].map(|number| number as u64);
        let (memory, disk) = (bytes(memory), each(layer.kept));
        let network = each(layer.first_bytes + layer.round_bytes);
        let time = duration(Duration::from_secs_f64(layer.time()));
        let _ = writeln!(
            text,
            "{name:>5} {boards:>14} {memory:>11} {network:>11} {disk:>11} {time:>11}"
        );
    };
    for (seeds, layer) in plan.layers.iter().enumerate() {
        push(&seeds.to_string(), layer);
    }
    push("all", &plan.all());
    let _ = match plan.check(memory) {
        Ok(()) => writeln!(text, "It fits."),
        Err(error) => writeln!(text, "It does not fit: {error}."),
    };
}

/// What a build by some parts takes of each, in one line. Even values alone are planned; of what
/// else is built nothing is said.
///
/// # Errors
/// When a part would need more than `memory`, with what would fit.
pub(super) fn each_part(
    tables: &TableArgs,
    solving: &SolvingArgs,
    parts: usize,
    memory: Option<u64>,
) -> anyhow::Result<String> {
    let cluster = Cluster { cores: solving.ranks_threads(), ..Cluster::default() };
    let rules = tables.rules().table_rules();
    let plan = plan_ranks(rules, tables.highest()?, parts, cluster)?;
    plan.check(memory)?;
    let all = plan.all();
    let each = |all: f64| bytes((all / parts as f64) as u64);
    Ok(format!(
        "{parts} parts, each for even values: memory {} at most, {} to others, {} of disk for the \
         layer at hand; {} on a cluster as `oware tables simulate` takes it.",
        bytes(all.memory() as u64),
        each(all.first_bytes + all.round_bytes),
        each(all.kept),
        duration(Duration::from_secs_f64(all.time())),
    ))
}

/// The plan of what the arguments ask for.
pub(super) fn make(tables: &TableArgs, solving: &SolvingArgs) -> anyhow::Result<Plan> {
    let rules = tables.rules().table_rules();
    let directory = directory(&tables.dir()?, rules);
    let manifest = Manifest::read_or_new(&directory, rules)?;
    let targets = tables.targets();
    Ok(plan(&PlanJob {
        rules,
        targets: &targets,
        distances: tables.distance,
        layers: tables.highest()?,
        threads: solving.threads(),
        mode: solving.mode(),
        manifest: &manifest,
    })?)
}

fn line(args: &PlanArgs, layer: &LayerPlan) -> serde_json::Value {
    json!({
        "rules": args.tables.rules().id(),
        "convention": target_name(layer.target),
        "layer": layer.seeds,
        "positions": layer.boards,
        "done": layer.done,
        "memory": layer.memory,
        "disk": layer.disk,
        "scratch": layer.scratch,
        "seconds": (layer.time.as_secs_f64() * 1000.0).round() / 1000.0,
    })
}

fn push_table(text: &mut String, plan: &Plan) {
    let _ = writeln!(text, "values     layer        boards      memory        disk        time");
    for layer in &plan.layers {
        let LayerPlan { target, seeds, boards, done, memory, disk, time, .. } = *layer;
        let name = target_name(target);
        let [memory, disk, time] = match done {
            true => ["-".to_owned(), "there".to_owned(), duration(time)],
            false => [bytes(memory), bytes(disk), duration(time)],
        };
        let _ =
            writeln!(text, "{name:<9} {seeds:>6} {boards:>13} {memory:>11} {disk:>11} {time:>11}");
    }
    let _ = writeln!(text, "{}", in_all(plan));
    if let Some(available) = available_memory() {
        let _ = writeln!(text, "There is memory of {} to be had.", bytes(available));
    }
}

/// What a build takes in all, in one line.
pub(super) fn in_all(plan: &Plan) -> String {
    let (memory, disk) = (bytes(plan.memory()), bytes(plan.disk()));
    format!("In all: memory {memory} at most, disk {disk}, time {}.", duration(plan.time()))
}

/// A time as people read it.
pub(super) fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let whole = time.as_secs();
    match whole {
        0 => format!("{:.0} ms", seconds * 1000.0),
        1..=9 => format!("{seconds:.1} s"),
        10..=119 => format!("{seconds:.0} s"),
        120..=7199 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole / 60 % 60),
    }
}

impl SolvingArgs {
    /// How tables are to be coded.
    pub(super) fn mode(&self) -> Mode {
        if self.archive { Mode::Archive } else { Mode::Tables }
    }

    /// Bytes of memory that may be used, if known: what was said, or what there is.
    pub(super) fn memory_limit(&self) -> Option<u64> {
        self.memory.map(|size| size.0).or_else(available_memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_for_people() {
        let written = [5, 1500, 59_000, 125_000, 7_500_000]
            .map(|milliseconds| duration(Duration::from_millis(milliseconds)));
        assert_eq!(written, ["5 ms", "1.5 s", "59 s", "2 min 05 s", "2 h 05 min"]);
    }
}
