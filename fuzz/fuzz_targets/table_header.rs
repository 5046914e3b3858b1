//! Headers of table files: as they are, and with the checksum and the length of the tiles put
//! right, so that what stands behind them is read too.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use oware_tables::codec::Model;
use oware_tables::header::Header;
use oware_tables::{Layer, MOST_SEEDS};

/// The lengths of the header's parts and bytes of one entry of each: docs/TABLES.md, section 2.
const LENGTHS: [(usize, usize); 4] = [(24, 1), (28, 10), (32, 1), (36, 2)];
/// Bytes of the fixed part, and of what stands after the tile lengths.
const FIXED: usize = 48;
const TAIL: usize = 36;

fuzz_target!(|bytes: &[u8]| {
    read(bytes);
    if let Some(mended) = mended(bytes) {
        read(&mended);
    }
});

fn read(bytes: &[u8]) {
    let header = match Header::from_slice(Path::new("fuzzed.owt"), bytes) {
        Ok(header) => header,
        Err(error) => {
            assert!(error.to_string().contains("fuzzed.owt"));
            return;
        }
    };
    assert!(header.subject.seeds <= MOST_SEEDS);
    let boards: u128 = header.counts.iter().map(|&(_, count)| u128::from(count)).sum();
    assert_eq!(boards, Layer::new(header.subject.seeds).size().into());
    let tiles: usize = header.tiles.iter().map(|&length| usize::from(length) + 4).sum();
    assert_eq!(Some(bytes.len() - tiles), length(bytes));
    if let Err(error) = Model::from_bytes(&header.model) {
        assert!(!error.to_string().is_empty());
    }
}

/// Bytes of the header by its own words, if the file has as many.
fn length(bytes: &[u8]) -> Option<usize> {
    let mut end = FIXED + TAIL;
    for (at, size) in LENGTHS {
        let field = bytes.get(at..at + 4)?.try_into().ok()?;
        end += u32::from_le_bytes(field) as usize * size;
    }
    (end <= bytes.len()).then_some(end)
}

fn mended(bytes: &[u8]) -> Option<Vec<u8>> {
    let end = length(bytes)?;
    let mut mended = bytes.to_vec();
    let start = b"OWARETBL\x01\x00";
    mended[..start.len()].copy_from_slice(start);
    let data = (bytes.len() - end) as u64;
    mended[40..48].copy_from_slice(&data.to_le_bytes());
    let sum = crc32(&mended[..end - 4]);
    mended[end - 4..end].copy_from_slice(&sum.to_le_bytes());
    Some(mended)
}

/// The checksum of headers, bit by bit: CRC-32 of ISO 3309, as in zip files.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc: u32, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| match crc & 1 {
            0 => crc >> 1,
            _ => (crc >> 1) ^ 0xedb8_8320,
        })
    })
}
