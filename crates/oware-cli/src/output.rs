//! What all commands share: where output goes, how files are written, which faults are bad
//! usage.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// A value on the command line that clap could not check by itself; the exit code is 2.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Whether the reader of our output has gone. That is his right and no failure.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// Says on standard error what went wrong. If even that cannot be written there is nobody left
/// to tell.
pub(crate) fn complain(message: &dyn std::fmt::Display) {
    let _ = writeln!(io::stderr(), "error: {message}");
}

/// Writes text to standard output.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Writes a whole file or nothing: to a temporary name beside it, synced, renamed.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let shown = path.display();
    // A link is followed, so that it goes on pointing where it did.
    let target = match fs::canonicalize(path) {
        Ok(target) => target,
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error).with_context(|| format!("cannot write {shown}")),
    };
    // Renaming over a device or a pipe would replace it.
    if fs::metadata(&target).is_ok_and(|found| !found.is_file()) {
        bail!("cannot write {shown}: it is not a regular file; use > for devices and pipes");
    }
    let temporary = temporary_beside(&target)?;
    // Only a program killed in mid-write, with the number we now have, can have left one.
    let _ = fs::remove_file(&temporary);
    let written = write_synced(&temporary, bytes)
        .and_then(|()| fs::rename(&temporary, &target))
        .and_then(|()| sync_directory(&target));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written.with_context(|| format!("cannot write {shown}"))
}

fn temporary_beside(target: &Path) -> anyhow::Result<PathBuf> {
    let Some(name) = target.file_name() else {
        bail!("cannot write {}: it names no file", target.display());
    };
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}.tmp", std::process::id()));
    Ok(target.with_file_name(hidden))
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes the new name last through a power cut. Where directories cannot be opened (Windows)
/// the rename has to be enough.
fn sync_directory(target: &Path) -> io::Result<()> {
    let parent = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if cfg!(unix) { File::open(parent)?.sync_all() } else { Ok(()) }
}
