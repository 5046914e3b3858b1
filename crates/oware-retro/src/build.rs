//! A directory of tables, built layer by layer.
//!
//! Each layer is solved from the files of the lower ones, written, and listed in the manifest; a
//! table counts as done when the manifest lists it. So whatever happens, what is listed is whole,
//! and the next build goes on after it, or within a large layer from its last checkpoint.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use oware_rules::TableRules;
use oware_tables::codec::Features;
use oware_tables::manifest::Entry;
use oware_tables::set::{directory, file_name, lock_for_writing, open_listed};
use oware_tables::together::{Draft, RawLayer};
use oware_tables::{
    Convention, Kind, Layer, Manifest, Mode, Quantity, Subject, TableError, TableFile, Written,
    write_table,
};

use crate::archive::best_captures;
use crate::checkpoint::Scratch;
use crate::decided::Decided;
use crate::exchange::{Alone, Exchange};
use crate::log::Stretch;
use crate::rounds::Progress;
use crate::solve::{Cost, LayerJob, SolveError, Target, decide_layer, each_in_threads};
use crate::storage::{InMemory, LowerLayers, OnDisk};
use crate::tables::MoveTables;

/// Layers below this are solved by one thread: there is too little to share.
const SMALL: usize = 9;
/// Layers of fewer seeds keep everything in memory while they are solved, unless told otherwise.
pub const SPILL_FROM: usize = 18;
/// Time between two checkpoints, unless told otherwise.
pub const CHECKPOINT_EVERY: Duration = Duration::from_secs(180);

/// What is to be built.
pub struct BuildJob<'a> {
    /// The directory for all tables; the rules have their own within.
    pub root: &'a Path,
    /// The rules.
    pub rules: TableRules,
    /// What to solve.
    pub targets: &'a [Target],
    /// Whether distances are wanted too.
    pub distances: bool,
    /// The highest layer.
    pub layers: usize,
    /// Number of threads, 1 or more.
    pub threads: usize,
    /// How tables are coded. Those that are there already stay as they are. Archives can be read
    /// only whole, so a build of them, or on them, holds all lower layers in memory.
    pub mode: Mode,
    /// Layers of fewer seeds are solved in memory alone; larger ones write down beside the tables
    /// what memory need not hold, about two bytes a board.
    pub spill_from: usize,
    /// Where that is written down instead, such as a disk of this machine alone.
    pub scratch: Option<&'a Path>,
    /// How much time may pass between two checkpoints within a larger layer, about. A checkpoint
    /// takes three eighths of a byte a board on disk.
    pub checkpoint: Duration,
    /// When set, the build stops soon; finished layers stay.
    pub stop: &'a AtomicBool,
    /// Called as the build goes on.
    pub tell: &'a (dyn Fn(&BuildEvent) + Sync),
}

impl<'a> BuildJob<'a> {
    /// A build with distances by one thread, which nobody stops and nobody hears. Who wants more
    /// changes the fields.
    #[must_use]
    pub fn quiet(
        root: &'a Path,
        rules: TableRules,
        targets: &'a [Target],
        layers: usize,
    ) -> BuildJob<'a> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        BuildJob {
            root,
            rules,
            targets,
            distances: true,
            layers,
            threads: 1,
            mode: Mode::Tables,
            spill_from: SPILL_FROM,
            scratch: None,
            checkpoint: CHECKPOINT_EVERY,
            stop: &NEVER,
            tell: &|_| (),
        }
    }
}

/// What a build tells.
#[derive(Clone, Debug)]
pub enum BuildEvent {
    /// Layers 0 to `seeds` of a target were there already and have been read.
    Loaded {
        /// Which values.
        target: Target,
        /// The highest of them.
        seeds: usize,
    },
    /// A layer is begun.
    Begin {
        /// Which values.
        target: Target,
        /// Seeds.
        seeds: usize,
        /// Number of boards.
        boards: u64,
    },
    /// A threshold of the layer is done.
    Progress(Progress),
    /// A layer is written and listed.
    Done(LayerReport),
}

/// What a layer took.
#[derive(Clone, Debug)]
pub struct LayerReport {
    /// Which values.
    pub target: Target,
    /// Seeds.
    pub seeds: usize,
    /// Number of boards.
    pub boards: u64,
    /// What solving took.
    pub cost: Cost,
    /// Wall time of coding and writing.
    pub writing: Duration,
    /// Bytes of the files.
    pub bytes: u64,
}

