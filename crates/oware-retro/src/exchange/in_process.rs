//! Parts that are threads of one process.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};

use super::{Exchange, Traffic};

/// Parts in one process, joined by channels.
#[derive(Debug)]
pub struct InProcess {
    part: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Receiver<Vec<u8>>>,
    traffic: Traffic,
}

impl InProcess {
    /// As many parts as asked for, each to be given to a thread of its own.
    #[must_use]
    pub fn new(parts: usize) -> Vec<InProcess> {
        let end = |part| InProcess {
            part,
            to: Vec::new(),
            from: Vec::new(),
            traffic: Traffic::default(),
        };
        let mut ends: Vec<InProcess> = (0..parts).map(end).collect();
        for giver in 0..parts {
            for taker in 0..parts {
                let (to, from) = channel();
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

    fn exchange(&mut self, to: Vec<Vec<u8>>) -> io::Result<Vec<Vec<u8>>> {
        assert_eq!(to.len(), self.to.len(), "one buffer for each part");
        let gone = || io::Error::other("another part of the solve has stopped");
        self.traffic.exchanges += 1;
        for (part, (bytes, to)) in to.into_iter().zip(&self.to).enumerate() {
            if part != self.part {
                self.traffic.bytes += bytes.len() as u64;
            }
            to.send(bytes).map_err(|_| gone())?;
        }
        self.from.iter().map(|from| from.recv().map_err(|_| gone())).collect()
    }

    fn traffic(&self) -> Traffic {
        self.traffic
    }
}
