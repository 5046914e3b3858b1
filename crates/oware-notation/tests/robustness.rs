//! No reader panics, whatever it is given; and what it takes it gives back.

mod common;

use common::{formats_dir, random_text};
use oware_notation::{laws, ogn};
use oware_testkit::TestRng;

fn seeds(kind: &str) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = std::fs::read_dir(formats_dir().join(kind))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ogn"))
        .collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// Every law on one text; gives how many readers took it.
fn all_laws(bytes: &[u8]) -> usize {
    let _ = ogn::decode(bytes);
    let text = String::from_utf8_lossy(bytes);
    [laws::position, laws::moves, laws::ogn, laws::rules]
        .into_iter()
        .filter(|law| law(&text))
        .count()
}

/// Changes a few bytes: other bytes, pieces of syntax, cuts, doublings.
fn mutate(rng: &mut TestRng, bytes: &mut Vec<u8>) {
    const PIECES: &[&str] = &[
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\",
        ";",
        "*",
        "1...",
        "2.",
        "+2",
        "x3",
        "$7",
        "25-18",
        "23.5-24.5",
        "\r\n",
        "\n",
        "F",
        "f",
        "!",
        "?!",
        "[FEN \"",
        "[Rules \"awari\"]",
        "-",
        "|",
        "/",
        ",",
        "S",
        "99999999999999999999",
        "\u{feff}",
        "é",
    ];
    for _ in 0..rng.between(1, 4) {
        let at = rng.below(bytes.len() + 1);
        match rng.below(6) {
            0 if at < bytes.len() => bytes[at] = rng.below(256) as u8,
            1 => drop(bytes.splice(at..at, rng.pick(PIECES).bytes())),
            2 => bytes.truncate(at),
            3 => {
                let end = rng.between(at, (at + 20).min(bytes.len()));
                bytes.drain(at..end);
            }
            4 => {
                let end = rng.between(at, (at + 60).min(bytes.len()));
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => drop(bytes.splice(at..at, random_text(rng).bytes())),
        }
    }
}

#[test]
fn random_bytes_do_no_harm() {
    let mut rng = TestRng::from_env("notation_bytes");
    for _ in 0..5_000 {
        let bytes: Vec<u8> = (0..rng.below(200)).map(|_| rng.below(256) as u8).collect();
        all_laws(&bytes);
        let printable: Vec<u8> = bytes.iter().map(|byte| 32 + byte % 95).collect();
        all_laws(&printable);
        let text: String = (0..4).map(|_| random_text(&mut rng)).collect();
        all_laws(text.as_bytes());
    }
}

#[test]
fn changed_files_do_no_harm() {
    let mut rng = TestRng::from_env("notation_mutations");
    let mut seeds = [seeds("good"), seeds("bad")].concat();
    // Large files make the test slow and show nothing new.
    seeds.retain(|seed| seed.len() < 6_000);
    let mut taken = 0;
    for _ in 0..6_000 {
        let mut bytes = rng.pick(&seeds).clone();
        mutate(&mut rng, &mut bytes);
        taken += all_laws(&bytes);
    }
    assert!(taken > 300, "only {taken} changed files could be read: the test is too coarse");
}

#[test]
fn changed_positions_and_moves_do_no_harm() {
    let mut rng = TestRng::from_env("notation_mutated_strings");
    let texts = [
        "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
        "1 | 20 19 | 0 0 0 0 0 2 1 2 4 0 0 0",
        "5,13S/4S,1,1S,2,3S 25 2 N 50",
        "4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4",
        "1. F f 2. D c+2 3... e",
        "abapa,grand_slam=captures,repetition=2",
    ];
    let mut taken = 0;
    for _ in 0..20_000 {
        let mut bytes = rng.pick(&texts).as_bytes().to_vec();
        mutate(&mut rng, &mut bytes);
        taken += all_laws(&bytes);
    }
    assert!(taken > 300, "only {taken} changed texts could be read: the test is too coarse");
}
