//! The whole site from its settings: opens the store, listens, serves, stops.

use std::net::SocketAddr;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::clock::Clock;
use crate::config::Config;
use crate::http::{Served, router, serve};
use crate::store::{self, StoreError};

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
}

/// Runs the site until `stop` is cancelled. `ready` is told the address when it is open.
///
/// # Errors
/// When it cannot begin. What goes wrong later is answered to visitors and logged.
pub async fn run(
    config: Config,
    address: SocketAddr,
    stop: CancellationToken,
    ready: impl FnOnce(SocketAddr, &App),
) -> Result<Served, RunError> {
    std::fs::create_dir_all(&config.data)
        .map_err(|error| RunError::Folder(config.data.display().to_string(), error))?;
    let listener =
        TcpListener::bind(address).await.map_err(|error| RunError::Listen(address, error))?;
    let bound = listener.local_addr().map_err(|error| RunError::Listen(address, error))?;
    let store = store::open(&config.database()).await?;
    let app = App::new(config, Clock::system(), store);
    ready(bound, &app);
    let served = serve(listener, router(app.clone()), app.config.proxies.clone(), stop).await;
    Ok(served)
}
