//! What parts give each other between two rounds: the boards that each has found, to those who
//! own a board before one of them, or write that row's values down.
//!
//! A message is a list of opponent's rows; each is its number's distance from the one before, the
//! number of its boards, and for each the distance of its place from the one before and the side.

use std::collections::HashMap;
use std::io;

use crate::exchange::Exchange;
use crate::frontier::{Frontier, lanes};
use crate::halves::crossing_seeds;
use crate::partition::Partition;
use crate::rounds::Rounds;
use crate::space::{GROUP, RowSpace};
use crate::spill::{Numbers, put_number, strange};
use crate::state::{Shape, Side};
use crate::tables::MoveTables;

/// Bytes after which what there is is sent.
const SEND: usize = 64 << 20;
/// Crossings of a receiver that wants every board.
const ALL: u64 = 1;

/// By opponent's row, the parts that get its boards.
pub(crate) struct Post {
    starts: Vec<u32>,
    receivers: Vec<Receiver>,
    /// The sets of crossings that occur, as bits.
    crossings: Vec<u64>,
    count: usize,
}

/// A part that gets boards of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Receiver {
    part: u16,
    /// By what crossings it has moves to the row, by their place among the sets that occur: it
    /// gets the boards that these lead to.
    crossings: u16,
}

impl Post {
    pub(crate) fn new(tables: &MoveTables, shape: &Shape, partition: &Partition) -> Post {
        let end = tables.space.end(shape.seeds);
        let mut post = Post {
            starts: vec![0],
            receivers: Vec::new(),
            crossings: Vec::new(),
            count: partition.parts(),
        };
        let mut known: HashMap<u64, u16> = HashMap::new();
        let mut wanted: Vec<(usize, u64)> = Vec::new();
        for row in 0..end {
            wanted.clear();
            if row % GROUP < shape.groups[row / GROUP].rows {
                let before = tables.moves_before(row).iter().take_while(|b| b.row() < end);
                let moves = before.map(|before| (before.row(), 1 << before.crossing()));
                // Who keeps the row gets all its boards.
                for (row, crossing) in moves.chain([(row, ALL)]) {
                    let part = partition.owner(row / GROUP);
                    match wanted.iter_mut().find(|(other, _)| *other == part) {
                        Some((_, crossings)) => *crossings |= crossing,
                        None => wanted.push((part, crossing)),
                    }
                }
            }
            for &(part, crossings) in &wanted {
                // Moves that do not cross lead to all boards; the others do not matter then.
                let crossings = if crossings & ALL == ALL { ALL } else { crossings };
                let number = *known.entry(crossings).or_insert_with(|| {
                    post.crossings.push(crossings);
                    post.crossings.len() as u16 - 1
                });
                post.receivers.push(Receiver { part: part as u16, crossings: number });
            }
            post.starts.push(post.receivers.len() as u32);
        }
        post
    }

