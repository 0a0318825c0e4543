//! Reports, and sanctions against the caller.

use axum::{extract::State, http::StatusCode};
use lusoria_protocol::{CreateReport, ReadWarnings, Report, Standing};

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
        CreateReport: POST "/matches/{id}/reports" => create_report,
        Standing: GET "/me/standing" => standing,
        ReadWarnings: POST "/me/standing/read" => read_warnings,
    }
}

/// Report somebody
///
/// The server's operator reads it. The reported person does not learn who reported them, nor do you learn the
/// outcome. At most five reports a day. If you send the same report again, you get the open one.
#[cfg_attr(test, utoipa::path(post, path = "/matches/{id}/reports", tag = "talk",
    params(MatchPath), request_body = CreateReport,
    responses((status = 201, description = "Report received", body = Report), Forbidden, NotFound, Conflict)))]
pub(super) async fn create_report(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfMatch(id): OfMatch,
    Body(request): Body<CreateReport>,
) -> HandlerResult<(StatusCode, Json<Report>)> {
    Ok((StatusCode::CREATED, Json(http.app.report(&caller, id, &request).await?)))
}

/// Your standing
///
/// Unread warnings, a mute or a ban, and until when you are not paired in live matches because you left some.
#[cfg_attr(test, utoipa::path(get, path = "/me/standing", tag = "talk",
    responses((status = 200, description = "Your standing", body = Standing))))]
pub(super) async fn standing(
    State(http): State<Http>,
    Guest(caller): Guest,
) -> HandlerResult<Json<Standing>> {
    Ok(Json(http.app.standing(&caller).await?))
}

/// Mark your warnings as read
#[cfg_attr(test, utoipa::path(post, path = "/me/standing/read", tag = "talk", request_body = ReadWarnings,
    responses((status = 200, description = "Your standing", body = Standing))))]
pub(super) async fn read_warnings(
    State(http): State<Http>,
    Guest(caller): Guest,
    Body(request): Body<ReadWarnings>,
) -> HandlerResult<Json<Standing>> {
    Ok(Json(http.app.read_warnings(&caller, &request).await?))
}
