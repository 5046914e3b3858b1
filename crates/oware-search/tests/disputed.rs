//! Positions of docs/RULES.md, section 5, on which programs disagree because of loops: what the
//! engine makes of them with the game's past and without, from either side of the board.

use std::sync::atomic::AtomicBool;

use oware_rules::{Game, House, Move, MoveSet, Position, Reason, Rules, Setup, Side};
use oware_search::{Control, Engine, Limits, Options, Source, evaluate, plain};

/// Houses as South sees them, stores, who moves, and moves that go round.
struct Case {
    houses: [u8; 12],
    stores: [u8; 2],
    to_move: Side,
    round: &'static str,
}

const D3: Case = Case {
    houses: [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
    stores: [23, 23],
    to_move: Side::North,
    round: "fAaBbCcDdEeF",
};
const D4: Case = Case {
    houses: [1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0],
    stores: [22, 23],
    to_move: Side::South,
    round: "BaAbCcDdEeFf",
};
const D5: Case = Case {
    houses: [0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 3],
    stores: [22, 21],
    to_move: Side::South,
    round: "EfBaCbEcDdE",
};

const TWICE: &str = "abapa,repetition=2";
const THRICE: &str = "abapa";

impl Case {
    /// The game after so many plies of the round, played on and on; as it stands, and turned.
    fn after(&self, rules: &str, plies: usize) -> [Game; 2] {
        let (houses, stores, to_move) = (self.houses, self.stores, self.to_move);
        let start = Position::new(Setup { houses, stores, to_move }, rules.parse().unwrap());
        let start = start.unwrap();
        [start, start.mirrored()].map(|start| {
            let mut game = Game::from_position(start);
            for letter in self.round.chars().cycle().take(plies) {
                game.play_quick(House::try_from(letter).unwrap().as_move()).unwrap();
            }
            game
        })
    }
}

fn house(letter: char) -> Move {
    House::try_from(letter).unwrap().as_move()
}

/// The same position without the past.
fn fresh(game: &Game) -> Game {
    Game::from_position(*game.position())
}

/// What a move is worth to who plays it, in hundredths of a seed, by the engine in both modes and
/// by the plain search, and how the engine knows.
fn worth(game: &Game, letter: char, depth: u32) -> (i32, Source) {
    let moves = Some([house(letter)].into_iter().collect::<MoveSet>());
    let limits = Limits { moves, ..Limits::depth(depth) };
    let [found, checked] = [false, true].map(|check| {
        let options = Options { hash_mib: 1, check, ..Options::default() };
        let mut engine = Engine::new(options).unwrap();
        engine.search(game, &limits, &Control::new(), &mut |_| {})
    });
    assert_eq!(found.best(), Some(house(letter)));
    assert_eq!(found.score(), checked.score(), "{letter} at {}", game.position());
    if game.legal_moves().len() == 1 {
        let limits = plain::Limits { depth: Some(depth), nodes: None, estimate: evaluate };
        let plain = plain::search(game, limits, &AtomicBool::new(false), &mut |_| {});
        assert_eq!(found.score(), plain.score, "{letter} at {}", game.position());
    }
    (found.score().hundredths(), found.lines[0].source)
}

/// The final difference for who plays a move that ends the game by repetition.
fn ended(game: &Game, letter: char) -> Option<f64> {
    let mut next = game.clone();
    next.play(house(letter)).unwrap();
    let ending = next.ending()?;
    assert_eq!(ending.reason, Reason::Repetition);
    let mover = game.position().to_move();
    Some(ending.score.of(mover).seeds() - ending.score.of(mover.other()).seeds())
}

/// All moves are forced. Where F ends the game South is two behind; without a past the search goes
/// round once and comes back to where it began, with a seed in each row.
#[test]
fn d3_the_last_move_of_the_round_ends_the_game_where_the_past_says_so() {
    for game in D3.after(TWICE, 11) {
        assert_eq!(ended(&game, 'F'), Some(-2.0));
        for depth in [1, 2, 14] {
            assert_eq!(worth(&game, 'F', depth), (-200, Source::Bound), "depth {depth}");
        }
        assert_eq!(worth(&fresh(&game), 'F', 1).1, Source::Search);
        assert_eq!(worth(&fresh(&game), 'F', 14), (0, Source::Bound));
    }
}

#[test]
fn d3_under_a_third_repetition_the_first_round_ends_nothing() {
    for game in D3.after(THRICE, 11) {
        assert_eq!(ended(&game, 'F'), None);
        assert_eq!(worth(&game, 'F', 1).1, Source::Search);
        assert_eq!(worth(&game, 'F', 14), worth(&fresh(&game), 'F', 14));
    }
    for game in D3.after(THRICE, 23) {
        assert_eq!(ended(&game, 'F'), Some(-2.0));
        for depth in [1, 14] {
            assert_eq!(worth(&game, 'F', depth), (-200, Source::Bound), "depth {depth}");
        }
        assert_eq!(worth(&fresh(&game), 'F', 14), (0, Source::Bound));
    }
}

/// The way back gives a draw by own rows, and half a seed more to North where loops are split
/// evenly.
#[test]
fn d4_the_rules_say_how_the_loop_is_shared() {
    let even = format!("{TWICE},loop_split=even");
    for (rules, ahead) in [(TWICE, 0), (even.as_str(), 1)] {
        for game in D4.after(rules, 11) {
            assert_eq!(ended(&game, 'f'), Some(f64::from(ahead)));
            for depth in [1, 2, 12] {
                assert_eq!(worth(&game, 'f', depth), (100 * ahead, Source::Bound), "{rules}");
            }
            assert_eq!(worth(&fresh(&game), 'f', 1).1, Source::Search);
        }
    }
    for game in D4.after(THRICE, 11) {
        assert_eq!(ended(&game, 'f'), None);
        assert_eq!(worth(&game, 'f', 1).1, Source::Search);
    }
    for game in D4.after(THRICE, 23) {
        assert_eq!(ended(&game, 'f'), Some(0.0));
        assert_eq!(worth(&game, 'f', 1), (0, Source::Bound));
    }
}

/// The houses come back as the mover sees them, but the other player moves: not a repetition,
/// with the past or without.
#[test]
fn d5_the_same_houses_for_the_other_player_are_no_repetition() {
    for rules in [TWICE, THRICE] {
        for game in D5.after(rules, 10) {
            assert_eq!(ended(&game, 'E'), None);
            let found = worth(&game, 'E', 1);
            assert_eq!(found, worth(&fresh(&game), 'E', 1));
            assert_eq!(found.1, Source::Search);
            // What it is worth is what the board after it is worth, guessed.
            let mut next = game.clone();
            next.play(house('E')).unwrap();
            assert_eq!(next.position().board(), game.start().board());
            let mover = game.position().to_move();
            let store = |side| i32::from(game.position().store(side).get());
            let lead = 100 * (store(mover) - store(mover.other()));
            assert_eq!(found.0, lead - evaluate(next.position().board()).hundredths());
        }
    }
}

#[test]
fn rules_of_the_cases_are_as_named() {
    assert_eq!(TWICE.parse(), Ok(Rules::ABAPA_FIRST_REPETITION));
    assert_eq!(THRICE.parse(), Ok(Rules::ABAPA));
}
