//! Openings of a match: from a list, or drawn at random and the same for the same seed.

use std::collections::HashSet;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use oware_notation::{ogn, read_position};
use oware_rules::{Game, House, Position, Rules, Setup};
use oware_search::plain;

use crate::play_moves;

/// Positions looked at to see whether an opening is lost. The plain search does that, so that
/// the same seed gives the same openings whatever becomes of the engine.
const FILTER_NODES: u64 = 5_000;
/// Draws in a row without a new opening, after which there seem to be no more.
const MOST_DRAWS: u32 = 2_000;

/// How openings are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random {
    /// The same seed gives the same openings.
    pub seed: u64,
    /// Random plies from the start of a game.
    pub plies: usize,
    /// An opening counts as lost, and is left out, if a small search expects one side to end
    /// more than this many hundredths of a seed ahead.
    pub limit: i32,
}

impl Default for Random {
    /// Eight plies; no side more than two seeds ahead.
    fn default() -> Random {
        Random { seed: 1, plies: 8, limit: 200 }
    }
}

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// Drawn at random.
    Random(Random),
    /// These, in this order, each once.
    Listed(Vec<Game>),
}

/// What is wrong with openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OpeningError(pub String);

impl Openings {
    /// Reads openings from a text: OGN games (if the text begins with a tag), or a line each:
    /// moves from the start (`FfBe`), a position string, or a position string, the word `moves`
    /// and moves. Empty lines and what follows `#` are passed over.
    ///
    /// `plies` takes no more than so many plies of each.
    ///
    /// # Errors
    /// The first line or game that cannot be read or played, that is over, or that was there
    /// before.
    pub fn read(text: &str, rules: Rules, plies: Option<usize>) -> Result<Openings, OpeningError> {
        let games = match text.trim_start().starts_with('[') {
            true => read_records(text, rules, plies)?,
            false => read_lines(text, rules, plies)?,
        };
        let mut seen = HashSet::new();
        for (place, game) in &games {
            if let Some(ending) = game.ending() {
                return Err(OpeningError(format!(
                    "{place}: the game is over ({})",
                    ending.reason.name()
                )));
            }
            if !seen.insert(game.position().to_string()) {
                return Err(OpeningError(format!("{place}: the opening was there before")));
            }
        }
        match games.is_empty() {
            true => Err(OpeningError("there is no opening".into())),
            false => Ok(Openings::Listed(games.into_iter().map(|(_, game)| game).collect())),
        }
    }

    /// How many there are; `None` for as many as can be drawn.
    #[must_use]
    pub fn len(&self) -> Option<usize> {
        match self {
            Openings::Random(_) => None,
            Openings::Listed(games) => Some(games.len()),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }
}

impl fmt::Display for Openings {
    /// In one line, the same only for the same openings.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Openings::Random(Random { seed, plies, limit }) => {
                write!(f, "random seed={seed} plies={plies} limit={limit}")
            }
            Openings::Listed(games) => {
                let text = games.iter().fold(String::new(), |text, game| {
                    let houses = game.houses_played().map(House::letter);
                    text + &game.start().to_string() + &houses.collect::<String>() + "\n"
                });
                write!(f, "listed count={} hash={:016x}", games.len(), fnv(text.as_bytes()))
            }
        }
    }
}

/// FNV-1a.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn read_lines(
    text: &str,
    rules: Rules,
    plies: Option<usize>,
) -> Result<Vec<(String, Game)>, OpeningError> {
    let lines = text.lines().enumerate().filter_map(|(number, line)| {
        let line = line.split('#').next().unwrap_or_default().trim();
        (!line.is_empty()).then_some((number + 1, line))
    });
    let read = |(number, line)| {
        let place = format!("line {number}");
        let game = read_line(line, rules, plies);
        game.map(|game| (place.clone(), game))
            .map_err(|why| OpeningError(format!("{place}: {why}")))
    };
    lines.map(read).collect()
}

