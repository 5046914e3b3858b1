//! Running the built binary.

#![allow(dead_code, reason = "each test file uses its part")]

pub(crate) mod engine;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;

use oware_retro::{BuildJob, Target, build};
use oware_rules::TableRules;
use serde_json::Value;

/// The binary with arguments, without anything from the environment that changes its output.
pub(crate) fn oware(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oware"));
    command.args(args).stdin(Stdio::null()).env("COLUMNS", "100").env("NO_COLOR", "1");
    command
}

/// Runs it without input.
pub(crate) fn run(args: &[&str]) -> Output {
    oware(args).output().expect("the binary runs")
}

/// Runs it with bytes on standard input, written while the output is read.
pub(crate) fn run_with(args: &[&str], input: &[u8]) -> Output {
    let mut child = oware(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("piped");
    thread::scope(|scope| {
        // The program may stop reading: that is its output's affair, not ours.
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().expect("the binary ends")
    })
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("output is UTF-8")
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("messages are UTF-8")
}

pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().expect("it ended by itself")
}

/// Runs it without input and without a fault, and gives what it writes.
#[track_caller]
pub(crate) fn good(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(code(&output), 0, "{args:?}: {}", stderr(&output));
    stdout(&output)
}

/// The values of JSON lines.
pub(crate) fn json_lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e} in {line}")))
        .collect()
}

/// Builds tables of values and distances without the planning that commands begin with.
#[track_caller]
pub(crate) fn build_tables(root: &Path, rules: TableRules, targets: &[Target], layers: usize) {
    build(&BuildJob::quiet(root, rules, targets, layers)).unwrap();
}
