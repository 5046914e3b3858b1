//! A directory of tables, and what it knows about boards.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oware_rules::TableRules;

use crate::codec::Features;
use crate::error::{Subject, TableError};
use crate::file::TableFile;
use crate::layer::Houses;
use crate::manifest::Manifest;
use crate::{Convention, Kind, NO_DISTANCE, Quantity};

/// The name of the file that a builder holds locked.
const LOCK: &str = "LOCK";

/// The directory of the tables of some rules, within a directory for all tables.
#[must_use]
pub fn directory(root: &Path, rules: TableRules) -> PathBuf {
    root.join(format!("{}-{}-{}", rules.grand_slam, rules.feeding, rules.stuck))
}

/// The name of a table's file.
#[must_use]
pub fn file_name(kind: Kind, seeds: usize) -> String {
    format!("{kind}-{seeds:02}.owt")
}

/// The right to write tables into a directory. Ends with this value, or with the process.
#[derive(Debug)]
pub struct WriteLock {
    _file: File,
}

/// Makes the directory if need be and takes the right to write into it.
///
/// # Errors
/// [`TableError::Busy`] when another program has it; when the system refuses.
pub fn lock_for_writing(directory: &Path) -> Result<WriteLock, TableError> {
    fs::create_dir_all(directory).map_err(TableError::io(directory))?;
    let path = directory.join(LOCK);
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(TableError::io(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(WriteLock { _file: file }),
        Err(TryLockError::WouldBlock) => Err(TableError::Busy { path: directory.to_owned() }),
        Err(TryLockError::Error(error)) => Err(TableError::io(&path)(error)),
    }
}

/// The tables of one set of rules, open for probing.
#[derive(Debug)]
pub struct TableSet {
    rules: TableRules,
    files: BTreeMap<(Kind, usize), TableFile>,
}

impl TableSet {
    /// Opens all tables that the manifest under `root` lists; none when there is no manifest.
    ///
    /// # Errors
    /// When the manifest or a listed table is missing, damaged or foreign.
    pub fn open(root: &Path, rules: TableRules) -> Result<TableSet, TableError> {
        let directory = directory(root, rules);
        let manifest = Manifest::read(&directory, rules)?.unwrap_or(Manifest::new(rules));
        let most = manifest.entries.iter().map(|entry| entry.seeds).max().unwrap_or(0);
        let features = Arc::new(Features::new(most, rules));
        let mut files = BTreeMap::new();
        for entry in &manifest.entries {
            let subject = Subject { rules, kind: entry.kind, seeds: entry.seeds };
            let path = directory.join(&entry.name);
            let file = TableFile::open(&path, &subject, Arc::clone(&features))?;
            if file.header().content != entry.content {
                let what = "the content is not the one that the manifest lists";
                return Err(TableError::damaged(&path, what));
            }
            files.insert((entry.kind, entry.seeds), file);
        }
        Ok(TableSet { rules, files })
    }

    /// A set without tables.
    #[must_use]
    pub const fn empty(rules: TableRules) -> TableSet {
        TableSet { rules, files: BTreeMap::new() }
    }

    /// The rules of the tables.
    #[must_use]
    pub const fn rules(&self) -> TableRules {
        self.rules
    }

    /// A table, if it is here.
    #[must_use]
    pub fn file(&self, kind: Kind, seeds: usize) -> Option<&TableFile> {
        self.files.get(&(kind, seeds))
    }

    /// Every table, by kind and seeds.
    pub fn files(&self) -> impl Iterator<Item = &TableFile> {
        self.files.values()
    }

    /// The highest layer of a kind that is here with all lower ones.
    #[must_use]
    pub fn highest(&self, kind: Kind) -> Option<usize> {
        (0..).take_while(|&seeds| self.files.contains_key(&(kind, seeds))).last()
    }

    /// The value of a board for the mover, `None` where there is no table.
    ///
    /// # Errors
    /// When the table cannot be read or is damaged.
    pub fn value(&self, convention: Convention, houses: &Houses) -> Result<Option<i8>, TableError> {
        Ok(self.probe(Kind::value(convention), houses)?.map(|byte| byte as i8))
    }

    /// The distance of a board: `None` where there is no table, `Some(None)` where nothing is
    /// forced.
    ///
    /// # Errors
    /// When the table cannot be read or is damaged.
    pub fn distance(
        &self,
        convention: Convention,
        houses: &Houses,
    ) -> Result<Option<Option<u8>>, TableError> {
        let byte = self.probe(Kind { convention, quantity: Quantity::Distance }, houses)?;
        Ok(byte.map(|byte| (byte != NO_DISTANCE).then_some(byte)))
    }

    fn probe(&self, kind: Kind, houses: &Houses) -> Result<Option<u8>, TableError> {
        let seeds = houses.iter().map(|&seeds| usize::from(seeds)).sum();
        self.file(kind, seeds).map(|file| file.probe(houses)).transpose()
    }
}
