//! Position strings: reading, writing in every form, reading again.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    oware_notation::laws::position(text);
});
