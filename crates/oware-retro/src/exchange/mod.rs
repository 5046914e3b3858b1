//! How the parts of a solve give each other what they found.
//!
//! A layer can be solved by several parts: threads of one process, processes that share a
//! directory, ranks of a cluster. Each part owns groups of 64 mover's rows, so that anybody can
//! compute the owner, and alone decides the boards of these rows. Work goes in rounds; between
//! two rounds every part gives every other part some bytes. Nothing else passes between them, and
//! nothing in the solver knows how they travel.

mod in_process;
pub mod laws;
pub mod spool;

use std::io;

pub use in_process::InProcess;
pub use spool::Spool;

/// What an exchange has carried so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Exchanges, each of which all parts take part in.
    pub exchanges: u64,
    /// Bytes that this part gave to others; what it gave itself is not counted.
    pub bytes: u64,
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
    /// When another part cannot be reached or has ended. What is being solved is then given up.
    /// The error is one of [`is_stop`] when this part or another was told to stop.
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

/// How a part leaves an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All is done, here as everywhere.
    Done,
    /// The part was told to stop.
    Stopped,
    /// Something went wrong, which this part tells.
    Failed,
}

/// What the others see of a part that has left while they were waiting for it. Exchanges fail with
/// this inside their error, so that not every part need tell what one has told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("part {part} {}", match ending {
    Ending::Done => "has come to its end before this one",
    Ending::Stopped => "was told to stop",
    Ending::Failed => "has failed, and says itself why",
})]
pub struct PartLeft {
    /// The part.
    pub part: usize,
    /// How it left.
    pub ending: Ending,
}

impl PartLeft {
    /// Looks for it in the error of an exchange.
    #[must_use]
    pub fn find(error: &io::Error) -> Option<PartLeft> {
        error.get_ref()?.downcast_ref().copied()
    }
}

impl From<PartLeft> for io::Error {
    fn from(left: PartLeft) -> io::Error {
        let kind = match left.ending {
            Ending::Stopped => io::ErrorKind::Interrupted,
            Ending::Done | Ending::Failed => io::ErrorKind::Other,
        };
        io::Error::new(kind, left)
    }
}

/// The error of an exchange that ends because a part was told to stop.
#[must_use]
pub fn stop_error(text: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::Interrupted, text.into())
}

/// Whether an exchange ended because a part was told to stop, and not by a fault.
#[must_use]
pub fn is_stop(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Interrupted
}

/// Makes sure that all parts mean the same work, which each describes in lines of text: the first
/// line that differs from that of part 0 is named, to all.
///
/// # Errors
/// When a description differs; as [`Exchange::exchange`].
pub fn agree_on(exchange: &mut dyn Exchange, description: &str) -> io::Result<()> {
    let to = vec![description.as_bytes().to_vec(); exchange.parts()];
    let all = exchange.exchange(to)?;
    let first = String::from_utf8_lossy(&all[0]).into_owned();
    for (part, other) in all.iter().enumerate().skip(1) {
        let other = String::from_utf8_lossy(other);
        if other != first {
            let mut lines = first.lines().zip(other.lines());
            let (first, other) = lines.find(|(a, b)| a != b).unwrap_or((&first, &other));
            let what = format!("part 0 builds with `{first}`, part {part} with `{other}`");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
    }
    Ok(())
}
