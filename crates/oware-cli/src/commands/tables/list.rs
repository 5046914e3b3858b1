//! `oware tables list`: the tables there are, by their manifests.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use oware_rules::{PRESETS, TableRules};
use oware_tables::header::all_table_rules;
use oware_tables::manifest::hex;
use oware_tables::set::directory;
use oware_tables::{Kind, Layer, Manifest};

use super::TableArgs;
use crate::output::{complain, print};

const EXAMPLES: &str = "\
Without --rules all rules are listed, without --convention and --distance all kinds of tables.
For each kind: its layers, their boards and bytes, bits a board, and the hash that stands for the
highest layer and all it was computed from.

Examples:
  oware tables list
  oware tables list --rules awari --convention even";

/// Arguments of `oware tables list`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    tables: TableArgs,
}

pub(crate) fn run(args: &ListArgs) -> anyhow::Result<ExitCode> {
    let dir = args.tables.dir()?;
    let asked = args.tables.rules.map(|rules| rules.table_rules());
    let mut text = String::new();
    let mut good = true;
    for rules in all_table_rules().filter(|&rules| asked.is_none_or(|asked| asked == rules)) {
        match Manifest::read(&directory(&dir, rules), rules) {
            Ok(Some(manifest)) => push_rules(&mut text, &manifest, &args.tables),
            Ok(None) => {}
            Err(error) => {
                complain(&error);
                good = false;
            }
        }
    }
    if text.is_empty() && good {
        text = nothing(&dir, args);
    }
    print(&text)?;
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn nothing(dir: &Path, args: &ListArgs) -> String {
    let build = super::build_command(&args.tables.rules(), None, None);
    format!("No such tables in {}; `{build}` builds small ones.\n", dir.display())
}

/// The presets that have these table rules.
fn presets(rules: TableRules) -> String {
    let named = PRESETS.iter().filter(|preset| preset.rules.table_rules() == rules);
    named.map(|preset| preset.name).collect::<Vec<_>>().join(", ")
}

fn push_rules(text: &mut String, manifest: &Manifest, args: &TableArgs) {
    let mut rows = String::new();
    for kind in args.kinds_or_all() {
        push_kind(&mut rows, manifest, kind, args);
    }
    if rows.is_empty() {
        return;
    }
    let rules = manifest.rules;
    match presets(rules) {
        names if names.is_empty() => _ = writeln!(text, "{rules}"),
        names => _ = writeln!(text, "{rules} ({names})"),
    }
    let (boards, bytes, bits) = ("boards", "bytes", "bits/board");
    let _ = writeln!(text, "  table          layers {boards:>15} {bytes:>14} {bits:>11}  hash");
    text.push_str(&rows);
}

fn push_kind(text: &mut String, manifest: &Manifest, kind: Kind, args: &TableArgs) {
    let layers = args.layers();
    let entries: Vec<_> = manifest
        .entries
        .iter()
        .filter(|entry| entry.kind == kind)
        .filter(|entry| layers.as_ref().is_none_or(|layers| layers.contains(&entry.seeds)))
        .collect();
    let (Some(first), Some(last)) = (entries.first(), entries.last()) else { return };
    let boards: u64 = entries.iter().map(|entry| Layer::new(entry.seeds).size()).sum();
    let bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
    let bits = bytes as f64 * 8.0 / boards as f64;
    let span = format!("{}-{}", first.seeds, last.seeds);
    let hash = &hex(&last.chain)[..16];
    let name = kind.name();
    let _ = writeln!(text, "  {name:<14} {span:<6} {boards:>15} {bytes:>14} {bits:>11.2}  {hash}");
}
