//! Blocked people.

use axum::{extract::State, http::StatusCode};
use lusoria_protocol::BlockList;

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{Guest, OfGuest},
    json::Json,
};

routes! {
    json {
        Blocks: GET "/me/blocks" => blocks,
        Block: PUT "/me/blocks/{id}" => block,
        Unblock: DELETE "/me/blocks/{id}" => unblock,
    }
}

/// The people you blocked, the latest first
#[cfg_attr(test, utoipa::path(get, path = "/me/blocks", tag = "identity",
    responses((status = 200, description = "The people you blocked", body = BlockList))))]
pub(super) async fn blocks(State(http): State<Http>, Guest(caller): Guest) -> HandlerResult<Json<BlockList>> {
    Ok(Json(http.app.blocks(&caller).await?))
}

/// Block somebody
///
/// Keeps you apart: no pairing, no challenges, no joining of each other's matches, no rematch. Matches that you are
/// playing continue. The blocked person is not notified.
#[cfg_attr(test, utoipa::path(put, path = "/me/blocks/{id}", tag = "identity", params(GuestPath),
    responses((status = 204, description = "Blocked"), NotFound, Conflict)))]
pub(super) async fn block(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfGuest(other): OfGuest,
) -> HandlerResult<StatusCode> {
    http.app.add_block(&caller, other).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Unblock somebody
#[cfg_attr(test, utoipa::path(delete, path = "/me/blocks/{id}", tag = "identity", params(GuestPath),
    responses((status = 204, description = "Not blocked"))))]
pub(super) async fn unblock(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfGuest(other): OfGuest,
) -> HandlerResult<StatusCode> {
    http.app.remove_block(&caller, other).await?;
    Ok(StatusCode::NO_CONTENT)
}
