//! Move text: reading, writing in every style, reading again.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    oware_notation::laws::moves(text);
});