/// Why a build stopped.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A layer could not be solved, or the stop flag was set.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// Tables could not be read or written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A layer was solved again for its distances, and came out different from the table there.
    #[error("{path}: holds other values than solving gives; verify or remove it")]
    Differs {
        /// The table.
        path: PathBuf,
    },
}

/// Builds what is missing of a directory of tables.
///
/// # Errors
/// When stopped, when another builder is at work in the directory, when tables that are there
/// are damaged, when the system refuses. What the manifest lists stays whole.
pub fn build(job: &BuildJob<'_>) -> Result<(), BuildError> {
    build_in_parts(job, &mut Alone)
}

/// The same by several parts that share the directory: each calls this with the same job and its
/// end of the exchange.
///
/// # Errors
/// As [`build`], and when another part cannot be reached.
pub fn build_in_parts(job: &BuildJob<'_>, exchange: &mut dyn Exchange) -> Result<(), BuildError> {
    let directory = directory(job.root, job.rules);
    let first = exchange.part() == 0;
    let _lock = first.then(|| lock_for_writing(&directory)).transpose()?;
    if first {
        remove_leftovers(&directory)?;
    }
    agree(exchange, 0)?;
    let manifest = Manifest::read_or_new(&directory, job.rules)?;
    let tables = MoveTables::new(job.rules, job.layers);
    let features = Arc::new(Features::new(job.layers, job.rules));
    let mut builder = Builder { job, directory, manifest, tables, features, exchange };
    job.targets.iter().try_for_each(|&target| builder.target(target))
}

/// Takes away what a build that was killed had not finished.
fn remove_leftovers(directory: &Path) -> Result<(), TableError> {
    let io = |error| TableError::Io { path: directory.to_owned(), error };
    for entry in fs::read_dir(directory).map_err(io)? {
        let path = entry.map_err(io)?.path();
        if path.extension().is_some_and(|extension| extension == "new") {
            fs::remove_file(&path).map_err(|error| TableError::Io { path: path.clone(), error })?;
        }
    }
    Ok(())
}

/// Waits until all parts are here, at a layer.
fn agree(exchange: &mut dyn Exchange, seeds: usize) -> Result<(), BuildError> {
    exchange.sum(0).map_err(|error| SolveError::Io { seeds, error })?;
    Ok(())
}

/// Why a part does not see what part 0 has made.
fn elsewhere(error: TableError, seeds: usize) -> BuildError {
    match error {
        TableError::Io { path, error } if error.kind() == std::io::ErrorKind::NotFound => {
            let why = "part 0 has made it, and this part does not see it: expected one directory \
                       that all parts share";
            let error = std::io::Error::other(format!("{}: {why}", path.display()));
            SolveError::Io { seeds, error }.into()
        }
        error => error.into(),
    }
}

/// Whether what a solve had written down was read back as something else.
fn is_damage(error: &BuildError) -> bool {
    let BuildError::Solve(SolveError::Io { error, .. }) = error else { return false };
    error.kind() == std::io::ErrorKind::InvalidData
}

struct Builder<'a> {
    exchange: &'a mut dyn Exchange,
    job: &'a BuildJob<'a>,
    directory: PathBuf,
    manifest: Manifest,
    tables: MoveTables,
    features: Arc<Features>,
}

