//! Conditional turns: what is played for a player in a match by days while they are away.

use axum::extract::State;
use lusoria_protocol::ConditionalTurns;

use super::{
    Http,
    described::{Conflict, Forbidden, NotFound},
    error::HandlerResult,
    extract::{Body, Guest, MatchPath, OfMatch},
    json::Json,
};

/// The turns that you have laid down
///
/// Of your lines what can still be played. Nobody else sees them.
#[utoipa::path(get, path = "/matches/{id}/conditional-turns", tag = "play", params(MatchPath),
    responses((status = 200, description = "What you have laid down", body = ConditionalTurns),
        Forbidden, NotFound, Conflict))]
pub(super) async fn conditional_turns(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfMatch(id): OfMatch,
) -> HandlerResult<Json<ConditionalTurns>> {
    Ok(Json(http.app.conditional_turns(&caller, id).await?))
}

/// Lay down turns
///
/// In a match by days: "if they play this, I play that", in the place of what you have laid down before; nothing, to
/// take it back.
#[utoipa::path(put, path = "/matches/{id}/conditional-turns", tag = "play", params(MatchPath),
    request_body = ConditionalTurns,
    responses((status = 200, description = "They are laid down", body = ConditionalTurns),
        Forbidden, NotFound, Conflict))]
pub(super) async fn set_conditional_turns(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfMatch(id): OfMatch,
    Body(request): Body<ConditionalTurns>,
) -> HandlerResult<Json<ConditionalTurns>> {
    Ok(Json(http.app.set_conditional_turns(&caller, id, request).await?))
}