    /// The parts that get boards of a row.
    pub(crate) fn receivers(&self, row: usize) -> &[Receiver] {
        &self.receivers[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// Whether a part gets boards of a row.
    pub(crate) fn gets(&self, part: usize, row: usize) -> bool {
        self.receivers(row).iter().any(|receiver| usize::from(receiver.part) == part)
    }

    /// Gives the boards that this part found to all that want them, and takes what others found;
    /// what was given before is cleared.
    pub(crate) fn deliver(
        &self,
        rounds: &Rounds<'_>,
        [found, given]: [&Frontier; 2],
        exchange: &mut dyn Exchange,
    ) -> io::Result<()> {
        let groups = rounds.shape.groups.len();
        for group in (0..groups).filter(|&group| given.rows(group) != 0) {
            rounds.runs(group, given.rows(group), given).for_each(|run| given.clear(run));
            given.clear_group(group);
        }
        let mut group = 0;
        loop {
            let mut letters = Letters::new(self.count);
            while group < groups && letters.bytes < SEND {
                if found.rows(group) != 0 {
                    self.write(rounds, group, found, &mut letters);
                }
                group += 1;
            }
            let open = u8::from(group < groups);
            letters.all.iter_mut().for_each(|letter| letter.bytes.push(open));
            let all = letters.all.into_iter().map(|letter| letter.bytes).collect();
            let mut more = false;
            for mut bytes in exchange.exchange(all)? {
                more |= bytes.pop().ok_or_else(strange)? != 0;
                read(&bytes, rounds.shape, &rounds.tables.space, given)?;
            }
            if !more {
                return Ok(());
            }
        }
    }

    /// Writes the boards of a group of opponent's rows into the letters of those who get them.
    fn write(&self, rounds: &Rounds<'_>, group: usize, found: &Frontier, letters: &mut Letters) {
        let opponent = rounds.shape.groups[group].total;
        let total = rounds.shape.seeds - opponent;
        let mut words = Vec::new();
        let mut list = Vec::new();
        for run in rounds.runs(group, found.rows(group), found) {
            words.clear();
            run.marked(found.summary(run.row), |word| {
                let boards = found.boards(run.start, word);
                if boards != [0, 0] {
                    let mover = rounds.own.group_at(total, word);
                    words.push((rounds.shape.groups[mover].first_rank / GROUP, boards));
                }
            });
            found.clear(run);
            for &Receiver { part, crossings } in self.receivers(run.row) {
                let crossings = self.crossings[usize::from(crossings)];
                let wanted = |column: usize| wanted(rounds, opponent, crossings, column);
                list.clear();
                let count = put_boards(&mut list, &words, wanted);
                if count == 0 {
                    continue;
                }
                let letter = &mut letters.all[usize::from(part)];
                let before = letter.bytes.len();
                put_number(&mut letter.bytes, (run.row - letter.row) as u64);
                put_number(&mut letter.bytes, count);
                letter.bytes.extend_from_slice(&list);
                letter.row = run.row;
                letters.bytes += letter.bytes.len() - before;
            }
        }
        found.clear_group(group);
    }
}

/// Which boards of a word of a row are led to by moves of some crossings to the row.
fn wanted(rounds: &Rounds<'_>, after: usize, crossings: u64, column: usize) -> u64 {
    if crossings == ALL {
        return u64::MAX;
    }
    lanes(crossings).fold(0, |wanted, crossing| {
        let crossing = crossing as u8;
        let before = after + crossing_seeds(crossing);
        wanted | rounds.tables.crossing(crossing, rounds.shape.seeds - before).image[column]
    })
}

/// Messages that are being written, by receiver.
struct Letters {
    all: Vec<Letter>,
    bytes: usize,
}

#[derive(Clone, Default)]
struct Letter {
    bytes: Vec<u8>,
    /// The row that was written last.
    row: usize,
}

impl Letters {
    fn new(count: usize) -> Letters {
        Letters { all: vec![Letter::default(); count], bytes: 0 }
    }
}

/// Writes those boards of some words, by column, that are wanted. Returns how many.
fn put_boards(
    into: &mut Vec<u8>,
    words: &[(usize, [u64; 2])],
    wanted: impl Fn(usize) -> u64,
) -> u64 {
    let (mut count, mut last) = (0, 0);
    for &(column, boards) in words {
        let wanted = wanted(column);
        let [won, lost] = boards.map(|boards| boards & wanted);
        for bit in lanes(won | lost) {
            for (side, boards) in [won, lost].into_iter().enumerate() {
                if boards >> bit & 1 == 1 {
                    let place = column * 64 + bit;
                    put_number(into, ((place - last) << 1 | side) as u64);
                    last = place;
                    count += 1;
                }
            }
        }
    }
    count
}

/// Adds the boards of a message to a frontier.
fn read(bytes: &[u8], shape: &Shape, space: &RowSpace, into: &Frontier) -> io::Result<()> {
    let mut numbers = Numbers::new(bytes);
    let mut row = 0;
    while !numbers.is_empty() {
        row += numbers.next()? as usize;
        let known = row < space.end(shape.seeds)
            && row % GROUP < shape.groups[row / GROUP].rows
            && into.layout.has(row);
        if !known {
            return Err(strange());
        }
        let run = into.run(shape.groups[row / GROUP].total, row);
        let mut place = 0;
        for _ in 0..numbers.next()? {
            let number = numbers.next()? as usize;
            place += number >> 1;
            if place / 64 >= run.words {
                return Err(strange());
            }
            let side = if number & 1 == 0 { Side::Won } else { Side::Lost };
            into.add(0, side, run, place / 64, 1 << (place % 64));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wanted_boards_are_written_in_order() {
        let words = [(0, [1 << 3, 0]), (2, [1, 1]), (300, [1 << 63, 1 << 5])];
        let all = |wanted: &dyn Fn(usize) -> u64| {
            let mut bytes = Vec::new();
            let count = put_boards(&mut bytes, &words, wanted);
            let mut numbers = Numbers::new(&bytes);
            let mut found = Vec::new();
            let mut place = 0;
            while !numbers.is_empty() {
                let number = numbers.next().unwrap();
                place += number >> 1;
                found.push((place, number & 1));
            }
            assert_eq!(found.len() as u64, count);
            found
        };
        let last = [(300 * 64 + 5, 1), (300 * 64 + 63, 0)];
        assert_eq!(all(&|_| u64::MAX), [&[(3, 0), (128, 0), (128, 1)], &last[..]].concat());
        assert_eq!(all(&|column| if column == 2 { 0 } else { !8 }), last);
    }
}
