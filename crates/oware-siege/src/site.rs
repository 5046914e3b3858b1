//! A server in a process of its own, which can be killed and started again.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

/// What `siege serve` says before its address, once it is open.
pub const READY: &str = "listening on ";
/// How long a start or an end may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// How a server is started.
#[derive(Clone, Debug)]
pub struct Start {
    /// The binary `siege`.
    pub program: PathBuf,
    /// The folder of its data.
    pub data: PathBuf,
    /// The database, if it is not in that folder.
    pub database: Option<String>,
    /// Bytes of the largest file it may write, at first: as if the disk were full.
    pub file_bytes: Option<u64>,
}

/// A server in a process of its own; killed when dropped.
#[derive(Debug)]
pub struct Site {
    start: Start,
    child: Child,
    /// Where it is reached, also after it was started again.
    pub address: SocketAddr,
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Site {
    /// Starts a server.
    ///
    /// # Errors
    /// When it does not open within a minute.
    pub fn start(start: Start) -> Result<Site> {
        std::fs::create_dir_all(&start.data)?;
        let (child, address) = launch(&start, SocketAddr::from(([127, 0, 0, 1], 0)))?;
        Ok(Site { start, child, address })
    }

    /// Kills it, as a failure of power does to a program: nothing is written, nobody is told.
    ///
    /// # Errors
    /// When there is nothing to kill.
    pub fn kill(&mut self) -> Result<()> {
        self.child.kill().context("kill")?;
        self.child.wait().context("wait")?;
        Ok(())
    }

    /// Starts it again at the same address. Returns how long it took.
    ///
    /// # Errors
    /// When it does not open within a minute.
    pub fn again(&mut self) -> Result<Duration> {
        let from = Instant::now();
        (self.child, self.address) = launch(&self.start, self.address)?;
        Ok(from.elapsed())
    }

    /// Asks it to end, and waits. Returns how long it took.
    ///
    /// # Errors
    /// When it does not end within a minute, or not well.
    pub fn end(&mut self) -> Result<Duration> {
        let from = Instant::now();
        let asked = Command::new("kill").arg(self.child.id().to_string()).status()?;
        ensure!(asked.success(), "kill: {asked}");
        while from.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait()? {
                ensure!(status.success(), "the server ended with {status}: {}", self.log());
                return Ok(from.elapsed());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        anyhow::bail!("the server does not end")
    }

    /// Its process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Where its database is.
    #[must_use]
    pub fn database(&self) -> String {
        let file = || format!("sqlite:{}", self.start.data.join("oware.db").display());
        self.start.database.clone().unwrap_or_else(file)
    }

    /// What it logged.
    #[must_use]
    pub fn log(&self) -> String {
        std::fs::read_to_string(log_file(&self.start.data)).unwrap_or_default()
    }

    /// Whether it still runs.
    pub fn is_up(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Resident memory in bytes; none where the system does not say.
    #[must_use]
    pub fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes * 1_024)
    }

    /// Seconds of processor time used so far; none where the system does not say.
    #[must_use]
    pub fn cpu_seconds(&self) -> Option<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid())).ok()?;
        // The name may hold spaces; user and system time are fields 14 and 15 of all.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks: u32 =
            fields.get(11)?.parse::<u32>().ok()? + fields.get(12)?.parse::<u32>().ok()?;
        Some(f64::from(ticks) / 100.0)
    }
}

fn log_file(data: &Path) -> PathBuf {
    data.join("log.txt")
}

fn launch(start: &Start, address: SocketAddr) -> Result<(Child, SocketAddr)> {
    let log = File::options().create(true).append(true).open(log_file(&start.data))?;
    let mut command = match start.file_bytes {
        None => Command::new(&start.program),
        Some(bytes) => {
            // A shell can bound the files of what it starts, in blocks of 512 bytes; the signal
            // is ignored, so that a write fails as on a full disk. Only the soft bound is set.
            let mut shell = Command::new("sh");
            let script = "trap '' XFSZ; ulimit -S -f \"$0\"; exec \"$@\"";
            shell.args(["-c", script, &(bytes / 512).to_string()]).arg(&start.program);
            shell
        }
    };
    command.args(["serve", "--address", &address.to_string(), "--data"]).arg(&start.data);
    if let Some(database) = &start.database {
        command.args(["--database", database]);
    }
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
        .with_context(|| format!("cannot start {}", start.program.display()))?;
    let out = child.stdout.take().context("no standard output")?;
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(out).lines().map_while(Result::ok) {
            if let Some(address) = line.strip_prefix(READY) {
                let _ = tell.send(address.parse::<SocketAddr>());
            }
        }
    });
    match told.recv_timeout(PATIENCE) {
        Ok(address) => Ok((child, address.context("the address of the server")?)),
        Err(error) => {
            let _ = child.kill();
            let _ = child.wait();
            let log = std::fs::read_to_string(log_file(&start.data)).unwrap_or_default();
            anyhow::bail!("the server did not open ({error}): {log}")
        }
    }
}

/// How many files and sockets a process has open; none where the system does not say.
#[must_use]
pub fn open_files(pid: u32) -> Option<usize> {
    Some(std::fs::read_dir(format!("/proc/{pid}/fd")).ok()?.count())
}

/// Lifts the bound on the files of a running process.
///
/// # Errors
/// When the system has no `prlimit`.
pub fn lift_file_bound(pid: u32) -> Result<()> {
    let bound = ["--pid", &pid.to_string(), "--fsize=unlimited:"];
    let lifted = Command::new("prlimit").args(bound).status().context("prlimit")?;
    ensure!(lifted.success(), "prlimit: {lifted}");
    Ok(())
}
