//! Programs that tests need beside Rust: whether they are there, and bringing them.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, bail, ensure};

use crate::process::run;

/// What a program says of its version, if it is there.
pub(crate) fn version(program: &Path) -> Option<String> {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Installs Debian packages as root, or says which are missing.
pub(crate) fn install(packages: &[&str]) -> Result<()> {
    let list = packages.join(" ");
    let root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n");
    let apt = version(Path::new("apt-get")).is_some();
    ensure!(root && apt, "missing packages: {list}; install them and run again");
    println!("installing {list}");
    for arguments in [vec!["update", "-q"], vec!["install", "-y", "-q", "--no-install-recommends"]]
    {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive").args(&arguments).stdin(Stdio::null());
        if arguments[0] == "install" {
            command.args(packages);
        }
        run(&mut command, &format!("apt-get {} {list}", arguments[0]))?;
    }
    Ok(())
}

/// A program of the path by one of its names.
pub(crate) fn find(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let mut all = names.iter().flat_map(|name| folders.iter().map(move |dir| dir.join(name)));
    all.find(|path| path.is_file())
}

/// The browser for tests, installed where it is missing.
pub(crate) fn browser() -> Result<PathBuf> {
    const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
    if let Some(found) = find(&NAMES) {
        return Ok(found);
    }
    // The fonts are for looking at Japanese pages.
    install(&["chromium", "fonts-noto-cjk"])?;
    match find(&NAMES) {
        Some(found) => Ok(found),
        None => bail!("the browser tests need Chromium, and it is not there"),
    }
}

/// Whether there is a libclang, with which headers of C are read.
pub(crate) fn has_libclang() -> bool {
    if env::var_os("LIBCLANG_PATH").is_some() {
        return true;
    }
    let names = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect::<Vec<_>>()
    };
    let mut folders: Vec<PathBuf> = ["/usr/lib", "/usr/lib64"].map(PathBuf::from).into();
    for name in names(Path::new("/usr/lib")) {
        let folder = Path::new("/usr/lib").join(&name);
        if name.starts_with("llvm") {
            folders.push(folder.join("lib"));
        } else if name.ends_with("-linux-gnu") {
            folders.push(folder);
        }
    }
    let is_it = |name: &String| name.starts_with("libclang.so") || name.starts_with("libclang-");
    folders.iter().any(|folder| names(folder).iter().any(is_it))
}

/// PostgreSQL's programs, installed where they are missing: tests of the store start a server
/// of their own.
pub(crate) fn postgresql() -> Result<()> {
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let there = debian.into_iter().any(|version| version.path().join("bin/initdb").exists());
    if there || find(&["initdb"]).is_some() {
        return Ok(());
    }
    install(&["postgresql"])
}
