//! How the parts of a solve tell each other what they found.
//!
//! A layer can be solved by several parts (processes, ranks of a cluster). Each part owns groups
//! of 64 mover's rows, dealt out in turn by the index, so that anybody can compute the owner. It
//! alone decides the boards of these rows. Work goes in rounds: in each, a part finds boards from
//! the boards of the round before; then all parts exchange what they found and count it. Nothing
//! else passes between them.

use std::io;

/// A board found in this round, as a number that all parts understand.
pub type Event = u64;

/// Rounds in lockstep between the parts of one solve.
pub trait Exchange: Send {
    /// Number of parts, 1 or more.
    fn parts(&self) -> usize;

    /// This part's number, below [`parts`](Self::parts).
    fn part(&self) -> usize;

    /// Gives what this part found to all others and takes what they found. Returns when every
    /// part has given; the order of what comes does not matter.
    ///
    /// # Errors
    /// When another part cannot be reached. The layer is then given up.
    fn share(&mut self, found: Vec<Event>) -> io::Result<Vec<Event>>;

    /// The sum of a number over all parts, the same for each.
    ///
    /// # Errors
    /// As [`share`](Self::share).
    fn sum(&mut self, number: u64) -> io::Result<u64>;
}

/// One part: everything is its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Exchange for Alone {
    fn parts(&self) -> usize {
        1
    }

    fn part(&self) -> usize {
        0
    }

    fn share(&mut self, _: Vec<Event>) -> io::Result<Vec<Event>> {
        Ok(Vec::new())
    }

    fn sum(&mut self, number: u64) -> io::Result<u64> {
        Ok(number)
    }
}

/// Parts in one process, joined by channels.
#[derive(Debug)]
pub struct InProcess {
    part: usize,
    to: Vec<std::sync::mpsc::Sender<Vec<Event>>>,
    from: Vec<std::sync::mpsc::Receiver<Vec<Event>>>,
}

impl InProcess {
    /// As many parts as asked for, each to be given to a thread of its own.
    #[must_use]
    pub fn new(parts: usize) -> Vec<InProcess> {
        let mut ends: Vec<InProcess> =
            (0..parts).map(|part| InProcess { part, to: Vec::new(), from: Vec::new() }).collect();
        for giver in 0..parts {
            for taker in 0..parts {
                let (to, from) = std::sync::mpsc::channel();
                ends[giver].to.push(to);
                ends[taker].from.push(from);
            }
        }
        ends
    }
}

impl Exchange for InProcess {
    fn parts(&self) -> usize {
        self.to.len()
    }

    fn part(&self) -> usize {
        self.part
    }

    fn share(&mut self, found: Vec<Event>) -> io::Result<Vec<Event>> {
        let gone = |_| io::Error::other("another part of the solve has stopped");
        for (part, to) in self.to.iter().enumerate() {
            if part != self.part {
                to.send(found.clone()).map_err(|_| gone(()))?;
            }
        }
        let mut taken = Vec::new();
        for (part, from) in self.from.iter().enumerate() {
            if part != self.part {
                taken.extend(from.recv().map_err(|_| gone(()))?);
            }
        }
        Ok(taken)
    }

    fn sum(&mut self, number: u64) -> io::Result<u64> {
        Ok(number + self.share(vec![number])?.iter().sum::<u64>())
    }
}
