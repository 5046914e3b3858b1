//! Who may use whom: the dependency table of ARCHITECTURE.md against the manifests, and what the
//! project takes from others.

mod third_party;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

use crate::process::cargo_program;

/// The first line of the dependency table.
const TABLE_HEAD: &str = "| crate | uses | tests use |";

/// Absences: third-party crates that a crate of ours must not use outside its tests. `*` is all.
const NEVER: [(&str, &[&str]); 7] = [
    ("oware-rules", &["*"]),
    ("oware-notation", WIRES_AND_SCREENS),
    ("oware-search", WIRES_AND_SCREENS),
    ("oware-app", WIRES_AND_SCREENS),
    ("oware-tables", WIRES_AND_SCREENS),
    ("oware-retro", WIRES_AND_SCREENS),
    ("oware-server", &["clap", "crossterm", "ratatui"]),
];
/// Domain types do not serialise, and nothing below the binary knows a terminal.
const WIRES_AND_SCREENS: &[&str] = &["serde", "serde_json", "clap", "crossterm", "ratatui"];

/// For each crate: what it uses, and what its tests use.
type Edges = BTreeMap<String, [BTreeSet<String>; 2]>;

/// How much of the tree of dependencies is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Our crates and what they name; needs no network, ever.
    Workspace,
    /// All packages of the lock file, which must have been fetched.
    All,
}

fn metadata(manifest: &Path, depth: Depth) -> Result<Metadata> {
    let mut command = MetadataCommand::new();
    command.cargo_path(cargo_program()).manifest_path(manifest);
    match depth {
        Depth::Workspace => command.no_deps(),
        Depth::All => command.other_options(["--locked".to_owned()]),
    };
    command.exec().with_context(|| format!("cargo metadata failed on {}", manifest.display()))
}

/// What cargo knows of the workspace.
pub(crate) fn workspace(root: &Path, depth: Depth) -> Result<Metadata> {
    metadata(&root.join("Cargo.toml"), depth)
}

/// The workspace of the fuzz targets; `None` if there are none.
pub(crate) fn fuzz_workspace(root: &Path) -> Result<Option<Metadata>> {
    let manifest = root.join("fuzz").join("Cargo.toml");
    if !manifest.exists() {
        return Ok(None);
    }
    metadata(&manifest, Depth::Workspace).map(Some)
}

/// The edges between crates of the workspace that the manifests have.
fn manifest_edges(metadata: &Metadata) -> Edges {
    let packages = metadata.workspace_packages();
    let ours: BTreeSet<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let edges = |package: &Package, dev: bool| {
        let of_kind = package.dependencies.iter().filter(|dependency| {
            (dependency.kind == DependencyKind::Development) == dev
                && ours.contains(dependency.name.as_str())
        });
        of_kind.map(|dependency| dependency.name.clone()).collect()
    };
    let rows = packages.iter().map(|p| (p.name.to_string(), [edges(p, false), edges(p, true)]));
    rows.collect()
}

/// The names in backquotes in a piece of Markdown.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The table: rows `| crate | uses | tests use |`, names in backquotes.
fn table_edges(document: &str) -> Result<Edges> {
    let mut edges = Edges::new();
    let rows = document
        .lines()
        .skip_while(|line| line.trim() != TABLE_HEAD)
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    for row in rows {
        let cells: Vec<&str> = row.trim().trim_matches('|').split('|').collect();
        let [name, uses, tests_use] = cells[..] else {
            bail!("the row {row:?} has {} cells, expected 3", cells.len());
        };
        let names = |cell| quoted(cell).map(str::to_owned).collect();
        let mut crates = quoted(name);
        let (Some(name), None) = (crates.next(), crates.next()) else {
            bail!("the row {row:?} must begin with the name of one crate in backquotes");
        };
        let before = edges.insert(name.to_owned(), [names(uses), names(tests_use)]);
        ensure!(before.is_none(), "{name} has two rows");
    }
    ensure!(!edges.is_empty(), "no rows under `{TABLE_HEAD}`");
    Ok(edges)
}

