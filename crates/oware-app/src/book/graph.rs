//! What follows from the entries: which move leads to which entry, and what each is worth.
//!
//! A move that leads back to a board on the way to it would let a value rest on itself. Such a
//! move counts as leading out of the book, with what a search found. Which moves these are
//! follows from the entries in their order, from the first on, depth first.

use std::collections::HashMap;

use oware_rules::{Board, Rules, SowingBoard, Sown};

use super::{Entry, Mark};

/// What follows from the entries of a book, each by its number and the place of the move in it.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    index: HashMap<Board, u32>,
    /// The entry that a move leads to.
    pub(super) links: Vec<Vec<Option<u32>>>,
    /// What a move is worth for the mover of the entry, in hundredths of a seed.
    pub(super) values: Vec<Vec<i32>>,
    /// What an entry is worth for its mover.
    pub(super) best: Vec<i32>,
}

/// What a move takes, less what it hands over, in hundredths of a seed.
pub(super) fn gain(sown: &Sown<Board>) -> i32 {
    100 * (i32::from(sown.captured) - i32::from(sown.given))
}

#[derive(Clone, Copy, PartialEq)]
enum Seen {
    Not,
    OnTheWay,
    Done,
}

impl Graph {
    pub(super) fn of(entries: &[Entry], rules: &Rules) -> Graph {
        let numbered = entries.iter().zip(0..);
        let index: HashMap<Board, u32> = numbered.map(|(e, number)| (e.board, number)).collect();
        let link = |sown: Sown<Board>| match sown.ends_by_slam(rules) {
            true => None,
            false => index.get(&sown.board).copied(),
        };
        let links = entries
            .iter()
            .map(|e| e.moves.iter().map(|m| link(e.board.sow(m.mv, rules))).collect())
            .collect();
        let values = entries
            .iter()
            .map(|e| e.moves.iter().map(|m| m.value().hundredths()).collect())
            .collect();
        let mut graph = Graph { index, links, values, best: vec![0; entries.len()] };
        graph.follow(entries, rules);
        graph
    }

    pub(super) fn find(&self, board: Board) -> Option<usize> {
        self.index.get(&board).map(|&number| number as usize)
    }

    /// Values from the ends of the book back to its start.
    fn follow(&mut self, entries: &[Entry], rules: &Rules) {
        let mut seen = vec![Seen::Not; entries.len()];
        for start in 0..entries.len() {
            let mut way = Vec::new();
            if seen[start] == Seen::Not {
                seen[start] = Seen::OnTheWay;
                way.push((start, 0));
            }
            while let Some((entry, place)) = way.pop() {
                if place == entries[entry].moves.len() {
                    self.value(entry, &entries[entry], rules);
                    seen[entry] = Seen::Done;
                    continue;
                }
                way.push((entry, place + 1));
                let Some(next) = self.links[entry][place].map(|next| next as usize) else {
                    continue;
                };
                match seen[next] {
                    Seen::Not => {
                        seen[next] = Seen::OnTheWay;
                        way.push((next, 0));
                    }
                    Seen::OnTheWay => self.links[entry][place] = None,
                    Seen::Done => {}
                }
            }
        }
    }

    /// The value of an entry all of whose moves lead to entries that have theirs.
    fn value(&mut self, number: usize, entry: &Entry, rules: &Rules) {
        for (place, valued) in entry.moves.iter().enumerate() {
            if let Some(next) = self.links[number][place] {
                let gain = gain(&entry.board.sow(valued.mv, rules));
                self.values[number][place] = gain - self.best[next as usize];
            }
        }
        let all = || entry.moves.iter().zip(&self.values[number]);
        let kept = all().filter(|(valued, _)| valued.mark != Mark::Refused);
        let best = kept.map(|(_, &value)| value).max();
        self.best[number] = best.or_else(|| all().map(|(_, &v)| v).max()).unwrap_or(0);
    }
}
