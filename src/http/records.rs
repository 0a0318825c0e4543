//! Records of matches, also those that a client sends.

use std::time::{Duration, Instant};

use axum::{
    Extension,
    extract::{Request, State},
    http::header,
    response::{IntoResponse, Response},
};
use lusoria_protocol::{Problem, ToJson};
use serde::Deserialize;

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{OfMatch, Query, RecordForm, sent_record},
    json::{Json, of_bytes},
};
use crate::app::ClientAddress;
use lusoria_records::{judged, text};

routes! {
    sent {
        Judge: POST "/records" => judge,
    }
    forms {
        Record: GET "/matches/{id}/record" => record,
    }
}

/// The timeout for judging a record.
const JUDGED_WITHIN: Duration = Duration::from_secs(4);

/// The contents of a record.
#[derive(Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct WhichRecord {
    /// Whether to include the analysis of the match, if it is ready; in JSON only. False if left out.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, default = false))]
    analysis: bool,
    /// `json` or `text`, where `Accept` cannot be set; it takes precedence over `Accept`.
    #[serde(default)]
    #[cfg_attr(test, param(required = false, inline))]
    format: Option<RecordForm>,
}

/// The record of a match
///
/// The whole match with the seeds, and with the secrets of finished games: to keep, cite, replay, and verify the
/// dice. As JSON, or as text for people (docs/record.md).
#[cfg_attr(test, utoipa::path(get, path = "/matches/{id}/record", tag = "matches", params(MatchPath, WhichRecord),
    responses((status = 200, description = "The record", content(
        (Record = "application/json"), (String = "text/plain"))), NotFound)))]
pub(super) async fn record(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    OfMatch(id): OfMatch,
    Query(WhichRecord { analysis, format }): Query<WhichRecord>,
    accepted: Result<RecordForm, super::error::Failure>,
) -> HandlerResult<Response> {
    let form = format.map_or(accepted, Ok)?;
    let record = match form {
        RecordForm::Json if analysis => http.app.record_with_analysis(id, address).await?,
        RecordForm::Json | RecordForm::Text => http.app.record(id, address).await?,
    };
    match form {
        RecordForm::Json => Ok(Json(record).into_response()),
        RecordForm::Text => {
            let text = http.app.in_background(move || text::write(&record)).await?;
            Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
        }
    }
}

/// Judge a record
///
/// Judges a record that you send: the dice, every turn and the results. Returns it as JSON to be shown. Nothing is
/// stored. It may also be sent as `text/plain`: a text of the form `lusoria-text-1` (docs/record.md), which a schema
/// cannot describe.
#[cfg_attr(test, utoipa::path(post, path = "/records", tag = "matches",
    request_body = Record,
    responses((status = 200, description = "The record and its faults", body = JudgedRecord))))]
pub(super) async fn judge(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    request: Request,
) -> HandlerResult<Response> {
    let sent = http.app.admit_record(address).await?;
    let bytes = sent_record(request, &http).await?;
    let judge = move || {
        let begun = Instant::now();
        let told = judged(&bytes, &|| begun.elapsed() < JUDGED_WITHIN)?;
        // Serialised here too, because the response may have megabytes.
        Ok::<_, Problem>(told.to_json())
    };
    let told = http.app.judging(address, sent, judge).await??;
    Ok(of_bytes(told))
}
