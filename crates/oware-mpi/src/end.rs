//! What the work sees of MPI: an exchange, behind which the main thread serves.

use std::io;
use std::sync::mpsc::{Receiver, Sender};

use oware_retro::{Exchange, Traffic};

/// One buffer for each part.
pub(crate) type Buffers = Vec<Vec<u8>>;

/// One rank's end of the exchanges.
#[derive(Debug)]
pub struct Mpi {
    pub(crate) part: usize,
    pub(crate) parts: usize,
    pub(crate) to: Sender<Buffers>,
    pub(crate) from: Receiver<io::Result<Buffers>>,
    pub(crate) traffic: Traffic,
}

impl Exchange for Mpi {
    fn parts(&self) -> usize {
        self.parts
    }

    fn part(&self) -> usize {
        self.part
    }

    fn exchange(&mut self, to: Vec<Vec<u8>>) -> io::Result<Vec<Vec<u8>>> {
        assert_eq!(to.len(), self.parts, "one buffer for each part");
        let others = to.iter().enumerate().filter(|&(to, _)| to != self.part);
        self.traffic.bytes += others.map(|(_, bytes)| bytes.len() as u64).sum::<u64>();
        self.traffic.exchanges += 1;
        let ended = || io::Error::other("the main thread serves no more");
        self.to.send(to).map_err(|_| ended())?;
        self.from.recv().map_err(|_| ended())?
    }

    fn traffic(&self) -> Traffic {
        self.traffic
    }
}
