//! The computer as opponent and adviser: its levels, reproducible from a seed and the endgame
//! tables it is given.

use oware_rules::{FinalScore, Game, House, Move, MoveSet, OfferKind, Reason, Side, SowingBoard};
use oware_search::{Control, Engine, Limits, Line, Options, Report, Score};
use oware_tables::Convention;

use crate::draw::draw;
use crate::human;
use crate::knowledge::{Advice, TableMove};
use crate::level::Skill;
use crate::{Knowledge, Level};

/// Positions looked at for a hint.
const HINT_NODES: u64 = 1 << 20;
/// Positions looked at before an offer is answered.
const OFFER_NODES: u64 = 1 << 18;
/// Memory of a search, in MiB. It begins empty each time, so that no move depends on the moves
/// that were thought about before.
const HASH_MIB: usize = 4;
/// In so many plies from the beginning, with hardly a seed taken, the upper levels vary.
const VARIED_PLIES: usize = 6;
const VARIED_SEEDS: u8 = 44;
/// Among the best so many moves, by so little.
const VARIED_MOVES: usize = 3;
const VARIED_COST: Score = Score::of_hundredths(10);

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
    /// What a search found; `None` if it found no move.
    fn of_line(game: &Game, line: &Line, depth: u32) -> Option<Choice> {
        let mover = game.position().to_move();
        let sides = [mover, mover.other()].into_iter().cycle();
        let expected = if line.moves.is_empty() { &[line.mv][..] } else { &line.moves };
        let houses = sides.zip(expected).map(|(side, &mv)| House::of(side, mv)).collect();
        Some(Choice {
            house: House::of(mover, line.mv),
            value: line.score.seeds(),
            depth,
            line: houses,
            source: Source::Search,
        })
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
        Choice::of_line(game, report.lines.first()?, report.depth)
    }

    /// Any legal move, when there is no memory to search.
    fn unsearched(game: &Game) -> Option<Choice> {
        let mv = game.legal_moves().iter().next()?;
        let mover = game.position().to_move();
        let house = House::of(mover, mv);
        let value = difference(FinalScore::whole(game.position().stores()), mover).into();
        Some(Choice { house, value, depth: 0, line: vec![house], source: Source::Search })
    }
}

/// What endgame tables force, else the best move that a search of fixed size finds; `None` when
/// the game is over. Tables that cannot be read are passed over. After a stop it gives the best
/// that it has.
#[must_use]
pub fn hint(game: &Game, tables: Option<&Knowledge>, control: &Control) -> Option<Choice> {
    if game.is_over() {
        return None;
    }
    let moves = match advised(game, tables) {
        Ok(choice) => return Some(choice),
        Err(moves) => moves,
    };
    let limits = Limits { moves, ..Limits::nodes(HINT_NODES) };
    Choice::of_report(game, &full_search(game, &limits, control)?)
}

/// What endgame tables decide, else the moves that they leave for a search (`None`: all).
fn advised(game: &Game, tables: Option<&Knowledge>) -> Result<Choice, Option<MoveSet>> {
    match Advice::of(tables, game) {
        Advice::Play(best) => Ok(Choice::of_tables(game, best)),
        Advice::OneOf(moves) => Err(Some(moves)),
        Advice::Nothing => Err(None),
    }
}

