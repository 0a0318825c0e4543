//! The tables, events, records and calendars of tournaments.

use std::fmt::Write;

use axum::{
    Extension,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use lusoria_protocol::{Standings, ToJson};
use serde::Deserialize;

#[cfg(test)]
use super::described::prelude::*;
#[cfg(test)]
use super::exports::ZipFile;
use super::{
    Http,
    error::HandlerResult,
    exports,
    extract::{
        ExportForm, Format, Limit, NDJSON, NoParameters, OfPlayer, OfTournament, Query, TableForm, Viewer,
    },
    json::{Json, of_bytes},
    streaming,
};
use crate::app::{ClientAddress, Table, within_head};

routes! {
    json {
        TournamentLuck: GET "/tournaments/{id}/luck" => tournament_luck,
    }
    forms {
        Standings: GET "/tournaments/{id}/standings" => standings,
        Pairings: GET "/tournaments/{id}/pairings" => pairings,
        TournamentEvents: GET "/tournaments/{id}/events" => tournament_events,
        TournamentRecords: GET "/tournaments/{id}/records" => tournament_records,
        TournamentCalendar: GET "/tournaments/{id}/calendar" => tournament_calendar,
        PlayerCalendar: GET "/players/{handle}/calendar" => player_calendar,
    }
}

/// The form of a table.
#[derive(Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct WhichForm {
    /// `json`, `ndjson` or `csv`, where `Accept` cannot be set; it takes precedence over `Accept`.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, inline))]
    format: Option<TableForm>,
}

/// The standings of a tournament
///
/// The first place first. As `application/x-ndjson` a row a line, as `text/csv` with a head.
#[cfg_attr(test, utoipa::path(get, path = "/tournaments/{id}/standings", tag = "tournaments",
    params(TournamentPath, WhichForm),
    responses((status = 200, description = "The standings", content(
        (Standings = "application/json"), (StandingRow = "application/x-ndjson"), (String = "text/csv"))), NotFound)))]
pub(super) async fn standings(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    OfTournament(id): OfTournament,
    Query(WhichForm { format }): Query<WhichForm>,
    accepted: HandlerResult<TableForm>,
) -> HandlerResult<Response> {
    Ok(match format.map_or(accepted, Ok)? {
        TableForm::Json => of_bytes(http.app.tournament_table(id, Table::Standings, address).await?),
        TableForm::Ndjson => {
            let rows = http.app.tournament_standings(id, address).await?.standings;
            lines(rows.iter().map(ToJson::to_json))
        }
        TableForm::Csv => {
            let standings = http.app.tournament_standings(id, address).await?;
            ([(header::CONTENT_TYPE, "text/csv; charset=utf-8; header=present")], csv(&standings))
                .into_response()
        }
    })
}

/// A response of lines of JSON, all of them.
fn lines(rows: impl Iterator<Item = Vec<u8>>) -> Response {
    let text: Vec<u8> = rows.flat_map(|row| [row, b"\n".to_vec()].concat()).collect();
    ([(header::CONTENT_TYPE, NDJSON)], text).into_response()
}

/// The standings as a table (RFC 4180).
fn csv(standings: &Standings) -> String {
    let ties: String = standings.ties.iter().fold(String::new(), |mut text, tie| {
        let _ = write!(text, ",{}", lusoria_protocol::word(tie));
        text
    });
    let mut text =
        format!("place,entrant,id,name,handle,rating,half_points,played,wins,draws,losses{ties},state\r\n");
    for row in &standings.standings {
        let player = &row.player;
        let handle = player.handle.as_ref().map_or("", |handle| handle.as_str());
        let _ = write!(
            text,
            "{},{},{},{},{handle},{},{},{},{},{},{}",
            row.place,
            row.entrant,
            player.id,
            quoted(player.name.as_str()),
            row.rating,
            row.half_points,
            row.played,
            row.wins,
            row.draws,
            row.losses,
        );
        for tie in &row.ties {
            let _ = write!(text, ",{}", tie.map_or_else(String::new, |tie| tie.to_string()));
        }
        let _ = write!(text, ",{}\r\n", lusoria_protocol::word(&row.state));
    }
    text
}

/// A name as a field. Programs for tables take some beginnings for formulas.
fn quoted(name: &str) -> String {
    let guard = if name.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    format!("\"{guard}{}\"", name.replace('"', "\"\""))
}

/// Which pairings.
#[derive(Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct WhichPairings {
    /// The round, or the wave of an arena; all if left out.
    #[cfg_attr(test, param(required = false))]
    round: Option<u16>,
}

/// The pairings of a tournament
///
/// With the byes, by round. As `application/x-ndjson` a pairing a line, without the byes.
#[cfg_attr(test, utoipa::path(get, path = "/tournaments/{id}/pairings", tag = "tournaments",
    params(TournamentPath, WhichPairings),
    responses((status = 200, description = "The pairings", content(
        (PairingList = "application/json"), (TournamentPairing = "application/x-ndjson"))), NotFound)))]
pub(super) async fn pairings(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    OfTournament(id): OfTournament,
    Query(WhichPairings { round }): Query<WhichPairings>,
    format: Format,
) -> HandlerResult<Response> {
    Ok(match format {
        Format::Json => of_bytes(http.app.tournament_table(id, Table::Pairings(round), address).await?),
        Format::Ndjson => {
            let pairings = http.app.tournament_pairings(id, round, address).await?.pairings;
            lines(pairings.iter().map(ToJson::to_json))
        }
    })
}

