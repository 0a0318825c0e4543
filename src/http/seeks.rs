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
/// If somebody waits whose seek fits yours, you are paired at once, and `match` is there. Else the seek waits: a
/// notice `seek` in your own topic tells of the match. While you listen to it, or ask for your seeks every 20
/// seconds, a seek that is not by days goes on. When you are paired, your other seeks end, but not those by days;
/// a match by days ends none. The same seek again is the one that waits.
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

/// The seeks of others
///
/// Those that wait and that you could join: the same seek of yours is paired with it. The newest first, 50 at most.
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
    responses((status = 204, description = "It waits no longer"), NotFound, Conflict)))]
pub(super) async fn withdraw_seek(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfSeek(seek): OfSeek,
) -> HandlerResult<StatusCode> {
    http.app.withdraw_seek(&caller, seek).await?;
    Ok(StatusCode::NO_CONTENT)
}
