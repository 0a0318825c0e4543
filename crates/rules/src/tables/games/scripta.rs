//! Ludus XII scriptorum (rules/scripta.md).

use crate::{
    Variant,
    tables::{
        Position,
        drawing::{self, Row},
        rules::{Entering, Landing, Rules, Scoring, Waiting, Way},
    },
};

/// The rules with this option.
pub(crate) const fn rules(row_a_gate: bool) -> &'static Rules {
    static GATE: Rules = with(true);
    static OPEN: Rules = with(false);
    if row_a_gate { &GATE } else { &OPEN }
}

const CELLS: [&str; 36] = [
    "A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10", "A11", "A12", "B1", "B2", "B3", "B4", "B5",
    "B6", "C1", "C2", "C3", "C4", "C5", "C6", "D1", "D2", "D3", "D4", "D5", "D6", "E6", "E5", "E4", "E3",
    "E2", "E1",
];

/// The cells of row A (scripta 3).
const ROW_A: u8 = 12;

const fn with(row_a_gate: bool) -> Rules {
    Rules {
        variant: Variant::Scripta { row_a_gate },
        cells: &CELLS,
        way: Way::Same,
        dice: 2,
        triple: 0,
        opening_throw: false,
        entering: Entering::EachTurn { gate: if row_a_gate { Some(ROW_A) } else { None } },
        landing: Landing::Hit,
        waiting: Waiting::Bar,
        scoring: Scoring::Plain,
        drawing,
    }
}

/// Row A is the middle row; from its right end the path goes up, back along
/// the upper row, down at the left and along the lower row.
fn drawing(position: &Position) -> String {
    drawing::board(position, &[Row::leftward(12), Row::rightward(0), Row::rightward(24)])
}
