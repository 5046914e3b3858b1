//! Where a command reads from: the files that are named, or standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::output::{complain, is_closed_pipe};

/// Opens each input in turn; `-`, or no file at all, is standard input.
///
/// An input that fails is complained about and the next one is read, as with other filters.
/// Gives whether all went well.
pub(crate) fn for_each(
    files: &[PathBuf],
    mut read: impl FnMut(&Path, Box<dyn Read>) -> anyhow::Result<bool>,
) -> anyhow::Result<bool> {
    let stdin = [PathBuf::from("-")];
    let mut good = true;
    for path in if files.is_empty() { &stdin[..] } else { files } {
        let done = open(path).and_then(|input| read(path, input));
        match done {
            Ok(fine) => good &= fine,
            Err(error) if is_closed_pipe(&error) => return Err(error),
            Err(error) => {
                complain(&format_args!("{error:#}"));
                good = false;
            }
        }
    }
    Ok(good)
}

fn open(path: &Path) -> anyhow::Result<Box<dyn Read>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin()));
    }
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(Box::new(file))
}

/// All of one input.
pub(crate) fn read_all(path: &Path) -> anyhow::Result<Vec<u8>> {
    read_opened(path, open(path)?)
}

/// All of an input that is open.
pub(crate) fn read_opened(path: &Path, mut input: Box<dyn Read>) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).with_context(|| format!("cannot read {}", name(path)))?;
    Ok(bytes)
}

/// An input's name for messages.
pub(crate) fn name(path: &Path) -> std::borrow::Cow<'_, str> {
    if path == Path::new("-") { "standard input".into() } else { path.to_string_lossy() }
}
