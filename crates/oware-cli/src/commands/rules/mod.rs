//! `oware rules`.

mod examples;

use std::fmt::Write as _;
use std::process::ExitCode;

use oware_rules::{PRESETS, Rules};
use serde::Serialize;
use serde_json::{Map, Value};

use super::words;
use crate::output::print;
use examples::Played;

const EXAMPLES: &str = "\
Rules are a preset, or fields, or a preset and fields: abapa, repetition=2,
awari,loop_split=own_rows. What is not named is as in abapa.

Examples:
  oware rules
  oware rules awari
  oware rules slam-illegal,repetition=2 --examples
  oware rules --json";

/// Arguments of `oware rules`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RulesArgs {
    /// The rules to explain; without it all presets are listed
    rules: Option<Rules>,
    /// Play the positions on which programs disagree under the rules (abapa if none are named)
    #[arg(long)]
    examples: bool,
    /// Write JSON: one object for each preset, or for the rules named
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &RulesArgs) -> anyhow::Result<ExitCode> {
    let text = match (args.rules, args.examples) {
        (None, false) if args.json => {
            let lines = PRESETS.map(|preset| json(preset.rules, false));
            lines.into_iter().collect::<Result<String, _>>()?
        }
        (None, false) => list(),
        (rules, examples) => {
            let rules = rules.unwrap_or_default();
            if args.json { json(rules, examples)? } else { explain(rules, examples) }
        }
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn summary(rules: &Rules) -> Option<&'static str> {
    PRESETS.iter().find(|preset| preset.rules == *rules).map(|preset| preset.summary)
}

fn list() -> String {
    let mut text = String::from("The presets; `oware rules NAME` explains one of them.\n\n");
    for preset in PRESETS {
        let _ = writeln!(text, "  {:<25} {}", preset.name, preset.summary);
    }
    text += "\nThe default is abapa. Any field can be set beside a preset: abapa,repetition=2.\n";
    text
}

fn explain(rules: Rules, with_examples: bool) -> String {
    let mut text = format!("{rules}\n");
    if let Some(summary) = summary(&rules) {
        let _ = writeln!(text, "  {summary}");
    }
    text += "\nFields\n";
    for ((field, value), meaning) in rules.fields().into_iter().zip(words::fields(&rules)) {
        let _ = writeln!(text, "  {field} = {value}");
        text += &wrapped(&meaning, "      ");
    }
    let table = rules.table_rules();
    let _ = write!(
        text,
        "\nIdentities\n  rules id     {rules}\n  table rules  {table}\n  table hash   {:016x}\n",
        table.hash64()
    );
    if with_examples {
        text += "\nPositions on which programs disagree, under these rules\n";
        for played in examples::play(rules) {
            text.push('\n');
            text += &played.text();
        }
    }
    text
}

/// Sets a text in lines of at most 90 characters.
fn wrapped(text: &str, indent: &str) -> String {
    const WIDTH: usize = 90;
    let mut lines = String::new();
    let mut line = String::from(indent);
    for word in text.split(' ') {
        if line.len() > indent.len() {
            if line.len() + 1 + word.len() > WIDTH {
                lines += &line;
                lines.push('\n');
                line = String::from(indent);
            } else {
                line.push(' ');
            }
        }
        line += word;
    }
    lines + &line + "\n"
}

#[derive(Serialize)]
struct Explained {
    rules: String,
    summary: Option<&'static str>,
    fields: Map<String, Value>,
    table_rules: String,
    table_hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    examples: Option<Vec<Played>>,
}

/// One line.
fn json(rules: Rules, with_examples: bool) -> serde_json::Result<String> {
    let table = rules.table_rules();
    let fields = rules.fields().into_iter();
    let line = serde_json::to_string(&Explained {
        rules: rules.id(),
        summary: summary(&rules),
        fields: fields.map(|(field, value)| (field.to_owned(), value.into())).collect(),
        table_rules: table.to_string(),
        table_hash: format!("{:016x}", table.hash64()),
        examples: with_examples.then(|| examples::play(rules)),
    })?;
    Ok(line + "\n")
}
