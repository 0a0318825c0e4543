//! Sitting down to a match, and revealing the seed that one brought.

use axum::extract::State;
use lusoria_protocol::{Answer, JoinMatch, RevealSeed};

use super::{
    Http,
    described::{Conflict, Forbidden, NotFound},
    error::HandlerResult,
    extract::{Body, Guest, Key, KeyHeader, MatchPath, OfMatch, OptionalBody},
};
use crate::app::CommandResponse;

/// Join an open match
///
/// You take seat 2.
#[utoipa::path(post, path = "/matches/{id}/join", tag = "matches", security(("token" = [])),
    params(MatchPath, KeyHeader), request_body = Option<JoinMatch>,
    responses((status = 200, description = "You sit", body = Answer), Forbidden, NotFound, Conflict))]
pub(super) async fn join(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfMatch(id): OfMatch,
    Key(key): Key,
    OptionalBody(request): OptionalBody<JoinMatch>,
) -> HandlerResult<CommandResponse> {
    Ok(http.app.command(&caller, id, key.as_ref(), request).await?)
}

/// Reveal your seed
///
/// The one whose hash you gave; nothing is thrown before.
#[utoipa::path(post, path = "/matches/{id}/seed", tag = "matches", security(("token" = [])),
    params(MatchPath, KeyHeader), request_body = RevealSeed,
    responses((status = 200, description = "It is revealed", body = Answer), Forbidden, NotFound, Conflict))]
pub(super) async fn reveal_seed(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfMatch(id): OfMatch,
    Key(key): Key,
    Body(request): Body<RevealSeed>,
) -> HandlerResult<CommandResponse> {
    Ok(http.app.command(&caller, id, key.as_ref(), request).await?)
}
