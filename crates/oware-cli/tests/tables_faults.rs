//! `oware tables` under faults: killed, interrupted, refused by the system, given damaged tables
//! and bad arguments. Whatever happens, what the manifest lists is whole, and the next build goes
//! on to the same bytes.

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use oware_retro::Target;
use oware_rules::{Rules, TableRules};
use oware_tables::file::read_header;
use oware_tables::set::directory;
use oware_tables::{Layer, Manifest};
use oware_testkit::TestRng;
use support::{build_tables, code, good, oware, run, run_with, stderr, stdout};
use tempfile::TempDir;

/// The highest layer of the undisturbed build.
const LAYERS: &str = "6";
/// Every kind of table.
const ALL: [&str; 3] = ["--convention", "even,low,high", "--distance"];

fn rules() -> TableRules {
    Rules::ABAPA.table_rules()
}

type Files = BTreeMap<String, Vec<u8>>;

/// What an undisturbed build comes to.
struct Reference {
    root: TempDir,
    files: Files,
    /// What it took, and how much of that is the planning before it.
    time: Duration,
    planning: Duration,
}

fn reference() -> &'static Reference {
    static REFERENCE: OnceLock<Reference> = OnceLock::new();
    REFERENCE.get_or_init(|| {
        let root = tempfile::tempdir().unwrap();
        let clock = Instant::now();
        good(&plan_args(text(root.path()), &["--layers", LAYERS]));
        let planning = clock.elapsed();
        let clock = Instant::now();
        good(&build_args(text(root.path()), &["--layers", LAYERS]));
        let time = clock.elapsed();
        let files = files(root.path());
        Reference { root, files, time, planning }
    })
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn plan_args<'a>(dir: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["tables", "plan", "--dir", dir], &ALL[..], more].concat()
}

/// The arguments of a build of every kind of table by one thread.
fn build_args<'a>(dir: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["tables", "build", "--threads", "1", "--dir", dir], &ALL[..], more].concat()
}

/// Builds every kind of table up to a layer without the planning that commands begin with.
#[track_caller]
fn build_on(root: &Path, layers: usize) {
    build_tables(root, rules(), &Target::ALL, layers);
}

/// Runs a command that has to fail with exit code 1, and gives all that it said.
#[track_caller]
fn bad(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(code(&output), 1, "{args:?}: {}", stdout(&output));
    let said = stderr(&output);
    assert!(said.contains("error: "), "{args:?}: {said}");
    said
}

/// Builds to the end and looks at every byte and every board.
#[track_caller]
fn finish(root: &Path) {
    good(&build_args(text(root), &["--layers", LAYERS]));
    compare(&files(root), &reference().files);
}

#[track_caller]
fn verify(root: &Path, more: &[&str]) -> String {
    good(&[&["tables", "verify", "--dir", text(root)], more].concat())
}

/// Every file of the rules' directory but the lock; none if there is no directory.
fn files(root: &Path) -> Files {
    let Ok(entries) = fs::read_dir(directory(root, rules())) else { return Files::new() };
    entries
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .filter(|(name, _)| name != "LOCK")
        .collect()
}

#[track_caller]
fn compare(found: &Files, expected: &Files) {
    let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(found), names(expected));
    for (name, bytes) in found {
        assert!(*bytes == expected[name], "{name} differs");
    }
}

/// What the manifest lists is there, as an undisturbed build has it. Gives how many tables.
#[track_caller]
fn listed_are_whole(root: &Path) -> usize {
    let directory = directory(root, rules());
    let Some(manifest) = Manifest::read(&directory, rules()).unwrap() else { return 0 };
    for entry in &manifest.entries {
        let bytes = fs::read(directory.join(&entry.name)).unwrap();
        assert_eq!(bytes.len() as u64, entry.bytes, "{}", entry.name);
        if let Some(expected) = reference().files.get(&entry.name) {
            assert!(bytes == *expected, "{} differs", entry.name);
        }
    }
    manifest.entries.len()
}

fn leftovers(root: &Path) -> usize {
    files(root).keys().filter(|name| name.ends_with(".new")).count()
}

/// Waits for the end of a process for so long, and `None` when it then still runs.
fn wait(child: &mut Child, most: Duration) -> Option<ExitStatus> {
    let clock = Instant::now();
    loop {
        match child.try_wait().unwrap() {
            Some(status) => return Some(status),
            None if clock.elapsed() >= most => return None,
            None => sleep(Duration::from_millis(1)),
        }
    }
}

