//! The catalogue entry of a game.

use lusoria_protocol::{CatalogueEntry, Geometry, OptionEntry, SideEntry};
use lusoria_rules::{Game, Position, Side, Variant};

use super::{games, presets::presets};
use crate as wire;

/// The description of a game apart from its rules.
pub(super) struct About {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) source: &'static str,
    pub(super) options: Vec<OptionEntry>,
    pub(super) board: Geometry,
    pub(super) pace: Pace,
}

/// The length of a game, and the clocks that suit it.
pub(super) struct Pace {
    /// How many turns a simulated game has on average, of both sides together.
    pub(super) typical_turns: u32,
    /// Minutes at the start and seconds for each turn: quick, normal, slow. A long game has short turns. A
    /// turn with three dice needs more thought than one with two.
    pub(super) clocks: [(u64, u64); 3],
    /// Days for each turn.
    pub(super) days: &'static [u8],
}

pub(super) fn entry(game: Game) -> CatalogueEntry {
    let about = games::about(game);
    let start = Position::start(Variant::standard(game));
    CatalogueEntry {
        id: game,
        name: about.name.to_owned(),
        description: about.description.to_owned(),
        source: about.source.to_owned(),
        rules_url: format!("/rules/{game}"),
        sides: Side::BOTH.map(|side| side_entry(game, side)).to_vec(),
        dice: u8::try_from(game.dice()).expect("a throw has at most three dice"),
        first_to_move: (!game.has_opening_throw()).then(|| wire::side(game, game.first_to_move())),
        opening_throw: game.has_opening_throw(),
        options: about.options,
        scores: game.scores().to_vec(),
        rated_in_pairs: game.is_rated_in_pairs(),
        start: wire::position(&start.setup(), game),
        board: about.board,
        clock_presets: presets(&about.pace),
        typical_turns: about.pace.typical_turns,
    }
}

fn side_entry(game: Game, side: Side) -> SideEntry {
    let (first, rest) = game.side_name(side).split_at(1);
    let name = format!("{}{rest}", first.to_uppercase());
    SideEntry { id: wire::side(game, side), name, pieces: game.pieces(side) }
}
