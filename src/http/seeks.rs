//! Seeking an opponent.

use axum::{Extension, extract::State, http::StatusCode};
use lusoria_protocol::{CreateSeek, Seek, SeekList};

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{Body, Guest, OfSeek, Viewer},
    json::Json,
};
use crate::app::ClientAddress;

routes! {
    json {
        CreateSeek: POST "/seeks" => create_seek,
        Seeks: GET "/seeks" => seeks,
        WaitingSeeks: GET "/seeks/waiting" => waiting_seeks,
        WithdrawSeek: DELETE "/seeks/{id}" => withdraw_seek,
    }
}

/// Seek an opponent
///
/// If an open seek fits yours, you are paired at once, and the response has `match`. Otherwise yours stays open, and
/// a notice `seek` in your own topic reports the match. A live seek stays open while you listen to that topic, or
/// list your seeks every 20 seconds. A live match cancels your other live seeks; a correspondence match cancels none.
/// If you send the same seek again, you get the open one.
#[cfg_attr(test, utoipa::path(post, path = "/seeks", tag = "seeks", request_body = CreateSeek,
    responses((status = 201, description = "Your seek", body = Seek), Conflict)))]
pub(super) async fn create_seek(
    State(http): State<Http>,
    Guest(caller): Guest,
    Body(request): Body<CreateSeek>,
) -> HandlerResult<(StatusCode, Json<Seek>)> {
    Ok((StatusCode::CREATED, Json(http.app.seek(&caller, &request).await?)))
}

/// Your seeks, the newest first
#[cfg_attr(test, utoipa::path(get, path = "/seeks", tag = "seeks",
    responses((status = 200, description = "Your seeks", body = SeekList))))]
pub(super) async fn seeks(State(http): State<Http>, Guest(caller): Guest) -> HandlerResult<Json<SeekList>> {
    Ok(Json(http.app.seeks(&caller).await?))
}

/// Open seeks of others
///
/// Those that you could join: an equal seek of yours is paired with it. The newest first, 50 at most.
#[cfg_attr(test, utoipa::path(get, path = "/seeks/waiting", tag = "seeks",
    responses((status = 200, description = "The seeks of others", body = SeekList))))]
pub(super) async fn waiting_seeks(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    Viewer(caller): Viewer,
) -> HandlerResult<Json<SeekList>> {
    Ok(Json(http.app.waiting_seeks(caller.as_ref(), address).await?))
}

/// Withdraw a seek
#[cfg_attr(test, utoipa::path(delete, path = "/seeks/{id}", tag = "seeks", params(SeekPath),
    responses((status = 204, description = "Seek withdrawn"), NotFound, Conflict)))]
pub(super) async fn withdraw_seek(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfSeek(seek): OfSeek,
) -> HandlerResult<StatusCode> {
    http.app.withdraw_seek(&caller, seek).await?;
    Ok(StatusCode::NO_CONTENT)
}
