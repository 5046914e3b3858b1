//! What the project takes from others: every choice explained, every licence one we may link.

use std::collections::BTreeSet;

use cargo_metadata::{Metadata, Package};
use spdx::{Expression, LicenseReq, ParseMode};

use super::quoted;

/// Licences that may be linked. Of a choice one must be here, of a sum all.
const LICENCES: [&str; 13] = [
    "0BSD",
    "Apache-2.0",
    "BSD-1-Clause",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MPL-2.0",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Unlicense",
    "Zlib",
];

/// Whether a licence expression leaves a choice that may be linked. Exceptions only ever permit
/// more, so they are not looked at.
fn may_link(expression: &str) -> bool {
    let allowed =
        |licence: &LicenseReq| licence.license.id().is_some_and(|id| LICENCES.contains(&id.name));
    // Old manifests write `MIT/Apache-2.0`.
    Expression::parse_mode(expression, ParseMode::LAX)
        .is_ok_and(|expression| expression.evaluate(allowed))
}

fn licence_problem(package: &Package) -> Option<String> {
    let which = format!("{} {}", package.name, package.version);
    match &package.license {
        None => Some(format!("{which}: the manifest names no licence")),
        Some(licence) if may_link(licence) => None,
        Some(licence) => Some(format!("{which}: {licence} is not a licence we link")),
    }
}

/// Packages of the lock file that may not be linked.
pub(super) fn licence_problems(metadata: &Metadata) -> Vec<String> {
    metadata.packages.iter().filter_map(licence_problem).collect()
}

/// The third-party crates that manifests of a workspace name, for whatever purpose.
pub(super) fn used_directly(metadata: &Metadata) -> BTreeSet<String> {
    let packages = metadata.workspace_packages();
    let named = packages.iter().flat_map(|package| &package.dependencies);
    named
        .filter(|dependency| dependency.path.is_none())
        .map(|dependency| dependency.name.clone())
        .collect()
}

/// Where the list of choices and the manifests differ. The list are the tables of the document:
/// the first cell of a row names crates in backquotes.
pub(super) fn unexplained(used: &BTreeSet<String>, document: &str) -> Vec<String> {
    let first_cells = document
        .lines()
        .filter_map(|line| line.strip_prefix('|'))
        .filter_map(|line| line.split('|').next());
    let listed: BTreeSet<String> = first_cells.flat_map(quoted).map(str::to_owned).collect();
    let missing = used.difference(&listed);
    let stale = listed.difference(used);
    missing
        .map(|name| format!("docs/DEPENDENCIES.md does not explain {name}"))
        .chain(stale.map(|name| format!("docs/DEPENDENCIES.md lists {name}, which nobody uses")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_are_told_apart() {
        for good in [
            "MIT",
            "MIT OR Apache-2.0",
            "MIT/Apache-2.0",
            "MPL-2.0",
            "GPL-3.0 OR MIT",
            "MIT OR Apache-2.0 OR LGPL-2.1-or-later",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 AND ISC",
            "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
        ] {
            assert!(may_link(good), "{good}");
        }
        for bad in [
            "",
            "GPL-2.0",
            "GPL-3.0-or-later",
            "AGPL-3.0-only",
            "LGPL-2.1-or-later",
            "MIT AND GPL-2.0",
            "(MIT OR Apache-2.0) AND GPL-2.0-only",
            "(MIT AND GPL-3.0-only) OR AGPL-3.0-only",
            "GPL-2.0-only WITH Classpath-exception-2.0",
            "LicenseRef-proprietary",
            "a secret",
        ] {
            assert!(!may_link(bad), "{bad}");
        }
    }

    #[test]
    fn choices_and_manifests_are_compared() {
        let used: BTreeSet<String> = ["clap", "serde"].map(str::to_owned).into();
        let good =
            "| crate | why |\n|---|---|\n| `clap` | help; `lexopt` has none |\n| `serde` | |";
        assert_eq!(unexplained(&used, good), Vec::<String>::new());
        // A name in another cell, or in the text, explains nothing.
        let found = unexplained(&used, "`serde`\n| `clap` | not `serde` |\n| `rand` | |");
        assert_eq!(
            found,
            [
                "docs/DEPENDENCIES.md does not explain serde",
                "docs/DEPENDENCIES.md lists rand, which nobody uses"
            ]
        );
    }
}
