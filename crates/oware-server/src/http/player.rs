//! Other people: profiles, ratings, blocking, muting, reports.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::ApiError;
use super::extract::{ApiJson, ApiQuery};
use super::visitor::{Passer, Visitor};
use crate::app::Shared;
use crate::people;
use crate::store::Relation;
use crate::wire::{Fault, Leader, NewReport, Pace, Profile, RatingPoint};

/// Lines of the table of the best, if nothing is said.
const USUAL: u32 = 50;

pub(super) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(profile))
        .routes(routes!(history))
        .routes(routes!(leaders))
        .routes(routes!(block, unblock))
        .routes(routes!(mute, unmute))
        .routes(routes!(report))
}

/// An account as everybody sees it.
#[utoipa::path(get, path = "/players/{name}", tag = "people",
    params(("name" = String, Path, description = "the account's name")),
    responses((status = 200, description = "the account", body = Profile),
        (status = 404, description = "there is no such account", body = Fault)))]
pub(crate) async fn profile(
    State(app): State<Shared>,
    passer: Passer,
    Path(name): Path<String>,
) -> Result<ApiJson<Profile>, ApiError> {
    let viewer = passer.0.as_ref().map(|visitor| visitor.player.id.as_str());
    Ok(ApiJson(people::profile(&app, &name, viewer).await?))
}

/// Which rating.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct PaceQuery {
    /// Of which pace.
    pace: Pace,
}

/// How a rating went: after each of the last 1,000 rated games, oldest first.
#[utoipa::path(get, path = "/players/{name}/ratings", tag = "people",
    params(("name" = String, Path, description = "the account's name"), PaceQuery),
    responses((status = 200, description = "the rating after each game", body = Vec<RatingPoint>),
        (status = 404, description = "there is no such account", body = Fault),
        (status = 422, description = "a field at fault", body = Fault)))]
pub(crate) async fn history(
    State(app): State<Shared>,
    Path(name): Path<String>,
    ApiQuery(query): ApiQuery<PaceQuery>,
) -> Result<ApiJson<Vec<RatingPoint>>, ApiError> {
    Ok(ApiJson(people::history(&app, &name, query.pace).await?))
}

/// Which of the best.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct LeadersQuery {
    /// Of which pace.
    pace: Pace,
    /// How many, 1 to 100; 50 if left out.
    #[serde(default)]
    limit: Option<u32>,
}

/// The highest ratings that are not provisional.
#[utoipa::path(get, path = "/leaders", tag = "people", params(LeadersQuery),
    responses((status = 200, description = "highest first", body = Vec<Leader>),
        (status = 422, description = "a field at fault", body = Fault)))]
pub(crate) async fn leaders(
    State(app): State<Shared>,
    ApiQuery(query): ApiQuery<LeadersQuery>,
) -> Result<ApiJson<Vec<Leader>>, ApiError> {
    let limit = query.limit.unwrap_or(USUAL);
    Ok(ApiJson(people::leaders(&app, query.pace, limit).await?))
}

async fn relate(
    app: &Shared,
    visitor: &Visitor,
    name: &str,
    relation: Relation,
    on: bool,
) -> Result<StatusCode, ApiError> {
    people::set_relation(app, &visitor.player.id, name, relation, on).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Wants no games with an account.
#[utoipa::path(put, path = "/players/{name}/block", tag = "people",
    params(("name" = String, Path, description = "the account's name")),
    responses((status = 204, description = "blocked"),
        (status = 404, description = "there is no such account", body = Fault)))]
pub(crate) async fn block(
    State(app): State<Shared>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Result<StatusCode, ApiError> {
    relate(&app, &visitor, &name, Relation::Blocks, true).await
}

/// Has nothing against games with an account any longer.
#[utoipa::path(delete, path = "/players/{name}/block", tag = "people",
    params(("name" = String, Path, description = "the account's name")),
    responses((status = 204, description = "not blocked"),
        (status = 404, description = "there is no such account", body = Fault)))]
pub(crate) async fn unblock(
    State(app): State<Shared>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Result<StatusCode, ApiError> {
    relate(&app, &visitor, &name, Relation::Blocks, false).await
}

/// Does not want to read what an account says.
#[utoipa::path(put, path = "/players/{name}/mute", tag = "people",
    params(("name" = String, Path, description = "the account's name")),
    responses((status = 204, description = "muted"),
        (status = 404, description = "there is no such account", body = Fault)))]
pub(crate) async fn mute(
    State(app): State<Shared>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Result<StatusCode, ApiError> {
    relate(&app, &visitor, &name, Relation::Mutes, true).await
}

/// Wants to read it again.
#[utoipa::path(delete, path = "/players/{name}/mute", tag = "people",
    params(("name" = String, Path, description = "the account's name")),
    responses((status = 204, description = "not muted"),
        (status = 404, description = "there is no such account", body = Fault)))]
pub(crate) async fn unmute(
    State(app): State<Shared>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Result<StatusCode, ApiError> {
    relate(&app, &visitor, &name, Relation::Mutes, false).await
}

/// Tells the administrators about an account.
#[utoipa::path(post, path = "/players/{name}/reports", tag = "people", request_body = NewReport,
    params(("name" = String, Path, description = "the account's name")),
    responses((status = 204, description = "kept"),
        (status = 404, description = "there is no such account", body = Fault),
        (status = 422, description = "a field at fault", body = Fault),
        (status = 429, description = "too many reports today", body = Fault)))]
pub(crate) async fn report(
    State(app): State<Shared>,
    visitor: Visitor,
    Path(name): Path<String>,
    ApiJson(asked): ApiJson<NewReport>,
) -> Result<StatusCode, ApiError> {
    people::report(&app, &visitor.player.id, &name, &asked).await?;
    Ok(StatusCode::NO_CONTENT)
}
