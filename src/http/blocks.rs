//! People whom you do not want to meet.

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

/// Those whom you have blocked, the latest first
#[cfg_attr(test, utoipa::path(get, path = "/me/blocks", tag = "identity",
    responses((status = 200, description = "Those whom you have blocked", body = BlockList))))]
pub(super) async fn blocks(State(http): State<Http>, Guest(caller): Guest) -> HandlerResult<Json<BlockList>> {
    Ok(Json(http.app.blocks(&caller).await?))
}

/// Block somebody
///
/// Neither of you is paired with the other, challenges the other, joins the other's matches or plays a rematch. Matches that you play
/// already go on. They are not told.
#[cfg_attr(test, utoipa::path(put, path = "/me/blocks/{id}", tag = "identity", params(GuestPath),
    responses((status = 204, description = "They are blocked"), NotFound, Conflict)))]
pub(super) async fn block(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfGuest(other): OfGuest,
) -> HandlerResult<StatusCode> {
    http.app.add_block(&caller, other).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Block somebody no longer
#[cfg_attr(test, utoipa::path(delete, path = "/me/blocks/{id}", tag = "identity", params(GuestPath),
    responses((status = 204, description = "They are not blocked"))))]
pub(super) async fn unblock(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfGuest(other): OfGuest,
) -> HandlerResult<StatusCode> {
    http.app.remove_block(&caller, other).await?;
    Ok(StatusCode::NO_CONTENT)
}