fn read_line(line: &str, rules: Rules, plies: Option<usize>) -> Result<Game, String> {
    let position = |text: &str| {
        let read = read_position(text).and_then(|position| position.resolve(None, rules));
        read.map_err(|error| error.to_string())
    };
    let (start, moves) = match line.split_once("moves") {
        Some((start, moves)) => (position(start.trim())?, moves),
        None if line.chars().all(|c| c.is_ascii_alphabetic() || c.is_whitespace()) => {
            (Position::start(rules), line)
        }
        None => (position(line)?, ""),
    };
    let letters = moves.chars().filter(|letter| !letter.is_whitespace());
    let moves: String = letters.take(plies.unwrap_or(usize::MAX)).collect();
    play_moves(start, &moves).map_err(|fault| match fault.ply {
        Some(ply) => format!("ply {ply}: {fault}"),
        None => fault.to_string(),
    })
}

fn read_records(
    text: &str,
    rules: Rules,
    plies: Option<usize>,
) -> Result<Vec<(String, Game)>, OpeningError> {
    let mut games = Vec::new();
    for (index, record) in ogn::games(text).enumerate() {
        let place = format!("game {}", index + 1);
        let fault = |why: &dyn fmt::Display| OpeningError(format!("{place}: {why}"));
        let record = record.map_err(|error| fault(&error))?;
        let start = ogn::start_of(&record, rules).map_err(|error| fault(&error))?;
        let mut game = Game::from_position(start);
        for (ply, house) in record.houses().take(plies.unwrap_or(usize::MAX)).enumerate() {
            let right = house.side() == game.position().to_move();
            let played = right && game.play_quick(house.as_move()).is_ok();
            if !played {
                return Err(fault(&format_args!("ply {}: {house} is not legal", ply + 1)));
            }
        }
        games.push((place, game));
    }
    Ok(games)
}

/// Gives openings by number, and draws them when they are asked for.
pub(super) struct Drawer {
    rules: Rules,
    source: Openings,
    drawn: Mutex<Drawn>,
}

struct Drawn {
    state: u64,
    seen: HashSet<Setup>,
    games: Vec<Game>,
}

impl Drawer {
    pub(super) fn new(source: Openings, rules: Rules) -> Drawer {
        let state = match source {
            Openings::Random(random) => random.seed,
            Openings::Listed(_) => 0,
        };
        let drawn = Drawn { state, seen: HashSet::new(), games: Vec::new() };
        Drawer { rules, source, drawn: Mutex::new(drawn) }
    }

    /// The opening of a number, from 0. Which one it is depends on the source alone.
    pub(super) fn get(&self, number: usize) -> Result<Game, OpeningError> {
        let random = match &self.source {
            Openings::Listed(games) => {
                let few = || OpeningError(format!("there are only {} openings", games.len()));
                return games.get(number).cloned().ok_or_else(few);
            }
            Openings::Random(random) => random,
        };
        let mut drawn = self.drawn.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        while drawn.games.len() <= number {
            let game = drawn.draw(random, self.rules)?;
            drawn.games.push(game);
        }
        Ok(drawn.games[number].clone())
    }
}

impl Drawn {
    fn draw(&mut self, random: &Random, rules: Rules) -> Result<Game, OpeningError> {
        for _ in 0..MOST_DRAWS {
            let game = self.random_game(random.plies, rules);
            if game.is_over() || self.seen.contains(&game.position().setup()) {
                continue;
            }
            if expected(&game).abs() <= random.limit {
                self.seen.insert(game.position().setup());
                return Ok(game);
            }
        }
        Err(OpeningError(format!(
            "only {} openings of {} plies could be drawn that are not lost: take more plies",
            self.games.len(),
            random.plies
        )))
    }

    fn random_game(&mut self, plies: usize, rules: Rules) -> Game {
        let mut game = Game::new(rules);
        for _ in 0..plies {
            let moves: Vec<_> = game.legal_moves().iter().collect();
            let Some(count) = std::num::NonZeroU64::new(moves.len() as u64) else { break };
            let chosen = moves[(self.next() % count) as usize];
            if game.play_quick(chosen).is_err() {
                break;
            }
        }
        game
    }

