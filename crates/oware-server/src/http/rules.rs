//! The rules and what follows from them, without any game being kept.

use oware_notation::read_position;
use oware_rules::{Game, PRESETS, Position, Rules};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::ApiError;
use super::extract::ApiJson;
use crate::app::Shared;
use crate::view;
use crate::wire::{PlyView, PositionAnswer, PositionRequest, PresetView};

/// Moves that may be asked about at once.
const MAX_PLIES: usize = 1_000;

pub(super) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(presets)).routes(routes!(position))
}

/// The rules that can be chosen.
#[utoipa::path(get, path = "/rules", tag = "rules",
    responses((status = 200, description = "every preset", body = Vec<PresetView>)))]
pub(crate) async fn presets() -> ApiJson<Vec<PresetView>> {
    let all = PRESETS.iter().map(|preset| PresetView {
        name: preset.name.to_owned(),
        summary: preset.summary.to_owned(),
        fields: preset
            .rules
            .fields()
            .into_iter()
            .map(|(name, value)| (name.into(), value))
            .collect(),
    });
    ApiJson(all.collect())
}

/// What a sequence of moves leads to.
#[utoipa::path(post, path = "/position", tag = "rules", request_body = PositionRequest,
    responses((status = 200, description = "the position after the moves", body = PositionAnswer),
        (status = 422, description = "a field at fault", body = crate::wire::Fault)))]
pub(crate) async fn position(
    ApiJson(request): ApiJson<PositionRequest>,
) -> Result<ApiJson<PositionAnswer>, ApiError> {
    let game = read_game(request.rules.as_deref(), request.start.as_deref(), &request.moves)?;
    let plies: Vec<PlyView> =
        (1..=game.plies().len()).filter_map(|number| view::ply(&game, number)).collect();
    Ok(ApiJson(PositionAnswer {
        rules: game.rules().id(),
        start: view::position(&Game::from_position(*game.start())),
        plies,
        state: view::position(&game),
    }))
}

/// Rules from a text, abapa from none.
///
/// # Errors
/// An error that names the field `rules`.
pub fn read_rules(text: Option<&str>) -> Result<Rules, ApiError> {
    let Some(text) = text else { return Ok(Rules::ABAPA) };
    text.parse().map_err(|error| ApiError::field("rules", format!("rules: {error}")))
}

/// A first position from a text, the start of a game from none.
///
/// # Errors
/// An error that names the field `start`.
pub fn read_start(text: Option<&str>, rules: Rules) -> Result<Position, ApiError> {
    let Some(text) = text else { return Ok(Position::start(rules)) };
    let read = read_position(text).and_then(|read| read.resolve(None, rules));
    read.map_err(|error| ApiError::field("start", format!("start: {error}")))
}

/// A game from the texts of a request.
///
/// # Errors
/// An error that names the field at fault: `rules`, `start` or `moves`.
pub fn read_game(rules: Option<&str>, start: Option<&str>, moves: &str) -> Result<Game, ApiError> {
    let start = read_start(start, read_rules(rules)?)?;
    let game = oware_app::play_moves(start, moves)
        .map_err(|fault| ApiError::field("moves", format!("moves: {fault}")))?;
    if game.plies().len() > MAX_PLIES {
        let message = format!("moves: expected at most {MAX_PLIES}");
        return Err(ApiError::field("moves", message));
    }
    Ok(game)
}
