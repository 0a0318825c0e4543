//! Boards of twenty-four points: tavla and tabula. The sides go opposite ways: a side's
//! cell n is the other's 25 − n.

use lusoria_protocol::{Cell, CellNames, CellShape, Geometry, Line, Order, Paths, Place, PlaceKind};
use lusoria_rules::{Game, Side};

use super::geometry::{Area, BESIDE_X, column_x, place, vertical, way};

const HEIGHT: f64 = 11.0;
const POINT_H: f64 = 5.0;
const BOTTOM_Y: f64 = HEIGHT - POINT_H;
const WIDTH: f64 = BESIDE_X + 4.0;

/// Both travel from their 24 down to their 1 (rules/tavla.md).
pub(super) fn tavla() -> Geometry {
    let cells = cells(|name| 25 - name);
    let off = |side, y| place(Game::Tavla, PlaceKind::Off, side, Area { x: BESIDE_X, y, w: 1.5, h: POINT_H });
    geometry(cells, vec![off(Side::White, BOTTOM_Y), off(Side::Black, 0.0)])
}

/// Both travel from their 1 up to their 24 (rules/tabula.md).
pub(super) fn tabula() -> Geometry {
    let cells = cells(|name| name);
    let lies = |kind, side, x, y, w| place(Game::Tabula, kind, side, Area { x, y, w, h: POINT_H });
    let (bar_x, off_x) = (6.0, BESIDE_X + 2.0);
    geometry(
        cells,
        vec![
            lies(PlaceKind::Supply, Side::White, BESIDE_X, BOTTOM_Y, 1.5),
            lies(PlaceKind::Supply, Side::Black, BESIDE_X, 0.0, 1.5),
            lies(PlaceKind::Bar, Side::White, bar_x, BOTTOM_Y, 1.0),
            lies(PlaceKind::Bar, Side::Black, bar_x, 0.0, 1.0),
            // White leaves the board from its 24, at the upper right; Black at the lower.
            lies(PlaceKind::Off, Side::White, off_x, 0.0, 1.5),
            lies(PlaceKind::Off, Side::Black, off_x, BOTTOM_Y, 1.5),
        ],
    )
}

/// White's 1 to 12 from the right to the left along the bottom, 13 to 24 from the left to
/// the right along the top. `number` tells the number on the way of a side's own cell.
fn cells(number: impl Fn(u8) -> u8) -> Vec<Cell> {
    let cell = |white: u8| {
        let black = 25 - white;
        let below = white <= 12;
        Cell {
            id: white.to_string(),
            names: CellNames { white: white.to_string(), black: black.to_string() },
            label: white.to_string(),
            x: column_x(if below { 12 - white } else { white - 13 }),
            y: if below { BOTTOM_Y } else { 0.0 },
            w: 1.0,
            h: POINT_H,
            shape: if below { CellShape::PointUp } else { CellShape::PointDown },
            table: Some(["I", "II", "III", "IV"][usize::from((white - 1) / 6)].to_owned()),
            order: Some(Order { white: number(white), black: number(black) }),
        }
    };
    (1..=24).map(cell).collect()
}

fn geometry(cells: Vec<Cell>, places: Vec<Place>) -> Geometry {
    // The bar between the tables.
    let lines: Vec<Line> = [6.0, 7.0].map(|x| vertical(x, 0.0, HEIGHT)).to_vec();
    Geometry {
        width: WIDTH,
        height: HEIGHT,
        paths: Some(Paths {
            white: way(&cells, |order| order.white),
            black: way(&cells, |order| order.black),
        }),
        cells,
        places,
        lines,
    }
}
