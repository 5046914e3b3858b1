//! `cargo xtask mpi`: the exchanges and builds of tables over every MPI that is installed.
//!
//! Programs are built for one MPI. Here they are built for each in turn, in the same folder for
//! builds, so that only what depends on MPI is built again, and copied to a folder of their own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::process::{cargo, cargo_with, run};
use crate::{deps, needs};

/// Longer than any run takes, on a busy machine too.
const LONG: Duration = Duration::from_secs(300);

/// The highest layer of the builds if none is said.
pub(crate) const LAYERS: &str = "9";

/// Worlds that are tried.
const RANKS: [&str; 5] = ["1", "2", "3", "4", "8"];

/// An MPI library with its programs.
#[derive(Clone, Copy, Debug)]
struct Library {
    name: &'static str,
    compiler: &'static str,
    launcher: &'static str,
    /// For more ranks than processors, and for root, as whom many containers run.
    options: &'static [&'static str],
    /// Debian packages.
    packages: [&'static str; 2],
}

const LIBRARIES: [Library; 2] = [
    Library {
        name: "openmpi",
        compiler: "mpicc.openmpi",
        launcher: "mpirun.openmpi",
        options: &["--oversubscribe", "--allow-run-as-root"],
        packages: ["openmpi-bin", "libopenmpi-dev"],
    },
    Library {
        name: "mpich",
        compiler: "mpicc.mpich",
        launcher: "mpirun.mpich",
        options: &[],
        packages: ["mpich", "libmpich-dev"],
    },
];

impl Library {
    fn is_there(&self) -> bool {
        [self.compiler, self.launcher].iter().all(|name| needs::find(&[name]).is_some())
    }

    /// The launcher with as many ranks of a program.
    fn launch(&self, ranks: &str, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.launcher);
        command.args(self.options).args(["-n", ranks]).arg(program).args(arguments);
        command.stdin(Stdio::null());
        command
    }
}

/// What to do.
pub(crate) struct Settings<'a> {
    /// The highest layer of the builds.
    pub(crate) layers: &'a str,
    /// Whether missing libraries may be installed.
    pub(crate) install: bool,
}

/// Everything, over every MPI. Gives a reason when there is none.
pub(crate) fn check(root: &Path, settings: &Settings<'_>) -> Result<Option<String>> {
    if settings.install {
        let missing = LIBRARIES.iter().filter(|library| !library.is_there());
        let mut packages: Vec<&str> = missing.flat_map(|library| library.packages).collect();
        if !needs::has_libclang() {
            packages.push("libclang-dev");
        }
        if !packages.is_empty()
            && let Err(error) = needs::install(&packages)
        {
            println!("note: {error:#}");
        }
    }
    let there: Vec<Library> = LIBRARIES.into_iter().filter(Library::is_there).collect();
    if there.is_empty() {
        return Ok(Some("no MPI is installed (Open MPI or MPICH, with its headers)".into()));
    }
    let folder = deps::workspace(root, deps::Depth::Workspace)?.target_directory;
    let folder = PathBuf::from(folder);
    for (number, library) in there.iter().enumerate() {
        println!("-- {}: build", library.name);
        let programs = build(root, &folder, library, number == 0)?;
        laws(library, &programs.laws)?;
        endings(library, &programs.laws)?;
        builds(library, &programs, settings.layers)?;
    }
    let names: Vec<&str> = there.iter().map(|library| library.name).collect();
    println!("exchanges, builds and kills over {}: all well", names.join(" and "));
    Ok(None)
}

/// The programs of one MPI.
struct Programs {
    oware: PathBuf,
    laws: PathBuf,
    /// For tables.
    folder: PathBuf,
}

