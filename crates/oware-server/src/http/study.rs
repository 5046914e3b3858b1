//! Analysis, reports, endgame tables, conversions.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use oware_rules::Game;
use serde::Serialize;
use tokio::sync::mpsc::UnboundedReceiver;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::ApiError;
use super::extract::ApiJson;
use super::rules::read_game;
use super::visitor::{Address, Passer};
use crate::app::Shared;
use crate::study::{self, MAX_TEXT};
use crate::wire::{
    AnalysisEvent, AnalysisRequest, ConvertAction, ConvertAnswer, ConvertRequest, Fault,
    ProbeAnswer, ProbeRequest, ReportEvent, ReportRequest, TablesView,
};

/// Lines of an analysis, if nothing is said.
const LINES: u8 = 3;
/// Time of an analysis, if nothing is said.
const TIME_MS: u32 = 5_000;
/// Plies of a game for a report, at most.
const REPORT_PLIES: usize = 400;

pub(super) fn router() -> OpenApiRouter<Shared> {
    // A tree with comments is larger than other requests.
    let large =
        OpenApiRouter::new().routes(routes!(convert)).layer(DefaultBodyLimit::max(4 * MAX_TEXT));
    OpenApiRouter::new()
        .routes(routes!(analysis))
        .routes(routes!(report))
        .routes(routes!(tables))
        .routes(routes!(probe))
        .merge(large)
}

/// Sends what is told, a line of JSON each, until it ends or nobody listens.
fn lines<E: Serialize + Send + 'static>(told: UnboundedReceiver<E>) -> Response {
    let body = stream::unfold(told, |mut told| async move {
        let event = told.recv().await?;
        let mut line = serde_json::to_vec(&event).unwrap_or_default();
        line.push(b'\n');
        Some((Ok::<Bytes, Infallible>(line.into()), told))
    });
    let headers = [(CONTENT_TYPE, "application/x-ndjson"), (CACHE_CONTROL, "no-store")];
    (headers, Body::from_stream(body)).into_response()
}

/// Refuses what would help in a game that is being played.
async fn fair(app: &Shared, passer: &Passer, game: &Game) -> Result<(), ApiError> {
    let Some(visitor) = &passer.0 else { return Ok(()) };
    if app.study.is_live(&visitor.player.id, game).await {
        return Err(ApiError::forbidden(
            "this position stands in a game of yours that is not over; analyse it afterwards",
        ));
    }
    Ok(())
}

fn ticket(app: &Shared, from: Address) -> Result<study::Ticket, ApiError> {
    app.limits.search(from)?;
    app.study
        .looker
        .queue()
        .ok_or_else(|| ApiError::busy("too many searches wait already; try again in a few seconds"))
}

fn within<T: PartialOrd + std::fmt::Display + Copy>(
    field: &str,
    value: T,
    least: T,
    most: T,
) -> Result<T, ApiError> {
    if (least..=most).contains(&value) {
        return Ok(value);
    }
    Err(ApiError::field(field, format!("{field} is {value}, expected {least} to {most}")))
}

/// What the moves of a position are worth, one line for each depth.
#[utoipa::path(post, path = "/analysis", tag = "study", request_body = AnalysisRequest,
    responses((status = 200, description = "lines of JSON", body = AnalysisEvent,
            content_type = "application/x-ndjson"),
        (status = 403, description = "the position is live in a game of yours", body = Fault),
        (status = 422, description = "a field at fault", body = Fault),
        (status = 503, description = "too many searches wait", body = Fault)))]
pub(crate) async fn analysis(
    State(app): State<Shared>,
    from: Address,
    passer: Passer,
    ApiJson(request): ApiJson<AnalysisRequest>,
) -> Result<Response, ApiError> {
    let lines_wanted = within("lines", request.lines.unwrap_or(LINES), 1, 6)?;
    let time = within("milliseconds", request.milliseconds.unwrap_or(TIME_MS), 50, 30_000)?;
    let game = read_game(request.rules.as_deref(), request.start.as_deref(), &request.moves)?;
    fair(&app, &passer, &game).await?;
    let ticket = ticket(&app, from)?;
    let (shelf, time) = (app.study.tables.clone(), Duration::from_millis(time.into()));
    Ok(lines(study::analyse(ticket, shelf, game, lines_wanted.into(), time)))
}

