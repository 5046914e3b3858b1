//! What goes wrong in a request: a status and a [`Fault`] as the body.

use axum::Json;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};

use crate::store::StoreError;
use crate::wire::Fault;

/// Why a request is not answered as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", fault.message)]
pub struct ApiError {
    /// The status.
    pub status: StatusCode,
    /// What is told.
    pub fault: Fault,
}

impl ApiError {
    /// Any error.
    #[must_use]
    pub fn new(status: StatusCode, code: &str, message: impl Into<String>) -> ApiError {
        let fault = Fault { code: code.to_owned(), field: None, message: message.into() };
        ApiError { status, fault }
    }

    /// A field that holds something else than expected.
    #[must_use]
    pub fn field(field: &str, message: impl Into<String>) -> ApiError {
        let mut error = ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_field", message);
        error.fault.field = Some(field.to_owned());
        error
    }

    /// Something that does not exist.
    #[must_use]
    pub fn not_found(what: &str) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "not_found", format!("there is no such {what}"))
    }

    /// Something that this visitor may not do.
    #[must_use]
    pub fn forbidden(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    /// Too much at once.
    #[must_use]
    pub fn too_many(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many", message)
    }

    /// Everything is in use; later it may not be.
    #[must_use]
    pub fn busy(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        if let StoreError::Taken(what) = &error {
            return ApiError::new(StatusCode::CONFLICT, "taken", format!("{what} is taken"));
        }
        // What the database says is for the log, not for visitors.
        tracing::error!("{error}");
        let message = "the site cannot reach its data at the moment; nothing was changed";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "internal", message)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.fault)).into_response();
        let later = [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE];
        if later.contains(&self.status) {
            response.headers_mut().insert(RETRY_AFTER, 2.into());
        }
        response
    }
}
