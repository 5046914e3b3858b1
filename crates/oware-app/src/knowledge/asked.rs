//! Questions to the tables that are answered together.

use oware_rules::{Board, SowingBoard};
use oware_tables::{Convention, Houses, Kind, NO_DISTANCE, TableError, TableSet};

use super::Facts;

/// What is made of the byte that a table has.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wish {
    /// The value.
    Value,
    /// The value of the move that led to the board: these captured seeds less the value.
    Captured(i8),
    /// The distance, and so many plies more.
    Distance(u8),
}

/// Questions in the order in which their answers are wanted.
#[derive(Debug, Default)]
pub(super) struct Asked {
    boards: Vec<(Kind, Houses)>,
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug)]
enum Part {
    /// Known without a table, or known to be in none.
    Known(Option<i16>),
    /// The next of the boards.
    Board(Wish),
}

impl Asked {
    /// Asks for what a table has of a board.
    pub(super) fn board(&mut self, kind: Kind, board: Board, wish: Wish) {
        self.boards.push((kind, board.houses()));
        self.parts.push(Part::Board(wish));
    }

    /// Asks for what is known already; `None` where there is nothing.
    pub(super) fn known(&mut self, known: Option<i16>) {
        self.parts.push(Part::Known(known));
    }

    /// Looks everything up.
    pub(super) fn answer(self, tables: &TableSet) -> Result<Answers, TableError> {
        let mut bytes = tables.bytes_of(&self.boards)?.into_iter();
        let answer = |part| match part {
            Part::Known(known) => known,
            Part::Board(wish) => bytes.next().flatten().and_then(|byte| wish.of(byte)),
        };
        let answers: Vec<Option<i16>> = self.parts.into_iter().map(answer).collect();
        Ok(Answers(answers.into_iter()))
    }
}

impl Wish {
    fn of(self, byte: u8) -> Option<i16> {
        let value = i16::from(byte as i8);
        match self {
            Wish::Value => Some(value),
            Wish::Captured(captured) => Some(i16::from(captured) - value),
            Wish::Distance(_) if byte == NO_DISTANCE => None,
            Wish::Distance(more) => Some(i16::from(byte.saturating_add(more))),
        }
    }
}

/// The answers, to be taken in the order of the questions.
#[derive(Debug)]
pub(super) struct Answers(std::vec::IntoIter<Option<i16>>);

impl Answers {
    /// A value: a byte holds every value there is.
    pub(super) fn value(&mut self) -> Option<i8> {
        self.0.next().flatten().map(|value| value as i8)
    }

    /// A distance.
    pub(super) fn distance(&mut self) -> Option<u8> {
        self.0.next().flatten().map(|distance| distance as u8)
    }

    /// Value and distance by each convention.
    pub(super) fn facts(&mut self) -> Facts {
        let mut facts = Facts::default();
        for convention in Convention::ALL {
            facts.values[convention as usize] = self.value();
            facts.distances[convention as usize] = self.distance();
        }
        facts
    }
}
