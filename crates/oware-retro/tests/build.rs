//! Directories of tables: built, stopped, built on, verified, damaged.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use oware_retro::{
    BuildError, BuildEvent, BuildJob, RecodeJob, SolveError, Target, VerifyError, VerifyJob, build,
    recode, verify,
};
use oware_rules::{Board, Rules, SowingBoard, TableRules};
use oware_tables::codec::Features;
use oware_tables::set::{directory, lock_for_writing};
use oware_tables::{
    Convention, Kind, Layer, Manifest, Mode, Subject, TableError, TableFile, TableSet,
};
use oware_testkit::TestRng;

const BOTH: [Target; 2] = [Target::Even, Target::Bounds];

/// What a test changes about a build.
#[derive(Clone, Copy)]
struct Options {
    targets: &'static [Target],
    distances: bool,
    threads: usize,
    mode: Mode,
    /// A layer at whose beginning the stop flag is set.
    stop_at: Option<usize>,
}

const PLAIN: Options =
    Options { targets: &BOTH, distances: true, threads: 1, mode: Mode::Tables, stop_at: None };

fn run(root: &Path, rules: TableRules, layers: usize, options: Options) {
    try_run(root, rules, layers, options).unwrap();
}

fn try_run(
    root: &Path,
    rules: TableRules,
    layers: usize,
    options: Options,
) -> Result<(), BuildError> {
    let stop = AtomicBool::new(false);
    let tell = |event: &BuildEvent| match event {
        BuildEvent::Begin { seeds, .. } if options.stop_at == Some(*seeds) => {
            stop.store(true, Relaxed);
        }
        _ => (),
    };
    let Options { targets, distances, threads, mode, .. } = options;
    let job = BuildJob::quiet(root, rules, targets, layers);
    build(&BuildJob { distances, threads, mode, stop: &stop, tell: &tell, ..job })
}

fn check(root: &Path, rules: TableRules) -> Result<(), VerifyError> {
    verify(&VerifyJob {
        root,
        rules,
        targets: &BOTH,
        layers: None,
        threads: 2,
        stop: &AtomicBool::new(false),
        tell: &|layer| assert!(layer.proved),
    })
}

/// Every file of the rules' directory but the lock.
fn files(root: &Path, rules: TableRules) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(directory(root, rules))
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .filter(|(name, _)| name != "LOCK")
        .collect()
}

#[test]
fn threads_and_stops_leave_the_same_bytes() {
    let rules = Rules::ABAPA.table_rules();
    let roots: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
    run(roots[0].path(), rules, 10, PLAIN);
    run(roots[1].path(), rules, 10, Options { threads: 2, ..PLAIN });
    // Stopped in the middle of every layer, then built on.
    for layer in [0, 3, 7, 9, 10] {
        let options = Options { stop_at: Some(layer), ..PLAIN };
        let stopped = try_run(roots[2].path(), rules, 10, options);
        let as_asked = matches!(stopped, Err(BuildError::Solve(SolveError::Stopped)));
        assert!(as_asked, "{layer}: {stopped:?}");
    }
    run(roots[2].path(), rules, 10, PLAIN);
    let all: Vec<_> = roots.iter().map(|root| files(root.path(), rules)).collect();
    assert_eq!(all[0].len(), 6 * 11 + 1);
    assert!(all[0] == all[1], "two threads");
    assert!(all[0] == all[2], "stopped and built on");
    check(roots[0].path(), rules).unwrap();
}

#[test]
fn archives_hold_the_same() {
    let rules = Rules::AWARI.table_rules();
    let [tables, archive] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    run(tables.path(), rules, 6, PLAIN);
    run(archive.path(), rules, 6, Options { mode: Mode::Archive, ..PLAIN });
    check(tables.path(), rules).unwrap();
    check(archive.path(), rules).unwrap();
    let [ours, theirs] =
        [&tables, &archive].map(|root| TableSet::open(root.path(), rules).unwrap());
    for (kind, seeds) in ours.tables() {
        let file = ours.file(kind, seeds).unwrap().unwrap();
        let subject = file.header().subject;
        let other = theirs.file(subject.kind, subject.seeds).unwrap().unwrap();
        assert_eq!(file.header().content, other.header().content);
        assert!(matches!(other.probe(&[0; 12]), Err(TableError::Archive { .. })));
    }
}

