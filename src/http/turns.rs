//! Turns: what is legal, playing one, showing one that is being built.

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
/// Of the present turn, after the steps so far. Anybody may ask.
#[cfg_attr(test, utoipa::path(post, path = "/matches/{id}/legal", tag = "play", params(MatchPath),
    request_body = Option<LegalQuestion>,
    responses((status = 200, description = "What is legal", body = Legal), NotFound, Conflict)))]
pub(super) async fn legal(
    State(http): State<Http>,
    Viewer(caller): Viewer,
    OfMatch(id): OfMatch,
    OptionalBody(request): OptionalBody<LegalQuestion>,
) -> HandlerResult<Json<Legal>> {
    Ok(Json(http.app.legal(caller.as_ref(), id, &request).await?))
}

/// What the computer would play
///
/// In your place, on your turn: the best turns as its strongest level sees them. Only against
/// the computer, or if you play both sides.
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
/// `seq` names the event that gave you the turn. The same turn again gets the same answer
/// again; another one for the same event is refused with what has happened since.
#[cfg_attr(test, utoipa::path(post, path = "/matches/{id}/turn", tag = "play", params(MatchPath),
    request_body = PlayTurn,
    responses((status = 200, description = "It is played", body = Answer), Forbidden, NotFound, Conflict)))]
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
/// Those who watch see the pieces move. It is not stored and counts for nothing.
#[cfg_attr(test, utoipa::path(post, path = "/matches/{id}/building", tag = "play", params(MatchPath),
    request_body = Building,
    responses((status = 204, description = "It is shown"), Forbidden, NotFound, Conflict)))]
pub(super) async fn building(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfMatch(id): OfMatch,
    Body(request): Body<Building>,
) -> HandlerResult<StatusCode> {
    http.app.show_building(&caller, id, &request).await?;
    Ok(StatusCode::NO_CONTENT)
}
