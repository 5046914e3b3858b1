//! What the tests of this crate share.

// Each test file is a crate of its own and uses a part of this.
#![allow(dead_code)]

use std::path::PathBuf;

use oware_notation::ogn::{GameResult, Line, Note, Ply, Record, Suffix, Tag};
use oware_rules::{
    FinalScore, Game, HalfSeeds, House, MatchEnd, OfferKind, Position, Rules, Setup, Side,
};
use oware_testkit::{OraclePosition, OracleRules, TestRng};

/// The directory of the example files.
pub(crate) fn formats_dir() -> PathBuf {
    oware_testkit::cases::testdata_dir().join("formats")
}

/// Whether golden files are rewritten instead of compared.
pub(crate) fn updating() -> bool {
    std::env::var("UPDATE_EXPECT").is_ok_and(|value| value == "1")
}

/// Tells every line of a table of examples anew, but for comments and empty lines; the table
/// must say the same, or is rewritten.
#[track_caller]
pub(crate) fn check_table(name: &str, tell: impl Fn(&str) -> String) {
    let path = formats_dir().join(name);
    let table = std::fs::read_to_string(&path).unwrap();
    let mut told = String::new();
    for line in table.lines() {
        let plain = line.is_empty() || line.starts_with('#');
        told += &if plain { line.to_owned() } else { tell(line) };
        told.push('\n');
    }
    if updating() {
        std::fs::write(&path, told).unwrap();
    } else {
        assert_eq!(told, table);
    }
}

/// The oracle's rules as ours.
pub(crate) fn rules_of(oracle: &OracleRules) -> Rules {
    let off = |n: Option<u32>| n.map_or_else(|| "off".to_owned(), |n| n.to_string());
    format!(
        "grand_slam={},feeding={},stuck={},loop_split={},repetition={},\
         capture_free_limit={},play_on={}",
        oracle.grand_slam.name(),
        oracle.feeding.name(),
        oracle.stuck.name(),
        oracle.loop_split.name(),
        off(oracle.repetition),
        off(oracle.capture_free_limit),
        if oracle.play_on { "yes" } else { "no" },
    )
    .parse()
    .unwrap()
}

/// The oracle's position as ours.
pub(crate) fn position_of(oracle: &OraclePosition, rules: Rules) -> Position {
    let setup =
        Setup { houses: oracle.houses, stores: oracle.stores, to_move: Side::BOTH[oracle.to_move] };
    Position::new(setup, rules).unwrap()
}

/// A random game under random rules, mostly from a random position; sometimes ended by people.
pub(crate) fn random_game(rng: &mut TestRng) -> Game {
    let rules = rules_of(&rng.rules());
    let start =
        if rng.one_in(3) { Position::start(rules) } else { position_of(&rng.position(), rules) };
    let mut game = Game::from_position(start);
    let plies = rng.between(0, 120);
    while game.plies().len() < plies && !game.is_over() {
        let legal: Vec<_> = game.legal_moves().iter().collect();
        game.play(*rng.pick(&legal)).unwrap();
    }
    if !game.is_over() {
        let side = *rng.pick(&Side::BOTH);
        let kind = *rng.pick(&[OfferKind::Loop, OfferKind::Draw]);
        match rng.below(7) {
            0 => _ = game.end(MatchEnd::Resignation(side)).unwrap(),
            1 => _ = game.end(MatchEnd::Time(side)).unwrap(),
            2 => _ = game.end(MatchEnd::Abandonment(side)).unwrap(),
            3 => {
                let winner = *rng.pick(&[Some(side), None]);
                let score = random_score(rng);
                _ = game.end(MatchEnd::Adjudication { winner, score }).unwrap();
            }
            4 => {
                game.make_offer(side, kind).unwrap();
                game.accept_offer(side.other()).unwrap();
            }
            _ => {}
        }
    }
    game
}

fn random_score(rng: &mut TestRng) -> FinalScore {
    let south = rng.between(0, 96);
    let north = rng.between(0, 96 - south);
    FinalScore { south: HalfSeeds(south as u16), north: HalfSeeds(north as u16) }
}

/// A text of characters that are likely to do harm.
pub(crate) fn random_text(rng: &mut TestRng) -> String {
    const PIECES: &[&str] = &[
        "a",
        "word",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\t",
        "\\",
        "\\n",
        "\\\\",
        "\"",
        "}",
        "{",
        "(",
        ")",
        "[",
        "]",
        ";",
        "*",
        "25-18",
        "$1",
        "!",
        "é",
        "オワレ",
        "\u{feff}",
        "\0",
        "\u{2028}",
        "|",
        "longwordlongwordlongwordlongwordlongwordlongwordlongwordlongwordlongwordlongwordlongword",
    ];
    (0..rng.below(12)).map(|_| *rng.pick(PIECES)).collect()
}

fn random_line(rng: &mut TestRng, depth: usize, budget: &mut usize) -> Line {
    let comments = (0..rng.below(3)).map(|_| random_text(rng)).collect();
    let mut plies = Vec::new();
    for _ in 0..rng.below(12) {
        if *budget == 0 {
            break;
        }
        *budget -= 1;
        let mut ply = Ply {
            house: House::new(rng.below(12)).unwrap(),
            captured: if rng.one_in(4) { Some(rng.below(60) as u8) } else { None },
            suffix: if rng.one_in(6) { Some(*rng.pick(&Suffix::ALL)) } else { None },
            nags: (0..rng.below(3)).map(|_| rng.below(256) as u8).collect(),
            notes: Vec::new(),
        };
        while rng.one_in(3) {
            ply.notes.push(if depth > 0 && rng.one_in(2) {
                Note::Variation(random_line(rng, depth - 1, budget))
            } else {
                Note::Comment(random_text(rng))
            });
        }
        plies.push(ply);
    }
    Line { comments, plies }
}

/// A record of nonsense: every field holds anything.
pub(crate) fn random_record(rng: &mut TestRng) -> Record {
    const NAMES: &[&str] = &[
        "Event",
        "Site",
        "Date",
        "Round",
        "South",
        "North",
        "Result",
        "Rules",
        "Variant",
        "FEN",
        "Winner",
        "Reason",
        "Annotator",
        "x_1",
        "Zzz",
        "9",
    ];
    let mut record = Record::default();
    for _ in 0..rng.below(14) {
        record.tags.push(Tag::new(*rng.pick(NAMES), random_text(rng)).unwrap());
    }
    record.line = random_line(rng, 5, &mut 60);
    if rng.one_in(2) {
        record.result = GameResult::Stores(random_score(rng));
    }
    record.closing = (0..rng.below(3)).map(|_| random_text(rng)).collect();
    record
}
