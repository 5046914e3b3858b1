//! The puzzles that come with the site, and whether a move solves one.

use std::collections::HashMap;

use oware_app::puzzle::{PUZZLE_RULES, Theme};
use oware_notation::read_position;
use oware_rules::{Game, House, Position};
use serde::Deserialize;

use crate::view;
use crate::wire::{
    PlyView, PuzzleGoal, PuzzleQuery, PuzzleSolution, PuzzleSummary, PuzzleVerdict, PuzzleView,
    ResultOf,
};

/// One puzzle a line, as `oware-tune puzzles` writes them.
const BUILT_IN: &str = include_str!("../../data/puzzles.jsonl");

/// A puzzle of the file.
#[derive(Clone, Debug, Deserialize)]
pub struct StoredPuzzle {
    /// Its name.
    pub id: String,
    /// Where it begins.
    pub position: String,
    /// What is to be reached.
    pub goal: PuzzleGoal,
    /// 1 to 5.
    pub difficulty: u8,
    /// What it is about.
    pub themes: Vec<String>,
    /// Plies a plain look-ahead needs for the first move; none where ten are not enough.
    pub depth: Option<u32>,
    /// The moves of the solver.
    pub moves: Vec<StoredMove>,
}

/// A move of the solver.
#[derive(Clone, Debug, Deserialize)]
pub struct StoredMove {
    /// The only right one.
    pub house: String,
    /// The answer; none after the last move.
    pub reply: Option<String>,
    /// All others.
    pub wrong: Vec<StoredWrong>,
}

/// A wrong move.
#[derive(Clone, Debug, Deserialize)]
pub struct StoredWrong {
    /// The move.
    pub house: String,
    /// How far ahead the solver ends at most.
    pub most: i8,
    /// How it goes on.
    pub line: String,
}

/// Why an attempt cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PuzzleFault {
    /// The moves are not the solution's with one more; in words.
    Moves(String),
}

/// All puzzles, the easy ones first.
pub struct Puzzles {
    all: Vec<StoredPuzzle>,
    by_id: HashMap<String, usize>,
}

impl Puzzles {
    /// Those of the program.
    ///
    /// # Panics
    /// When the file that the program was built with is damaged.
    #[must_use]
    pub fn built_in() -> Puzzles {
        let all: Vec<StoredPuzzle> = BUILT_IN
            .lines()
            .map(|line| serde_json::from_str(line).expect("the built-in puzzles are well-formed"))
            .collect();
        let by_id = all.iter().enumerate().map(|(n, puzzle)| (puzzle.id.clone(), n)).collect();
        Puzzles { all, by_id }
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> &[StoredPuzzle] {
        &self.all
    }

    /// One by its name.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&StoredPuzzle> {
        self.all.get(*self.by_id.get(id)?)
    }

    /// Those that are asked for.
    ///
    /// # Errors
    /// The field at fault and what was expected there.
    pub fn list(&self, query: &PuzzleQuery) -> Result<Vec<PuzzleSummary>, (&'static str, String)> {
        if let Some(number) = query.difficulty.filter(|number| !(1..=5).contains(number)) {
            return Err(("difficulty", format!("difficulty is {number}, expected 1 to 5")));
        }
        if let Some(theme) = &query.theme
            && !Theme::ALL.iter().any(|known| known.name() == theme)
        {
            let names = Theme::ALL.map(Theme::name).join(", ");
            let theme: String = theme.chars().take(20).collect();
            return Err(("theme", format!("theme is {theme:?}, expected one of {names}")));
        }
        let fits = |puzzle: &&StoredPuzzle| {
            query.difficulty.is_none_or(|difficulty| difficulty == puzzle.difficulty)
                && query.theme.as_ref().is_none_or(|theme| puzzle.themes.contains(theme))
                && query.goal.is_none_or(|goal| goal == puzzle.goal)
        };
        Ok(self.all.iter().filter(fits).map(StoredPuzzle::summary).collect())
    }
}

