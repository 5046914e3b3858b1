//! The description of the API stands in docs/openapi.json, from which others make clients. It
//! is written anew with UPDATE_EXPECT=1.

use std::path::Path;

use expect_test::expect_file;
use serde_json::Value;

#[test]
fn the_description_in_the_documentation_is_true() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    expect_file![file].assert_eq(&(oware_server::http::description() + "\n"));
}

/// Every value in a JSON tree.
fn all<'a>(value: &'a Value, each: &mut dyn FnMut(&'a Value)) {
    each(value);
    match value {
        Value::Array(values) => values.iter().for_each(|value| all(value, each)),
        Value::Object(fields) => fields.values().for_each(|value| all(value, each)),
        _ => {}
    }
}

#[test]
fn what_the_description_refers_to_is_in_it() {
    let description: Value = serde_json::from_str(&oware_server::http::description()).unwrap();
    let mut dangling = Vec::new();
    all(&description, &mut |value| {
        let to = value.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix('#'));
        dangling.extend(to.filter(|to| description.pointer(to).is_none()));
    });
    assert_eq!(dangling, Vec::<&str>::new());
}

/// A parameter is part of the path exactly if the path has a place for it.
#[test]
fn parameters_stand_where_they_are_read() {
    let description: Value = serde_json::from_str(&oware_server::http::description()).unwrap();
    let paths = description["paths"].as_object().unwrap();
    let mut count = 0;
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().unwrap() {
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let name = parameter["name"].as_str().unwrap();
                let place = if path.contains(&format!("{{{name}}}")) { "path" } else { "query" };
                assert_eq!(parameter["in"], place, "{method} {path}: {name}");
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count}");
}
