//! `oware tables simulate`: a build by many ranks, computed and not made.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use oware_retro::SimulateJob;
use oware_retro::plan::bytes;
use oware_retro::simulate::{
    self, Cluster, LayerShares, MOST_WHOLE, Prediction, Profile, Spread, all_layers, compare,
    predict,
};
use oware_rules::Rules;
use serde_json::{Value, json};

use super::build::Size;
use super::plan::duration;
use super::seeds;
use crate::output::{Usage, print};

const EXAMPLES: &str = "\
The index and the moves are the real ones: boards, moves and captures of each rank are counted, who
is told of a board is found from a sample. What rounds are like is taken from a layer that is
solved here. Times follow from the speeds that are given; nothing is taken to overlap.

Examples:
  oware tables simulate --layers 48 --ranks 64,256,1024
  oware tables simulate --layers 40 --ranks 64 --memory 16G --bandwidth 100 --json";

/// Arguments of `oware tables simulate`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SimulateArgs {
    /// Rules: a preset, or fields, or both (see `oware rules`) [default: abapa]
    #[arg(long, value_name = "RULES")]
    rules: Option<Rules>,
    /// Layers of 0 to N seeds
    #[arg(long, value_name = "N", value_parser = seeds(), default_value_t = 48)]
    layers: u8,
    /// Numbers of ranks, several with commas
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        default_values_t = [64, 256, 1024],
        value_parser = clap::value_parser!(u16).range(1..)
    )]
    ranks: Vec<u16>,
    /// Boards of each layer to look at; 0 for all, up to layer 16
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    sample: u64,
    /// Seed of the sample
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The layer whose rounds are measured, solved here, at most 18
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u8).range(4..=18),
        default_value_t = 16
    )]
    model: u8,
    #[command(flatten)]
    cluster: ClusterArgs,
    /// Memory of a rank, such as 8G: say which layers do not fit
    #[arg(long, value_name = "SIZE")]
    memory: Option<Size>,
    /// Write JSON objects, one a line
    #[arg(long)]
    json: bool,
}

/// How fast the cluster is.
#[derive(Debug, clap::Args)]
pub(crate) struct ClusterArgs {
    /// Million boards a second that a core solves
    #[arg(
        long,
        value_name = "X",
        default_value_t = 5.0,
        value_parser = speed,
        allow_negative_numbers = true
    )]
    rate: f64,
    /// Cores of a rank
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024)
    )]
    cores: u16,
    /// Ranks on one machine, which share its link and its disk
    #[arg(
        long,
        value_name = "N",
        default_value_t = 16,
        value_parser = clap::value_parser!(u16).range(1..)
    )]
    together: u16,
    /// Gigabits a second of a machine's link, each way
    #[arg(
        long,
        value_name = "X",
        default_value_t = 25.0,
        value_parser = speed,
        allow_negative_numbers = true
    )]
    bandwidth: f64,
    /// Microseconds from rank to rank
    #[arg(
        long,
        value_name = "X",
        default_value_t = 5.0,
        value_parser = speed,
        allow_negative_numbers = true
    )]
    latency: f64,
    /// Gigabytes a second of the file system that all share
    #[arg(
        long,
        value_name = "X",
        default_value_t = 2.0,
        value_parser = speed,
        allow_negative_numbers = true
    )]
    storage: f64,
    /// Gigabytes a second of a machine's own disk
    #[arg(
        long,
        value_name = "X",
        default_value_t = 1.0,
        value_parser = speed,
        allow_negative_numbers = true
    )]
    scratch: f64,
}

fn speed(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    let right = number.filter(|number| number.is_finite() && *number > 0.0 && *number < 1e9);
    right.ok_or_else(|| "expected a number above 0, such as 25".to_owned())
}

impl ClusterArgs {
    fn cluster(&self) -> Cluster {
        Cluster {
            rate: self.rate,
            cores: usize::from(self.cores),
            together: usize::from(self.together),
            bandwidth: self.bandwidth,
            latency: self.latency,
            storage: self.storage,
            scratch: self.scratch,
            ..Cluster::default()
        }
    }
}

/// What a simulation says.
struct Simulated {
    compared: Vec<LayerShares>,
    profile: Profile,
    /// Layer by layer, number of ranks by number of ranks.
    layers: Vec<Vec<(LayerShares, Prediction)>>,
}

