//! Pixels, and shapes that are filled or stroked on them.

use zeno::{Cap, Command, Fill, Join, Mask, PathBuilder, PathData, Style, Transform, Vector};

/// A shape made of lines and curves.
pub(crate) type Path = Vec<Command>;

/// A colour with its opacity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Colour {
    rgb: [u8; 3],
    cover: f32,
}

impl Colour {
    /// `0xRRGGBB`, opaque.
    pub(crate) const fn hex(rgb: u32) -> Self {
        let [_, red, green, blue] = rgb.to_be_bytes();
        Self { rgb: [red, green, blue], cover: 1.0 }
    }

    /// The same with this opacity: 0 nothing, 1 everything.
    pub(crate) const fn faint(self, cover: f32) -> Self {
        Self { cover, ..self }
    }

    /// A mixture: this colour at 0, another one at 1.
    fn towards(self, other: Self, part: f32) -> Self {
        let mixed = |a: u8, b: u8| mix(a, b, part);
        let [red, green, blue] = self.rgb;
        Self {
            rgb: [mixed(red, other.rgb[0]), mixed(green, other.rgb[1]), mixed(blue, other.rgb[2])],
            cover: self.cover + (other.cover - self.cover) * part,
        }
    }
}

/// The paint of a shape.
pub(crate) enum Paint {
    /// One colour.
    Plain(Colour),
    /// Colours from a centre outwards, in the coordinates of the shape.
    Radial {
        centre: (f32, f32),
        radius: f32,
        /// The colour stops, each with its part of the radius; the nearest first.
        stops: Vec<(f32, Colour)>,
    },
}

impl From<Colour> for Paint {
    fn from(colour: Colour) -> Self {
        Self::Plain(colour)
    }
}

/// A picture being drawn.
pub(crate) struct Canvas {
    width: u32,
    pixels: Vec<[u8; 3]>,
}

impl Canvas {
    /// A picture of one colour.
    pub(crate) fn new(width: u32, height: u32, ground: Colour) -> Self {
        Self { width, pixels: vec![ground.rgb; width as usize * height as usize] }
    }

    /// The rows of pixels, from the top.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[[u8; 3]]> {
        self.pixels.chunks_exact(self.width as usize)
    }

    /// Its width and height, in pixels.
    pub(crate) fn size(&self) -> (u32, u32) {
        let height = self.pixels.len() / self.width as usize;
        (self.width, u32::try_from(height).expect("a picture has few rows"))
    }

    /// Fills a shape, transformed by `put`.
    pub(crate) fn fill(&mut self, path: &Path, put: Transform, paint: impl Into<Paint>) {
        self.lay(path, put, Fill::NonZero, &paint.into());
    }

    /// Draws a line along a shape, `width` wide in its coordinates.
    pub(crate) fn stroke(&mut self, path: &Path, put: Transform, width: f32, colour: Colour) {
        let mut style = zeno::Stroke::new(width);
        style.cap(Cap::Round).join(Join::Round);
        self.lay(path, put, style, &colour.into());
    }

    fn lay<'a>(&mut self, path: &Path, put: Transform, style: impl Into<Style<'a>>, paint: &Paint) {
        let (mask, placed) = Mask::new(path).style(style).transform(Some(put)).render();
        let back = put.invert().unwrap_or_default();
        let (width, height) = self.size();
        for (row, covers) in (placed.top..).zip(mask.chunks_exact(placed.width.max(1) as usize)) {
            for (column, &cover) in (placed.left..).zip(covers) {
                let (Ok(x), Ok(y)) = (u32::try_from(column), u32::try_from(row)) else { continue };
                if cover == 0 || x >= width || y >= height {
                    continue;
                }
                let colour = paint.at(|| back.transform_point(Vector::new(middle(x), middle(y))));
                let pixel = &mut self.pixels[(y * width + x) as usize];
                let part = colour.cover * f32::from(cover) / 255.0;
                *pixel = [0, 1, 2].map(|channel| mix(pixel[channel], colour.rgb[channel], part));
            }
        }
    }
}

