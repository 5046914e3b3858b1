//! The comparison with OpenSpiel's `oware`: an optional test, for it needs Python and a wheel.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::process::{cargo, run};

/// The wheel compared with.
const WHEEL: &str = "open_spiel==2.0.2";

/// Plays random games in OpenSpiel and follows them with the release binary. The Python
/// environment is made under `target/` on first use.
pub(crate) fn compare(root: &Path, games: &str, seed: &str) -> Result<()> {
    let environment = root.join("target/openspiel");
    let python = environment.join("bin/python");
    if !environment.join("ready").exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&environment), "python3 -m venv")?;
        let install = ["-m", "pip", "install", "--quiet", WHEEL];
        run(Command::new(&python).args(install), "pip install")?;
        std::fs::write(environment.join("ready"), WHEEL)?;
    }
    cargo(root, &["build", "--quiet", "--release", "--package", "oware-cli"])?;
    run(
        Command::new(&python)
            .arg(root.join("tools/openspiel_compare.py"))
            .arg("--oware")
            .arg(root.join("target/release/oware"))
            .args(["--games", games, "--seed", seed]),
        "openspiel_compare.py",
    )
}
