//! The administration of the site.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::ApiError;
use super::extract::ApiJson;
use super::visitor::{Address, Passer, Visitor};
use crate::app::Shared;
use crate::people::{self, PeopleFault};
use crate::store::PlayerRow;
use crate::wire::{AnnouncementWish, Ban, Claim, Fault, ReportView, RestartWish};

pub(super) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(claim))
        .routes(routes!(announcement))
        .routes(routes!(restart))
        .routes(routes!(ban))
        .routes(routes!(unban))
        .routes(routes!(reports))
        .routes(routes!(close_report))
}

/// The player who asks. Nothing is made for somebody without a session.
fn asking(passer: Passer) -> Result<PlayerRow, ApiError> {
    let visitor: Visitor = passer.0.ok_or(PeopleFault::NotSignedIn)?;
    Ok(visitor.player)
}

/// Makes the session's account the first administrator.
#[utoipa::path(post, path = "/admin/claim", tag = "admin", request_body = Claim,
    responses((status = 204, description = "done; the token is used up"),
        (status = 401, description = "there is no account", body = Fault),
        (status = 403, description = "it is not the token", body = Fault),
        (status = 429, description = "too many attempts", body = Fault)))]
pub(crate) async fn claim(
    State(app): State<Shared>,
    address: Address,
    passer: Passer,
    ApiJson(asked): ApiJson<Claim>,
) -> Result<StatusCode, ApiError> {
    let player = asking(passer)?;
    app.limits.sign_in(address, player.name.as_deref().unwrap_or_default())?;
    people::claim(&app, &player, asked.token.trim()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Tells everybody something, or takes it back.
#[utoipa::path(post, path = "/admin/announcement", tag = "admin",
    request_body = AnnouncementWish,
    responses((status = 204, description = "told"),
        (status = 403, description = "for administrators only", body = Fault),
        (status = 422, description = "a field at fault", body = Fault)))]
pub(crate) async fn announcement(
    State(app): State<Shared>,
    passer: Passer,
    ApiJson(asked): ApiJson<AnnouncementWish>,
) -> Result<StatusCode, ApiError> {
    people::announce(&app, &asking(passer)?, asked.text.as_deref()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Tells everybody when the server will be started again, or that it will not.
#[utoipa::path(post, path = "/admin/restart", tag = "admin", request_body = RestartWish,
    responses((status = 204, description = "told"),
        (status = 403, description = "for administrators only", body = Fault),
        (status = 422, description = "a field at fault", body = Fault)))]
pub(crate) async fn restart(
    State(app): State<Shared>,
    passer: Passer,
    ApiJson(asked): ApiJson<RestartWish>,
) -> Result<StatusCode, ApiError> {
    people::announce_restart(&app, &asking(passer)?, asked.in_ms).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Bans an account: it is signed out everywhere and cannot sign in.
#[utoipa::path(post, path = "/admin/bans", tag = "admin", request_body = Ban,
    responses((status = 204, description = "banned"),
        (status = 403, description = "for administrators only", body = Fault),
        (status = 404, description = "there is no such account", body = Fault),
        (status = 422, description = "a field at fault", body = Fault)))]
pub(crate) async fn ban(
    State(app): State<Shared>,
    passer: Passer,
    ApiJson(asked): ApiJson<Ban>,
) -> Result<StatusCode, ApiError> {
    people::ban(&app, &asking(passer)?, &asked.name, &asked.reason).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lets a banned account in again.
#[utoipa::path(delete, path = "/admin/bans/{name}", tag = "admin",
    params(("name" = String, Path, description = "the account's name")),
    responses((status = 204, description = "not banned"),
        (status = 403, description = "for administrators only", body = Fault),
        (status = 404, description = "there is no such account", body = Fault)))]
pub(crate) async fn unban(
    State(app): State<Shared>,
    passer: Passer,
    Path(name): Path<String>,
) -> Result<StatusCode, ApiError> {
    people::unban(&app, &asking(passer)?, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The reports that nobody has closed, oldest first.
#[utoipa::path(get, path = "/admin/reports", tag = "admin",
    responses((status = 200, description = "the reports", body = Vec<ReportView>),
        (status = 403, description = "for administrators only", body = Fault)))]
pub(crate) async fn reports(
    State(app): State<Shared>,
    passer: Passer,
) -> Result<ApiJson<Vec<ReportView>>, ApiError> {
    Ok(ApiJson(people::reports(&app, &asking(passer)?).await?))
}

/// Closes a report.
#[utoipa::path(delete, path = "/admin/reports/{id}", tag = "admin",
    params(("id" = String, Path, description = "the report")),
    responses((status = 204, description = "closed"),
        (status = 403, description = "for administrators only", body = Fault),
        (status = 404, description = "no such report is open", body = Fault)))]
pub(crate) async fn close_report(
    State(app): State<Shared>,
    passer: Passer,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    people::close_report(&app, &asking(passer)?, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
