//! Verification: every board of a directory of tables, by the rules and not by the solver.
//!
//! For each board the moves are made by the rules' own board, and three things are looked at:
//! - the value is the best that a move gives (which in circles proves nothing by itself);
//! - a distance stands where the value is forced, and nowhere else;
//! - the distance follows from those after the moves that keep the value.
//!
//! The last makes it a proof: a board whose value is forced has, for its forcing side, a
//! value-keeping move of smaller distance, and for the other side only such moves. So no value
//! can support itself in a circle, and where nothing is forced both sides can avoid worse.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use oware_rules::{Board, Move, Rules, SowingBoard, Stuck, TableRules};
use oware_tables::codec::Features;
use oware_tables::layer::joined;
use oware_tables::rows::{Row, row_at, rows_of, rows_with};
use oware_tables::set::{directory, file_name};
use oware_tables::{Convention, Houses, Kind, Layer, Manifest, NO_DISTANCE, Subject, TableError};

use crate::build::{BuildError, Source, read_distances, read_layer};
use crate::rounds::lock;
use crate::solve::{SolveError, Target, in_threads};
use crate::storage::InMemory;
use crate::tables::MoveTables;

/// What is to be verified.
pub struct VerifyJob<'a> {
    /// The directory for all tables.
    pub root: &'a Path,
    /// The rules.
    pub rules: TableRules,
    /// Which values. Distances are verified where they are listed.
    pub targets: &'a [Target],
    /// The highest layer to look at; `None` for all there are.
    pub layers: Option<usize>,
    /// Number of threads.
    pub threads: usize,
    /// When set, the verification stops soon.
    pub stop: &'a AtomicBool,
    /// Called after each layer.
    pub tell: &'a (dyn Fn(&LayerVerified) + Sync),
}

/// A layer in which everything was right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerVerified {
    /// Which values.
    pub target: Target,
    /// Seeds.
    pub seeds: usize,
    /// Number of boards.
    pub boards: u64,
    /// Whether distances were there, so that values are proved and not only consistent.
    pub proved: bool,
}

/// What is wrong with tables.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// A table could not be read.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A file is not the one that the manifest lists.
    #[error("{path}: the file's hash is not the one in the manifest")]
    Hash {
        /// The file.
        path: PathBuf,
    },
    /// A board's byte does not follow from those after its moves.
    #[error("{path}: board {houses:?}: {what} {found}, expected {expected}")]
    Board {
        /// The table.
        path: PathBuf,
        /// The board, seen by the mover.
        houses: Houses,
        /// Value or distance.
        what: &'static str,
        /// What the table holds.
        found: String,
        /// What follows from the moves.
        expected: String,
    },
    /// There is nothing to verify.
    #[error("no tables of {target:?} values here")]
    Nothing {
        /// What was looked for.
        target: Target,
    },
}

impl From<TableError> for VerifyError {
    fn from(error: TableError) -> VerifyError {
        VerifyError::Build(error.into())
    }
}

/// Verifies tables from layer 0 up.
///
/// # Errors
/// The first fault found, or why a table could not be read.
pub fn verify(job: &VerifyJob<'_>) -> Result<(), VerifyError> {
    let directory = directory(job.root, job.rules);
    let manifest = Manifest::read_or_new(&directory, job.rules)?;
    for &target in job.targets {
        let listed = target.conventions().iter().map(|&c| manifest.layers(Kind::value(c))).min();
        let most = job.layers.unwrap_or(usize::MAX);
        let layers = listed.unwrap_or(0).min(most.saturating_add(1));
        let Some(top) = layers.checked_sub(1) else {
            return Err(VerifyError::Nothing { target });
        };
        Verifier {
            job,
            target,
            manifest: &manifest,
            directory: &directory,
            tables: MoveTables::new(job.rules, top),
            features: Arc::new(Features::new(top, job.rules)),
            layers: (0..=top).map(Layer::new).collect(),
        }
        .all(top)?;
    }
    Ok(())
}

struct Verifier<'a> {
    job: &'a VerifyJob<'a>,
    target: Target,
    manifest: &'a Manifest,
    directory: &'a Path,
    tables: MoveTables,
    features: Arc<Features>,
    layers: Vec<Layer>,
}

/// The bytes of a layer by convention of the target.
struct Contents {
    seeds: usize,
    values: Vec<Vec<i8>>,
    distances: Vec<Vec<u8>>,
}

/// What a move leads to.
struct Outcome {
    payoff: i8,
    /// Where the board after it stands in the same layer; `None` after a conversion.
    same_layer: Option<usize>,
}

