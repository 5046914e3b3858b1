//! Opening a database and bringing it up to date.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{Connection as _, PgConnection, SqlSafeStr};

use super::SqlStore;
use super::driver::Base;
use crate::store::{Store, StoreError, Stored};

/// How long a writer waits for another program that holds the file.
const BUSY: Duration = Duration::from_secs(5);
/// How long a request waits for a connection; longer than [`BUSY`], so that the reason why the
/// others do not come back is told first.
const ACQUIRE: Duration = Duration::from_secs(15);
/// Connections that read beside the writer.
const READERS: u32 = 4;
/// Connections to PostgreSQL.
const CONNECTIONS: u32 = 10;
/// Marks a SQLite file as a site's ("Owar"), in its header.
const APPLICATION: i64 = 0x4f77_6172;

/// A migration for both: its number, its name, SQLite's text, PostgreSQL's text.
struct Step(i64, &'static str, &'static str, &'static str);

const STEPS: [Step; 2] = [
    Step(
        1,
        "begin",
        include_str!("../migrations/sqlite/0001_begin.sql"),
        include_str!("../migrations/postgres/0001_begin.sql"),
    ),
    Step(
        2,
        "forget",
        include_str!("../migrations/sqlite/0002_forget.sql"),
        include_str!("../migrations/postgres/0002_forget.sql"),
    ),
];

/// Opens a database, makes it if it is not there, and brings it up to date.
///
/// `url` is `postgres://...`, `sqlite:PATH`, or a path alone. A SQLite file is taken for this
/// process alone; [`Store::back_up`] may copy it from elsewhere meanwhile.
///
/// # Errors
/// [`StoreError::Database`] names the file or server and says why it cannot be used: no such
/// folder, no permission, no database, another program's database, one of a newer release, in
/// use by another server.
pub async fn open(url: &str) -> Stored<Arc<dyn Store>> {
    let store = match sqlite_path(url) {
        None => open_postgres(url).await?,
        Some(path) => open_sqlite(path).await?,
    };
    Ok(Arc::new(store))
}

/// The path of a SQLite file, or nothing if the address is PostgreSQL's.
pub(super) fn sqlite_path(url: &str) -> Option<&Path> {
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        return None;
    }
    let path = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:"));
    Some(Path::new(path.unwrap_or(url)))
}

/// An error about a file or a server.
pub(super) fn refused(what: &str, why: impl std::fmt::Display) -> StoreError {
    StoreError::Database(format!("{what}: {why}"))
}

async fn open_postgres(url: &str) -> Stored<SqlStore> {
    let options = PgConnectOptions::from_str(url)
        .map_err(|error| refused("the address of PostgreSQL", error))?;
    let name = format!(
        "PostgreSQL at {}, database {}",
        options.get_host(),
        options.get_database().unwrap_or("of the user's name")
    );
    // By itself first: a pool tries again until its patience ends, and hides the reason.
    let first = PgConnection::connect_with(&options).await;
    first.map_err(|error| refused(&name, error))?.close().await.ok();
    let pool = PgPoolOptions::new()
        .max_connections(CONNECTIONS)
        .acquire_timeout(ACQUIRE)
        .connect_with(options)
        .await
        .map_err(|error| refused(&name, error))?;
    let mut connection = pool.acquire().await.map_err(|error| refused(&name, error))?;
    let steps = migrator(|step| step.3);
    let done = steps.run_direct(None, &mut *connection, false).await;
    done.map_err(|error| not_migrated(&name, &error))?;
    drop(connection);
    Ok(SqlStore { base: Base::Postgres(pool), _lock: None })
}

