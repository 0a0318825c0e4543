//! The rules, and what the computer thinks, without a match.

use axum::{Extension, extract::State};
use lusoria_protocol::{Evaluation, PositionQuestion, RulesAnswer, RulesQuestion};

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{OfGame, OptionalBody},
    json::Json,
};
use crate::app::ClientAddress;

routes! {
    json {
        Rules: POST "/rules/{game}" => rules,
        EvaluatePosition: POST "/rules/{game}/evaluation" => evaluate_position,
    }
}

/// Ask the rules
///
/// The legal steps in a position with these dice and after these steps, the ways in which the turn can end, and why a
/// step is illegal.
#[cfg_attr(test, utoipa::path(post, path = "/rules/{game}", tag = "games",
    params(GamePath), request_body = Option<RulesQuestion>,
    responses((status = 200, description = "The legal steps", body = RulesAnswer), NotFound, Conflict)))]
pub(super) async fn rules(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    OfGame(game): OfGame,
    OptionalBody(question): OptionalBody<RulesQuestion>,
) -> HandlerResult<Json<RulesAnswer>> {
    Ok(Json(http.app.ask_rules(game, question, address).await?))
}

/// Computer evaluation of a position
///
/// From any position, with turns for both sides and any dice, you get the chances of the side to move, its best turns,
/// and the loss of the last turn.
#[cfg_attr(test, utoipa::path(post, path = "/rules/{game}/evaluation", tag = "games",
    params(GamePath), request_body = Option<PositionQuestion>,
    responses((status = 200, description = "The evaluation", body = Evaluation), NotFound, Conflict)))]
pub(super) async fn evaluate_position(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    OfGame(game): OfGame,
    OptionalBody(question): OptionalBody<PositionQuestion>,
) -> HandlerResult<Json<Evaluation>> {
    Ok(Json(http.app.evaluate_position(game, question, address).await?))
}