/// A search with an empty memory. `None` where there is none to be had.
fn full_search(game: &Game, limits: &Limits, control: &Control) -> Option<Report> {
    let mut engine = Engine::new(Options { hash_mib: HASH_MIB, ..Options::default() }).ok()?;
    Some(engine.search(game, limits, control, &mut |_| {}))
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

    /// The move it plays; `None` when the game is over. After a stop it gives the best it has.
    /// Only the strongest level looks into `tables`.
    #[must_use]
    pub fn choose(
        &self,
        game: &Game,
        tables: Option<&Knowledge>,
        control: &Control,
    ) -> Option<Choice> {
        if game.is_over() {
            return None;
        }
        let found = match self.level.skill() {
            Skill::Human(human) => {
                let chosen = human::choose(game, human, |mv| self.draw(game, mv), control);
                chosen.and_then(|(line, depth)| Choice::of_line(game, &line, depth))
            }
            Skill::Engine { nodes } => {
                let tables = tables.filter(|_| self.level == Level::TOP);
                let moves = match advised(game, tables) {
                    Ok(choice) => return Some(choice),
                    Err(moves) => moves,
                };
                self.best(game, &Limits { moves, ..Limits::nodes(nodes) }, control)
            }
        };
        found.or_else(|| Choice::unsearched(game))
    }

    /// The best move found within limits. In the opening one of those that are as good.
    fn best(&self, game: &Game, limits: &Limits, control: &Control) -> Option<Choice> {
        let seeds = game.position().board().total();
        let varied = game.plies().len() < VARIED_PLIES && seeds >= VARIED_SEEDS;
        let lines = if varied { VARIED_MOVES } else { 1 };
        let report = full_search(game, &Limits { lines, ..limits.clone() }, control)?;
        let best = report.lines.first()?.score;
        let near = report.lines.iter().filter(|line| best - line.score <= VARIED_COST);
        let line = near.max_by_key(|line| self.draw(game, line.mv))?;
        Choice::of_line(game, line, report.depth)
    }

    /// A number drawn from the seed, the position, how many plies were played, and a move.
    fn draw(&self, game: &Game, mv: Move) -> u64 {
        let text = format!("{} {} {}", game.position(), game.plies().len(), mv.index());
        draw(self.seed, text.bytes().map(u64::from))
    }

    /// Whether it accepts what the other player offers: when its own expectation is not above
    /// what the offer gives it. `me` is the side the computer plays.
    ///
    /// The expectation is that of a full search whatever the level: an opponent that gives away
    /// a won game teaches nothing.
    #[must_use]
    pub fn accepts(&self, game: &Game, me: Side, kind: OfferKind, control: &Control) -> bool {
        if game.is_over() {
            return false;
        }
        let position = game.position();
        let offered = match kind {
            OfferKind::Draw => 0,
            OfferKind::Loop => difference(position.settle(Reason::LoopAgreed).score, me),
        };
        let Some(report) = full_search(game, &Limits::nodes(OFFER_NODES), control) else {
            return false;
        };
        let expected = report.score();
        let expected = if position.to_move() == me { expected } else { -expected };
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

    fn game(houses: [u8; 12], stores: [u8; 2]) -> Game {
        let setup = Setup { houses, stores, to_move: Side::South };
        Game::from_position(Position::new(setup, Rules::ABAPA).unwrap())
    }

    /// Plays two levels against each other; the final difference for South in half seeds.
    fn play_out(south: Computer, north: Computer) -> i32 {
        let control = Control::new();
        let mut game = Game::new(Rules::ABAPA);
        while let Some(choice) =
            (if game.position().to_move() == Side::South { south } else { north })
                .choose(&game, None, &control)
        {
            game.play_house(choice.house).unwrap();
        }
        let score = game.ending().unwrap().score;
        i32::from(score.south.halves()) - i32::from(score.north.halves())
    }

    #[test]
    fn a_seed_fixes_the_game() {
        let play =
            |seed| play_out(Computer::new(Level::EASY, seed), Computer::new(Level::MEDIUM, seed));
        assert_eq!(play(3), play(3));
        assert!((0..4).map(play).collect::<std::collections::HashSet<_>>().len() > 1);
    }

    #[test]
    fn a_higher_level_wins_a_small_match() {
        let (easy, medium) = (Level::EASY, Level::MEDIUM);
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
        let control = Control::new();
        let best = hint(&game, None, &control).unwrap();
        for seed in 0..50 {
            let choice = Computer::new(Level::EASY, seed).choose(&game, None, &control).unwrap();
            assert_eq!(choice.house, best.house, "seed {seed}");
        }
    }

    #[test]
    fn offers_are_weighed() {
        let control = Control::new();
        let north = Computer::new(Level::EASY, 0);
        // South leads 24-20 with the rest of the seeds far from decided for North.
        let behind = game([1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1], [24, 20]);
        assert!(north.accepts(&behind, Side::North, OfferKind::Draw, &control));
        assert!(!north.accepts(&behind, Side::South, OfferKind::Draw, &control));
        let mut over = behind.clone();
        over.end(oware_rules::MatchEnd::DrawAgreed).unwrap();
        assert!(!north.accepts(&over, Side::North, OfferKind::Loop, &control));
    }

    #[test]
    fn a_stopped_computer_still_moves() {
        let control = Control::new();
        control.stop();
        for level in Level::all() {
            let choice = Computer::new(level, 1).choose(&Game::new(Rules::ABAPA), None, &control);
            assert!(choice.is_some(), "{level}");
        }
    }
}
