//! Followed people.

use axum::{extract::State, http::StatusCode};
use lusoria_protocol::FollowList;

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
        Follows: GET "/me/follows" => follows,
        Follow: PUT "/me/follows/{id}" => follow,
        Unfollow: DELETE "/me/follows/{id}" => unfollow,
    }
}

/// The people you follow, the latest first
#[cfg_attr(test, utoipa::path(get, path = "/me/follows", tag = "identity",
    responses((status = 200, description = "The people you follow", body = FollowList))))]
pub(super) async fn follows(
    State(http): State<Http>,
    Guest(caller): Guest,
) -> HandlerResult<Json<FollowList>> {
    Ok(Json(http.app.follows(&caller).await?))
}

/// Follow somebody
///
/// They are not notified. You can accept challenges only from people you follow.
#[cfg_attr(test, utoipa::path(put, path = "/me/follows/{id}", tag = "identity", params(GuestPath),
    responses((status = 204, description = "Followed"), NotFound, Conflict)))]
pub(super) async fn follow(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfGuest(other): OfGuest,
) -> HandlerResult<StatusCode> {
    http.app.add_follow(&caller, other).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Unfollow somebody
#[cfg_attr(test, utoipa::path(delete, path = "/me/follows/{id}", tag = "identity", params(GuestPath),
    responses((status = 204, description = "Not followed"))))]
pub(super) async fn unfollow(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfGuest(other): OfGuest,
) -> HandlerResult<StatusCode> {
    http.app.remove_follow(&caller, other).await?;
    Ok(StatusCode::NO_CONTENT)
}
