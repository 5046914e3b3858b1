//! Games over plain requests: the same hub, and so the same rules, as over the socket.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::ApiError;
use super::extract::{ApiJson, ApiQuery};
use super::visitor::{Passer, Visitor};
use crate::app::Shared;
use crate::game::{Refusal, record, summary};
use crate::live::Who;
use crate::store::GameFilter;
use crate::wire::{
    ActionAnswer, ActionRequest, Fault, GameEvent, GameSummary, GameView, NewGame, Status,
};

/// Lines of a list, if nothing else is said, and at most.
const USUAL: u32 = 30;
const MOST: u32 = 100;

pub(super) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(create, list))
        .routes(routes!(game))
        .routes(routes!(events))
        .routes(routes!(act))
        .routes(routes!(ogn))
        .routes(routes!(lobby))
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        let status = match refusal {
            Refusal::NotFound => StatusCode::NOT_FOUND,
            Refusal::NotYours | Refusal::Forbidden(_) => StatusCode::FORBIDDEN,
            Refusal::NotSignedIn => StatusCode::UNAUTHORIZED,
            Refusal::Illegal(_) | Refusal::Field { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            Refusal::NotYourTurn
            | Refusal::Stale { .. }
            | Refusal::Changed
            | Refusal::Over
            | Refusal::Waiting
            | Refusal::NoOffer
            | Refusal::Taken => StatusCode::CONFLICT,
            Refusal::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            Refusal::Busy | Refusal::Restarting | Refusal::Internal => {
                StatusCode::SERVICE_UNAVAILABLE
            }
        };
        ApiError { status, fault: refusal.fault() }
    }
}

/// Who a visitor is to the hub.
pub(super) fn who(visitor: &Visitor) -> Who {
    Who { player: visitor.player.id.clone(), account: visitor.player.name.is_some() }
}

fn player(passer: &Passer) -> Option<&str> {
    passer.0.as_ref().map(|visitor| visitor.player.id.as_str())
}

/// Makes a game.
#[utoipa::path(post, path = "/games", tag = "games", request_body = NewGame,
    responses((status = 201, description = "the game", body = GameView),
        (status = 401, description = "rated games need an account", body = Fault),
        (status = 403, description = "one of the players does not want to", body = Fault),
        (status = 422, description = "a field at fault", body = Fault),
        (status = 429, description = "too many open games", body = Fault)))]
pub(crate) async fn create(
    State(app): State<Shared>,
    visitor: Visitor,
    ApiJson(asked): ApiJson<NewGame>,
) -> Result<(StatusCode, ApiJson<GameView>), ApiError> {
    let view = app.hub.create(&who(&visitor), &asked).await?;
    Ok((StatusCode::CREATED, ApiJson(view)))
}

/// A game as it is.
#[utoipa::path(get, path = "/games/{id}", tag = "games",
    params(("id" = String, Path, description = "the game")),
    responses((status = 200, description = "the game", body = GameView),
        (status = 404, description = "there is no such game", body = Fault)))]
pub(crate) async fn game(
    State(app): State<Shared>,
    passer: Passer,
    Path(id): Path<String>,
) -> Result<ApiJson<GameView>, ApiError> {
    Ok(ApiJson(app.hub.view(&id, player(&passer)).await?))
}

/// Which events.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct EventsQuery {
    /// Only those with a higher number.
    #[serde(default)]
    after: u32,
}

/// What happened in a game, moves that were taken back included.
#[utoipa::path(get, path = "/games/{id}/events", tag = "games",
    params(("id" = String, Path, description = "the game"), EventsQuery),
    responses((status = 200, description = "the events, in order", body = Vec<GameEvent>),
        (status = 404, description = "there is no such game", body = Fault)))]
pub(crate) async fn events(
    State(app): State<Shared>,
    Path(id): Path<String>,
    ApiQuery(query): ApiQuery<EventsQuery>,
) -> Result<ApiJson<Vec<GameEvent>>, ApiError> {
    Ok(ApiJson(app.hub.events(&id, query.after).await?))
}

/// Does something in a game. The answer has the game after it.
#[utoipa::path(post, path = "/games/{id}/actions", tag = "games",
    params(("id" = String, Path, description = "the game")), request_body = ActionRequest,
    responses((status = 200, description = "done, and kept", body = ActionAnswer),
        (status = 403, description = "not yours to do", body = Fault),
        (status = 404, description = "there is no such game", body = Fault),
        (status = 409, description = "the game does not stand so", body = Fault),
        (status = 422, description = "a field at fault, or an illegal move", body = Fault)))]