pub(crate) fn run(args: &SimulateArgs) -> anyhow::Result<ExitCode> {
    let rules = args.rules.unwrap_or_default();
    let parts: Vec<usize> = args.ranks.iter().map(|&ranks| usize::from(ranks)).collect();
    let layers = usize::from(args.layers);
    if args.sample == 0 && layers > MOST_WHOLE {
        let message = format!("--sample 0 looks at all boards, up to --layers {MOST_WHOLE}");
        return Err(Usage(message).into());
    }
    let job = SimulateJob {
        rules: rules.table_rules(),
        layers,
        parts: &parts,
        sample: (args.sample > 0).then_some(args.sample),
        seed: args.seed,
    };
    let cluster = args.cluster.cluster();
    let profile = simulate::profile(job.rules, usize::from(args.model))?;
    let mut all = Vec::new();
    all_layers(&job, |shares| {
        let with_time = |shares: LayerShares| {
            let prediction = predict(&shares, &profile, &cluster);
            (shares, prediction)
        };
        all.push(shares.into_iter().map(with_time).collect());
    })?;
    let simulated = Simulated { compared: compare(&job)?, profile, layers: all };
    if args.json {
        let lines = lines(&simulated, &rules.id());
        print(&lines.iter().map(|line| format!("{line}\n")).collect::<String>())?;
    } else {
        print(&text(&simulated, args, &rules.id()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn text(simulated: &Simulated, args: &SimulateArgs, rules: &str) -> String {
    let mut text = String::new();
    let ClusterArgs { rate, cores, together, bandwidth, latency, storage, scratch } = args.cluster;
    let sample = match args.sample {
        0 => "all boards".to_owned(),
        sample => format!("{sample} boards a layer, seed {}", args.seed),
    };
    let _ = writeln!(text, "Rules {rules}, layers 0 to {}; looked at {sample}.", args.layers);
    let _ = writeln!(
        text,
        "Taken as given: {rate} M boards/s a core, {cores} cores a rank, {together} ranks a \
         machine with\n{bandwidth} Gb/s, {latency} us, {scratch} GB/s of own disk; {storage} GB/s \
         of shared files."
    );
    push_sharing(&mut text, simulated, args.layers);
    push_rounds(&mut text, &simulated.profile);
    for (which, &ranks) in args.ranks.iter().enumerate() {
        let layers = simulated.layers.iter().filter_map(|layer| layer.get(which));
        push_layers(&mut text, ranks, layers, args);
    }
    text
}

fn push_sharing(text: &mut String, simulated: &Simulated, layers: u8) {
    let _ = writeln!(
        text,
        "\nLayer {layers}, ways to share it out. Most beside mean, by rank (values: bytes of \
         captures that arrive):"
    );
    let _ = writeln!(
        text,
        "ranks  sharing        boards  moves  captures  decoded  values  told  heard  receivers  \
         by row  needed"
    );
    for shares in &simulated.compared {
        let [boards, quiet, captures, decoded] =
            [shares.boards, shares.quiet, shares.captures, shares.decoded].map(Spread::balance);
        let [pushed, told, heard] = [shares.pulled, shares.told, shares.heard].map(Spread::balance);
        let needed = shares.frontier_in.mean * 8.0 / shares.boards.mean;
        let _ = writeln!(
            text,
            "{:>5}  {:<13} {boards:>7.3} {quiet:>6.3} {captures:>9.3} {decoded:>8.3} \
             {pushed:>7.3} {told:>5.3} {heard:>6.3} {:>10.3} {:>7.3} {needed:>7.2}",
            shares.parts,
            shares.sharing.to_string(),
            shares.receivers,
            shares.row_receivers,
        );
    }
    if let Some(shares) = simulated.compared.first() {
        let _ = writeln!(
            text,
            "Moves without capture to a board: {:.3}, the bound on its messages when each is one.\n\
             Receivers: other ranks with a board before it, and the one that keeps its row's \
             values; by\nrow: all with a move to its row. Needed: bits of frontier a rank holds \
             for each of its boards.",
            shares.edges
        );
    }
    for shares in simulated.compared.iter().filter(|s| s.sharing == simulate::Sharing::Default) {
        let within = shares.within * 100.0;
        let _ = writeln!(text, "Moves within a rank at {} ranks: {within:.2} %.", shares.parts);
    }
}

fn push_rounds(text: &mut String, profile: &Profile) {
    let _ = writeln!(
        text,
        "\nRounds of layer {}, solved here: {} rounds, {:.1} % of the boards decided, {:.2} % in \
         the largest\nround; {} rounds with fewer than 1 in 100,000 boards. By ranks:",
        profile.seeds,
        profile.rounds_of(profile.seeds),
        profile.decided * 100.0,
        profile.largest * 100.0,
        profile.thin
    );
    let _ = writeln!(text, "ranks  groups a rank  most/mean  deviation    told  bytes a board");
    for shares in &profile.shares {
        let _ = writeln!(
            text,
            "{:>5} {:>14.0} {:>10.3} {:>10.3} {:>7.2} {:>14.2}",
            shares.parts,
            shares.groups,
            shares.balance,
            shares.deviation,
            shares.told,
            shares.bytes
        );
    }
    let rounds = [24, 32, 40, 48].map(|seeds| format!("{seeds}: {:.0}", profile.rounds_of(seeds)));
    let _ = writeln!(text, "Rounds expected by layer: {}.", rounds.join(", "));
}

fn push_layers<'a>(
    text: &mut String,
    ranks: u16,
    layers: impl Iterator<Item = &'a (LayerShares, Prediction)>,
    args: &SimulateArgs,
) {
    let _ = writeln!(
        text,
        "\n{ranks} ranks. Memory of the rank with most: first pass, rounds with lists, rounds \
         with arrays.\nTraffic between all: first pass, rounds, rounds if told by row."
    );
    let _ = writeln!(
        text,
        "layer       first       lists      arrays   | first GB rounds GB    row GB   disk GB | \
         first  rounds  traffic  waits  end        time"
    );
    let shown = args.layers.saturating_sub(12);
    let mut all = Prediction::default();
    for (shares, prediction) in layers {
        all = all.and(*prediction);
        if shares.seeds >= usize::from(shown) {
            push_line(text, &shares.seeds.to_string(), prediction, args.memory);
        }
    }
    push_line(text, "all", &all, args.memory);
}

fn push_line(text: &mut String, name: &str, layer: &Prediction, memory: Option<Size>) {
    let [first, lists, arrays] =
        [layer.first_memory, layer.list_memory, layer.array_memory].map(|b| bytes(b as u64));
    let [a, b, c, d] =
        [layer.first_bytes, layer.round_bytes, layer.row_bytes, layer.kept].map(|b| b / 1e9);
    let short = match memory {
        Some(Size(memory)) if layer.first_memory.max(layer.list_memory) > memory as f64 => {
            "  does not fit"
        }
        Some(Size(memory)) if layer.array_memory > memory as f64 => "  fits with lists",
        _ => "",
    };
    let [e, f, g, h, i] = [
        layer.first_time,
        layer.round_time,
        layer.traffic_time,
        layer.latency_time,
        layer.last_time,
    ];
    let _ = writeln!(
        text,
        "{name:>5} {first:>11} {lists:>11} {arrays:>11} {a:>11.1} {b:>9.1} {c:>9.1} {d:>9.1} | \
         {e:>5.0} {f:>7.0} {g:>8.0} {h:>6.0} {i:>4.0} {:>11}{short}",
        duration(Duration::from_secs_f64(layer.time()))
    );
}

fn lines(simulated: &Simulated, rules: &str) -> Vec<Value> {
    let mut lines = Vec::new();
    for shares in &simulated.compared {
        lines.push(json!({
            "what": "sharing", "rules": rules, "layer": shares.seeds, "ranks": shares.parts,
            "sharing": shares.sharing.to_string(), "sample": shares.sample,
            "balance": {
                "boards": shares.boards.balance(), "moves": shares.quiet.balance(),
                "captures": shares.captures.balance(), "decoded": shares.decoded.balance(),
                "pulled": shares.pulled.balance(), "told": shares.told.balance(),
                "heard": shares.heard.balance(), "needed": shares.frontier_in.balance(),
            },
            "receivers": shares.receivers, "row_receivers": shares.row_receivers,
            "least_receivers": shares.least_receivers,
            "moves_to_a_board": shares.edges, "within": shares.within,
        }));
    }
    for shares in &simulated.profile.shares {
        lines.push(json!({
            "what": "rounds", "rules": rules, "layer": simulated.profile.seeds,
            "ranks": shares.parts, "groups": shares.groups, "balance": shares.balance,
            "deviation": shares.deviation, "bytes": shares.bytes,
        }));
    }
    for (shares, prediction) in simulated.layers.iter().flatten() {
        lines.push(json!({
            "what": "layer", "rules": rules, "layer": shares.seeds, "ranks": shares.parts,
            "positions": prediction.boards, "rounds": prediction.rounds,
            "memory": {
                "first": prediction.first_memory, "lists": prediction.list_memory,
                "arrays": prediction.array_memory,
            },
            "bytes": {
                "first": prediction.first_bytes, "rounds": prediction.round_bytes,
                "by_row": prediction.row_bytes, "read": prediction.read,
                "written": prediction.written, "disk": prediction.kept,
            },
            "seconds": {
                "first": prediction.first_time, "rounds": prediction.round_time,
                "traffic": prediction.traffic_time, "latency": prediction.latency_time,
                "last": prediction.last_time, "all": prediction.time(),
            },
        }));
    }
    lines
}
