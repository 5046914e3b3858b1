//! Reading without waiting, and asking the system to read ahead.
//!
//! Linux says at once whether what is to be read lies in its memory, and reads ahead on request
//! while the program goes on. So all tiles of a position are fetched at the same time without a
//! thread, and nothing is spent on it where they are in memory. Elsewhere tiles are read one after
//! the other.

use std::fs::File;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Fills `bytes` from a place of the file if the system has all of them in memory. Gives whether
/// it did. `asks` is cleared where the file's system cannot tell.
#[cfg(target_os = "linux")]
pub(crate) fn read_now(file: &File, asks: &AtomicBool, bytes: &mut [u8], place: u64) -> bool {
    use rustix::io::{Errno, ReadWriteFlags, preadv2};
    if !asks.load(Relaxed) {
        return false;
    }
    let wanted = bytes.len();
    let mut buffers = [std::io::IoSliceMut::new(bytes)];
    match preadv2(file, &mut buffers, place, ReadWriteFlags::NOWAIT) {
        Ok(read) => read == wanted,
        Err(Errno::AGAIN | Errno::INTR) => false,
        Err(_) => {
            asks.store(false, Relaxed);
            false
        }
    }
}

/// Fills `bytes`: nothing is known here of what is in memory.
#[cfg(not(target_os = "linux"))]
pub(crate) fn read_now(_: &File, _: &AtomicBool, _: &mut [u8], _: u64) -> bool {
    false
}

/// Asks the system to read a part of a file, and does not wait for it.
#[cfg(target_os = "linux")]
pub(crate) fn fetch(file: &File, place: u64, length: usize) {
    let length = std::num::NonZero::new(length as u64);
    // Only a wish: whoever reads waits as long as it takes, and is told what is wrong.
    let _ = rustix::fs::fadvise(file, place, length, rustix::fs::Advice::WillNeed);
}

/// Asks for nothing.
#[cfg(not(target_os = "linux"))]
pub(crate) fn fetch(_: &File, _: u64, _: usize) {}
