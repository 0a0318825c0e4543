//! Ludus XII scriptorum.

use lusoria_protocol::{Geometry, PlaceKind};
use lusoria_rules::{Game, Side};

use crate::catalogue::{
    entry::{About, Pace},
    geometry::{Area, GAP_X, place},
    options::flag,
    threefold::{BOTTOM_Y, MIDDLE_Y, TOP_Y, cell, geometry},
};

pub(super) fn about() -> About {
    About {
        name: "Ludus XII scriptorum",
        description: "The Roman game of twelve points: a race with two dice over three rows of twelve, \
                      lettered A to E in the order of travel.",
        source: "Rules by U. Schädler, ERC Locus Ludi, after a board from Ostia (CIL XIV 5317)",
        options: vec![flag(
            "row_a_gate",
            "Whether pieces stay in row A until all fifteen have entered",
            ["they stay", "they may leave at any time"],
        )],
        board: board(),
        // A game of 280 turns at three days a turn could last for more than two years.
        pace: Pace { typical_turns: 280, clocks: [(5, 2), (12, 4), (25, 8)], days: &[1] },
    }
}

/// Row A from the left to the right of the middle row, then B and C along the top from the
/// right to the left, D and E along the bottom from the left to the right (rules/scripta.md).
fn board() -> Geometry {
    let mut cells = Vec::with_capacity(36);
    for number in 1..=12 {
        cells.push(cell(format!("A{number}"), "A", (number - 1, MIDDLE_Y), Some(number)));
    }
    for number in 1..=6 {
        cells.push(cell(format!("B{number}"), "B", (12 - number, TOP_Y), Some(12 + number)));
        cells.push(cell(format!("C{number}"), "C", (6 - number, TOP_Y), Some(18 + number)));
        cells.push(cell(format!("D{number}"), "D", (number - 1, BOTTOM_Y), Some(24 + number)));
        // E's number is the distance to the exit.
        cells.push(cell(format!("E{number}"), "E", (12 - number, BOTTOM_Y), Some(37 - number)));
    }
    cells.sort_by_key(|cell| cell.order.map(|order| order.white));
    // Hit pieces wait in the circle in the middle of the board (scripta 5).
    let bar =
        |side, y| place(Game::Scripta, PlaceKind::Bar, side, Area { x: GAP_X - 0.5, y, w: 1.0, h: 1.0 });
    let bars = vec![bar(Side::White, MIDDLE_Y + 0.5), bar(Side::Black, MIDDLE_Y - 0.5)];
    geometry(Game::Scripta, cells, bars)
}
