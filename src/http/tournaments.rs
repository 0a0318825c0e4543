//! Tournaments: announced, entered, directed, and shown.

use axum::{
    Extension,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use lusoria_protocol::{
    CreateTournament, Cursor, EditTournament, Game, TournamentDirection, TournamentEntry, TournamentList,
};
use serde::Deserialize;

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{Body, Guest, Key, NoParameters, OfPlayer, OfTournament, Query, Viewer},
    json::{Json, of_bytes},
    matches::PageLimit,
};
use crate::app::{ClientAddress, Table, TournamentState};

routes! {
    json {
        CreateTournament: POST "/tournaments" => create_tournament,
        Tournaments: GET "/tournaments" => tournaments,
        Tournament: GET "/tournaments/{id}" => tournament,
        EditTournament: PATCH "/tournaments/{id}" => edit_tournament,
        EnterTournament: POST "/tournaments/{id}/entry" => enter_tournament,
        DirectTournament: POST "/tournaments/{id}/direction" => direct_tournament,
        Entrants: GET "/tournaments/{id}/entrants" => entrants,
        PlayerTournaments: GET "/players/{handle}/tournaments" => player_tournaments,
    }
}

/// Announce a tournament
///
/// You organise it. You need an account, and can have ten tournaments at a time that have not ended.
#[cfg_attr(test, utoipa::path(post, path = "/tournaments", tag = "tournaments", params(KeyHeader),
    request_body = CreateTournament,
    responses((status = 201, description = "The tournament", body = Tournament), Forbidden, Conflict)))]
pub(super) async fn create_tournament(
    State(http): State<Http>,
    Guest(caller): Guest,
    Key(key): Key,
    Body(request): Body<CreateTournament>,
) -> HandlerResult<Response> {
    let created = http.app.create_tournament(&caller, &request, key.as_ref()).await?;
    Ok((StatusCode::CREATED, of_bytes(created)).into_response())
}

/// Where tournaments stand.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub(super) enum ListedState {
    #[default]
    Announced,
    Running,
    Ended,
}

impl From<ListedState> for TournamentState {
    fn from(state: ListedState) -> Self {
        match state {
            ListedState::Announced => Self::Announced,
            ListedState::Running => Self::Running,
            ListedState::Ended => Self::Ended,
        }
    }
}

/// The selection of tournaments, and the page.
#[derive(Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct WhichTournaments {
    /// Those that have not begun, those that are played, or those that have ended; the first if left out.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, inline))]
    state: ListedState,
    /// The game; all if left out.
    #[cfg_attr(test, param(required = false, inline))]
    game: Option<Game>,
    /// The beginning of the page: `next` of the previous page.
    #[cfg_attr(test, param(required = false, value_type = String, format = "uuid"))]
    cursor: Option<Cursor>,
    /// The most tournaments; 20 if left out.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, value_type = u32, minimum = 1, maximum = 100, default = 20))]
    limit: PageLimit,
}

/// Tournaments
///
/// Those to come, the soonest first; or those that are played or have ended, the newest first. Unlisted ones are reached
/// by their ids only.
#[cfg_attr(test, utoipa::path(get, path = "/tournaments", tag = "tournaments", params(WhichTournaments),
    responses((status = 200, description = "A page of tournaments", body = TournamentList))))]
pub(super) async fn tournaments(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    Query(which): Query<WhichTournaments>,
) -> HandlerResult<Json<TournamentList>> {
    let WhichTournaments { state, game, cursor, limit } = which;
    Ok(Json(http.app.tournaments(state.into(), game, cursor.as_ref(), limit.0, address).await?))
}

/// A tournament
///
/// With `you` for a caller who plays in it or may do something.
#[cfg_attr(test, utoipa::path(get, path = "/tournaments/{id}", tag = "tournaments", params(TournamentPath),
    responses((status = 200, description = "The tournament", body = Tournament), NotFound)))]
