//! A PostgreSQL server of the test's own: in a folder of its own, reached by a socket in it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sqlx::{AssertSqlSafe, Connection, PgConnection};

/// How long the server may take to answer on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server; stopped when dropped.
pub(crate) struct Server {
    folder: tempfile::TempDir,
    programs: PathBuf,
    process: Child,
}

/// The folder with PostgreSQL's programs: the newest of Debian's, or one of the path.
fn programs() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut debian: Vec<(u32, PathBuf)> = versions
        .filter_map(|version| {
            let number = version.file_name().to_str()?.parse().ok()?;
            Some((number, version.path().join("bin")))
        })
        .collect();
    debian.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let newest = debian.into_iter().rev().map(|(_, folder)| folder);
    newest.chain(std::env::split_paths(&path)).find(|folder| folder.join("initdb").exists()).expect(
        "PostgreSQL's programs (initdb, postgres) for the tests of the store; on Debian and \
         Ubuntu: apt-get install postgresql",
    )
}

/// A program that runs as somebody without privileges, which PostgreSQL insists on.
fn unprivileged(program: &Path) -> Command {
    use std::os::unix::fs::MetadataExt;
    use std::os::unix::process::CommandExt;
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.env("LC_ALL", "C").current_dir("/");
    if std::fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0) {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// The user that owns nothing.
const NOBODY: u32 = 65_534;

impl Server {
    /// Makes a cluster and starts its server.
    pub(crate) fn start() -> Server {
        let programs = programs();
        let folder = tempfile::tempdir().expect("a folder");
        // Fails for anybody but root, who is the one that needs it.
        let _ = std::os::unix::fs::chown(folder.path(), Some(NOBODY), Some(NOBODY));
        let data = folder.path().join("data");
        let made = unprivileged(&programs.join("initdb"))
            .args(["--auth=trust", "--username=oware", "--encoding=UTF8", "--no-sync", "-D"])
            .arg(&data)
            .status();
        assert!(made.is_ok_and(|status| status.success()), "initdb in {}", data.display());
        // Only the contract is tested here, not the disk.
        let process = unprivileged(&programs.join("postgres"))
            .args(["-c", "listen_addresses=", "-c", "fsync=off", "-k"])
            .arg(folder.path())
            .arg("-D")
            .arg(&data)
            .spawn()
            .expect("postgres starts");
        let server = Server { folder, programs, process };
        let since = Instant::now();
        while !server.answers() {
            assert!(since.elapsed() < PATIENCE, "PostgreSQL does not answer");
            std::thread::sleep(Duration::from_millis(50));
        }
        server
    }

    fn answers(&self) -> bool {
        let mut ask = unprivileged(&self.programs.join("pg_isready"));
        let ask = ask.args(["-q", "-U", "oware", "-d", "postgres", "-h"]).arg(self.folder.path());
        ask.status().is_ok_and(|status| status.success())
    }

    fn url(&self, database: &str) -> String {
        format!("postgres://oware@localhost/{database}?host={}", self.folder.path().display())
    }

    /// Makes a database; its address.
    pub(crate) async fn create_database(&self, name: &str) -> String {
        let url = self.url("postgres");
        let mut connection = PgConnection::connect(&url).await.expect("connects");
        let sql = AssertSqlSafe(format!("CREATE DATABASE {name}"));
        sqlx::query(sql).execute(&mut connection).await.expect("a database");
        self.url(name)
    }

    /// Notes a migration that no release knows yet.
    pub(crate) async fn pretend_newer(&self, url: &str) {
        let mut connection = PgConnection::connect(url).await.expect("connects");
        let sql = "INSERT INTO _sqlx_migrations (version, description, success, checksum, \
             execution_time) VALUES (999, 'later', true, 'x'::bytea, 0)";
        sqlx::query(sql).execute(&mut connection).await.expect("noted");
    }

    /// Takes the second step of the schema back.
    pub(crate) async fn pretend_older(&self, url: &str) {
        let mut connection = PgConnection::connect(url).await.expect("connects");
        let sql = "DROP INDEX games_of_creator; DROP INDEX sessions_seen; \
             DROP INDEX players_without_account; DELETE FROM _sqlx_migrations WHERE version = 2";
        sqlx::raw_sql(sql).execute(&mut connection).await.expect("taken back");
    }

    /// Stops it at once.
    pub(crate) fn stop(&self) {
        let mut stop = unprivileged(&self.programs.join("pg_ctl"));
        let stop = stop.args(["stop", "-w", "-m", "immediate", "-D"]);
        let _ = stop.arg(self.folder.path().join("data")).status();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
