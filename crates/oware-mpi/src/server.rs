//! The main thread's part: exchanges by MPI, and the end of all ranks if there is no other way.
//!
//! An exchange is one collective call that gives each rank a short piece of every other, with the
//! size of what is given and all of it if it is short; most exchanges are over then. What is longer
//! follows as messages, each no longer than a chunk: in step s every rank sends to the rank s after
//! it and receives from the rank s before it. A rank that leaves takes part in one more collective
//! call, with a number in place of the size. So whoever was waiting in an exchange knows.

use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use mpi::request::{Request, Scope, scope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Source};
use oware_retro::Ending;
use oware_retro::exchange::PartLeft;

use crate::end::Buffers;
use crate::world::{Settings, has_panicked};

/// Bytes of a short piece: a size, and what is no longer than the rest.
const PIECE: usize = 64;
/// Bytes that travel with their size.
const SHORT: usize = PIECE - 8;
/// Sizes from here up are none, but ways to leave.
const LEAVING: u64 = u64::MAX - 2;

/// The tag of all messages.
const TAG: i32 = 48;
/// How many steps of an exchange go on at the same time.
const STEPS: usize = 32;

/// What serves the exchanges of a rank.
pub(crate) struct Server<'a> {
    world: SimpleCommunicator,
    part: usize,
    parts: usize,
    settings: &'a Settings<'a>,
    /// Since when the stop flag was seen.
    stopped: Option<Instant>,
    /// Who has left, and how. Nobody calls anything after that.
    over: Option<PartLeft>,
}

