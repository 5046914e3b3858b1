//! Tables that are probed through a cache, one board at a time or several: whatever its size, the
//! answers are those of the table, and a fault is an error as often as it is met.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use oware_rules::{Rules, TableRules};
use oware_tables::codec::Features;
use oware_tables::manifest::{Entry, Manifest};
use oware_tables::set::{directory, file_name};
use oware_tables::{
    Convention, Houses, Kind, Layer, Subject, TableError, TableSet, TileCache, Written, write_table,
};
use oware_testkit::TestRng;
use tempfile::TempDir;

/// The highest layer here: some hundred tiles.
const MOST: usize = 7;
/// Caches: none, of one set, of a few, with room for all.
const LIMITS: [u64; 4] = [0, 2_000, 20_000, 10 << 20];

fn rules() -> TableRules {
    Rules::ABAPA.table_rules()
}

fn even() -> Kind {
    Kind::value(Convention::Even)
}

/// Tables of values that nobody solved, which look a little like values.
struct Made {
    root: TempDir,
    /// By seeds.
    content: Vec<Vec<u8>>,
}

impl Made {
    fn new(rng: &mut TestRng) -> Made {
        let root = tempfile::tempdir().unwrap();
        let folder = directory(root.path(), rules());
        fs::create_dir_all(&folder).unwrap();
        let features = Features::new(MOST, rules());
        let mut manifest = Manifest::read_or_new(&folder, rules()).unwrap();
        let mut content = Vec::new();
        for seeds in 0..=MOST {
            let subject = Subject { rules: rules(), kind: even(), seeds };
            let different = 2 * seeds + 1;
            let value = |_| (rng.below(different) as i8 - seeds as i8) as u8;
            let bytes: Vec<u8> = (0..Layer::new(seeds).size()).map(value).collect();
            let (name, kind) = (file_name(even(), seeds), even());
            let path = folder.join(&name);
            let written = write_table(&path, &subject, &features, &bytes, None, 1).unwrap();
            let Written { bytes: length, file, content: hash, .. } = written;
            let chain = manifest.chain(kind, seeds, &hash).unwrap();
            manifest.put(Entry { kind, seeds, name, bytes: length, file, content: hash, chain });
            content.push(bytes);
        }
        manifest.write(&folder).unwrap();
        Made { root, content }
    }

    fn open(&self, limit: u64) -> TableSet {
        let cache = Arc::new(TileCache::new(limit));
        TableSet::open_with(self.root.path(), rules(), cache).unwrap()
    }

    fn path(&self, seeds: usize) -> PathBuf {
        directory(self.root.path(), rules()).join(file_name(even(), seeds))
    }

    fn random(&self, rng: &mut TestRng) -> (Houses, i8) {
        let layer = Layer::new(rng.below(MOST + 1));
        let index = rng.next_u64() % layer.size();
        let value = self.content[layer.seeds()][index as usize] as i8;
        (layer.board(index).unwrap(), value)
    }
}

#[test]
fn answers_do_not_depend_on_the_cache() {
    let mut rng = TestRng::from_env("answers_do_not_depend_on_the_cache");
    let made = Made::new(&mut rng);
    for limit in LIMITS {
        let set = made.open(limit);
        let boards: Vec<(Houses, i8)> = (0..3_000).map(|_| made.random(&mut rng)).collect();
        std::thread::scope(|scope| {
            let set = &set;
            for part in boards.chunks(1_000) {
                scope.spawn(move || {
                    for (houses, value) in part.iter().chain(part) {
                        let found = set.value(Convention::Even, houses).unwrap();
                        assert_eq!(found, Some(*value), "{houses:?}, cache of {limit}");
                        assert!(set.cache().bytes() <= limit.max(200));
                    }
                });
            }
        });
        let counts = set.cache().counts();
        assert_eq!(counts.hits > 0, limit > 0);
        assert_eq!(counts.evicted > 0, limit > 0 && limit < 1 << 20, "{:?}", set.cache());
    }
}

