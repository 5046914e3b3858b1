//! `/healthz` and `/metrics`, for whoever watches over the server.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;

use crate::app::Shared;

pub(super) fn router() -> Router<Shared> {
    Router::new().route("/healthz", get(healthz)).route("/metrics", get(metrics))
}

/// `ok` while the database answers.
async fn healthz(State(app): State<Shared>) -> (StatusCode, &'static str) {
    match app.store.check().await {
        Ok(()) => (StatusCode::OK, "ok\n"),
        Err(error) => {
            tracing::error!("{error}");
            (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n")
        }
    }
}

async fn metrics(State(app): State<Shared>) -> impl IntoResponse {
    let text = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(CONTENT_TYPE, text)], app.metrics.text())
}
