//! The edge: routes, and what is true of every answer.

mod account;
mod admin;
mod error;
mod extract;
mod games;
mod guard;
mod health;
mod listen;
mod pages;
mod player;
mod puzzles;
mod rules;
mod session;
mod socket;
mod study;
mod visitor;

pub use error::ApiError;
pub use extract::{ApiJson, ApiQuery};
pub use listen::{Served, serve};
pub use pages::{MISSING as PAGES_MISSING, are_built_in as pages_are_built_in};
pub use rules::{read_game, read_rules, read_start};
pub use visitor::{Address, Passer, Visitor, begin_session, forget_session, secret_hash};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{any, get};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::app::Shared;

/// Bytes of a body at most, where a route does not say otherwise.
const BODY_BYTES: usize = 64 * 1024;

/// What is said of the API as a whole.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Oware",
        description = "Games, positions and people of an Oware site. A session is a cookie that \
                       the first request which needs one sets; live play goes over the socket \
                       at `/api/v1/socket`, whose frames are the schemas `ClientFrame` and \
                       `ServerFrame`.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    components(schemas(crate::wire::ClientFrame, crate::wire::ServerFrame))
)]
struct Description;

/// The API: its routes, and their description from the same definitions.
fn api() -> (Router<Shared>, utoipa::openapi::OpenApi) {
    let routes = OpenApiRouter::new()
        .merge(rules::router())
        .merge(games::router())
        .merge(account::router())
        .merge(session::router())
        .merge(player::router())
        .merge(admin::router())
        .merge(study::router())
        .merge(puzzles::router());
    OpenApiRouter::with_openapi(Description::openapi()).nest("/api/v1", routes).split_for_parts()
}

/// The description of the API, as OpenAPI in JSON; the same stands in docs/openapi.json.
///
/// # Panics
/// Never: the description is data that JSON can hold.
#[must_use]
pub fn description() -> String {
    api().1.to_pretty_json().expect("a description is JSON")
}

/// Every route of the site.
pub fn router(app: Shared) -> Router {
    let text: axum::body::Bytes = description().into();
    let description = || async move { ([(CONTENT_TYPE, "application/json")], text) };
    let api = api().0.merge(socket::router()).route("/api/v1/openapi.json", get(description));
    let api = api
        .route("/api/{*rest}", any(|| async { ApiError::not_found("address of the API") }))
        .method_not_allowed_fallback(guard::wrong_method)
        .layer(from_fn_with_state(app.clone(), guard::limit))
        .layer(from_fn_with_state(app.clone(), visitor::identify))
        .layer(from_fn_with_state(app.clone(), guard::same_origin));
    // What is sent piece by piece must not wait in the compressor.
    let compressed = SizeAbove::new(1_000).and(NotForContentType::new("application/x-ndjson"));
    api.layer(CompressionLayer::new().compress_when(compressed))
        .merge(health::router())
        .fallback(pages::page)
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .layer(CatchPanicLayer::custom(guard::panicked))
        .layer(from_fn(guard::headers))
        .layer(from_fn_with_state(app.clone(), guard::count))
        .with_state(app)
}
