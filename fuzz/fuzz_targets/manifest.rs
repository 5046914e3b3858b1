//! Manifests of tables: reading; and what was written is read as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use oware_tables::header::all_table_rules;
use oware_tables::manifest::Entry;
use oware_tables::set::file_name;
use oware_tables::{Kind, MOST_SEEDS, Manifest};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        match Manifest::parse(text) {
            Ok(manifest) => read_again(&manifest),
            Err(error) => assert!(!error.is_empty()),
        }
    }
    read_again(&listing(bytes));
});

fn read_again(manifest: &Manifest) {
    assert_eq!(Manifest::parse(&manifest.to_text()).as_ref(), Ok(manifest));
}

/// A manifest that the bytes choose, for hardly any text has the right checksum: the first the
/// rules, then each three a kind, a layer, and what the hashes are filled with. Tables whose
/// lower layers are not listed are left out.
fn listing(bytes: &[u8]) -> Manifest {
    let (&first, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let rules: Vec<_> = all_table_rules().collect();
    let mut manifest = Manifest::new(rules[usize::from(first) % rules.len()]);
    let kinds: Vec<Kind> = Kind::all().collect();
    for three in rest.chunks_exact(3) {
        let kind = kinds[usize::from(three[0]) % kinds.len()];
        let seeds = usize::from(three[1]) % (MOST_SEEDS + 1);
        let content = [three[2]; 32];
        // What is listed stays, for the tables above it are chained to it.
        let chain = match manifest.entry(kind, seeds) {
            Some(_) => continue,
            None => manifest.chain(kind, seeds, &content),
        };
        let Some(chain) = chain else { continue };
        let (name, bytes) = (file_name(kind, seeds), u64::from(three[2]) << (three[1] % 57));
        manifest.put(Entry { kind, seeds, name, bytes, file: content, content, chain });
    }
    manifest
}