impl Verifier<'_> {
    fn all(&self, top: usize) -> Result<(), VerifyError> {
        let mut lower = InMemory::new();
        for seeds in 0..=top {
            let contents = self.read(seeds, &lower)?;
            self.layer(&contents, &lower)?;
            (self.job.tell)(&LayerVerified {
                target: self.target,
                seeds,
                boards: self.layers[seeds].size(),
                proved: !contents.distances.is_empty(),
            });
            for (&convention, values) in self.target.conventions().iter().zip(contents.values) {
                lower.push(convention, values);
            }
        }
        Ok(())
    }

    /// Reads the tables of a layer, and holds their files against the manifest.
    fn read(&self, seeds: usize, lower: &InMemory) -> Result<Contents, VerifyError> {
        let threads = self.job.threads;
        let source = Source { tables: &self.tables, features: &self.features, lower, threads };
        let mut contents = Contents { seeds, values: Vec::new(), distances: Vec::new() };
        for &convention in self.target.conventions() {
            let kind = Kind::value(convention);
            self.check_hash(kind, seeds)?;
            contents.values.push(read_layer(self.directory, &self.subject(kind, seeds), &source)?);
        }
        let conventions = self.target.conventions();
        let all = |&c: &Convention| self.manifest.entry(Kind::distance(c), seeds).is_some();
        if conventions.iter().all(all) {
            for (which, &convention) in conventions.iter().enumerate() {
                let kind = Kind::distance(convention);
                self.check_hash(kind, seeds)?;
                let subject = self.subject(kind, seeds);
                let values = &contents.values[which];
                let distances = read_distances(self.directory, &subject, values, &source)?;
                contents.distances.push(distances);
            }
        }
        Ok(contents)
    }

    fn subject(&self, kind: Kind, seeds: usize) -> Subject {
        Subject { rules: self.job.rules, kind, seeds }
    }

    fn check_hash(&self, kind: Kind, seeds: usize) -> Result<(), VerifyError> {
        let path = self.directory.join(file_name(kind, seeds));
        let hash =
            hash_file(&path).map_err(|error| TableError::Io { path: path.clone(), error })?;
        let listed = self.manifest.entry(kind, seeds).map(|entry| entry.file);
        if listed == Some(hash) { Ok(()) } else { Err(VerifyError::Hash { path }) }
    }

    fn layer(&self, contents: &Contents, lower: &InMemory) -> Result<(), VerifyError> {
        let next = AtomicUsize::new(0);
        let failed = Mutex::new(None);
        let runs: usize = (0..=contents.seeds).map(rows_with).sum();
        let work = || {
            let movers: Vec<Vec<Row>> =
                (0..=contents.seeds).map(|total| rows_of(total).collect()).collect();
            loop {
                let run = next.fetch_add(1, Relaxed);
                if run >= runs {
                    return;
                }
                let result = if self.job.stop.load(Relaxed) {
                    Err(BuildError::from(SolveError::Stopped).into())
                } else {
                    self.run(run, contents, lower, &movers)
                };
                if let Err(error) = result {
                    next.store(runs, Relaxed);
                    lock(&failed).get_or_insert(error);
                }
            }
        };
        in_threads(self.job.threads, work);
        match failed.into_inner().unwrap_or_default() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// One run of the index: the boards that share an opponent's row.
    fn run(
        &self,
        run: usize,
        contents: &Contents,
        lower: &InMemory,
        movers: &[Vec<Row>],
    ) -> Result<(), VerifyError> {
        // Runs are numbered over rising totals of the opponent's row.
        let mut rank = run;
        let mut total = 0;
        while rank >= rows_with(total) {
            rank -= rows_with(total);
            total += 1;
        }
        let opponent = row_at(total, rank);
        let mover = contents.seeds - total;
        let first = self.layers[contents.seeds].run(mover, rank) as usize;
        for (place, row) in movers[mover].iter().enumerate() {
            let houses = joined(row, &opponent);
            for which in 0..contents.values.len() {
                self.board(&houses, first + place, which, contents, lower)?;
            }
        }
        Ok(())
    }

    fn board(
        &self,
        houses: &Houses,
        index: usize,
        which: usize,
        contents: &Contents,
        lower: &InMemory,
    ) -> Result<(), VerifyError> {
        let convention = self.target.conventions()[which];
        let value = contents.values[which][index];
        let rules = playing_on(self.job.rules);
        let outcomes: Vec<Outcome> = match Board::from_houses(*houses) {
            Ok(board) => board
                .legal(&rules)
                .iter()
                .map(|mv| self.outcome(board, mv, &rules, convention, contents, lower))
                .collect(),
            // Layers hold at most 48 seeds.
            Err(_) => Vec::new(),
        };
        let shared = shared_out(houses, &self.job.rules);
        let best = outcomes.iter().map(|outcome| outcome.payoff).max().unwrap_or(shared);
        if value != best {
            let (found, expected) = (value.to_string(), best.to_string());
            let path = self.path(Kind::value(convention), contents.seeds);
            return Err(VerifyError::Board {
                path,
                houses: *houses,
                what: "value",
                found,
                expected,
            });
        }
        let Some(distances) = contents.distances.get(which) else { return Ok(()) };
        let found = Some(distances[index]).filter(|&distance| distance != NO_DISTANCE);
        let other = contents.distances.len() - 1 - which;
        let after = &contents.distances[other];
        let expected = expected_distance(convention, value, contents.seeds, &outcomes, after);
        if found != expected || expected == Some(NO_DISTANCE) {
            let show = |distance: Option<u8>| match distance {
                Some(NO_DISTANCE) => "one, for the value is forced".to_owned(),
                Some(distance) => distance.to_string(),
                None => "none".to_owned(),
            };
            return Err(VerifyError::Board {
                path: self.path(Kind::distance(convention), contents.seeds),
                houses: *houses,
                what: "distance",
                found: show(found),
                expected: show(expected),
            });
        }
        Ok(())
    }

    fn path(&self, kind: Kind, seeds: usize) -> PathBuf {
        self.directory.join(file_name(kind, seeds))
    }

    fn outcome(
        &self,
        board: Board,
        mv: Move,
        rules: &Rules,
        convention: Convention,
        contents: &Contents,
        lower: &InMemory,
    ) -> Outcome {
        let sown = board.sow(mv, rules);
        let captured = sown.captured as i8;
        if sown.ends_by_slam(rules) {
            return Outcome { payoff: captured - sown.given as i8, same_layer: None };
        }
        let left = contents.seeds - usize::from(sown.captured);
        let houses = sown.board.houses();
        let index = self.layers[left].index(&houses).unwrap_or_default() as usize;
        let after = convention.after_a_move();
        if sown.captured > 0 {
            let value = lower.layer(after, left).map_or(0, |layer| layer[index]);
            return Outcome { payoff: captured - value, same_layer: None };
        }
        let which = self.target.conventions().iter().position(|&other| other == after);
        let value = contents.values[which.unwrap_or_default()][index];
        Outcome { payoff: -value, same_layer: Some(index) }
    }
}