impl StoredPuzzle {
    fn summary(&self) -> PuzzleSummary {
        PuzzleSummary {
            id: self.id.clone(),
            position: self.position.clone(),
            goal: self.goal,
            difficulty: self.difficulty,
            themes: self.themes.clone(),
            moves: self.moves.len() as u8,
        }
    }

    /// The position it begins with.
    ///
    /// # Panics
    /// When the file that the program was built with is damaged.
    #[must_use]
    pub fn start(&self) -> Position {
        let read = read_position(&self.position).and_then(|text| text.resolve(None, PUZZLE_RULES));
        read.expect("the built-in puzzles have positions")
    }

    /// What a solver sees of it.
    #[must_use]
    pub fn view(&self) -> PuzzleView {
        let game = Game::from_position(self.start());
        PuzzleView { puzzle: self.summary(), state: view::position(&game) }
    }

    /// The whole solution.
    #[must_use]
    pub fn solution(&self) -> PuzzleSolution {
        let mut game = Game::from_position(self.start());
        let houses = self.moves.iter().flat_map(|step| [Some(&step.house), step.reply.as_ref()]);
        let letters: String = houses.flatten().map(String::as_str).collect();
        let plies = play_on(&mut game, &letters);
        PuzzleSolution { plies, state: view::position(&game) }
    }

    /// Whether the last of the solver's moves is right; those before must be the solution's.
    ///
    /// # Errors
    /// When they are not, or the last is not a legal move.
    pub fn judge(&self, moves: &str) -> Result<PuzzleVerdict, PuzzleFault> {
        let fault = |why: &str| Err(PuzzleFault::Moves(format!("moves: {why}")));
        let letters: Vec<char> = moves.chars().collect();
        let Some((&tried, before)) = letters.split_last() else {
            return fault("expected the solver's moves so far, such as EB, found none");
        };
        if before.len() >= self.moves.len() {
            return fault("the puzzle has fewer moves");
        }
        let mut game = Game::from_position(self.start());
        for (played, step) in before.iter().zip(&self.moves) {
            if !step.house.starts_with(*played) {
                return fault("expected the moves of the solution before the last one");
            }
            let reply = step.reply.as_deref().unwrap_or_default();
            play_on(&mut game, &(step.house.clone() + reply));
        }
        let house = match House::try_from(tried) {
            Ok(house) => house,
            Err(error) => return fault(&error.to_string()),
        };
        if let Err(error) = game.play_house(house) {
            return fault(&error.to_string());
        }
        let number = game.plies().len();
        let Some(ply) = view::ply(&game, number) else { return fault("the move was not played") };
        let state = view::position(&game);
        let step = &self.moves[before.len()];
        let right = step.house.starts_with(tried);
        let wrong = step.wrong.iter().find(|wrong| wrong.house.starts_with(tried));
        let text = match (right, wrong) {
            (true, _) => step.reply.clone().unwrap_or_default(),
            (false, wrong) => wrong.map(|wrong| wrong.line.clone()).unwrap_or_default(),
        };
        let line = play_on(&mut game, &text);
        let most = wrong.map(|wrong| wrong.most).filter(|_| !right);
        Ok(PuzzleVerdict {
            right,
            solved: right && letters.len() == self.moves.len(),
            ply,
            state,
            line,
            after: view::position(&game),
            result: most.map(|most| if most < 0 { ResultOf::Loss } else { ResultOf::Draw }),
            most,
        })
    }
}

/// Plays letters of the file, and shows what each does.
fn play_on(game: &mut Game, letters: &str) -> Vec<PlyView> {
    let mut plies = Vec::new();
    for house in letters.chars().filter_map(|letter| House::try_from(letter).ok()) {
        if game.play_house(house).is_err() {
            break;
        }
        plies.extend(view::ply(game, game.plies().len()));
    }
    plies
}