/// What the table and the manifests do not agree on.
fn differences(table: &Edges, manifests: &Edges) -> Vec<String> {
    let mut found = Vec::new();
    let none = [BTreeSet::new(), BTreeSet::new()];
    let names: BTreeSet<&String> = table.keys().chain(manifests.keys()).collect();
    for name in names {
        if !table.contains_key(name) {
            found.push(format!("{name} has no row in the table"));
        }
        if !manifests.contains_key(name) {
            found.push(format!("the table has {name}, which is no crate of the workspace"));
        }
        let allowed = table.get(name).unwrap_or(&none);
        let used = manifests.get(name).unwrap_or(&none);
        for (kind, (allowed, used)) in ["uses", "tests use"].iter().zip(allowed.iter().zip(used)) {
            for edge in used.difference(allowed) {
                found.push(format!("{name} {kind} {edge}, which the table does not allow"));
            }
            for edge in allowed.difference(used) {
                found.push(format!("the table says {name} {kind} {edge}, and it does not"));
            }
        }
    }
    found
}

/// Whether a manifest has the lines `[lints]` and below them `workspace = true`.
fn takes_lints(manifest: &str) -> bool {
    manifest
        .lines()
        .map(str::trim)
        .skip_while(|line| *line != "[lints]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .any(|line| line.replace(' ', "") == "workspace=true")
}

/// What is wrong with a crate of ours by itself.
fn package_problems(package: &Package, manifest: &str) -> Vec<String> {
    let mut found = Vec::new();
    let name = package.name.as_str();
    if package.description.as_deref().is_none_or(|text| text.trim().is_empty()) {
        found.push(format!("{name}: the manifest has no description"));
    }
    if !takes_lints(manifest) {
        found.push(format!("{name}: the manifest lacks `[lints] workspace = true`"));
    }
    for (_, never) in NEVER.iter().filter(|(ours, _)| *ours == name) {
        let runtime = package.dependencies.iter().filter(|dependency| {
            dependency.kind != DependencyKind::Development
                && (never.contains(&"*") || never.contains(&dependency.name.as_str()))
        });
        found.extend(runtime.map(|dependency| format!("{name} must not use {}", dependency.name)));
    }
    found
}

fn read(root: &Path, name: &str) -> Result<String> {
    fs::read_to_string(root.join(name)).with_context(|| format!("cannot read {name}"))
}

/// What needs nothing but our own files: the table, the manifests, the list of choices.
fn workspace_problems(root: &Path) -> Result<Vec<String>> {
    let metadata = workspace(root, Depth::Workspace)?;
    let table = table_edges(&read(root, "ARCHITECTURE.md")?)
        .context("the dependency table in ARCHITECTURE.md")?;
    let mut found = differences(&table, &manifest_edges(&metadata));
    for package in metadata.workspace_packages() {
        let manifest = fs::read_to_string(&package.manifest_path)
            .with_context(|| format!("cannot read {}", package.manifest_path))?;
        found.extend(package_problems(package, &manifest));
    }
    let mut used = third_party::used_directly(&metadata);
    if let Some(fuzz) = fuzz_workspace(root)? {
        used.extend(third_party::used_directly(&fuzz));
    }
    let choices = read(root, "docs/DEPENDENCIES.md")?;
    found.extend(third_party::unexplained(&used, &choices));
    Ok(found)
}

/// All checks of this file.
pub(crate) fn check(root: &Path) -> Result<()> {
    let mut found = workspace_problems(root)?;
    found.extend(third_party::licence_problems(&workspace(root, Depth::All)?));
    ensure!(found.is_empty(), "{}", found.join("\n"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use cargo_metadata::PackageName;

    const TABLE: &str = "\
text\n\n| crate | uses | tests use |\n|---|---|---|\n| `a` | - | `t` |\n| `b` | `a` | - |\n\nmore";

    #[test]
    fn the_workspace_keeps_its_table() {
        assert_eq!(workspace_problems(&crate::root()).unwrap(), Vec::<String>::new());
    }

    /// The real table with one edge taken out, and with one put in.
    #[test]
    fn a_table_that_is_not_the_workspace_is_found() {
        let manifests = manifest_edges(&workspace(&crate::root(), Depth::Workspace).unwrap());
        let mut table = manifests.clone();
        assert!(table.get_mut("oware-notation").unwrap()[0].remove("oware-rules"));
        table.get_mut("oware-rules").unwrap()[0].insert("oware-search".into());
        table.get_mut("oware-testkit").unwrap()[1].insert("oware-rules".into());
        assert_eq!(
            differences(&table, &manifests),
            [
                "oware-notation uses oware-rules, which the table does not allow",
                "the table says oware-rules uses oware-search, and it does not",
                "the table says oware-testkit tests use oware-rules, and it does not",
            ]
        );
    }

    #[test]
    fn edges_that_differ_are_found() {
        let table = table_edges(TABLE).unwrap();
        assert_eq!(differences(&table, &table), Vec::<String>::new());
        let more = table_edges(&TABLE.replace("| - | `t` |", "| `b` | `t` |")).unwrap();
        assert_eq!(differences(&table, &more), ["a uses b, which the table does not allow"]);
        assert_eq!(differences(&more, &table), ["the table says a uses b, and it does not"]);
        let fewer = table_edges(&TABLE.replace("| `b` | `a` | - |\n", "")).unwrap();
        assert_eq!(
            differences(&fewer, &table),
            ["b has no row in the table", "b uses a, which the table does not allow"]
        );
        assert_eq!(
            differences(&table, &fewer),
            [
                "the table has b, which is no crate of the workspace",
                "the table says b uses a, and it does not"
            ]
        );
        // An edge for tests does not stand for the other kind.
        let moved = table_edges(&TABLE.replace("| - | `t` |", "| `t` | - |")).unwrap();
        assert_eq!(differences(&table, &moved).len(), 2);
    }

    #[test]
    fn tables_that_cannot_be_read_are_refused() {
        for text in [
            "no table",
            "| crate | uses | tests use |\n|---|---|---|\n",
            &TABLE.replace("| `a` | - | `t` |", "| `a` | - |"),
            &TABLE.replace("| `a` | - | `t` |", "| a | - | `t` |"),
            &TABLE.replace("| `b` | `a` | - |", "| `a` | - | - |"),
        ] {
            assert!(table_edges(text).is_err(), "{text}");
        }
    }

    #[test]
    fn manifests_that_say_too_little_are_found() {
        let metadata = workspace(&crate::root(), Depth::Workspace).unwrap();
        let packages = metadata.workspace_packages();
        let cli = packages.iter().find(|package| package.name.as_str() == "oware-cli").unwrap();
        let lints = "[lints]\nworkspace = true\n";
        assert_eq!(package_problems(cli, lints), Vec::<String>::new());
        assert_eq!(package_problems(cli, "[lints]\n[features]\nworkspace = true\n").len(), 1);
        let mut bare = Package::clone(cli);
        bare.description = None;
        assert_eq!(package_problems(&bare, lints).len(), 1);
        // The binary's dependencies would not do for the rules, nor for the use cases.
        bare = Package::clone(cli);
        bare.name = PackageName::new("oware-app".to_owned());
        let found = package_problems(&bare, lints);
        assert!(found.contains(&"oware-app must not use clap".to_owned()), "{found:?}");
        bare.name = PackageName::new("oware-rules".to_owned());
        let found = package_problems(&bare, lints);
        assert!(found.contains(&"oware-rules must not use anyhow".to_owned()), "{found:?}");
    }
}
