//! The parts of a path.

use std::str::FromStr;

use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};
use lusoria_protocol::{
    ApiTokenId, Code, Game, GuestId, MatchId, Pace, PasskeyId, Problem, PushSubscriptionId, SeekId,
    SessionId, TournamentId,
};
use lusoria_rules::UnknownGame;
use serde::de::DeserializeOwned;
#[cfg(test)]
use utoipa::IntoParams;

use crate::{
    app::{WhichPlayer, ratings::RatingKey},
    http::{Http, error::Failure},
};

/// The match in the path.
pub(in crate::http) struct OfMatch(pub(in crate::http) MatchId);

/// The game in the path.
pub(in crate::http) struct OfGame(pub(in crate::http) Game);

/// The description of a match in the path.
#[cfg(test)]
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "it only describes")]
pub(in crate::http) struct MatchPath {
    /// The id of the match.
    #[param(
        value_type = String,
        format = "uuid",
        pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    )]
    id: MatchId,
}

/// The session in the path.
pub(in crate::http) struct OfSession(pub(in crate::http) SessionId);

/// The description of a session in the path.
#[cfg(test)]
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "it only describes")]
pub(in crate::http) struct SessionPath {
    /// The id of the session.
    #[param(
        value_type = String,
        format = "uuid",
        pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    )]
    id: SessionId,
}

/// The API token in the path.
pub(in crate::http) struct OfApiToken(pub(in crate::http) ApiTokenId);

/// The description of an API token in the path.
#[cfg(test)]
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "it only describes")]
pub(in crate::http) struct ApiTokenPath {
    /// The id of the API token.
    #[param(
        value_type = String,
        format = "uuid",
        pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    )]
    id: ApiTokenId,
}

/// The passkey in the path.
pub(in crate::http) struct OfPasskey(pub(in crate::http) PasskeyId);

/// The description of a passkey in the path.
#[cfg(test)]
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "it only describes")]
pub(in crate::http) struct PasskeyPath {
    /// The id of the passkey.
    #[param(
        value_type = String,
        format = "uuid",
        pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    )]
    id: PasskeyId,
}

/// The push subscription in the path.
pub(in crate::http) struct OfPushSubscription(pub(in crate::http) PushSubscriptionId);

/// The description of a push subscription in the path.
#[cfg(test)]
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "it only describes")]
pub(in crate::http) struct PushSubscriptionPath {
    /// The id of the subscription.
    #[param(
        value_type = String,
        format = "uuid",
        pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    )]
    id: PushSubscriptionId,
}

/// The seek in the path.
pub(in crate::http) struct OfSeek(pub(in crate::http) SeekId);

/// The description of a seek in the path.
#[cfg(test)]
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "it only describes")]
pub(in crate::http) struct SeekPath {
    /// The id of the seek.
    #[param(
        value_type = String,
        format = "uuid",
        pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    )]
    id: SeekId,
}

/// The challenge in the path.
pub(in crate::http) struct OfChallenge(pub(in crate::http) MatchId);

/// The description of a challenge in the path.
#[cfg(test)]
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "it only describes")]
pub(in crate::http) struct ChallengePath {
    /// The id of the challenge.
    #[param(
        value_type = String,
        format = "uuid",
        pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    )]
    id: MatchId,
}

/// The tournament in the path.
pub(in crate::http) struct OfTournament(pub(in crate::http) TournamentId);

/// The description of a tournament in the path.
#[cfg(test)]
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "it only describes")]
pub(in crate::http) struct TournamentPath {
    /// The id of the tournament.
    #[param(
        value_type = String,
        format = "uuid",
        pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    )]
    id: TournamentId,
}

/// The guest in the path.
pub(in crate::http) struct OfGuest(pub(in crate::http) GuestId);

/// The description of a guest in the path.
#[cfg(test)]
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "it only describes")]
pub(in crate::http) struct GuestPath {
    /// The id of the guest.
    #[param(
        value_type = String,
        format = "uuid",
        pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    )]
    id: GuestId,
}

/// The player in the path.
pub(in crate::http) struct OfPlayer(pub(in crate::http) WhichPlayer);

/// The description of a player in the path.
#[cfg(test)]
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "it only describes")]
pub(in crate::http) struct HandlePath {
    /// The handle of the player, or their id if they have an account.
    #[param(value_type = String)]
    handle: WhichPlayer,
}

/// The two players in the path.
pub(in crate::http) struct OfPair(pub(in crate::http) WhichPlayer, pub(in crate::http) WhichPlayer);

/// The description of two players in the path.
#[cfg(test)]
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "it only describes")]
pub(in crate::http) struct PairPath {
    /// The handle or id of the player.
    #[param(value_type = String)]
    handle: WhichPlayer,
    /// The handle or id of the other player.
    #[param(value_type = String)]
    other: WhichPlayer,
}

/// The game and the pace in the path.
pub(in crate::http) struct OfRating(pub(in crate::http) RatingKey);

/// The description of a game and a pace in the path.
#[cfg(test)]
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "it only describes")]
pub(in crate::http) struct RatingPath {
    /// The id of the game.
    game: Game,
    /// Live or correspondence matches.
    pace: Pace,
}

/// The player, the game and the pace in the path.
pub(in crate::http) struct OfPlayerRating(pub(in crate::http) WhichPlayer, pub(in crate::http) RatingKey);

/// The description of a player, a game and a pace in the path.
#[cfg(test)]
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "it only describes")]
pub(in crate::http) struct PlayerRatingPath {
    /// The handle of the player, or their id if they have an account.
    #[param(value_type = String)]
    handle: WhichPlayer,
    /// The id of the game.
    game: Game,
    /// Live or correspondence matches.
    pace: Pace,
}

