//! Boards with what they are worth, in memory and in files.
//!
//! A file is a row of records of 14 bytes: the twelve houses as the mover sees them, then the
//! value in hundredths of a seed as a signed 16-bit number, lowest byte first.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use oware_rules::{Board, HOUSES, SowingBoard};

const RECORD: usize = HOUSES + 2;
/// The value of a board that has not been looked at yet.
pub(crate) const UNKNOWN: i16 = i16::MIN;

/// A board with what it is worth to its mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    /// 0..=5 the mover's, 6..=11 the opponent's.
    pub(crate) houses: [u8; HOUSES],
    /// Hundredths of a seed that the mover still takes more than the opponent, or [`UNKNOWN`].
    pub(crate) value: i16,
}

impl Sample {
    /// Seeds in all houses.
    pub(crate) fn seeds(&self) -> usize {
        self.houses.iter().map(|&seeds| usize::from(seeds)).sum()
    }

    /// The board.
    ///
    /// # Panics
    /// With more than 48 seeds; readers refuse such samples.
    pub(crate) fn board(&self) -> Board {
        Board::from_houses(self.houses).expect("samples hold at most 48 seeds")
    }
}

/// Reads every sample of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<Sample>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let (records, rest) = bytes.as_chunks::<RECORD>();
    ensure!(rest.is_empty(), "{}: not a whole number of records", path.display());
    let samples = records.iter().enumerate().map(|(number, record)| {
        let mut houses = [0; HOUSES];
        houses.copy_from_slice(&record[..HOUSES]);
        let value = i16::from_le_bytes([record[HOUSES], record[HOUSES + 1]]);
        let at = || format!("{}: record {number}", path.display());
        Board::from_houses(houses).with_context(at)?;
        Ok(Sample { houses, value })
    });
    samples.collect()
}

/// Writes a file beside its place and renames it when it is whole.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let beside = path.with_extension("part");
    let fault = || format!("cannot write {}", path.display());
    let mut file = BufWriter::new(File::create(&beside).with_context(fault)?);
    file.write_all(bytes).with_context(fault)?;
    file.into_inner()
        .map_err(std::io::IntoInnerError::into_error)
        .with_context(fault)?
        .sync_all()?;
    std::fs::rename(&beside, path).with_context(fault)
}

/// Writes samples, replacing the file.
pub(crate) fn write(path: &Path, samples: &[Sample]) -> Result<()> {
    let mut bytes = Vec::with_capacity(samples.len() * RECORD);
    for sample in samples {
        bytes.extend_from_slice(&sample.houses);
        bytes.extend_from_slice(&sample.value.to_le_bytes());
    }
    write_whole(path, &bytes)
}
