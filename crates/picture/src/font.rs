//! Text as shapes, in the typefaces of the page (`npm run vendor` puts them into `font`): Cinzel for titles, Alegreya for
//! names in Latin, Greek and Cyrillic letters.

use std::sync::LazyLock;

use ttf_parser::{Face, GlyphId, OutlineBuilder};
use zeno::{Command, PathBuilder, Point, Transform};

use crate::canvas::Path;

/// A typeface. Its files have different letters, and the first one that has a letter draws it.
#[derive(Clone, Copy)]
pub(crate) enum Voice {
    /// Cinzel, and Alegreya for what that lacks.
    Title,
    /// Alegreya.
    Text,
}

/// The file of titles first, then those of text.
static FACES: LazyLock<[Face<'static>; 8]> = LazyLock::new(|| {
    let files: [&[u8]; 8] = [
        include_bytes!("../font/cinzel/latin.ttf"),
        include_bytes!("../font/alegreya/latin.ttf"),
        include_bytes!("../font/alegreya/latin-ext.ttf"),
        include_bytes!("../font/alegreya/greek.ttf"),
        include_bytes!("../font/alegreya/greek-ext.ttf"),
        include_bytes!("../font/alegreya/cyrillic.ttf"),
        include_bytes!("../font/alegreya/cyrillic-ext.ttf"),
        include_bytes!("../font/alegreya/vietnamese.ttf"),
    ];
    files.map(|file| Face::parse(file, 0).expect("the fonts that come with us are sound"))
});

impl Voice {
    /// The letter, and the file that has it.
    fn glyph(self, character: char) -> Option<(&'static Face<'static>, GlyphId)> {
        let faces = match self {
            Self::Title => &FACES[..],
            Self::Text => &FACES[1..],
        };
        faces.iter().find_map(|face| Some((face, face.glyph_index(character)?)))
    }
}

/// The end of a text that is too long.
const CUT_OFF: char = '…';

/// A text as shapes, one unit high: the baseline is y = 0, x to the right and y down.
pub(crate) struct Written {
    /// Its letters.
    pub(crate) path: Path,
    /// How wide it is.
    pub(crate) width: f32,
}

/// The text as shapes; none if the typeface lacks one of its characters.
pub(crate) fn written(text: &str, voice: Voice) -> Option<Written> {
    let (mut path, mut width) = (Path::new(), 0.0);
    for character in text.chars() {
        let (face, glyph) = voice.glyph(character)?;
        let unit = 1.0 / f32::from(face.units_per_em());
        let mut outline =
            Outline { path: &mut path, put: Transform::scale(unit, -unit).then_translate(width, 0.0) };
        // A space has no outline.
        let _ = face.outline_glyph(glyph, &mut outline);
        width += f32::from(face.glyph_hor_advance(glyph).unwrap_or_default()) * unit;
    }
    Some(Written { path, width })
}

/// The text, cut off where it would be wider than this many units; none if the typeface lacks one of its
/// characters.
pub(crate) fn written_within(text: &str, voice: Voice, width_max: f32) -> Option<Written> {
    let whole = written(text, voice)?;
    if whole.width <= width_max {
        return Some(whole);
    }
    let mut kept: Vec<char> = text.chars().collect();
    while kept.pop().is_some() {
        let shorter: String = kept.iter().copied().chain([CUT_OFF]).collect();
        let shorter = written(&shorter, voice)?;
        if shorter.width <= width_max {
            return Some(shorter);
        }
    }
    None
}

/// Collects the outline of a glyph.
struct Outline<'a> {
    path: &'a mut Path,
    put: Transform,
}

impl Outline<'_> {
    fn point(&self, x: f32, y: f32) -> Point {
        self.put.transform_point(Point::new(x, y))
    }
}

impl OutlineBuilder for Outline<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let to = self.point(x, y);
        self.path.move_to(to);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let to = self.point(x, y);
        self.path.line_to(to);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (by, to) = (self.point(x1, y1), self.point(x, y));
        self.path.push(Command::QuadTo(by, to));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (one, other, to) = (self.point(x1, y1), self.point(x2, y2), self.point(x, y));
        self.path.push(Command::CurveTo(one, other, to));
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_languages_can_be_written() {
        for name in [
            "Ada",
            "Zoë Ångström",
            "Łukasz Żółć",
            "Αγαθίας",
            "Ἀγαθίας",
            "Владимир",
            "Қазақ",
            "Nguyễn",
            "n° 7 – “x”",
        ] {
            let text = written(name, Voice::Text).unwrap_or_else(|| panic!("{name} cannot be written"));
            assert!(text.width > 0.3 && !text.path.is_empty(), "{name}");
        }
    }

    #[test]
    fn a_text_with_an_unknown_character_is_not_written() {
        for name in ["王", "Ada 🙂", "שלום"] {
            assert!(written(name, Voice::Title).is_none(), "{name}");
        }
    }

    #[test]
    fn a_long_text_is_cut_off() {
        let long = "W".repeat(24);
        let short = written_within(&long, Voice::Text, 5.0).expect("letters");
        assert!(short.width <= 5.0 && short.width > 3.5, "{}", short.width);
        assert!(written_within("Ada", Voice::Text, 5.0).expect("letters").width < 2.0);
        assert!(written_within("Ada", Voice::Text, 0.1).is_none());
    }
}
