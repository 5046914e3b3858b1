//! The positions on which programs disagree (section 5 of the rules page), played under any
//! rules.

use std::fmt::Write as _;

use oware_rules::{Game, House, Position, Rules, Side};
use serde::Serialize;

use crate::commands::words;

/// A position, and the moves that raise its question.
struct Example {
    name: &'static str,
    question: &'static str,
    position: &'static str,
    moves: &'static str,
}

const EXAMPLES: [Example; 7] = [
    Example {
        name: "D1",
        question: "a grand slam with the last seed, and a player who cannot feed",
        position: "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S",
        moves: "F",
    },
    Example {
        name: "D2",
        question: "the last seed leaves a row, and no house of the other row reaches it",
        position: "3-2-0-0-0-0-0-0-0-0-0-1-19-23-N",
        moves: "f",
    },
    Example {
        name: "D3",
        question: "two seeds go round: which occurrence ends the game?",
        position: "0-0-0-0-0-0-1-0-0-0-0-1-23-23-N",
        moves: "fAaBbCcDdEeF",
    },
    Example {
        name: "D4",
        question: "a loop with three seeds: own rows or an even split?",
        position: "1-1-0-0-0-0-1-0-0-0-0-0-22-23-S",
        moves: "BaAbCcDdEeFf",
    },
    Example {
        name: "D5",
        question: "the same houses with the other player to move: is it a repetition?",
        position: "0-0-0-0-1-0-1-0-0-0-0-3-22-21-S",
        moves: "EfBaCbEcDdE",
    },
    Example {
        name: "D7",
        question: "a grand slam where another move is there",
        position: "0-0-0-0-1-1-1-0-0-0-0-0-22-23-S",
        moves: "F",
    },
    Example {
        name: "D8",
        question: "25 seeds with four left on the board: whose are they?",
        position: "0-0-0-0-0-2-1-2-4-0-0-0-20-19-S",
        moves: "F",
    },
];

/// An example played under some rules.
#[derive(Serialize)]
pub(super) struct Played {
    name: &'static str,
    question: &'static str,
    position: &'static str,
    /// The moves of the example.
    moves: &'static str,
    /// How many of them could be played.
    plies: usize,
    /// What is remarkable about the moves, and why one could not be played.
    remarks: Vec<String>,
    /// The position after the last move that could be played.
    after: String,
    /// The reason of the end, null while the game goes on.
    reason: Option<&'static str>,
    /// The stores as text, after any sharing out.
    score: String,
    result: String,
    #[serde(skip)]
    boards: [Position; 2],
}

/// Plays all examples.
pub(super) fn play(rules: Rules) -> Vec<Played> {
    EXAMPLES.iter().map(|example| play_one(example, rules)).collect()
}

/// The tests play every example; its position and moves are constants.
const WELL_FORMED: &str = "an example is well formed";

fn play_one(example: &Example, rules: Rules) -> Played {
    let start = oware_notation::read_position(example.position)
        .and_then(|text| text.resolve(None, rules))
        .expect(WELL_FORMED);
    let mut game = Game::from_position(start);
    let mut remarks = Vec::new();
    for letter in example.moves.chars() {
        let house = House::try_from(letter).expect(WELL_FORMED);
        match game.play_house(house) {
            Ok(report) => remarks.extend(words::report(&report)),
            Err(error) => {
                let legal: Vec<_> = game
                    .legal_moves()
                    .iter()
                    .map(|mv| House::of(game.position().to_move(), mv).to_string())
                    .collect();
                remarks.push(match legal.is_empty() {
                    true => format!("{house} cannot be played: {error}"),
                    false => {
                        format!("{house} cannot be played: {error}; legal: {}", legal.join(" "))
                    }
                });
                break;
            }
        }
    }
    let (score, result) = result(&game);
    Played {
        name: example.name,
        question: example.question,
        position: example.position,
        moves: example.moves,
        plies: game.plies().len(),
        remarks,
        after: game.position().to_string(),
        reason: game.ending().map(|ending| ending.reason.name()),
        score,
        result,
        boards: [start, *game.position()],
    }
}

