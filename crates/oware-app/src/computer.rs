//! The computer as opponent and adviser: three levels, reproducible from a seed and the endgame
//! tables it is given.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use oware_rules::{FinalScore, Game, House, Move, OfferKind, Reason, Side};
use oware_search::Score;
use oware_search::plain::{Limits, MoveValue, Report, search, value_moves};
use oware_tables::Convention;

use crate::Knowledge;
use crate::knowledge::TableMove;

/// Positions looked at by the strongest level and by hints.
const FULL_NODES: u64 = 2_000_000;
/// Positions looked at before an offer is answered.
const OFFER_NODES: u64 = 300_000;

/// How strong the computer plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Sees two plies and often takes a move up to three seeds worse than its best.
    Easy,
    /// Sees five plies and now and then takes a move up to a seed worse.
    Medium,
    /// Plays what endgame tables force, if it has some, else the best move it finds among two
    /// million positions.
    Hard,
}

impl Level {
    /// Every level, weakest first.
    pub const ALL: [Level; 3] = [Level::Easy, Level::Medium, Level::Hard];

    /// The name on the command line and in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    /// What was expected.
    type Err = String;

    fn from_str(text: &str) -> Result<Level, String> {
        Level::ALL
            .into_iter()
            .find(|level| level.name() == text)
            .ok_or_else(|| format!("expected one of {}", Level::ALL.map(Level::name).join(", ")))
    }
}

/// Where a choice comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A search, whose value is an estimate.
    Search,
    /// Endgame tables: the move keeps the value by this convention and makes progress.
    Tables {
        /// What endless play counts in the value.
        convention: Convention,
        /// Plies to the next capture or the end, this move counted.
        distance: u8,
    },
}

/// A move the computer would make, and what it expects of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The house to lift.
    pub house: House,
    /// The expected final difference of the stores in seeds, for the player to move. Of a
    /// search it is an estimate, since play is not seen to its end.
    pub value: f64,
    /// Plies looked ahead by a search, 0 by tables.
    pub depth: u32,
    /// The line expected, beginning with `house`.
    pub line: Vec<House>,
    /// Who says so.
    pub source: Source,
}

impl Choice {
    fn new(mover: Side, score: Score, depth: u32, line: &[Move]) -> Option<Choice> {
        let sides = [mover, mover.other()].into_iter().cycle();
        let line: Vec<House> = sides.zip(line).map(|(side, &mv)| House::of(side, mv)).collect();
        let (house, value) = (*line.first()?, score.seeds());
        Some(Choice { house, value, depth, line, source: Source::Search })
    }

    fn of_tables(game: &Game, best: TableMove) -> Choice {
        let TableMove { mv, convention, value, distance } = best;
        let position = game.position();
        let mover = position.to_move();
        let house = House::of(mover, mv);
        let lead = difference(FinalScore::whole(position.stores()), mover);
        Choice {
            house,
            value: f64::from(lead + i32::from(value)),
            depth: 0,
            line: vec![house],
            source: Source::Tables { convention, distance },
        }
    }

    fn of_report(game: &Game, report: &Report) -> Option<Choice> {
        let line = if report.line.is_empty() { vec![report.best?] } else { report.line.clone() };
        Choice::new(game.position().to_move(), report.score, report.depth, &line)
    }
}

/// What endgame tables force, else the best move that a search of fixed size finds; `None` when
/// the game is over. Tables that cannot be read are passed over.
#[must_use]
pub fn hint(game: &Game, tables: Option<&Knowledge>, stop: &AtomicBool) -> Option<Choice> {
    if game.is_over() {
        return None;
    }
    let best = tables.and_then(|tables| tables.choose(game.position()).ok().flatten());
    if let Some(best) = best {
        return Some(Choice::of_tables(game, best));
    }
    Choice::of_report(game, &full_search(game, FULL_NODES, stop))
}

fn full_search(game: &Game, nodes: u64, stop: &AtomicBool) -> Report {
    search(game, Limits { nodes: Some(nodes), ..Limits::default() }, stop, &mut |_| {})
}

/// An opponent of a given strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Computer {
    level: Level,
    seed: u64,
}

impl Computer {
    /// The same level and seed answer the same game with the same moves, on every machine with
    /// the same tables.
    #[must_use]
    pub const fn new(level: Level, seed: u64) -> Computer {
        Computer { level, seed }
    }

    /// How strong it is.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// The move it plays; `None` when the game is over. After `stop` it gives the best it has.
    /// Only the strongest level looks into `tables`.
    #[must_use]
    pub fn choose(
        &self,
        game: &Game,
        tables: Option<&Knowledge>,
        stop: &AtomicBool,
    ) -> Option<Choice> {
        if game.is_over() {
            return None;
        }
        let (depth, margin, chance) = match self.level {
            Level::Easy => (2, Score::whole(3), 60),
            Level::Medium => (5, Score::whole(1), 25),
            Level::Hard => return hint(game, tables, stop),
        };
        let values = value_moves(game, depth, stop);
        let Some(best) = values.first() else { return hint(game, None, stop) };
        let chosen = self.slip(game, &values, margin, chance).unwrap_or(best);
        Choice::new(game.position().to_move(), chosen.score, depth, &chosen.line)
    }

