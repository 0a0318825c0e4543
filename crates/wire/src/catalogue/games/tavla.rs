//! Tavla, Mahbousseh.

use lusoria_protocol::{Geometry, PlaceKind};
use lusoria_rules::{Game, Side};

use crate::catalogue::{
    entry::{About, Pace},
    geometry::{Area, BESIDE_X, place},
    options::words,
    points::{BOTTOM_Y, POINT_H, cells, geometry},
};

pub(super) fn about() -> About {
    About {
        name: "Tavla (Mahbousseh)",
        description: "A race with two dice in which a lone piece is not sent away but imprisoned under \
                      its enemy. Played around the eastern Mediterranean.",
        source: "Mahbousseh as described in the French Wikipedia, article Tavla",
        options: vec![words(
            "mother",
            "What it means that a side's piece is pinned on its own starting cell",
            [
                ("play_on", "nothing: the game goes on"),
                ("double_loss", "that side loses double, once the other side has left its own starting cell"),
            ],
        )],
        board: board(),
        pace: Pace { typical_turns: 90, clocks: [(4, 4), (10, 8), (20, 20)], days: &[1, 3] },
    }
}

/// Both travel from their 24 down to their 1 (rules/tavla.md).
fn board() -> Geometry {
    let off = |side, y| place(Game::Tavla, PlaceKind::Off, side, Area { x: BESIDE_X, y, w: 1.5, h: POINT_H });
    geometry(cells(|name| 25 - name), vec![off(Side::White, BOTTOM_Y), off(Side::Black, 0.0)])
}
