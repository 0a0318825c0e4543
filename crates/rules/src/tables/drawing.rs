//! Text drawings of the boards: rows of twelve cells.

use std::fmt::Write as _;

use super::{
    Position,
    pieces::{Pieces, Place},
};
use crate::Side;

/// Twelve cells drawn side by side, those of White's path that begin at `first`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    first: u8,
    leftward: bool,
}

/// The width of a cell in characters: "10W2B" is the longest content in a middle row.
const WIDTH: usize = 6;

impl Row {
    /// The path goes from left to right.
    pub(super) const fn rightward(first: u8) -> Self {
        Self { first, leftward: false }
    }

    /// The path goes from right to left.
    pub(super) const fn leftward(first: u8) -> Self {
        Self { first, leftward: true }
    }

    fn cells(self) -> impl Iterator<Item = Place> {
        (0..12).map(move |at| Place::cell(self.first + if self.leftward { 11 - at } else { at }))
    }
}

/// The rows from the top, then the pieces that are not on the board.
pub(super) fn board(position: &Position, rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        line(&mut text, row.cells().map(|cell| position.rules().name(cell).to_owned()));
        line(&mut text, row.cells().map(|cell| content(position, cell)));
        text.push('\n');
    }
    for side in Side::BOTH {
        beside(&mut text, position, side);
    }
    text
}

fn line(text: &mut String, cells: impl Iterator<Item = String>) {
    let start = text.len();
    for (at, cell) in cells.enumerate() {
        let gap = if at == 6 { "| " } else { "" };
        let _ = write!(text, "{gap}{cell:<WIDTH$}");
    }
    text.truncate(start + text[start..].trim_end().len());
    text.push('\n');
}

/// "3W", "2B", or both: the pieces on top first, a pinned piece after a slash.
fn content(position: &Position, cell: Place) -> String {
    let rules = position.rules();
    let (white, black) = (position.pieces(Side::White), position.pieces(Side::Black));
    let across = if cell.index() < rules.length() { rules.across(cell) } else { cell };
    let show = |pieces: &Pieces, cell, letter| match pieces.count(cell) {
        0 => String::new(),
        count => format!("{count}{letter}"),
    };
    let (whites, blacks) = (show(white, cell, 'W'), show(black, across, 'B'));
    match (whites.is_empty(), blacks.is_empty()) {
        (true, true) => ".".to_owned(),
        _ if white.pinned() & cell.bit() != 0 => format!("{blacks}/W"),
        _ if black.pinned() & across.bit() != 0 => format!("{whites}/B"),
        _ => whites + &blacks,
    }
}

fn beside(text: &mut String, position: &Position, side: Side) {
    let (rules, pieces) = (position.rules(), position.pieces(side));
    let letter = match side {
        Side::White => 'W',
        Side::Black => 'B',
    };
    let _ = write!(text, "{letter} {}:", rules.side_name(side));
    if rules.has_supply() {
        let _ = write!(text, " supply {},", pieces.count(Place::SUPPLY));
    }
    if rules.has_bar() {
        let _ = write!(text, " bar {},", pieces.count(Place::BAR));
    }
    let _ = write!(text, " off {}", pieces.count(Place::OFF));
    if pieces.exposed() {
        text.push_str(", exposed");
    }
    if position.to_move() == side {
        text.push_str(", to move");
    }
    text.push('\n');
}