/// The page or stream of events.
#[derive(Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct WhichEvents {
    /// The number of the last event that you have; the first one if left out. A number beyond the last event is refused
    /// (`ahead_of_journal`).
    #[serde(default)]
    #[cfg_attr(test, param(required = false, default = 0))]
    since: u32,
    /// The most events; 100 if left out. A stream sends all.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, value_type = u32, minimum = 1, maximum = 1000, default = 100))]
    limit: Limit<1000, 100>,
    /// For a stream only: whether to wait for later events. True if left out.
    #[serde(default = "yes")]
    #[cfg_attr(test, param(required = false, default = true))]
    follow: bool,
}

const fn yes() -> bool {
    true
}

/// The events of a tournament
///
/// As JSON a page of them; as `application/x-ndjson` one event a line, the existing ones and then new ones, until the
/// tournament has ended, with an empty line every 15 seconds.
#[cfg_attr(test, utoipa::path(get, path = "/tournaments/{id}/events", tag = "tournaments",
    params(TournamentPath, WhichEvents),
    responses((status = 200, description = "A page of events, or a stream of them", content(
        (TournamentEvents = "application/json"), (TournamentEvent = "application/x-ndjson"))), NotFound, Conflict)))]
pub(super) async fn tournament_events(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    OfTournament(id): OfTournament,
    Query(WhichEvents { since, limit: Limit(limit), follow }): Query<WhichEvents>,
    format: Format,
) -> HandlerResult<Response> {
    match format {
        Format::Json => {
            let events = http.app.tournament_events(id, since, limit, address).await?;
            within_head(since, events.head)?;
            Ok(Json(events).into_response())
        }
        Format::Ndjson => streaming::of_tournament(&http, id, since, follow, address).await,
    }
}

/// The form of an export.
#[derive(Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct WhichExport {
    /// `ndjson`, `text` or `zip`, where `Accept` cannot be set; it takes precedence over `Accept`.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, inline))]
    format: Option<ExportForm>,
}

/// The records of the ended matches of a tournament
///
/// In order of pairing. As `application/x-ndjson`, one a line; as `text/plain`, with an empty line between them; as
/// `application/zip` both, with standings and pairings. One such response at a time; if the connection breaks off, it
/// is incomplete.
#[cfg_attr(test, utoipa::path(get, path = "/tournaments/{id}/records", tag = "tournaments",
    params(TournamentPath, WhichExport),
    responses((status = 200, description = "The records", content(
        (Record = "application/x-ndjson"), (String = "text/plain"), (inline(ZipFile) = "application/zip"))), NotFound)))]
pub(super) async fn tournament_records(
    State(http): State<Http>,
    Viewer(caller): Viewer,
    Extension(address): Extension<ClientAddress>,
    OfTournament(id): OfTournament,
    Query(WhichExport { format }): Query<WhichExport>,
    accepted: HandlerResult<ExportForm>,
) -> HandlerResult<Response> {
    let form = format.map_or(accepted, Ok)?;
    let place = http.app.open_stream(address)?;
    let of = http.app.tournament_records(id, caller.as_ref(), address).await?;
    Ok(exports::of_tournament(&http, of, form, caller.as_ref(), place))
}

/// The results of a tournament with luck taken out
///
/// From the analyses that the server keeps: of rated matches in games that the computer analyses, and of others once
/// somebody has asked for their analysis. Nothing depends on it, because help from an engine would make it better.
#[cfg_attr(test, utoipa::path(get, path = "/tournaments/{id}/luck", tag = "tournaments", params(TournamentPath),
    responses((status = 200, description = "The table", body = LuckTable), NotFound)))]
pub(super) async fn tournament_luck(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    OfTournament(id): OfTournament,
    Query(NoParameters {}): Query<NoParameters>,
) -> HandlerResult<Response> {
    Ok(of_bytes(http.app.tournament_luck(id, address).await?))
}

/// The calendar of a tournament
#[cfg_attr(test, utoipa::path(get, path = "/tournaments/{id}/calendar", tag = "tournaments", params(TournamentPath),
    responses((status = 200, description = "The calendar", body = String, content_type = "text/calendar"), NotFound)))]
pub(super) async fn tournament_calendar(
    State(http): State<Http>,
    OfTournament(id): OfTournament,
    Query(NoParameters {}): Query<NoParameters>,
) -> HandlerResult<Response> {
    Ok(as_calendar(http.app.tournament_calendar(id).await?))
}

/// The calendar of a player's tournaments
///
/// Those that they have entered or organise; unlisted ones only if it is you.
#[cfg_attr(test, utoipa::path(get, path = "/players/{handle}/calendar", tag = "players", params(HandlePath),
    responses((status = 200, description = "The calendar", body = String, content_type = "text/calendar"), NotFound)))]
pub(super) async fn player_calendar(
    State(http): State<Http>,
    Viewer(caller): Viewer,
    Extension(address): Extension<ClientAddress>,
    OfPlayer(which): OfPlayer,
    Query(NoParameters {}): Query<NoParameters>,
) -> HandlerResult<Response> {
    Ok(as_calendar(http.app.player_calendar(&which, caller.as_ref(), address).await?))
}

fn as_calendar(text: String) -> Response {
    ([(header::CONTENT_TYPE, "text/calendar; charset=utf-8")], text).into_response()
}
