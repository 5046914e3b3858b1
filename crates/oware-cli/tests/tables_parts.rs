//! `oware tables build` by several processes that share a spool directory: the same bytes as by
//! one, and an end for all when one ends.
#![cfg(unix)]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use oware_retro::Target;
use oware_rules::Rules;
use oware_tables::set::directory;
use support::{build_tables, code, oware, run, stderr};
use tempfile::TempDir;

/// The highest layer.
const LAYERS: usize = 8;
/// Within that time all has ended, on a busy machine too.
const LONG: Duration = Duration::from_secs(120);

type Files = BTreeMap<String, Vec<u8>>;

fn files(root: &Path) -> Files {
    let place = directory(root, Rules::ABAPA.table_rules());
    let Ok(entries) = fs::read_dir(place) else { return Files::new() };
    entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), path))
        .filter(|(name, _)| name != "LOCK" && !name.ends_with(".new"))
        // One that is renamed in this moment is there the next time.
        .filter_map(|(name, path)| Some((name, fs::read(path).ok()?)))
        .collect()
}

/// What one process builds.
fn expected() -> &'static Files {
    static FILES: OnceLock<Files> = OnceLock::new();
    FILES.get_or_init(|| {
        let root = tempfile::tempdir().unwrap();
        build_tables(root.path(), Rules::ABAPA.table_rules(), &Target::ALL, LAYERS);
        files(root.path())
    })
}