#[test]
fn tables_become_archives_and_tables_again() {
    let rules = Rules::ABAPA.table_rules();
    let [first, archive, again] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    run(first.path(), rules, 7, PLAIN);
    let make = |from: &Path, to: &Path, mode| {
        recode(&RecodeJob {
            from,
            to,
            rules,
            targets: &BOTH,
            distances: true,
            layers: None,
            mode,
            threads: 2,
            stop: &AtomicBool::new(false),
            tell: &|_, _, _| (),
        })
        .unwrap();
    };
    make(first.path(), archive.path(), Mode::Archive);
    make(archive.path(), again.path(), Mode::Tables);
    assert!(files(first.path(), rules) == files(again.path(), rules));
    assert!(files(first.path(), rules) != files(archive.path(), rules));
    // An archive is built on as well as tables are.
    run(archive.path(), rules, 8, Options { mode: Mode::Archive, ..PLAIN });
    check(archive.path(), rules).unwrap();
}

#[test]
fn every_board_is_probed_as_it_was_solved() {
    let rules = Rules::ABAPA.table_rules();
    let root = tempfile::tempdir().unwrap();
    run(root.path(), rules, 7, PLAIN);
    let set = TableSet::open(root.path(), rules).unwrap();
    assert_eq!(set.highest(Kind::value(Convention::Low)), Some(7));
    for seeds in 0..=7 {
        for convention in Convention::ALL {
            for kind in [Kind::value(convention), Kind::distance(convention)] {
                let whole = set.file(kind, seeds).unwrap().unwrap().read_all(None, 1).unwrap();
                for (houses, byte) in Layer::new(seeds).boards().zip(whole) {
                    assert_eq!(
                        set.file(kind, seeds).unwrap().unwrap().probe(&houses).unwrap(),
                        byte
                    );
                }
            }
        }
    }
    let [low, even, high] = [Convention::Low, Convention::Even, Convention::High]
        .map(|convention| set.value(convention, &[0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]).unwrap());
    assert_eq!([low, even, high], [Some(-1); 3]);
    assert_eq!(set.value(Convention::Even, &[4; 12]).unwrap(), None);
}

/// Reads everything there is in the file of this name, as a user of it would.
fn read_file(root: &Path, rules: TableRules, name: &str) -> Result<(), TableError> {
    let directory = directory(root, rules);
    if name == "MANIFEST" {
        return Manifest::read(&directory, rules).map(|_| ());
    }
    let (kind, seeds) = name.trim_end_matches(".owt").rsplit_once('-').unwrap();
    let kind = Kind::all().find(|other| other.name() == kind).unwrap();
    let seeds = seeds.parse().unwrap();
    let features = Arc::new(Features::new(seeds, rules));
    let subject = Subject { rules, kind, seeds };
    TableFile::open(&directory.join(name), &subject, features)?.read_all(None, 1).map(|_| ())
}

#[test]
fn a_changed_bit_anywhere_is_found_and_named() {
    let rules = Rules::ABAPA.table_rules();
    let root = tempfile::tempdir().unwrap();
    run(root.path(), rules, 2, Options { targets: &[Target::Even], ..PLAIN });
    let directory = directory(root.path(), rules);
    let all = files(root.path(), rules);
    for name in ["even-02.owt", "even-00.owt", "even-distance-02.owt", "MANIFEST"] {
        let (path, sound) = (directory.join(name), &all[name]);
        for bit in 0..sound.len() * 8 {
            let mut damaged = sound.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &damaged).unwrap();
            let found = read_file(root.path(), rules, name);
            let message = found.expect_err(&format!("{name}, bit {bit}")).to_string();
            assert!(message.contains(name), "{name}, bit {bit}: {message}");
        }
        for length in (0..sound.len()).chain([sound.len() + 1]) {
            let mut cut = sound.clone();
            cut.resize(length, 0);
            fs::write(&path, &cut).unwrap();
            let found = read_file(root.path(), rules, name);
            let message = found.expect_err(&format!("{name}, {length} bytes")).to_string();
            assert!(message.contains(name), "{name}, {length} bytes: {message}");
        }
        fs::write(&path, sound).unwrap();
        read_file(root.path(), rules, name).unwrap();
    }
}

