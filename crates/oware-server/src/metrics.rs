//! Figures about the server, for `/metrics` in the text form that Prometheus reads.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

/// The figures.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    /// HTTP requests answered.
    pub requests: Counter,
    /// HTTP requests answered with a status of 500 or above.
    pub failures: Counter,
    /// Open sockets.
    pub sockets: Gauge,
    /// Games in memory.
    pub games: Gauge,
    /// Moves taken.
    pub moves: Counter,
    /// Actions refused.
    pub refusals: Counter,
    /// Seconds from an action's arrival to its acknowledgement, its commit included.
    pub ack_seconds: Histogram,
}

impl Default for Metrics {
    fn default() -> Metrics {
        let mut registry = Registry::with_prefix("oware");
        let (requests, failures) = (Counter::default(), Counter::default());
        let (moves, refusals) = (Counter::default(), Counter::default());
        let (sockets, games) = (Gauge::default(), Gauge::default());
        let ack_seconds = Histogram::new(exponential_buckets(0.000_5, 2.0, 15));
        registry.register("http_requests", "HTTP requests answered", requests.clone());
        registry.register("http_failures", "Answers of 500 and above", failures.clone());
        registry.register("sockets", "Open sockets", sockets.clone());
        registry.register("games", "Games in memory", games.clone());
        registry.register("moves", "Moves taken", moves.clone());
        registry.register("refusals", "Actions refused", refusals.clone());
        registry.register(
            "ack_seconds",
            "From an action's arrival to its acknowledgement",
            ack_seconds.clone(),
        );
        Metrics { registry, requests, failures, sockets, games, moves, refusals, ack_seconds }
    }
}

impl Metrics {
    /// All figures as text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
