//! Reports, and how you stand.

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
/// The operator of the server reads it. They are not told who made it, nor you what comes of it. Five a day; the same again
/// is the one that is open.
#[cfg_attr(test, utoipa::path(post, path = "/matches/{id}/reports", tag = "talk",
    params(MatchPath), request_body = CreateReport,
    responses((status = 201, description = "It is made", body = Report), Forbidden, NotFound, Conflict)))]
pub(super) async fn create_report(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfMatch(id): OfMatch,
    Body(request): Body<CreateReport>,
) -> HandlerResult<(StatusCode, Json<Report>)> {
    Ok((StatusCode::CREATED, Json(http.app.report(&caller, id, &request).await?)))
}

/// How you stand
///
/// Warnings that you have not read, a mute or a ban, and until when you are not paired in live matches because you left
/// some.
#[cfg_attr(test, utoipa::path(get, path = "/me/standing", tag = "talk",
    responses((status = 200, description = "How you stand", body = Standing))))]
pub(super) async fn standing(
    State(http): State<Http>,
    Guest(caller): Guest,
) -> HandlerResult<Json<Standing>> {
    Ok(Json(http.app.standing(&caller).await?))
}

/// Say that you have read your warnings
#[cfg_attr(test, utoipa::path(post, path = "/me/standing/read", tag = "talk", request_body = ReadWarnings,
    responses((status = 200, description = "How you stand", body = Standing))))]
pub(super) async fn read_warnings(
    State(http): State<Http>,
    Guest(caller): Guest,
    Body(request): Body<ReadWarnings>,
) -> HandlerResult<Json<Standing>> {
    Ok(Json(http.app.read_warnings(&caller, &request).await?))
}
