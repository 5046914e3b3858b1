//! The edge: routes, and what is true of every answer.

mod error;
mod extract;
mod guard;
mod health;
mod listen;
mod pages;
mod rules;
mod visitor;

pub use error::ApiError;
pub use extract::{ApiJson, ApiQuery};
pub use listen::{Served, serve};
pub use pages::{MISSING as PAGES_MISSING, are_built_in as pages_are_built_in};
pub use rules::{read_game, read_rules, read_start};
pub use visitor::{Address, Passer, Visitor, begin_session, forget_session, secret_hash};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};

use crate::app::Shared;

/// Bytes of a body at most, where a route does not say otherwise.
const BODY_BYTES: usize = 64 * 1024;

/// Every route of the site.
pub fn router(app: Shared) -> Router {
    let api = Router::new()
        .merge(rules::router())
        .fallback(|| async { ApiError::not_found("address of the API") })
        .method_not_allowed_fallback(guard::wrong_method)
        .layer(from_fn_with_state(app.clone(), guard::limit))
        .layer(from_fn_with_state(app.clone(), visitor::identify))
        .layer(from_fn_with_state(app.clone(), guard::same_origin));
    // What is sent piece by piece must not wait in the compressor.
    let compressed = SizeAbove::new(1_000).and(NotForContentType::new("application/x-ndjson"));
    Router::new()
        .nest("/api/v1", api)
        .layer(CompressionLayer::new().compress_when(compressed))
        .merge(health::router())
        .fallback(pages::page)
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .layer(CatchPanicLayer::custom(guard::panicked))
        .layer(from_fn(guard::headers))
        .layer(from_fn_with_state(app.clone(), guard::count))
        .with_state(app)
}
