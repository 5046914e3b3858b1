//! Rules as text: what is read, what is refused, and with which words.

use oware_rules::{PRESETS, Repetition, Rules};
use oware_testkit::{OracleRules, TestRng};

#[test]
fn ids_read_back() {
    let mut rng = TestRng::from_env("ids_read_back");
    for preset in PRESETS {
        assert_eq!(preset.rules.id(), preset.name);
    }
    for _ in 0..5_000 {
        let id = rng.rules().canonical_id();
        let rules: Rules = id.parse().unwrap();
        assert_eq!(rules.id(), id);
        let all: Vec<String> =
            rules.fields().map(|(field, value)| format!("{field}={value}")).into();
        assert_eq!(all.join(",").parse::<Rules>().unwrap(), rules);
    }
}

#[test]
fn fields_stand_beside_presets() {
    let id = |text: &str| text.parse::<Rules>().unwrap().id();
    assert_eq!(id("abapa,repetition=2"), "abapa-first-repetition");
    assert_eq!(id(" abapa , repetition = off "), "abapa,repetition=off");
    assert_eq!(id("play_on=yes,grand_slam=captures"), "abapa,grand_slam=captures,play_on=yes");
    assert_eq!(
        id("awari,repetition=3"),
        "abapa,grand_slam=captures,feeding=leave_a_seed,\
        stuck=opponent_takes_all,loop_split=even"
    );
    assert_eq!(id("no_capture"), "abapa-first-repetition");
    assert_eq!(id("allowed,repetition=3"), "slam-captures");
}

#[test]
fn case_names_are_presets_at_the_first_repetition() {
    for name in oware_testkit::oracle::CASE_NAMES {
        let expected = OracleRules::parse(name).unwrap().canonical_id();
        assert_eq!(name.parse::<Rules>().unwrap().id(), expected, "{name}");
    }
    let rules = "keep_first".parse::<Rules>().unwrap();
    assert_eq!(rules.id(), "abapa,grand_slam=keep_first,repetition=2");
}

#[test]
fn what_is_not_played_is_refused_by_name() {
    let error = |text: &str| text.parse::<Rules>().unwrap_err().to_string();
    for (text, says) in [
        ("", "empty rules"),
        ("chess", "unknown rules \"chess\", expected one of abapa, abapa-first-repetition"),
        ("Ouril", "Ouril's singleton rule"),
        ("kalah", "another game"),
        ("abapa,slam=no", "unknown rules field \"slam\", expected one of grand_slam, feeding"),
        ("abapa,awari", "a preset can only stand first"),
        ("repetition=2,repetition=2", "repetition is given twice"),
        ("repetition=1", "repetition cannot be \"1\", expected off or a number from 2"),
        ("repetition=+2", "cannot be \"+2\""),
        ("repetition=65536", "cannot be \"65536\""),
        ("capture_free_limit=0", "expected off or a number from 1"),
        ("grand_slam=shared", "expected no_capture, illegal, opponent_takes_rest, keep_last"),
        ("play_on=true", "expected yes or no"),
        ("abapa,", "not field=value"),
    ] {
        assert!(error(text).contains(says), "{text:?}: {}", error(text));
    }
    let long = "x".repeat(10_000_000);
    assert!(error(&long).len() < 400);
}

#[test]
fn table_rules_leave_out_what_decides_no_value() {
    let first = Rules::ABAPA_FIRST_REPETITION.table_rules();
    assert_eq!(first, Rules::ABAPA.table_rules());
    assert_eq!(first.to_string(), "grand_slam=no_capture;feeding=when_empty;stuck=own_rows");
    assert_ne!(first.hash64(), Rules::AWARI.table_rules().hash64());
    assert!(Repetition::new(1).is_none());
}
