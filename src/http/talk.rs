//! Talk in a match, and a player's settings for talk.

use axum::{Extension, extract::State, http::StatusCode};
use lusoria_protocol::{Remark, Say, SetTalkSettings, Talk, TalkRoom, TalkSettings};
use serde::Deserialize;

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{Body, Guest, OfMatch, Query, Viewer},
    json::Json,
};
use crate::app::ClientAddress;

routes! {
    json {
        Talk: GET "/matches/{id}/talk" => talk,
        Say: POST "/matches/{id}/talk" => say,
        TalkSettings: GET "/me/talk-settings" => talk_settings,
        SetTalkSettings: PUT "/me/talk-settings" => set_talk_settings,
    }
}

/// The room.
#[derive(Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct InRoom {
    /// The room.
    #[cfg_attr(test, param(inline))]
    room: TalkRoom,
}

/// The remarks of a match
///
/// The last remarks in one of its rooms that you may read, and what you can say there. Only the players can read the
/// players' room. Everybody can read the watchers' room, but the players only after the match has ended. Over the
/// WebSocket the operation `talk` returns the same, and later remarks come as the notice `remark`.
#[cfg_attr(test, utoipa::path(get, path = "/matches/{id}/talk", tag = "talk", params(MatchPath, InRoom),
    responses((status = 200, description = "The remarks", body = Talk), Forbidden, NotFound)))]
pub(super) async fn talk(
    State(http): State<Http>,
    Viewer(caller): Viewer,
    OfMatch(id): OfMatch,
    Query(InRoom { room }): Query<InRoom>,
) -> HandlerResult<Json<Talk>> {
    Ok(Json(http.app.talk(caller.as_ref(), id, room).await?))
}

/// Say something in a match
///
/// A phrase by its name, or a text where you may write one. At most four remarks in ten seconds, and 500 in a match.
/// A remark is deleted after 90 days, and when you erase your account.
#[cfg_attr(test, utoipa::path(post, path = "/matches/{id}/talk", tag = "talk", params(MatchPath), request_body = Say,
    responses((status = 201, description = "The remark", body = Remark), Forbidden, NotFound, Conflict)))]
pub(super) async fn say(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfMatch(id): OfMatch,
    Body(request): Body<Say>,
) -> HandlerResult<(StatusCode, Json<Remark>)> {
    Ok((StatusCode::CREATED, Json(http.app.say(&caller, id, &request).await?)))
}

/// Your settings for talk
#[cfg_attr(test, utoipa::path(get, path = "/me/talk-settings", tag = "talk",
    responses((status = 200, description = "Your settings", body = TalkSettings))))]
pub(super) async fn talk_settings(
    State(http): State<Http>,
    Guest(caller): Guest,
) -> HandlerResult<Json<TalkSettings>> {
    Ok(Json(http.app.talk_settings(&caller).await?))
}

/// Change your settings for talk
///
/// Texts can be written and read where this server permits them, between accounts that are a day old, have finished
/// five matches against people or bots, and have switched texts on. In children's mode there are none, and only
/// people you follow can challenge you; switching it off needs your password or passkey.
#[cfg_attr(test, utoipa::path(put, path = "/me/talk-settings", tag = "talk", request_body = SetTalkSettings,
    responses((status = 200, description = "Your settings", body = TalkSettings), Forbidden, NotFound)))]
pub(super) async fn set_talk_settings(
    State(http): State<Http>,
    Guest(caller): Guest,
    Extension(address): Extension<ClientAddress>,
    Body(request): Body<SetTalkSettings>,
) -> HandlerResult<Json<TalkSettings>> {
    Ok(Json(http.app.set_talk_settings(&caller, &request, address).await?))
}
