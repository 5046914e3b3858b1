//! A directory of tables, and what it knows about boards.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use oware_rules::TableRules;

use crate::cache::TileCache;
use crate::codec::Features;
use crate::error::{Subject, TableError};
use crate::file::{Spot, TableFile};
use crate::layer::Houses;
use crate::manifest::{Entry, Manifest};
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

/// Opens a table that the manifest of a directory lists.
///
/// # Errors
/// When its file is missing, damaged, or not the one that is listed.
pub fn open_listed(
    directory: &Path,
    rules: TableRules,
    entry: &Entry,
    features: Arc<Features>,
) -> Result<TableFile, TableError> {
    let subject = Subject { rules, kind: entry.kind, seeds: entry.seeds };
    let path = directory.join(&entry.name);
    let file = TableFile::open(&path, &subject, features)?;
    if file.header().content != entry.content {
        let what = "the content is not the one that the manifest lists";
        return Err(TableError::damaged(&path, what));
    }
    Ok(file)
}

/// The tables of one set of rules, to be probed.
///
/// A table is opened when it is first asked for, so that one that is damaged or missing stands in
/// the way of no other.
#[derive(Debug)]
pub struct TableSet {
    rules: TableRules,
    directory: PathBuf,
    features: Arc<Features>,
    cache: Arc<TileCache>,
    tables: BTreeMap<(Kind, usize), Listed>,
}

/// A table that the manifest lists.
#[derive(Debug)]
struct Listed {
    entry: Entry,
    file: OnceLock<TableFile>,
}

impl TableSet {
    /// The tables that the manifest under `root` lists; none when there is no manifest. They have
    /// a cache of [`TileCache::DEFAULT`] bytes.
    ///
    /// # Errors
    /// When the manifest is damaged or foreign.
    pub fn open(root: &Path, rules: TableRules) -> Result<TableSet, TableError> {
        TableSet::open_with(root, rules, Arc::default())
    }

    /// The same with a cache that other sets may share.
    ///
    /// # Errors
    /// When the manifest is damaged or foreign.
    pub fn open_with(
        root: &Path,
        rules: TableRules,
        cache: Arc<TileCache>,
    ) -> Result<TableSet, TableError> {
        let directory = directory(root, rules);
        let manifest = Manifest::read_or_new(&directory, rules)?;
        let most = manifest.entries.iter().map(|entry| entry.seeds).max().unwrap_or(0);
        let features = Arc::new(Features::new(most, rules));
        let listed =
            |entry: Entry| ((entry.kind, entry.seeds), Listed { entry, file: OnceLock::new() });
        let tables = manifest.entries.into_iter().map(listed).collect();
        Ok(TableSet { rules, directory, features, cache, tables })
    }

    /// The rules of the tables.
    #[must_use]
    pub const fn rules(&self) -> TableRules {
        self.rules
    }

    /// The decoded tiles.
    #[must_use]
    pub fn cache(&self) -> &Arc<TileCache> {
        &self.cache
    }

    /// Bytes of memory that the tables take that are open, without the cache.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.tables.values().filter_map(|table| table.file.get()).map(TableFile::bytes).sum()
    }

    /// Whether the manifest lists a table.
    #[must_use]
    pub fn lists(&self, kind: Kind, seeds: usize) -> bool {
        self.tables.contains_key(&(kind, seeds))
    }

    /// Every table that is listed, by kind and seeds.
    pub fn tables(&self) -> impl Iterator<Item = (Kind, usize)> {
        self.tables.keys().copied()
    }

    /// A table, `None` if it is not listed.
    ///
    /// # Errors
    /// When it is listed, and its file is missing, damaged, or not the one that is listed.
    pub fn file(&self, kind: Kind, seeds: usize) -> Result<Option<&TableFile>, TableError> {
        let Some(Listed { entry, file }) = self.tables.get(&(kind, seeds)) else {
            return Ok(None);
        };
        if let Some(file) = file.get() {
            return Ok(Some(file));
        }
        let features = Arc::clone(&self.features);
        let opened = open_listed(&self.directory, self.rules, entry, features)?;
        Ok(Some(file.get_or_init(|| opened.with_cache(&self.cache))))
    }

    /// Opens every table that is listed.
    ///
    /// # Errors
    /// The first that cannot be opened.
    pub fn open_all(&self) -> Result<(), TableError> {
        self.tables().try_for_each(|(kind, seeds)| self.file(kind, seeds).map(|_| ()))
    }

    /// The highest layer of a kind that is listed with all lower ones.
    #[must_use]
    pub fn highest(&self, kind: Kind) -> Option<usize> {
        (0..).take_while(|&seeds| self.lists(kind, seeds)).last()
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
        self.file(kind, seeds)?.map(|file| file.probe(houses)).transpose()
    }
    /// The bytes of several boards, each a value (as `i8`) or a distance, in the order in which
    /// they were asked for; `None` where there is no table.
    ///
    /// What is in memory is answered first, and meanwhile the system fetches the other tiles, all
    /// at the same time. So it is as fast as single boards where nothing has to be waited for, and
    /// takes little longer than one board where a disk does.
    ///
    /// # Errors
    /// When a table cannot be read or is damaged.
    pub fn bytes_of(&self, boards: &[(Kind, Houses)]) -> Result<Vec<Option<u8>>, TableError> {
        let mut bytes = vec![None; boards.len()];
        let mut waiting: Vec<(usize, &TableFile, Spot)> = Vec::new();
        for (number, (kind, houses)) in boards.iter().enumerate() {
            let seeds = houses.iter().map(|&seeds| usize::from(seeds)).sum();
            let Some(file) = self.file(*kind, seeds)? else { continue };
            let spot = file.spot(houses)?;
            bytes[number] = file.probe_now(spot)?;
            if bytes[number].is_none() {
                waiting.push((number, file, spot));
            }
        }
        for (number, file, spot) in waiting {
            bytes[number] = Some(file.probe_at(spot)?);
        }
        Ok(bytes)
    }
}
