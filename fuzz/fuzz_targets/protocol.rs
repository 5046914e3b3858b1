//! The engine protocol: lines, commands and options, whatever bytes come in.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    oware_app::protocol::laws::input(bytes);
});
