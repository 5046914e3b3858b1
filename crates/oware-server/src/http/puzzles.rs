//! Endgame puzzles.

use axum::extract::{Path, State};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::ApiError;
use super::extract::{ApiJson, ApiQuery};
use crate::app::Shared;
use crate::study::{PuzzleFault, StoredPuzzle};
use crate::wire::{
    Fault, PuzzleAttempt, PuzzleQuery, PuzzleSolution, PuzzleSummary, PuzzleVerdict, PuzzleView,
};

pub(super) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(one))
        .routes(routes!(attempt))
        .routes(routes!(solution))
}

fn find<'a>(app: &'a Shared, id: &str) -> Result<&'a StoredPuzzle, ApiError> {
    app.study.puzzles.get(id).ok_or_else(|| ApiError::not_found("puzzle"))
}

/// Puzzles, the easy ones first.
#[utoipa::path(get, path = "/puzzles", tag = "puzzles", params(PuzzleQuery),
    responses((status = 200, description = "those asked for", body = Vec<PuzzleSummary>),
        (status = 422, description = "a field at fault", body = Fault)))]
pub(crate) async fn list(
    State(app): State<Shared>,
    ApiQuery(query): ApiQuery<PuzzleQuery>,
) -> Result<ApiJson<Vec<PuzzleSummary>>, ApiError> {
    let found = app.study.puzzles.list(&query);
    found.map(ApiJson).map_err(|(field, message)| ApiError::field(field, message))
}

/// One puzzle.
#[utoipa::path(get, path = "/puzzles/{id}", tag = "puzzles",
    params(("id" = String, Path, description = "its name")),
    responses((status = 200, description = "the puzzle", body = PuzzleView),
        (status = 404, description = "there is none", body = Fault)))]
pub(crate) async fn one(
    State(app): State<Shared>,
    Path(id): Path<String>,
) -> Result<ApiJson<PuzzleView>, ApiError> {
    Ok(ApiJson(find(&app, &id)?.view()))
}

/// Tries a move.
#[utoipa::path(post, path = "/puzzles/{id}/attempts", tag = "puzzles",
    params(("id" = String, Path, description = "its name")), request_body = PuzzleAttempt,
    responses((status = 200, description = "whether it is right", body = PuzzleVerdict),
        (status = 404, description = "there is no such puzzle", body = Fault),
        (status = 422, description = "a field at fault", body = Fault)))]
pub(crate) async fn attempt(
    State(app): State<Shared>,
    Path(id): Path<String>,
    ApiJson(attempt): ApiJson<PuzzleAttempt>,
) -> Result<ApiJson<PuzzleVerdict>, ApiError> {
    let verdict = find(&app, &id)?.judge(&attempt.moves);
    verdict.map(ApiJson).map_err(|fault| match fault {
        PuzzleFault::Moves(message) => ApiError::field("moves", message),
    })
}

/// The whole solution.
#[utoipa::path(get, path = "/puzzles/{id}/solution", tag = "puzzles",
    params(("id" = String, Path, description = "its name")),
    responses((status = 200, description = "the solution", body = PuzzleSolution),
        (status = 404, description = "there is no such puzzle", body = Fault)))]
pub(crate) async fn solution(
    State(app): State<Shared>,
    Path(id): Path<String>,
) -> Result<ApiJson<PuzzleSolution>, ApiError> {
    Ok(ApiJson(find(&app, &id)?.solution()))
}
