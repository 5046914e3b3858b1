//! The tool `siege`: serves the site in a process that may be killed, and measures what it
//! carries.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool for the terminal")]

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand};
use oware_server::config::Config;
use oware_siege::load::{self, Load, Times};
use oware_siege::site::{READY, Site, Start};

/// Lays siege to the site.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serves the site, without thinking times and tables.
    Serve {
        /// Where to listen; port 0 for any free one.
        #[arg(long, default_value = "127.0.0.1:0")]
        address: SocketAddr,
        /// The folder of the data.
        #[arg(long)]
        data: PathBuf,
        /// The database, if it is not in that folder.
        #[arg(long)]
        database: Option<String>,
    },
    /// Plays many games at once, and tells how long acknowledgements take.
    Load {
        #[command(flatten)]
        site: Target,
        /// Numbers of games at once, one run each.
        #[arg(long, value_delimiter = ',', default_value = "300")]
        games: Vec<u32>,
        /// Seconds of each run, after its games have begun.
        #[arg(long, default_value_t = 30)]
        seconds: u64,
        /// Milliseconds from move to move in each game.
        #[arg(long, default_value_t = 2_000)]
        every_ms: u64,
        /// What moves are drawn from.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Holds many lines on which nothing happens, and tells what they cost.
    Idle {
        #[command(flatten)]
        site: Target,
        /// Numbers of lines, one run each.
        #[arg(long, value_delimiter = ',', default_value = "5000")]
        sockets: Vec<u32>,
        /// Seconds for which they are held.
        #[arg(long, default_value_t = 30)]
        seconds: u64,
    },
}

/// The server that is measured: a process of its own that is started here.
#[derive(Args)]
struct Target {
    /// The folder of its data, which should be on the disk that is meant.
    #[arg(long)]
    data: PathBuf,
    /// The database, if it is not in that folder.
    #[arg(long)]
    database: Option<String>,
}

impl Target {
    fn start(&self) -> Result<Site> {
        Site::start(Start {
            program: std::env::current_exe().context("where this program is")?,
            data: self.data.clone(),
            database: self.database.clone(),
            file_bytes: None,
        })
    }
}

fn main() -> Result<()> {
    oware_server::run::allow_many_files();
    match Arguments::parse().command {
        Command::Serve { address, data, database } => serve(address, data, database),
        Command::Load { site, games, seconds, every_ms, seed } => {
            let (time, every) = (Duration::from_secs(seconds), Duration::from_millis(every_ms));
            println!("{}", Row::HEAD);
            let runs = games.into_iter().map(|games| Load { games, time, every, seed });
            runs.into_iter().try_for_each(|load| measure(&site, load))
        }
        Command::Idle { site, sockets, seconds } => {
            println!("| lines | still there | p50 ms | p99 ms | KiB each | MiB in all |");
            println!("|---|---|---|---|---|---|");
            let time = Duration::from_secs(seconds);
            sockets.into_iter().try_for_each(|sockets| hold(&site, sockets, time))
        }
    }
}

fn serve(address: SocketAddr, data: PathBuf, database: Option<String>) -> Result<()> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(false).init();
    let mut config = Config::new(data);
    config.database = database;
    config.table_seeds = 0;
    config.think_ms = (0, 0);
    let ready = |address: SocketAddr, _: Option<&str>| println!("{READY}{address}");
    oware_server::run::until_signal(config, address, ready)?;
    Ok(())
}

fn runtime() -> Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread().enable_all().build()?)
}

/// One line of the table of loads.
struct Row;

impl Row {
    const HEAD: &str = "| games | moves | ack p50 ms | p99 | max | arrival p99 | refused | lost | \
                        games ended | server MiB | server cores | load |\n\
                        |---|---|---|---|---|---|---|---|---|---|---|---|";
}

fn load_average() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or_default().to_owned()
}

fn mebibytes(bytes: Option<u64>) -> u64 {
    bytes.unwrap_or_default() >> 20
}

fn measure(target: &Target, load: Load) -> Result<()> {
    let mut site = target.start()?;
    let before = (site.cpu_seconds(), std::time::Instant::now());
    let outcome = runtime()?.block_on(load::play(site.address, load))?;
    let cpu = site.cpu_seconds().unwrap_or_default() - before.0.unwrap_or_default();
    let (acks, arrivals): (&Times, &Times) = (&outcome.acks, &outcome.arrivals);
    println!(
        "| {} | {} | {:.1} | {:.1} | {:.0} | {:.1} | {} | {} | {} | {} | {:.2} | {} |",
        load.games,
        acks.count(),
        acks.at(500),
        acks.at(990),
        acks.at(1_000),
        arrivals.at(990),
        outcome.refused,
        outcome.lost,
        outcome.games,
        mebibytes(site.memory()),
        cpu / before.1.elapsed().as_secs_f64(),
        load_average(),
    );
    for example in &outcome.examples {
        eprintln!("{example}");
    }
    site.end()?;
    Ok(())
}

fn hold(target: &Target, sockets: u32, time: Duration) -> Result<()> {
    let mut site = target.start()?;
    let empty = site.memory().unwrap_or_default();
    let runtime = runtime()?;
    let held = runtime.spawn(load::idle(site.address, sockets, time));
    let mut most = 0;
    while !held.is_finished() {
        std::thread::sleep(Duration::from_millis(200));
        most = most.max(site.memory().unwrap_or_default());
    }
    let (alive, times) = runtime.block_on(held)??;
    println!(
        "| {sockets} | {alive} | {:.1} | {:.1} | {} | {} |",
        times.at(500),
        times.at(990),
        (most.saturating_sub(empty) >> 10) / u64::from(sockets.max(1)),
        most >> 20,
    );
    site.end()?;
    Ok(())
}
