//! Turns: legal steps, playing a turn, and showing one that is being built.

use axum::{Extension, extract::State, http::StatusCode};
use lusoria_protocol::{Building, Hint, HintQuestion, Legal, LegalQuestion, PlayTurn};

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{Body, Guest, OfMatch, OptionalBody, Viewer},
    json::Json,
};
use crate::app::{ClientAddress, CommandResponse};

routes! {
    json {
        Legal: POST "/matches/{id}/legal" => legal,
        Hint: POST "/matches/{id}/hint" => hint,
        PlayTurn: POST "/matches/{id}/turn" => play_turn,
        Building: POST "/matches/{id}/building" => building,
    }
}

/// The legal next steps
///
/// In the present turn, after the steps so far. Open to everybody.
#[cfg_attr(test, utoipa::path(post, path = "/matches/{id}/legal", tag = "play", params(MatchPath),
    request_body = Option<LegalQuestion>,
    responses((status = 200, description = "The legal steps", body = Legal), NotFound, Conflict)))]
pub(super) async fn legal(
    State(http): State<Http>,
    Viewer(caller): Viewer,
    OfMatch(id): OfMatch,
    OptionalBody(request): OptionalBody<LegalQuestion>,
) -> HandlerResult<Json<Legal>> {
    Ok(Json(http.app.legal(caller.as_ref(), id, &request).await?))
}

/// The computer's choice
///
/// The best turns in your position, on your turn, as its strongest level evaluates them. Only against the computer,
/// or if you play both sides.
#[cfg_attr(test, utoipa::path(post, path = "/matches/{id}/hint", tag = "play", params(MatchPath),
    request_body = Option<HintQuestion>,
    responses((status = 200, description = "The best turns", body = Hint), NotFound, Conflict)))]
pub(super) async fn hint(
    State(http): State<Http>,
    Guest(caller): Guest,
    Extension(address): Extension<ClientAddress>,
    OfMatch(id): OfMatch,
    OptionalBody(HintQuestion {}): OptionalBody<HintQuestion>,
) -> HandlerResult<Json<Hint>> {
    Ok(Json(http.app.hint(&caller, id, address).await?))
}

/// Play a whole turn
///
/// `seq` names the event that gave you the turn. If you repeat the same turn, you get the same response; another turn
/// for the same event is refused with the events since.
#[cfg_attr(test, utoipa::path(post, path = "/matches/{id}/turn", tag = "play", params(MatchPath),
    request_body = PlayTurn,
    responses((status = 200, description = "Turn played", body = Answer), Forbidden, NotFound, Conflict)))]
pub(super) async fn play_turn(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfMatch(id): OfMatch,
    Body(request): Body<PlayTurn>,
) -> HandlerResult<CommandResponse> {
    Ok(http.app.command(&caller, id, None, request).await?)
}

/// Show a turn being built
///
/// Watchers see the pieces move. It is not stored and has no effect on the match.
#[cfg_attr(test, utoipa::path(post, path = "/matches/{id}/building", tag = "play", params(MatchPath),
    request_body = Building,
    responses((status = 204, description = "Turn shown"), Forbidden, NotFound, Conflict)))]
pub(super) async fn building(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfMatch(id): OfMatch,
    Body(request): Body<Building>,
) -> HandlerResult<StatusCode> {
    http.app.show_building(&caller, id, &request).await?;
    Ok(StatusCode::NO_CONTENT)
}