async fn open_sqlite(path: &Path) -> Stored<SqlStore> {
    let name = path.display().to_string();
    if path.as_os_str().is_empty() {
        return Err(refused("the database", "a path was expected after \"sqlite:\""));
    }
    if path.is_dir() {
        return Err(refused(&name, "it is a folder; a file was expected"));
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty())
        && !folder.is_dir()
    {
        return Err(refused(&name, format!("there is no folder {}", folder.display())));
    }
    let lock = take(path)?;
    let options = options(path);
    let pool = |size| {
        let pool = SqlitePoolOptions::new().max_connections(size).acquire_timeout(ACQUIRE);
        // A connection to a file does not go stale.
        pool.test_before_acquire(false).idle_timeout(None).max_lifetime(None)
    };
    if !path.exists() {
        create_private(path).map_err(|error| refused(&name, error))?;
    }
    // The mark is looked at before anything is written: not even the journal's mode of another
    // program's file shall change.
    let mark = pool(1).connect_with(options.clone().read_only(true)).await;
    let mark = mark.map_err(|error| refused(&name, error))?;
    check_mark(&mark).await.map_err(|why| refused(&name, why))?;
    mark.close().await;
    let writing = options
        .clone()
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        // Before the first table is made: a file without the mark that has tables is refused.
        .pragma("application_id", APPLICATION.to_string());
    let write = pool(1).connect_with(writing).await.map_err(|error| refused(&name, error))?;
    let mut connection = write.acquire().await.map_err(|error| refused(&name, error))?;
    let steps = migrator(|step| step.2);
    let done = steps.run_direct(None, &mut *connection, false).await;
    done.map_err(|error| not_migrated(&name, &error))?;
    drop(connection);
    let reading = options.read_only(true);
    let read = pool(READERS).connect_with(reading).await;
    let read = read.map_err(|error| refused(&name, error))?;
    Ok(SqlStore { base: Base::Sqlite { write, read }, _lock: Some(lock) })
}

/// Makes an empty file that only its owner can read: there will be hashes of passwords in it.
/// SQLite makes the files beside it alike.
pub(super) fn create_private(path: &Path) -> std::io::Result<()> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// What is common to every connection to a file.
pub(super) fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(path).busy_timeout(BUSY).foreign_keys(true)
}

/// Whether a file is a site's, or empty.
async fn check_mark(pool: &SqlitePool) -> Result<(), String> {
    let mark: i64 = sqlx::query_scalar("PRAGMA application_id")
        .fetch_one(pool)
        .await
        .map_err(|error| error.to_string())?;
    let tables: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_schema")
        .fetch_one(pool)
        .await
        .map_err(|error| error.to_string())?;
    if mark == APPLICATION || tables == 0 {
        return Ok(());
    }
    Err("it is a SQLite database, but not of this program".to_owned())
}

/// The name of the file by which a server holds a database: SQLite's own locks are not kept
/// between transactions.
fn lock_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

/// The newest schema that this release knows.
pub(super) fn newest_schema() -> i64 {
    STEPS.iter().map(|step| step.0).max().unwrap_or(0)
}

/// Takes a database for this process. The system gives it back when the process ends, however.
pub(super) fn take(path: &Path) -> Stored<File> {
    let lock = lock_path(path);
    let name = path.display();
    let file = File::options().create(true).truncate(false).write(true).open(&lock);
    let file = file.map_err(|error| refused(&lock.display().to_string(), error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(refused(&name.to_string(), "it is in use by another server"))
        }
        Err(TryLockError::Error(error)) => Err(refused(&lock.display().to_string(), error)),
    }
}

fn migrator(text: impl Fn(&Step) -> &'static str) -> Migrator {
    let step = |step: &Step| {
        let sql = text(step).into_sql_str();
        Migration::new(step.0, step.1.into(), MigrationType::Simple, sql, false)
    };
    Migrator::with_migrations(STEPS.iter().map(step).collect())
}

/// What is said of a database that a newer release wrote.
pub(super) fn newer(schema: i64) -> String {
    let newest = newest_schema();
    format!(
        "it was written by a newer release (schema {schema}, and this one knows {newest}); use \
         that release, or restore a backup made before it"
    )
}

fn not_migrated(name: &str, error: &MigrateError) -> StoreError {
    match error {
        MigrateError::VersionMissing(version) => refused(name, newer(*version)),
        MigrateError::VersionMismatch(version) => {
            refused(name, format!("its schema {version} is not the one of any release"))
        }
        other => refused(name, other),
    }
}
