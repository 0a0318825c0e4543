//! What each game is.

use lusoria_protocol::{CatalogueEntry, Geometry, SideEntry};
use lusoria_rules::{Game, Position, Side, Variant};

use super::{
    options::options,
    presets::{presets, typical_turns},
    tables, tablut, threefold,
};
use crate as wire;

pub(super) fn entry(game: Game) -> CatalogueEntry {
    let about = About::of(game);
    let start = Position::start(Variant::standard(game));
    CatalogueEntry {
        id: wire::wire_game(game),
        name: about.name.to_owned(),
        description: about.description.to_owned(),
        source: about.source.to_owned(),
        rules_url: format!("/rules/{game}"),
        sides: Side::BOTH.map(|side| side_entry(game, side)).to_vec(),
        dice: u8::try_from(game.dice()).expect("a throw has at most three dice"),
        first_to_move: (!game.has_opening_throw()).then(|| wire::side(game, game.first_to_move())),
        opening_throw: game.has_opening_throw(),
        options: options(game),
        scores: match game {
            Game::Tavla => vec![1, 2],
            Game::Zeno | Game::Scripta | Game::Tabula | Game::Tablut => vec![1],
        },
        start: wire::position(&start.setup(), game),
        board: board(game),
        clock_presets: presets(game),
        typical_turns: typical_turns(game),
    }
}

/// The board of a game.
fn board(game: Game) -> Geometry {
    match game {
        Game::Zeno => threefold::zeno(),
        Game::Scripta => threefold::scripta(),
        Game::Tavla => tables::tavla(),
        Game::Tabula => tables::tabula(),
        Game::Tablut => tablut::tablut(),
    }
}

fn side_entry(game: Game, side: Side) -> SideEntry {
    let (name, pieces) = match (game, side) {
        (Game::Tablut, Side::White) => ("Defenders", 9),
        (Game::Tablut, Side::Black) => ("Attackers", 16),
        (Game::Zeno | Game::Tavla | Game::Scripta | Game::Tabula, Side::White) => ("White", 15),
        (Game::Zeno | Game::Tavla | Game::Scripta | Game::Tabula, Side::Black) => ("Black", 15),
    };
    SideEntry { id: wire::side(game, side), name: name.to_owned(), pieces }
}

struct About {
    name: &'static str,
    description: &'static str,
    source: &'static str,
}

impl About {
    const fn of(game: Game) -> Self {
        match game {
            Game::Zeno => Self {
                name: "Zeno's Tavli",
                description: "A race with three dice on three rows of twelve, in which both sides go the same \
                              way; the middle row holds the pieces that were hit. Reconstructed from the epigram \
                              on a ruinous throw of the emperor Zeno, Byzantium, 5th century.",
                source: "Rules by U. Schädler, ERC Locus Ludi, after Agathias (Greek Anthology IX.482)",
            },
            Game::Tavla => Self {
                name: "Tavla (Mahbousseh)",
                description: "A race with two dice in which a lone piece is not sent away but imprisoned under \
                              its enemy. Played around the eastern Mediterranean.",
                source: "Mahbousseh as described in the French Wikipedia, article Tavla",
            },
            Game::Scripta => Self {
                name: "Ludus XII scriptorum",
                description: "The Roman game of twelve points: a race with two dice over three rows of twelve, \
                              lettered A to E in the order of travel.",
                source: "Rules by U. Schädler, ERC Locus Ludi, after a board from Ostia (CIL XIV 5317)",
            },
            Game::Tabula => Self {
                name: "Tabula",
                description: "The late Roman race with three dice on twenty-four points, in which the sides go \
                              opposite ways: an ancestor of backgammon.",
                source: "Rules of tabula as published by Ludophinois",
            },
            Game::Tablut => Self {
                name: "Tablut",
                description: "A hunt on nine by nine squares: the king and his eight defenders break out to the \
                              edge, sixteen attackers stop them. Recorded in Lapland by Linnaeus in 1732.",
                source: "Linnaeus, Iter Lapponicum (1732), as retranslated by Ashton and Cartier and published by Jocari",
            },
        }
    }
}
