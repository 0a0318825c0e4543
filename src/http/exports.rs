//! Exports: the records of many matches in one response that is written while it is read.

use std::io;

use axum::{
    Extension,
    body::{Body, Bytes},
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use futures_util::stream;
use lusoria_protocol::{Game, Handle, Problem, Record};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;
use utoipa::{IntoParams, ToSchema};

use super::{
    Http,
    described::NotFound,
    error::HandlerResult,
    extract::{Guest, HandlePath, NDJSON, OfPlayer, Query, Viewer},
    players::{PlayedClock, PlayedResult},
    streaming::TokenHolder,
};
use crate::app::{Caller, ClientAddress, ClockKind, Ended, OpenStream, RecordsForm, RecordsReader, Wanted};

/// The form of the records.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum NamedForm {
    Ndjson,
    Text,
}

impl From<NamedForm> for RecordsForm {
    fn from(named: NamedForm) -> Self {
        match named {
            NamedForm::Ndjson => Self::Ndjson,
            NamedForm::Text => Self::Text,
        }
    }
}

/// Of which matches, and how.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct WhichRecords {
    /// Of which game; all if left out.
    #[param(required = false, inline)]
    game: Option<Game>,
    /// Against whom, by their handle; anybody if left out.
    #[param(required = false, value_type = String)]
    opponent: Option<Handle>,
    /// How they ended for the player; also those that have not ended if left out.
    #[param(required = false, inline)]
    result: Option<PlayedResult>,
    /// Points to win the match; any if left out.
    #[param(required = false, minimum = 1, maximum = 99)]
    points: Option<u16>,
    /// The kind of clock; any if left out.
    #[param(required = false, inline)]
    clock: Option<PlayedClock>,
    /// Made at this time or later, in milliseconds since 1970.
    #[param(required = false)]
    from: Option<u64>,
    /// Made before this time, in milliseconds since 1970.
    #[param(required = false)]
    until: Option<u64>,
    /// `ndjson` or `text`, where `Accept` cannot be set; it is stronger than that.
    #[serde(default)]
    #[param(required = false, inline)]
    format: Option<NamedForm>,
}

impl WhichRecords {
    fn wanted(self) -> Wanted {
        let Self { game, opponent, result, points, clock, from, until, format: _ } = self;
        let (ended, clock) = (result.map(Ended::from), clock.map(ClockKind::from));
        Wanted { game, opponent, ended, points, clock, from, until }
    }
}

/// The records of a player's matches, the newest first
///
/// Of those that everybody sees, and of those in which you have a seat. As `application/x-ndjson`, one in a line, or
/// as `text/plain`, with an empty line between them. One such response at a time; if it is cut off, it was not all.
#[utoipa::path(get, path = "/players/{handle}/records", tag = "players", params(HandlePath, WhichRecords),
    responses((status = 200, description = "The records", content(
        (Record = "application/x-ndjson"), (String = "text/plain"))), NotFound))]
pub(super) async fn player_records(
    State(http): State<Http>,
    Viewer(caller): Viewer,
    Extension(address): Extension<ClientAddress>,
    OfPlayer(handle): OfPlayer,
    Query(which): Query<WhichRecords>,
    accepted: HandlerResult<RecordsForm>,
) -> HandlerResult<Response> {
    let form = which.format.map_or(accepted, |named| Ok(named.into()))?;
    let place = http.app.open_stream(address)?;
    let reader = http.app.records_of(&handle, which.wanted(), form, caller.as_ref(), address).await?;
    Ok(streamed(&http, form, reader, caller.as_ref(), place))
}

/// The records of your matches, the newest first
///
/// Also of those that only their players see. The form is that of `GET /players/{handle}/records`.
#[utoipa::path(get, path = "/me/records", tag = "identity", params(WhichRecords),
    responses((status = 200, description = "The records", content(
        (Record = "application/x-ndjson"), (String = "text/plain"))), NotFound))]
pub(super) async fn my_records(
    State(http): State<Http>,
    Guest(caller): Guest,
    Extension(address): Extension<ClientAddress>,
    Query(which): Query<WhichRecords>,
    accepted: HandlerResult<RecordsForm>,
) -> HandlerResult<Response> {
    let form = which.format.map_or(accepted, |named| Ok(named.into()))?;
    let place = http.app.open_stream(address)?;
    let reader = http.app.my_records(&caller, which.wanted(), form, address).await?;
    Ok(streamed(&http, form, reader, Some(&caller), place))
}

fn streamed(
    http: &Http,
    form: RecordsForm,
    reader: RecordsReader,
    caller: Option<&Caller>,
    place: OpenStream,
) -> Response {
    let kind = match form {
        RecordsForm::Ndjson => NDJSON,
        RecordsForm::Text => "text/plain; charset=utf-8",
    };
    let holder = caller.map(|caller| TokenHolder::new(&http.app, caller));
    let export = Export { reader, holder, closing: http.connections.open(), _place: place };
    ([(header::CONTENT_TYPE, kind)], export.into_body()).into_response()
}

/// An export that a client reads.
struct Export {
    reader: RecordsReader,
    holder: Option<TokenHolder>,
    closing: CancellationToken,
    _place: OpenStream,
}

impl Export {
    /// The body. What goes wrong breaks it off, so that nobody takes a part for the whole.
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
            holder.may_listen(false).await.map_err(broken_off)?;
        }
        tokio::select! {
            () = self.closing.cancelled() => Err(io::ErrorKind::ConnectionAborted.into()),
            next = self.reader.next() => next.map_err(broken_off),
        }
    }
}

fn broken_off(problem: Problem) -> io::Error {
    tracing::debug!(code = problem.code.as_str(), "an export was broken off");
    io::Error::other(problem.code.as_str())
}
