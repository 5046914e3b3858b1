//! Game records: the example files, round trips, replays.

mod common;

use std::path::{Path, PathBuf};

use common::{formats_dir, random_game, random_record, updating};
use oware_notation::ogn::{
    self, GameResult, OgnErrorKind, Record, ReplayProblem, Tag, parse, parse_all, replay,
    verify_variations, write, write_all,
};
use oware_notation::{laws, read_moves};
use oware_rules::{FinalScore, Game, HalfSeeds, Rules};
use oware_testkit::TestRng;

fn examples(kind: &str) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(formats_dir().join(kind))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ogn"))
        .collect();
    paths.sort();
    assert!(paths.len() > 10, "{kind}: {} files", paths.len());
    paths
}

/// Compares a text with a golden file, or writes the file.
fn golden(path: &Path, text: &str) {
    if updating() {
        std::fs::write(path, text).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("{}: {error} (UPDATE_EXPECT=1 writes it)", path.display()));
    assert_eq!(text, expected, "{}", path.display());
}

/// What is wrong with the bytes of a file, and at which step it is noticed.
fn verdict(bytes: &[u8]) -> Result<Vec<Record>, String> {
    let text = ogn::decode(bytes).map_err(|error| format!("parse: {error}"))?;
    let records = parse_all(text).map_err(|error| format!("parse: {error}"))?;
    for (index, record) in records.iter().enumerate() {
        let game = if records.len() > 1 { format!("game {}, ", index + 1) } else { String::new() };
        replay(record).map_err(|error| format!("replay: {game}{error}"))?;
        verify_variations(record).map_err(|error| format!("variations: {game}{error}"))?;
    }
    Ok(records)
}

#[test]
fn good_files_are_read_replayed_and_written_back() {
    for path in examples("good") {
        let bytes = std::fs::read(&path).unwrap();
        let records = verdict(&bytes).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let written = write_all(&records);
        // A file that is not canonical has its canonical form beside it.
        let canonical = path.with_extension("canonical");
        if written.as_bytes() != bytes || canonical.exists() {
            golden(&canonical, &written);
        }
        assert_eq!(parse_all(&written).unwrap(), records, "{}", path.display());
        let short =
            |line: &str| line.starts_with('[') || !line.contains(' ') || line.chars().count() < 80;
        assert!(written.lines().all(short), "{}: long lines", path.display());
        assert!(laws::ogn(std::str::from_utf8(&bytes).unwrap()));
    }
}

#[test]
fn bad_files_are_refused_with_place_and_expectation() {
    for path in examples("bad") {
        let bytes = std::fs::read(&path).unwrap();
        let Err(why) = verdict(&bytes) else {
            panic!("{} is not refused", path.display());
        };
        golden(&path.with_extension("err"), &(why + "\n"));
    }
}

/// The records that the specification shows are canonical, and right.
#[test]
fn the_specification_shows_canonical_records() {
    let page = formats_dir().join("../../docs/FORMATS.md");
    let page = std::fs::read_to_string(page).unwrap();
    let examples: Vec<&str> = page
        .split("```ogn\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or_default())
        .collect();
    assert!(examples.len() >= 2);
    for example in examples {
        let records = verdict(example.as_bytes()).unwrap();
        assert_eq!(write_all(&records), example);
    }
}

#[test]
fn every_error_file_belongs_to_an_example() {
    for (kind, extension) in [("bad", "err"), ("good", "canonical")] {
        for entry in std::fs::read_dir(formats_dir().join(kind)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|found| found == extension) {
                assert!(path.with_extension("ogn").exists(), "{}", path.display());
            }
        }
    }
}

#[test]
fn records_of_nonsense_come_back() {
    let mut rng = TestRng::from_env("notation_records");
    for _ in 0..5_000 {
        let record = random_record(&mut rng);
        let text = write(&record);
        let normal = record.normalized();
        let again = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(again, normal, "{text}");
        assert_eq!(write(&again), text);
        assert!(laws::ogn(&text));
    }
}

#[test]
fn random_games_come_back_as_records() {
    let mut rng = TestRng::from_env("notation_games");
    for _ in 0..1_000 {
        let game = random_game(&mut rng);
        let south = Tag::new("South", "Ama \"the\" \\ great").unwrap();
        let stale = Tag::new("Reason", "time").unwrap();
        let record = Record::from_game(&game, vec![stale, south.clone()]);
        assert_eq!(record.tag("South"), Some(south.value()));
        let again = parse(&write(&record)).unwrap();
        assert_eq!(again, record);
        let replayed = replay(&again).unwrap_or_else(|error| panic!("{error}\n{}", write(&again)));
        assert_eq!(replayed, game);
    }
}

