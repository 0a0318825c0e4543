//! The board of twenty-four points: arrows of inlaid wood, or slender arches.

use lusoria_protocol::{Cell, Game};
use zeno::{Angle, Transform};

use crate::{
    board::{Mark, plate},
    canvas::{Canvas, Path, svg},
    colours::{DARK_POINT, FRAME, LIGHT_POINT},
    layout::Layout,
    ornaments::{Cut, rosette, star},
    slab::Area,
};

/// The points in their two colours, and the bar.
pub(crate) fn field(canvas: &mut Canvas, put: Transform, layout: &Layout) {
    let (x, y) = layout.put(6.06, -0.12);
    plate(canvas, put, Area { x, y, w: 0.88, h: layout.high + 0.24 }, 0.01, FRAME);
    for (index, cell) in layout.entry.board.cells.iter().enumerate() {
        let colour = if index % 2 == 0 { DARK_POINT } else { LIGHT_POINT };
        canvas.fill(&shape(layout), placed(layout, cell).then(&put), colour);
    }
}

/// The carved marks.
pub(crate) fn marks(layout: &Layout) -> Vec<Mark> {
    let outline = |cell: &Cell| Mark {
        put: placed(layout, cell),
        cut: Cut::of([shape(layout)], []),
        bowl: None,
        letter: None,
    };
    let mut marks: Vec<Mark> = layout.entry.board.cells.iter().map(outline).collect();
    let sign = if has_arches(layout) { rosette } else { star };
    let middle = layout.high / 2.0;
    marks.extend([3.0, 10.0].map(|x| Mark::at(layout.put(x, middle), 0.62, sign())));
    marks.push(Mark::at(layout.put(layout.wide / 2.0, middle), 0.5, rosette()));
    marks
}

fn has_arches(layout: &Layout) -> bool {
    layout.entry.id == Game::Tabula
}

/// From the edge towards the middle of the board.
fn placed(layout: &Layout, cell: &Cell) -> Transform {
    let spot = layout.spot(&cell.id);
    let turned = if spot.down > 0.0 { 180.0 } else { 0.0 };
    let outwards = Transform::translation(0.0, 0.5);
    outwards.then(&Transform::rotation(Angle::from_degrees(turned))).then_translate(spot.x, spot.y)
}

/// A point whose foot is in the middle below.
fn shape(layout: &Layout) -> Path {
    let spot = layout.spot(&layout.entry.board.cells[0].id);
    let long = spot.room + 1.05 - 0.15;
    if has_arches(layout) {
        let straight = 0.4 - long;
        svg(&format!("M-.4 0V{straight}A.4 .4 0 0 1 .4 {straight}V0Z"))
    } else {
        svg(&format!("M-.46 0L0 -{long}L.46 0Z"))
    }
}
