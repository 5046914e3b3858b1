//! One's own account: who one is, signing up, passwords, languages, data, farewell.

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::response::IntoResponse;
use futures_util::stream;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::ApiError;
use super::extract::ApiJson;
use super::visitor::{Address, Passer, Visitor, forget_session};
use crate::app::Shared;
use crate::people::{self, PeopleFault};
use crate::wire::{Farewell, Fault, LanguageWish, Me, NewAccount, NewPassword, RelationView};

pub(super) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(me, farewell))
        .routes(routes!(sign_up))
        .routes(routes!(password))
        .routes(routes!(language))
        .routes(routes!(relations))
        .routes(routes!(data))
}

impl From<PeopleFault> for ApiError {
    fn from(fault: PeopleFault) -> ApiError {
        let message = fault.to_string();
        match fault {
            PeopleFault::Field { field, .. } => ApiError::field(field, message),
            PeopleFault::WrongPassword => {
                ApiError::new(StatusCode::FORBIDDEN, "wrong_password", message)
            }
            PeopleFault::NotSignedIn => {
                ApiError::new(StatusCode::UNAUTHORIZED, "not_signed_in", message)
            }
            PeopleFault::Forbidden(_) => ApiError::forbidden(message),
            PeopleFault::NotFound(what) => ApiError::not_found(what),
            PeopleFault::Taken(_) => ApiError::new(StatusCode::CONFLICT, "taken", message),
            PeopleFault::TooMany(_) => ApiError::too_many(message),
            PeopleFault::Busy => ApiError::busy(message),
            PeopleFault::Store(error) => error.into(),
        }
    }
}

/// Who one is. Nothing is made for somebody without a session.
#[utoipa::path(get, path = "/me", tag = "people",
    responses((status = 200, description = "who one is", body = Me)))]
pub(crate) async fn me(State(app): State<Shared>, passer: Passer) -> Result<ApiJson<Me>, ApiError> {
    let player = passer.0.as_ref().map(|visitor| &visitor.player);
    Ok(ApiJson(people::me(&app, player).await?))
}

/// Makes an account of the session's player, who keeps the games.
#[utoipa::path(post, path = "/accounts", tag = "people", request_body = NewAccount,
    responses((status = 201, description = "who one is now", body = Me),
        (status = 409, description = "the name is taken, or there is an account", body = Fault),
        (status = 422, description = "a field at fault", body = Fault),
        (status = 429, description = "too many attempts", body = Fault)))]
pub(crate) async fn sign_up(
    State(app): State<Shared>,
    address: Address,
    visitor: Visitor,
    ApiJson(asked): ApiJson<NewAccount>,
) -> Result<(StatusCode, ApiJson<Me>), ApiError> {
    app.limits.sign_in(address, &asked.name)?;
    let player = people::sign_up(&app, &visitor.player, &asked).await?;
    Ok((StatusCode::CREATED, ApiJson(people::me(&app, Some(&player)).await?)))
}

/// Changes the password. All other sessions end.
#[utoipa::path(put, path = "/me/password", tag = "people", request_body = NewPassword,
    responses((status = 204, description = "changed"),
        (status = 401, description = "there is no account", body = Fault),
        (status = 403, description = "the old password is another", body = Fault),
        (status = 422, description = "a field at fault", body = Fault),
        (status = 429, description = "too many attempts", body = Fault)))]
pub(crate) async fn password(
    State(app): State<Shared>,
    address: Address,
    visitor: Visitor,
    ApiJson(asked): ApiJson<NewPassword>,
) -> Result<StatusCode, ApiError> {
    app.limits.sign_in(address, visitor.player.name.as_deref().unwrap_or_default())?;
    let (player, session) = (&visitor.player, &visitor.session);
    people::change_password(&app, player, session, &asked.old, &asked.new).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes the account and what is kept of its player. Games that are played are resigned;
/// those that are over stay, without the name.
#[utoipa::path(delete, path = "/me", tag = "people", request_body = Farewell,
    responses((status = 204, description = "deleted"),
        (status = 401, description = "there is no account", body = Fault),
        (status = 403, description = "the password is another", body = Fault),
        (status = 429, description = "too many attempts", body = Fault)))]
pub(crate) async fn farewell(
    State(app): State<Shared>,
    address: Address,
    visitor: Visitor,
    parts: Parts,
    ApiJson(asked): ApiJson<Farewell>,
) -> Result<StatusCode, ApiError> {
    app.limits.sign_in(address, visitor.player.name.as_deref().unwrap_or_default())?;
    people::delete(&app, &visitor.player, &asked.password).await?;
    forget_session(&app, &parts);
    Ok(StatusCode::NO_CONTENT)
}

/// Sets the language in which the site speaks.
#[utoipa::path(put, path = "/me/language", tag = "people", request_body = LanguageWish,
    responses((status = 204, description = "set"),
        (status = 422, description = "a field at fault", body = Fault)))]
pub(crate) async fn language(
    State(app): State<Shared>,
    visitor: Visitor,
    ApiJson(asked): ApiJson<LanguageWish>,
) -> Result<StatusCode, ApiError> {
    people::set_language(&app, &visitor.player, &asked.language).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Whom one blocks or mutes.
#[utoipa::path(get, path = "/me/relations", tag = "people",
    responses((status = 200, description = "by name", body = Vec<RelationView>)))]
pub(crate) async fn relations(
    State(app): State<Shared>,
    passer: Passer,
) -> Result<ApiJson<Vec<RelationView>>, ApiError> {
    let Some(visitor) = passer.0 else { return Ok(ApiJson(Vec::new())) };
    Ok(ApiJson(people::relations(&app, &visitor.player.id).await?))
}

/// Everything that is kept of one, as JSON: account, sessions, ratings, reports, games with all
/// that happened in them.
#[utoipa::path(get, path = "/me/data", tag = "people",
    responses((status = 200, description = "the data", body = serde_json::Value),
        (status = 401, description = "there is no session", body = Fault)))]
pub(crate) async fn data(
    State(app): State<Shared>,
    address: Address,
    passer: Passer,
) -> Result<impl IntoResponse, ApiError> {
    let visitor = passer.0.ok_or(PeopleFault::NotSignedIn)?;
    app.limits.search(address)?;
    let export = people::export(&app, &visitor.player, &visitor.session).await?;
    let pieces = stream::try_unfold(export, |mut export| async move {
        match export.piece().await {
            Ok(piece) => Ok(piece.map(|piece| (Bytes::from(piece), export))),
            // The connection is broken off, so that nobody takes half for the whole.
            Err(fault) => Err(std::io::Error::other(fault.to_string())),
        }
    });
    let name = visitor.player.name.unwrap_or(visitor.player.id);
    let headers = [
        (CONTENT_TYPE, "application/json".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"oware-{name}.json\"")),
    ];
    Ok((headers, Body::from_stream(pieces)))
}
