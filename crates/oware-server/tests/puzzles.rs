//! Every puzzle of the site is proven anew from tables that are solved here: the one best move,
//! every other move's refutation, the whole solution, themes and difficulty.

use std::collections::HashSet;
use std::path::Path;
use std::sync::OnceLock;

use oware_app::Knowledge;
use oware_app::puzzle::{Goal, PUZZLE_RULES, Puzzle, Theme, standings};
use oware_retro::{BuildJob, Target, build};
use oware_rules::{Game, House, Position, SowingBoard};
use oware_server::study::{Puzzles, StoredPuzzle};
use oware_server::wire::PuzzleGoal;

/// The most seeds on a puzzle's board.
const SEEDS: usize = 12;

/// The tables, solved once for all tests of this file.
fn knowledge() -> &'static Knowledge {
    static ROOT: OnceLock<(tempfile::TempDir, Knowledge)> = OnceLock::new();
    let (_, knowledge) = ROOT.get_or_init(|| {
        let root = tempfile::tempdir().unwrap();
        build_into(root.path());
        let knowledge = Knowledge::open(root.path(), &PUZZLE_RULES).unwrap();
        (root, knowledge)
    });
    knowledge
}

fn build_into(root: &Path) {
    let targets = [Target::Bounds];
    let job = BuildJob::quiet(root, PUZZLE_RULES.table_rules(), &targets, SEEDS);
    build(&BuildJob { threads: 2, ..job }).unwrap();
}

fn goal(puzzle: &StoredPuzzle) -> Goal {
    match puzzle.goal {
        PuzzleGoal::Win => Goal::Win,
        PuzzleGoal::Draw => Goal::Draw,
    }
}

fn house(text: &str) -> House {
    text.parse().unwrap()
}

/// Holds a position of the solver against the tables: this move reaches the goal for sure, and
/// each of these others for sure does not; there are no more.
fn assert_only(position: &Position, goal: Goal, right: House, wrong: &[House], id: &str) {
    let lead = position.lead();
    let moves = standings(knowledge(), position.board()).unwrap().unwrap();
    assert_eq!(moves.len(), wrong.len() + 1, "{id}: legal moves");
    for standing in moves {
        let this = House::of(position.to_move(), standing.mv);
        if this == right {
            assert!(lead + standing.low >= goal.needed(), "{id}: {this} reaches the goal");
        } else {
            assert!(wrong.contains(&this), "{id}: {this} is refuted");
            assert!(lead + standing.high < goal.needed(), "{id}: {this} misses the goal");
        }
    }
}

#[test]
fn there_are_enough_of_every_kind() {
    let puzzles = Puzzles::built_in();
    let all = puzzles.all();
    assert!(all.len() >= 200, "{}", all.len());
    let names: HashSet<&str> = all.iter().map(|puzzle| puzzle.id.as_str()).collect();
    assert_eq!(names.len(), all.len());
    let boards: HashSet<_> = all.iter().map(|puzzle| puzzle.start().board()).collect();
    assert!(boards.len() * 100 >= all.len() * 95, "few boards come twice");
    for difficulty in 1..=5 {
        let count = all.iter().filter(|puzzle| puzzle.difficulty == difficulty).count();
        assert!(count >= 30, "difficulty {difficulty}: {count}");
    }
    for theme in Theme::ALL {
        let count = all.iter().filter(|p| p.themes.iter().any(|t| t == theme.name())).count();
        assert!(count >= 10, "{}: {count}", theme.name());
    }
}

#[test]
fn every_move_of_every_solution_is_the_only_one() {
    for puzzle in Puzzles::built_in().all() {
        let (id, goal) = (&puzzle.id, goal(puzzle));
        let mut game = Game::from_position(puzzle.start());
        assert!(usize::from(game.position().board().total()) <= SEEDS, "{id}");
        for (index, step) in puzzle.moves.iter().enumerate() {
            let wrong: Vec<House> = step.wrong.iter().map(|wrong| house(&wrong.house)).collect();
            assert_only(game.position(), goal, house(&step.house), &wrong, id);
            game.play_house(house(&step.house)).unwrap();
            assert_eq!(step.reply.is_none(), index + 1 == puzzle.moves.len(), "{id}");
            if let Some(reply) = &step.reply {
                game.play_house(house(reply)).unwrap();
            }
        }
    }
}