/// A build that takes long, once it has told of its first layer: it then holds the lock.
fn long_build(dir: &str) -> (Child, BufReader<std::process::ChildStderr>) {
    let args = ["tables", "build", "--threads", "1", "--dir", dir, "--layers", "17"];
    let mut child = oware(&args).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    assert!(line.starts_with("even"), "{line}");
    (child, said)
}

#[test]
fn killed_at_any_moment() {
    let mut rng = TestRng::from_env("killed_at_any_moment");
    let Reference { files: expected, time, planning, .. } = reference();
    let building = time.saturating_sub(*planning);
    let [planning, building] = [*planning, building].map(|time| time.as_millis() as usize);
    let mut root = tempfile::tempdir().unwrap();
    let (mut killed, mut runs, mut built) = (0, 0, 0);
    while killed < 20 {
        runs += 1;
        assert!(runs < 200, "{killed} of {runs} builds could be killed, with {built} tables");
        let threads = *rng.pick(&["1", "2"]);
        // Layers on disk with checkpoints go on within a layer, those in memory begin it anew.
        let from = *rng.pick(&["0", "18"]);
        let args = ["--layers", LAYERS, "--quiet", "--threads", threads, "--spill-from", from];
        let args = [&args[..], &["--checkpoint", "0"]].concat();
        let args: Vec<&str> =
            [&["tables", "build", "--dir", text(root.path())], &ALL[..], &args].concat();
        // Some while it plans, most while it builds; each goes on where the last one was, so that
        // a part of a build's time reaches all of it in turn.
        let earliest = if rng.one_in(5) { 0 } else { planning };
        let moment = rng.between(earliest, planning + building * 2 / 5 + 20);
        let moment = Duration::from_millis(moment as u64);
        let mut child = oware(&args).spawn().unwrap();
        if let Some(status) = wait(&mut child, moment) {
            // It was faster: a whole build, in several pieces.
            assert!(status.success(), "{status}");
            compare(&files(root.path()), expected);
            root = tempfile::tempdir().unwrap();
            continue;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        killed += 1;
        built += listed_are_whole(root.path());
    }
    finish(root.path());
    assert_eq!(leftovers(root.path()), 0);
    verify(root.path(), &ALL[..2]);
}

#[test]
fn two_builders() {
    let root = tempfile::tempdir().unwrap();
    let (mut first, mut said) = long_build(text(root.path()));
    let refused = bad(&build_args(text(root.path()), &["--layers", LAYERS]));
    assert!(refused.contains("another program is building tables here"), "{refused}");
    assert!(refused.contains(text(root.path())), "{refused}");
    // The first one was not disturbed, and nothing is lost when it goes.
    assert_eq!(first.try_wait().unwrap(), None);
    first.kill().unwrap();
    first.wait().unwrap();
    said.read_to_string(&mut String::new()).unwrap();
    assert!(listed_are_whole(root.path()) > 0);
    good(&build_args(text(root.path()), &["--layers", LAYERS]));
    assert!(listed_are_whole(root.path()) >= reference().files.len() - 1);
    verify(root.path(), &ALL[..2]);
}

#[test]
fn too_little_memory() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("tables");
    let said = bad(&build_args(text(&dir), &["--layers", "9", "--memory", "1M"]));
    assert!(said.contains("memory: ") && said.contains("1.00 MiB available"), "{said}");
    assert!(said.contains("not even layer 0 would fit"), "{said}");
    let said = bad(&build_args(text(&dir), &["--layers", "30", "--memory", "100M"]));
    let would = said.split_once("; --layers ").expect(&said).1;
    let would = would.split_once(" would fit").expect(&said).0;
    let plan = good(&plan_args(text(&dir), &["--layers", would, "--memory", "100M"]));
    assert!(plan.contains("It fits."), "{would}: {plan}");
    assert!(!dir.exists());
}

/// A copy of the undisturbed build's layers up to 4.
fn small() -> TempDir {
    static SMALL: OnceLock<TempDir> = OnceLock::new();
    let small = SMALL.get_or_init(|| {
        let root = tempfile::tempdir().unwrap();
        build_on(root.path(), 4);
        root
    });
    let root = tempfile::tempdir().unwrap();
    let to = directory(root.path(), rules());
    fs::create_dir(&to).unwrap();
    for (name, bytes) in files(small.path()) {
        fs::write(to.join(name), bytes).unwrap();
    }
    root
}

