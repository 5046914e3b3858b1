//! Rules: reading, the canonical id, reading again.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    oware_notation::laws::rules(text);
});