/// What the moves of a game cost: progress, then the report.
#[utoipa::path(post, path = "/report", tag = "study", request_body = ReportRequest,
    responses((status = 200, description = "lines of JSON", body = ReportEvent,
            content_type = "application/x-ndjson"),
        (status = 403, description = "the game is a live one of yours", body = Fault),
        (status = 422, description = "a field at fault", body = Fault),
        (status = 503, description = "too many searches wait", body = Fault)))]
pub(crate) async fn report(
    State(app): State<Shared>,
    from: Address,
    passer: Passer,
    ApiJson(request): ApiJson<ReportRequest>,
) -> Result<Response, ApiError> {
    let game = read_game(request.rules.as_deref(), request.start.as_deref(), &request.moves)?;
    if game.plies().len() > REPORT_PLIES {
        let message = format!("moves: expected at most {REPORT_PLIES} plies");
        return Err(ApiError::field("moves", message));
    }
    fair(&app, &passer, &game).await?;
    let ticket = ticket(&app, from)?;
    Ok(lines(study::report(ticket, app.study.tables.clone(), game, request.effort)))
}

/// Which endgame tables there are.
#[utoipa::path(get, path = "/tables", tag = "study",
    responses((status = 200, description = "the tables", body = TablesView)))]
pub(crate) async fn tables(State(app): State<Shared>) -> Result<ApiJson<TablesView>, ApiError> {
    let shelf = app.study.tables.clone();
    Ok(ApiJson(off_the_way(move || shelf.view()).await?))
}

/// What endgame tables say of a position.
#[utoipa::path(post, path = "/probe", tag = "study", request_body = ProbeRequest,
    responses((status = 200, description = "values, where tables reach", body = ProbeAnswer),
        (status = 403, description = "the position is live in a game of yours", body = Fault),
        (status = 422, description = "a field at fault", body = Fault)))]
pub(crate) async fn probe(
    State(app): State<Shared>,
    passer: Passer,
    ApiJson(request): ApiJson<ProbeRequest>,
) -> Result<ApiJson<ProbeAnswer>, ApiError> {
    let game = read_game(request.rules.as_deref(), request.start.as_deref(), &request.moves)?;
    fair(&app, &passer, &game).await?;
    let shelf = app.study.tables.clone();
    let answer = off_the_way(move || study::probe(&shelf, &game)).await?;
    answer.map(ApiJson).map_err(|error| {
        tracing::error!("endgame tables: {error}");
        ApiError::busy("the endgame tables cannot be read at the moment")
    })
}

/// Reads and writes positions, moves and game records.
#[utoipa::path(post, path = "/convert", tag = "study", request_body = ConvertRequest,
    responses((status = 200, description = "a tree, or texts", body = ConvertAnswer),
        (status = 422, description = "a field at fault", body = Fault)))]
pub(crate) async fn convert(
    ApiJson(request): ApiJson<ConvertRequest>,
) -> Result<ApiJson<ConvertAnswer>, ApiError> {
    let ConvertRequest { action, text, rules, tree, at } = request;
    let missing = |field: &str, action: &str| {
        ApiError::field(field, format!("{field} is missing, expected with the action {action}"))
    };
    let work = move || match action {
        ConvertAction::Read => {
            let text = text.ok_or_else(|| missing("text", "read"))?;
            study::read(&text, rules.as_deref())
        }
        ConvertAction::Write => study::write(&tree.ok_or_else(|| missing("tree", "write"))?, at),
    };
    Ok(ApiJson(off_the_way(work).await??))
}

/// Does what reads files or takes a while where it holds up nobody.
async fn off_the_way<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        tracing::error!("work ended early: {error}");
        ApiError::busy("something went wrong; nothing was changed")
    })
}
