//! Signing in and out, and the list of where one is signed in.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::ApiError;
use super::extract::ApiJson;
use super::visitor::{Address, Passer, begin_session, forget_session};
use crate::app::Shared;
use crate::people::{self, PeopleFault};
use crate::wire::{Fault, Me, SessionView, SignIn};

pub(super) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(sign_in, list, end_others)).routes(routes!(end))
}

/// Signs in: another session begins, and the one before ends.
#[utoipa::path(post, path = "/sessions", tag = "people", request_body = SignIn,
    responses((status = 201, description = "who one is now", body = Me),
        (status = 403, description = "name or password are wrong, or banned", body = Fault),
        (status = 429, description = "too many attempts", body = Fault)))]
pub(crate) async fn sign_in(
    State(app): State<Shared>,
    address: Address,
    passer: Passer,
    parts: Parts,
    ApiJson(asked): ApiJson<SignIn>,
) -> Result<(StatusCode, ApiJson<Me>), ApiError> {
    app.limits.sign_in(address, &asked.name)?;
    let player = people::sign_in(&app, &asked).await?;
    let new = begin_session(&app, &parts, player).await?;
    if let Some(old) = passer.0 {
        // It may have ended by itself meanwhile.
        match people::end_session(&app, &old.player.id, &old.session).await {
            Ok(()) | Err(PeopleFault::NotFound(_)) => {}
            Err(fault) => return Err(fault.into()),
        }
    }
    Ok((StatusCode::CREATED, ApiJson(people::me(&app, Some(&new.player)).await?)))
}

/// Where one is signed in, newest first.
#[utoipa::path(get, path = "/sessions", tag = "people",
    responses((status = 200, description = "the sessions", body = Vec<SessionView>)))]
pub(crate) async fn list(
    State(app): State<Shared>,
    passer: Passer,
) -> Result<ApiJson<Vec<SessionView>>, ApiError> {
    let Some(visitor) = passer.0 else { return Ok(ApiJson(Vec::new())) };
    Ok(ApiJson(people::sessions(&app, &visitor.player.id, &visitor.session).await?))
}

/// Ends a session of one's own, and its sockets at once: signs out there, or here.
#[utoipa::path(delete, path = "/sessions/{id}", tag = "people",
    params(("id" = String, Path, description = "the session")),
    responses((status = 204, description = "ended"),
        (status = 404, description = "one has no such session", body = Fault)))]
pub(crate) async fn end(
    State(app): State<Shared>,
    passer: Passer,
    parts: Parts,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    let visitor = passer.0.ok_or(PeopleFault::NotFound("session"))?;
    people::end_session(&app, &visitor.player.id, &id).await?;
    if id == visitor.session {
        forget_session(&app, &parts);
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Ends all sessions of one's own but this one.
#[utoipa::path(delete, path = "/sessions", tag = "people",
    responses((status = 204, description = "ended")))]
pub(crate) async fn end_others(
    State(app): State<Shared>,
    passer: Passer,
) -> Result<StatusCode, ApiError> {
    if let Some(visitor) = passer.0 {
        let kept = Some(visitor.session.as_str());
        people::end_other_sessions(&app, &visitor.player.id, kept).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}
