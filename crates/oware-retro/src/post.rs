//! What parts give each other between two rounds: the boards that each has found, to those who
//! own a row with a move there or write that row's values down.
//!
//! A message is a list of opponent's rows; each is its number's distance from the one before, the
//! number of its words, and for each word the distance of its place, a byte that says how many
//! boards are won and lost, and the boards: one byte each, or all 64 bits of the word.

use std::io;

use crate::exchange::Exchange;
use crate::frontier::{Frontier, lanes};
use crate::partition::Partition;
use crate::rounds::Rounds;
use crate::space::{GROUP, RowSpace};
use crate::spill::{Numbers, put_number, strange};
use crate::state::{Shape, Side};
use crate::tables::MoveTables;

/// Bytes after which what there is is sent.
const SEND: usize = 64 << 20;
/// Boards of a side of a word that are written one by one, at most; more are written as bits.
const FEW: u32 = 6;

/// By opponent's row, the parts that get its boards.
pub(crate) struct Post {
    starts: Vec<u32>,
    parts: Vec<u16>,
    count: usize,
}

impl Post {
    pub(crate) fn new(tables: &MoveTables, shape: &Shape, partition: &Partition) -> Post {
        let end = tables.space.end(shape.seeds);
        let mut post = Post { starts: vec![0], parts: Vec::new(), count: partition.parts() };
        let mut wanted = Vec::new();
        for row in 0..end {
            wanted.clear();
            if row % GROUP < shape.groups[row / GROUP].rows {
                let before = tables.moves_before(row).iter().map(|before| before.row());
                let owners = before.take_while(|&row| row < end).chain([row]);
                wanted.extend(owners.map(|row| partition.owner(row / GROUP) as u16));
                wanted.sort_unstable();
                wanted.dedup();
            }
            post.parts.extend_from_slice(&wanted);
            post.starts.push(post.parts.len() as u32);
        }
        post
    }

    /// The parts that get the boards of a row.
    pub(crate) fn receivers(&self, row: usize) -> &[u16] {
        &self.parts[self.starts[row] as usize..self.starts[row + 1] as usize]
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
        let total = rounds.shape.seeds - rounds.shape.groups[group].total;
        let mut words = Vec::new();
        for run in rounds.runs(group, found.rows(group), found) {
            words.clear();
            let (mut count, mut last) = (0, 0);
            run.marked(found.summary(run.row), |word| {
                let [won, lost] = found.boards(run.start, word);
                if won | lost != 0 {
                    let mover = rounds.own.group_at(total, word);
                    let column = rounds.shape.groups[mover].first_rank / GROUP;
                    put_number(&mut words, (column - last) as u64);
                    last = column;
                    count += 1;
                    put_boards(&mut words, [won, lost]);
                }
            });
            found.clear(run);
            for &part in self.receivers(run.row) {
                let letter = &mut letters.all[usize::from(part)];
                let before = letter.bytes.len();
                put_number(&mut letter.bytes, (run.row - letter.row) as u64);
                put_number(&mut letter.bytes, count);
                letter.bytes.extend_from_slice(&words);
                letter.row = run.row;
                letters.bytes += letter.bytes.len() - before;
            }
        }
        found.clear_group(group);
    }
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

fn put_boards(into: &mut Vec<u8>, boards: [u64; 2]) {
    let counts = boards.map(|boards| boards.count_ones().min(FEW + 1) as u8);
    into.push(counts[0] | counts[1] << 4);
    for (boards, count) in boards.into_iter().zip(counts) {
        if u32::from(count) > FEW {
            into.extend(boards.to_le_bytes());
        } else {
            into.extend(lanes(boards).map(|bit| bit as u8));
        }
    }
}

fn take_boards(numbers: &mut Numbers<'_>) -> io::Result<[u64; 2]> {
    let counts = numbers.take(1)?[0];
    let mut boards = [0; 2];
    for (boards, count) in boards.iter_mut().zip([counts & 15, counts >> 4]) {
        if u32::from(count) > FEW {
            let bits: [u8; 8] = numbers.take(8)?.try_into().map_err(|_| strange())?;
            *boards = u64::from_le_bytes(bits);
        } else {
            for &bit in numbers.take(usize::from(count))? {
                *boards |= 1u64.checked_shl(u32::from(bit)).ok_or_else(strange)?;
            }
        }
    }
    Ok(boards)
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
        let mut column = 0;
        for _ in 0..numbers.next()? {
            column += numbers.next()? as usize;
            let boards = take_boards(&mut numbers)?;
            if column >= run.words {
                return Err(strange());
            }
            for (side, boards) in [Side::Won, Side::Lost].into_iter().zip(boards) {
                if boards != 0 {
                    into.add(0, side, run, column, boards);
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_come_back() {
        let words = [0, 1, 1 << 63, 0x8421, u64::MAX, 0x3f, 0x7f];
        for won in words {
            for lost in words {
                let mut bytes = Vec::new();
                put_boards(&mut bytes, [won, lost]);
                let mut numbers = Numbers::new(&bytes);
                assert_eq!(take_boards(&mut numbers).unwrap(), [won, lost]);
                assert!(numbers.is_empty());
            }
        }
        assert!(take_boards(&mut Numbers::new(&[1, 64])).is_err());
        assert!(take_boards(&mut Numbers::new(&[7, 1, 2])).is_err());
    }
}
