//! What is true of every request and answer: headers, origins, limits.

use std::any::Any;

use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::error::ApiError;
use super::visitor::Address;
use crate::app::Shared;

/// What pages may load and from where: only what the site itself serves. `wasm-unsafe-eval`
/// permits compiled modules and no script text.
const CSP: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
                   style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                   worker-src 'self'; object-src 'none'; base-uri 'none'; \
                   form-action 'self'; frame-ancestors 'none'";

/// Sets the headers that every answer has.
pub(super) async fn headers(request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let mut set = |name: &'static str, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set("content-security-policy", CSP);
    set("x-content-type-options", "nosniff");
    set("referrer-policy", "same-origin");
    set("cross-origin-opener-policy", "same-origin");
    set("cross-origin-resource-policy", "same-origin");
    set("permissions-policy", "camera=(), microphone=(), geolocation=()");
    if api {
        set("cache-control", "no-store");
    }
    response
}

/// Whether a request comes from a page of the site itself, or from no page at all. Browsers
/// send `Origin` with everything but plain reading, and with every socket.
#[must_use]
pub(super) fn is_own_origin(app: &Shared, headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    if let Some(public) = &app.config.public_url {
        return origin.eq_ignore_ascii_case(public.trim_end_matches('/'));
    }
    // Without a public address the host that was asked is what the page must come from.
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    host.is_some_and(|host| {
        let of = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        of.is_some_and(|origin| origin.eq_ignore_ascii_case(host))
    })
}

/// Refuses what another site's page makes a browser send.
pub(super) async fn same_origin(
    State(app): State<Shared>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let reads = [Method::GET, Method::HEAD, Method::OPTIONS].contains(request.method());
    if !reads && !is_own_origin(&app, request.headers()) {
        return Err(ApiError::forbidden("pages of other sites may not act on this one"));
    }
    Ok(next.run(request).await)
}

/// Counts requests of one network.
pub(super) async fn limit(
    State(app): State<Shared>,
    address: Address,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    app.limits.request(address)?;
    Ok(next.run(request).await)
}

/// Counts requests and failures.
pub(super) async fn count(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    app.metrics.requests.inc();
    if response.status().is_server_error() {
        app.metrics.failures.inc();
    }
    response
}

/// The answer to a method that an address does not have.
pub(super) async fn wrong_method(method: Method) -> ApiError {
    let message = format!("this address does not answer to {method}");
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "wrong_method", message)
}

/// The answer when a handler fell over, which is a fault of ours.
pub(super) fn panicked(_: Box<dyn Any + Send>) -> Response {
    tracing::error!("a handler panicked");
    let message = "the site failed at this; that is a fault of the program";
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message).into_response()
}