/// Probes every board of a layer; gives the exit code and all that was said.
fn probe_all(root: &Path, seeds: usize) -> (i32, String) {
    let line = |houses: [u8; 12]| format!("{{\"houses\":{houses:?}}}\n");
    let input: String = Layer::new(seeds).boards().map(line).collect();
    let args = ["tables", "probe", "--json", "--dir", text(root)];
    let output = run_with(&args, input.as_bytes());
    (code(&output), stdout(&output))
}

#[test]
fn a_flipped_byte() {
    let mut rng = TestRng::from_env("a_flipped_byte");
    for in_header in [true, false].repeat(3) {
        let root = small();
        let dir = text(root.path());
        let directory = directory(root.path(), rules());
        let kind = *rng.pick(&["even", "low", "high", "even-distance", "high-distance"]);
        let seeds = rng.between(1, 4);
        let name = format!("{kind}-{seeds:02}.owt");
        let path = directory.join(&name);
        let mut bytes = fs::read(&path).unwrap();
        let header = read_header(&path).unwrap().1;
        let tiles: usize = header.tiles.iter().map(|&length| usize::from(length) + 4).sum();
        let start = bytes.len() - tiles;
        let place = if in_header { rng.below(start) } else { rng.between(start, bytes.len() - 1) };
        bytes[place] ^= rng.between(1, 255) as u8;
        fs::write(&path, bytes).unwrap();

        let what = format!("{name}, byte {place}");
        let convention = kind.trim_end_matches("-distance");
        let told = |said: &str| assert!(said.contains(&name), "{what}: {said}");
        told(&bad(&["tables", "verify", "--dir", dir, "--convention", convention]));
        let (code, said) = probe_all(root.path(), seeds);
        // Answers need even distances alone.
        if in_header || kind != "high-distance" {
            assert_eq!(code, 1, "{what}");
            told(&said);
        }
        if in_header {
            told(&bad(&stats_args(dir, kind)));
        }
        // What stands in other tables is told as ever.
        good(&["tables", "probe", "--dir", dir, "0 0 0 0 0 0 0 0 0 0 0 0"]);
        // A build reads the values that it needs.
        if !kind.ends_with("-distance") {
            told(&bad(&build_args(dir, &["--layers", "5"])));
        }
    }
}

#[test]
fn a_damaged_manifest() {
    let root = small();
    let dir = text(root.path());
    let path = directory(root.path(), rules()).join("MANIFEST");
    let mut bytes = fs::read(&path).unwrap();
    let place = bytes.len() / 2;
    bytes[place] ^= 1;
    fs::write(&path, bytes).unwrap();
    let before = files(root.path());
    for args in [
        &build_args(dir, &["--layers", "5"])[..],
        &plan_args(dir, &["--layers", "5"]),
        &["tables", "verify", "--dir", dir],
        &["tables", "stats", "--dir", dir],
        &["tables", "list", "--dir", dir],
        &["tables", "probe", "--dir", dir, "1 0 0 0 0 0 0 0 0 0 0 0"],
    ] {
        let said = bad(args);
        assert!(said.contains("MANIFEST: damaged: "), "{args:?}: {said}");
    }
    compare(&files(root.path()), &before);
}

/// Counts of all layers of one kind of tables.
fn stats_args<'a>(dir: &'a str, kind: &'a str) -> Vec<&'a str> {
    let convention = kind.trim_end_matches("-distance");
    let mut args = vec!["tables", "stats", "--dir", dir, "--convention", convention];
    args.extend((convention != kind).then_some("--distance"));
    args
}

#[test]
fn a_missing_or_cut_table_is_made_again() {
    let mut rng = TestRng::from_env("a_missing_or_cut_table_is_made_again");
    let root = small();
    let dir = text(root.path());
    let expected = files(root.path());
    for round in 0..6 {
        let missing = round % 2 == 0;
        let kind = *rng.pick(&["even", "low", "high", "even-distance", "high-distance"]);
        let name = format!("{kind}-{:02}.owt", rng.between(0, 4));
        let path = directory(root.path(), rules()).join(&name);
        let cut = match missing {
            true => fs::remove_file(&path),
            false => fs::write(&path, &expected[&name][..rng.below(expected[&name].len())]),
        };
        cut.unwrap();
        for args in [&stats_args(dir, kind)[..], &["tables", "verify", "--dir", dir]] {
            let said = bad(args);
            assert!(said.contains(&name), "{name}: {said}");
        }
        // A board of a layer that is whole.
        good(&["tables", "probe", "--dir", dir, "1 1 1 1 1 0 0 0 0 0 0 0"]);
        match round {
            0 | 1 => drop(good(&build_args(dir, &["--layers", "4"]))),
            _ => build_on(root.path(), 4),
        }
        compare(&files(root.path()), &expected);
    }
}

