//! Exports: the records of many matches in one response, written while it is read.

use std::{io, sync::Arc};

use axum::{
    Extension,
    body::{Body, Bytes},
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use futures_util::stream;
use lusoria_protocol::{Game, Problem, ToJson};
use lusoria_records::text;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    archive::{Archive, Contents},
    error::HandlerResult,
    extract::{ExportForm, Guest, NDJSON, NoParameters, OfPlayer, Query, RecordsForm, Viewer},
    players::{PlayedClock, PlayedResult, Points},
    streaming::TokenHolder,
};
use crate::app::{
    App, Caller, ClientAddress, ClockKind, Ended, OpenStream, RecordsReader, TournamentRecords, Wanted,
    WhichPlayer,
};

routes! {
    forms {
        PlayerRecords: GET "/players/{handle}/records" => player_records,
        MyRecords: GET "/me/records" => my_records,
        Archive: GET "/me/export" => archive,
    }
}

/// The selection and the form.
#[derive(Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct WhichRecords {
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
    /// `ndjson` or `text`, where `Accept` cannot be set; it takes precedence over `Accept`.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, inline))]
    format: Option<RecordsForm>,
}

impl WhichRecords {
    fn wanted(self) -> Wanted {
        let Self { game, opponent, result, points, clock, from, until, format: _ } = self;
        let points = points.map(|points| points.0);
        let (ended, clock) = (result.map(Ended::from), clock.map(ClockKind::from));
        Wanted { game, opponent, ended, points, clock, from, until }
    }
}

/// The records of a player's matches, the newest first
///
/// The public ones, and those in which you have a seat. As `application/x-ndjson`, one a line, or as `text/plain`,
/// with an empty line between them. One such response at a time; if the connection breaks off, it is incomplete.
#[cfg_attr(test, utoipa::path(get, path = "/players/{handle}/records", tag = "players",
    params(HandlePath, WhichRecords),
    responses((status = 200, description = "The records", content(
        (Record = "application/x-ndjson"), (String = "text/plain"))), NotFound)))]
pub(super) async fn player_records(
    State(http): State<Http>,
    Viewer(caller): Viewer,
    Extension(address): Extension<ClientAddress>,
    OfPlayer(player): OfPlayer,
    Query(which): Query<WhichRecords>,
    accepted: HandlerResult<RecordsForm>,
) -> HandlerResult<Response> {
    let form = which.format.map_or(accepted, Ok)?;
    let place = http.app.open_stream(address)?;
    let reader = http.app.records_of(&player, which.wanted(), caller.as_ref(), address).await?;
    Ok(streamed(
        &http,
        Source::Records(Box::new(Records::new(reader, form))),
        caller.as_ref(),
        place,
        kind(form),
    ))
}

/// The records of your matches, the newest first
///
/// Including those that only their players can read. The form is that of `GET /players/{handle}/records`.
#[cfg_attr(test, utoipa::path(get, path = "/me/records", tag = "identity", params(WhichRecords),
    responses((status = 200, description = "The records", content(
        (Record = "application/x-ndjson"), (String = "text/plain"))), NotFound)))]
pub(super) async fn my_records(
    State(http): State<Http>,
    Guest(caller): Guest,
    Extension(address): Extension<ClientAddress>,
    Query(which): Query<WhichRecords>,
    accepted: HandlerResult<RecordsForm>,
) -> HandlerResult<Response> {
    let form = which.format.map_or(accepted, Ok)?;
    let place = http.app.open_stream(address)?;
    let reader = http.app.my_records(&caller, which.wanted(), address).await?;
    Ok(streamed(
        &http,
        Source::Records(Box::new(Records::new(reader, form))),
        Some(&caller),
        place,
        kind(form),
    ))
}

const fn kind(form: RecordsForm) -> &'static str {
    match form {
        RecordsForm::Ndjson => NDJSON,
        RecordsForm::Text => "text/plain; charset=utf-8",
    }
}

/// A ZIP file.
#[cfg(test)]
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "it is only described: its bytes are streamed")]
pub(super) struct ZipFile(Vec<u8>);

/// All data stored about you
///
/// A ZIP file: your guest, account, sessions, tokens, blocks, seeks and tournaments, without any secret, and the records of all
/// your matches, as JSON and as text. Its README.txt explains each file. One at a time; if the connection breaks off,
/// the file cannot be opened.
#[cfg_attr(test, utoipa::path(get, path = "/me/export", tag = "identity",
    responses((status = 200, description = "The archive", body = inline(ZipFile), content_type = "application/zip"))))]
