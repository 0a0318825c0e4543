//! Draws pieces: counters of bone and of ebony, domes of glass, a crowned king. Equivalent to
//! `web/board/men.js`, around (0, 0) with a diameter of one.

use zeno::{Angle, Transform};

use crate::{
    canvas::{Canvas, Paint, circle, ellipse, moved, svg},
    colours::{EDGE_LIGHT, FIRST, GLOSS, KING, Man, SECOND, SHADE},
    font,
    ornaments::{cross, crown, hexafoil},
    pieces::{Lies, Looks},
    slab::Family,
};

const LINE: f32 = 0.028;
const OUTLINE: f32 = 0.016;

/// Draws a piece in its place. `board` transforms the board into the picture.
pub(crate) fn draw(canvas: &mut Canvas, board: Transform, family: Family, lies: &Lies) {
    let put = Transform::scale(lies.size, lies.size).then_translate(lies.x, lies.y).then(&board);
    piece(canvas, put, family, lies.looks);
    if let Some(count) = lies.count {
        number(canvas, put, lies.looks, count);
    }
}

/// Draws a piece, transformed by `put`.
pub(crate) fn piece(canvas: &mut Canvas, put: Transform, family: Family, looks: Looks) {
    match (looks, family) {
        (Looks::King, _) => king(canvas, put),
        (_, Family::Tafl) => dome(canvas, put, looks),
        (_, Family::Rows | Family::Points) => counter(canvas, put, looks),
    }
}

const fn colours(looks: Looks) -> &'static Man {
    match looks {
        Looks::First => &FIRST,
        Looks::Second => &SECOND,
        Looks::King => &KING,
    }
}

fn at(put: Transform, x: f32, y: f32) -> Transform {
    moved(x, y).then(&put)
}

fn shadow(canvas: &mut Canvas, put: Transform, (x, y): (f32, f32), across: f32, down: f32) {
    let stops = vec![(0.55, SHADE.faint(0.55)), (1.0, SHADE.faint(0.0))];
    let paint = Paint::Radial { centre: (0.0, 0.0), radius: across, stops };
    canvas.fill(&ellipse(across, down), at(put, x, y), paint);
}

fn face(man: &Man, radius: f32) -> Paint {
    // From the upper left: .36 and .3 of a box twice the radius wide.
    let centre = (-0.28 * radius, -0.4 * radius);
    Paint::Radial {
        centre,
        radius: 1.6 * radius,
        stops: vec![(0.0, man.high), (0.55, man.mid), (1.0, man.low)],
    }
}

fn body(canvas: &mut Canvas, put: Transform, man: &Man, (edge, face_y): (f32, f32), radius: f32) {
    canvas.fill(&circle(radius + 0.01), at(put, 0.0, edge), man.edge);
    canvas.fill(&circle(radius), at(put, 0.0, face_y), face(man, radius));
    canvas.stroke(&circle(radius), at(put, 0.0, face_y), OUTLINE, man.rim);
}

fn counter(canvas: &mut Canvas, put: Transform, looks: Looks) {
    let man = colours(looks);
    shadow(canvas, put, (0.05, 0.09), 0.56, 0.55);
    body(canvas, put, man, (0.035, -0.015), 0.47);
    let cut = at(put, 0.0, -0.015);
    if looks == Looks::First {
        for radius in [0.35, 0.13] {
            canvas.stroke(&circle(radius), at(put, 0.012, 0.004), LINE, EDGE_LIGHT);
        }
        for radius in [0.35, 0.13] {
            canvas.stroke(&circle(radius), cut, LINE, man.cut);
        }
        canvas.fill(&circle(0.035), cut, man.cut);
    } else {
        canvas.stroke(&circle(0.37), cut, LINE, man.cut);
        canvas.stroke(&hexafoil(0.31), cut, LINE, man.cut);
    }
}

fn gloss(canvas: &mut Canvas, put: Transform, (x, y): (f32, f32), (across, down): (f32, f32), degrees: f32) {
    let turned = Transform::rotation(Angle::from_degrees(degrees)).then_translate(x, y).then(&put);
    canvas.fill(&ellipse(across, down), turned, GLOSS);
}

fn dome(canvas: &mut Canvas, put: Transform, looks: Looks) {
    let man = colours(looks);
    shadow(canvas, put, (0.05, 0.09), 0.56, 0.55);
    body(canvas, put, man, (0.03, -0.01), 0.47);
    gloss(canvas, put, (-0.15, -0.21), (0.15, 0.09), -32.0);
    if looks == Looks::First {
        canvas.stroke(&circle(0.27), put, LINE, man.cut);
        canvas.fill(&circle(0.06), put, man.cut);
    } else {
        canvas.stroke(&cross(0.2), put, LINE, man.cut);
    }
}

fn king(canvas: &mut Canvas, put: Transform) {
    shadow(canvas, put, (0.06, 0.11), 0.66, 0.64);
    body(canvas, put, &KING, (0.04, -0.01), 0.55);
    canvas.stroke(&circle(0.46), at(put, 0.0, -0.01), 0.025, KING.cut);
    for line in [crown(), svg("M-.29 .27H.29")] {
        canvas.stroke(&line, put, 0.055, KING.cut);
    }
    gloss(canvas, put, (-0.2, -0.3), (0.13, 0.07), -35.0);
}

/// The number of a high pile, on its top piece.
fn number(canvas: &mut Canvas, put: Transform, looks: Looks, count: usize) {
    const HIGH: f32 = 0.52;
    let Some(written) = font::written(&count.to_string(), font::Voice::Title) else { return };
    let man = colours(looks);
    let put = Transform::scale(HIGH, HIGH).then_translate(-written.width * HIGH / 2.0, 0.155).then(&put);
    canvas.stroke(&written.path, put, 0.28, man.mid);
    canvas.fill(&written.path, put, man.count);
}