fn result(game: &Game) -> (String, String) {
    match game.ending() {
        Some(ending) => {
            let left: u8 = game.position().houses().iter().sum();
            let mut words = words::ending(&ending, game.rules());
            let shared = ending.score.south.halves() + ending.score.north.halves() == 96;
            if left > 0 && !shared {
                let _ = write!(words, "; the {left} seeds left on the board are nobody's");
            }
            (ending.score.to_string(), words)
        }
        None => {
            let [south, north] = game.position().stores();
            let words = match game.occurrences() {
                1 => "the game goes on".into(),
                n => format!("the game goes on: the position has occurred {n} times"),
            };
            (format!("{south}-{north}"), words)
        }
    }
}

impl Played {
    /// The example for people.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}: {}\n  {}\n", self.name, self.question, self.position);
        let [before, after] = &self.boards;
        text += &board(before);
        let moves = &self.moves[..self.plies];
        if !moves.is_empty() {
            let _ = writeln!(text, "  after {moves}");
            text += &board(after);
        }
        for remark in &self.remarks {
            let _ = writeln!(text, "  {remark}");
        }
        let _ = writeln!(text, "  Result: {}", self.result);
        text
    }
}

/// The board as both see it from South's side: North's row runs from right to left.
fn board(position: &Position) -> String {
    let houses = position.houses();
    let row = |numbers: &mut dyn Iterator<Item = u8>| {
        numbers.fold(String::new(), |mut row, seeds| {
            let _ = write!(row, " {seeds:>2}");
            row
        })
    };
    let line = |side: Side, row: String| {
        let turn = if position.to_move() == side { "  to move" } else { "" };
        format!("    {side} {row}   store {:>2}{turn}\n", position.store(side))
    };
    let mut text = String::from("            f  e  d  c  b  a\n");
    text += &line(Side::North, row(&mut houses[6..].iter().rev().copied()));
    text += &line(Side::South, row(&mut houses[..6].iter().copied()));
    text += "            A  B  C  D  E  F\n";
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use oware_rules::PRESETS;

    /// Position and moves are well formed under any rules, and the texts can be made.
    #[test]
    fn all_can_be_played_under_every_preset() {
        for preset in PRESETS {
            for played in play(preset.rules) {
                assert!(played.text().contains("Result: "), "{}", preset.name);
            }
        }
    }

    /// The results of the rules page; D3, D4 and D5's end with repetition 2.
    #[test]
    fn results_of_the_rules_page() {
        let results = |rules: &str| -> Vec<(Option<&'static str>, String, usize)> {
            let played = play(rules.parse().unwrap());
            played.into_iter().map(|p| (p.reason, p.score, p.plies)).collect()
        };
        let expected = |list: [(Option<&'static str>, &str, usize); 7]| {
            list.map(|(reason, score, plies)| (reason, score.to_owned(), plies)).to_vec()
        };
        let common = |d3, d4| {
            expected([
                (Some("no_move"), "23-25", 1),
                (Some("no_move"), "25-23", 1),
                d3,
                d4,
                (None, "22-21", 11),
                (None, "22-23", 1),
                (Some("majority"), "25-19", 1),
            ])
        };
        let second = (Some("repetition"), "23-25", 12);
        assert_eq!(
            results("abapa,repetition=2"),
            common(second, (Some("repetition"), "24-24", 12))
        );
        assert_eq!(results("abapa"), common((None, "23-23", 12), (None, "22-23", 12)));
        assert_eq!(
            results("abapa,repetition=2,loop_split=even")[3],
            (Some("repetition"), "23.5-24.5".into(), 12)
        );
        for rules in ["slam-illegal", "awari"] {
            assert_eq!(results(rules)[5], (None, "22-23".into(), 0), "{rules}");
        }
    }
}
