//! Boards of squares: files a, b, c … from the left, ranks 1, 2, 3 … from below, and the throne
//! in the middle.

use lusoria_protocol::{Cell, CellNames, CellShape, Geometry, PlaceKind};
use lusoria_rules::{Game, Side};

use super::geometry::{Area, place};

/// The board of a tafl game with this many ranks. `camps` are the cells where the attackers start: ordinary
/// cells for the rules, but drawn on the board.
pub(super) fn squares(game: Game, size: u8, camps: &[&str]) -> Geometry {
    let beside = |side, y| {
        place(game, PlaceKind::Captured, side, Area { x: f64::from(size) + 0.5, y, w: 2.0, h: 4.0 })
    };
    Geometry {
        width: f64::from(size) + 2.5,
        height: f64::from(size),
        cells: (1..=size).flat_map(|rank| (0..size).map(move |file| cell(size, file, rank, camps))).collect(),
        places: vec![beside(Side::White, 0.0), beside(Side::Black, f64::from(size) - 4.0)],
        lines: Vec::new(),
        paths: None,
    }
}

fn cell(size: u8, file: u8, rank: u8, camps: &[&str]) -> Cell {
    let name = format!("{}{rank}", char::from(b'a' + file));
    let is_throne = (file, rank) == (size / 2, size / 2 + 1);
    let shape = if is_throne {
        CellShape::Throne
    } else if camps.contains(&name.as_str()) {
        CellShape::Camp
    } else {
        CellShape::Square
    };
    Cell {
        names: CellNames { white: name.clone(), black: name.clone() },
        label: name.clone(),
        id: name,
        x: f64::from(file),
        y: f64::from(size - rank),
        w: 1.0,
        h: 1.0,
        shape,
        table: None,
        order: None,
    }
}
