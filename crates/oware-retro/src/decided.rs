//! A layer whose boards are decided, and that is still to be put in the order of the index.

use std::io;
use std::sync::Mutex;

use oware_tables::{Convention, Kind, Layer, Quantity};

use crate::exchange::Exchange;
use crate::log::{Stretch, ValueLog, Wanted};
use crate::rounds::lock;
use crate::solve::{Cost, Target, each_in_threads};
use crate::spill::strange;
use crate::state::{Shape, zeroed};

/// What a part knows of a layer: all of it, or the opponent's rows that it keeps.
pub struct Decided {
    target: Target,
    shape: Shape,
    log: ValueLog,
    cost: Cost,
}

impl Decided {
    pub(crate) fn new(target: Target, shape: Shape, log: ValueLog, cost: Cost) -> Decided {
        Decided { target, shape, log, cost }
    }

    /// What it took.
    #[must_use]
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// Number of stretches of the index that this part keeps.
    #[must_use]
    pub fn stretches(&self) -> usize {
        self.log.len()
    }

    /// A stretch of the index; they rise with their numbers, of 0 up to
    /// [`stretches`](Self::stretches).
    #[must_use]
    pub fn stretch(&self, number: usize) -> Stretch {
        self.log.stretch(number)
    }

    /// Puts the bytes of a stretch in place: values or distances by a convention of the target.
    ///
    /// # Errors
    /// When what was written down cannot be read back.
    ///
    /// # Panics
    /// When `bytes` is not one for each board of the stretch.
    pub fn fill(&self, number: usize, kind: Kind, bytes: &mut [u8]) -> io::Result<()> {
        assert_eq!(bytes.len(), self.stretch(number).boards, "bytes of the stretch");
        let Kind { convention, quantity } = kind;
        let distances = quantity == Quantity::Distance;
        let wanted = Wanted { target: self.target, convention, distances };
        self.log.replay(&self.shape, number, wanted, bytes)
    }

    /// The bytes of all boards, for a part that is alone.
    ///
    /// # Errors
    /// When what was written down cannot be read back, or memory cannot be had.
    pub fn all(&self, kind: Kind, threads: usize) -> io::Result<Vec<u8>> {
        let size = Layer::new(self.shape.seeds).size() as usize;
        let mut bytes = zeroed(size).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        let mut parts: Vec<Mutex<&mut [u8]>> = Vec::new();
        let mut rest = &mut bytes[..];
        for number in 0..self.stretches() {
            let (part, after) =
                rest.split_at_mut_checked(self.stretch(number).boards).ok_or_else(strange)?;
            parts.push(Mutex::new(part));
            rest = after;
        }
        each_in_threads(parts.len(), threads, |number| {
            self.fill(number, kind, &mut lock(&parts[number]))
        })?;
        drop(parts);
        Ok(bytes)
    }

    /// The bytes of all boards, for each of several parts.
    pub(crate) fn whole(
        &self,
        kind: Kind,
        threads: usize,
        exchange: &mut dyn Exchange,
    ) -> io::Result<Vec<u8>> {
        if exchange.parts() == 1 {
            return self.all(kind, threads);
        }
        let mut told = Vec::new();
        for number in 0..self.stretches() {
            let Stretch { first_index, boards } = self.stretch(number);
            told.extend(first_index.to_le_bytes());
            told.extend((boards as u64).to_le_bytes());
            let start = told.len();
            told.resize(start + boards, 0);
            self.fill(number, kind, &mut told[start..])?;
        }
        let mut bytes = vec![0; Layer::new(self.shape.seeds).size() as usize];
        for told in exchange.exchange(vec![told; exchange.parts()])? {
            let mut rest = &told[..];
            while !rest.is_empty() {
                let (head, after) = rest.split_at_checked(16).ok_or_else(strange)?;
                let number = |at: usize| {
                    head[at..at + 8].iter().rev().fold(0, |n, &byte| n << 8 | usize::from(byte))
                };
                let (first, boards) = (number(0), number(8));
                let (found, after) = after.split_at_checked(boards).ok_or_else(strange)?;
                let slots = first.checked_add(boards).and_then(|end| bytes.get_mut(first..end));
                slots.ok_or_else(strange)?.copy_from_slice(found);
                rest = after;
            }
        }
        Ok(bytes)
    }

    /// The target.
    #[must_use]
    pub fn target(&self) -> Target {
        self.target
    }

    /// The conventions it has values of.
    #[must_use]
    pub fn conventions(&self) -> &'static [Convention] {
        self.target.conventions()
    }
}