#[test]
fn random_bits_of_a_larger_table_are_found() {
    let mut rng = TestRng::from_env("random_bits_of_a_larger_table_are_found");
    let rules = Rules::ABAPA.table_rules();
    let root = tempfile::tempdir().unwrap();
    run(root.path(), rules, 11, Options { targets: &[Target::Even], distances: false, ..PLAIN });
    let path = directory(root.path(), rules).join("even-11.owt");
    let sound = fs::read(&path).unwrap();
    for _ in 0..300 {
        let bit = rng.below(sound.len() * 8);
        let mut damaged = sound.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &damaged).unwrap();
        let found = read_file(root.path(), rules, "even-11.owt");
        assert!(
            matches!(
                found,
                Err(TableError::Damaged { .. }
                    | TableError::Foreign { .. }
                    | TableError::Version { .. }
                    | TableError::NotATable { .. })
            ),
            "bit {bit}: {found:?}"
        );
    }
}

#[test]
fn swapped_and_foreign_and_future_tables_are_refused() {
    let rules = Rules::ABAPA.table_rules();
    let other = Rules::AWARI.table_rules();
    let root = tempfile::tempdir().unwrap();
    run(root.path(), rules, 3, PLAIN);
    run(root.path(), other, 3, PLAIN);
    let (ours, theirs) = (directory(root.path(), rules), directory(root.path(), other));
    let refused = |message: &str| {
        let error = TableSet::open(root.path(), rules)
            .and_then(|set| set.open_all())
            .unwrap_err()
            .to_string();
        assert!(error.contains(message), "{error}");
    };
    let sound = fs::read(ours.join("even-03.owt")).unwrap();
    fs::copy(theirs.join("even-03.owt"), ours.join("even-03.owt")).unwrap();
    refused("a table of even, layer 3, rules grand_slam=captures");
    fs::copy(ours.join("low-03.owt"), ours.join("even-03.owt")).unwrap();
    refused("a table of low, layer 3");
    let mut future = sound.clone();
    future[8] = 2;
    fs::write(ours.join("even-03.owt"), &future).unwrap();
    refused("table format 2, and this program reads format 1");
    fs::write(ours.join("even-03.owt"), b"hello").unwrap();
    refused("not an Oware table");
    fs::write(ours.join("even-03.owt"), &sound).unwrap();
    fs::copy(theirs.join("MANIFEST"), ours.join("MANIFEST")).unwrap();
    refused("expected rules grand_slam=no_capture");
}

#[test]
fn two_builders_do_not_share_a_directory() {
    let rules = Rules::ABAPA.table_rules();
    let root = tempfile::tempdir().unwrap();
    let lock = lock_for_writing(&directory(root.path(), rules)).unwrap();
    let busy = try_run(root.path(), rules, 2, PLAIN);
    assert!(matches!(busy, Err(BuildError::Table(TableError::Busy { .. }))), "{busy:?}");
    drop(lock);
    run(root.path(), rules, 2, PLAIN);
}