impl Builder<'_> {
    fn target(&mut self, target: Target) -> Result<(), BuildError> {
        let mut lower = match self.job.mode {
            Mode::Tables => Lower::Read(OnDisk::new()),
            Mode::Archive => Lower::Held(InMemory::new()),
        };
        let mut loaded = None;
        for seeds in 0..=self.job.layers {
            if self.job.stop.load(std::sync::atomic::Ordering::Relaxed) {
                return Err(SolveError::Stopped.into());
            }
            if self.is_done(target, seeds) {
                self.remove_scratch(target, seeds);
                // Nothing above needs it when all of the rest is done too.
                if (seeds..=self.job.layers).all(|seeds| self.is_done(target, seeds)) {
                    break;
                }
                self.load(target, seeds, &mut lower)?;
                loaded = Some(seeds);
                continue;
            }
            if let Some(seeds) = loaded.take() {
                (self.job.tell)(&BuildEvent::Loaded { target, seeds });
            }
            match self.layer(target, seeds, &mut lower) {
                // What was written down before a stop, or since, does not hold: it is no loss but
                // of time. Parts cannot begin anew without each other.
                Err(error) if self.exchange.parts() == 1 && is_damage(&error) => {
                    self.remove_scratch(target, seeds);
                    self.layer(target, seeds, &mut lower)?;
                }
                done => done?,
            }
            self.remove_scratch(target, seeds);
        }
        Ok(())
    }

    /// Where a layer keeps what memory does not while it is solved.
    fn scratch_directory(&self, target: Target, seeds: usize) -> PathBuf {
        let name = match target {
            Target::Even => "even",
            Target::Bounds => "bounds",
        };
        let root = self.job.scratch.map(|root| directory(root, self.job.rules));
        root.as_ref().unwrap_or(&self.directory).join(format!("solving-{name}-{seeds:02}"))
    }

    fn remove_scratch(&self, target: Target, seeds: usize) {
        // If it stays, it takes room and does no harm: the next build tries again. Each part tries,
        // for it may be on a disk of its own.
        let _ = fs::remove_dir_all(self.scratch_directory(target, seeds));
    }

    /// What a solve of a layer starts from: rules, layer, and the lower tables.
    fn id(&self, target: Target, seeds: usize) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(format!("{} {target:?} {seeds}", self.job.rules).as_bytes());
        if let Some(below) = seeds.checked_sub(1) {
            for &convention in target.conventions() {
                let entry = self.manifest.entry(Kind::value(convention), below);
                hasher.update(&entry.map_or([0; 32], |entry| entry.chain));
            }
        }
        *hasher.finalize().as_bytes()
    }

    /// Whether all tables of a layer are listed, and the files there as long as listed.
    fn is_done(&self, target: Target, seeds: usize) -> bool {
        target.kinds(self.job.distances).all(|kind| self.is_there(kind, seeds))
    }

    /// Whether a table is listed, and its file there as long as listed.
    fn is_there(&self, kind: Kind, seeds: usize) -> bool {
        self.manifest.entry(kind, seeds).is_some_and(|entry| {
            let metadata = fs::metadata(self.directory.join(&entry.name));
            metadata.is_ok_and(|metadata| metadata.len() == entry.bytes)
        })
    }

    fn subject(&self, kind: Kind, seeds: usize) -> Subject {
        Subject { rules: self.job.rules, kind, seeds }
    }

    /// Makes the values of a finished layer known to those above.
    fn load(&self, target: Target, seeds: usize, lower: &mut Lower) -> Result<(), BuildError> {
        match lower {
            Lower::Read(files) => {
                let (directory, rules) = (&self.directory, self.job.rules);
                let open = |&convention: &Convention| {
                    let entry = self.manifest.entry(Kind::value(convention), seeds);
                    let entry = entry.ok_or_else(|| not_listed(convention, seeds))?;
                    open_listed(directory, rules, entry, Arc::clone(&self.features))
                };
                let opened = target.conventions().iter().map(open);
                let opened: Vec<TableFile> = opened.collect::<Result<_, _>>()?;
                if opened.iter().any(|file| file.header().mode == Mode::Archive) {
                    // From here on lower layers are held, those too that were read until now.
                    *lower = Lower::Held(InMemory::new());
                    return (0..=seeds).try_for_each(|seeds| self.load(target, seeds, lower));
                }
                for (&convention, file) in target.conventions().iter().zip(opened) {
                    files.push(convention, file);
                }
            }
            Lower::Held(lower) => {
                let (tables, features) = (&self.tables, &self.features);
                let source = Source { tables, features, lower, threads: self.job.threads };
                let values = target.conventions().iter().map(|&convention| {
                    let subject = self.subject(Kind::value(convention), seeds);
                    read_layer(&self.directory, &subject, &source)
                });
                // Both bounds are read before either is added: each may need the other's layers.
                let values: Vec<Vec<i8>> = values.collect::<Result<_, _>>()?;
                for (&convention, values) in target.conventions().iter().zip(values) {
                    lower.push(convention, values);
                }
            }
        }
        Ok(())
    }

    fn layer(&mut self, target: Target, seeds: usize, lower: &mut Lower) -> Result<(), BuildError> {
        let job = self.job;
        let boards = Layer::new(seeds).size();
        (job.tell)(&BuildEvent::Begin { target, seeds, boards });
        let directory = self.scratch_directory(target, seeds);
        let scratch =
            Scratch { directory: &directory, every: job.checkpoint, id: self.id(target, seeds) };
        let decided = decide_layer(
            &LayerJob {
                tables: &self.tables,
                seeds,
                target,
                distances: job.distances,
                threads: if seeds < SMALL { 1 } else { job.threads },
                lower: lower.layers(),
                scratch: (seeds >= job.spill_from).then_some(scratch),
                stop: job.stop,
                progress: &|progress| (job.tell)(&BuildEvent::Progress(progress)),
            },
            self.exchange,
        )?;
        let clock = Instant::now();
        let bytes = self.write_all(&decided, seeds, lower)?;
        if self.exchange.part() == 0 {
            self.manifest.write(&self.directory)?;
            agree(self.exchange, seeds)?;
        } else {
            agree(self.exchange, seeds)?;
            self.manifest = Manifest::read_or_new(&self.directory, job.rules)?;
        }
        let (cost, writing) = (decided.cost(), clock.elapsed());
        drop(decided);
        self.load(target, seeds, lower)?;
        let report = LayerReport { target, seeds, boards, cost, writing, bytes };
        (job.tell)(&BuildEvent::Done(report));
        Ok(())
    }

    /// Writes the tables of a layer, one after the other. Returns the bytes of the files.
    fn write_all(
        &mut self,
        decided: &Decided,
        seeds: usize,
        lower: &Lower,
    ) -> Result<u64, BuildError> {
        let job = self.job;
        let io = |error| SolveError::Io { seeds, error };
        let archive = job.mode == Mode::Archive;
        if self.exchange.parts() > 1 && !archive {
            return self.write_together(decided, seeds);
        }
        let mut written = 0;
        for &convention in decided.conventions() {
            let kind = Kind::value(convention);
            let values = decided.whole(kind, job.threads, self.exchange).map_err(io)?;
            let side = archive.then(|| {
                best_captures(&self.tables, seeds, convention, lower.layers(), job.threads)
            });
            let side = side.transpose()?;
            written += self.write(kind, seeds, &values, side.as_deref())?.bytes;
        }
        // Distances come after the values of all conventions, which they are chained to.
        for &convention in decided.conventions().iter().filter(|_| job.distances) {
            let mut whole = |kind| decided.whole(kind, job.threads, self.exchange).map_err(io);
            let side = archive.then(|| whole(Kind::value(convention))).transpose()?;
            let side: Option<Vec<i8>> = side.map(bytemuck::cast_vec);
            let kind = Kind::distance(convention);
            let distances = whole(kind)?;
            written += self.write(kind, seeds, &distances, side.as_deref())?.bytes;
        }
        Ok(written)
    }

    /// Writes the tables of a layer of which each part knows some boards. Returns the bytes of the
    /// files.
    fn write_together(&mut self, decided: &Decided, seeds: usize) -> Result<u64, BuildError> {
        let job = self.job;
        let io = |error| SolveError::Io { seeds, error };
        let (part, parts) = (self.exchange.part(), self.exchange.parts());
        let kinds = decided.target().kinds(job.distances);
        let mut kinds: Vec<Kind> = kinds.collect();
        // Distances come after the values of all conventions, which they are chained to.
        kinds.sort_by_key(|kind| kind.quantity);
        let mut bytes = 0;
        for kind in kinds {
            let path = self.directory.join(file_name(kind, seeds));
            let subject = self.subject(kind, seeds);
            let raw = if part == 0 {
                let raw = RawLayer::create(&path, &subject)?;
                agree(self.exchange, seeds)?;
                raw
            } else {
                agree(self.exchange, seeds)?;
                RawLayer::open(&path, &subject).map_err(|error| elsewhere(error, seeds))?
            };
            each_in_threads(decided.stretches(), job.threads, |number| {
                let Stretch { first_index, boards } = decided.stretch(number);
                let mut bytes = vec![0; boards];
                decided.fill(number, kind, &mut bytes).map_err(io)?;
                raw.put(first_index, &bytes).map_err(BuildError::from)
            })?;
            raw.sync()?;
            agree(self.exchange, seeds)?;
            let draft = if part == 0 {
                let draft = raw.draft(&self.features)?;
                self.exchange.broadcast(0, draft.to_bytes()).map_err(io)?;
                Some(draft)
            } else {
                Draft::from_bytes(&self.exchange.broadcast(0, Vec::new()).map_err(io)?)
            };
            let strange = || io(std::io::Error::other("part 0 sent what is no draft of a table"));
            let draft = draft.ok_or_else(strange)?;
            raw.encode(&draft, &self.features, part, parts, job.threads)?;
            agree(self.exchange, seeds)?;
            if part == 0 {
                self.check_same(kind, seeds, draft.content())?;
                let written = raw.join(&path, draft, parts)?;
                put_entry(&mut self.manifest, kind, seeds, &written)?;
                bytes += written.bytes;
            }
        }
        Ok(bytes)
    }

    /// A table that is listed already must hold what was solved again.
    fn check_same(&self, kind: Kind, seeds: usize, content: [u8; 32]) -> Result<(), BuildError> {
        match self.manifest.entry(kind, seeds) {
            Some(old) if old.content != content => {
                Err(BuildError::Differs { path: self.directory.join(file_name(kind, seeds)) })
            }
            _ => Ok(()),
        }
    }

    /// Writes a table and notes it; the manifest itself is not written yet.
    fn write(
        &mut self,
        kind: Kind,
        seeds: usize,
        bytes: &[u8],
        side: Option<&[i8]>,
    ) -> Result<Written, BuildError> {
        let name = file_name(kind, seeds);
        let path = self.directory.join(&name);
        if self.manifest.entry(kind, seeds).is_some() {
            self.check_same(kind, seeds, *blake3::hash(bytes).as_bytes())?;
        }
        let subject = self.subject(kind, seeds);
        let threads = self.job.threads;
        if self.exchange.part() > 0 {
            // The first part writes for all.
            return Ok(Written { bytes: 0, file: [0; 32], content: [0; 32], counts: Vec::new() });
        }
        let written = write_table(&path, &subject, &self.features, bytes, side, threads)?;
        put_entry(&mut self.manifest, kind, seeds, &written)?;
        Ok(written)
    }
}

