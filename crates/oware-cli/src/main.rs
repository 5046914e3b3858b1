//! The binary `oware`.
fn main() {}