#[test]
fn every_wrong_move_is_refuted_by_its_line() {
    for puzzle in Puzzles::built_in().all() {
        let (id, goal) = (&puzzle.id, goal(puzzle));
        let mut game = Game::from_position(puzzle.start());
        let solver = game.position().to_move();
        for step in &puzzle.moves {
            for wrong in &step.wrong {
                let mut refuted = game.clone();
                refuted.play_house(house(&wrong.house)).unwrap();
                assert!(wrong.most < goal.needed(), "{id}");
                for letter in wrong.line.chars() {
                    refuted.play_house(House::try_from(letter).unwrap()).unwrap();
                    // Once the goal is out of reach it stays so, whoever has to move.
                    let position = refuted.position();
                    let most = match refuted.ending() {
                        Some(ending) => match ending.winner {
                            Some(winner) if winner == solver => 1,
                            Some(_) => -1,
                            None => 0,
                        },
                        None => {
                            let facts = knowledge().facts(position.board()).unwrap();
                            let [low, high] =
                                [oware_tables::Convention::Low, oware_tables::Convention::High]
                                    .map(|convention| facts.value(convention).unwrap());
                            match position.to_move() == solver {
                                true => position.lead() + high,
                                false => -(position.lead() + low),
                            }
                        }
                    };
                    // The solver may err in no line: it is best play for both.
                    assert!(most < goal.needed(), "{id}: {} {}", wrong.house, wrong.line);
                }
            }
            game.play_house(house(&step.house)).unwrap();
            if let Some(reply) = &step.reply {
                game.play_house(house(reply)).unwrap();
            }
        }
    }
}

#[test]
fn every_puzzle_is_composed_again_from_its_board() {
    for stored in Puzzles::built_in().all() {
        let board = stored.start().board();
        let made = Puzzle::compose(board, goal(stored), knowledge()).unwrap();
        let made = made.unwrap_or_else(|| panic!("{} is no puzzle", stored.id));
        assert_eq!(made.position, stored.start(), "{}", stored.id);
        assert_eq!(made.difficulty, stored.difficulty, "{}", stored.id);
        assert_eq!(made.depth, stored.depth, "{}", stored.id);
        let themes: Vec<&str> = made.themes.iter().map(|theme| theme.name()).collect();
        assert_eq!(themes, stored.themes, "{}", stored.id);
        let letters = |houses: &[House]| houses.iter().map(|h| h.letter()).collect::<String>();
        assert_eq!(made.moves.len(), stored.moves.len(), "{}", stored.id);
        for (made, stored) in made.moves.iter().zip(&stored.moves) {
            assert_eq!(made.house.to_string(), stored.house);
            assert_eq!(made.reply.map(|reply| reply.to_string()), stored.reply);
            for (made, stored) in made.wrong.iter().zip(&stored.wrong) {
                assert_eq!(made.house.to_string(), stored.house);
                assert_eq!((made.most, letters(&made.line)), (stored.most, stored.line.clone()));
            }
        }
    }
}

#[test]
fn an_attempt_is_judged_and_answered() {
    let puzzles = Puzzles::built_in();
    for puzzle in puzzles.all() {
        let mut so_far = String::new();
        for (index, step) in puzzle.moves.iter().enumerate() {
            for wrong in &step.wrong {
                let verdict = puzzle.judge(&format!("{so_far}{}", wrong.house)).unwrap();
                assert!(!verdict.right && !verdict.solved, "{}", puzzle.id);
                assert_eq!(verdict.most, Some(wrong.most));
                assert_eq!(verdict.line.len(), wrong.line.len());
            }
            so_far += &step.house;
            let verdict = puzzle.judge(&so_far).unwrap();
            let last = index + 1 == puzzle.moves.len();
            assert_eq!((verdict.right, verdict.solved), (true, last), "{}", puzzle.id);
            assert_eq!(verdict.line.len(), usize::from(!last));
        }
        assert!(puzzle.judge(&format!("{so_far}A")).is_err());
        let solution = puzzle.solution();
        assert_eq!(solution.plies.len(), 2 * puzzle.moves.len() - 1, "{}", puzzle.id);
    }
    let puzzle = &puzzles.all()[0];
    for bad in ["", "z", "é", "a", "AAAAAAAAAAAAAAAAAAAA"] {
        assert!(puzzle.judge(bad).is_err(), "{bad}");
    }
}
