//! Other programs: starting them, and asking whether they are there.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

/// The cargo that started us.
pub(crate) fn cargo_program() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Runs a program and fails if it fails; `shown` is what it is called in the message.
pub(crate) fn run(command: &mut Command, shown: &str) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start `{shown}`"))?;
    ensure!(status.success(), "`{shown}` failed ({status})");
    Ok(())
}

/// Runs cargo in the workspace's folder, with environment variables; fails if it fails.
pub(crate) fn cargo_with(
    root: &Path,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> Result<()> {
    let mut command = Command::new(cargo_program());
    command.args(arguments).envs(variables.iter().copied()).current_dir(root);
    run(&mut command, &format!("cargo {}", arguments.join(" ")))
}

/// Runs cargo in the workspace's folder; fails if it fails.
pub(crate) fn cargo(root: &Path, arguments: &[&str]) -> Result<()> {
    cargo_with(root, arguments, &[])
}

/// Whether cargo has a command, such as `nextest`.
pub(crate) fn cargo_has(command: &str) -> bool {
    Command::new(cargo_program())
        .args([command, "--version"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Whether the compiler has the standard library of a target.
pub(crate) fn target_is_installed(target: &str) -> bool {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler)
        .args(["--print", "target-libdir", "--target", target])
        .stdin(Stdio::null())
        .output();
    output.is_ok_and(|output| {
        output.status.success()
            && Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir()
    })
}
