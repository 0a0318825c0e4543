//! The events of a match: a page of them, or a stream.

use axum::{
    Extension,
    extract::State,
    response::{IntoResponse, Response},
};
use serde::Deserialize;

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{Format, Limit, OfMatch, Query, Viewer},
    json::Json,
    streaming,
};
use crate::{
    app::{ClientAddress, within_head},
    live::Positions,
};

routes! {
    forms {
        Events: GET "/matches/{id}/events" => events,
    }
}

/// The page or stream of events.
#[derive(Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct WhichEvents {
    /// The number of the last event that you have: the response begins after it, with the first event if left out. A
    /// number beyond the last event is refused (`ahead_of_journal`).
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
    /// Whether the event of a turn has the position after it. True if left out.
    #[serde(default = "yes")]
    #[cfg_attr(test, param(required = false, default = true))]
    positions: bool,
}

const fn yes() -> bool {
    true
}

/// The events of a match
///
/// As JSON: a page of them, the first 100 after `since` unless `limit` says otherwise. If the last of them is not
/// `head` there are more: ask again with its number. As `application/x-ndjson`: one event a line, the existing ones
/// and then new ones, until the match has ended, with an empty line every 15 seconds.
#[cfg_attr(test, utoipa::path(get, path = "/matches/{id}/events", tag = "matches", params(MatchPath, WhichEvents),
    responses(
        (status = 200, description = "A page of events, or a stream of them", content(
            (Events = "application/json"), (Event = "application/x-ndjson")
        )),
        NotFound, Conflict
    )))]
pub(super) async fn events(
    State(http): State<Http>,
    Viewer(caller): Viewer,
    Extension(address): Extension<ClientAddress>,
    OfMatch(id): OfMatch,
    Query(WhichEvents { since, limit: Limit(limit), follow, positions }): Query<WhichEvents>,
    format: Format,
) -> HandlerResult<Response> {
    let positions = Positions::asked(positions);
    match format {
        Format::Json => {
            let events = http.app.events(id, since, limit, positions, caller.as_ref(), address).await?;
            within_head(since, events.head)?;
            Ok(Json(events).into_response())
        }
        Format::Ndjson => {
            streaming::of_match(&http, id, since, follow, positions, caller.as_ref(), address).await
        }
    }
}
