//! Tabula.

use lusoria_protocol::{Geometry, PlaceKind};
use lusoria_rules::{Game, Side};

use crate::catalogue::{
    entry::{About, Pace},
    geometry::{Area, BESIDE_X, place},
    points::{BAR_X, BOTTOM_Y, POINT_H, cells, geometry},
};

pub(super) fn about() -> About {
    About {
        name: "Tabula",
        description: "The late Roman race with three dice on twenty-four points, in which the sides go \
                      opposite ways: an ancestor of backgammon.",
        source: "Rules of tabula as published by Ludophinois",
        options: Vec::new(),
        board: board(),
        pace: Pace { typical_turns: 120, clocks: [(5, 4), (12, 8), (25, 15)], days: &[1, 3] },
    }
}

/// Both travel from their 1 up to their 24 (rules/tabula.md).
fn board() -> Geometry {
    let lies = |kind, side, x, y, w| place(Game::Tabula, kind, side, Area { x, y, w, h: POINT_H });
    let off_x = BESIDE_X + 2.0;
    geometry(
        cells(|name| name),
        vec![
            lies(PlaceKind::Supply, Side::White, BESIDE_X, BOTTOM_Y, 1.5),
            lies(PlaceKind::Supply, Side::Black, BESIDE_X, 0.0, 1.5),
            lies(PlaceKind::Bar, Side::White, BAR_X, BOTTOM_Y, 1.0),
            lies(PlaceKind::Bar, Side::Black, BAR_X, 0.0, 1.0),
            // White leaves the board from its 24, at the upper right; Black at the lower.
            lies(PlaceKind::Off, Side::White, off_x, 0.0, 1.5),
            lies(PlaceKind::Off, Side::Black, off_x, BOTTOM_Y, 1.5),
        ],
    )
}
