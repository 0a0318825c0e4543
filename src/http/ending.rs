//! Ending a match otherwise than by playing, and playing again.

use axum::extract::State;
use lusoria_protocol::{Abort, Answer, Claim, Draw, Rematch, RematchAnswer, Resign};

use super::{
    Http,
    described::{Conflict, Forbidden, NotFound},
    error::HandlerResult,
    extract::{Body, Guest, Key, KeyHeader, MatchPath, OfMatch, OptionalBody},
};
use crate::app::CommandResponse;

/// Resign
#[utoipa::path(post, path = "/matches/{id}/resign", tag = "play", security(("token" = [])),
    params(MatchPath, KeyHeader), request_body = Option<Resign>,
    responses((status = 200, description = "You have resigned", body = Answer), Forbidden, NotFound, Conflict))]
pub(super) async fn resign(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfMatch(id): OfMatch,
    Key(key): Key,
    OptionalBody(request): OptionalBody<Resign>,
) -> HandlerResult<CommandResponse> {
    Ok(http.app.command(&caller, id, key.as_ref(), request).await?)
}

/// Abort
///
/// Ends the match without a result: as its creator while nobody has joined, else until both
/// sides have made their first turn.
#[utoipa::path(post, path = "/matches/{id}/abort", tag = "play", security(("token" = [])),
    params(MatchPath, KeyHeader), request_body = Option<Abort>,
    responses((status = 200, description = "It is broken off", body = Answer), Forbidden, NotFound, Conflict))]
pub(super) async fn abort(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfMatch(id): OfMatch,
    Key(key): Key,
    OptionalBody(request): OptionalBody<Abort>,
) -> HandlerResult<CommandResponse> {
    Ok(http.app.command(&caller, id, key.as_ref(), request).await?)
}

/// Claim the game
///
/// In a match without a clock, when it is the opponent's turn and they have been gone for long.
#[utoipa::path(post, path = "/matches/{id}/claim", tag = "play", security(("token" = [])),
    params(MatchPath, KeyHeader), request_body = Option<Claim>,
    responses((status = 200, description = "The game is yours", body = Answer), Forbidden, NotFound, Conflict))]
pub(super) async fn claim(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfMatch(id): OfMatch,
    Key(key): Key,
    OptionalBody(request): OptionalBody<Claim>,
) -> HandlerResult<CommandResponse> {
    Ok(http.app.command(&caller, id, key.as_ref(), request).await?)
}

/// Offer a draw, or answer an offer
#[utoipa::path(post, path = "/matches/{id}/draw", tag = "play", security(("token" = [])),
    params(MatchPath, KeyHeader), request_body = Draw,
    responses((status = 200, description = "It is offered or answered", body = Answer), Forbidden, NotFound, Conflict))]
pub(super) async fn draw(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfMatch(id): OfMatch,
    Key(key): Key,
    Body(request): Body<Draw>,
) -> HandlerResult<CommandResponse> {
    Ok(http.app.command(&caller, id, key.as_ref(), request).await?)
}

/// Offer a rematch, or answer an offer
///
/// When both have agreed, `next` is the new match.
#[utoipa::path(post, path = "/matches/{id}/rematch", tag = "play", security(("token" = [])),
    params(MatchPath, KeyHeader), request_body = Rematch,
    responses(
        (status = 200, description = "It is offered or answered", body = RematchAnswer),
        Forbidden, NotFound, Conflict
    ))]
pub(super) async fn rematch(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfMatch(id): OfMatch,
    Key(key): Key,
    Body(request): Body<Rematch>,
) -> HandlerResult<CommandResponse> {
    Ok(http.app.command(&caller, id, key.as_ref(), request).await?)
}
