//! Tablut's board: nine by nine, files a–i from the left, ranks 1–9 from below
//! (rules/tablut.md).

use lusoria_protocol::{Cell, CellNames, CellShape, Geometry, PlaceKind};
use lusoria_rules::{Game, Side};

use super::geometry::{Area, place};

const SIZE: u8 = 9;
const THRONE: &str = "e5";
/// Where the attackers start: ordinary cells to the rules, but drawn on the board.
const CAMPS: [&str; 16] =
    ["d1", "e1", "f1", "e2", "d9", "e9", "f9", "e8", "a4", "a5", "a6", "b5", "i4", "i5", "i6", "h5"];

pub(super) fn tablut() -> Geometry {
    let beside = |side, y| {
        place(Game::Tablut, PlaceKind::Captured, side, Area { x: f64::from(SIZE) + 0.5, y, w: 2.0, h: 4.0 })
    };
    Geometry {
        width: f64::from(SIZE) + 2.5,
        height: f64::from(SIZE),
        cells: (1..=SIZE).flat_map(|rank| (0..SIZE).map(move |file| cell(file, rank))).collect(),
        places: vec![beside(Side::White, 0.0), beside(Side::Black, 5.0)],
        lines: Vec::new(),
        paths: None,
    }
}

fn cell(file: u8, rank: u8) -> Cell {
    let name = format!("{}{rank}", char::from(b'a' + file));
    let shape = match name.as_str() {
        THRONE => CellShape::Throne,
        camp if CAMPS.contains(&camp) => CellShape::Camp,
        _ => CellShape::Square,
    };
    Cell {
        names: CellNames { white: name.clone(), black: name.clone() },
        label: name.clone(),
        id: name,
        x: f64::from(file),
        y: f64::from(SIZE - rank),
        w: 1.0,
        h: 1.0,
        shape,
        table: None,
        order: None,
    }
}