#[test]
fn several_boards_have_the_values_of_each() {
    let mut rng = TestRng::from_env("several_boards_have_the_values_of_each");
    let made = Made::new(&mut rng);
    for limit in LIMITS {
        let set = made.open(limit);
        for _ in 0..300 {
            let boards: Vec<(Houses, i8)> =
                (0..rng.below(9)).map(|_| made.random(&mut rng)).collect();
            let asked: Vec<(Kind, Houses)> =
                boards.iter().map(|&(houses, _)| (even(), houses)).collect();
            let found = set.bytes_of(&asked).unwrap();
            let values: Vec<Option<u8>> =
                boards.iter().map(|&(_, value)| Some(value as u8)).collect();
            assert_eq!(found, values, "{boards:?}, cache of {limit}");
        }
        let mut missing = [0; 12];
        missing[0] = MOST as u8 + 1;
        let low = (Kind::value(Convention::Low), [0; 12]);
        let asked = [(even(), missing), low, (even(), [0; 12])];
        assert_eq!(set.bytes_of(&asked).unwrap(), [None, None, Some(0)]);
    }
}

#[test]
fn a_damaged_tile_is_an_error_each_time_and_never_kept() {
    let mut rng = TestRng::from_env("a_damaged_tile_is_an_error_each_time");
    let made = Made::new(&mut rng);
    let path = made.path(MOST);
    let sound = fs::read(&path).unwrap();
    // All tiles, as they come after the lengths.
    let header = oware_tables::header::Header::from_slice(&path, &sound).unwrap();
    let tiles: usize = header.tiles.iter().map(|&length| usize::from(length) + 4).sum();
    for limit in LIMITS {
        let set = made.open(limit);
        set.open_all().unwrap();
        let mut bytes = sound.clone();
        let start = bytes.len() - tiles;
        bytes[start..].iter_mut().for_each(|byte| *byte ^= 0x55);
        // In place, so that the open file is the one that changes.
        fs::write(&path, &bytes).unwrap();
        let layer = Layer::new(MOST);
        let boards: Vec<u64> = (0..50).map(|_| rng.next_u64() % layer.size()).collect();
        for _ in 0..3 {
            for &index in &boards {
                let houses = layer.board(index).unwrap();
                let told = |error: TableError| {
                    assert!(error.to_string().contains("damaged: the checksum of tile"), "{error}");
                };
                told(set.value(Convention::Even, &houses).unwrap_err());
                told(set.bytes_of(&[(even(), [0; 12]), (even(), houses)]).unwrap_err());
            }
        }
        fs::write(&path, &sound).unwrap();
        for index in boards {
            let houses = layer.board(index).unwrap();
            let value = set.value(Convention::Even, &houses).unwrap();
            assert_eq!(value, Some(made.content[MOST][index as usize] as i8));
        }
    }
}

/// An open table stays the one that was opened, whatever becomes of its name.
#[cfg(unix)]
#[test]
fn a_file_may_be_replaced_or_removed_while_it_is_open() {
    let mut rng = TestRng::from_env("a_file_may_be_replaced_or_removed");
    let (made, other) = (Made::new(&mut rng), Made::new(&mut rng));
    for limit in LIMITS {
        // Tables that are opened one after the other share a cache, and not their tiles.
        let cache = Arc::new(TileCache::new(limit));
        let open = |made: &Made| {
            TableSet::open_with(made.root.path(), rules(), Arc::clone(&cache)).unwrap()
        };
        let (first, second) = (open(&made), open(&other));
        let aside = made.root.path().join("aside");
        first.open_all().unwrap();
        fs::rename(made.path(MOST), &aside).unwrap();
        fs::copy(other.path(MOST), made.path(MOST)).unwrap();
        let again = open(&made);
        let layer = Layer::new(MOST);
        let mut both = |first: &TableSet, second: &TableSet| {
            for _ in 0..400 {
                let index = rng.next_u64() % layer.size();
                let houses = layer.board(index).unwrap();
                for (set, made) in [(first, &made), (second, &other)] {
                    let value = set.value(Convention::Even, &houses).unwrap();
                    assert_eq!(value, Some(made.content[MOST][index as usize] as i8));
                }
            }
        };
        both(&first, &second);
        // What is opened now is not what the manifest lists.
        let error = again.value(Convention::Even, &layer.board(0).unwrap()).unwrap_err();
        assert!(error.to_string().contains("not the one that the manifest lists"), "{error}");
        fs::remove_file(made.path(MOST)).unwrap();
        both(&first, &second);
        let error = again.value(Convention::Even, &layer.board(0).unwrap()).unwrap_err();
        assert!(error.to_string().contains(&file_name(even(), MOST)), "{error}");
        fs::rename(&aside, made.path(MOST)).unwrap();
    }
}
