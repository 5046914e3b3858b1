//! Builds of which memory does not hold everything, and builds by several parts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use oware_retro::exchange::InProcess;
use oware_retro::{BuildError, BuildEvent, BuildJob, SolveError, Target, build, build_in_parts};
use oware_rules::{Rules, TableRules};
use oware_tables::Mode;
use oware_tables::set::directory;
use oware_testkit::TestRng;

const BOTH: [Target; 2] = [Target::Even, Target::Bounds];

fn job(root: &Path, rules: TableRules, layers: usize) -> BuildJob<'_> {
    // Everything on disk, and a checkpoint before each threshold.
    let job = BuildJob::quiet(root, rules, &BOTH, layers);
    BuildJob { threads: 2, spill_from: 0, checkpoint: Duration::ZERO, ..job }
}

/// All files under a directory, but the lock.
fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.file_name().unwrap() != "LOCK" {
            found.insert(path.file_name().unwrap().into(), fs::read(&path).unwrap());
        }
    }
    found
}

/// What a build in memory leaves.
fn expected(rules: TableRules, layers: usize) -> BTreeMap<PathBuf, Vec<u8>> {
    let root = tempfile::tempdir().unwrap();
    build(&BuildJob::quiet(root.path(), rules, &BOTH, layers)).unwrap();
    files(root.path())
}

#[test]
fn layers_on_disk_come_out_as_in_memory() {
    for rules in [Rules::ABAPA, Rules::AWARI].map(|rules| rules.table_rules()) {
        let root = tempfile::tempdir().unwrap();
        build(&job(root.path(), rules, 8)).unwrap();
        assert!(files(root.path()) == expected(rules, 8), "{rules}");
    }
}

/// Builds until a threshold of a layer is finished. Returns the directory of the solve.
fn interrupted(root: &Path, rules: TableRules, layer: usize, threshold: i8) -> PathBuf {
    let stop = AtomicBool::new(false);
    let at = AtomicBool::new(false);
    let tell = |event: &BuildEvent| match event {
        BuildEvent::Begin { target: Target::Even, seeds, .. } => at.store(*seeds == layer, Relaxed),
        BuildEvent::Progress(progress) if progress.threshold == threshold && at.load(Relaxed) => {
            stop.store(true, Relaxed);
        }
        _ => (),
    };
    let result = build(&BuildJob { stop: &stop, tell: &tell, ..job(root, rules, layer) });
    assert!(matches!(result, Err(BuildError::Solve(SolveError::Stopped))), "{result:?}");
    directory(root, rules).join(format!("solving-even-{layer:02}"))
}

/// Goes on with a build. Returns the layers that went on from a checkpoint.
fn go_on(root: &Path, rules: TableRules, layers: usize) -> Vec<usize> {
    let resumed = Mutex::new(Vec::new());
    let tell = |event: &BuildEvent| {
        if let BuildEvent::Done(report) = event
            && report.cost.resumed
        {
            resumed.lock().unwrap().push(report.seeds);
        }
    };
    build(&BuildJob { tell: &tell, ..job(root, rules, layers) }).unwrap();
    resumed.into_inner().unwrap()
}

#[test]
fn a_solve_goes_on_from_its_last_checkpoint() {
    let rules = Rules::ABAPA.table_rules();
    let expected = expected(rules, 8);
    for threshold in [7, 3, 2] {
        let root = tempfile::tempdir().unwrap();
        let scratch = interrupted(root.path(), rules, 8, threshold);
        assert!(scratch.join("checkpoint").exists());
        assert_eq!(go_on(root.path(), rules, 8), [8], "threshold {threshold}");
        assert!(!scratch.exists());
        assert!(files(root.path()) == expected, "threshold {threshold}");
    }
}

#[test]
fn a_damaged_solve_is_begun_anew() {
    let mut rng = TestRng::from_env("a_damaged_solve_is_begun_anew");
    let rules = Rules::ABAPA.table_rules();
    let expected = expected(rules, 7);
    for round in 0..20 {
        let root = tempfile::tempdir().unwrap();
        let scratch = interrupted(root.path(), rules, 7, 3);
        let name = ["checkpoint", "values", "captures-0"][round % 3];
        let path = scratch.join(name);
        let mut bytes = fs::read(&path).unwrap();
        if bytes.is_empty() || round < 3 {
            bytes.truncate(bytes.len() / 2);
        } else {
            let at = rng.below(bytes.len());
            bytes[at] ^= 1 << rng.below(8);
        }
        fs::write(&path, &bytes).unwrap();
        build(&job(root.path(), rules, 7)).unwrap();
        assert!(files(root.path()) == expected, "{name}, round {round}");
    }
}

#[test]
fn a_listed_table_that_is_gone_is_made_anew() {
    let rules = Rules::ABAPA.table_rules();
    let expected = expected(rules, 7);
    for name in ["even-07.owt", "even-03.owt", "low-05.owt", "high-distance-07.owt"] {
        let root = tempfile::tempdir().unwrap();
        build(&job(root.path(), rules, 7)).unwrap();
        let path = directory(root.path(), rules).join(name);
        fs::remove_file(&path).unwrap();
        build(&job(root.path(), rules, 7)).unwrap();
        assert!(files(root.path()) == expected, "{name} removed");
        fs::write(&path, b"").unwrap();
        build(&job(root.path(), rules, 7)).unwrap();
        assert!(files(root.path()) == expected, "{name} emptied");
    }
}

#[test]
fn parts_write_the_same_tables_together() {
    for rules in [Rules::ABAPA, Rules::AWARI].map(|rules| rules.table_rules()) {
        let expected = expected(rules, 7);
        for (parts, threads) in [(1, 1), (2, 1), (3, 2), (5, 1)] {
            let root = tempfile::tempdir().unwrap();
            std::thread::scope(|scope| {
                for mut end in InProcess::new(parts) {
                    let root = root.path();
                    scope.spawn(move || {
                        let job = BuildJob { threads, ..job(root, rules, 7) };
                        build_in_parts(&job, &mut end).unwrap();
                    });
                }
            });
            assert!(files(root.path()) == expected, "{rules}, {parts} parts");
        }
    }
}

#[test]
fn another_directory_holds_what_memory_does_not() {
    let rules = Rules::ABAPA.table_rules();
    let [root, scratch] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let seen = AtomicBool::new(false);
    let tell = |event: &BuildEvent| {
        if let BuildEvent::Progress(_) = event {
            assert!(!directory(root.path(), rules).join("solving-even-06").exists());
            seen.fetch_or(
                directory(scratch.path(), rules).join("solving-even-06").exists(),
                Relaxed,
            );
        }
    };
    build(&BuildJob { scratch: Some(scratch.path()), tell: &tell, ..job(root.path(), rules, 6) })
        .unwrap();
    assert!(seen.into_inner());
    assert!(files(root.path()) == expected(rules, 6));
    assert!(files(scratch.path()).is_empty());
}

#[test]
fn parts_write_the_same_archives() {
    let rules = Rules::ABAPA.table_rules();
    let roots = [1, 3].map(|parts| {
        let root = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for mut end in InProcess::new(parts) {
                let job = BuildJob { mode: Mode::Archive, ..job(root.path(), rules, 6) };
                scope.spawn(move || build_in_parts(&job, &mut end).unwrap());
            }
        });
        root
    });
    assert!(files(roots[0].path()) == files(roots[1].path()));
}
