//! Players with accounts: search, matches and results.

use axum::{Extension, extract::State};
use lusoria_protocol::{Cursor, Game, HeadToHead, MatchList, PlayerList, Profile};
use serde::Deserialize;

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{Limit, NoParameters, OfPair, OfPlayer, Query, Viewer},
    json::Json,
    matches::PageLimit,
};
use crate::app::{ClientAddress, ClockKind, Ended, Wanted, WhichPlayer};

routes! {
    json {
        Players: GET "/players" => players,
        Player: GET "/players/{handle}" => player,
        PlayerMatches: GET "/players/{handle}/matches" => player_matches,
        Against: GET "/players/{handle}/against/{other}" => against,
    }
}

/// The search.
#[derive(Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct Search {
    /// The beginning of the handle, at least 2 letters. Capital and small letters are the same.
    #[cfg_attr(test, param(value_type = String, min_length = 2, max_length = 20, pattern = "^[A-Za-z0-9_-]*$"))]
    search: Beginning,
    /// The most players; 20 if left out.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, value_type = u32, minimum = 1, maximum = 20, default = 20))]
    limit: Limit<20, 20>,
}

/// The beginning of a handle.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Beginning(String);

impl TryFrom<String> for Beginning {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let is_of_handle = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if (2..=20).contains(&text.len()) && text.bytes().all(is_of_handle) {
            Ok(Self(text))
        } else {
            Err("2 to 20 letters from a to z, digits, \"-\" and \"_\"")
        }
    }
}

/// Find players by their handles
///
/// Accounts whose handle begins like this, sorted by handle, and the one whose handle looks like the search.
#[cfg_attr(test, utoipa::path(get, path = "/players", tag = "players", params(Search),
    responses((status = 200, description = "The players found", body = PlayerList))))]
pub(super) async fn players(
    State(http): State<Http>,
    Query(Search { search, limit }): Query<Search>,
) -> HandlerResult<Json<PlayerList>> {
    Ok(Json(http.app.players(&search.0, limit.0).await?))
}

/// A player
///
/// The account, and the results of its public matches against people and bots by game and side.
#[cfg_attr(test, utoipa::path(get, path = "/players/{handle}", tag = "players", params(HandlePath),
    responses((status = 200, description = "The player", body = Profile), NotFound)))]
pub(super) async fn player(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    OfPlayer(which): OfPlayer,
    Query(NoParameters {}): Query<NoParameters>,
) -> HandlerResult<Json<Profile>> {
    Ok(Json(http.app.profile(&which, address).await?))
}

/// A player against another
///
/// The results of the public matches between them, from the view of the first.
#[cfg_attr(test, utoipa::path(get, path = "/players/{handle}/against/{other}", tag = "players", params(PairPath),
    responses((status = 200, description = "The results", body = HeadToHead), NotFound)))]
pub(super) async fn against(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    OfPair(one, other): OfPair,
    Query(NoParameters {}): Query<NoParameters>,
) -> HandlerResult<Json<HeadToHead>> {
    Ok(Json(http.app.head_to_head(&one, &other, address).await?))
}

/// The result of a match for the player.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub(super) enum PlayedResult {
    Won,
    Lost,
    Drawn,
    Aborted,
}

/// A kind of clock.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub(super) enum PlayedClock {
    None,
    Fischer,
    Delay,
    Days,
}

/// Points to win a match.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "u16")]
pub(super) struct Points(pub(super) u16);

impl TryFrom<u16> for Points {
    type Error = &'static str;

    fn try_from(points: u16) -> Result<Self, Self::Error> {
        if (1..=99).contains(&points) { Ok(Self(points)) } else { Err("points: 1 to 99") }
    }
}

/// The selection of a player's matches, and the page.
#[derive(Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct PlayedPage {
    /// The game; all if left out.
    #[cfg_attr(test, param(required = false, inline))]
    game: Option<Game>,
    /// The opponent, by handle or id; anybody if left out.
    #[cfg_attr(test, param(required = false, value_type = String))]
    opponent: Option<WhichPlayer>,
    /// The result for the player; if left out, unfinished matches too.
    #[cfg_attr(test, param(required = false, inline))]
    result: Option<PlayedResult>,
    /// Points to win the match; any if left out.
    #[cfg_attr(test, param(required = false, value_type = u16, minimum = 1, maximum = 99))]
    points: Option<Points>,
    /// The kind of clock; any if left out.
    #[cfg_attr(test, param(required = false, inline))]
    clock: Option<PlayedClock>,
    /// Created at this time or later, in milliseconds since 1970.
    #[cfg_attr(test, param(required = false))]
    from: Option<u64>,
    /// Created before this time, in milliseconds since 1970.
    #[cfg_attr(test, param(required = false))]
    until: Option<u64>,
    /// The beginning of the page: `next` of the previous page.
    #[cfg_attr(test, param(required = false, value_type = String, format = "uuid"))]
    cursor: Option<Cursor>,
    /// The most matches; 20 if left out.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, value_type = u32, minimum = 1, maximum = 100, default = 20))]
    limit: PageLimit,
}

impl From<PlayedResult> for Ended {
    fn from(result: PlayedResult) -> Self {
        match result {
            PlayedResult::Won => Self::Won,
            PlayedResult::Lost => Self::Lost,
            PlayedResult::Drawn => Self::Drawn,
            PlayedResult::Aborted => Self::Aborted,
        }
    }
}

impl From<PlayedClock> for ClockKind {
    fn from(clock: PlayedClock) -> Self {
        match clock {
            PlayedClock::None => Self::None,
            PlayedClock::Fischer => Self::Fischer,
            PlayedClock::Delay => Self::Delay,
            PlayedClock::Days => Self::Days,
        }
    }
}

/// The matches of a player, the newest first
///
/// The public ones, and those in which you have a seat. A page may be short or empty although there are more:
/// continue while there is a `next`.
#[cfg_attr(test, utoipa::path(get, path = "/players/{handle}/matches", tag = "players", params(HandlePath, PlayedPage),
    responses((status = 200, description = "A page of their matches", body = MatchList), NotFound)))]
pub(super) async fn player_matches(
    State(http): State<Http>,
    Viewer(caller): Viewer,
    Extension(address): Extension<ClientAddress>,
    OfPlayer(which): OfPlayer,
    Query(page): Query<PlayedPage>,
) -> HandlerResult<Json<MatchList>> {
    let PlayedPage { game, opponent, result, points, clock, from, until, cursor, limit } = page;
    let (ended, clock) = (result.map(Ended::from), clock.map(ClockKind::from));
    let points = points.map(|points| points.0);
    let wanted = Wanted { game, opponent, ended, points, clock, from, until };
    let found = http.app.matches_played(&which, &wanted, cursor.as_ref(), limit.0, caller.as_ref(), address);
    Ok(Json(found.await?))
}
