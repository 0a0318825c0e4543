//! Boards of three rows of twelve: zeno and scripta. Marks divide the rows into six tables
//! of six; both sides go the same way.

use lusoria_protocol::{Cell, CellNames, CellShape, Geometry, Order, Paths, Place, PlaceKind};
use lusoria_rules::{Game, Side};

use super::geometry::{Area, BESIDE_X, GAP_X, column_x, place, vertical, way};

const HEIGHT: f64 = 6.0;
const TOP_Y: f64 = 0.5;
const MIDDLE_Y: f64 = 2.5;
const BOTTOM_Y: f64 = 4.5;
const WIDTH: f64 = BESIDE_X + 4.0;

fn cell(name: String, table: &str, (column, y): (u8, f64), order: Option<u8>) -> Cell {
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

/// Outer cells 1–24 counter-clockwise from the upper right, middle cell m between outer m
/// and 25 − m (rules/zeno.md).
pub(super) fn zeno() -> Geometry {
    let mut cells = Vec::with_capacity(36);
    for number in 1..=24 {
        let (column, y) = if number <= 12 { (12 - number, TOP_Y) } else { (number - 13, BOTTOM_Y) };
        let table = ["I", "II", "III", "IV"][usize::from((number - 1) / 6)];
        cells.push(cell(number.to_string(), table, (column, y), Some(number)));
    }
    for number in 1..=12 {
        let table = if number <= 6 { "middle right" } else { "middle left" };
        cells.push(cell(format!("m{number}"), table, (12 - number, MIDDLE_Y), None));
    }
    geometry(Game::Zeno, cells, Vec::new())
}

/// Row A from the left to the right of the middle row, then B and C along the top from the
/// right to the left, D and E along the bottom from the left to the right (rules/scripta.md).
pub(super) fn scripta() -> Geometry {
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

fn geometry(game: Game, cells: Vec<Cell>, bars: Vec<Place>) -> Geometry {
    let beside = |kind, side, x, y| place(game, kind, side, Area { x, y, w: 1.5, h: 2.5 });
    let (supply_x, off_x) = (BESIDE_X, BESIDE_X + 2.0);
    let (black_y, white_y) = (0.25, 3.25);
    let mut places = vec![
        beside(PlaceKind::Supply, Side::White, supply_x, white_y),
        beside(PlaceKind::Off, Side::White, off_x, white_y),
        beside(PlaceKind::Supply, Side::Black, supply_x, black_y),
        beside(PlaceKind::Off, Side::Black, off_x, black_y),
    ];
    places.extend(bars);
    // The middle mark of scripta is the circle itself.
    let marked = match game {
        Game::Scripta => vec![TOP_Y, BOTTOM_Y],
        _ => vec![TOP_Y, MIDDLE_Y, BOTTOM_Y],
    };
    Geometry {
        width: WIDTH,
        height: HEIGHT,
        paths: Some(Paths {
            white: way(&cells, |order| order.white),
            black: way(&cells, |order| order.black),
        }),
        cells,
        places,
        lines: marked.into_iter().map(|y| vertical(GAP_X, y, y + 1.0)).collect(),
    }
}
