//! The files in `testdata/` are the ones that were taken over, and their loaders read all of them.

use std::collections::BTreeSet;
use std::fs;

use oware_testkit::cases::{game_cases, perft_cases, rule_cases, testdata_dir};
use oware_testkit::oracle::CASE_NAMES;
use sha2::{Digest, Sha256};

/// The checksum of some bytes as `sha256sum` writes it.
fn sha256_hex(bytes: &[u8]) -> String {
    let mut hex = String::new();
    for byte in Sha256::digest(bytes) {
        hex.push_str(&format!("{byte:02x}"));
    }
    hex
}

#[test]
fn checksums_hold() {
    let list = fs::read_to_string(testdata_dir().join("SHA256SUMS")).unwrap();
    let mut listed = BTreeSet::new();
    for line in list.lines() {
        let (sum, name) = line.split_once("  ").expect("checksum, two spaces, name");
        let bytes = fs::read(testdata_dir().join(name)).unwrap();
        assert_eq!(sha256_hex(&bytes), sum, "{name}");
        listed.insert(name.to_owned());
    }
    let mut present = BTreeSet::new();
    for entry in fs::read_dir(testdata_dir().join("cases")).unwrap() {
        present.insert(format!("cases/{}", entry.unwrap().file_name().to_str().unwrap()));
    }
    assert_eq!(listed, present, "SHA256SUMS lists exactly the files in cases/");
}

#[test]
fn loaders_read_everything() {
    let known: BTreeSet<&str> = CASE_NAMES.into_iter().collect();

    let rules = rule_cases();
    assert_eq!(rules.len(), 1267);
    assert_eq!(rules.iter().map(|case| case.rules.as_str()).collect::<BTreeSet<_>>(), known);
    assert_eq!(rules.iter().map(|case| case.moves.len()).sum::<usize>(), 3049);

    let games = game_cases();
    assert_eq!(games.len(), 94);
    assert_eq!(games.iter().map(|case| case.rules.as_str()).collect::<BTreeSet<_>>(), known);
    let with_half = games.iter().filter(|case| case.scores_half[0] % 2 == 1).count();
    assert_eq!(with_half, 4, "games that end in half seeds");

    let perft = perft_cases();
    assert_eq!(perft.len(), 15);
    for case in perft {
        let names: BTreeSet<&str> = case.counts.keys().map(String::as_str).collect();
        assert_eq!(names, known, "{}", case.name);
    }
}