fn part(root: &Path, part: usize, parts: usize, more: &[&str]) -> Command {
    let path = |name: &str| root.join(name).to_str().unwrap().to_owned();
    let layers = LAYERS.to_string();
    let mut args = vec!["tables", "build", "--convention", "even,low,high", "--distance"];
    args.extend(["--threads", "1", "--layers", &layers]);
    let mut command = oware(&args);
    command.args(["--dir", &path("tables"), "--spool", &path("spool")]).args(more);
    command.args(["--part", &part.to_string(), "--parts", &parts.to_string()]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn start(root: &Path, parts: usize, more: &[&str]) -> Vec<Child> {
    (0..parts).map(|number| part(root, number, parts, more).spawn().unwrap()).collect()
}

/// Waits for the ends of all, and gives them.
#[track_caller]
fn ends(children: Vec<Child>) -> Vec<Output> {
    let clock = Instant::now();
    let end = |mut child: Child| {
        while child.try_wait().unwrap().is_none() {
            if clock.elapsed() > LONG {
                child.kill().unwrap();
                panic!("a part goes on: {}", stderr(&child.wait_with_output().unwrap()));
            }
            sleep(Duration::from_millis(5));
        }
        child.wait_with_output().unwrap()
    };
    children.into_iter().map(end).collect()
}

#[track_caller]
fn finish(root: &Path, parts: usize, more: &[&str]) -> Vec<Output> {
    let outputs = ends(start(root, parts, more));
    for (part, output) in outputs.iter().enumerate() {
        assert_eq!(code(output), 0, "part {part} of {parts}: {}", stderr(output));
    }
    let found = files(&root.join("tables"));
    assert_eq!(found.keys().collect::<Vec<_>>(), expected().keys().collect::<Vec<_>>());
    for (name, bytes) in &found {
        assert!(*bytes == expected()[name], "{parts} parts: {name} differs");
    }
    outputs
}

/// Waits until some tables are there.
fn wait_for_tables(root: &Path) {
    let clock = Instant::now();
    while files(&root.join("tables")).len() < 6 {
        assert!(clock.elapsed() < LONG, "no tables");
        sleep(Duration::from_millis(2));
    }
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn any_number_of_parts_builds_the_same() {
    for parts in [1, 2, 3] {
        let root = tempfile::tempdir().unwrap();
        let outputs = finish(root.path(), parts, &[]);
        // Part 0 speaks for all.
        let said = stderr(&outputs[0]);
        assert!(said.contains("The tables are in "), "{said}");
        assert_eq!(said.contains("The parts gave each other "), parts > 1, "{said}");
        assert_eq!(said.contains(" bytes a board."), parts > 1, "{said}");
        assert_eq!(said.contains(&format!("{parts} parts. In all: ")), parts > 1, "{said}");
        for output in &outputs[1..] {
            assert_eq!(stderr(output), "");
        }
        let spool = fs::read_dir(root.path().join("spool")).unwrap();
        let names = spool.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert!(names.into_iter().all(|name| name.ends_with(".lock")));
    }
}

#[test]
fn parts_without_locks_build_the_same() {
    let root = tempfile::tempdir().unwrap();
    finish(root.path(), 2, &["--spool-timeout", "60"]);
}

#[test]
fn a_killed_part_ends_all_and_a_second_run_goes_on() {
    for victim in [0, 1, 2] {
        let root = tempfile::tempdir().unwrap();
        let children = start(root.path(), 3, &[]);
        wait_for_tables(root.path());
        signal(&children[victim], "-KILL");
        let clock = Instant::now();
        let outputs = ends(children);
        assert!(clock.elapsed() < Duration::from_secs(60));
        for (part, output) in outputs.iter().enumerate().filter(|(part, _)| *part != victim) {
            let said = stderr(output);
            assert_eq!(code(output), 1, "part {part}: {said}");
            assert!(said.contains(&format!("error: part {part}: ")), "{said}");
            // It has seen that the part is gone, or that another has.
            let seen = said.contains(&format!("part {victim} is gone"))
                || said.contains("has failed, and says itself why");
            assert!(seen, "part {part}: {said}");
        }
        finish(root.path(), 3, &[]);
    }
}

#[test]
fn a_stopped_part_stops_all_in_order() {
    for (name, victim) in [("-TERM", 1), ("-INT", 0)] {
        let root = tempfile::tempdir().unwrap();
        let children = start(root.path(), 2, &[]);
        wait_for_tables(root.path());
        signal(&children[victim], name);
        for (part, output) in ends(children).iter().enumerate() {
            let said = stderr(output);
            assert_eq!(code(output), 130, "part {part}: {said}");
            assert!(said.contains("the same command goes on with the layer it was at"), "{said}");
        }
        // With another number of parts, too.
        finish(root.path(), 3, &[]);
    }
}

#[test]
fn parts_of_different_builds_are_told_apart() {
    let root = tempfile::tempdir().unwrap();
    let children = vec![
        part(root.path(), 0, 2, &[]).spawn().unwrap(),
        part(root.path(), 1, 2, &["--archive"]).spawn().unwrap(),
    ];
    for (part, output) in ends(children).iter().enumerate() {
        let what = "part 0 builds with `--archive false`, part 1 with `--archive true`";
        assert_eq!(stderr(output), format!("error: part {part}: {what}\n"));
        assert_eq!(code(output), 1);
    }
    assert!(files(&root.path().join("tables")).is_empty());
}

#[test]
fn wrong_arguments_are_refused() {
    let root = TempDir::new().unwrap();
    let refused = |args: &[&str]| {
        let mut all = vec!["tables", "build", "--layers", "3", "--dir"];
        all.push(root.path().to_str().unwrap());
        all.extend(args);
        let output = run(&all);
        assert_eq!(code(&output), 2, "{args:?}: {}", stderr(&output));
        stderr(&output)
    };
    let said = refused(&["--spool", "x", "--part", "2", "--parts", "2"]);
    assert!(said.contains("--part is 2, expected 0 to 1 (--parts 2)"), "{said}");
    refused(&["--spool", "x", "--part", "0", "--parts", "0"]);
    refused(&["--spool", "x", "--part", "0"]);
    refused(&["--part", "0", "--parts", "1"]);
    refused(&["--spool-timeout", "5"]);
    refused(&["--mpi", "--spool", "x", "--part", "0", "--parts", "1"]);
    if cfg!(not(feature = "mpi")) {
        let said = refused(&["--mpi"]);
        assert!(said.contains("built without MPI"), "{said}");
        assert!(said.contains("--features mpi"), "{said}");
    }
    assert!(fs::read_dir(root.path()).unwrap().next().is_none());
}
