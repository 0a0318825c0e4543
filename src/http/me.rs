//! The caller's own name, tokens and matches.

use axum::{Extension, extract::State, http::StatusCode, response::Response};
use lusoria_protocol::{Cursor, DeviceCode, MatchList, MatchStage, Me, RenameGuest, SessionList};
use serde::Deserialize;

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{Body, Format, Guest, OfSession, Query},
    json::Json,
    matches::PageLimit,
    streaming,
};
use crate::app::ClientAddress;

routes! {
    json {
        Me: GET "/me" => me,
        Rename: PATCH "/me" => rename,
        RevokeToken: DELETE "/me/token" => revoke_token,
        MakeDeviceCode: POST "/me/device-code" => make_device_code,
        Sessions: GET "/me/sessions" => sessions,
        RevokeOtherSessions: DELETE "/me/sessions" => revoke_other_sessions,
        RevokeSession: DELETE "/me/sessions/{id}" => revoke_session,
        MyMatches: GET "/me/matches" => my_matches,
    }
    forms {
        MyEvents: GET "/me/events" => my_events,
    }
}

/// Your guest
#[cfg_attr(test, utoipa::path(get, path = "/me", tag = "identity",
    responses((status = 200, description = "Your guest", body = Me))))]
pub(super) async fn me(State(http): State<Http>, Guest(caller): Guest) -> HandlerResult<Json<Me>> {
    Ok(Json(http.app.me(&caller).await?))
}

/// Rename yourself
///
/// Matches in which you already have a seat keep the old name.
#[cfg_attr(test, utoipa::path(patch, path = "/me", tag = "identity", request_body = RenameGuest,
    responses((status = 200, description = "Your guest", body = Me))))]
pub(super) async fn rename(
    State(http): State<Http>,
    Guest(caller): Guest,
    Body(request): Body<RenameGuest>,
) -> HandlerResult<Json<Me>> {
    Ok(Json(http.app.rename(&caller, &request).await?))
}

/// Revoke your token
#[cfg_attr(test, utoipa::path(delete, path = "/me/token", tag = "identity",
    responses((status = 204, description = "Token revoked"))))]
pub(super) async fn revoke_token(
    State(http): State<Http>,
    Guest(caller): Guest,
) -> HandlerResult<StatusCode> {
    http.app.revoke_token(&caller).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Your sessions, the newest first
///
/// One for each device that has a token of yours.
#[cfg_attr(test, utoipa::path(get, path = "/me/sessions", tag = "identity",
    responses((status = 200, description = "Your sessions", body = SessionList))))]
pub(super) async fn sessions(
    State(http): State<Http>,
    Guest(caller): Guest,
) -> HandlerResult<Json<SessionList>> {
    Ok(Json(http.app.sessions(&caller).await?))
}

/// Revoke a session
///
/// Invalidates its token and closes its sockets.
#[cfg_attr(test, utoipa::path(delete, path = "/me/sessions/{id}", tag = "identity",
    params(SessionPath), responses((status = 204, description = "Session revoked"), NotFound)))]
pub(super) async fn revoke_session(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfSession(session): OfSession,
) -> HandlerResult<StatusCode> {
    http.app.revoke_session(&caller, session).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Revoke all your other sessions
///
/// Only the token of this request stays valid.
#[cfg_attr(test, utoipa::path(delete, path = "/me/sessions", tag = "identity",
    responses((status = 204, description = "All other sessions revoked"))))]
pub(super) async fn revoke_other_sessions(
    State(http): State<Http>,
    Guest(caller): Guest,
) -> HandlerResult<StatusCode> {
    http.app.revoke_other_sessions(&caller).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Create a device code
///
/// Spent on another device within ten minutes, it adds that device to your guest. Invalidates an earlier code.
#[cfg_attr(test, utoipa::path(post, path = "/me/device-code", tag = "identity",
    responses((status = 201, description = "The code", body = DeviceCode))))]
pub(super) async fn make_device_code(
    State(http): State<Http>,
    Guest(caller): Guest,
) -> HandlerResult<(StatusCode, Json<DeviceCode>)> {
    Ok((StatusCode::CREATED, Json(http.app.device_code(&caller).await?)))
}

/// The page of your matches.
#[derive(Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct MyPage {
    /// The stage of the matches; all if left out.
    #[cfg_attr(test, param(required = false, inline))]
    state: Option<MatchStage>,
    /// The beginning of the page: `next` of the previous page.
    #[cfg_attr(test, param(required = false, value_type = String, format = "uuid"))]
    cursor: Option<Cursor>,
    /// The most matches; 20 if left out.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, value_type = u32, minimum = 1, maximum = 100, default = 20))]
    limit: PageLimit,
}

/// Your matches, the newest first
#[cfg_attr(test, utoipa::path(get, path = "/me/matches", tag = "identity", params(MyPage),
    responses((status = 200, description = "A page of your matches", body = MatchList))))]
pub(super) async fn my_matches(
    State(http): State<Http>,
    Guest(caller): Guest,
    Extension(address): Extension<ClientAddress>,
    Query(MyPage { state, cursor, limit }): Query<MyPage>,
) -> HandlerResult<Json<MatchList>> {
    Ok(Json(http.app.my_matches(&caller, state, cursor.as_ref(), limit.0, address).await?))
}

/// The matches that wait for you
///
/// As JSON: the matches that wait for you now, and those with an offer to you. As `application/x-ndjson`: a notice a
/// line for each of them, `your_turn` or `match_changed`, and then notices as they occur, with an empty line every 15
/// seconds. Matches that ended earlier are not included.
#[cfg_attr(test, utoipa::path(get, path = "/me/events", tag = "identity",
    responses((status = 200, description = "The matches that wait for you, or a stream of notices", content(
        (Waiting = "application/json"), (Notice = "application/x-ndjson")
    )))))]
pub(super) async fn my_events(
    State(http): State<Http>,
    Guest(caller): Guest,
    Extension(address): Extension<ClientAddress>,
    format: Format,
) -> HandlerResult<Response> {
    streaming::personal(&http, &caller, format, address).await
}
