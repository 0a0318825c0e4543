//! Draws the board of a match as a picture, for previews of links to it.
//!
//! It draws what the page draws (`web/board`), as a wooden board by daylight, from the geometry of the
//! catalogue and a position of the wire. It knows no rules. A picture takes one processor for about a tenth
//! of a second, so callers must limit how many are drawn at once.
//!
//! `zeno` is only a rasteriser and has no dependencies. `resvg` would draw SVG that has to be written first,
//! and needs some twenty crates; `tiny-skia` needs six, one under a licence that `deny.toml` does not permit.

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

/// The width of a picture, in pixels: the size of link previews.
pub const WIDTH_PX: u32 = 1200;

/// The height of a picture, in pixels.
pub const HEIGHT_PX: u32 = 630;

/// How many bytes of a digest identify a picture.
const FINGERPRINT_BYTES: usize = 16;

/// The version of the drawing, so that a picture drawn differently has another fingerprint.
const FORM: u32 = 1;

/// The content of a picture.
#[derive(Debug, Clone)]
pub struct Picture {
    /// The game whose board it is.
    pub entry: &'static CatalogueEntry,
    /// The position.
    pub position: Position,
    /// The title above the board: the game, in the reader's language.
    pub title: String,
    /// The players, in the order of the game's sides. A side without a player has no text.
    pub players: Vec<Player>,
}

/// A player of a side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// The side.
    pub side: SideName,
    /// Their name. It is left out if the font lacks one of its characters.
    pub name: String,
    /// Whether they have won: a crown follows the name.
    pub has_won: bool,
}

impl Picture {
    /// Equal for pictures that look the same, and only for those.
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
