//! What the site is told when it starts.

use std::net::IpAddr;
use std::path::PathBuf;

use oware_tables::TileCache;

/// What the site is told when it starts.
#[derive(Clone, Debug)]
pub struct Config {
    /// The folder of the database, backups and endgame tables.
    pub data: PathBuf,
    /// The database: `sqlite:PATH` or `postgres://...`; `oware.db` in `data` if left out.
    pub database: Option<String>,
    /// Where people reach the site, such as `https://oware.example`. Pages of other origins may
    /// not act on it. With `https` cookies are sent over secure lines only.
    pub public_url: Option<String>,
    /// Addresses of proxies whose `X-Forwarded-For` is believed.
    pub proxies: Vec<IpAddr>,
    /// Engine searches at the same time; one less than there are cores, at least one, if left
    /// out.
    pub engines: Option<usize>,
    /// Shortest and longest time until the computer's move is shown, in milliseconds.
    pub think_ms: (u64, u64),
    /// Seeds up to which small endgame tables are built in the background; 0 for none.
    pub table_seeds: u8,
    /// Bytes of memory that decoded tiles of endgame tables may take, for all rules together; 0
    /// for none.
    pub table_cache: u64,
}

impl Config {
    /// How the site runs from a folder, if nothing else is said.
    #[must_use]
    pub fn new(data: impl Into<PathBuf>) -> Config {
        Config {
            data: data.into(),
            database: None,
            public_url: None,
            proxies: Vec::new(),
            engines: None,
            think_ms: (400, 2_500),
            table_seeds: 12,
            table_cache: TileCache::DEFAULT,
        }
    }

    /// Where the database is.
    #[must_use]
    pub fn database(&self) -> String {
        let file = || format!("sqlite:{}", self.data.join("oware.db").display());
        self.database.clone().unwrap_or_else(file)
    }

    /// Whether people come over secure lines.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.starts_with("https://"))
    }

    /// How many engine searches may run at the same time.
    #[must_use]
    pub fn engines(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.engines.unwrap_or(cores.saturating_sub(1)).max(1)
    }
}
