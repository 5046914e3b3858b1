//! The laws of exchanges over every transport, and what a spool directory does when parts die,
//! come twice, disagree, or have left something behind.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use oware_retro::exchange::spool::Settings;
use oware_retro::exchange::{InProcess, agree_on, is_stop, laws};
use oware_retro::{Alone, Ending, Exchange, Spool};
use oware_testkit::TestRng;

/// Far longer than anything here takes on a busy machine.
const LONG: Duration = Duration::from_secs(60);

static NEVER: AtomicBool = AtomicBool::new(false);

fn settings(directory: &Path, part: usize, parts: usize) -> Settings<'_> {
    Settings { directory, part, parts, patience: None, stop: &NEVER, tell: &|_| () }
}

/// Does something as each part of a spool, in threads.
fn in_parts<T: Send>(
    directory: &Path,
    parts: usize,
    patience: Option<Duration>,
    work: impl Fn(Spool<'_>) -> T + Sync,
) -> Vec<T> {
    thread::scope(|scope| {
        let part = |part| {
            let work = &work;
            let settings = move || Settings { patience, ..settings(directory, part, parts) };
            scope.spawn(move || work(Spool::join(&settings()).unwrap()))
        };
        let threads: Vec<_> = (0..parts).map(part).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Files of data and of runs; the locks stay.
fn left_over(directory: &Path) -> Vec<String> {
    let names = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.retain(|name| !name.ends_with(".lock"));
    names.sort();
    names
}

#[test]
fn one_part_alone() {
    let seed = TestRng::from_env("one_part_alone").seed();
    laws::check(&mut Alone, seed, 20, 1000);
}

#[test]
fn threads_of_one_process() {
    let seed = TestRng::from_env("threads_of_one_process").seed();
    for parts in [1, 2, 3, 5, 8] {
        thread::scope(|scope| {
            for mut end in InProcess::new(parts) {
                scope.spawn(move || laws::check(&mut end, seed, 60, 100_000));
            }
        });
    }
}

#[test]
fn a_spool_directory() {
    let seed = TestRng::from_env("a_spool_directory").seed();
    for parts in [1, 2, 3, 5, 8] {
        let directory = tempfile::tempdir().unwrap();
        in_parts(directory.path(), parts, None, |mut spool| {
            laws::check(&mut spool, seed, 60, 100_000);
            spool.leave(Ending::Done);
        });
        assert_eq!(left_over(directory.path()), [""; 0], "{parts} parts");
    }
}

/// Rounds go on, and never more than two exchanges' files are there.
#[test]
fn a_spool_directory_without_locks() {
    let seed = TestRng::from_env("a_spool_directory_without_locks").seed();
    let directory = tempfile::tempdir().unwrap();
    in_parts(directory.path(), 3, Some(Duration::from_secs(20)), |mut spool| {
        laws::check(&mut spool, seed, 200, 1000);
        let data = left_over(directory.path()).iter().filter(|n| n.ends_with(".data")).count();
        assert!(data <= 6, "{data} files");
        spool.leave(Ending::Done);
    });
    assert_eq!(left_over(directory.path()), [""; 0]);
}

#[test]
fn parts_must_mean_the_same() {
    let ends = InProcess::new(3);
    let same = |end: &mut InProcess, text: &str| agree_on(end, text).map_err(|e| e.to_string());
    let results: Vec<_> = thread::scope(|scope| {
        let part = |mut end: InProcess| {
            scope.spawn(move || {
                same(&mut end, "rules x\nlayers 9").unwrap();
                let layers = if end.part() == 1 { 8 } else { 9 };
                same(&mut end, &format!("rules x\nlayers {layers}"))
            })
        };
        let threads: Vec<_> = ends.into_iter().map(part).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let what = "part 0 builds with `layers 9`, part 1 with `layers 8`";
    assert_eq!(results, vec![Err(what.to_owned()); 3]);
}

/// The error with which the others find that part 2 has left, one way or another.
fn without_part_2(
    patience: Option<Duration>,
    leave: impl Fn(Spool<'_>) + Sync,
) -> Vec<Option<io::Error>> {
    let directory = tempfile::tempdir().unwrap();
    let start = Instant::now();
    let errors = in_parts(directory.path(), 4, patience, |mut spool| {
        spool.sum(1).unwrap();
        if spool.part() == 2 {
            leave(spool);
            return None;
        }
        let error = spool.sum(1).unwrap_err();
        assert!(start.elapsed() < LONG);
        spool.leave(if is_stop(&error) { Ending::Stopped } else { Ending::Failed });
        Some(error)
    });
    // What is left is in nobody's way.
    in_parts(directory.path(), 2, None, |mut spool| {
        laws::check(&mut spool, 1, 9, 100);
        spool.leave(Ending::Done);
    });
    errors
}

#[test]
fn a_part_that_fails_or_stops_ends_all() {
    for (ending, says) in [(Ending::Failed, "has failed"), (Ending::Stopped, "was told to stop")] {
        let errors = without_part_2(None, |spool| spool.leave(ending));
        for error in errors.into_iter().flatten() {
            // Another may have left because of part 2 before this one looked.
            assert!(error.to_string().contains(says), "{error}");
            assert_eq!(is_stop(&error), ending == Ending::Stopped, "{error}");
        }
    }
    let errors = without_part_2(None, |spool| drop(spool));
    assert!(errors.into_iter().flatten().all(|error| error.to_string().contains("has failed")));
}

#[test]
fn a_part_that_ends_too_early_is_missed() {
    let errors = without_part_2(None, |spool| spool.leave(Ending::Done));
    let all: Vec<String> = errors.into_iter().flatten().map(|error| error.to_string()).collect();
    assert!(all.iter().any(|error| error.contains("part 2 is gone: nobody holds")), "{all:?}");
    assert!(all.iter().any(|error| error.contains("part-0002.lock")), "{all:?}");
}

#[test]
fn the_stop_flag_ends_waiting() {
    let directory = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        // For parts that do not come ...
        let settings = || Settings { stop: &stop, ..settings(directory.path(), 1, 3) };
        let waiting = scope.spawn(move || Spool::join(&settings()).map(drop));
        sleep(Duration::from_millis(100));
        stop.store(true, Ordering::Relaxed);
        let error = waiting.join().unwrap().unwrap_err();
        assert!(is_stop(&error), "{error}");
    });
    // ... and for what a part gives.
    let errors: Vec<_> = thread::scope(|scope| {
        let stops = [AtomicBool::new(false), AtomicBool::new(false)];
        let stops: &'static [AtomicBool; 2] = Box::leak(Box::new(stops));
        let part = |part: usize| {
            let directory = directory.path();
            scope.spawn(move || {
                let settings = Settings { stop: &stops[part], ..settings(directory, part, 2) };
                let mut spool = Spool::join(&settings).unwrap();
                if part == 1 {
                    sleep(Duration::from_millis(200));
                    stops[0].store(true, Ordering::Relaxed);
                    sleep(Duration::from_millis(200));
                }
                // What part 0 gave before it was stopped can still be taken.
                let error = loop {
                    if let Err(error) = spool.sum(1) {
                        break error;
                    }
                };
                spool.leave(Ending::Stopped);
                error
            })
        };
        let threads = [part(0), part(1)];
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(errors.iter().all(is_stop), "{errors:?}");
    assert!(errors[1].to_string().contains("part 0 was told to stop"), "{errors:?}");
}

#[test]
fn nobody_comes_twice() {
    for patience in [None, Some(Duration::from_secs(2))] {
        let directory = tempfile::tempdir().unwrap();
        in_parts(directory.path(), 2, patience, |mut spool| {
            spool.sum(1).unwrap();
            if spool.part() == 0 {
                for part in [0, 1] {
                    let again = Settings { patience, ..settings(directory.path(), part, 2) };
                    let error = Spool::join(&again).unwrap_err().to_string();
                    let expected = format!("part {part} is taken");
                    assert!(error.contains(&expected), "{error}");
                    assert!(error.contains(&format!("part-000{part}")), "{error}");
                }
            }
            // The first are not disturbed.
            laws::check(&mut spool, 5, 9, 100);
            spool.leave(Ending::Done);
        });
    }
}

#[test]
fn another_number_of_parts_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    thread::scope(|scope| {
        let first = scope.spawn(|| Spool::join(&settings(directory.path(), 0, 2)).unwrap().parts());
        let error = Spool::join(&settings(directory.path(), 1, 3)).unwrap_err().to_string();
        let what = "part 0 shares the work among 2 parts, part 1 among 3";
        assert!(error.contains(what), "{error}");
        // The right one is still welcome.
        drop(Spool::join(&settings(directory.path(), 1, 2)).unwrap());
        assert_eq!(first.join().unwrap(), 2);
    });
}

#[test]
fn numbers_out_of_range_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let error = |part, parts| {
        Spool::join(&settings(directory.path(), part, parts)).unwrap_err().to_string()
    };
    assert_eq!(error(0, 0), "0 parts, expected 1 to 4096");
    assert_eq!(error(0, 4097), "4097 parts, expected 1 to 4096");
    assert_eq!(error(3, 3), "part 3 of 3, expected 0 to 2");
}

/// A process is killed: its lock is gone, or its counter stands still, and it says nothing.
#[test]
fn a_killed_part_is_missed() {
    // Only a process can die so, and `oware tables build --spool` is killed in the tests of the
    // binary. Here a part is as it looks from outside: its lock free, its counter silent.
    let patience = Duration::from_millis(800);
    let directory = tempfile::tempdir().unwrap();
    let results = in_parts(directory.path(), 2, Some(patience), |mut spool| {
        spool.sum(1).unwrap();
        if spool.part() == 1 {
            // From now on the counter cannot be written.
            while fs::create_dir(directory.path().join("part-0001.beat.new")).is_err() {}
            sleep(patience * 3);
            std::mem::forget(spool);
            return None;
        }
        Some(spool.sum(1).unwrap_err().to_string())
    });
    let error = results[0].as_ref().unwrap();
    assert!(error.contains("part 1 is gone"), "{error}");
    assert!(error.contains("part-0001.beat has not changed for 0.8 s"), "{error}");
}

#[test]
fn left_overs_of_killed_runs_are_in_nobodys_way() {
    let directory = tempfile::tempdir().unwrap();
    let in_directory = |name: &str| directory.path().join(name);
    // As killed processes leave it: whole, half-written, and of other makes.
    let hello = "oware spool 1\nnonce 00000000000000aa\nparts 3\nagreed 00000000000000cc\nend\n";
    for part in 0..3 {
        fs::write(in_directory(&format!("part-000{part}.lock")), "").unwrap();
        fs::write(in_directory(&format!("part-000{part}.hello")), hello).unwrap();
        let beat = "oware spool 1\nnonce 00000000000000aa\ncount 7\nend\n";
        fs::write(in_directory(&format!("part-000{part}.beat")), beat).unwrap();
        fs::write(in_directory(&format!("00000000000000cc-5-{part}.data")), "owarexc1").unwrap();
    }
    let run = "oware spool 1\nstate go\nid 00000000000000cc\nnonces aa aa aa\nend\n";
    fs::write(in_directory("run"), run).unwrap();
    fs::write(in_directory("00000000000000cc.ended"), "oware spool 1\npart 1\nwhy fai").unwrap();
    fs::write(in_directory("00000000000000cc-6-1.data.new"), "half").unwrap();
    fs::write(in_directory("part-0001.hello.new"), "half").unwrap();
    fs::write(in_directory("notes.txt"), "of somebody else").unwrap();
    for patience in [None, Some(Duration::from_secs(2))] {
        in_parts(directory.path(), 3, patience, |mut spool| {
            laws::check(&mut spool, 3, 20, 1000);
            spool.leave(Ending::Done);
        });
    }
    let left = left_over(directory.path());
    assert!(!left.iter().any(|name| name.ends_with(".data") || name == "run"), "{left:?}");
    assert!(left.contains(&"notes.txt".to_owned()), "{left:?}");
}

#[test]
fn a_damaged_file_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let results = in_parts(directory.path(), 2, None, |mut spool| {
        if spool.part() == 1 {
            sleep(Duration::from_millis(300));
            let data =
                left_over(directory.path()).into_iter().find(|name| name.ends_with("0.data"));
            let path = directory.path().join(data.unwrap());
            let bytes = fs::read(&path).unwrap();
            for damaged in [bytes[..20].to_vec(), bytes[..bytes.len() - 1].to_vec(), {
                let mut bytes = bytes.clone();
                bytes[9] ^= 1;
                bytes
            }] {
                fs::write(&path, damaged).unwrap();
                let error = spool.exchange(vec![Vec::new(), Vec::new()]).unwrap_err().to_string();
                assert!(error.contains(path.to_str().unwrap()), "{error}");
                assert!(error.contains("of part 0"), "{error}");
            }
            return true;
        }
        spool.exchange(vec![vec![1], vec![2; 100]]).is_ok()
    });
    assert_eq!(results, [true, true]);
}
