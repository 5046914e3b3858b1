//! How the parts of a solve give each other what they found.
//!
//! A layer can be solved by several parts: threads of one process, processes that share a
//! directory, ranks of a cluster. Each part owns groups of 64 mover's rows, so that anybody can
//! compute the owner, and alone decides the boards of these rows. Work goes in rounds; between
//! two rounds every part gives every other part some bytes. Nothing else passes between them, and
//! nothing in the solver knows how they travel.

use std::io;

/// What an exchange has carried so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Exchanges, each of which all parts take part in.
    pub exchanges: u64,
    /// Bytes that this part gave to others; what it gave itself is not counted.
    pub bytes: u64,
}

impl std::ops::Sub for Traffic {
    type Output = Traffic;

    /// What came after `before`.
    fn sub(self, before: Traffic) -> Traffic {
        Traffic { exchanges: self.exchanges - before.exchanges, bytes: self.bytes - before.bytes }
    }
}

/// Exchanges in lockstep between the parts of one solve.
pub trait Exchange: Send {
    /// Number of parts, 1 or more.
    fn parts(&self) -> usize;

    /// This part's number, below [`parts`](Self::parts).
    fn part(&self) -> usize;

    /// Gives each part the bytes at its number, and takes what each gave to this one, again by
    /// its number; what a part gives itself comes back as it is. Returns when all have given.
    ///
    /// # Errors
    /// When another part cannot be reached or has stopped. What is being solved is then given up.
    ///
    /// # Panics
    /// When there are not as many buffers as parts.
    fn exchange(&mut self, to: Vec<Vec<u8>>) -> io::Result<Vec<Vec<u8>>>;

    /// What was carried so far.
    fn traffic(&self) -> Traffic;

    /// The numbers of all parts, by part, the same for each.
    ///
    /// # Errors
    /// As [`exchange`](Self::exchange).
    fn gather(&mut self, number: u64) -> io::Result<Vec<u64>> {
        let to = vec![number.to_le_bytes().to_vec(); self.parts()];
        let number = |bytes: Vec<u8>| {
            let bytes = bytes.try_into().map_err(|_| io::Error::other("a number is 8 bytes"))?;
            Ok(u64::from_le_bytes(bytes))
        };
        self.exchange(to)?.into_iter().map(number).collect()
    }

    /// The sum of a number over all parts, the same for each.
    ///
    /// # Errors
    /// As [`exchange`](Self::exchange).
    fn sum(&mut self, number: u64) -> io::Result<u64> {
        Ok(self.gather(number)?.into_iter().sum())
    }

    /// The bytes of one part, given to all: `bytes` of the part that is `from`, whatever the
    /// others pass.
    ///
    /// # Errors
    /// As [`exchange`](Self::exchange).
    fn broadcast(&mut self, from: usize, bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        let mut to = vec![Vec::new(); self.parts()];
        if self.part() == from {
            to.fill(bytes);
        }
        Ok(self.exchange(to)?.swap_remove(from))
    }
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

    fn exchange(&mut self, to: Vec<Vec<u8>>) -> io::Result<Vec<Vec<u8>>> {
        Ok(to)
    }

    fn traffic(&self) -> Traffic {
        Traffic::default()
    }
}

/// Parts in one process, joined by channels.
#[derive(Debug)]
pub struct InProcess {
    part: usize,
    to: Vec<std::sync::mpsc::Sender<Vec<u8>>>,
    from: Vec<std::sync::mpsc::Receiver<Vec<u8>>>,
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
