//! The lobby: the open matches.

use axum::{Extension, extract::State, response::Response};

#[cfg(test)]
use super::described::prelude::*;
use super::{Http, error::HandlerResult, extract::Format, streaming};
use crate::app::ClientAddress;

routes! {
    forms {
        LobbyEvents: GET "/lobby/events" => lobby_events,
    }
}

/// The lobby
///
/// As JSON: the matches that wait for an opponent. As `application/x-ndjson`: a notice `opened` a line for each of
/// them, and then `opened` and `closed` for each change, with an empty line every 15 seconds.
#[cfg_attr(test, utoipa::path(get, path = "/lobby/events", tag = "matches",
    responses((status = 200, description = "The open matches, or a stream of notices", content(
        (OpenMatches = "application/json"), (Notice = "application/x-ndjson")
    )))))]
pub(super) async fn lobby_events(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    format: Format,
) -> HandlerResult<Response> {
    streaming::lobby(&http, format, address).await
}