impl<'a> Server<'a> {
    pub(crate) fn new(world: SimpleCommunicator, settings: &'a Settings<'a>) -> Server<'a> {
        let (part, parts) = (world.rank() as usize, world.size() as usize);
        Server { world, part, parts, settings, stopped: None, over: None }
    }

    /// Ends all ranks at once.
    pub(crate) fn abort(&self, code: i32, why: &str) -> ! {
        (self.settings.tell)(&format!("part {}: {why}; all parts are ended", self.part));
        self.world.abort(code)
    }

    /// Ends all ranks when a thread has panicked, or when the others have not noticed for too long
    /// that this one is stopped.
    pub(crate) fn look(&mut self) {
        if has_panicked() {
            self.abort(101, "a thread has panicked");
        }
        if self.stopped.is_none() && self.settings.stop.load(Relaxed) {
            self.stopped = Some(Instant::now());
        }
        if self.stopped.is_some_and(|since| since.elapsed() > self.settings.grace) {
            let grace = self.settings.grace.as_secs_f64();
            self.abort(130, &format!("stopped, and not all parts have noticed within {grace} s"));
        }
    }

    /// Gives and takes one buffer for each part.
    pub(crate) fn exchange(&mut self, to: Buffers) -> io::Result<Buffers> {
        if let Some(left) = self.over {
            return Err(left.into());
        }
        let mut given = vec![0; PIECE * self.parts];
        for (to, bytes) in given.chunks_exact_mut(PIECE).zip(&to) {
            to[..8].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
            if bytes.len() <= SHORT {
                to[8..8 + bytes.len()].copy_from_slice(bytes);
            }
        }
        let pieces = self.all_to_all(&given, None);
        self.notice_leavers(&pieces);
        if let Some(left) = self.over {
            return Err(left.into());
        }
        let mut taken = Buffers::with_capacity(self.parts);
        for piece in pieces.chunks_exact(PIECE) {
            taken.push(self.buffer(size(piece), &piece[8..]));
        }
        self.long(&to, &mut taken);
        taken[self.part] = to.into_iter().nth(self.part).unwrap_or_default();
        Ok(taken)
    }

    /// Takes leave of the others, unless one of them was first.
    pub(crate) fn leave(&mut self, ending: Ending) {
        if self.over.is_some() {
            return;
        }
        let code = match ending {
            Ending::Done => LEAVING,
            Ending::Stopped => LEAVING + 1,
            Ending::Failed => LEAVING + 2,
        };
        let mut given = vec![0; PIECE * self.parts];
        given.chunks_exact_mut(PIECE).for_each(|to| to[..8].copy_from_slice(&code.to_le_bytes()));
        let limit = (ending != Ending::Done).then_some(self.settings.grace);
        let pieces = self.all_to_all(&given, limit);
        self.notice_leavers(&pieces);
    }

    /// Sees whether somebody has left; the first that did so not because all was done, if any.
    fn notice_leavers(&mut self, pieces: &[u8]) {
        let leaving = pieces.chunks_exact(PIECE).enumerate().filter_map(|(part, piece)| {
            let ending = match size(piece).checked_sub(LEAVING)? {
                0 => Ending::Done,
                1 => Ending::Stopped,
                _ => Ending::Failed,
            };
            Some(PartLeft { part, ending })
        });
        self.over = leaving.max_by_key(|&PartLeft { part, ending }| {
            let rank = match ending {
                Ending::Done => 0,
                Ending::Stopped => 1,
                Ending::Failed => 2,
            };
            (rank, std::cmp::Reverse(part))
        });
    }

    /// Room for what a part gives, with the bytes that came with the size.
    fn buffer(&self, size: u64, with_it: &[u8]) -> Vec<u8> {
        if let Some(short) = with_it.get(..size as usize) {
            return short.to_vec();
        }
        let mut bytes = Vec::new();
        if bytes.try_reserve_exact(size as usize).is_err() {
            // The others are sending already.
            self.abort(1, &format!("no memory for {size} bytes from another part"));
        }
        bytes.resize(size as usize, 0);
        bytes
    }

    /// Gives each rank a piece and takes one of each.
    fn all_to_all(&mut self, given: &[u8], limit: Option<Duration>) -> Vec<u8> {
        let mut taken = vec![0; given.len()];
        scope(|scope| {
            let request = self.world.immediate_all_to_all_into(scope, given, &mut taken[..]);
            self.wait(vec![request], Patience { busy: Duration::from_millis(1), limit });
        });
        taken
    }

    /// Sends and receives what did not travel with its size.
    fn long(&mut self, to: &Buffers, taken: &mut Buffers) {
        let chunk = self.settings.chunk;
        let mut rooms: Vec<&mut [u8]> = taken.iter_mut().map(Vec::as_mut_slice).collect();
        let steps: Vec<usize> = (1..self.parts).collect();
        for steps in steps.chunks(STEPS) {
            scope(|scope| {
                let mut requests = Vec::new();
                for step in steps {
                    let from = (self.part + self.parts - step) % self.parts;
                    let room = std::mem::take(&mut rooms[from]);
                    if room.len() > SHORT {
                        let source = self.world.process_at_rank(from as i32);
                        requests.extend(
                            room.chunks_mut(chunk).map(|room| {
                                source.immediate_receive_into_with_tag(scope, room, TAG)
                            }),
                        );
                    }
                }
                for step in steps {
                    let target = (self.part + step) % self.parts;
                    if to[target].len() > SHORT {
                        let process = self.world.process_at_rank(target as i32);
                        requests.extend(
                            to[target]
                                .chunks(chunk)
                                .map(|bytes| process.immediate_send_with_tag(scope, bytes, TAG)),
                        );
                    }
                }
                // All are here by now, and MPI moves large messages only while it is asked.
                self.wait(requests, Patience { busy: Duration::from_secs(1), limit: None });
            });
        }
    }

    /// Waits until all requests are done.
    fn wait<'s, S: Scope<'s>>(
        &mut self,
        mut requests: Vec<Request<'s, [u8], S>>,
        patience: Patience,
    ) {
        let start = Instant::now();
        let mut length = Duration::from_micros(20);
        let mut looked = start;
        loop {
            requests = requests.into_iter().filter_map(|request| request.test().err()).collect();
            if requests.is_empty() {
                return;
            }
            let now = Instant::now();
            if now - looked > LOOK {
                looked = now;
                self.look();
            }
            if patience.limit.is_some_and(|limit| now - start > limit) {
                self.abort(1, "it ends before its time, and not all parts have noticed");
            }
            if now - start < patience.busy {
                std::thread::yield_now();
            } else {
                std::thread::sleep(length);
                length = (length * 2).min(Duration::from_millis(1));
            }
        }
    }
}

/// How often to look for panics and the stop flag while waiting.
const LOOK: Duration = Duration::from_millis(20);

/// How to wait.
#[derive(Clone, Copy)]
struct Patience {
    /// How long to keep asking before pauses are made.
    busy: Duration,
    /// How long to wait before all ranks are ended.
    limit: Option<Duration>,
}

/// The size in a short piece.
fn size(piece: &[u8]) -> u64 {
    piece.iter().take(8).rev().fold(0, |size, &byte| size << 8 | u64::from(byte))
}
