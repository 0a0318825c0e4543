//! One file for each game: its texts, its options, its board, its clocks.

mod scripta;
mod tablut;
mod tabula;
mod tavla;
mod zeno;

use lusoria_rules::Game;

use super::entry::About;

/// The description of a game.
pub(super) fn about(game: Game) -> About {
    match game {
        Game::Zeno => zeno::about(),
        Game::Tavla => tavla::about(),
        Game::Scripta => scripta::about(),
        Game::Tabula => tabula::about(),
        Game::Tablut => tablut::about(),
    }
}
