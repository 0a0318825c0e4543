//! Parts of boards. One unit is the width of a cell; y grows downwards.

use lusoria_protocol::{Cell, Line, Order, Paths, Place, PlaceKind};
use lusoria_rules::{Game, Side};

use crate as wire;

/// The x of a column of twelve, from the left: six on either side of a gap.
pub(super) fn column_x(column: u8) -> f64 {
    f64::from(if column < 6 { column } else { column + 1 })
}

/// The middle of the gap between the sixth column and the seventh.
pub(super) const GAP_X: f64 = 6.5;

/// The x where the area to the right of the twelve columns begins.
pub(super) const BESIDE_X: f64 = 13.5;

/// A rectangle.
#[derive(Clone, Copy)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) w: f64,
    pub(super) h: f64,
}

pub(super) fn place(game: Game, kind: PlaceKind, side: Side, Area { x, y, w, h }: Area) -> Place {
    Place { kind, side: wire::side(game, side), x, y, w, h }
}

pub(super) const fn vertical(x: f64, y1: f64, y2: f64) -> Line {
    Line { x1: x, y1, x2: x, y2 }
}

/// The routes of both sides.
pub(super) fn paths(cells: &[Cell]) -> Paths {
    Paths { white: way(cells, |order| order.white), black: way(cells, |order| order.black) }
}

/// The cells of the route in the order of travel, by the number that `order` gives.
fn way(cells: &[Cell], order: impl Fn(&Order) -> u8) -> Vec<String> {
    let mut way: Vec<_> = cells.iter().filter_map(|cell| Some((order(cell.order.as_ref()?), cell))).collect();
    way.sort_by_key(|(number, _)| *number);
    way.into_iter().map(|(_, cell)| cell.id.clone()).collect()
}
