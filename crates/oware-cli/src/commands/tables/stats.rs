//! `oware tables stats`: how often each value occurs.

use std::fmt::Write as _;
use std::process::ExitCode;

use oware_tables::header::Header;
use oware_tables::{Kind, Layer, Quantity};
use serde_json::{Map, Value, json};

use super::TableArgs;
use crate::output::print;

const EXAMPLES: &str = "\
Counted are all boards of a layer, those too that no game reaches; of all layers there are if none
are named, and of even values if no convention is. With --json each line has rules, convention,
layer, positions, and values: how often each occurs; with --distance there are lines with distances
in place of values, where null counts the boards on which nothing is forced.

Examples:
  oware tables stats --layers 10
  oware tables stats --convention low,high --layer 6
  oware tables stats --rules awari --json";

/// Arguments of `oware tables stats`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    tables: TableArgs,
    /// Write one JSON object for each table
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &StatsArgs) -> anyhow::Result<ExitCode> {
    let rules = args.tables.rules();
    let set = super::open(&args.tables.dir()?, &rules)?;
    let mut text = String::new();
    for kind in args.tables.kinds() {
        let tables = args.tables.tables(&set, kind)?;
        if !args.json {
            push_heading(&mut text, &rules.id(), kind);
        }
        for table in &tables {
            match args.json {
                true => text += &format!("{}\n", line(&rules.id(), table.header())),
                false => push_row(&mut text, table.header()),
            }
        }
        if let ([table], false) = (&tables[..], args.json) {
            push_counts(&mut text, table.header());
        }
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn positions(header: &Header) -> u64 {
    Layer::new(header.subject.seeds).size()
}

fn line(rules: &str, header: &Header) -> Value {
    let counts: Map<String, Value> =
        header.counts.iter().map(|&(value, count)| (name(value), json!(count))).collect();
    let mut line = json!({
        "rules": rules,
        "convention": header.subject.kind.convention.name(),
        "layer": header.subject.seeds,
        "positions": positions(header),
    });
    let field = match header.subject.kind.quantity {
        Quantity::Value => "values",
        Quantity::Distance => "distances",
    };
    line[field] = Value::Object(counts);
    line
}

fn name(value: Option<i16>) -> String {
    value.map_or("null".to_owned(), |value| value.to_string())
}

fn push_heading(text: &mut String, rules: &str, kind: Kind) {
    let (convention, label) = (kind.convention, super::words::convention(kind.convention));
    let columns = match kind.quantity {
        Quantity::Value => {
            let _ = writeln!(text, "{rules}, {convention} values for the player to move, {label}");
            ["above 0", "0", "below 0"]
        }
        Quantity::Distance => {
            let what = "plies to the next capture or the end";
            let _ = writeln!(text, "{rules}, {convention} distances, {what}");
            ["forced", "not", "longest"]
        }
    };
    let [first, second, third] = columns;
    let _ = writeln!(text, "layer {:>13} {first:>13} {second:>13} {third:>13}", "boards");
}

fn push_row(text: &mut String, header: &Header) {
    let sum = |wanted: &dyn Fn(Option<i16>) -> bool| -> u64 {
        header.counts.iter().filter(|(value, _)| wanted(*value)).map(|(_, count)| count).sum()
    };
    let [first, second, third] = match header.subject.kind.quantity {
        Quantity::Value => [
            sum(&|value| value > Some(0)),
            sum(&|value| value == Some(0)),
            sum(&|value| value < Some(0)),
        ],
        Quantity::Distance => {
            let longest = header.counts.iter().filter_map(|&(value, _)| value).max();
            [
                sum(&|value| value.is_some()),
                sum(&|value| value.is_none()),
                longest.map_or(0, |longest| longest.unsigned_abs().into()),
            ]
        }
    };
    let (seeds, boards) = (header.subject.seeds, positions(header));
    let _ = writeln!(text, "{seeds:>5} {boards:>13} {first:>13} {second:>13} {third:>13}");
}

/// How often each value occurs, a line each.
fn push_counts(text: &mut String, header: &Header) {
    for &(value, count) in &header.counts {
        let name = match value {
            Some(value) if header.subject.kind.quantity == Quantity::Value => {
                super::words::signed(value as i8)
            }
            Some(value) => value.to_string(),
            None => "not forced".to_owned(),
        };
        let _ = writeln!(text, "{name:>19} {count:>13}");
    }
}
