//! The board itself, without trays: its size, and the places of its cells. Equivalent to `web/board/slab.js`
//! for a board in its natural direction.

use std::collections::BTreeMap;

use lusoria_protocol::{CatalogueEntry, Cell, CellShape, PlaceKind};

use crate::pieces::PlaceId;

/// The kind of a board, by its cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// Three rows of twelve.
    Rows,
    /// Twenty-four points.
    Points,
    /// Squares.
    Tafl,
}

impl Family {
    /// The kind of a game's board.
    pub(crate) fn of(entry: &CatalogueEntry) -> Self {
        match entry.board.cells[0].shape {
            CellShape::Circle => Self::Rows,
            CellShape::PointUp | CellShape::PointDown => Self::Points,
            CellShape::Square | CellShape::Throne | CellShape::Camp => Self::Tafl,
        }
    }

    /// The width of the frame at the sides, and above and below: it is wide where it contains numbers.
    pub(crate) const fn frame(self) -> (f32, f32) {
        match self {
            Self::Rows => (0.46, 0.46),
            Self::Points => (0.4, 0.56),
            Self::Tafl => (0.58, 0.58),
        }
    }

    /// The size of pieces.
    pub(crate) const fn piece_size(self) -> f32 {
        match self {
            Self::Rows => 0.88,
            Self::Points => 0.94,
            Self::Tafl => 0.8,
        }
    }
}

/// A rectangle, in units of a cell's width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Area {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) w: f32,
    pub(crate) h: f32,
}

impl Area {
    /// The rectangle within it.
    pub(crate) fn inset(self, across: f32, down: f32) -> Self {
        Self { x: self.x + across, y: self.y + down, w: self.w - 2.0 * across, h: self.h - 2.0 * down }
    }
}

/// The place of a cell's pieces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spot {
    /// The middle of the first piece.
    pub(crate) x: f32,
    pub(crate) y: f32,
    /// The direction of further pieces: 1 down, −1 up.
    pub(crate) down: f32,
    /// The distance between pieces where there is enough space.
    pub(crate) step: f32,
    /// The greatest distance between the last piece and the first.
    pub(crate) room: f32,
    /// The diameter of a piece.
    pub(crate) size: f32,
}

/// The space between the two ranks of points.
const BETWEEN: f32 = 0.7;

/// The height of the numbers below the cells of a row.
pub(crate) const LABEL_ROOM: f32 = 0.34;

/// The y of the middle row in the catalogue.
const MIDDLE_ROW_Y: f32 = 2.5;

/// The board with its cells.
pub(crate) struct Slab {
    /// The width with the frame.
    pub(crate) w: f32,
    pub(crate) h: f32,
    /// The width of the playing field. In rows it consists of the cells with the space above them.
    pub(crate) wide: f32,
    pub(crate) high: f32,
    pub(crate) spots: BTreeMap<PlaceId, Spot>,
}

impl Slab {
    /// The board whose rows are this far apart, or whose points are this long.
    pub(crate) fn of(entry: &CatalogueEntry, deep: f32) -> Self {
        let family = Family::of(entry);
        let wide = entry.board.cells.iter().map(|cell| single(cell.x)).fold(0.0, f32::max) + 1.0;
        let high = match family {
            Family::Rows => 3.0 + 3.0 * deep,
            Family::Points => 2.0 * deep + BETWEEN,
            Family::Tafl => wide,
        };
        let (side, end) = family.frame();
        let mut spots: BTreeMap<PlaceId, Spot> = entry
            .board
            .cells
            .iter()
            .map(|cell| (PlaceId::Cell(cell.id.clone()), spot(family, cell, deep)))
            .collect();
        let middle = middle(family, entry, &spots);
        for place in entry.board.places.iter().filter(|place| place.kind == PlaceKind::Bar) {
            let own = place.side == entry.sides[0].id;
            let spot = match family {
                Family::Rows => ring_spot(middle, own),
                Family::Points | Family::Tafl => {
                    bar_spot(single(place.x) + side, single(place.y), deep, middle.1)
                }
            };
            spots.insert(PlaceId::Beside(PlaceKind::Bar, place.side), spot);
        }
        Self { w: wide + 2.0 * side, h: high + 2.0 * end, wide, high, spots }
    }
}

/// The y of something in the catalogue, stretched by the depth.
fn deepened(family: Family, deep: f32, y: f32) -> f32 {
    match family {
        Family::Rows => (y - 0.5) / 2.0 * (1.0 + deep),
        Family::Points if y < 5.0 => 0.0,
        Family::Points => deep + BETWEEN,
        Family::Tafl => y,
    }
}

fn spot(family: Family, cell: &Cell, deep: f32) -> Spot {
    let (frame, end) = family.frame();
    let x = single(cell.x) + frame + 0.5;
    let top = deepened(family, deep, single(cell.y)) + end;
    let size = family.piece_size();
    match family {
        // Piles grow away from the number.
        Family::Rows => {
            let y = top + 1.0 + deep - LABEL_ROOM - 0.5;
            Spot { x, y, down: -1.0, step: 0.24, room: deep - LABEL_ROOM - 0.06, size }
        }
        Family::Points => {
            let up = cell.shape == CellShape::PointUp;
            let (y, down) = if up { (top + deep - 0.5, -1.0) } else { (top + 0.5, 1.0) };
            Spot { x, y, down, step: 0.95, room: deep - 1.05, size }
        }
        Family::Tafl => Spot { x, y: top + 0.5, down: -1.0, step: 0.2, room: 0.4, size },
    }
}

/// The middle of the board: in rows, of the middle row.
fn middle(family: Family, entry: &CatalogueEntry, spots: &BTreeMap<PlaceId, Spot>) -> (f32, f32) {
    let cells =
        entry.board.cells.iter().filter(|cell| family != Family::Rows || same(single(cell.y), MIDDLE_ROW_Y));
    let all: Vec<Spot> = cells.map(|cell| spots[&PlaceId::Cell(cell.id.clone())]).collect();
    let mean = |of: fn(&Spot) -> f32| all.iter().map(of).sum::<f32>() / few(all.len());
    (mean(|spot| spot.x), mean(|spot| spot.y))
}

/// A side's half of the ring in the middle.
fn ring_spot((x, y): (f32, f32), own: bool) -> Spot {
    let down = if own { 1.0 } else { -1.0 };
    Spot { x, y: y + down * 0.45, down, step: 0.14, room: 0.4, size: 0.8 }
}

/// Hit pieces are placed from the middle outwards.
fn bar_spot(x: f32, y: f32, deep: f32, middle_y: f32) -> Spot {
    let (_, end) = Family::Points.frame();
    let centre = deepened(Family::Points, deep, y) + end + deep / 2.0;
    let down = (centre - middle_y).signum();
    let inset = deep / 2.0 - 0.5;
    Spot { x: x + 0.5, y: centre - down * inset, down, step: 0.95, room: 2.0 * inset, size: 0.94 }
}

/// Whether two coordinates are equal, except for rounding.
pub(crate) fn same(one: f32, other: f32) -> bool {
    (one - other).abs() < 0.001
}

/// A coordinate of the catalogue.
#[expect(clippy::cast_possible_truncation, reason = "boards are a few units wide")]
pub(crate) const fn single(coordinate: f64) -> f32 {
    coordinate as f32
}

/// A small number as a float.
#[expect(clippy::cast_precision_loss, reason = "there are few")]
pub(crate) const fn few(count: usize) -> f32 {
    count as f32
}
