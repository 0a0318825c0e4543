//! A small sheet of characters, each with its colour.

use std::fmt::Write as _;

use lusoria_client::printable;

/// The widest drawing: what fits a terminal of eighty columns.
const WIDTH_MAX: usize = 80;

/// The tallest drawing.
const HEIGHT_MAX: usize = 24;

/// The style of drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Whether to use colours.
    pub colour: bool,
    /// Whether to use more than ASCII.
    pub unicode: bool,
}

/// The colour of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    Plain,
    /// Lines and labels.
    Dim,
    /// A piece of the side that is named first: White, the defenders.
    First,
    /// A piece of the other side.
    Second,
    /// Something that needs attention.
    Loud,
}

impl Paint {
    /// The terminal's code for it.
    const fn code(self) -> &'static str {
        match self {
            Self::Plain => "\u{1b}[0m",
            Self::Dim => "\u{1b}[0;2m",
            Self::First => "\u{1b}[0;1;33m",
            Self::Second => "\u{1b}[0;1;36m",
            Self::Loud => "\u{1b}[0;1m",
        }
    }
}

impl Style {
    /// The text in that colour, if colours are used.
    pub(crate) fn paint(self, paint: Paint, text: &str) -> String {
        if self.colour && !text.is_empty() {
            format!("{}{text}{}", paint.code(), Paint::Plain.code())
        } else {
            text.to_owned()
        }
    }

    /// The first argument with Unicode, otherwise the second.
    pub(crate) const fn either<T: Copy>(self, unicode: T, ascii: T) -> T {
        if self.unicode { unicode } else { ascii }
    }
}

/// A sheet of characters. Anything outside is cut off.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    rows: Vec<Vec<(char, Paint)>>,
}

impl Canvas {
    /// Writes a text from column `x` of line `y`, both from 0.
    pub(super) fn put(&mut self, x: usize, y: usize, paint: Paint, text: &str) {
        if y >= HEIGHT_MAX {
            return;
        }
        if self.rows.len() <= y {
            self.rows.resize_with(y + 1, Vec::new);
        }
        let row = &mut self.rows[y];
        // Labels are untrusted.
        for (at, letter) in (x..WIDTH_MAX).zip(printable(text).chars()) {
            if row.len() <= at {
                row.resize(at + 1, (' ', Paint::Plain));
            }
            row[at] = (letter, paint);
        }
    }

    /// Writes a text in the middle of `width` columns.
    pub(super) fn put_middle(&mut self, x: usize, width: usize, y: usize, paint: Paint, text: &str) {
        let clipped: String = printable(text).chars().take(width).collect();
        let spare = width.saturating_sub(clipped.chars().count());
        self.put(x + spare.div_ceil(2), y, paint, &clipped);
    }

    /// The lines, without spaces at their ends.
    pub(super) fn lines(&self, style: Style) -> Vec<String> {
        self.rows.iter().map(|row| line(row, style)).collect()
    }
}

fn line(row: &[(char, Paint)], style: Style) -> String {
    let length = row.iter().rposition(|(letter, _)| *letter != ' ').map_or(0, |last| last + 1);
    let mut text = String::new();
    let mut before = Paint::Plain;
    for &(letter, paint) in &row[..length] {
        if style.colour && paint != before && letter != ' ' {
            text.push_str(paint.code());
            before = paint;
        }
        text.push(letter);
    }
    if before != Paint::Plain {
        let _ = write!(text, "{}", Paint::Plain.code());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_outside_the_canvas_is_left_out() {
        let mut canvas = Canvas::default();
        canvas.put(78, 0, Paint::Plain, "abcdef");
        canvas.put(0, 24, Paint::Plain, "below");
        let plain = Style { colour: false, unicode: true };
        assert_eq!(canvas.lines(plain), [format!("{}ab", " ".repeat(78))]);
    }

    #[test]
    fn colours_begin_where_they_change_and_end_with_the_line() {
        let mut canvas = Canvas::default();
        canvas.put(0, 0, Paint::First, "oo");
        canvas.put(3, 0, Paint::Second, "x");
        let painted = canvas.lines(Style { colour: true, unicode: true });
        assert_eq!(painted, ["\u{1b}[0;1;33moo \u{1b}[0;1;36mx\u{1b}[0m"]);
        assert_eq!(canvas.lines(Style { colour: false, unicode: true }), ["oo x"]);
    }
}