#[test]
fn bad_arguments_name_the_field() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("tables");
    for (args, parts) in [
        (&["--layers", "49"][..], ["--layers", "49"]),
        (&["--layers", "x"], ["--layers", "x"]),
        (&["--layers=-1"], ["--layers", "-1"]),
        (&["--layers", "3", "--convention", "odd"], ["--convention", "odd"]),
        (&["--layers", "3", "--convention", "even,"], ["--convention", "even, low or high"]),
        (&["--layers", "3", "--rules", "nonsense"], ["--rules", "nonsense"]),
        (&["--layers", "3", "--memory", "1T"], ["--memory", "1T"]),
        (&["--layers", "3", "--memory", "99999999999999G"], ["--memory", "99999999999999G"]),
        (&["--layers", "3", "--threads", "0"], ["--threads", "0"]),
        (&["--layers", "3", "--frob"], ["--frob", "unexpected"]),
        (&[], ["--layers", "is needed"]),
    ] {
        for command in ["build", "plan"] {
            let output = run(&[&["tables", command, "--dir", text(&dir)], args].concat());
            let said = stderr(&output);
            assert_eq!((code(&output), stdout(&output)), (2, String::new()), "{args:?}: {said}");
            for part in parts {
                assert!(said.contains(part), "{command} {args:?}: {said}");
            }
        }
    }
    assert!(!dir.exists());
}

#[test]
fn a_file_where_a_directory_should_be() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("file");
    fs::write(&file, "kept").unwrap();
    for dir in [file.clone(), file.join("below")] {
        let said = bad(&build_args(text(&dir), &["--layers", "3"]));
        assert!(said.contains(text(&dir)), "{said}");
        // Once, not as a cause of itself.
        assert_eq!(said.matches("os error").count(), 1, "{said}");
    }
    assert_eq!(fs::read(&file).unwrap(), b"kept");
}

