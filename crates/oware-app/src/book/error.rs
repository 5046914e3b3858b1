//! What can be wrong with books.

use std::io;
use std::path::PathBuf;

use oware_search::HashError;

/// Why a book cannot be read. Each names the file.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The system refused.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said; a part of the message, so not its source once more.
        error: io::Error,
    },
    /// The file does not begin as books do.
    #[error("{path}: not an Oware book (it does not begin with OWAREBOK)")]
    NotABook {
        /// The file.
        path: PathBuf,
    },
    /// The file is of a format that this program does not know.
    #[error("{path}: book format {found}, and this program reads format {known}")]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u16,
        /// The version this program reads.
        known: u16,
    },
    /// The checksum, a size or a field is wrong.
    #[error("{path}: damaged: {what}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and with which part.
        what: String,
    },
    /// The file is sound, and of other rules.
    #[error("{path}: a book for the rules {found}, expected {expected}")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The rules it was built for.
        found: String,
        /// The rules of the game.
        expected: String,
    },
}

/// Why a book cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// There is no memory for a thread's transposition table.
    #[error(transparent)]
    Memory(#[from] HashError),
    /// The book to go on with was built with another argument.
    #[error("the book to go on with was built with {field} {found}, expected {expected}")]
    OtherRecipe {
        /// The argument.
        field: &'static str,
        /// What it was.
        found: String,
        /// What it shall be.
        expected: String,
    },
    /// The book to go on with was built by a search that finds other values.
    #[error("the book to go on with was built by another version of the search")]
    OtherSearch,
}
