//! Typed loaders for the reference cases in `testdata/cases/`.
//!
//! A file that is missing or does not have the expected form makes the loader panic with the name
//! of the file and the line: the callers are tests, which can do nothing else. Fields nobody
//! expected are refused too.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};

/// One line of `rules.jsonl`: a position under some rules, seen by the player to move.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleCase {
    /// The number of the line, from 0.
    pub id: u32,
    /// The case name of the rules.
    pub rules: String,
    /// Which corners of the rules the position shows.
    pub tags: Vec<String>,
    /// Seeds in the houses, 0 to 5 the mover's own.
    pub houses: [u8; 12],
    /// Seeds in the stores, the mover's first.
    pub scores: [u8; 2],
    /// The reason if the game is over already.
    pub over: Option<String>,
    /// The final scores in half seeds if the game is over, the mover's first.
    #[serde(rename = "final", deserialize_with = "optional_half_seeds")]
    pub final_half: Option<[u16; 2]>,
    /// The legal moves, 0 to 5; none if the game is over.
    pub legal: Vec<usize>,
    /// What each legal move does.
    pub moves: BTreeMap<usize, MoveCase>,
}

/// What one move does, still seen by the player who made it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveCase {
    /// Seeds in the houses after the move, before any sharing out; `given` has been handed out.
    pub houses: [u8; 12],
    /// Seeds in the stores after the move, before any sharing out; `given` has been handed out.
    pub scores: [u8; 2],
    /// The number of captured seeds.
    pub captured: u8,
    /// The number of seeds the opponent got by `opponent_takes_rest`.
    pub given: u8,
    /// Whether the chain holds every seed on the opponent's row.
    pub grand_slam: bool,
    /// The reason if the game is over after the move.
    pub terminal: Option<String>,
    /// The final scores in half seeds if the game is over, the mover's first.
    #[serde(rename = "final", deserialize_with = "optional_half_seeds")]
    pub final_half: Option<[u16; 2]>,
}

/// One line of `games.jsonl`: a whole game from the opening position.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameCase {
    /// The case name of the rules.
    pub rules: String,
    /// Why the game ended.
    pub reason: String,
    /// The number of moves.
    pub plies: usize,
    /// The moves, `A` to `F` for South's houses and `a` to `f` for North's.
    pub moves: String,
    /// The final scores of South and North in half seeds.
    #[serde(rename = "scores", deserialize_with = "half_seeds")]
    pub scores_half: [u16; 2],
}

/// The whole of `perft.json`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerftFile {
    /// What the numbers mean.
    pub what: String,
    /// The positions.
    pub positions: Vec<PerftCase>,
}

/// One position of `perft.json`, seen by the player to move; the maps go by case name of rules.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerftCase {
    /// The name of the position.
    pub name: String,
    /// Seeds in the houses, 0 to 5 the mover's own.
    pub houses: [u8; 12],
    /// Seeds in the stores, the mover's first.
    pub scores: [u8; 2],
    /// The number of move sequences by depth, from depth 0.
    pub counts: BTreeMap<String, Vec<u64>>,
    /// How many of the sequences end in a finished game, by depth; not known for every rules.
    #[serde(default)]
    pub ended: BTreeMap<String, Vec<u64>>,
    /// How many of the last plies are grand slams, by depth; not known for every rules.
    #[serde(default)]
    pub slams: BTreeMap<String, Vec<u64>>,
    /// The depth to which the makers of the data counted a second time.
    #[serde(rename = "checked_in_python_to_depth")]
    pub checked_to_depth: usize,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
}

/// The names of the rules for which there are endgame values, as in [`RuleCase::rules`].
pub const ENDGAME_NAMES: [&str; 3] = ["no_capture", "allowed", "awari"];

/// One line of `endgame_all_*.jsonl`: the value of a board if endless play is split evenly.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndgameCase {
    /// The number of seeds.
    pub n: usize,
    /// Seeds in the houses, 0 to 5 the mover's own.
    pub houses: [u8; 12],
    /// The seeds the mover still takes minus the seeds the opponent still takes.
    pub value: i8,
}

