//! Tables coded anew: archives made into tables that can be probed, and back.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use oware_rules::TableRules;
use oware_tables::codec::Features;
use oware_tables::set::{directory, file_name, lock_for_writing};
use oware_tables::{
    Convention, Kind, Layer, Manifest, Mode, Quantity, Subject, TableError, write_table,
};

use crate::archive::best_captures;
use crate::build::{BuildError, Source, put_entry, read_distances, read_layer};
use crate::solve::{SolveError, Target};
use crate::storage::InMemory;
use crate::tables::MoveTables;

/// What is to be coded anew.
pub struct RecodeJob<'a> {
    /// The directory for all tables.
    pub from: &'a Path,
    /// Another one, to write to.
    pub to: &'a Path,
    /// The rules.
    pub rules: TableRules,
    /// Which values; for the bounds both are written.
    pub targets: &'a [Target],
    /// Whether distances are wanted too.
    pub distances: bool,
    /// The highest layer; `None` for all there are.
    pub layers: Option<usize>,
    /// How the new tables are coded.
    pub mode: Mode,
    /// Number of threads.
    pub threads: usize,
    /// When set, the work stops after the layer at hand.
    pub stop: &'a AtomicBool,
    /// Called with each table that was written and its bytes.
    pub tell: &'a (dyn Fn(Kind, usize, u64) + Sync),
}

/// Writes tables again in another mode, into another directory. Contents, and so the chain of
/// the manifest, stay the same.
///
/// # Errors
/// When tables are missing or damaged, the system refuses, or the stop flag was set.
pub fn recode(job: &RecodeJob<'_>) -> Result<(), BuildError> {
    let (from, to) = (directory(job.from, job.rules), directory(job.to, job.rules));
    let there = Manifest::read_or_new(&from, job.rules)?;
    let _lock = lock_for_writing(&to)?;
    let mut written = Manifest::read_or_new(&to, job.rules)?;
    for &target in job.targets {
        let kinds: Vec<Kind> = target.kinds(job.distances).collect();
        let layers = kinds.iter().map(|&kind| there.layers(kind)).min().unwrap_or(0);
        let layers = job.layers.map_or(layers, |most| most + 1);
        let missing = || TableError::Io {
            path: from.clone(),
            error: std::io::Error::other(format!("no tables of {}", kinds[0])),
        };
        let top = layers.checked_sub(1).ok_or_else(missing)?;
        let tables = MoveTables::new(job.rules, top);
        let features = Arc::new(Features::new(top, job.rules));
        let mut lower = InMemory::new();
        for seeds in 0..=top {
            if job.stop.load(Relaxed) {
                return Err(SolveError::Stopped.into());
            }
            let source = Source {
                tables: &tables,
                features: &features,
                lower: &lower,
                threads: job.threads,
            };
            let layer = Recoded { job, target, seeds, from: &from, to: &to, source };
            let values = layer.write(&mut written)?;
            for (&convention, values) in target.conventions().iter().zip(values) {
                lower.push(convention, values);
            }
        }
    }
    Ok(())
}

/// One layer on its way.
struct Recoded<'a> {
    job: &'a RecodeJob<'a>,
    target: Target,
    seeds: usize,
    from: &'a Path,
    to: &'a Path,
    source: Source<'a>,
}

impl Recoded<'_> {
    /// Writes the tables of the layer and lists them. Returns the values by convention.
    fn write(&self, manifest: &mut Manifest) -> Result<Vec<Vec<i8>>, BuildError> {
        let conventions = self.target.conventions();
        let values = conventions.iter().map(|&convention| {
            read_layer(self.from, &self.subject(Kind::value(convention)), &self.source)
        });
        let values: Vec<Vec<i8>> = values.collect::<Result<_, _>>()?;
        for (&convention, values) in conventions.iter().zip(&values) {
            let side = self.captures(convention)?;
            let mut bytes: Vec<u8> = values.iter().map(|&value| value as u8).collect();
            self.table(Kind::value(convention), &mut bytes, side.as_deref(), manifest)?;
        }
        for (&convention, values) in conventions.iter().zip(&values).filter(|_| self.job.distances)
        {
            let subject = self.subject(Kind::distance(convention));
            let mut bytes = read_distances(self.from, &subject, values, &self.source)?;
            let side = (self.job.mode == Mode::Archive).then_some(&values[..]);
            self.table(subject.kind, &mut bytes, side, manifest)?;
        }
        manifest.write(self.to)?;
        Ok(values)
    }

    fn subject(&self, kind: Kind) -> Subject {
        Subject { rules: self.job.rules, kind, seeds: self.seeds }
    }

    fn captures(&self, convention: Convention) -> Result<Option<Vec<i8>>, BuildError> {
        let Source { tables, lower, threads, .. } = self.source;
        Ok(match self.job.mode {
            Mode::Tables => None,
            Mode::Archive => Some(best_captures(tables, self.seeds, convention, lower, threads)?),
        })
    }

    fn table(
        &self,
        kind: Kind,
        bytes: &mut [u8],
        side: Option<&[i8]>,
        manifest: &mut Manifest,
    ) -> Result<(), BuildError> {
        debug_assert_eq!(bytes.len() as u64, Layer::new(self.seeds).size());
        debug_assert!(kind.quantity == Quantity::Value || self.job.distances);
        let path = self.to.join(file_name(kind, self.seeds));
        let (features, threads) = (self.source.features, self.source.threads);
        let written = write_table(&path, &self.subject(kind), features, bytes, side, threads)?;
        put_entry(manifest, kind, self.seeds, &written)?;
        (self.job.tell)(kind, self.seeds, written.bytes);
        Ok(())
    }
}