    /// The next number of splitmix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let bits = self.state;
        let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }
}

/// What a small search expects for the side to move, in hundredths of a seed.
fn expected(game: &Game) -> i32 {
    let limits = plain::Limits { nodes: Some(FILTER_NODES), ..plain::Limits::default() };
    plain::search(game, limits, &AtomicBool::new(false), &mut |_| {}).score.hundredths()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(game: &Game) -> String {
        game.houses_played().map(House::letter).collect()
    }

    fn drawn(seed: u64, order: &[usize]) -> Vec<String> {
        let random = Random { seed, ..Random::default() };
        let drawer = Drawer::new(Openings::Random(random), Rules::ABAPA);
        order.iter().map(|&number| letters(&drawer.get(number).unwrap())).collect()
    }

    #[test]
    fn the_seed_decides_and_not_the_order_of_asking() {
        let mut backwards = drawn(5, &[7, 6, 5, 4, 3, 2, 1, 0]);
        backwards.reverse();
        let forwards = drawn(5, &[0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(forwards, backwards);
        assert_ne!(forwards, drawn(6, &[0, 1, 2, 3, 4, 5, 6, 7]));
        assert_eq!(forwards.iter().collect::<HashSet<_>>().len(), 8);
        assert!(forwards.iter().all(|moves| moves.len() == 8));
    }

    #[test]
    fn lost_openings_are_left_out_and_there_are_not_more_than_there_are() {
        let random = Random { plies: 1, limit: 10_000, seed: 1 };
        let drawer = Drawer::new(Openings::Random(random), Rules::ABAPA);
        assert!(drawer.get(5).is_ok());
        let error = drawer.get(6).unwrap_err().to_string();
        assert!(error.contains("only 6 openings of 1 plies"), "{error}");
        let random = Random { limit: 0, ..Random::default() };
        let drawer = Drawer::new(Openings::Random(random), Rules::ABAPA);
        if let Ok(game) = drawer.get(0) {
            assert_eq!(expected(&game), 0);
        }
    }

    #[test]
    fn lists_are_read_in_every_form() {
        let text = "# openings\nFfBe\n\nF f  # spaced\n\
                    4-4-4-4-4-0-5-5-5-5-4-4-0-0-N\n\
                    4-4-4-4-4-4-4-4-4-4-4-4-0-0-S moves Af\n";
        let Openings::Listed(games) = Openings::read(text, Rules::ABAPA, None).unwrap() else {
            panic!("not listed");
        };
        assert_eq!(games.iter().map(letters).collect::<Vec<_>>(), ["FfBe", "Ff", "", "Af"]);
        let text = "[Event \"x\"]\n\n1. F f 2. B *\n\n[Event \"y\"]\n\n1. A f 2. B *\n";
        let read = Openings::read(text, Rules::ABAPA, Some(2)).unwrap();
        let Openings::Listed(games) = &read else { panic!("not listed") };
        assert_eq!(games.iter().map(letters).collect::<Vec<_>>(), ["Ff", "Af"]);
        assert_eq!(read.len(), Some(2));
        assert!(read.to_string().starts_with("listed count=2 hash="), "{read}");
    }

    #[test]
    fn wrong_lists_are_refused_with_the_place() {
        for (text, part) in [
            ("", "no opening"),
            ("Ff\nFz", "line 2: ply 2"),
            ("Ff\nFf", "line 2: the opening was there before"),
            ("0-0-0-0-0-1-1-0-0-0-0-0-25-21-S", "line 1: the game is over (majority)"),
            ("4-4-4 moves F", "line 1:"),
            ("[Event \"x\"]\n\n1. F F *\n", "game 1: ply 2"),
        ] {
            let error = Openings::read(text, Rules::ABAPA, None).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