pub(super) async fn tournament(
    State(http): State<Http>,
    Viewer(caller): Viewer,
    OfTournament(id): OfTournament,
    Query(NoParameters {}): Query<NoParameters>,
) -> HandlerResult<Response> {
    Ok(of_bytes(http.app.tournament(id, caller.as_ref()).await?))
}

/// Change a tournament
///
/// Yours: everything until the first entry; then its name, its description and a later start, and after the start only
/// the first two.
#[cfg_attr(test, utoipa::path(patch, path = "/tournaments/{id}", tag = "tournaments", params(TournamentPath),
    request_body = EditTournament,
    responses((status = 200, description = "The tournament", body = Tournament), Forbidden, NotFound, Conflict)))]
pub(super) async fn edit_tournament(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfTournament(id): OfTournament,
    Body(request): Body<EditTournament>,
) -> HandlerResult<Response> {
    Ok(of_bytes(http.app.edit_tournament(&caller, id, request).await?))
}

/// Enter a tournament, or say what you do in it
///
/// Enter, be here, pause, withdraw, or ask for a bye.
#[cfg_attr(test, utoipa::path(post, path = "/tournaments/{id}/entry", tag = "tournaments", params(TournamentPath),
    request_body = TournamentEntry,
    responses((status = 200, description = "The tournament", body = Tournament), Forbidden, NotFound, Conflict)))]
pub(super) async fn enter_tournament(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfTournament(id): OfTournament,
    Body(request): Body<TournamentEntry>,
) -> HandlerResult<Response> {
    Ok(of_bytes(http.app.enter_tournament(&caller, id, &request).await?))
}

/// Direct a tournament
///
/// Yours: start, stop, resume, close a round, pair by hand, decide a pairing, exclude an entrant, or end it. Everybody
/// can read your reasons.
#[cfg_attr(test, utoipa::path(post, path = "/tournaments/{id}/direction", tag = "tournaments", params(TournamentPath),
    request_body = TournamentDirection,
    responses((status = 200, description = "The tournament", body = Tournament), Forbidden, NotFound, Conflict)))]
pub(super) async fn direct_tournament(
    State(http): State<Http>,
    Guest(caller): Guest,
    OfTournament(id): OfTournament,
    Body(request): Body<TournamentDirection>,
) -> HandlerResult<Response> {
    Ok(of_bytes(http.app.direct_tournament(&caller, id, &request).await?))
}

/// The entrants of a tournament, in order of entry
#[cfg_attr(test, utoipa::path(get, path = "/tournaments/{id}/entrants", tag = "tournaments", params(TournamentPath),
    responses((status = 200, description = "The entrants", body = EntrantList), NotFound)))]
pub(super) async fn entrants(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    OfTournament(id): OfTournament,
    Query(NoParameters {}): Query<NoParameters>,
) -> HandlerResult<Response> {
    Ok(of_bytes(http.app.tournament_table(id, Table::Entrants, address).await?))
}

/// A page of a list.
#[derive(Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct TournamentPage {
    /// The beginning of the page: `next` of the previous page.
    #[cfg_attr(test, param(required = false, value_type = String, format = "uuid"))]
    cursor: Option<Cursor>,
    /// The most tournaments; 20 if left out.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, value_type = u32, minimum = 1, maximum = 100, default = 20))]
    limit: PageLimit,
}

/// The tournaments of a player, the newest first
///
/// Those that they have entered or organise; unlisted ones only if it is you.
#[cfg_attr(test, utoipa::path(get, path = "/players/{handle}/tournaments", tag = "players",
    params(HandlePath, TournamentPage),
    responses((status = 200, description = "A page of tournaments", body = TournamentList), NotFound)))]
pub(super) async fn player_tournaments(
    State(http): State<Http>,
    Viewer(caller): Viewer,
    Extension(address): Extension<ClientAddress>,
    OfPlayer(which): OfPlayer,
    Query(TournamentPage { cursor, limit }): Query<TournamentPage>,
) -> HandlerResult<Json<TournamentList>> {
    let found = http.app.tournaments_of(&which, caller.as_ref(), cursor.as_ref(), limit.0, address);
    Ok(Json(found.await?))
}
