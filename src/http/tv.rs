//! TV: the present match of each channel.

use axum::{Extension, extract::State, response::Response};

#[cfg(test)]
use super::described::prelude::*;
use super::{Http, error::HandlerResult, extract::Format, streaming};
use crate::app::ClientAddress;

routes! {
    forms {
        Tv: GET "/tv" => tv,
    }
}

/// TV
///
/// One channel for each game: the most interesting public match in progress, or the last one. As JSON: the match of
/// each channel. As `application/x-ndjson`: a notice `tv_switched` a line for each channel, and then one whenever a
/// channel changes its match or its match has ended, with an empty line every 15 seconds.
#[cfg_attr(test, utoipa::path(get, path = "/tv", tag = "matches",
    responses((status = 200, description = "The channels, or a stream of notices", content(
        (Tv = "application/json"), (Notice = "application/x-ndjson")
    )))))]
pub(super) async fn tv(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    format: Format,
) -> HandlerResult<Response> {
    streaming::tv(&http, format, address).await
}