    /// With a chance in a hundred, another move that costs no more than the margin.
    fn slip<'a>(
        &self,
        game: &Game,
        values: &'a [MoveValue],
        margin: Score,
        chance: u64,
    ) -> Option<&'a MoveValue> {
        let best = values.first()?.score;
        let near = values.iter().take_while(|value| best - value.score <= margin).count() as u64;
        let draw = self.draw(game);
        if draw % 100 >= chance {
            return None;
        }
        values.get(((draw / 100) % near) as usize)
    }

    /// A number drawn from the seed and the moves so far (FNV-1a, then the finaliser of
    /// splitmix64).
    fn draw(&self, game: &Game) -> u64 {
        let text = format!("{} {}", game.position(), game.plies().len());
        let hash = text.bytes().fold(self.seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        let hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        hash ^ hash >> 31
    }

    /// Whether it accepts what the other player offers: when its own expectation is not above
    /// what the offer gives it. `me` is the side the computer plays.
    ///
    /// The expectation is that of a full search whatever the level: an opponent that gives away
    /// a won game teaches nothing.
    #[must_use]
    pub fn accepts(&self, game: &Game, me: Side, kind: OfferKind, stop: &AtomicBool) -> bool {
        if game.is_over() {
            return false;
        }
        let position = game.position();
        let offered = match kind {
            OfferKind::Draw => 0,
            OfferKind::Loop => difference(position.settle(Reason::LoopAgreed).score, me),
        };
        let report = full_search(game, OFFER_NODES, stop);
        let expected = if position.to_move() == me { report.score } else { -report.score };
        expected <= Score::whole(offered)
    }
}

/// One side's final seeds less the other's. Halves cancel: both or neither have one.
fn difference(score: FinalScore, side: Side) -> i32 {
    let halves = |side| i32::from(score.of(side).halves());
    (halves(side) - halves(side.other())) / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use oware_rules::{Position, Rules, Setup};
    use std::sync::atomic::Ordering;

    fn game(houses: [u8; 12], stores: [u8; 2]) -> Game {
        let setup = Setup { houses, stores, to_move: Side::South };
        Game::from_position(Position::new(setup, Rules::ABAPA).unwrap())
    }

    /// Plays two levels against each other; the final difference for South in half seeds.
    fn play_out(south: Computer, north: Computer) -> i32 {
        let stop = AtomicBool::new(false);
        let mut game = Game::new(Rules::ABAPA);
        while let Some(choice) =
            (if game.position().to_move() == Side::South { south } else { north })
                .choose(&game, None, &stop)
        {
            game.play_house(choice.house).unwrap();
        }
        let score = game.ending().unwrap().score;
        i32::from(score.south.halves()) - i32::from(score.north.halves())
    }

    #[test]
    fn a_seed_fixes_the_game() {
        let play =
            |seed| play_out(Computer::new(Level::Easy, seed), Computer::new(Level::Medium, seed));
        assert_eq!(play(3), play(3));
        assert!((0..4).map(play).collect::<std::collections::HashSet<_>>().len() > 1);
    }

    #[test]
    fn a_higher_level_wins_a_small_match() {
        let (easy, medium) = (Level::Easy, Level::Medium);
        let total: i32 = (0..10)
            .map(|seed| {
                play_out(Computer::new(medium, seed), Computer::new(easy, seed))
                    - play_out(Computer::new(easy, seed), Computer::new(medium, seed))
            })
            .sum();
        assert!(total > 0, "medium against easy, twenty games: {total} half seeds");
    }

    #[test]
    fn an_easy_player_takes_what_lies_open() {
        // E captures nine; nothing else captures.
        let game = game([1, 0, 0, 0, 4, 0, 2, 2, 2, 0, 5, 5], [12, 15]);
        let stop = AtomicBool::new(false);
        let best = hint(&game, None, &stop).unwrap();
        for seed in 0..50 {
            let choice = Computer::new(Level::Easy, seed).choose(&game, None, &stop).unwrap();
            assert_eq!(choice.house, best.house, "seed {seed}");
        }
    }

    #[test]
    fn offers_are_weighed() {
        let stop = AtomicBool::new(false);
        let north = Computer::new(Level::Easy, 0);
        // South leads 24-20 with the rest of the seeds far from decided for North.
        let behind = game([1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1], [24, 20]);
        assert!(north.accepts(&behind, Side::North, OfferKind::Draw, &stop));
        assert!(!north.accepts(&behind, Side::South, OfferKind::Draw, &stop));
        let mut over = behind.clone();
        over.end(oware_rules::MatchEnd::DrawAgreed).unwrap();
        assert!(!north.accepts(&over, Side::North, OfferKind::Loop, &stop));
    }

    #[test]
    fn a_stopped_computer_still_moves() {
        let stop = AtomicBool::new(false);
        stop.store(true, Ordering::Relaxed);
        for level in Level::ALL {
            let choice = Computer::new(level, 1).choose(&Game::new(Rules::ABAPA), None, &stop);
            assert!(choice.is_some(), "{level}");
        }
    }
}