impl Paint {
    fn at(&self, point: impl FnOnce() -> Vector) -> Colour {
        match self {
            Self::Plain(colour) => *colour,
            Self::Radial { centre, radius, stops } => {
                let point = point();
                let far = (point.x - centre.0).hypot(point.y - centre.1) / radius;
                let after = stops.iter().position(|(at, _)| *at > far).unwrap_or(stops.len());
                match (after.checked_sub(1).map(|before| stops[before]), stops.get(after)) {
                    (Some((from, one)), Some((to, other))) => one.towards(*other, (far - from) / (to - from)),
                    (Some((_, only)), None) => only,
                    (None, first) => first.expect("a paint has colours").1,
                }
            }
        }
    }
}

/// The middle of a pixel.
#[expect(clippy::cast_precision_loss, reason = "a picture has few pixels in a row")]
fn middle(at: u32) -> f32 {
    at as f32 + 0.5
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is between two bytes")]
fn mix(from: u8, to: u8, part: f32) -> u8 {
    (f32::from(from) + (f32::from(to) - f32::from(from)) * part).round() as u8
}

/// A shape from an SVG path.
pub(crate) fn svg(path: &str) -> Path {
    path.commands().collect()
}

/// A circle around (0, 0).
pub(crate) fn circle(radius: f32) -> Path {
    let mut path = Path::new();
    path.add_circle((0.0, 0.0), radius);
    path
}

/// An ellipse around (0, 0).
pub(crate) fn ellipse(across: f32, down: f32) -> Path {
    let mut path = Path::new();
    path.add_ellipse((0.0, 0.0), across, down);
    path
}

/// A translation.
pub(crate) fn moved(x: f32, y: f32) -> Transform {
    Transform::translation(x, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Colour = Colour::hex(0x00ff_ffff);
    const BLACK: Colour = Colour::hex(0);

    fn row(canvas: &Canvas, row: usize) -> Vec<u8> {
        canvas.rows().nth(row).expect("a row").iter().map(|pixel| pixel[0]).collect()
    }

    #[test]
    fn a_shape_covers_its_pixels() {
        let mut canvas = Canvas::new(4, 2, WHITE);
        canvas.fill(&svg("M1 0H2.5V1H1Z"), Transform::IDENTITY, BLACK);
        assert_eq!(row(&canvas, 1), [255; 4]);
        let [left, whole, half, right] = row(&canvas, 0)[..] else { panic!("four pixels") };
        assert_eq!((left, whole, right), (255, 0, 255));
        assert!((120..=135).contains(&half), "{half}");
    }

    #[test]
    fn a_shape_is_clipped_at_the_edges() {
        let mut canvas = Canvas::new(2, 2, WHITE);
        canvas.fill(&svg("M-9-9H9V1H-9Z"), Transform::IDENTITY, BLACK);
        canvas.fill(&svg("M50 50H60V60H50Z"), Transform::IDENTITY, BLACK);
        assert_eq!((row(&canvas, 0), row(&canvas, 1)), (vec![0, 0], vec![255, 255]));
    }

    #[test]
    fn colours_that_cover_in_part_are_mixed() {
        let mut canvas = Canvas::new(1, 1, WHITE);
        canvas.fill(&svg("M0 0H1V1H0Z"), Transform::IDENTITY, BLACK.faint(0.25));
        assert_eq!(row(&canvas, 0), [191]);
    }

    #[test]
    fn a_gradient_goes_from_colour_to_colour() {
        let paint =
            Paint::Radial { centre: (0.0, 0.0), radius: 2.0, stops: vec![(0.0, BLACK), (1.0, WHITE)] };
        for (x, expected) in [(0.0, 0), (1.0, 128), (2.0, 255), (9.0, 255)] {
            assert_eq!(paint.at(|| Vector::new(x, 0.0)).rgb, [expected; 3], "{x}");
        }
    }
}
