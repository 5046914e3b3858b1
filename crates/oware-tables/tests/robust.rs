//! No reader of tables and manifests panics or asks for more memory than the file is long,
//! whatever it is given; and what it takes it gives back.
//!
//! Checksums stop almost every random change, so most tests here put them right again: that is a
//! sound file by a strange program.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use oware_rules::TableRules;
use oware_tables::codec::Features;
use oware_tables::header::{Header, all_table_rules};
use oware_tables::manifest::{Entry, hex};
use oware_tables::set::file_name;
use oware_tables::{
    Convention, Kind, Layer, MOST_SEEDS, Manifest, Mode, NO_DISTANCE, Quantity, Subject, TableFile,
    write_table,
};
use oware_testkit::TestRng;

const NAME: &str = "even-03.owt";
/// Bytes of the fixed part of a header, and of what stands after its tile lengths.
const FIXED: usize = 48;
const TAIL: usize = 36;
/// Where the lengths of the header's parts stand, and bytes of one entry of each part.
const LENGTHS: [(usize, usize); 4] = [(24, 1), (28, 10), (32, 1), (36, 2)];

fn any_rules(rng: &mut TestRng) -> TableRules {
    let all: Vec<TableRules> = all_table_rules().collect();
    *rng.pick(&all)
}

fn random_hash(rng: &mut TestRng) -> [u8; 32] {
    std::array::from_fn(|_| rng.next_u64() as u8)
}

/// A table as a file has it.
struct Sound {
    subject: Subject,
    bytes: Vec<u8>,
    /// One byte a board.
    content: Vec<u8>,
    side: Option<Vec<i8>>,
}

impl Sound {
    /// A table of values or distances that nobody solved, tables and archives.
    fn random(rng: &mut TestRng, folder: &Path) -> Sound {
        let kinds: Vec<Kind> = Kind::all().collect();
        let (kind, seeds) = (*rng.pick(&kinds), rng.below(6));
        let subject = Subject { rules: any_rules(rng), kind, seeds };
        let size = Layer::new(seeds).size();
        let different = rng.between(1, 2 * seeds + 1);
        let mut byte = |_| match kind.quantity {
            Quantity::Value => (rng.below(different) as i8 - seeds as i8) as u8,
            Quantity::Distance if rng.one_in(3) => NO_DISTANCE,
            Quantity::Distance => rng.below(different) as u8,
        };
        let content: Vec<u8> = (0..size).map(&mut byte).collect();
        let side = |_| rng.below(2 * seeds + 1) as i8 - seeds as i8;
        let side: Option<Vec<i8>> = Some((0..size).map(side).collect()).filter(|_| rng.one_in(3));
        let path = folder.join(file_name(kind, seeds));
        let features = Features::new(seeds, subject.rules);
        write_table(&path, &subject, &features, &content, side.as_deref(), 1).unwrap();
        let bytes = fs::read(&path).unwrap();
        Sound { subject, bytes, content, side }
    }

    /// Opens changed bytes of this table and reads them in every way. They may be refused, and
    /// else say the same as before. Gives whether they were opened.
    fn read_changed(&self, rng: &mut TestRng, path: &Path, bytes: &[u8]) -> bool {
        fs::write(path, bytes).unwrap();
        let features = Arc::new(Features::new(self.subject.seeds, self.subject.rules));
        let file = match TableFile::open(path, &self.subject, features) {
            Ok(file) => file,
            Err(error) => {
                assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
                return false;
            }
        };
        let layer = Layer::new(self.subject.seeds);
        for _ in 0..20 {
            let board = layer.board(rng.next_u64() % layer.size()).unwrap();
            let probed = file.probe(&board);
            assert!(probed.is_err() || file.header().mode == Mode::Tables);
        }
        match file.read_all(self.side.as_deref(), 1) {
            // Nothing but the same boards goes with the content hash.
            Ok(bytes) => assert!(bytes == self.content),
            Err(error) => assert!(error.to_string().contains(path.to_str().unwrap()), "{error}"),
        }
        true
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize)
}