#[test]
fn a_directory_where_a_file_should_be() {
    for (name, layers) in
        [("low-05.owt", "5"), ("MANIFEST", "4"), ("LOCK", "4"), ("even-distance-05.owt.new", "5")]
    {
        let root = small();
        let path = directory(root.path(), rules()).join(name);
        if path.exists() {
            fs::remove_file(&path).unwrap();
        }
        fs::create_dir_all(path.join("within")).unwrap();
        let said = bad(&build_args(text(root.path()), &["--layers", layers]));
        assert!(said.contains(name), "{name}: {said}");
        fs::remove_dir_all(&path).unwrap();
        build_on(root.path(), 5);
        let found = files(root.path());
        assert!(
            found
                .iter()
                .all(|(name, bytes)| { name == "MANIFEST" || *bytes == reference().files[name] })
        );
        assert_eq!(found.len(), 6 * 6 + 1);
    }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::PermissionsExt;
    use std::process::{Command, Output};

    use super::*;

    /// Runs the binary from a shell, which first does what `setup` says.
    fn run_after(setup: &str, args: &[&str]) -> Output {
        let program = env!("CARGO_BIN_EXE_oware");
        let script = format!("{setup}; exec \"$0\" \"$@\"");
        Command::new("sh")
            .args(["-c", &script, program])
            .args(args)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    #[track_caller]
    fn send(signal: &str, child: &Child) {
        let kill = format!("kill -s {signal} {}", child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    }

    #[test]
    fn signals_stop_a_build() {
        let mut rng = TestRng::from_env("signals_stop_a_build");
        let root = tempfile::tempdir().unwrap();
        for signal in ["INT", "TERM"] {
            let (mut child, mut said) = long_build(text(root.path()));
            sleep(Duration::from_millis(rng.between(0, 200) as u64));
            send(signal, &child);
            let status = wait(&mut child, Duration::from_secs(60)).expect("it stops");
            let mut rest = String::new();
            said.read_to_string(&mut rest).unwrap();
            assert_eq!(status.code(), Some(130), "{signal}: {rest}");
            assert!(rest.contains("stopped; the same command goes on"), "{signal}: {rest}");
            assert_eq!(leftovers(root.path()), 0);
            assert!(listed_are_whole(root.path()) > 0);
        }
        good(&build_args(text(root.path()), &["--layers", LAYERS]));
        assert!(listed_are_whole(root.path()) >= reference().files.len() - 1);
    }

    /// A limit on the size of files that rises from build to build: each fails a little later.
    #[test]
    fn files_that_cannot_grow() {
        let mut rng = TestRng::from_env("files_that_cannot_grow");
        let root = tempfile::tempdir().unwrap();
        let args = build_args(text(root.path()), &["--layers", LAYERS]);
        let (mut before, mut failed, mut limit) = (0, 0, 1);
        loop {
            let setup = format!("ulimit -f {limit}; trap '' XFSZ");
            let output = run_after(&setup, &args);
            let said = stderr(&output);
            if code(&output) == 0 {
                break;
            }
            assert_eq!(code(&output), 1, "{limit}: {said}");
            failed += 1;
            let fault = said.lines().last().unwrap();
            let named = fault.contains(".owt: ") || fault.contains("MANIFEST: ");
            assert!(fault.starts_with("error: ") && named, "{limit}: {said}");
            assert!(fault.contains(text(root.path())), "{limit}: {said}");
            assert_eq!(leftovers(root.path()), 0, "{limit}: {said}");
            let whole = listed_are_whole(root.path());
            assert!(whole >= before, "{limit}: {before} tables were listed, now {whole}");
            before = whole;
            limit += rng.between(1, limit);
        }
        assert!(failed >= 2 && before > 0, "{failed} builds failed, {before} tables were listed");
        finish(root.path());
    }

    /// Runs a build on a file system of its own in memory, and gives its output and what is on
    /// there afterwards; `None` where such a thing is not to be had.
    fn build_within(options: &str, layers: &str) -> Option<(Output, TempDir)> {
        const SCRIPT: &str = "mount -t tmpfs -o \"$0\" none \"$1\" || exit 77; echo mounted; \
            from=$1; to=$2; shift 2; \"$@\"; code=$?; cp -R \"$from/.\" \"$to\"; exit $code";
        let [place, after] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let build = build_args(text(place.path()), &["--layers", layers]);
        let output = Command::new("unshare")
            .args(["--map-root-user", "--mount", "sh", "-c", SCRIPT, options])
            .args([text(place.path()), text(after.path()), env!("CARGO_BIN_EXE_oware")])
            .args(build)
            .stdin(Stdio::null())
            .output()
            .ok()?;
        (stdout(&output) == "mounted\n").then_some((output, after))
    }

    #[test]
    fn a_disk_that_gets_full() {
        // Room for the bytes, and not for so many files.
        let Some((output, after)) = build_within("size=64m,nr_inodes=20", LAYERS) else { return };
        let said = stderr(&output);
        assert_eq!(code(&output), 1, "{said}");
        let fault = said.lines().last().unwrap();
        let named = fault.contains(".owt: ") || fault.contains("MANIFEST: ");
        assert!(named && fault.contains("No space left on device"), "{said}");
        assert_eq!(leftovers(after.path()), 0);
        assert!(listed_are_whole(after.path()) > 5, "{said}");
        finish(after.path());
    }

    #[test]
    fn a_disk_that_is_too_small() {
        let Some((output, after)) = build_within("size=64k", "12") else { return };
        let said = stderr(&output);
        assert_eq!(code(&output), 1, "{said}");
        assert!(said.contains("error: disk: ") && said.contains("64.0 KiB available"), "{said}");
        assert!(said.contains("; --layers ") && said.contains(" would fit"), "{said}");
        assert_eq!(fs::read_dir(after.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_directory_that_cannot_be_written() {
        let root = small();
        let closed = directory(root.path(), rules());
        let before = files(root.path());
        let permit = |mode| {
            fs::set_permissions(&closed, fs::Permissions::from_mode(mode)).unwrap();
        };
        permit(0o555);
        // Permissions do not bind everybody.
        let binding = fs::File::create(closed.join("probe")).is_err();
        if binding {
            let said = bad(&build_args(text(root.path()), &["--layers", "5"]));
            assert!(said.contains(text(&closed)) && said.contains("denied"), "{said}");
        }
        permit(0o755);
        let _ = fs::remove_file(closed.join("probe"));
        compare(&files(root.path()), &before);
    }

    #[test]
    fn output_that_cannot_be_written() {
        if !Path::new("/dev/full").exists() {
            return;
        }
        let dir = text(reference().root.path());
        for command in ["stats", "list"] {
            let args = ["tables", command, "--dir", dir];
            let output = run_after("exec > /dev/full", &args);
            assert_eq!(code(&output), 1, "{command:?}");
            assert!(stderr(&output).contains("No space left"), "{}", stderr(&output));
        }
    }
}
