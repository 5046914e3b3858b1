//! Reading and writing at a place of a file without moving the file's own.

use std::fs::File;
use std::io;

/// Fills `bytes` with what stands at `place`.
///
/// # Errors
/// When the system refuses, or the file ends before.
#[cfg(unix)]
pub fn read_at(file: &File, bytes: &mut [u8], place: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, place)
}

/// Writes all of `bytes` at `place`.
///
/// # Errors
/// When the system refuses.
#[cfg(unix)]
pub fn write_at(file: &File, bytes: &[u8], place: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, place)
}

/// Fills `bytes` with what stands at `place`.
///
/// # Errors
/// When the system refuses, or the file ends before.
#[cfg(windows)]
pub fn read_at(file: &File, mut bytes: &mut [u8], mut place: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, place)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                bytes = &mut bytes[read..];
                place += read as u64;
            }
        }
    }
    Ok(())
}

/// Writes all of `bytes` at `place`.
///
/// # Errors
/// When the system refuses.
#[cfg(windows)]
pub fn write_at(file: &File, mut bytes: &[u8], mut place: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_write(file, bytes, place)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            written => {
                bytes = &bytes[written..];
                place += written as u64;
            }
        }
    }
    Ok(())
}

/// Not on this platform.
///
/// # Errors
/// Always.
#[cfg(not(any(unix, windows)))]
pub fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Not on this platform.
///
/// # Errors
/// Always.
#[cfg(not(any(unix, windows)))]
pub fn write_at(_: &File, _: &[u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
