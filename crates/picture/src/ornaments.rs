//! Ornaments of ancient boards, each around (0, 0) and about one unit large. Equivalent to
//! `web/board/ornaments.js`.

use std::fmt::Write;

use crate::canvas::{Path, circle, svg};

/// A carving: lines, and filled shapes.
#[derive(Default)]
pub(crate) struct Cut {
    pub(crate) lines: Vec<Path>,
    pub(crate) filled: Vec<Path>,
}

impl Cut {
    /// These lines and shapes.
    pub(crate) fn of<const L: usize, const F: usize>(lines: [Path; L], filled: [Path; F]) -> Self {
        Self { lines: lines.into(), filled: filled.into() }
    }
}

/// Six petals in a circle, as stonecutters draw them with compasses.
pub(crate) fn hexafoil(radius: f32) -> Path {
    petals(6, radius)
}

/// Petals between arcs around points on a circle.
fn petals(count: u8, radius: f32) -> Path {
    let mut path = String::new();
    for n in 0..count {
        let angle = f32::from(n) * std::f32::consts::TAU / f32::from(count);
        let (x, y) = (radius * angle.cos(), radius * angle.sin());
        let arcs = format!("M0 0A{radius} {radius} 0 0 1 {x:.3} {y:.3}A{radius} {radius} 0 0 1 0 0Z");
        path.write_str(&arcs).expect("text takes what is written");
    }
    svg(&path)
}

/// A rosette: petals in two rings.
pub(crate) fn rosette() -> Cut {
    Cut::of([circle(0.46), circle(0.4)], [hexafoil(0.38)])
}

/// An ivy leaf on its stalk, the stop between words in inscriptions.
pub(crate) fn ivy() -> Cut {
    let leaf = "M0 .2C-.2 .02 -.36 -.02 -.34 -.2C-.32 -.34 -.12 -.36 0 -.2C.12 -.36 .32 -.34 .34 -.2C.36 -.02 .2 .02 0 .2Z";
    Cut::of([svg("M0 -.16L0 .2C.01 .36 .1 .42 .2 .38M0 -.02L-.16 -.14M0 -.02L.16 -.14")], [svg(leaf)])
}

/// A crown.
pub(crate) fn crown() -> Path {
    svg("M-.29 .2V-.13L-.15 .02L0 -.25L.15 .02L.29 -.13V.2Z")
}

/// Two half circles, back to back.
pub(crate) fn halves() -> Cut {
    Cut::of(
        [svg("M-.42 -.34A.34 .34 0 0 1 -.42 .34ZM.42 -.34A.34 .34 0 0 0 .42 .34Z")],
        [svg("M-.42 -.14A.14 .14 0 0 1 -.42 .14ZM.42 -.14A.14 .14 0 0 0 .42 .14Z")],
    )
}

/// The cross of a throne, its arms ending in knots.
pub(crate) fn knot() -> Cut {
    Cut::of([svg("M-.3 -.3H.3V.3H-.3ZM0 -.44L.44 0L0 .44L-.44 0Z")], [petals(4, 0.2)])
}

/// A star of eight for marquetry.
pub(crate) fn star() -> Cut {
    Cut::of(
        [svg("M-.3 -.3L-.1 -.16M.3 -.3L.1 -.16M.3 .3L.1 .16M-.3 .3L-.1 .16"), circle(0.32)],
        [svg("M0 -.5L.12 -.12L.5 0L.12 .12L0 .5L-.12 .12L-.5 0L-.12 -.12Z")],
    )
}

/// A diamond, where the attackers of a tafl game begin.
pub(crate) fn diamond() -> Cut {
    Cut::of([svg("M-.2 0L0 -.2L.2 0L0 .2Z")], [])
}

/// A cross.
pub(crate) fn cross(arm: f32) -> Path {
    svg(&format!("M-{arm} -{arm}L{arm} {arm}M{arm} -{arm}L-{arm} {arm}"))
}
