//! Links between the pages: none leads nowhere, and every document can be found.

use std::collections::BTreeSet;

/// The pages from which everything under `docs/` must be found.
const ENTRANCES: [&str; 3] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

/// The targets of the links in a page that are files of ours, as written. Code is left out.
fn targets(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        for piece in line.split("](").skip(1) {
            let Some((target, _)) = piece.split_once(')') else { continue };
            let target = target.split(['#', ' ']).next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") && !target.starts_with("mailto:") {
                found.push(target);
            }
        }
    }
    found
}

/// A target as a path from the root; `None` if it leaves the tree.
fn resolve(page: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Links that lead nowhere, and documents that cannot be found from the entrances. A link to a
/// folder stands for the files in it.
pub(super) fn problems(files: &[String], pages: &[(String, String)]) -> Vec<String> {
    let mut found = Vec::new();
    let mut edges = Vec::new();
    for (page, text) in pages {
        for target in targets(text) {
            let Some(to) = resolve(page, target) else {
                found.push(format!("{page}: the link {target} leaves the tree"));
                continue;
            };
            let reached: Vec<&str> = files
                .iter()
                .map(String::as_str)
                .filter(|file| *file == to || in_folder(file, &to))
                .collect();
            if reached.is_empty() && !files.iter().any(|file| below(file, &to)) {
                found.push(format!("{page}: the link {target} leads nowhere"));
            }
            edges.push((page.as_str(), reached));
        }
    }
    let reached = closure(&edges);
    let hidden = files.iter().filter(|file| file.starts_with("docs/"));
    for file in hidden.filter(|file| !reached.contains(file.as_str())) {
        found.push(format!("{file}: no link leads here from {}", ENTRANCES.join(", ")));
    }
    found
}

/// Whether a file lies below a folder, however deep.
fn below(file: &str, folder: &str) -> bool {
    folder.is_empty() || file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether a file lies in a folder itself.
fn in_folder(file: &str, folder: &str) -> bool {
    file.rsplit_once('/').is_some_and(|(parent, _)| parent == folder)
}

/// Everything that links reach from the entrances.
fn closure<'a>(edges: &[(&'a str, Vec<&'a str>)]) -> BTreeSet<&'a str> {
    let mut reached: BTreeSet<&str> = ENTRANCES.into();
    loop {
        let before = reached.len();
        for (_, to) in edges.iter().filter(|(from, _)| reached.contains(from)).collect::<Vec<_>>() {
            reached.extend(to);
        }
        if reached.len() == before {
            return reached;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[&str], pages: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
        let pages: Vec<(String, String)> =
            pages.iter().map(|&(page, text)| (page.to_owned(), text.to_owned())).collect();
        problems(&files, &pages)
    }

    #[test]
    fn links_are_read() {
        let text = "[a](b.md#c) and [d](<e>) [f](https://g.h/)\n```\n[i](j)\n```\n[k](#l) [m](n/)";
        assert_eq!(targets(text), ["b.md", "<e>", "n/"]);
        assert_eq!(resolve("docs/a.md", "../b.md").as_deref(), Some("b.md"));
        assert_eq!(resolve("a.md", "../b.md"), None);
        assert_eq!(resolve("docs/a.md", "./b/"), Some("docs/b".into()));
    }

    #[test]
    fn dead_links_and_hidden_documents_are_found() {
        let files = ["README.md", "docs/a.md", "docs/b.md", "docs/m/c.md", "docs/m/d.md"];
        let a = ("docs/a.md", "[b](b.md) [up](../README.md)");
        assert_eq!(found(&files, &[("README.md", "[a](docs/a.md) [m](docs/m/)"), a]), [""; 0]);
        // Nothing leads to a page that only its own links would open.
        let lonely = found(&files, &[("README.md", "[m](docs/m/)"), a]);
        assert_eq!(lonely.len(), 2, "{lonely:?}");
        let dead = found(&files, &[("README.md", "[a](docs/a.md) [m](docs/m) [x](docs/x.md)"), a]);
        assert_eq!(dead, ["README.md: the link docs/x.md leads nowhere"]);
        let out = found(&["README.md"], &[("README.md", "[x](../x.md)")]);
        assert_eq!(out, ["README.md: the link ../x.md leaves the tree"]);
    }
}
