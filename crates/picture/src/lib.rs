//! The board of a match as a picture: what is shown of a match where its address is sent.
//!
//! It draws what the page draws (`web/board`), in its wooden look by daylight, from the geometry
//! of the catalogue and a position as it is on the wire. It knows no rules, and takes a processor
//! for about a tenth of a second: callers see to it that not too many are drawn at once.
//!
//! `zeno` is a rasteriser alone and depends on nothing. `resvg` would draw SVG that has to be written first, and brings
//! some twenty crates; `tiny-skia` brings six, one under a licence that `deny.toml` does not permit.

mod board;
mod canvas;
mod colours;
mod font;
mod frame;
mod layout;
mod men;
mod ornaments;
mod pieces;
mod png;
mod points;
mod rows;
mod slab;
mod tafl;

use lusoria_protocol::{CatalogueEntry, Position, SideName};
use sha2::{Digest, Sha256};

use canvas::Canvas;

/// How wide a picture is, in pixels: as previews of addresses are shown.
pub const WIDTH_PX: u32 = 1200;

/// How high a picture is, in pixels.
pub const HEIGHT_PX: u32 = 630;

/// How much of a digest tells pictures apart.
const FINGERPRINT_BYTES: usize = 16;

/// Changes with the drawing, so that a picture that was drawn differently is known to be another.
const FORM: u32 = 1;

/// What a picture shows.
#[derive(Debug, Clone)]
pub struct Picture {
    /// The game whose board it is.
    pub entry: &'static CatalogueEntry,
    /// How the pieces lie.
    pub position: Position,
    /// What stands over the board: the game, in the reader's language.
    pub title: String,
    /// Who plays, in the order of the game's sides. Nothing is written of a side without a player.
    pub players: Vec<Player>,
}

/// Who plays a side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// The side.
    pub side: SideName,
    /// What they are called. It is left out if the font lacks one of its characters.
    pub name: String,
    /// Whether they have won: a crown stands behind the name.
    pub has_won: bool,
}

impl Picture {
    /// The same for pictures that look the same, and for no others.
    pub fn fingerprint(&self) -> String {
        let Self { entry, position, title, players } = self;
        let mut digest = Sha256::new();
        let players: Vec<_> =
            players.iter().map(|player| (player.side, &player.name, player.has_won)).collect();
        digest.update(format!("{FORM} {} {title:?} {players:?} {position:?}", entry.id));
        let bytes: [u8; 32] = digest.finalize().into();
        bytes[..FINGERPRINT_BYTES].iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
    }

    /// Draws it, as a PNG of [`WIDTH_PX`] by [`HEIGHT_PX`] pixels.
    pub fn png(&self) -> Vec<u8> {
        let mut canvas = Canvas::new(WIDTH_PX, HEIGHT_PX, colours::GROUND);
        frame::draw(&mut canvas, self);
        png::encoded(&canvas)
    }
}
