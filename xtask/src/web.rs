//! The pages: the tools they are built with, building and testing them.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Error, Result, anyhow};

use crate::needs::{install, version};
use crate::process::run;

/// The Node that is brought where the machine's is missing something: npm's package `node`,
/// which holds the program itself.
const NODE_PACKAGE: &str = "node@22";

/// Node and npm, and the folder they work in.
pub(crate) struct Web {
    /// `web`.
    folder: PathBuf,
    /// Folders that go before the others in `PATH`.
    path: OsString,
}

/// What a version has to be: see `engines` in web/package.json.
fn is_new_enough(version: &str) -> bool {
    let mut numbers = version.trim().trim_start_matches('v').split('.').map(str::parse::<u32>);
    let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else {
        return false;
    };
    match major {
        20 => minor >= 19,
        22 => minor >= 12,
        _ => major > 22,
    }
}

impl Web {
    /// Finds the tools, or brings them.
    pub(crate) fn set_up(root: &Path) -> Result<Web> {
        let path = env::var_os("PATH").unwrap_or_default();
        let mut web = Web { folder: root.join("web"), path };
        if version(Path::new("npm")).is_none() {
            install(&["nodejs", "npm"])?;
        }
        let found = version(Path::new("node")).unwrap_or_default();
        if !is_new_enough(&found) {
            web.bring_node(root, &found)?;
        }
        web.packages()?;
        Ok(web)
    }

    /// Puts a newer Node than the machine's under target/.
    fn bring_node(&mut self, root: &Path, found: &str) -> Result<()> {
        let folder = root.join("target/node");
        let bin = folder.join("node_modules/node/bin");
        if !version(&bin.join("node")).is_some_and(|version| is_new_enough(&version)) {
            println!("node is {found:?}, too old for the pages' tools: bringing {NODE_PACKAGE}");
            fs::create_dir_all(&folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
            let mut npm = self.command("npm");
            npm.args(["install", "--no-audit", "--no-fund", "--prefix"]);
            npm.arg(&folder).arg(NODE_PACKAGE);
            run(&mut npm, &format!("npm install {NODE_PACKAGE}"))?;
        }
        let ours = std::iter::once(bin);
        self.path = env::join_paths(ours.chain(env::split_paths(&self.path)))?;
        Ok(())
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.folder).env("PATH", &self.path);
        command
    }

    /// Installs the packages, unless those of the lock file are there.
    fn packages(&self) -> Result<()> {
        let wanted = fs::read(self.folder.join("package-lock.json"))
            .context("cannot read web/package-lock.json")?;
        let stamp = self.folder.join("node_modules/.oware-lock");
        if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
            return Ok(());
        }
        let mut npm = self.command("npm");
        npm.args(["ci", "--no-audit", "--no-fund"]).stdin(Stdio::null());
        run(&mut npm, "npm ci")?;
        fs::write(&stamp, wanted).with_context(|| format!("cannot write {}", stamp.display()))
    }

    /// Runs a script of package.json, with arguments and variables.
    pub(crate) fn script(
        &self,
        name: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Result<()> {
        let mut npm = self.command("npm");
        npm.args(["run", "--silent", name, "--"])
            .args(arguments)
            .envs(variables.iter().copied())
            .stdin(Stdio::null());
        run(&mut npm, &format!("npm run {name}"))
    }

    /// Runs a script of package.json that tests. If it fails, the error tells which tests failed
    /// and why, as web/test/failed.ts writes it down.
    pub(crate) fn tests(
        &self,
        name: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Result<()> {
        let list = self.folder.join("node_modules/.oware-failed");
        fs::write(&list, "").with_context(|| format!("cannot write {}", list.display()))?;
        let path = list.to_string_lossy();
        let variables = [variables, &[("OWARE_FAILED", path.as_ref())]].concat();
        self.script(name, arguments, &variables).map_err(|error| {
            let failed = fs::read_to_string(&list).unwrap_or_default();
            with_list(error, failed.trim_end())
        })
    }

    /// Builds the pages, unless nothing has changed since they were built. Answers what they
    /// were built from, as a number.
    pub(crate) fn build(&self) -> Result<String> {
        let hash = format!("{:016x}", self.fingerprint()?);
        let stamp = self.folder.join("node_modules/.oware-built");
        let built = self.folder.join("dist/index.html").is_file()
            && fs::read_to_string(&stamp).is_ok_and(|of| of == hash);
        if !built {
            self.script("build", &[], &[])?;
            fs::write(&stamp, &hash)
                .with_context(|| format!("cannot write {}", stamp.display()))?;
        }
        Ok(hash)
    }

    /// A number that changes with any file the pages are built from (FNV-1a).
    fn fingerprint(&self) -> Result<u64> {
        let mut files = Vec::new();
        list(&self.folder, &mut files)?;
        files.sort();
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        let mut add = |bytes: &[u8]| {
            for byte in bytes {
                hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
        };
        for file in files {
            add(file.to_string_lossy().as_bytes());
            add(&fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?);
        }
        Ok(hash)
    }
}

/// An error with the tests that failed, where they are known.
fn with_list(error: Error, failed: &str) -> Error {
    if failed.is_empty() { error } else { anyhow!("{error:#}\n{failed}") }
}

/// Files below a folder that pages are built from.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        if ["node_modules", "dist", "e2e", "test"].iter().any(|skipped| name == *skipped) {
            continue;
        }
        match entry.file_type()? {
            kind if kind.is_dir() => list(&entry.path(), files)?,
            _ => files.push(entry.path()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{is_new_enough, with_list};
    use anyhow::anyhow;

    #[test]
    fn an_error_ends_with_the_tests_that_failed() {
        let told = |failed| format!("{:#}", with_list(anyhow!("npm run e2e"), failed));
        assert_eq!(told("a.test.ts > one\n    why"), "npm run e2e\na.test.ts > one\n    why");
        assert_eq!(told(""), "npm run e2e");
    }

    #[test]
    fn old_versions_are_not_taken() {
        for good in ["v20.19.0", "v20.20.2", "v22.12.0", "v23.0.0", "v24.1.0\n"] {
            assert!(is_new_enough(good), "{good}");
        }
        for bad in ["", "v18.20.0", "v20.18.9", "v21.7.0", "v22.11.0", "rubbish"] {
            assert!(!is_new_enough(bad), "{bad}");
        }
    }
}