#[test]
fn a_wrong_value_in_sound_files_is_found_by_verification() {
    let rules = Rules::ABAPA.table_rules();
    let layers: Vec<usize> = (0..=5).collect();
    // The same tables with one value, then one distance, changed before writing.
    for (kind, wrong) in [(Kind::value(Convention::Even), 1), (Kind::distance(Convention::Low), 3)]
    {
        let root = tempfile::tempdir().unwrap();
        run(root.path(), rules, 5, PLAIN);
        let set = TableSet::open(root.path(), rules).unwrap();
        let mut bytes =
            set.file(kind, *layers.last().unwrap()).unwrap().unwrap().read_all(None, 1).unwrap();
        let place = bytes.iter().position(|&byte| byte != wrong && byte != 255).unwrap();
        bytes[place] = wrong;
        common::replace_table(root.path(), rules, kind, 5, &mut bytes);
        let found = check(root.path(), rules);
        assert!(matches!(found, Err(VerifyError::Board { .. })), "{found:?}");
    }
}

#[test]
fn values_that_support_each_other_in_a_circle_are_found() {
    // The draws of layer 2 go round; +1 and -1 in turns fit each other just as well as 0.
    let rules = Rules::ABAPA.table_rules();
    let root = tempfile::tempdir().unwrap();
    run(root.path(), rules, 2, PLAIN);
    let set = TableSet::open(root.path(), rules).unwrap();
    let kind = Kind::value(Convention::Even);
    let mut bytes = set.file(kind, 2).unwrap().unwrap().read_all(None, 1).unwrap();
    let layer = Layer::new(2);
    let drawn: Vec<usize> = (0..bytes.len()).filter(|&index| bytes[index] == 0).collect();
    // Colours of a walk over moves without capture, until every draw has one.
    let mut colours = BTreeMap::new();
    for &start in &drawn {
        let mut open = vec![(start, 1i8)];
        while let Some((index, colour)) = open.pop() {
            if colours.contains_key(&index) {
                continue;
            }
            colours.insert(index, colour);
            let board = Board::from_houses(layer.board(index as u64).unwrap()).unwrap();
            for mv in board.legal(&Rules::ABAPA) {
                let after = layer.index(&board.sow(mv, &Rules::ABAPA).board.houses());
                open.extend(
                    after
                        .map(|after| (after as usize, -colour))
                        .filter(|(after, _)| drawn.contains(after)),
                );
            }
        }
    }
    for (&index, &colour) in &colours {
        bytes[index] = colour as u8;
    }
    common::replace_table(root.path(), rules, kind, 2, &mut bytes);
    let found = check(root.path(), rules);
    // Every value fits its neighbours: it is the distances that are missing.
    assert!(matches!(found, Err(VerifyError::Board { what: "distance", .. })), "{found:?}");
}

mod common {
    use super::*;
    use oware_tables::manifest::Entry;
    use oware_tables::set::file_name;
    use oware_tables::{Written, write_table};

    /// Puts a table in place of another, with all hashes as they should be.
    pub(crate) fn replace_table(
        root: &Path,
        rules: TableRules,
        kind: Kind,
        seeds: usize,
        bytes: &mut [u8],
    ) {
        let directory = directory(root, rules);
        let mut manifest = Manifest::read(&directory, rules).unwrap().unwrap();
        let name = file_name(kind, seeds);
        let subject = Subject { rules, kind, seeds };
        let features = Features::new(seeds, rules);
        let path = directory.join(&name);
        let written = write_table(&path, &subject, &features, bytes, None, 1).unwrap();
        let old: Vec<Entry> = std::mem::take(&mut manifest.entries);
        for entry in old {
            let replaced = (entry.kind, entry.seeds) == (kind, seeds);
            let Written { content, file, bytes, .. } = written;
            manifest.entries.push(match replaced {
                true => Entry { content, file, bytes, ..entry },
                false => entry,
            });
        }
        // Chains from the bottom up, values before distances.
        let mut order: Vec<(usize, Kind)> =
            manifest.entries.iter().map(|entry| (entry.seeds, entry.kind)).collect();
        order.sort_by_key(|(seeds, kind)| (*seeds, kind.quantity, kind.convention));
        for (seeds, kind) in order {
            let entry = manifest.entry(kind, seeds).unwrap().clone();
            let chain = manifest.chain(kind, seeds, &entry.content).unwrap();
            manifest.put(Entry { chain, ..entry });
        }
        manifest.write(&directory).unwrap();
    }
}
