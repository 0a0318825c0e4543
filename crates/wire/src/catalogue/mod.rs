//! The catalogue of games, described so that a client can show and play them without knowing them.

mod entry;
mod games;
mod geometry;
mod options;
mod points;
mod presets;
mod squares;
mod threefold;

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use lusoria_protocol::{Catalogue, CatalogueEntry};
use lusoria_rules::Game;

static CATALOGUE: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue { games: Game::ALL.into_iter().map(entry::entry).collect() });

/// All games.
pub fn catalogue() -> &'static Catalogue {
    &CATALOGUE
}

/// One game.
pub fn entry(game: Game) -> &'static CatalogueEntry {
    let index =
        Game::ALL.into_iter().position(|known| known == game).expect("all games are in the catalogue");
    &CATALOGUE.games[index]
}