pub(super) async fn archive(
    State(http): State<Http>,
    Guest(caller): Guest,
    Extension(address): Extension<ClientAddress>,
    Query(NoParameters {}): Query<NoParameters>,
) -> HandlerResult<Response> {
    let place = http.app.open_stream(address)?;
    let own = Contents::Own(Box::new(http.app.own_data(&caller, address).await?));
    let archive = Archive::of(own, &http.app);
    let response = streamed(&http, Source::Archive(archive), Some(&caller), place, "application/zip");
    let named = [(header::CONTENT_DISPOSITION, "attachment; filename=\"lusoria.zip\"")];
    Ok((named, response).into_response())
}

/// The records of a tournament in a form.
pub(super) fn of_tournament(
    http: &Http,
    of: TournamentRecords,
    form: ExportForm,
    caller: Option<&Caller>,
    place: OpenStream,
) -> Response {
    let form = match form {
        ExportForm::Ndjson => RecordsForm::Ndjson,
        ExportForm::Text => RecordsForm::Text,
        ExportForm::Zip => {
            let archive = Archive::of(Contents::Tournament(Box::new(of)), &http.app);
            let response = streamed(http, Source::Archive(archive), caller, place, "application/zip");
            let named = [(header::CONTENT_DISPOSITION, "attachment; filename=\"tournament.zip\"")];
            return (named, response).into_response();
        }
    };
    let records = Source::Records(Box::new(Records::new(of.records(), form)));
    streamed(http, records, caller, place, kind(form))
}

fn streamed(
    http: &Http,
    source: Source,
    caller: Option<&Caller>,
    place: OpenStream,
    kind: &'static str,
) -> Response {
    let holder = caller.map(|caller| TokenHolder::new(&http.app, caller));
    let (app, closing) = (Arc::clone(&http.app), http.connections.open());
    let export = Export { app, source, holder, closing, _place: place };
    ([(header::CONTENT_TYPE, kind)], export.into_body()).into_response()
}

/// The source of the bytes.
enum Source {
    Records(Box<Records>),
    Archive(Archive),
}

impl Source {
    async fn next(&mut self, app: &App) -> Result<Option<Bytes>, Problem> {
        match self {
            Self::Records(records) => records.next(app).await,
            Self::Archive(archive) => archive.next().await,
        }
    }
}

/// Records in a form.
pub(super) struct Records {
    reader: RecordsReader,
    form: RecordsForm,
    is_first: bool,
}

impl Records {
    pub(super) const fn new(reader: RecordsReader, form: RecordsForm) -> Self {
        Self { reader, form, is_first: true }
    }

    /// The next record, with the separator before it.
    ///
    /// # Errors
    /// As [`RecordsReader::next`].
    pub(super) async fn next(&mut self, app: &App) -> Result<Option<Bytes>, Problem> {
        let Some(record) = self.reader.next().await? else { return Ok(None) };
        let (form, is_first) = (self.form, std::mem::replace(&mut self.is_first, false));
        let written = app.in_background(move || match form {
            RecordsForm::Ndjson => [record.to_json(), b"\n".to_vec()].concat(),
            RecordsForm::Text if is_first => text::write(&record).into_bytes(),
            RecordsForm::Text => format!("\n{}", text::write(&record)).into_bytes(),
        });
        Ok(Some(written.await?.into()))
    }
}

/// An export and the client's place among exports.
struct Export {
    app: Arc<App>,
    source: Source,
    holder: Option<TokenHolder>,
    closing: CancellationToken,
    _place: OpenStream,
}

impl Export {
    /// The body. Errors abort it, so a truncated export is never mistaken for a complete one.
    fn into_body(self) -> Body {
        Body::from_stream(stream::unfold(Some(self), |export| async move {
            let mut export = export?;
            match export.next().await {
                Ok(next) => next.map(|bytes| (Ok(bytes), Some(export))),
                Err(why) => Some((Err(why), None)),
            }
        }))
    }

    async fn next(&mut self) -> io::Result<Option<Bytes>> {
        if let Some(holder) = &mut self.holder {
            holder.may_listen(false).await.map_err(|why| broken_off(&why))?;
        }
        tokio::select! {
            () = self.closing.cancelled() => Err(io::ErrorKind::ConnectionAborted.into()),
            next = self.source.next(&self.app) => next.map_err(|why| broken_off(&why)),
        }
    }
}

fn broken_off(problem: &Problem) -> io::Error {
    tracing::debug!(code = problem.code.as_str(), "an export was broken off");
    io::Error::other(problem.code.as_str())
}
