//! People whom you do not want to meet.

use axum::{extract::State, http::StatusCode};
use lusoria_protocol::BlockList;

use super::{
    Http,
    described::{Conflict, NotFound},
    error::HandlerResult,
    extract::{Guest, GuestPath, OfGuest},
    json::Json,
};

/// Those whom you have blocked, the latest first
#[utoipa::path(get, path = "/me/blocks", tag = "identity",
    responses((status = 200, description = "Those whom you have blocked", body = BlockList)))]
pub(super) async fn blocks(State(http): State<Http>, Guest(caller): Guest) -> HandlerResult<Json<BlockList>> {
    Ok(Json(http.app.blocks(&caller).await?))
}

/// Block somebody
///
/// Neither of you is paired with the other, challenges the other, joins the other's matches or plays a rematch. Matches that you play
/// already go on. They are not told.
#[utoipa::path(put, path = "/me/blocks/{id}", tag = "identity", params(GuestPath),
    responses((status = 204, description = "They are blocked"), NotFound, Conflict))]
pub(super) async fn block(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfGuest(other): OfGuest,
) -> HandlerResult<StatusCode> {
    http.app.add_block(&caller, other).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Block somebody no longer
#[utoipa::path(delete, path = "/me/blocks/{id}", tag = "identity", params(GuestPath),
    responses((status = 204, description = "They are not blocked")))]
pub(super) async fn unblock(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfGuest(other): OfGuest,
) -> HandlerResult<StatusCode> {
    http.app.remove_block(&caller, other).await?;
    Ok(StatusCode::NO_CONTENT)
}