pub(crate) async fn act(
    State(app): State<Shared>,
    visitor: Visitor,
    Path(id): Path<String>,
    ApiJson(request): ApiJson<ActionRequest>,
) -> Result<ApiJson<ActionAnswer>, ApiError> {
    let who = who(&visitor);
    let seq = app.hub.act(&who, &id, request.id.as_deref(), request.action, None).await?;
    let game = app.hub.view(&id, Some(&who.player)).await?;
    Ok(ApiJson(ActionAnswer { seq, game: Box::new(game) }))
}

/// The record of a game in OGN.
#[utoipa::path(get, path = "/games/{id}/record", tag = "games",
    params(("id" = String, Path, description = "the game")),
    responses((status = 200, description = "the record", body = String,
            content_type = "text/plain"),
        (status = 404, description = "there is no such game", body = Fault)))]
pub(crate) async fn ogn(
    State(app): State<Shared>,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, ApiError> {
    let (state, faces) = app.hub.state(&id).await?;
    let site = app.config.public_url.as_deref();
    let headers = [
        (CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (CONTENT_DISPOSITION, format!("inline; filename=\"oware-{id}.ogn\"")),
    ];
    Ok((headers, record(&state, &faces, site)))
}

/// The games that anybody may join now.
#[utoipa::path(get, path = "/lobby", tag = "games",
    responses((status = 200, description = "newest first", body = Vec<GameSummary>)))]
pub(crate) async fn lobby(
    State(app): State<Shared>,
    passer: Passer,
) -> Result<ApiJson<Vec<GameSummary>>, ApiError> {
    Ok(ApiJson(app.hub.seeks(player(&passer)).await?))
}

/// Which games.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListQuery {
    /// Those of an account, by name; one's own if left out.
    #[serde(default)]
    player: Option<String>,
    /// Those against an account, by name.
    #[serde(default)]
    opponent: Option<String>,
    /// Only those that others offered one by name.
    #[serde(default)]
    invited: bool,
    /// Those in a state.
    #[serde(default)]
    status: Option<Status>,
    /// Those under some rules, by preset or identifier.
    #[serde(default)]
    rules: Option<String>,
    /// Rated ones, or others.
    #[serde(default)]
    rated: Option<bool>,
    /// Those last changed before a time...
    #[serde(default)]
    before: Option<i64>,
    /// ...or at it, with a lower id: the last line of the page before.
    #[serde(default)]
    before_id: Option<String>,
    /// How many, 1 to 100; 30 if left out.
    #[serde(default)]
    limit: Option<u32>,
}

/// Games, those last changed first.
#[utoipa::path(get, path = "/games", tag = "games", params(ListQuery),
    responses((status = 200, description = "the games", body = Vec<GameSummary>),
        (status = 404, description = "there is no such player", body = Fault),
        (status = 422, description = "a field at fault", body = Fault)))]
pub(crate) async fn list(
    State(app): State<Shared>,
    passer: Passer,
    ApiQuery(query): ApiQuery<ListQuery>,
) -> Result<ApiJson<Vec<GameSummary>>, ApiError> {
    let limit = query.limit.unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        return Err(ApiError::field("limit", format!("limit: {limit}, expected 1 to {MOST}")));
    }
    let me = player(&passer);
    let of = match (&query.player, me) {
        (Some(name), _) => named(&app, name).await?,
        (None, Some(me)) => me.to_owned(),
        (None, None) => return Ok(ApiJson(Vec::new())),
    };
    let opponent = match &query.opponent {
        Some(name) => Some(named(&app, name).await?),
        None => None,
    };
    let rules = super::rules::read_rules(query.rules.as_deref())?;
    let (of, invited) =
        if query.invited { (None, me.map(str::to_owned)) } else { (Some(of), None) };
    let filter = GameFilter {
        player: of,
        opponent,
        invited,
        status: query.status,
        rules: query.rules.is_some().then(|| rules.id()),
        rated: query.rated,
        in_lobby: false,
        before: query.before.map(|at| (at, query.before_id.unwrap_or_default())),
        limit,
    };
    let rows = app.store.games(&filter).await?;
    let faces = app.hub.faces_of_list(&rows).await?;
    let lines = rows.iter().zip(&faces).map(|(row, faces)| summary(row, faces, me));
    Ok(ApiJson(lines.collect()))
}

async fn named(app: &Shared, name: &str) -> Result<String, ApiError> {
    let row = app.store.player_by_name(name).await?;
    row.map(|row| row.id).ok_or_else(|| ApiError::not_found("player"))
}