/// One line of `endgame_samples_*.jsonl`: the values of a board and of its moves if endless play
/// is split evenly.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndgameSample {
    /// The number of seeds.
    pub n: usize,
    /// The case name of the rules.
    pub rules: String,
    /// Seeds in the houses, 0 to 5 the mover's own.
    pub houses: [u8; 12],
    /// The seeds the mover still takes minus the seeds the opponent still takes.
    pub value: i8,
    /// The same after each legal move, with what the move captures, still for the player who made
    /// it.
    pub moves: BTreeMap<usize, i8>,
}

/// The whole of `endgame_layers.json`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EndgameLayersFile {
    /// What the numbers mean.
    #[serde(rename = "what")]
    _what: String,
    /// The layers by case name of the rules, from 0 seeds.
    rules: BTreeMap<String, Vec<EndgameLayer>>,
}

/// The boards with the same number of seeds, counted by their value if endless play is split
/// evenly.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndgameLayer {
    /// The number of seeds.
    pub n: usize,
    /// The number of boards.
    pub positions: usize,
    /// The number of boards without a legal move.
    pub no_legal_move: usize,
    /// The number of boards by value.
    pub values: BTreeMap<i8, usize>,
}

/// The directory `testdata/` of the workspace.
pub fn testdata_dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

/// Every line of `rules.jsonl`.
///
/// # Panics
///
/// If the file cannot be read.
pub fn rule_cases() -> Vec<RuleCase> {
    json_lines("cases/rules.jsonl")
}

/// Every game of `games.jsonl`.
///
/// # Panics
///
/// If the file cannot be read.
pub fn game_cases() -> Vec<GameCase> {
    json_lines("cases/games.jsonl")
}

/// The positions of `perft.json`.
///
/// # Panics
///
/// If the file cannot be read.
pub fn perft_cases() -> Vec<PerftCase> {
    let name = "cases/perft.json";
    let file: PerftFile =
        serde_json::from_str(&text(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    file.positions
}

/// Every line of `endgame_all_*.jsonl` for one of [`ENDGAME_NAMES`]: all boards to 6 seeds.
///
/// # Panics
///
/// If the file cannot be read.
pub fn endgame_cases(rules: &str) -> Vec<EndgameCase> {
    json_lines(&format!("cases/endgame_all_{rules}.jsonl"))
}

/// Every line of `endgame_samples_*.jsonl` for one of [`ENDGAME_NAMES`]: 1000 boards each of 7 to
/// 10 seeds.
///
/// # Panics
///
/// If the file cannot be read.
pub fn endgame_samples(rules: &str) -> Vec<EndgameSample> {
    json_lines(&format!("cases/endgame_samples_{rules}.jsonl"))
}

/// The layers of `endgame_layers.json` by case name of the rules, from 0 seeds upwards.
///
/// # Panics
///
/// If the file cannot be read.
pub fn endgame_layers() -> BTreeMap<String, Vec<EndgameLayer>> {
    let name = "cases/endgame_layers.json";
    let file: EndgameLayersFile =
        serde_json::from_str(&text(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    file.rules
}

/// The text of a file in `testdata/`.
fn text(name: &str) -> String {
    let path = testdata_dir().join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// One value from each line of a file in `testdata/`.
fn json_lines<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let mut values = Vec::new();
    for (number, line) in text(name).lines().enumerate() {
        let value = serde_json::from_str(line)
            .unwrap_or_else(|error| panic!("{name}, line {}: {error}", number + 1));
        values.push(value);
    }
    values
}

/// Reads scores that are whole or end in a half, as half seeds.
fn half_seeds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u16; 2], D::Error> {
    let scores = <[f64; 2]>::deserialize(deserializer)?;
    to_half_seeds(scores).ok_or_else(|| D::Error::custom("a score that is no half seed"))
}

/// Reads scores like [`half_seeds`], or null.
fn optional_half_seeds<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<[u16; 2]>, D::Error> {
    match <Option<[f64; 2]>>::deserialize(deserializer)? {
        None => Ok(None),
        Some(scores) => match to_half_seeds(scores) {
            Some(half) => Ok(Some(half)),
            None => Err(D::Error::custom("a score that is no half seed")),
        },
    }
}

/// The scores in half seeds, if they are from 0 to 48 and need no finer fraction.
fn to_half_seeds(scores: [f64; 2]) -> Option<[u16; 2]> {
    let mut half = [0; 2];
    for (score, half) in scores.iter().zip(&mut half) {
        *half = (0..=96_u16).find(|half| f64::from(*half) == 2.0 * score)?;
    }
    Some(half)
}
