//! The whole site from its settings: opens the store, listens, serves, stops.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::clock::Clock;
use crate::config::Config;
use crate::http::{Served, router, serve};
use crate::people;
use crate::store::{self, StoreError};

/// A day.
const DAY: Duration = Duration::from_secs(24 * 3600);

/// Why the site cannot run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The folder for the data cannot be made.
    #[error("cannot make the folder {0}: {1}")]
    Folder(String, std::io::Error),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nobody can listen there.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, std::io::Error),
    /// The system has no threads left.
    #[error("cannot start threads: {0}")]
    Threads(std::io::Error),
}

/// Runs the site until `stop` is cancelled. `ready` is told the address when it is open, and,
/// while nobody administers the site, the token with which somebody may begin to.
///
/// # Errors
/// When it cannot begin. What goes wrong later is answered to visitors and logged.
pub async fn run(
    config: Config,
    address: SocketAddr,
    stop: CancellationToken,
    ready: impl FnOnce(SocketAddr, Option<&str>),
) -> Result<Served, RunError> {
    make_folder(&config)?;
    let listener =
        TcpListener::bind(address).await.map_err(|error| RunError::Listen(address, error))?;
    let bound = listener.local_addr().map_err(|error| RunError::Listen(address, error))?;
    let store = store::open(&config.database()).await?;
    let app = App::new(config, Clock::system(), store);
    // Before anybody is let in, so that no clock runs out that is about to be shifted.
    app.hub.take_up().await?;
    let token = people::begin(&app).await?;
    ready(bound, token.as_deref());
    app.study.tables.begin_building();
    tokio::spawn(forget_daily(app.clone(), stop.clone()));
    let hub = app.hub.clone();
    let farewell = stop.clone();
    let closing = tokio::spawn(async move {
        farewell.cancelled().await;
        hub.shut_down().await;
    });
    let served = serve(listener, router(app.clone()), app.config.proxies.clone(), stop).await;
    let _ = closing.await;
    app.study.tables.stop_building();
    Ok(served)
}

/// Once a day, from the start on, forgets who does not come back.
async fn forget_daily(app: App, stop: CancellationToken) {
    loop {
        if let Err(error) = people::forget(&app).await {
            tracing::warn!("{error}");
        }
        tokio::select! {
            () = tokio::time::sleep(DAY) => {}
            () = stop.cancelled() => return,
        }
    }
}

/// Runs the site on threads of its own until the process is told to end: by an interrupt from
/// the keyboard, or by the signal to terminate. A second one ends it at once.
///
/// # Errors
/// As [`run`], or when no threads can be had.
pub fn until_signal(
    config: Config,
    address: SocketAddr,
    ready: impl FnOnce(SocketAddr, Option<&str>),
) -> Result<Served, RunError> {
    allow_many_files();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(RunError::Threads)?;
    runtime.block_on(async {
        let stop = CancellationToken::new();
        tokio::spawn(watch_signals(stop.clone()));
        run(config, address, stop, ready).await
    })
}

/// Copies the site's database into a file that must not exist; the site may run meanwhile.
///
/// # Errors
/// As [`store::back_up`], or when no threads can be had.
pub fn back_up(config: &Config, to: &Path) -> Result<(), RunError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(RunError::Threads)?;
    Ok(runtime.block_on(store::back_up(&config.database(), to))?)
}

/// Puts a backup in the place of the site's database, which no site may use meanwhile. What was
/// there is kept beside it, under the name that is given back.
///
/// # Errors
/// As [`store::restore`], or when the folder cannot be made or no threads can be had.
pub fn restore(config: &Config, from: &Path) -> Result<Option<PathBuf>, RunError> {
    make_folder(config)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(RunError::Threads)?;
    Ok(runtime.block_on(store::restore(&config.database(), from))?)
}

fn make_folder(config: &Config) -> Result<(), RunError> {
    let made = std::fs::create_dir_all(&config.data);
    made.map_err(|error| RunError::Folder(config.data.display().to_string(), error))
}

/// Takes as many open files as the system grants: each socket is one, and what a process gets if
/// it does not ask (often 1,024) is less than one network may hold.
#[cfg(unix)]
pub fn allow_many_files() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // Where that is not granted it stays as it was, which is no reason not to serve.
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::warn!("no more open files than usual: {error}");
    }
}

/// Elsewhere nothing has to be asked for.
#[cfg(not(unix))]
pub fn allow_many_files() {}

/// Cancels at the first signal, exits at the second.
async fn watch_signals(stop: CancellationToken) {
    signalled().await;
    stop.cancel();
    signalled().await;
    std::process::exit(130);
}

#[cfg(unix)]
async fn signalled() {
    use tokio::signal::unix::{SignalKind, signal};
    let terminate = async {
        match signal(SignalKind::terminate()) {
            Ok(mut terminate) => terminate.recv().await,
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate => {}
    }
}

#[cfg(not(unix))]
async fn signalled() {
    let _ = tokio::signal::ctrl_c().await;
}
