//! Ratings: their changes, and the leaderboard of each game.

use axum::extract::State;
use lusoria_protocol::{Leaderboard, RatingCurve};
use serde::Deserialize;

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{Limit, OfPlayerRating, OfRating, Query},
    json::Json,
};

routes! {
    json {
        RatingCurve: GET "/players/{handle}/ratings/{game}/{pace}" => rating_curve,
        Leaderboard: GET "/leaderboards/{game}/{pace}" => leaderboard,
    }
}

/// The page of a curve.
#[derive(Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct CurvePage {
    /// Only changes after the one with this number: `next` of the previous page.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, default = 0))]
    after: u32,
    /// The most changes; 200 if left out.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, value_type = u32, minimum = 1, maximum = 500, default = 200))]
    limit: Limit<500, 200>,
}

/// A rating and its changes
///
/// A player's rating in a game, and its value before and after each rated match, the oldest first, without matches
/// that were taken back.
#[cfg_attr(test, utoipa::path(get, path = "/players/{handle}/ratings/{game}/{pace}", tag = "players",
    params(PlayerRatingPath, CurvePage),
    responses((status = 200, description = "The changes", body = RatingCurve), NotFound)))]
pub(super) async fn rating_curve(
    State(http): State<Http>,
    OfPlayerRating(which, key): OfPlayerRating,
    Query(CurvePage { after, limit }): Query<CurvePage>,
) -> HandlerResult<Json<RatingCurve>> {
    Ok(Json(http.app.rating_curve(&which, key, after, limit.0).await?))
}

/// The leaderboard.
#[derive(Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct WhichLeaderboard {
    /// Bots instead of people.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, default = false))]
    bots: bool,
    /// The most places; 50 if left out.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, value_type = u32, minimum = 1, maximum = 100, default = 50))]
    limit: Limit<100, 50>,
}

/// The best players of a game
///
/// The highest ratings with a deviation of 75 or less and at least 20 rated matches, the last of them within 90 days.
/// Bots have a leaderboard of their own.
#[cfg_attr(test, utoipa::path(get, path = "/leaderboards/{game}/{pace}", tag = "players",
    params(RatingPath, WhichLeaderboard),
    responses((status = 200, description = "The leaderboard", body = Leaderboard), NotFound)))]
pub(super) async fn leaderboard(
    State(http): State<Http>,
    OfRating(key): OfRating,
    Query(WhichLeaderboard { bots, limit }): Query<WhichLeaderboard>,
) -> HandlerResult<Json<Leaderboard>> {
    Ok(Json(http.app.leaderboard(key, bots, limit.0).await?))
}
