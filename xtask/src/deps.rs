//! Who may use whom: the dependency table of ARCHITECTURE.md against the manifests, and what the
//! project takes from others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

/// Licences that may be linked; one of the alternatives of a package must be among them.
const LICENCES: [&str; 13] = [
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-1-Clause",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "0BSD",
    "Unlicense",
    "CC0-1.0",
    "Unicode-3.0",
    "BSL-1.0",
];

/// For each crate: what it uses, and what its tests use.
type Edges = BTreeMap<String, [BTreeSet<String>; 2]>;

fn workspace(root: &Path) -> Result<Metadata> {
    MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .exec()
        .context("cargo metadata failed")
}

/// The edges between crates of the workspace that the manifests have.
fn manifest_edges(metadata: &Metadata) -> Edges {
    let ours: BTreeSet<String> =
        metadata.workspace_packages().iter().map(|package| package.name.to_string()).collect();
    let edges = |package: &Package, dev: bool| {
        let of_kind = package.dependencies.iter().filter(|dependency| {
            (dependency.kind == DependencyKind::Development) == dev
                && ours.contains(&dependency.name)
        });
        of_kind.map(|dependency| dependency.name.clone()).collect()
    };
    let packages = metadata.workspace_packages();
    let rows = packages.iter().map(|p| (p.name.to_string(), [edges(p, false), edges(p, true)]));
    rows.collect()
}

/// The table: rows `| crate | uses | tests use |`, names in backquotes, separated by commas.
pub(crate) fn table_edges(document: &str) -> Result<Edges> {
    let mut edges = Edges::new();
    let rows = document
        .lines()
        .skip_while(|line| !line.starts_with("| crate | uses | tests use |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        ensure!(cells.len() == 3, "the row {row:?} has {} cells, expected 3", cells.len());
        let names = |cell: &str| -> BTreeSet<String> {
            cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
        };
        let name = names(cells[0]).into_iter().next().context("a row without a crate")?;
        edges.insert(name, [names(cells[1]), names(cells[2])]);
    }
    ensure!(!edges.is_empty(), "no table `| crate | uses | tests use |` found");
    Ok(edges)
}

/// What the table and the manifests do not agree on.
pub(crate) fn differences(table: &Edges, manifests: &Edges) -> Vec<String> {
    let mut found = Vec::new();
    let names: BTreeSet<&String> = table.keys().chain(manifests.keys()).collect();
    let none = [BTreeSet::new(), BTreeSet::new()];
    for name in names {
        if !table.contains_key(name) || !manifests.contains_key(name) {
            found.push(format!("{name} is not in both the table and the workspace"));
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

/// Whether a licence expression leaves a choice that may be linked.
pub(crate) fn may_link(expression: &str) -> bool {
    let plain = expression.replace(['(', ')'], " ").replace('/', " OR ");
    // `A OR B` leaves a choice, `A AND B` does not; brackets group only in the safe direction,
    // since every part of an `AND` must then be allowed.
    let known = |name: &str| LICENCES.contains(&name.trim());
    if expression.contains(") AND") || expression.contains("AND (") {
        return plain.split(" AND ").all(|part| part.split(" OR ").any(known));
    }
    plain.split(" OR ").any(|choice| choice.split(" AND ").all(known))
}

fn licence_problems(metadata: &Metadata) -> Vec<String> {
    let refused = metadata
        .packages
        .iter()
        .filter(|package| !package.license.as_deref().is_some_and(may_link));
    refused
        .map(|package| format!("{}: licence {:?} may not be linked", package.name, package.license))
        .collect()
}

/// Third-party crates used directly that the list of choices does not explain.
fn unexplained(metadata: &Metadata, document: &str) -> Vec<String> {
    let ours = manifest_edges(metadata);
    let used: BTreeSet<&str> = metadata
        .workspace_packages()
        .iter()
        .flat_map(|package| package.dependencies.iter().map(|dependency| dependency.name.as_str()))
        .filter(|name| !ours.contains_key(*name))
        .collect();
    used.into_iter()
        .filter(|name| !document.contains(&format!("`{name}`")))
        .map(|name| format!("docs/DEPENDENCIES.md does not explain `{name}`"))
        .collect()
}

/// Crates of ours whose manifests say too little, and rules with a dependency.
fn manifest_problems(metadata: &Metadata) -> Vec<String> {
    let mut found = Vec::new();
    for package in metadata.workspace_packages() {
        if package.description.as_deref().is_none_or(str::is_empty) {
            found.push(format!("{} has no description", package.name));
        }
        let manifest = fs::read_to_string(&package.manifest_path).unwrap_or_default();
        if !manifest.contains("[lints]\nworkspace = true") {
            found.push(format!("{} does not take the workspace's lints", package.name));
        }
        let runtime = package.dependencies.iter().any(|d| d.kind == DependencyKind::Normal);
        if package.name.as_str() == "oware-rules" && runtime {
            found.push("oware-rules depends on something, and may not".into());
        }
    }
    found
}

/// All checks of this file.
pub(crate) fn check(root: &Path) -> Result<()> {
    let metadata = workspace(root)?;
    let read = |name: &str| fs::read_to_string(root.join(name)).with_context(|| name.to_owned());
    let table = table_edges(&read("ARCHITECTURE.md")?)?;
    let mut found = differences(&table, &manifest_edges(&metadata));
    found.extend(licence_problems(&metadata));
    found.extend(unexplained(&metadata, &read("docs/DEPENDENCIES.md")?));
    found.extend(manifest_problems(&metadata));
    if found.is_empty() {
        return Ok(());
    }
    bail!("{}", found.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::{check, differences, may_link, table_edges};

    const TABLE: &str = "\
text\n\n| crate | uses | tests use |\n|---|---|---|\n| `a` | - | `t` |\n| `b` | `a` | - |\n\nmore";

    #[test]
    fn the_workspace_keeps_its_table() {
        check(&crate::root()).unwrap();
    }

    #[test]
    fn edges_that_differ_are_found() {
        let table = table_edges(TABLE).unwrap();
        assert_eq!(differences(&table, &table), Vec::<String>::new());
        let more = table_edges(&TABLE.replace("| - | `t` |", "| `b` | `t` |")).unwrap();
        assert_eq!(differences(&table, &more), ["a uses b, which the table does not allow"]);
        assert_eq!(differences(&more, &table), ["the table says a uses b, and it does not"]);
        assert!(table_edges("no table").is_err());
    }

    #[test]
    fn licences_are_told_apart() {
        for good in [
            "MIT",
            "MIT OR Apache-2.0",
            "MIT/Apache-2.0",
            "GPL-3.0 OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 AND ISC",
        ] {
            assert!(may_link(good), "{good}");
        }
        for bad in
            ["GPL-3.0", "AGPL-3.0-only", "MIT AND GPL-2.0", "(MIT OR Apache-2.0) AND GPL-2.0", ""]
        {
            assert!(!may_link(bad), "{bad}");
        }
    }
}
