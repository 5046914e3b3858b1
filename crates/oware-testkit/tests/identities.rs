//! Presets, canonical ids and table rules.

use std::collections::BTreeSet;

use oware_testkit::oracle::{CASE_NAMES, PRESET_NAMES, fnv64};
use oware_testkit::{OracleRules, TestRng};

#[test]
fn presets_are_their_own_ids() {
    let mut different = BTreeSet::new();
    for name in PRESET_NAMES {
        let rules = OracleRules::preset(name).unwrap();
        assert_eq!(rules.canonical_id(), name);
        assert_eq!(OracleRules::parse(name), Some(rules));
        different.insert(format!("{rules:?}"));
    }
    assert_eq!(different.len(), PRESET_NAMES.len());
    assert_eq!(OracleRules::preset("abapa"), Some(OracleRules::default()));
}

#[test]
fn case_names_are_presets_with_repetition_2() {
    for (name, id) in CASE_NAMES.into_iter().zip([
        "abapa-first-repetition",
        "abapa,grand_slam=illegal,repetition=2",
        "abapa,grand_slam=opponent_takes_rest,repetition=2",
        "abapa,grand_slam=keep_last,repetition=2",
        "abapa,grand_slam=keep_first,repetition=2",
        "abapa,grand_slam=captures,repetition=2",
        "awari",
    ]) {
        assert_eq!(OracleRules::preset(name).unwrap().canonical_id(), id);
    }
}

#[test]
fn canonical_ids_round_trip() {
    let mut rng = TestRng::from_env("canonical_ids_round_trip");
    for _ in 0..10_000 {
        let rules = rng.rules();
        let id = rules.canonical_id();
        assert_eq!(OracleRules::parse(&id), Some(rules), "{id}");
        assert_eq!(rules.to_string(), id);
    }
}

#[test]
fn fields_beside_a_preset() {
    for (text, id) in [
        ("abapa,repetition=2", "abapa-first-repetition"),
        ("abapa-first-repetition,repetition=3", "abapa"),
        ("abapa,play_on=yes,repetition=off", "abapa,repetition=off,play_on=yes"),
        ("no_capture,repetition=3", "abapa"),
        ("slam-captures,feeding=when_empty", "slam-captures"),
        ("awari,play_on=no", "awari"),
        (
            "awari,capture_free_limit=100",
            "abapa,grand_slam=captures,feeding=leave_a_seed,stuck=opponent_takes_all,\
             loop_split=even,repetition=2,capture_free_limit=100",
        ),
    ] {
        assert_eq!(OracleRules::parse(text).map(|rules| rules.canonical_id()).as_deref(), Some(id));
    }
}

#[test]
fn what_is_no_identity_is_refused() {
    for text in [
        "",
        "Abapa",
        "ouril",
        "repetition=2",
        "abapa,",
        "abapa,repetition",
        "abapa,repetition=",
        "abapa,repetition=1",
        "abapa,repetition=+2",
        "abapa,repetition=2,repetition=3",
        "abapa,capture_free_limit=0",
        "abapa,play_on=true",
        "abapa,grand_slam=allowed",
        "abapa, repetition=2",
    ] {
        assert_eq!(OracleRules::parse(text), None, "{text:?}");
    }
}

#[test]
fn table_rules_leave_out_what_tables_do_not_need() {
    let abapa = OracleRules::preset("abapa").unwrap();
    assert_eq!(abapa.table_rules(), "grand_slam=no_capture;feeding=when_empty;stuck=own_rows");
    let first = OracleRules::preset("abapa-first-repetition").unwrap();
    assert_eq!(first.table_rules_fnv64(), abapa.table_rules_fnv64());
    let awari = OracleRules::preset("awari").unwrap();
    assert_eq!(
        awari.table_rules(),
        "grand_slam=captures;feeding=leave_a_seed;stuck=opponent_takes_all"
    );
    assert_ne!(awari.table_rules_fnv64(), abapa.table_rules_fnv64());
}

/// Known values of the 64-bit FNV-1a.
#[test]
fn fnv64_known_values() {
    assert_eq!(fnv64(b""), 0xcbf2_9ce4_8422_2325);
    assert_eq!(fnv64(b"a"), 0xaf63_dc4c_8601_ec8c);
    assert_eq!(fnv64(b"foobar"), 0x8594_4171_f739_67e8);
}
