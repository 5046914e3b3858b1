//! What handlers take from a request, with errors that name the field.

use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::ApiError;

/// JSON, in and out.
#[derive(Clone, Copy, Debug)]
pub struct ApiJson<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for ApiJson<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<ApiJson<T>, ApiError> {
        match axum::Json::<T>::from_request(request, state).await {
            Ok(axum::Json(value)) => Ok(ApiJson(value)),
            Err(rejection) => Err(rejected(&rejection)),
        }
    }
}

impl<T: Serialize> IntoResponse for ApiJson<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

fn rejected(rejection: &JsonRejection) -> ApiError {
    match rejection {
        JsonRejection::JsonDataError(error) => {
            let text = error.body_text();
            let message = text.rsplit_once("target type: ").map_or(text.as_str(), |(_, why)| why);
            // axum puts the path of the field before the reason.
            let field = message.split_once(": ").map(|(field, _)| field.to_owned());
            let field = field.filter(|field| !field.contains(' '));
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            let mut error = ApiError::new(status, "bad_field", message);
            error.fault.field = field.or_else(|| quoted(message));
            error
        }
        JsonRejection::MissingJsonContentType(_) => ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "bad_json",
            "the header Content-Type must be application/json",
        ),
        JsonRejection::BytesRejection(_) => {
            ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "the body is too large")
        }
        other => ApiError::new(StatusCode::BAD_REQUEST, "bad_json", other.body_text()),
    }
}

/// The field that is missing or unknown, as in "missing field `opponent`"; what else stands in
/// backquotes is a value.
fn quoted(message: &str) -> Option<String> {
    let (_, rest) = message.split_once("field `")?;
    rest.split('`').next().map(str::to_owned)
}

/// The query of an address.
#[derive(Clone, Copy, Debug)]
pub struct ApiQuery<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for ApiQuery<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<ApiQuery<T>, ApiError> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(value)) => Ok(ApiQuery(value)),
            Err(rejection) => {
                let text = rejection.body_text();
                let message = text.rsplit_once("string: ").map_or(text.as_str(), |(_, why)| why);
                let mut error =
                    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_field", message);
                let field = message.split_once(": ").map(|(field, _)| field.to_owned());
                error.fault.field = field.or_else(|| quoted(message));
                Err(error)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_value_is_not_taken_for_a_field() {
        let field = |message| quoted(message).unwrap_or_default();
        assert_eq!(field("missing field `opponent` at line 1 column 2"), "opponent");
        assert_eq!(field("unknown field `movs`, expected one of `rules`, `start`"), "movs");
        assert_eq!(field("unknown variant `dance`, expected one of `join`, `move`"), "");
        assert_eq!(field("invalid value: integer `-3`, expected u32"), "");
    }
}
