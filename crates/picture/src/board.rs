//! Draws a board with its pieces: the wood, the carved marks, numbers, trays. Equivalent to
//! `web/board/ground.js`.

use lusoria_protocol::{PlaceKind, Position};
use zeno::Transform;

use crate::{
    canvas::{Canvas, Colour, Path, circle, moved, svg},
    colours::{BOWL, CUT, FIELD, FIRST, FRAME, LABEL, LETTER, LIT, NUMBER, SECOND, SHEEN, UNDER},
    font,
    layout::Layout,
    men,
    ornaments::Cut,
    pieces::{PlaceId, arranged},
    points, rows,
    slab::{Area, Family, LABEL_ROOM},
    tafl,
};

const CUT_LINE: f32 = 0.032;
const RIM_LINE: f32 = 0.035;

/// A mark carved into a board.
pub(crate) struct Mark {
    /// Its transformation to the board.
    pub(crate) put: Transform,
    pub(crate) cut: Cut,
    /// A hollow under it.
    pub(crate) bowl: Option<Path>,
    /// A letter in it.
    pub(crate) letter: Option<String>,
}

impl Mark {
    /// A mark at a point of the board, with this scale.
    pub(crate) fn at((x, y): (f32, f32), scale: f32, cut: Cut) -> Self {
        Self { put: Transform::scale(scale, scale).then_translate(x, y), cut, bowl: None, letter: None }
    }
}

/// Draws a board and its pieces. `put` transforms the board into the picture.
pub(crate) fn draw(canvas: &mut Canvas, put: Transform, layout: &Layout, position: &Position) {
    for (place, area) in &layout.trays {
        tray(canvas, put, layout, place, *area);
    }
    let slab = layout.slab;
    canvas.fill(&rounded(Area { y: slab.y + 0.07, ..slab }, 0.2), put, UNDER);
    plate(canvas, put, slab, 0.16, FRAME);
    canvas.fill(&rounded(slab, 0.16), put, SHEEN);
    let (side, end) = layout.family.frame();
    plate(canvas, put, slab.inset(side - 0.12, end - 0.12), 0.06, FIELD);
    let marks = match layout.family {
        Family::Rows => rows::marks(layout),
        Family::Points => {
            points::field(canvas, put, layout);
            points::marks(layout)
        }
        Family::Tafl => {
            tafl::field(canvas, put, layout);
            tafl::marks(layout)
        }
    };
    // Chiselled lines: a dark one, and the light on its edge.
    chiselled(canvas, moved(0.018, 0.025).then(&put), &marks, LIT, LIT);
    chiselled(canvas, put, &marks, CUT, LETTER);
    for (text, at) in labels(layout) {
        let colour = if layout.family == Family::Rows { NUMBER } else { LABEL };
        centred(canvas, put, &text, at, 0.34, colour);
    }
    for lies in arranged(layout, position) {
        men::draw(canvas, put, layout.family, &lies);
    }
}

/// A flat piece with rounded corners.
pub(crate) fn plate(canvas: &mut Canvas, put: Transform, area: Area, corner: f32, colour: Colour) {
    let shape = rounded(area, corner);
    canvas.fill(&shape, put, colour);
    canvas.stroke(&shape, put, RIM_LINE, CUT);
}

/// A rectangle with rounded corners.
pub(crate) fn rounded(Area { x, y, w, h }: Area, r: f32) -> Path {
    let (across, down) = (w - 2.0 * r, h - 2.0 * r);
    svg(&format!(
        "M{} {y}h{across}a{r} {r} 0 0 1 {r} {r}v{down}a{r} {r} 0 0 1 -{r} {r}h-{across}a{r} {r} 0 0 1 -{r} -{r}\
         v-{down}a{r} {r} 0 0 1 {r} -{r}Z",
        x + r
    ))
}

fn chiselled(canvas: &mut Canvas, put: Transform, marks: &[Mark], colour: Colour, letters: Colour) {
    for Mark { put: own, cut, bowl, letter } in marks {
        let put = own.then(&put);
        if let Some(bowl) = bowl {
            canvas.fill(bowl, put, BOWL);
        }
        for line in &cut.lines {
            canvas.stroke(line, put, CUT_LINE, colour);
        }
        for shape in &cut.filled {
            canvas.fill(shape, put, colour);
        }
        if let Some(letter) = letter {
            centred(canvas, put, letter, (0.0, 0.0), 0.62, letters);
        }
    }
}

/// A text centred on a point, with this height.
fn centred(canvas: &mut Canvas, put: Transform, text: &str, (x, y): (f32, f32), high: f32, colour: Colour) {
    // Capitals and digits are two thirds of the height.
    const MIDDLE: f32 = 0.325;
    let Some(written) = font::written(text, font::Voice::Title) else { return };
    let here = Transform::scale(high, high).then_translate(x - written.width * high / 2.0, y + MIDDLE * high);
    canvas.fill(&written.path, here.then(&put), colour);
}

fn tray(canvas: &mut Canvas, put: Transform, layout: &Layout, place: &PlaceId, area: Area) {
    let PlaceId::Beside(kind, side) = place else { return };
    canvas.fill(&rounded(Area { y: area.y + 0.05, ..area }, 0.2), put, UNDER);
    plate(canvas, put, area, 0.18, FRAME);
    let hollow = rounded(area.inset(0.1, 0.1), 0.3);
    canvas.fill(&hollow, put, BOWL);
    canvas.stroke(&hollow, put, 0.02, CUT);
    let man = if *side == layout.entry.sides[0].id { &FIRST } else { &SECOND };
    let spot = layout.spots[place];
    let here = moved(spot.x, spot.y).then(&put);
    canvas.fill(&circle(0.3), here, man.mid.faint(0.8));
    canvas.stroke(&circle(0.3), here, 0.03, man.cut.faint(0.8));
    canvas.stroke(&sign(*kind), here, 0.045, man.cut.faint(0.8));
}

/// The sign in an empty tray: pieces come from it, or have left.
fn sign(kind: PlaceKind) -> Path {
    svg(match kind {
        PlaceKind::Supply | PlaceKind::Bar => "M.14 0H-.14M-.03 -.12L-.15 0L-.03 .12",
        PlaceKind::Off => "M-.14 .01L-.03 .12L.14 -.11",
        PlaceKind::Captured => "M-.11 -.11L.11 .11M.11 -.11L-.11 .11",
    })
}

/// The labels beside the cells, with their places.
fn labels(layout: &Layout) -> Vec<(String, (f32, f32))> {
    let slab = layout.slab;
    let cells = layout.entry.board.cells.iter();
    if layout.family == Family::Tafl {
        return tafl::labels(layout);
    }
    let shown = cells.filter(|cell| !cell.table.as_ref().is_some_and(|table| table.starts_with("middle")));
    let label = |cell: &lusoria_protocol::Cell| {
        let spot = layout.spot(&cell.id);
        let text = cell.names.white.trim_start_matches(|c: char| c.is_ascii_uppercase()).to_owned();
        let y = match layout.family {
            Family::Rows => spot.y - spot.down * (0.46 + LABEL_ROOM / 2.0),
            Family::Points | Family::Tafl if spot.down > 0.0 => slab.y + 0.25,
            Family::Points | Family::Tafl => slab.y + slab.h - 0.25,
        };
        (text, (spot.x, y))
    };
    shown.map(label).collect()
}
