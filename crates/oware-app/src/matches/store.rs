//! A match on disk, so that it can go on after any stop.
//!
//! A directory holds `match.txt`, everything that decides the games; `games.ogn`, the games in
//! the order in which they ended, each written and synced as it ends; and `lock`, which a run
//! holds locked. A program that is killed leaves at most a torn record at the end of
//! `games.ogn`, which the next run cuts off.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Played;
use super::outcome::{Finished, Outcome};
use super::record::{BEGIN, read, write};
use super::schedule::Plan;

/// The first line of `match.txt`.
const HEAD: &str = "oware match, version 1";

/// Why a match on disk cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// Which.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// Another run is at work there.
    #[error("{0}: another run of this match is at work")]
    Busy(String),
    /// The directory has another match.
    #[error("{path} has another match: there it is\n  {there}\nand asked for is\n  {asked}")]
    Other {
        /// The file that says so.
        path: String,
        /// The first line that differs, there.
        there: String,
        /// The same line of what is asked.
        asked: String,
    },
    /// A file is not what it should be.
    #[error("{path}: {why}")]
    Damaged {
        /// Which.
        path: String,
        /// What is wrong, and where.
        why: String,
    },
}

/// The directory of a match, opened for one run.
#[derive(Debug)]
pub struct Store {
    games: File,
    path: PathBuf,
    /// Held locked until the store is dropped, or the program ends however.
    _lock: File,
}

impl Store {
    /// Opens the directory of a match, or makes it, and reads the games that are finished.
    ///
    /// # Errors
    /// [`StoreError`]; nothing was changed but by the making of what was not there.
    pub fn open(dir: &Path, plan: &Plan) -> Result<(Store, Outcome), StoreError> {
        make_dir(dir)?;
        let lock = lock(&dir.join("lock"))?;
        let path = dir.join("games.ogn");
        let there = path.exists();
        agree(dir, plan, there)?;
        let mut options = OpenOptions::new();
        let games = options.read(true).append(true).create(true).open(&path);
        let games = games.map_err(|error| failed(&path, error))?;
        let bytes = fs::read(&path).map_err(|error| failed(&path, error))?;
        let (outcome, good) = finished(&bytes, plan, &path)?;
        if good < bytes.len() {
            games.set_len(good as u64).map_err(|error| failed(&path, error))?;
        }
        if !there {
            sync_dir(dir)?;
        }
        Ok((Store { games, path, _lock: lock }, outcome))
    }

    /// Adds a game. It is there when this returns.
    ///
    /// # Errors
    /// When it cannot be written; what was written of it is cut off by the next run.
    pub fn add(
        &mut self,
        plan: &Plan,
        finished: &Finished,
        played: &Played,
        opening_plies: usize,
    ) -> io::Result<()> {
        let mut text = write(plan, finished, played, opening_plies);
        text.push('\n');
        self.games.write_all(text.as_bytes())?;
        self.games.sync_data()
    }

    /// The file of the games.
    #[must_use]
    pub fn games_file(&self) -> &Path {
        &self.path
    }
}

fn failed(path: &Path, error: io::Error) -> StoreError {
    StoreError::Io { path: path.display().to_string(), error }
}

fn make_dir(dir: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(dir).map_err(|error| failed(dir, error))
}

fn lock(path: &Path) -> Result<File, StoreError> {
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).truncate(false).open(path);
    let file = file.map_err(|error| failed(path, error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            let dir = path.parent().unwrap_or(path);
            Err(StoreError::Busy(dir.display().to_string()))
        }
        Err(TryLockError::Error(error)) => Err(failed(path, error)),
    }
}

/// Sees that the directory has this match, or none yet, and then makes it this one's.
fn agree(dir: &Path, plan: &Plan, has_games: bool) -> Result<(), StoreError> {
    let path = dir.join("match.txt");
    let asked = format!("{HEAD}\n{}", plan.identity());
    let there = match fs::read_to_string(&path) {
        Ok(there) => there,
        Err(error) if error.kind() == io::ErrorKind::NotFound && !has_games => {
            return write_new(dir, &path, &asked);
        }
        Err(error) => return Err(failed(&path, error)),
    };
    if there == asked {
        return Ok(());
    }
    let none = "(nothing)";
    let lines = there.lines().map(Some).chain(std::iter::repeat(None));
    let both = lines.zip(asked.lines().map(Some).chain(std::iter::repeat(None)));
    let differing = both.take_while(|both| *both != (None, None)).find(|(a, b)| a != b);
    let (there, asked) = differing.unwrap_or_default();
    Err(StoreError::Other {
        path: path.display().to_string(),
        there: there.unwrap_or(none).into(),
        asked: asked.unwrap_or(none).into(),
    })
}

fn write_new(dir: &Path, path: &Path, text: &str) -> Result<(), StoreError> {
    // Nobody else has the lock, so the name is ours.
    let temporary = dir.join(".match.txt.tmp");
    let written = File::create(&temporary).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    });
    written.map_err(|error| failed(path, error))?;
    sync_dir(dir)
}

/// Makes new names last through a power cut, where directories can be opened.
fn sync_dir(dir: &Path) -> Result<(), StoreError> {
    if !cfg!(unix) {
        return Ok(());
    }
    File::open(dir).and_then(|dir| dir.sync_all()).map_err(|error| failed(dir, error))
}

/// The finished games in a file, and how many of its bytes hold them. A last record that is torn
/// is left out.
fn finished(bytes: &[u8], plan: &Plan, path: &Path) -> Result<(Outcome, usize), StoreError> {
    let damaged = |why| StoreError::Damaged { path: path.display().to_string(), why };
    let starts = starts(bytes);
    if !bytes.is_empty() && starts.first() != Some(&0) && !BEGIN.as_bytes().starts_with(bytes) {
        return Err(damaged(format!("does not begin with a game ({BEGIN}...)")));
    }
    let mut outcome = Outcome::default();
    let mut good = 0;
    for (index, &start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(bytes.len());
        let record = &bytes[start..end];
        let is_last = end == bytes.len();
        let text = std::str::from_utf8(record).map_err(|error| error.to_string());
        // Every record ends with an empty line; one without was torn just there.
        let whole = !is_last || record.ends_with(b"\n\n");
        match text.and_then(|text| read(text, plan)) {
            Ok(game) if whole => {
                if outcome.games.insert(game.number.index(), game).is_some() {
                    return Err(damaged(format!("game {} is there twice", game.number)));
                }
                good = end;
            }
            Ok(_) => {}
            Err(_) if is_last => {}
            Err(why) => return Err(damaged(format!("game {} of the file: {why}", index + 1))),
        }
    }
    Ok((outcome, good))
}

/// Where records begin: at [`BEGIN`] at the beginning of a line. No value of a tag and no move
/// can stand there, since line ends in values are escaped.
fn starts(bytes: &[u8]) -> Vec<usize> {
    let begin = BEGIN.as_bytes();
    let at = |&place: &usize| {
        bytes[place..].starts_with(begin) && (place == 0 || bytes[place - 1] == b'\n')
    };
    (0..bytes.len()).filter(at).collect()
}
