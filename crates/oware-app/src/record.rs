//! Games played again from their moves.

use oware_notation::read_moves;
use oware_rules::{FinalScore, Game, House, Position, Reason};

/// The longest game that is played again, in plies. Looking for repetitions takes time that grows
/// with the square of a loop's length; no game of sense comes near, a hostile one might.
pub const MAX_PLIES: usize = 20_000;

/// What is wrong with the moves of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct MovesFault {
    /// The ply it is found at, from 1; `None` where it cannot be told.
    pub ply: Option<usize>,
    /// Why, in words.
    pub why: String,
}

/// How a game stands after its last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The stores; after any sharing out where the game is over.
    pub score: FinalScore,
    /// Why it is over; `None` while it goes on.
    pub reason: Option<Reason>,
    /// The number of plies played.
    pub plies: usize,
}

impl GameResult {
    /// Of a game.
    #[must_use]
    pub fn of(game: &Game) -> GameResult {
        let ending = game.ending();
        GameResult {
            score: ending
                .map_or_else(|| FinalScore::whole(game.position().stores()), |end| end.score),
            reason: ending.map(|end| end.reason),
            plies: game.plies().len(),
        }
    }
}

/// Plays the moves of a text from a position: letters as in `FfBeBc`, or any move text that
/// records have. A move after the end is an error like any other that is not legal.
///
/// # Errors
/// The first move that cannot be read or is not legal.
pub fn play_moves(start: Position, moves: &str) -> Result<Game, MovesFault> {
    let mut game = Game::from_position(start);
    if moves.bytes().all(|byte| byte.is_ascii_alphabetic() || byte.is_ascii_whitespace()) {
        // Letters alone need no reader, and a bad one is found at its own ply.
        for letter in moves.chars().filter(|letter| !letter.is_ascii_whitespace()) {
            let house = House::try_from(letter);
            play(&mut game, house.map_err(|error| error.to_string()))?;
        }
        return Ok(game);
    }
    let houses =
        read_moves(moves).map_err(|error| MovesFault { ply: None, why: error.to_string() })?;
    for house in houses {
        play(&mut game, Ok(house))?;
    }
    Ok(game)
}

fn play(game: &mut Game, house: Result<House, String>) -> Result<(), MovesFault> {
    let ply = Some(game.plies().len() + 1);
    if game.plies().len() == MAX_PLIES {
        let why =
            format!("the game is longer than {MAX_PLIES} plies, which is the most that is played");
        return Err(MovesFault { ply, why });
    }
    let house = house.map_err(|why| MovesFault { ply, why })?;
    if !game.is_over() && house.side() != game.position().to_move() {
        let why = oware_rules::PlayError::NotYours(house).to_string();
        return Err(MovesFault { ply, why });
    }
    game.play_quick(house.as_move()).map_err(|error| MovesFault { ply, why: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use oware_rules::Rules;

    fn fault(moves: &str) -> MovesFault {
        play_moves(Position::start(Rules::ABAPA), moves).unwrap_err()
    }

    #[test]
    fn the_first_wrong_ply_is_named() {
        assert_eq!(
            fault("Fz"),
            MovesFault {
                ply: Some(2),
                why: "\"z\" is not a house: expected A to F (South) or a to f (North)".into(),
            }
        );
        assert_eq!(fault("FA").ply, Some(2));
        assert!(fault("FA").why.contains("other player's turn"), "{}", fault("FA").why);
        assert_eq!(fault("F f F").ply, Some(3));
        assert!(fault("F f F").why.contains("empty"));
    }

    #[test]
    fn an_endless_game_is_cut_off() {
        let setup = oware_rules::Setup {
            houses: [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
            stores: [23, 23],
            to_move: oware_rules::Side::North,
        };
        let rules = "abapa,repetition=off".parse().unwrap();
        let start = Position::new(setup, rules).unwrap();
        let round = "fAaBbCcDdEeF";
        let rounds = MAX_PLIES / round.len();
        let game = play_moves(start, &round.repeat(rounds)).unwrap();
        assert_eq!(GameResult::of(&game).plies, rounds * round.len());
        let fault = play_moves(start, &round.repeat(rounds + 1)).unwrap_err();
        assert_eq!(fault.ply, Some(MAX_PLIES + 1), "{fault}");
    }

    #[test]
    fn a_move_after_the_end_is_an_error() {
        let setup = oware_rules::Setup {
            houses: [0, 0, 0, 0, 0, 2, 1, 2, 4, 0, 0, 0],
            stores: [20, 19],
            to_move: oware_rules::Side::South,
        };
        let start = Position::new(setup, Rules::ABAPA).unwrap();
        let game = play_moves(start, "F").unwrap();
        let result = GameResult::of(&game);
        assert_eq!(
            (result.score.to_string(), result.reason, result.plies),
            ("25-19".into(), Some(Reason::Majority), 1)
        );
        let late = play_moves(start, "FC").unwrap_err();
        assert_eq!(late, MovesFault { ply: Some(2), why: "the game is over (majority)".into() });
    }
}