fn build(root: &Path, target: &Path, library: &Library, lint: bool) -> Result<Programs> {
    // Its build script does not notice that it is to be for another MPI.
    cargo(root, &["clean", "--quiet", "--locked", "--package", "mpi-sys"])?;
    let for_it = [("MPICC", library.compiler)];
    let folder = target.join("mpi").join(library.name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let debug = target.join("debug");
    // One by one: together, what only tests and examples need would be built into the binary's
    // dependencies too, and all of them anew. Copied at once: the next build may replace it.
    let make = |what: &[&str], from: &Path| {
        cargo_with(root, &[&["build"], what].concat(), &for_it)?;
        let to = folder.join(from.file_name().unwrap_or_default());
        fs::copy(from, &to).with_context(|| format!("cannot copy {}", from.display()))?;
        if lint {
            let refuse = ["--no-deps", "--", "-Dwarnings"];
            cargo_with(root, &[&["clippy"], what, &refuse].concat(), &for_it)?;
        }
        anyhow::Ok(to)
    };
    let binary = ["--locked", "--package", "oware-cli", "--features", "mpi", "--bin", "oware"];
    let oware = make(&binary, &debug.join("oware"))?;
    let example =
        ["--locked", "--package", "oware-mpi", "--features", "mpi", "--example", "mpi-laws"];
    let laws = make(&example, &debug.join("examples").join("mpi-laws"))?;
    Ok(Programs { oware, laws, folder })
}

/// Every size and shape of exchanges, with chunks of a few bytes up.
fn laws(library: &Library, program: &Path) -> Result<()> {
    for ranks in RANKS {
        for [chunk, large] in [["7", "2000"], ["1000", "100000"], ["67108864", "300000"]] {
            let mut command = library.launch(ranks, program, &["laws", chunk, large, "48"]);
            run_in_time(&mut command, "laws")?;
        }
    }
    println!("-- {}: exchanges are well with {} ranks", library.name, RANKS.join(", "));
    Ok(())
}

/// Ranks that leave, panic, or are stopped while others do not listen.
fn endings(library: &Library, program: &Path) -> Result<()> {
    for how in ["done", "stopped", "failed"] {
        run_in_time(&mut library.launch("3", program, &["leave", how]), how)?;
    }
    for how in ["panic", "hang", "stop"] {
        let mut command = library.launch("3", program, &[how]);
        let mut child = command.stderr(Stdio::null()).stdout(Stdio::null()).spawn()?;
        ensure!(!wait(&mut child)?, "{}: `{how}` did not end all ranks with a fault", library.name);
    }
    println!("-- {}: whoever ends, all end", library.name);
    Ok(())
}

/// Tables by any number of ranks, and after a kill, against those of one process.
fn builds(library: &Library, programs: &Programs, layers: &str) -> Result<()> {
    let arguments = |dir: &Path| {
        let dir = dir.to_string_lossy().into_owned();
        let all = ["--convention", "even,low,high", "--distance", "--threads", "1", "--quiet"];
        let front = ["tables", "build", "--layers", layers, "--dir", &dir];
        front.iter().chain(&all).map(|text| (*text).to_owned()).collect::<Vec<_>>()
    };
    let alone = programs.folder.join("alone");
    run_in_time(Command::new(&programs.oware).args(arguments(&alone)), "a build alone")?;
    let expected = files(&alone)?;
    for ranks in RANKS {
        let dir = programs.folder.join(format!("ranks-{ranks}"));
        let mut command = library.launch(ranks, &programs.oware, &[]);
        command.args(arguments(&dir)).args(["--mpi", "--mpi-chunk", "1000"]);
        run_in_time(&mut command, &format!("{ranks} ranks"))?;
        ensure!(files(&dir)? == expected, "{}: {ranks} ranks: other bytes", library.name);
    }
    println!("-- {}: the same bytes with {} ranks", library.name, RANKS.join(", "));
    let dir = programs.folder.join("killed");
    let mut command = library.launch("3", &programs.oware, &[]);
    command.args(arguments(&dir)).args(["--mpi", "--mpi-chunk", "1000"]);
    let killed = kill_a_rank(command, &dir, &programs.oware)?;
    let mut command = library.launch("3", &programs.oware, &[]);
    command.args(arguments(&dir)).args(["--mpi", "--mpi-chunk", "1000"]);
    run_in_time(&mut command, "after a kill")?;
    ensure!(files(&dir)? == expected, "{}: other bytes after a kill", library.name);
    println!("-- {}: the same bytes after {killed}", library.name);
    Ok(())
}

/// Starts a build and kills one of its ranks when some tables are there. All must end with a
/// fault, soon.
fn kill_a_rank(mut command: Command, dir: &Path, program: &Path) -> Result<String> {
    let mut child = command.stderr(Stdio::null()).stdout(Stdio::null()).spawn()?;
    let start = Instant::now();
    let some = |dir: &Path| files(dir).is_ok_and(|files| files.len() > 4);
    while !some(dir) {
        if let Some(status) = child.try_wait()? {
            bail!("a build ended before it could be killed ({status})");
        }
        ensure!(start.elapsed() < LONG, "a build does not get anywhere");
        sleep(Duration::from_millis(5));
    }
    let ranks = processes_of(program)?;
    let Some(rank) = ranks.last() else { bail!("no rank of {} is found", program.display()) };
    let before = files(dir)?.len();
    run(Command::new("kill").args(["-KILL", rank]), "kill")?;
    let ended = Instant::now();
    ensure!(!wait(&mut child)?, "a build whose rank was killed ended well");
    let took = ended.elapsed();
    ensure!(took < Duration::from_secs(60), "the other ranks ended after {took:?}");
    // Nobody may be left who writes.
    while !processes_of(program)?.is_empty() {
        ensure!(ended.elapsed() < Duration::from_secs(60), "ranks are left behind");
        sleep(Duration::from_millis(20));
    }
    Ok(format!("a kill at {before} files, which ended all in {} ms", took.as_millis()))
}

/// The processes of a program, by the system's list of them.
fn processes_of(program: &Path) -> Result<Vec<String>> {
    let program = fs::canonicalize(program)?;
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc")? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_process = name.bytes().all(|byte| byte.is_ascii_digit());
        if is_process && fs::read_link(entry.path().join("exe")).is_ok_and(|exe| exe == program) {
            found.push(name);
        }
    }
    found.sort_by_key(|name| name.parse::<u32>().unwrap_or(0));
    Ok(found)
}

/// Every file but the lock, in the folder of the rules.
fn files(root: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let mut found = Vec::new();
    for rules in fs::read_dir(root)? {
        for entry in fs::read_dir(rules?.path())? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name != "LOCK" && !name.ends_with(".new") && entry.path().is_file() {
                found.push((name, fs::read(entry.path())?));
            }
        }
    }
    found.sort();
    ensure!(!found.is_empty(), "no tables in {}", root.display());
    Ok(found)
}

/// Runs a program that has to end well, in time; what it said is shown when it does not.
fn run_in_time(command: &mut Command, what: &str) -> Result<()> {
    let mut child = command.spawn().with_context(|| format!("{what}: cannot start"))?;
    ensure!(wait(&mut child)?, "{what}: failed");
    Ok(())
}

/// Waits for a program; whether it ended well. One that does not end is killed, and a fault.
fn wait(child: &mut Child) -> Result<bool> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if start.elapsed() > LONG {
            child.kill()?;
            child.wait()?;
            bail!("not ended after {} s", LONG.as_secs());
        }
        sleep(Duration::from_millis(10));
    }
}
