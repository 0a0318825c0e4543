//! Conditional turns: what is played for a player in a match by days while they are away.

use axum::extract::State;
use lusoria_protocol::ConditionalTurns;

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{Body, Guest, OfMatch},
    json::Json,
};

routes! {
    json {
        ConditionalTurns: GET "/matches/{id}/conditional-turns" => conditional_turns,
        SetConditionalTurns: PUT "/matches/{id}/conditional-turns" => set_conditional_turns,
    }
}

/// The turns that you have laid down
///
/// Of your lines what can still be played. Nobody else sees them.
#[cfg_attr(test, utoipa::path(get, path = "/matches/{id}/conditional-turns", tag = "play", params(MatchPath),
    responses((status = 200, description = "What you have laid down", body = ConditionalTurns),
        Forbidden, NotFound, Conflict)))]
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
#[cfg_attr(test, utoipa::path(put, path = "/matches/{id}/conditional-turns", tag = "play", params(MatchPath),
    request_body = ConditionalTurns,
    responses((status = 200, description = "They are laid down", body = ConditionalTurns),
        Forbidden, NotFound, Conflict)))]
pub(super) async fn set_conditional_turns(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfMatch(id): OfMatch,
    Body(request): Body<ConditionalTurns>,
) -> HandlerResult<Json<ConditionalTurns>> {
    Ok(Json(http.app.set_conditional_turns(&caller, id, request).await?))
}
