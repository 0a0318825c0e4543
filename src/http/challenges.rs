//! Challenges to other players, and which challenges a player accepts.

use axum::{extract::State, http::StatusCode};
use lusoria_protocol::{
    AcceptChallenge, Challenge, ChallengeList, ChallengeSettings, CreateChallenge, DeclineChallenge,
};

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{Body, Guest, OfChallenge},
    json::Json,
};

routes! {
    json {
        CreateChallenge: POST "/challenges" => create_challenge,
        Challenges: GET "/challenges" => challenges,
        WithdrawChallenge: DELETE "/challenges/{id}" => withdraw_challenge,
        AcceptChallenge: POST "/challenges/{id}/accept" => accept_challenge,
        DeclineChallenge: POST "/challenges/{id}/decline" => decline_challenge,
        ChallengeSettings: GET "/me/challenge-settings" => challenge_settings,
        SetChallengeSettings: PUT "/me/challenge-settings" => set_challenge_settings,
    }
}

/// Challenge somebody
///
/// The notice `challenge` in your own topic and in theirs reports it and its outcome. Once accepted, it is a match
/// with the same id, in which you take seat 1. A live challenge stays open while you listen to your topic, or list
/// your challenges every 50 seconds. If you send the same challenge again, you get the open one.
#[cfg_attr(test, utoipa::path(post, path = "/challenges", tag = "challenges", request_body = CreateChallenge,
    responses((status = 201, description = "Your challenge", body = Challenge), NotFound, Conflict)))]
pub(super) async fn create_challenge(
    State(http): State<Http>,
    Guest(caller): Guest,
    Body(request): Body<CreateChallenge>,
) -> HandlerResult<(StatusCode, Json<Challenge>)> {
    Ok((StatusCode::CREATED, Json(http.app.challenge(&caller, &request).await?)))
}

/// The challenges that you sent or received, the newest first
#[cfg_attr(test, utoipa::path(get, path = "/challenges", tag = "challenges",
    responses((status = 200, description = "Your challenges", body = ChallengeList))))]
pub(super) async fn challenges(
    State(http): State<Http>,
    Guest(caller): Guest,
) -> HandlerResult<Json<ChallengeList>> {
    Ok(Json(http.app.challenges(&caller).await?))
}

/// Accept a challenge
///
/// Creates the match with its id. If you accepted it before, perhaps on another device, the response is the same. A
/// live match cancels both players' other live seeks and challenges.
#[cfg_attr(test, utoipa::path(post, path = "/challenges/{id}/accept", tag = "challenges", params(ChallengePath),
    request_body = AcceptChallenge,
    responses((status = 200, description = "Challenge accepted", body = Challenge), NotFound, Conflict)))]
pub(super) async fn accept_challenge(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfChallenge(id): OfChallenge,
    Body(request): Body<AcceptChallenge>,
) -> HandlerResult<Json<Challenge>> {
    Ok(Json(http.app.accept_challenge(&caller, id, &request).await?))
}

/// Decline a challenge
#[cfg_attr(test, utoipa::path(post, path = "/challenges/{id}/decline", tag = "challenges", params(ChallengePath),
    request_body = DeclineChallenge,
    responses((status = 200, description = "Challenge declined", body = Challenge), NotFound, Conflict)))]
pub(super) async fn decline_challenge(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfChallenge(id): OfChallenge,
    Body(request): Body<DeclineChallenge>,
) -> HandlerResult<Json<Challenge>> {
    Ok(Json(http.app.decline_challenge(&caller, id, &request).await?))
}

/// Withdraw a challenge
#[cfg_attr(test, utoipa::path(delete, path = "/challenges/{id}", tag = "challenges", params(ChallengePath),
    responses((status = 204, description = "Challenge withdrawn"), NotFound, Conflict)))]
pub(super) async fn withdraw_challenge(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfChallenge(id): OfChallenge,
) -> HandlerResult<StatusCode> {
    http.app.withdraw_challenge(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The challenges that you accept
#[cfg_attr(test, utoipa::path(get, path = "/me/challenge-settings", tag = "challenges",
    responses((status = 200, description = "The challenges that you accept", body = ChallengeSettings))))]
pub(super) async fn challenge_settings(
    State(http): State<Http>,
    Guest(caller): Guest,
) -> HandlerResult<Json<ChallengeSettings>> {
    Ok(Json(http.app.challenge_settings(&caller).await?))
}

/// Set which challenges you accept
///
/// Open challenges stay.
#[cfg_attr(test, utoipa::path(put, path = "/me/challenge-settings", tag = "challenges",
    request_body = ChallengeSettings,
    responses((status = 200, description = "The challenges that you accept now", body = ChallengeSettings))))]
pub(super) async fn set_challenge_settings(
    State(http): State<Http>,
    Guest(caller): Guest,
    Body(request): Body<ChallengeSettings>,
) -> HandlerResult<Json<ChallengeSettings>> {
    Ok(Json(http.app.set_challenge_settings(&caller, request).await?))
}
