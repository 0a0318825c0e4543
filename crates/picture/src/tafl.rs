//! The board of a tafl game: squares, the throne in the middle, the camps at the sides.

use lusoria_protocol::CellShape;
use zeno::Transform;

use crate::{
    board::{Mark, rounded},
    canvas::{Canvas, svg},
    colours::SPECIAL,
    layout::Layout,
    ornaments::{Cut, diamond, knot},
    slab::{Area, single},
};

/// The distance of the letters and numbers from the edge of the slab.
const LABEL_EDGE: f32 = 0.26;

/// The special squares.
pub(crate) fn field(canvas: &mut Canvas, put: Transform, layout: &Layout) {
    for cell in layout.entry.board.cells.iter().filter(|cell| cell.shape != CellShape::Square) {
        let (x, y) = layout.put(single(cell.x), single(cell.y));
        canvas.fill(&rounded(Area { x, y, w: 1.0, h: 1.0 }, 0.01), put, SPECIAL);
    }
}

/// The grid and its marks.
pub(crate) fn marks(layout: &Layout) -> Vec<Mark> {
    let size = layout.wide;
    let (left, top) = layout.put(0.0, 0.0);
    let lines = std::iter::successors(Some(0.0), |at| Some(at + 1.0)).take_while(|at| *at < size + 0.5);
    let grid = lines.map(|n| format!("M{n} 0V{size}M0 {n}H{size}")).collect::<Vec<_>>().concat();
    let mut marks = vec![Mark::at((left, top), 1.0, Cut::of([svg(&grid)], []))];
    marks.extend(layout.entry.board.cells.iter().filter_map(|cell| {
        let spot = layout.spot(&cell.id);
        let cut = match cell.shape {
            CellShape::Throne => knot(),
            CellShape::Camp => diamond(),
            CellShape::Square | CellShape::Circle | CellShape::PointUp | CellShape::PointDown => return None,
        };
        Some(Mark::at((spot.x, spot.y), 1.0, cut))
    }));
    marks
}

/// Letters along the bottom, numbers along the left.
pub(crate) fn labels(layout: &Layout) -> Vec<(String, (f32, f32))> {
    let slab = layout.slab;
    let mut labels = Vec::new();
    for cell in &layout.entry.board.cells {
        let spot = layout.spot(&cell.id);
        let (letter, number) = cell.id.split_at(1);
        if number == "1" {
            labels.push((letter.to_owned(), (spot.x, slab.y + slab.h - LABEL_EDGE)));
        }
        if letter == "a" {
            labels.push((number.to_owned(), (slab.x + LABEL_EDGE, spot.y)));
        }
    }
    labels
}
