//! Boards with three rows of twelve. Marks divide the rows into six tables of six; both sides travel in the
//! same direction.

use lusoria_protocol::{Cell, CellNames, CellShape, Geometry, Order, Place, PlaceKind};
use lusoria_rules::{Game, Side};

use super::geometry::{Area, BESIDE_X, GAP_X, column_x, paths, place, vertical};

const HEIGHT: f64 = 6.0;
/// The y where the upper row begins.
pub(super) const TOP_Y: f64 = 0.5;
/// The y where the middle row begins.
pub(super) const MIDDLE_Y: f64 = 2.5;
/// The y where the lower row begins.
pub(super) const BOTTOM_Y: f64 = 4.5;
const WIDTH: f64 = BESIDE_X + 4.0;

/// A cell of a table, with its number on the route if it is on it.
pub(super) fn cell(name: String, table: &str, (column, y): (u8, f64), order: Option<u8>) -> Cell {
    Cell {
        names: CellNames { white: name.clone(), black: name.clone() },
        label: name.clone(),
        id: name,
        x: column_x(column),
        y,
        w: 1.0,
        h: 1.0,
        shape: CellShape::Circle,
        table: Some(table.to_owned()),
        order: order.map(|number| Order { white: number, black: number }),
    }
}

/// The board with these cells. The bars are where the mark of the middle row would be.
pub(super) fn geometry(game: Game, cells: Vec<Cell>, bars: Vec<Place>) -> Geometry {
    let beside = |kind, side, x, y| place(game, kind, side, Area { x, y, w: 1.5, h: 2.5 });
    let (supply_x, off_x) = (BESIDE_X, BESIDE_X + 2.0);
    let (black_y, white_y) = (0.25, 3.25);
    let mut places = vec![
        beside(PlaceKind::Supply, Side::White, supply_x, white_y),
        beside(PlaceKind::Off, Side::White, off_x, white_y),
        beside(PlaceKind::Supply, Side::Black, supply_x, black_y),
        beside(PlaceKind::Off, Side::Black, off_x, black_y),
    ];
    let marked = if bars.is_empty() { vec![TOP_Y, MIDDLE_Y, BOTTOM_Y] } else { vec![TOP_Y, BOTTOM_Y] };
    places.extend(bars);
    Geometry {
        width: WIDTH,
        height: HEIGHT,
        paths: Some(paths(&cells)),
        cells,
        places,
        lines: marked.into_iter().map(|y| vertical(GAP_X, y, y + 1.0)).collect(),
    }
}