/// The description of a game in the path.
#[cfg(test)]
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "it only describes")]
pub(in crate::http) struct GamePath {
    /// The id of the game.
    game: Game,
}

/// Parses the only named part of the path. `wrong` makes the problem if it is malformed.
async fn named<T: FromStr>(
    parts: &mut Parts,
    http: &Http,
    wrong: impl FnOnce(T::Err) -> Problem,
) -> Result<T, Failure> {
    let Path(text) = Path::<String>::from_request_parts(parts, http)
        .await
        .map_err(|why| Problem::new(Code::InvalidPath, why.body_text()))?;
    Ok(text.parse().map_err(wrong)?)
}

/// Parses several parts of the path.
async fn parts_of<T>(parts: &mut Parts, http: &Http) -> Result<T, Failure>
where
    T: DeserializeOwned + Send,
{
    let Path(texts) = Path::<T>::from_request_parts(parts, http)
        .await
        .map_err(|why| Problem::new(Code::InvalidPath, why.body_text()))?;
    Ok(texts)
}

fn rating_key(game: &str, pace: &str) -> Result<RatingKey, Failure> {
    let game = game.parse().map_err(|why: UnknownGame| Problem::new(Code::NoSuchGame, why.to_string()))?;
    let pace = Pace::ALL.into_iter().find(|of| of.name() == pace);
    let pace = pace.ok_or_else(|| Problem::new(Code::InvalidPath, "the pace is `live` or `days`"))?;
    Ok(RatingKey { game, pace })
}

impl FromRequestParts<Http> for OfMatch {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, http: &Http) -> Result<Self, Failure> {
        let wrong = |why| Problem::new(Code::NoSuchMatch, format!("there is no such match: {why}"));
        named(parts, http, wrong).await.map(Self)
    }
}

impl FromRequestParts<Http> for OfGame {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, http: &Http) -> Result<Self, Failure> {
        let wrong = |why: UnknownGame| Problem::new(Code::NoSuchGame, why.to_string());
        named(parts, http, wrong).await.map(Self)
    }
}

impl FromRequestParts<Http> for OfSession {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, http: &Http) -> Result<Self, Failure> {
        let wrong = |why| Problem::new(Code::NoSuchSession, format!("there is no such session: {why}"));
        named(parts, http, wrong).await.map(Self)
    }
}

impl FromRequestParts<Http> for OfSeek {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, http: &Http) -> Result<Self, Failure> {
        let wrong = |why| Problem::new(Code::NoSuchSeek, format!("there is no such seek: {why}"));
        named(parts, http, wrong).await.map(Self)
    }
}

impl FromRequestParts<Http> for OfChallenge {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, http: &Http) -> Result<Self, Failure> {
        let wrong = |why| Problem::new(Code::NoSuchChallenge, format!("there is no such challenge: {why}"));
        named(parts, http, wrong).await.map(Self)
    }
}

impl FromRequestParts<Http> for OfTournament {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, http: &Http) -> Result<Self, Failure> {
        let wrong = |why| Problem::new(Code::NoSuchTournament, format!("there is no such tournament: {why}"));
        named(parts, http, wrong).await.map(Self)
    }
}

impl FromRequestParts<Http> for OfGuest {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, http: &Http) -> Result<Self, Failure> {
        let wrong = |why| Problem::new(Code::NoSuchGuest, format!("there is no such guest: {why}"));
        named(parts, http, wrong).await.map(Self)
    }
}

impl FromRequestParts<Http> for OfApiToken {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, http: &Http) -> Result<Self, Failure> {
        let wrong = |why| Problem::new(Code::NoSuchToken, format!("there is no such API token: {why}"));
        named(parts, http, wrong).await.map(Self)
    }
}

impl FromRequestParts<Http> for OfPasskey {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, http: &Http) -> Result<Self, Failure> {
        let wrong = |why| Problem::new(Code::NoSuchPasskey, format!("there is no such passkey: {why}"));
        named(parts, http, wrong).await.map(Self)
    }
}

impl FromRequestParts<Http> for OfPushSubscription {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, http: &Http) -> Result<Self, Failure> {
        let wrong = |why| {
            let detail = format!("there is no such push subscription: {why}");
            Problem::new(Code::NoSuchPushSubscription, detail)
        };
        named(parts, http, wrong).await.map(Self)
    }
}

impl FromRequestParts<Http> for OfPlayer {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, http: &Http) -> Result<Self, Failure> {
        named(parts, http, |_| Code::NoSuchGuest.into()).await.map(Self)
    }
}

impl FromRequestParts<Http> for OfPair {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, http: &Http) -> Result<Self, Failure> {
        let (one, other): (String, String) = parts_of(parts, http).await?;
        match (one.parse(), other.parse()) {
            (Ok(one), Ok(other)) => Ok(Self(one, other)),
            _ => Err(Problem::from(Code::NoSuchGuest).into()),
        }
    }
}

impl FromRequestParts<Http> for OfRating {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, http: &Http) -> Result<Self, Failure> {
        let (game, pace): (String, String) = parts_of(parts, http).await?;
        rating_key(&game, &pace).map(Self)
    }
}

impl FromRequestParts<Http> for OfPlayerRating {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, http: &Http) -> Result<Self, Failure> {
        let (player, game, pace): (String, String, String) = parts_of(parts, http).await?;
        let player = player.parse().map_err(|_| Problem::from(Code::NoSuchGuest))?;
        Ok(Self(player, rating_key(&game, &pace)?))
    }
}
