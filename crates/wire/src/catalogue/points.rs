//! Boards of twenty-four points. The sides go opposite ways: a side's cell n is the other's
//! 25 − n.

use lusoria_protocol::{Cell, CellNames, CellShape, Geometry, Line, Order, Place};

use super::geometry::{BESIDE_X, column_x, paths, vertical};

const HEIGHT: f64 = 11.0;
/// The length of a point.
pub(super) const POINT_H: f64 = 5.0;
/// The y where the lower points begin.
pub(super) const BOTTOM_Y: f64 = HEIGHT - POINT_H;
/// The x where the bar begins, between the tables.
pub(super) const BAR_X: f64 = 6.0;
const WIDTH: f64 = BESIDE_X + 4.0;

/// White's 1 to 12 from right to left along the bottom, 13 to 24 from left to right along the top. `number`
/// gives the number on a side's route of its own cell.
pub(super) fn cells(number: impl Fn(u8) -> u8) -> Vec<Cell> {
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

/// The board with these cells and places.
pub(super) fn geometry(cells: Vec<Cell>, places: Vec<Place>) -> Geometry {
    // The bar between the tables.
    let lines: Vec<Line> = [BAR_X, BAR_X + 1.0].map(|x| vertical(x, 0.0, HEIGHT)).to_vec();
    Geometry { width: WIDTH, height: HEIGHT, paths: Some(paths(&cells)), cells, places, lines }
}
