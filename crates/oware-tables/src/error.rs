//! What can be wrong with tables.

use std::io;
use std::path::{Path, PathBuf};

use oware_rules::TableRules;

use crate::Kind;

/// Why a table cannot be read or written. Each names the file.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The system refused.
    #[error("{path}: {error}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system said; a part of the message, so not its source once more.
        error: io::Error,
    },
    /// The file does not begin as tables do.
    #[error("{path}: not an Oware table (it does not begin with OWARETBL)")]
    NotATable {
        /// The file.
        path: PathBuf,
    },
    /// The file is of a format that this program does not know.
    #[error("{path}: table format {found}, and this program reads format {known}")]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u16,
        /// The version this program reads.
        known: u16,
    },
    /// A checksum, a size or a field is wrong.
    #[error("{path}: damaged: {what}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and with which part.
        what: String,
    },
    /// The file is sound, and another table than the one asked for.
    #[error("{path}: a table of {found}, expected {expected}")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it holds.
        found: String,
        /// What was wanted.
        expected: String,
    },
    /// An archive can only be read whole, with the layers below it.
    #[error("{path}: an archive, which cannot be probed: `oware tables export --format tables`")]
    Archive {
        /// The file.
        path: PathBuf,
    },
    /// Another program is writing tables here.
    #[error("{path}: another program is building tables here")]
    Busy {
        /// The directory.
        path: PathBuf,
    },
}

impl TableError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> TableError {
        let path = path.to_owned();
        move |error| TableError::Io { path, error }
    }

    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> TableError {
        TableError::Damaged { path: path.to_owned(), what: what.into() }
    }
}

/// What a table file holds: which boards, and what about them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Subject {
    /// The rules that decide values.
    pub rules: TableRules,
    /// Which convention, values or distances.
    pub kind: Kind,
    /// Seeds on each board.
    pub seeds: usize,
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, layer {}, rules {}", self.kind, self.seeds, self.rules)
    }
}
