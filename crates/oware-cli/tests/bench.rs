//! The engine's signature: how many positions it sees on those of `oware bench`. It changes with
//! the search and with nothing else. Written anew with UPDATE_EXPECT=1.

mod support;

use expect_test::expect_file;
use oware_testkit::cases::testdata_dir;
use support::{code, json_lines, run, stderr, stdout};

#[test]
fn the_signature() {
    let output = run(&["bench", "--signature"]);
    assert_eq!((code(&output), stderr(&output)), (0, String::new()));
    expect_file![testdata_dir().join("bench.txt")].assert_eq(&stdout(&output));
}

#[test]
fn the_sum_is_that_of_the_positions() {
    let lines = json_lines(&stdout(&run(&["bench", "--json", "--depth", "3", "--hash", "1"])));
    let (total, rows) = lines.split_last().unwrap();
    let nodes: u64 = rows.iter().map(|row| row["nodes"].as_u64().unwrap()).sum();
    assert_eq!(total["bench"], nodes);
    assert!(rows.iter().all(|row| row["depth"].as_u64() <= Some(3)), "{rows:?}");
    let output = run(&["bench", "--depth", "3", "--hash", "1"]);
    let text = stdout(&output);
    assert!(text.ends_with(&format!("\nbench: {nodes}\n")), "{text}");
    assert!(text.contains("nodes/s"), "{text}");
}

#[test]
fn what_cannot_be_switched_off_is_refused() {
    let output = run(&["bench", "--without", "frob"]);
    assert_eq!((code(&output), stdout(&output)), (2, String::new()));
    assert!(stderr(&output).contains("frob"), "{}", stderr(&output));
}