#[test]
fn a_wrong_ply_is_named() {
    let mut rng = TestRng::from_env("notation_wrong_ply");
    let mut tried = 0;
    while tried < 500 {
        let game = random_game(&mut rng);
        if game.plies().is_empty() {
            continue;
        }
        tried += 1;
        let mut record = Record::from_game(&game, Vec::new());
        let at = rng.below(record.line.plies.len());
        let ply = &mut record.line.plies[at];
        if rng.one_in(2) {
            ply.house = ply.house.opposite_seat();
        } else {
            ply.captured = Some(ply.captured.map_or(2, |captured| captured % 48 + 1));
            // This is how the mover's share of the board may be counted in; not an error then.
            if game.plies()[at].ending.is_some() {
                continue;
            }
        }
        let error = replay(&record).unwrap_err();
        assert_eq!((error.ply, error.house), (at + 1, Some(record.line.plies[at].house)));
    }
}

#[test]
fn reference_games_as_records() {
    for case in oware_testkit::cases::game_cases() {
        let rules: Rules = case.rules.parse().unwrap();
        let mut game = Game::new(rules);
        for house in read_moves(&case.moves).unwrap() {
            game.play_house(house).unwrap();
        }
        let text = write(&Record::from_game(&game, Vec::new()));
        let record = parse(&text).unwrap();
        let ending = replay(&record).unwrap().ending().unwrap();
        let [south, north] = case.scores_half.map(HalfSeeds);
        assert_eq!(record.result, GameResult::Stores(FinalScore { south, north }));
        assert_eq!(ending.reason.name(), case.reason);

        // A ply more, a ply less, another result.
        let mut longer = record.clone();
        let first = longer.line.plies[0].clone();
        longer.line.plies.push(first);
        let error = replay(&longer).unwrap_err();
        assert_eq!(error.ply, case.plies + 1);
        assert!(matches!(error.why, ReplayProblem::Move(_)), "{error}");
        let mut shorter = record.clone();
        shorter.line.plies.pop();
        assert!(matches!(replay(&shorter).unwrap_err().why, ReplayProblem::NotOver { .. }));
        let mut other = record.clone();
        other.result = GameResult::Unfinished;
        assert!(matches!(replay(&other).unwrap_err().why, ReplayProblem::Result { .. }));
    }
}

#[test]
fn nesting_and_size_are_limited() {
    let deep = format!("F {}", "(F ".repeat(100_000));
    let error = parse(&deep).unwrap_err();
    assert_eq!(error.kind, OgnErrorKind::TooDeep);
    let all = format!("F {}{} *", "(F ".repeat(ogn::MAX_NESTING), ")".repeat(ogn::MAX_NESTING));
    let record = parse(&all).unwrap();
    assert_eq!(parse(&write(&record)).unwrap(), record);
    assert!(verify_variations(&record).is_ok());

    let long = "Ff".repeat(ogn::MAX_MOVES / 2);
    assert_eq!(parse(&long).unwrap().line.plies.len(), ogn::MAX_MOVES);
    assert_eq!(parse(&(long + "F")).unwrap_err().kind, OgnErrorKind::TooLong);
    assert_eq!(parse(&"(".repeat(1 << 20)).unwrap_err().line, 1);
    let comment = format!("{{{}}} *", "x ".repeat(1 << 20));
    assert_eq!(parse(&comment).unwrap().line.comments[0].len(), (2 << 20) - 1);
}

#[test]
fn one_game_or_several() {
    let two = "[Event \"1\"]\nF f *\n[Event \"2\"]\nE e *\n";
    assert_eq!(parse_all(two).unwrap().len(), 2);
    let error = parse(two).unwrap_err();
    assert_eq!((error.line, error.column, error.kind), (3, 1, OgnErrorKind::SecondGame));
    // Read one by one, what stands before an error is there.
    let mut games = ogn::games("F *\n[Event \"2\"]\nz");
    assert!(games.next().unwrap().is_ok());
    assert_eq!(games.next().unwrap().unwrap_err().line, 3);
    assert!(games.next().is_none());
}

#[test]
fn places_are_counted_in_characters() {
    let place = |text: &str| {
        let error = parse(text).unwrap_err();
        (error.line, error.column)
    };
    assert_eq!(place("\u{feff}z"), (1, 1));
    assert_eq!(place("{é}z *"), (1, 4));
    assert_eq!(place("F\r\nf\r\n z"), (3, 2));
    assert_eq!(place("F\rf\rz"), (3, 1));
    assert_eq!(place(""), (1, 1));
    let error = ogn::decode(b"F f\nE \xff").unwrap_err();
    assert_eq!((error.line, error.column, error.kind), (2, 3, OgnErrorKind::NotUtf8));
}
