//! Opening a database, bringing it up to date, and copying it.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::SqlSafeStr;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};

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

const STEPS: [Step; 1] = [Step(
    1,
    "begin",
    include_str!("../migrations/sqlite/0001_begin.sql"),
    include_str!("../migrations/postgres/0001_begin.sql"),
)];

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
    let store = if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        open_postgres(url).await?
    } else {
        let path = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:"));
        open_sqlite(Path::new(path.unwrap_or(url))).await?
    };
    Ok(Arc::new(store))
}

fn refused(what: &str, why: impl std::fmt::Display) -> StoreError {
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
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty())
        && !folder.is_dir()
    {
        return Err(refused(&name, format!("there is no folder {}", folder.display())));
    }
    let lock = take(path)?;
    let options = options(path).create_if_missing(true);
    let pool = |size| SqlitePoolOptions::new().max_connections(size).acquire_timeout(ACQUIRE);
    // The mark is looked at before anything is written: not even the journal's mode of another
    // program's file shall change.
    if path.exists() {
        let mark = pool(1).connect_with(options.clone().read_only(true)).await;
        let mark = mark.map_err(|error| refused(&name, error))?;
        check_mark(&mark).await.map_err(|why| refused(&name, why))?;
        mark.close().await;
    }
    let writing =
        options.clone().journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Full);
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

/// What is common to every connection to a file.
fn options(path: &Path) -> SqliteConnectOptions {
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

fn not_migrated(name: &str, error: &MigrateError) -> StoreError {
    let newest = STEPS.len();
    match error {
        MigrateError::VersionMissing(version) => refused(
            name,
            format!(
                "it was written by a newer release (schema {version}, and this one knows \
                 {newest}); use that release, or restore a backup made before it"
            ),
        ),
        MigrateError::VersionMismatch(version) => {
            refused(name, format!("its schema {version} is not the one of any release"))
        }
        other => refused(name, other),
    }
}

/// Copies a database into a file that must not exist, as it is at one moment.
pub(super) async fn back_up(read: &SqlitePool, to: &Path) -> Stored<()> {
    let name = to.display().to_string();
    if to.exists() {
        return Err(refused(&name, "it exists already; give another name"));
    }
    let mut part = to.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let copied = copy_to(read, &part, to).await;
    if copied.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    copied.map_err(|why| refused(&name, why))
}

/// Writes a copy to a temporary name, makes sure that it is on disk, and gives it its name.
async fn copy_to(read: &SqlitePool, part: &Path, to: &Path) -> Result<(), String> {
    let text = part.to_str().ok_or("its name is no UTF-8")?;
    // What an interrupted copy left.
    if part.exists() {
        std::fs::remove_file(part).map_err(|error| error.to_string())?;
    }
    sqlx::query("VACUUM INTO $1")
        .bind(text)
        .execute(read)
        .await
        .map_err(|error| error.to_string())?;
    let io = |error: std::io::Error| error.to_string();
    File::options().write(true).open(part).and_then(|file| file.sync_all()).map_err(io)?;
    // A name that came into use meanwhile is not overwritten.
    std::fs::hard_link(part, to).map_err(io)?;
    std::fs::remove_file(part).map_err(io)?;
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(io)
}