/// Where the tiles start by the lengths in the header, if that is within the file.
fn header_length(bytes: &[u8]) -> Option<usize> {
    let mut end = FIXED + TAIL;
    for (at, size) in LENGTHS {
        end += u32_at(bytes, at)? * size;
    }
    (end <= bytes.len()).then_some(end)
}

/// Puts the checksum of the header right, and what says how long the tiles are.
fn mend_header(bytes: &mut [u8]) {
    let Some(end) = header_length(bytes) else { return };
    let data = (bytes.len() - end) as u64;
    bytes[40..48].copy_from_slice(&data.to_le_bytes());
    let sum = crc32fast::hash(&bytes[..end - 4]);
    bytes[end - 4..end].copy_from_slice(&sum.to_le_bytes());
}

/// Changes a few bytes of a part: other bytes, numbers at their limits, cuts, doublings.
fn mutate(rng: &mut TestRng, bytes: &mut Vec<u8>) {
    for _ in 0..rng.between(1, 3) {
        if bytes.is_empty() {
            return;
        }
        let at = rng.below(bytes.len());
        let few = rng.between(at, bytes.len().min(at + 12));
        match rng.below(8) {
            0..=2 => bytes[at] = rng.below(256) as u8,
            3 => bytes[at] ^= 1 << rng.below(8),
            4 => bytes[at] = *rng.pick(&[0, 1, 127, 128, 254, 255]),
            5 => bytes[at..few].fill(*rng.pick(&[0, 255])),
            6 => drop(bytes.drain(at..few)),
            _ => {
                let piece = bytes[at..few].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
}

/// Reads a header; what is taken must make sense. Gives whether it was taken.
fn read_header(bytes: &[u8]) -> bool {
    let header = match Header::from_slice(Path::new(NAME), bytes) {
        Ok(header) => header,
        Err(error) => {
            assert!(error.to_string().contains(NAME), "{error}");
            return false;
        }
    };
    assert!(header.subject.seeds <= MOST_SEEDS);
    let boards: u64 = header.counts.iter().map(|(_, count)| count).sum();
    assert_eq!(boards, Layer::new(header.subject.seeds).size());
    let tiles: usize = header.tiles.iter().map(|&length| usize::from(length) + 4).sum();
    assert_eq!(header_length(bytes).unwrap() + tiles, bytes.len());
    true
}

#[test]
fn random_bytes_are_no_table() {
    let mut rng = TestRng::from_env("random_bytes_are_no_table");
    for _ in 0..20_000 {
        let mut bytes: Vec<u8> = (0..rng.below(300)).map(|_| rng.below(256) as u8).collect();
        if rng.one_in(2) {
            let start = b"OWARETBL\x01\x00";
            let length = start.len().min(bytes.len());
            bytes[..length].copy_from_slice(&start[..length]);
        }
        if rng.one_in(2) {
            // Lengths that the file could have.
            for (at, _) in LENGTHS {
                if let Some(field) = bytes.get_mut(at..at + 4) {
                    field.copy_from_slice(&(rng.below(20) as u32).to_le_bytes());
                }
            }
            if bytes.len() >= FIXED {
                mend_header(&mut bytes);
            }
        }
        assert!(!read_header(&bytes), "{bytes:?}");
    }
}

#[test]
fn changed_headers_do_no_harm() {
    let mut rng = TestRng::from_env("changed_headers_do_no_harm");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("changed.owt");
    let mut taken = 0;
    for _ in 0..60 {
        let sound = Sound::random(&mut rng, folder.path());
        assert!(read_header(&sound.bytes));
        assert!(sound.read_changed(&mut rng, &path, &sound.bytes));
        let end = header_length(&sound.bytes).unwrap();
        for _ in 0..100 {
            let mut bytes = sound.bytes[..end].to_vec();
            mutate(&mut rng, &mut bytes);
            bytes.extend(&sound.bytes[end..]);
            assert!(bytes == sound.bytes || !read_header(&bytes), "the checksum says nothing");
            mend_header(&mut bytes);
            if read_header(&bytes) {
                taken += 1;
                sound.read_changed(&mut rng, &path, &bytes);
            }
        }
    }
    assert!(taken > 300, "only {taken} changed headers could be read: the test is too coarse");
}

#[test]
fn changed_models_do_no_harm() {
    let mut rng = TestRng::from_env("changed_models_do_no_harm");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("changed.owt");
    let mut opened = 0;
    for _ in 0..60 {
        let sound = Sound::random(&mut rng, folder.path());
        let [text, counts, model] =
            [0, 1, 2].map(|part| u32_at(&sound.bytes, LENGTHS[part].0).unwrap());
        let start = FIXED + text + 10 * counts;
        for _ in 0..60 {
            let mut bytes = sound.bytes.clone();
            let mut changed = bytes[start..start + model].to_vec();
            mutate(&mut rng, &mut changed);
            bytes[32..36].copy_from_slice(&(changed.len() as u32).to_le_bytes());
            bytes.splice(start..start + model, changed);
            mend_header(&mut bytes);
            assert!(read_header(&bytes));
            opened += usize::from(sound.read_changed(&mut rng, &path, &bytes));
        }
    }
    assert!(opened > 100, "only {opened} changed models could be read: the test is too coarse");
}

#[test]
fn changed_tiles_do_no_harm() {
    let mut rng = TestRng::from_env("changed_tiles_do_no_harm");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("changed.owt");
    let mut opened = 0;
    for _ in 0..60 {
        let sound = Sound::random(&mut rng, folder.path());
        let header = Header::from_slice(Path::new(NAME), &sound.bytes).unwrap();
        let start = header_length(&sound.bytes).unwrap();
        for _ in 0..30 {
            let number = rng.below(header.tiles.len());
            let before: usize =
                header.tiles[..number].iter().map(|&length| usize::from(length) + 4).sum();
            let (at, length) = (start + before, usize::from(header.tiles[number]));
            let mut bytes = sound.bytes.clone();
            let mut tile = bytes[at..at + length].to_vec();
            mutate(&mut rng, &mut tile);
            let sum = crc32fast::hash(&tile).to_le_bytes();
            let now = (tile.len() as u16).to_le_bytes();
            bytes.splice(at..at + length + 4, tile.into_iter().chain(sum));
            let lengths = start - TAIL - 2 * header.tiles.len();
            bytes[lengths + 2 * number..][..2].copy_from_slice(&now);
            mend_header(&mut bytes);
            opened += usize::from(sound.read_changed(&mut rng, &path, &bytes));
        }
    }
    assert_eq!(opened, 60 * 30);
}

/// The most address space that this process ever had, bytes.
#[cfg(target_os = "linux")]
fn peak() -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("VmPeak:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() * 1024
}

/// A small file that claims to be large is refused before anything of that size is asked for.
#[cfg(target_os = "linux")]
#[test]
fn claims_of_size_ask_for_no_memory() {
    let mut rng = TestRng::from_env("claims_of_size_ask_for_no_memory");
    let folder = tempfile::tempdir().unwrap();
    let sound = Sound::random(&mut rng, folder.path());
    let before = peak();
    for _ in 0..2_000 {
        let mut bytes = sound.bytes.clone();
        for (at, size) in LENGTHS {
            if rng.one_in(2) {
                let claim = *rng.pick(&[u32::MAX, u32::MAX - 1, 1 << 31, u32::MAX / size as u32]);
                bytes[at..at + 4].copy_from_slice(&claim.to_le_bytes());
            }
        }
        if rng.one_in(2) {
            // As long as the file is, modulo 2^64.
            let claims = LENGTHS.map(|(at, size)| (u32_at(&bytes, at).unwrap() * size) as u64);
            let header = (FIXED + TAIL) as u64 + claims.iter().sum::<u64>();
            let data = (bytes.len() as u64).wrapping_sub(header);
            bytes[40..48].copy_from_slice(&data.to_le_bytes());
        }
        assert!(bytes == sound.bytes || !read_header(&bytes));
    }
    // Other tests run beside this one; the least claim is twice as large.
    assert!(peak() - before < 1 << 30, "{before} bytes before, {} after", peak());
}

/// A manifest that can be read is the same after writing and reading. Gives whether it could.
fn read_manifest(text: &str) -> bool {
    match Manifest::parse(text) {
        Ok(manifest) => {
            assert_eq!(Manifest::parse(&manifest.to_text()), Ok(manifest), "{text}");
            true
        }
        Err(error) => {
            assert!(!error.is_empty());
            false
        }
    }
}

/// A manifest of tables that nobody made.
fn random_manifest(rng: &mut TestRng) -> Manifest {
    let mut manifest = Manifest::new(any_rules(rng));
    let conventions: &[Convention] = match rng.below(3) {
        0 => &[Convention::Even],
        1 => &[Convention::Low, Convention::High],
        _ => &Convention::ALL,
    };
    let (layers, distances) = (rng.below(7), rng.one_in(2));
    for seeds in 0..layers {
        let values = conventions.iter().copied().map(Kind::value);
        let more = conventions.iter().copied().map(Kind::distance).filter(|_| distances);
        for kind in values.chain(more) {
            let [file, content] = [(); 2].map(|()| random_hash(rng));
            let chain = manifest.chain(kind, seeds, &content).unwrap();
            let (name, bytes) = (file_name(kind, seeds), rng.next_u64() >> rng.below(64));
            manifest.put(Entry { kind, seeds, name, bytes, file, content, chain });
        }
    }
    manifest
}

/// Puts the last line right, if there is one.
fn mend_manifest(text: &str) -> String {
    let body = text.trim_end_matches('\n').rsplit_once('\n').map_or("", |(body, _)| body);
    let body = format!("{body}\n");
    let sum = hex(blake3::hash(body.as_bytes()).as_bytes());
    format!("{body}check {sum}\n")
}

#[test]
fn manifests_are_read_as_they_were_written() {
    let mut rng = TestRng::from_env("manifests_are_read_as_they_were_written");
    for _ in 0..300 {
        let manifest = random_manifest(&mut rng);
        let text = manifest.to_text();
        assert_eq!(Manifest::parse(&text).as_ref(), Ok(&manifest), "{text}");
        assert_eq!(mend_manifest(&text), text);
    }
}

#[test]
fn random_texts_are_no_manifest() {
    let mut rng = TestRng::from_env("random_texts_are_no_manifest");
    const PIECES: &[&str] = &[
        "oware tables manifest 1\n",
        "rules ",
        "table ",
        "even ",
        "low-distance ",
        "0 ",
        "48 ",
        "18446744073709551616 ",
        "check ",
        "\n",
        "\r\n",
        "é",
    ];
    let hash = hex(&[7; 32]);
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..rng.below(20) {
            match rng.below(10) {
                0 => text.push(char::from(rng.below(128) as u8)),
                1 => text.push_str(&hash),
                _ => text.push_str(rng.pick::<&str>(PIECES)),
            }
        }
        assert!(!read_manifest(&text), "{text:?}");
        read_manifest(&mend_manifest(&text));
    }
}

#[test]
fn changed_manifests_do_no_harm() {
    let mut rng = TestRng::from_env("changed_manifests_do_no_harm");
    let mut taken = 0;
    for _ in 0..200 {
        let sound = random_manifest(&mut rng).to_text();
        for _ in 0..50 {
            let mut bytes = sound.clone().into_bytes();
            mutate(&mut rng, &mut bytes);
            let mut changed = String::from_utf8_lossy(&bytes).into_owned();
            // Lines out of order, twice, or gone.
            if rng.one_in(3) {
                let mut lines: Vec<&str> = sound.lines().collect();
                let (from, to) = (rng.below(lines.len()), rng.below(lines.len()));
                match rng.below(3) {
                    0 => lines.swap(from, to),
                    1 => lines.insert(to, lines[from]),
                    _ => drop(lines.remove(from)),
                }
                changed = lines.join("\n") + "\n";
            }
            assert!(changed == sound || !read_manifest(&changed), "{changed}");
            taken += usize::from(read_manifest(&mend_manifest(&changed)));
        }
    }
    assert!(taken > 300, "only {taken} changed manifests could be read: the test is too coarse");
}
