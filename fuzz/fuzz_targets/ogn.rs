//! Game records: decoding, reading, writing, reading again; replaying them and their variations.
#![no_main]

use libfuzzer_sys::fuzz_target;
use oware_notation::{laws, ogn};

fuzz_target!(|bytes: &[u8]| {
    match ogn::decode(bytes) {
        Ok(text) => drop(laws::ogn(text)),
        Err(error) => assert!(error.line > 0 && error.column > 0),
    }
});
