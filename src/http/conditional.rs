//! Conditional turns: played for a player in a correspondence match while they are away.

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

/// Your conditional turns
///
/// Those of your lines that can still be played. Only you see them.
#[cfg_attr(test, utoipa::path(get, path = "/matches/{id}/conditional-turns", tag = "play", params(MatchPath),
    responses((status = 200, description = "Your conditional turns", body = ConditionalTurns),
        Forbidden, NotFound, Conflict)))]
pub(super) async fn conditional_turns(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfMatch(id): OfMatch,
) -> HandlerResult<Json<ConditionalTurns>> {
    Ok(Json(http.app.conditional_turns(&caller, id).await?))
}

/// Set your conditional turns
///
/// In a correspondence match: "if they play this, I play that". Replaces your earlier lines; an empty list removes
/// them.
#[cfg_attr(test, utoipa::path(put, path = "/matches/{id}/conditional-turns", tag = "play", params(MatchPath),
    request_body = ConditionalTurns,
    responses((status = 200, description = "Your conditional turns", body = ConditionalTurns),
        Forbidden, NotFound, Conflict)))]
pub(super) async fn set_conditional_turns(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfMatch(id): OfMatch,
    Body(request): Body<ConditionalTurns>,
) -> HandlerResult<Json<ConditionalTurns>> {
    Ok(Json(http.app.set_conditional_turns(&caller, id, request).await?))
}
