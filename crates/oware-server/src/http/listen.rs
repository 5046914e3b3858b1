//! Taking connections: bounds on how many one network may hold, on how long a header may take,
//! and an end that waits for what is being answered.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use super::visitor::Address;

/// Connections of one network at a time. A proxy in front is one network, so that its address
/// must be configured, which lifts the bound for it.
const PER_NETWORK: usize = 1_000;
/// Connections at a time in all.
const IN_ALL: usize = 12_000;
/// How long a client may take for the header of a request.
const HEADER_TIME: Duration = Duration::from_secs(10);
/// How long answers may take after the end was asked for.
const LAST_ANSWERS: Duration = Duration::from_secs(4);

/// What is counted of connections.
#[derive(Debug, Default)]
struct Open {
    by_network: HashMap<IpAddr, usize>,
    all: usize,
}

/// One open connection; counted off when dropped.
#[derive(Debug)]
struct Place {
    open: Arc<Mutex<Open>>,
    network: IpAddr,
}

impl Place {
    fn take(open: &Arc<Mutex<Open>>, network: IpAddr, bound: usize) -> Option<Place> {
        let mut counts = open.lock().ok()?;
        if counts.all >= IN_ALL || counts.by_network.get(&network).copied().unwrap_or(0) >= bound {
            return None;
        }
        counts.all += 1;
        *counts.by_network.entry(network).or_default() += 1;
        Some(Place { open: Arc::clone(open), network })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Ok(mut counts) = self.open.lock() else { return };
        counts.all -= 1;
        if let Some(count) = counts.by_network.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                counts.by_network.remove(&self.network);
            }
        }
    }
}

/// How serving ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Served {
    /// Everything was answered.
    Finished,
    /// Some answers took too long and were cut off.
    CutOff,
}

/// Serves until told to stop; what is being answered then may finish within a few seconds.
/// `proxies` may hold as many connections as there are.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    proxies: Vec<IpAddr>,
    stop: CancellationToken,
) -> Served {
    let open = Arc::new(Mutex::new(Open::default()));
    let connections = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Most often too many open files: others close meanwhile.
                tracing::warn!("a connection was not taken: {error}");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let bound = if proxies.contains(&peer.ip().to_canonical()) { IN_ALL } else { PER_NETWORK };
        let Some(place) = Place::take(&open, Address(peer.ip()).network(), bound) else {
            continue;
        };
        connections.spawn(converse(stream, peer, router.clone(), stop.clone(), place));
    }
    drop(listener);
    connections.close();
    match tokio::time::timeout(LAST_ANSWERS, connections.wait()).await {
        Ok(()) => Served::Finished,
        Err(_) => Served::CutOff,
    }
}

/// Answers the requests of one connection.
async fn converse(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    stop: CancellationToken,
    _place: Place,
) {
    // A move is one small packet that must not wait for another.
    let _ = stream.set_nodelay(true);
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(axum::body::Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().oneshot(request)
    });
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADER_TIME);
    let connection = builder.serve_connection(TokioIo::new(stream), service).with_upgrades();
    let mut connection = std::pin::pin!(connection);
    // Broken lines are everyday business, so that the results say nothing.
    tokio::select! {
        _ = connection.as_mut() => {}
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}