/// The distance that follows from those after the moves (docs/TABLES.md, section 1.3): `None`
/// where nothing is forced, and [`NO_DISTANCE`], which is never right, where the value is forced
/// but no move bears it out.
fn expected_distance(
    convention: Convention,
    value: i8,
    seeds: usize,
    outcomes: &[Outcome],
    after: &[u8],
) -> Option<u8> {
    let seeds = seeds as i8;
    let (forced, mover_forces) = match convention {
        Convention::Even => (value != 0, value > 0),
        Convention::Low => (value > -seeds, true),
        Convention::High => (value < seeds, false),
    };
    if !forced {
        return None;
    }
    let keeping = outcomes.iter().filter(|outcome| outcome.payoff == value);
    // No distance counts as endlessly far: the forcing side will not take it, and the other
    // side must not have it.
    let distances = keeping.map(|outcome| outcome.same_layer.map_or(0, |index| after[index]));
    let far = if mover_forces { distances.min() } else { distances.max() };
    Some(far.map_or(0, |far| far.saturating_add(1)))
}

/// What the mover gets by the sharing out where he has no legal move.
fn shared_out(houses: &Houses, rules: &TableRules) -> i8 {
    let [mover, opponent] = [0, 6].map(|at| houses[at..at + 6].iter().sum::<u8>() as i8);
    match rules.stuck {
        Stuck::OwnRows => mover - opponent,
        Stuck::OpponentTakesAll => -(mover + opponent),
    }
}

/// Rules of play with these table rules.
fn playing_on(rules: TableRules) -> Rules {
    let TableRules { grand_slam, feeding, stuck } = rules;
    Rules { grand_slam, feeding, stuck, play_on: true, ..Rules::ABAPA }
}

/// BLAKE3 of a file.
fn hash_file(path: &Path) -> std::io::Result<[u8; 32]> {
    let mut file = File::open(path)?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(*hasher.finalize().as_bytes()),
            read => {
                hasher.update(&buffer[..read]);
            }
        }
    }
}
