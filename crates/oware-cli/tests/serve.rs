//! `oware serve`: what it prints, and its data copied and brought back.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

fn oware(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_oware")).args(arguments).output().unwrap()
}

/// A site that runs, with what it said at the start; ended when dropped.
struct Site {
    process: Child,
    said: Vec<String>,
}

impl Site {
    /// `lines` is how many lines it says.
    fn start(data: &Path, lines: usize) -> Site {
        let mut process = Command::new(env!("CARGO_BIN_EXE_oware"))
            .args(["serve", "--listen", "127.0.0.1:0", "--table-seeds", "0", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let said = output.lines().take(lines).map(|line| line.unwrap()).collect();
        Site { process, said }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn token(site: &Site) -> String {
    let line = &site.said[1];
    assert!(line.contains("nobody administers this site yet") && line.contains("/admin: "));
    line.rsplit(' ').next().unwrap().to_owned()
}

#[test]
fn the_data_are_copied_and_brought_back() {
    let folder = tempfile::tempdir().unwrap();
    let (data, copy) = (folder.path().join("site"), folder.path().join("copy.db"));
    let (data_text, copy_text) = (data.to_str().unwrap(), copy.to_str().unwrap());
    let nothing = oware(&["serve", "backup", copy_text, "--data", data_text]);
    assert_eq!(nothing.status.code(), Some(1));
    assert!(text(&nothing.stderr).contains("there is no such database"));
    let site = Site::start(&data, 2);
    assert!(site.said[0].starts_with("oware is at http://127.0.0.1:"), "{:?}", site.said);
    assert_eq!(token(&site).len(), 24);
    // While it runs: a copy, but nothing is put in its place.
    let copied = oware(&["serve", "backup", copy_text, "--data", data_text]);
    assert!(copied.status.success(), "{}", text(&copied.stderr));
    assert!(text(&copied.stdout).contains("is a copy of the site's data"));
    let again = oware(&["serve", "backup", copy_text, "--data", data_text]);
    assert!(text(&again.stderr).contains("exists already"));
    let busy = oware(&["serve", "restore", copy_text, "--data", data_text]);
    assert_eq!(busy.status.code(), Some(1));
    assert!(text(&busy.stderr).contains("in use by another server"));
    drop(site);
    let restored = oware(&["serve", "restore", copy_text, "--data", data_text]);
    assert!(restored.status.success(), "{}", text(&restored.stderr));
    let kept = data.join("oware.db.before-restore-1");
    assert!(text(&restored.stdout).contains(kept.to_str().unwrap()));
    assert!(kept.is_file());
    // Into a folder where nothing was.
    let fresh = folder.path().join("fresh");
    let restored = oware(&["serve", "restore", copy_text, "--data", fresh.to_str().unwrap()]);
    assert!(restored.status.success(), "{}", text(&restored.stderr));
    for data in [&data, &fresh] {
        let site = Site::start(data, 2);
        assert_eq!(token(&site).len(), 24, "another token, since nobody has used one");
    }
}

#[test]
fn data_of_no_site_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let rubbish = folder.path().join("rubbish.db");
    std::fs::write(&rubbish, "no database ".repeat(1_000)).unwrap();
    let data = folder.path().join("site");
    let (rubbish, data) = (rubbish.to_str().unwrap(), data.to_str().unwrap());
    let refused = oware(&["serve", "restore", rubbish, "--data", data]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("not a database"), "{}", text(&refused.stderr));
    let both = oware(&["serve", "--engines", "1", "backup", "x.db"]);
    assert_eq!(both.status.code(), Some(2), "{}", text(&both.stderr));
}
