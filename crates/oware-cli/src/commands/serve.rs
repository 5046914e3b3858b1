//! `oware serve`: the site.

use std::io::IsTerminal;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use oware_server::config::Config;
use oware_server::http::{PAGES_MISSING, Served, pages_are_built_in};
use oware_server::run::{back_up, restore, until_signal};

use super::tables::Size;
use crate::output::{complain, print};

const EXAMPLES: &str = "\
Everything is kept in one folder: the database, and small endgame tables that are built in the
background at the first start. An interrupt from the keyboard ends the site; games go on when it
is started again.

For others to reach it, put a proxy that speaks HTTPS in front, and say where people reach it with
--public-url, and the proxy's address with --proxy.

Examples:
  oware serve
  oware serve --listen 0.0.0.0:8080 --data club
  oware serve --public-url https://oware.example --proxy 127.0.0.1
  oware serve --database postgres://oware@localhost/oware
  oware serve backup friday.db --data club";

/// Where the site's data are.
#[derive(Debug, clap::Args)]
pub(crate) struct DataArgs {
    /// The folder of the site's data [default: $OWARE_SITE, else in the user's data directory]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// The database: sqlite:FILE or postgres://USER@HOST/NAME [default: oware.db in the folder]
    #[arg(long, value_name = "URL", value_parser = database)]
    database: Option<String>,
}

/// What is done with the data while they are not served.
#[derive(Debug, clap::Subcommand)]
enum DataCommand {
    /// Copy the database into a new file, as it is at one moment; the site may run meanwhile
    Backup {
        /// The file, which must not exist
        file: PathBuf,

        #[command(flatten)]
        data: DataArgs,
    },
    /// Put a backup in the place of the database, which is kept beside it; the site must not run
    Restore {
        /// The backup
        file: PathBuf,

        #[command(flatten)]
        data: DataArgs,
    },
}

/// What the site is told.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct ServeArgs {
    #[command(subcommand)]
    command: Option<DataCommand>,

    /// The address to listen on
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080",
        value_parser = address)]
    listen: SocketAddr,

    #[command(flatten)]
    data: DataArgs,

    /// Where people reach the site: https:// or http:// and its name; pages of other addresses
    /// may not act on it [default: wherever it is asked]
    #[arg(long, value_name = "URL", value_parser = public_url)]
    public_url: Option<String>,

    /// The address of a proxy whose X-Forwarded-For is believed; may be given again
    #[arg(long, value_name = "ADDRESS")]
    proxy: Vec<IpAddr>,

    /// Engine searches at the same time [default: one less than there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    engines: Option<u16>,

    /// Seeds up to which endgame tables are built in the background, 0 for none
    #[arg(long, value_name = "SEEDS", default_value_t = 12,
        value_parser = clap::value_parser!(u8).range(0..=16))]
    table_seeds: u8,

    /// Memory for decoded tiles of endgame tables, such as 256M; 0 for none
    #[arg(long, value_name = "SIZE", default_value = Size::CACHE, value_parser = Size::of_cache)]
    table_cache: Size,

    /// The computer's time for a move, from the shortest to the longest, in milliseconds
    #[arg(long, value_name = "MIN-MAX", default_value = "400-2500", value_parser = think_time)]
    think_ms: (u64, u64),
}

/// Where to listen. The one name that everybody types is understood, too.
fn address(text: &str) -> Result<SocketAddr, String> {
    let numbers = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    let numbers = numbers.as_deref().unwrap_or(text);
    numbers.parse().map_err(|_| "expected an address and a port, such as 127.0.0.1:8080".into())
}

/// The address of a database.
fn database(text: &str) -> Result<String, String> {
    let known = ["sqlite:", "postgres://", "postgresql://"];
    match known.iter().find_map(|scheme| text.strip_prefix(scheme)) {
        Some(rest) if !rest.trim_matches('/').is_empty() => Ok(text.to_owned()),
        _ => Err("expected sqlite:FILE or postgres://USER@HOST/NAME".into()),
    }
}

/// An address of the site: a scheme and a host, no path.
fn public_url(url: &str) -> Result<String, String> {
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let good = host.is_some_and(|host| {
        let host = host.trim_end_matches('/');
        !host.is_empty() && !host.contains(['/', '?', '#', '@', ' '])
    });
    if good { Ok(url.to_owned()) } else { Err("expected http:// or https:// and a host".into()) }
}

fn think_time(text: &str) -> Result<(u64, u64), String> {
    let wrong = || "expected two numbers up to 60000, such as 400-2500".to_owned();
    let (least, most) = text.split_once('-').ok_or_else(wrong)?;
    let read = |text: &str| text.parse::<u64>().ok().filter(|ms| *ms <= 60_000).ok_or_else(wrong);
    let (least, most) = (read(least)?, read(most)?);
    if least > most { Err(wrong()) } else { Ok((least, most)) }
}

/// Where the data are if nobody says where.
fn default_data() -> anyhow::Result<PathBuf> {
    if let Some(folder) = std::env::var_os("OWARE_SITE").filter(|folder| !folder.is_empty()) {
        return Ok(PathBuf::from(folder));
    }
    let folders = directories::ProjectDirs::from("", "", "oware")
        .context("no home directory to keep the site in; name a folder with --data")?;
    Ok(folders.data_dir().join("site"))
}

impl DataArgs {
    fn config(&self) -> anyhow::Result<Config> {
        let data = match &self.data {
            Some(data) => data.clone(),
            None => default_data()?,
        };
        Ok(Config { database: self.database.clone(), ..Config::new(data) })
    }
}

/// Says what happens to the standard error output, as much as `OWARE_LOG` asks for.
fn begin_log() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("OWARE_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .init();
}

/// Copies the data, or brings a copy back.
fn run_on_data(command: DataCommand) -> anyhow::Result<ExitCode> {
    match command {
        DataCommand::Backup { file, data } => {
            back_up(&data.config()?, &file)?;
            print(&format!("{} is a copy of the site's data\n", file.display()))?;
        }
        DataCommand::Restore { file, data } => {
            let mut text = format!("the site's data are those of {}\n", file.display());
            if let Some(kept) = restore(&data.config()?, &file)? {
                text += &format!("what was there before is kept in {}\n", kept.display());
            }
            print(&text)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Serves until a signal.
pub(crate) fn run(args: ServeArgs) -> anyhow::Result<ExitCode> {
    if let Some(command) = args.command {
        return run_on_data(command);
    }
    let config = Config {
        public_url: args.public_url,
        proxies: args.proxy,
        engines: args.engines.map(usize::from),
        table_seeds: args.table_seeds,
        table_cache: args.table_cache.bytes(),
        think_ms: args.think_ms,
        ..args.data.config()?
    };
    begin_log();
    let data = config.data.display().to_string();
    let served = until_signal(config, args.listen, |address, token| {
        if !pages_are_built_in() {
            complain(&PAGES_MISSING);
        }
        // What starts the site may wait for this line.
        let line = format!("oware is at http://{address} (data in {data})");
        // A closed output is no reason not to serve.
        let _ = print(&format!("{line}\n"));
        if let Some(token) = token {
            let line = format!(
                "nobody administers this site yet: make an account, then enter this token at \
                 http://{address}/admin: {token}"
            );
            let _ = print(&format!("{line}\n"));
        }
    })?;
    if served == Served::CutOff {
        complain(&"some answers took too long and were cut off");
    }
    Ok(ExitCode::SUCCESS)
}
