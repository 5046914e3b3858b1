//! Says when the pages that are built into the program have changed.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // `cargo xtask` sets it to what the pages were built from, so that pages that appear where
    // there were none are seen too.
    println!("cargo::rerun-if-env-changed=OWARE_PAGES");
    if Path::new("../../web/dist").is_dir() {
        println!("cargo::rerun-if-changed=../../web/dist");
    }
}
