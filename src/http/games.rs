//! The catalogue of games.

use std::sync::LazyLock;

use axum::{
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use lusoria_protocol::{Game, ToJson};

#[cfg(test)]
use super::described::prelude::*;
use super::{
    extract::OfGame,
    web::{Kind, Packed},
};
use lusoria_wire::catalogue;

routes! {
    json {
        Games: GET "/games" => games,
        Game: GET "/games/{game}" => game,
    }
}

/// The catalogue changes only with the server's version.
const FOR_AN_HOUR: [(header::HeaderName, &str); 1] = [(header::CACHE_CONTROL, "public, max-age=3600")];

/// Compressed once, because every page requests it and it is long.
static ALL: LazyLock<Packed> = LazyLock::new(|| {
    let text = catalogue::catalogue().to_json();
    Packed::new(Kind::JSON, text)
});

/// Each game by itself: a match requests its own.
static EACH: LazyLock<Vec<(Game, Packed)>> = LazyLock::new(|| {
    let packed = |game| (game, Packed::new(Kind::JSON, catalogue::entry(game).to_json()));
    Game::ALL.map(packed).into()
});

/// All games
///
/// With their options, sides, dice, suitable clocks, and boards exact enough to draw them without knowing the game.
#[cfg_attr(test, utoipa::path(get, path = "/games", tag = "games",
    responses((status = 200, description = "All games", body = Catalogue))))]
pub(super) async fn games(headers: HeaderMap) -> Response {
    (FOR_AN_HOUR, ALL.answer(&headers)).into_response()
}

/// One game
#[cfg_attr(test, utoipa::path(get, path = "/games/{game}", tag = "games", params(GamePath),
    responses((status = 200, description = "The game", body = CatalogueEntry), NotFound)))]
pub(super) async fn game(OfGame(game): OfGame, headers: HeaderMap) -> Response {
    let (_, entry) = EACH.iter().find(|(of, _)| *of == game).expect("each game is among all");
    (FOR_AN_HOUR, entry.answer(&headers)).into_response()
}
