//! Pictures of boards, for previews of an address.

use axum::{
    Extension,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use lusoria_picture::Picture;
use lusoria_protocol::Game;
use lusoria_wire::catalogue;

use super::{address::Reader, head::NAME, of_match, site::Site, tagged::is_known};
use crate::{
    app::ClientAddress,
    http::{
        Http,
        error::HandlerResult,
        extract::{OfGame, OfMatch},
    },
};

/// How long a picture may be cached, in seconds.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=60");

/// The game that stands for all of them.
const FIRST: Game = Game::Zeno;

/// A match as it stands.
pub(super) async fn of_match(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    OfMatch(id): OfMatch,
    reader: Reader,
) -> HandlerResult<Response> {
    let state = http.app.snapshot(id, None).await?;
    let site = Site::now();
    let picture = of_match::picture(&site, reader.language(&site), &state);
    answer(&http, address, picture, reader.headers()).await
}

/// A game at its start.
pub(super) async fn of_game(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    OfGame(game): OfGame,
    reader: Reader,
) -> HandlerResult<Response> {
    let site = Site::now();
    let entry = catalogue::entry(game);
    let name = site.words().find(reader.language(&site), &format!("games.{game}")).unwrap_or(&entry.name);
    answer(&http, address, at_start(game, name), reader.headers()).await
}

/// The picture of the whole server.
pub(super) async fn of_all(
    State(http): State<Http>,
    Extension(address): Extension<ClientAddress>,
    reader: Reader,
) -> HandlerResult<Response> {
    answer(&http, address, at_start(FIRST, NAME), reader.headers()).await
}

fn at_start(game: Game, title: &str) -> Picture {
    let entry = catalogue::entry(game);
    Picture { entry, position: entry.start.clone(), title: title.to_owned(), players: Vec::new() }
}

async fn answer(
    http: &Http,
    address: ClientAddress,
    picture: Picture,
    headers: &HeaderMap,
) -> HandlerResult<Response> {
    let tag = HeaderValue::try_from(format!("\"{}\"", picture.fingerprint())).expect("digits in quotes");
    let mut answer = if is_known(&tag, headers) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, "image/png")], http.app.drawn(picture, address).await?).into_response()
    };
    let told = answer.headers_mut();
    told.insert(header::ETAG, tag);
    told.insert(header::CACHE_CONTROL, KEPT);
    told.insert(header::VARY, HeaderValue::from_static("accept-language"));
    Ok(answer)
}
