//! The lessons of the pages, held against the rules: in every step the moves that the page calls
//! right are just those legal ones that do what the step asks for.

use std::collections::BTreeSet;
use std::path::Path;

use oware_notation::read_position;
use oware_rules::{Game, House, Rules, SowingBoard};
use oware_server::study::Puzzles;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lesson {
    id: String,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    start: String,
    #[serde(default)]
    moves: String,
    goal: Goal,
    right: BTreeSet<String>,
    #[serde(default)]
    reply: Option<String>,
    #[serde(default)]
    look: Vec<String>,
}

/// What a move of the step has to do.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Goal {
    /// Any legal move.
    Legal,
    /// The last seed falls there.
    Last(String),
    /// So many seeds are captured, or more.
    Captures(u8),
    /// The opponent can capture nothing on the next ply.
    Safe,
    /// The sowing leaves out the house of origin so often.
    Laps(u8),
    /// It is a grand slam.
    Slam,
    /// The game ends, for this reason.
    Ends(String),
    /// It is the solution of a puzzle.
    Puzzle(String),
}

fn lessons() -> Vec<Lesson> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/pages/learn/lessons.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn game(step: &Step) -> Game {
    let start = read_position(&step.start).unwrap().resolve(None, Rules::ABAPA).unwrap();
    oware_app::play_moves(start, &step.moves).unwrap()
}

fn most_captured(game: &Game) -> u8 {
    let (board, rules) = (game.position().board(), *game.rules());
    game.legal_moves().iter().map(|mv| board.sow(mv, &rules).captured).max().unwrap_or(0)
}

fn does(goal: &Goal, step: &Step, game: &Game, house: House) -> bool {
    let mut after = game.clone();
    let report = after.play_house(house).unwrap();
    match goal {
        Goal::Legal => true,
        Goal::Last(last) => report.last.to_string() == *last,
        Goal::Captures(seeds) => report.captured.get() >= *seeds,
        Goal::Safe => most_captured(&after) == 0,
        Goal::Laps(laps) => report.laps == *laps,
        Goal::Slam => report.grand_slam.is_some(),
        Goal::Ends(reason) => {
            after.ending().is_some_and(|ending| ending.reason.name() == reason.as_str())
        }
        Goal::Puzzle(id) => {
            let puzzles = Puzzles::built_in();
            let puzzle = puzzles.get(id).unwrap_or_else(|| panic!("there is no puzzle {id}"));
            assert_eq!(puzzle.position, step.start, "{id}");
            // The solver's moves are every other letter.
            let before: String = step.moves.chars().step_by(2).collect();
            let verdict = puzzle.judge(&format!("{before}{house}")).unwrap();
            if let (true, Some(reply)) = (verdict.right && !verdict.solved, &step.reply) {
                assert_eq!(verdict.line[0].trace.house, *reply, "{id}");
            }
            verdict.right
        }
    }
}

#[test]
fn the_right_moves_of_every_step_are_those_that_do_what_it_asks() {
    for lesson in lessons() {
        for (number, step) in lesson.steps.iter().enumerate() {
            let context = format!("lesson {} step {}", lesson.id, number + 1);
            let game = game(step);
            assert!(!game.is_over(), "{context}");
            assert_eq!(game.position().to_move(), oware_rules::Side::South, "{context}");
            let side = game.position().to_move();
            let legal: Vec<House> =
                game.legal_moves().iter().map(|mv| House::of(side, mv)).collect();
            let doing = legal.iter().filter(|&&house| does(&step.goal, step, &game, house));
            let doing: BTreeSet<String> = doing.map(ToString::to_string).collect();
            assert!(!doing.is_empty(), "{context}");
            assert_eq!(doing, step.right, "{context}");
            for house in &step.look {
                assert!(house.parse::<House>().is_ok(), "{context}: {house}");
            }
        }
    }
}

#[test]
fn replies_can_be_played_after_every_right_move() {
    for lesson in lessons() {
        for step in lesson.steps.iter().filter(|step| step.reply.is_some()) {
            for right in &step.right {
                let mut game = game(step);
                game.play_house(right.parse().unwrap()).unwrap();
                let reply = step.reply.as_deref().unwrap();
                game.play_house(reply.parse().unwrap()).unwrap();
            }
        }
    }
}

#[test]
fn there_are_ten_lessons_from_sowing_to_loops_and_grand_slams() {
    let lessons = lessons();
    assert_eq!(lessons.len(), 10);
    let names: Vec<&str> = lessons.iter().map(|lesson| lesson.id.as_str()).collect();
    assert_eq!(names[0], "sowing");
    assert!(names.contains(&"loop") && names.contains(&"slam"));
    assert!(lessons.iter().all(|lesson| lesson.steps.len() >= 2));
}

/// What the words of the lessons say of their positions, where no goal says it.
#[test]
fn the_words_of_the_lessons_are_true() {
    let lessons = lessons();
    let step = |id: &str, number: usize| {
        let lesson = lessons.iter().find(|lesson| lesson.id == id).unwrap();
        game(&lesson.steps[number - 1])
    };
    let play = |game: &Game, house: &str| {
        let mut game = game.clone();
        game.play_house(house.parse().unwrap()).unwrap();
        game
    };
    // Both houses of the chain that is broken capture, D less than E.
    let broken = step("chain", 2);
    assert_eq!(play(&broken, "D").plies()[0].captured, 2);
    assert_eq!(play(&broken, "E").plies()[0].captured, 5);
    // After F of the second step of feeding, f captures two.
    let fed = play(&step("feed", 2), "F");
    assert_eq!(play(&fed, "f").plies()[1].captured, 2);
    // The row is South's when the opponent's last seed is played: 25 to 23.
    let stuck = play(&play(&step("end", 2), "A"), "f");
    assert_eq!(stuck.ending().unwrap().score.to_string(), "25-23");
    assert_eq!(stuck.ending().unwrap().reason.name(), "no_move");
    // The second occurrence goes on, the third ends the game with a seed each.
    let second = play(&step("loop", 1), "F");
    assert!(!second.is_over() && second.occurrences() == 2);
    let third = play(&step("loop", 2), "F");
    assert_eq!(third.ending().unwrap().score.to_string(), "24-24");
}
