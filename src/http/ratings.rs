//! Ratings: how they changed, and the best players of each game.

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

/// Which page of a curve.
#[derive(Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct CurvePage {
    /// Only changes after the one with this number: `next` of the page before.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, default = 0))]
    after: u32,
    /// How many at most; 200 if left out.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, value_type = u32, minimum = 1, maximum = 500, default = 200))]
    limit: Limit<500, 200>,
}

/// A rating, and how it has changed
///
/// A player's rating of a game, and what it was before and after each of their rated matches, the oldest first, without
/// those that were taken back.
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

/// Which leaderboard.
#[derive(Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct WhichLeaderboard {
    /// Of bots, in the place of people.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, default = false))]
    bots: bool,
    /// How many places at most; 50 if left out.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, value_type = u32, minimum = 1, maximum = 100, default = 50))]
    limit: Limit<100, 50>,
}

/// The best players of a game
///
/// Those with the highest ratings whose deviation is 75 or less, who have ended at least 20 rated matches, the last of
/// them within 90 days. Bots have a leaderboard of their own.
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
