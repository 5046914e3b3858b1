//! Backup and restore of a SQLite file. Each writes under a temporary name, makes sure that it
//! is on disk, and gives it its name last: there is never half a file under a good name.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use sqlx::sqlite::{SqliteJournalMode, SqlitePool, SqlitePoolOptions};

use super::open::{create_private, newer, newest_schema, options, refused, sqlite_path, take};
use crate::store::{StoreError, Stored};

/// What is said when PostgreSQL shall be copied.
pub(super) fn not_here() -> StoreError {
    StoreError::Database(
        "only SQLite files are copied by this program; PostgreSQL has pg_dump and pg_restore"
            .to_owned(),
    )
}

/// Copies a database, as it is at one moment, into a file that must not exist. A server may
/// run on it meanwhile.
///
/// # Errors
/// [`StoreError::Database`] if `url` is PostgreSQL's, there is no such database, or the copy
/// cannot be written; then no file `to` is left.
pub async fn back_up(url: &str, to: &Path) -> Stored<()> {
    let path = sqlite_path(url).ok_or_else(not_here)?;
    let name = path.display().to_string();
    if !path.is_file() {
        return Err(refused(&name, "there is no such database"));
    }
    let pool = one(path).await.map_err(|why| refused(&name, why))?;
    schema(&pool).await.map_err(|why| refused(&name, why))?;
    let copied = copy(&pool, to).await;
    pool.close().await;
    copied
}

/// Puts a backup in the place of a database that no server uses. What was there is kept beside
/// it, under the name that is given back.
///
/// # Errors
/// [`StoreError::Database`] if `url` is PostgreSQL's, a server uses the database, the backup
/// is damaged, is no backup or comes from a newer release, or something cannot be written; then
/// the database is as it was.
pub async fn restore(url: &str, from: &Path) -> Stored<Option<PathBuf>> {
    let path = sqlite_path(url).ok_or_else(not_here)?;
    let (name, source) = (path.display().to_string(), from.display().to_string());
    if !from.is_file() {
        return Err(refused(&source, "there is no such file"));
    }
    let _lock = take(path)?;
    let part = beside(path, ".restore");
    let prepared = prepare(from, &part).await;
    if let Err(why) = prepared {
        remove(&part);
        return Err(refused(&source, why));
    }
    let swapped = swap(path, &part).await;
    if swapped.is_err() {
        remove(&part);
    }
    swapped.map_err(|why| refused(&name, why))
}

/// Copies a backup to `part` and makes sure that it is whole and can be used.
async fn prepare(from: &Path, part: &Path) -> Result<(), String> {
    remove(part);
    // Through SQLite and not byte by byte: a file taken while a server wrote to it has a journal
    // beside it that belongs to it.
    let source = one(from).await?;
    let schema = schema(&source).await?;
    if schema > newest_schema() {
        return Err(newer(schema));
    }
    let faults: String = sqlx::query_scalar("PRAGMA integrity_check(1)")
        .fetch_one(&source)
        .await
        .map_err(|error| error.to_string())?;
    if faults != "ok" {
        return Err(format!("it is damaged: {faults}"));
    }
    let written = vacuum_into(&source, part).await;
    source.close().await;
    written
}

/// Puts `part` in the place of `path`; where the old one is kept.
async fn swap(path: &Path, part: &Path) -> Result<Option<PathBuf>, String> {
    let text = |error: io::Error| error.to_string();
    if !path.exists() {
        std::fs::rename(part, path).and_then(|()| sync_folder(path)).map_err(text)?;
        return Ok(None);
    }
    let kept = free_name(path);
    match fold_journal(path).await {
        Ok(()) => {
            // Nothing belongs to the old file any longer but itself, so that one step, which is
            // done or not done, replaces it. Some file systems have no links.
            let linked = std::fs::hard_link(path, &kept);
            linked.or_else(|_| std::fs::copy(path, &kept).map(drop)).map_err(text)?;
        }
        Err(_) => {
            // It is beyond reading; what is left of it is moved away as it is.
            for end in ["", "-wal", "-shm"] {
                let old = beside(path, end);
                if old.exists() {
                    std::fs::rename(old, beside(&kept, end)).map_err(text)?;
                }
            }
        }
    }
    std::fs::rename(part, path).and_then(|()| sync_folder(path)).map_err(text)?;
    Ok(Some(kept))
}

/// Brings what stands in the journal into the file and does without a journal.
async fn fold_journal(path: &Path) -> Result<(), String> {
    let options = options(path).journal_mode(SqliteJournalMode::Delete);
    let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await;
    let pool = pool.map_err(|error| error.to_string())?;
    let read = schema(&pool).await;
    pool.close().await;
    read?;
    if beside(path, "-wal").exists() {
        return Err("its journal could not be closed".to_owned());
    }
    Ok(())
}

/// A name for the old database that is not in use.
fn free_name(path: &Path) -> PathBuf {
    let name = |number: u32| beside(path, &format!(".before-restore-{number}"));
    (1..).map(name).find(|name| !name.exists()).unwrap_or_else(|| name(0))
}

/// A connection that only reads.
async fn one(path: &Path) -> Result<SqlitePool, String> {
    let options = options(path).read_only(true);
    let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await;
    pool.map_err(|error| error.to_string())
}

/// The schema of a site's database.
async fn schema(pool: &SqlitePool) -> Result<i64, String> {
    let newest = "SELECT MAX(version) FROM _sqlx_migrations WHERE success";
    let newest = sqlx::query_scalar::<_, Option<i64>>(newest).fetch_one(pool).await;
    match newest {
        Ok(Some(version)) => Ok(version),
        Ok(None) => Err("it is not a database of this program".to_owned()),
        Err(error) => Err(format!("it is not a database of this program ({error})")),
    }
}

/// Copies an open database into a file that must not exist.
pub(super) async fn copy(from: &SqlitePool, to: &Path) -> Stored<()> {
    let name = to.display().to_string();
    if to.exists() {
        return Err(refused(&name, "it exists already; give another name"));
    }
    let folder = folder(to);
    if !folder.is_dir() {
        return Err(refused(&name, format!("there is no folder {}", folder.display())));
    }
    let part = beside(to, ".part");
    remove(&part);
    let copied = vacuum_into(from, &part).await.and_then(|()| {
        let named = give_name(&part, to).and_then(|()| sync_folder(to));
        named.map_err(|error| error.to_string())
    });
    remove(&part);
    copied.map_err(|why| refused(&name, why))
}

/// Gives a file its name, which must not be in use.
fn give_name(part: &Path, to: &Path) -> io::Result<()> {
    // A link, since a rename would replace a file that came into being meanwhile.
    match std::fs::hard_link(part, to) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists && !to.exists() => {
            // Memory sticks have no links.
            std::fs::rename(part, to)
        }
        linked => linked,
    }
}

/// Writes a compact copy and waits until it is on disk.
async fn vacuum_into(from: &SqlitePool, to: &Path) -> Result<(), String> {
    let name = to.to_str().ok_or("its name is no UTF-8")?;
    create_private(to).map_err(|error| error.to_string())?;
    let done = sqlx::query("VACUUM INTO $1").bind(name).execute(from).await;
    done.map_err(|error| error.to_string())?;
    let synced = File::options().write(true).open(to).and_then(|file| file.sync_all());
    synced.map_err(|error| error.to_string())
}

/// A path with something added to its last part.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Waits until a new name is on disk.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder(path))?.sync_all() } else { Ok(()) }
}

/// Removes a temporary file, if it is there.
fn remove(path: &Path) {
    let _ = std::fs::remove_file(path);
}
