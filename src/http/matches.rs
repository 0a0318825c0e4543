//! Matches: creating and listing them, their state and their analysis.

use std::sync::Arc;

use axum::{
    Extension,
    extract::State,
    http::{StatusCode, header},
};
use lusoria_protocol::{
    CreateMatch, Created, Cursor, Evaluation, EvaluationQuestion, Game, MatchList, MatchStage, Snapshot,
    TurnRollout,
};
use serde::Deserialize;

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{Body, Guest, Key, Limit, NoParameters, OfMatch, Query, Viewer},
    json::Json,
};
use crate::app::{ClientAddress, ToldAnalysis};

routes! {
    json {
        CreateMatch: POST "/matches" => create_match,
        Matches: GET "/matches" => matches,
        Snapshot: GET "/matches/{id}" => snapshot,
        Analysis: GET "/matches/{id}/analysis" => analysis,
        Rollout: GET "/matches/{id}/rollout" => rollout,
        Evaluate: POST "/matches/{id}/evaluation" => evaluate,
    }
}

/// Create a match
///
/// You take seat 1. Keep `dice.commitment` of the response: with it you can verify the dice.
#[cfg_attr(test, utoipa::path(post, path = "/matches", tag = "matches", params(KeyHeader),
    request_body = CreateMatch,
    responses(
        (status = 201, description = "The match, with an invitation if it needs one", body = Created,
            headers(("Location" = String, description = "The match"))),
        Conflict
    )))]
pub(super) async fn create_match(
    State(http): State<Http>,
    Guest(caller): Guest,
    Key(key): Key,
    Body(request): Body<CreateMatch>,
) -> HandlerResult<(StatusCode, [(header::HeaderName, String); 1], Json<Created>)> {
    let created = http.app.create(&caller, &request, key.as_ref()).await?;
    let location = format!("/api/v1/matches/{}", created.created.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(created)))
}

/// The most matches on a page.
pub(super) type PageLimit = Limit<100, 20>;

/// The page of public matches.
#[derive(Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct MatchPage {
    /// The stage of the matches; `open` if left out.
    #[cfg_attr(test, param(required = false, inline))]
    state: Option<MatchStage>,
    /// The game; all if left out.
    #[cfg_attr(test, param(required = false, inline))]
    game: Option<Game>,
    /// The beginning of the page: `next` of the previous page.
    #[cfg_attr(test, param(required = false, value_type = String, format = "uuid"))]
    cursor: Option<Cursor>,
    /// The most matches; 20 if left out.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, value_type = u32, minimum = 1, maximum = 100, default = 20))]
    limit: PageLimit,
}

/// Public matches, the newest first
#[cfg_attr(test, utoipa::path(get, path = "/matches", tag = "matches", params(MatchPage),
    responses((status = 200, description = "A page of matches", body = MatchList))))]
pub(super) async fn matches(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    Query(MatchPage { state, game, cursor, limit }): Query<MatchPage>,
) -> HandlerResult<Json<MatchList>> {
    let state = state.unwrap_or(MatchStage::Open);
    Ok(Json(http.app.matches(state, game, cursor.as_ref(), limit.0, address).await?))
}

/// The state of a match
#[cfg_attr(test, utoipa::path(get, path = "/matches/{id}", tag = "matches", params(MatchPath),
    responses((status = 200, description = "The match", body = Snapshot), NotFound)))]
pub(super) async fn snapshot(
    State(http): State<Http>,
    Viewer(caller): Viewer,
    OfMatch(id): OfMatch,
) -> HandlerResult<Json<Snapshot>> {
    Ok(Json(http.app.snapshot(id, caller.as_ref()).await?))
}

/// Computer analysis of a finished match
///
/// The value of each turn and of the best alternative, and the luck of the dice. The first request starts the
/// computation; until it is `ready`, you get the part that is done.
#[cfg_attr(test, utoipa::path(get, path = "/matches/{id}/analysis", tag = "matches", params(MatchPath),
    responses((status = 200, description = "The analysis", body = Analysis), NotFound, Conflict)))]
pub(super) async fn analysis(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    OfMatch(id): OfMatch,
    Query(NoParameters {}): Query<NoParameters>,
) -> HandlerResult<Json<ToldAnalysis>> {
    Ok(Json(http.app.analysis(id, address).await?))
}

/// The turn to roll out.
#[derive(Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct RolloutOf {
    /// The number of the event in which it was played.
    seq: u32,
}

/// A rollout of a turn in a finished match, compared with the best ones
///
/// Plays on many times after each of these turns, with the computer on both sides. The first request starts the
/// computation; until it is `ready`, you get the part that is done.
#[cfg_attr(test, utoipa::path(get, path = "/matches/{id}/rollout", tag = "matches", params(MatchPath, RolloutOf),
    responses((status = 200, description = "The rollout", body = TurnRollout), NotFound, Conflict)))]
pub(super) async fn rollout(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    OfMatch(id): OfMatch,
    Query(RolloutOf { seq }): Query<RolloutOf>,
) -> HandlerResult<Json<TurnRollout>> {
    Ok(Json(Arc::unwrap_or_clone(http.app.rollout(id, seq, address).await?)))
}

/// Computer evaluation of a variation
///
/// In a finished match: from the position after an event, with turns for both sides and any dice, you get the chances
/// of the side to move, its best turns, and the loss of the last turn of the variation.
#[cfg_attr(test, utoipa::path(post, path = "/matches/{id}/evaluation", tag = "matches", params(MatchPath),
    request_body = EvaluationQuestion,
    responses((status = 200, description = "The evaluation", body = Evaluation), NotFound, Conflict)))]
pub(super) async fn evaluate(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    OfMatch(id): OfMatch,
    Body(question): Body<EvaluationQuestion>,
) -> HandlerResult<Json<Evaluation>> {
    Ok(Json(http.app.evaluate(id, question, address).await?))
}