/// A layer that is to be read must be listed.
fn not_listed(convention: Convention, seeds: usize) -> TableError {
    let path = PathBuf::from(file_name(Kind::value(convention), seeds));
    TableError::Damaged { path, what: "it is not listed".to_owned() }
}

/// Where lower layers are read from.
enum Lower {
    /// Files that are read strip by strip.
    Read(OnDisk),
    /// Memory, because archives can be read only whole.
    Held(InMemory),
}

impl Lower {
    fn layers(&self) -> &dyn LowerLayers {
        match self {
            Lower::Read(lower) => lower,
            Lower::Held(lower) => lower,
        }
    }
}

/// Lists a table that was just written. Values of both bounds depend on each other's lower
/// layers, which are listed by then.
pub(crate) fn put_entry(
    manifest: &mut Manifest,
    kind: Kind,
    seeds: usize,
    written: &Written,
) -> Result<(), TableError> {
    let name = file_name(kind, seeds);
    let chain = manifest.chain(kind, seeds, &written.content);
    let chain = chain.ok_or_else(|| TableError::Damaged {
        path: PathBuf::from(&name),
        what: "the tables it was computed from are not listed".to_owned(),
    })?;
    let Written { bytes, file, content, .. } = *written;
    manifest.put(Entry { kind, seeds, name, bytes, file, content, chain });
    Ok(())
}

