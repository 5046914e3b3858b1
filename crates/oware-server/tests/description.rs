//! The description of the API stands in docs/openapi.json, from which others make clients. It
//! is written anew with UPDATE_EXPECT=1.

use std::path::Path;

use expect_test::expect_file;

#[test]
fn the_description_in_the_documentation_is_true() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    expect_file![file].assert_eq(&(oware_server::http::description() + "\n"));
}