/// What reading a layer may need.
pub(crate) struct Source<'a> {
    pub(crate) tables: &'a MoveTables,
    pub(crate) features: &'a Arc<Features>,
    pub(crate) lower: &'a InMemory,
    pub(crate) threads: usize,
}

/// Reads the values of a layer, also from an archive.
pub(crate) fn read_layer(
    directory: &Path,
    subject: &Subject,
    source: &Source<'_>,
) -> Result<Vec<i8>, BuildError> {
    debug_assert!(subject.kind.quantity == Quantity::Value);
    let path = directory.join(file_name(subject.kind, subject.seeds));
    let file = TableFile::open(&path, subject, Arc::clone(source.features))?;
    let Source { tables, lower, threads, .. } = *source;
    let side = match file.header().mode {
        Mode::Tables => None,
        Mode::Archive => {
            let convention = subject.kind.convention;
            Some(best_captures(tables, subject.seeds, convention, lower, threads)?)
        }
    };
    let bytes = file.read_all(side.as_deref(), threads)?;
    Ok(bytes.into_iter().map(|byte| byte as i8).collect())
}

/// Reads the distances of a layer whose values are known, also from an archive.
pub(crate) fn read_distances(
    directory: &Path,
    subject: &Subject,
    values: &[i8],
    source: &Source<'_>,
) -> Result<Vec<u8>, TableError> {
    debug_assert!(subject.kind.quantity == Quantity::Distance);
    let path = directory.join(file_name(subject.kind, subject.seeds));
    let file = TableFile::open(&path, subject, Arc::clone(source.features))?;
    let side = (file.header().mode == Mode::Archive).then_some(values);
    file.read_all(side, source.threads)
}
