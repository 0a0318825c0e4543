//! Zeno's Tavli (rules/zeno.md).

use crate::{
    Shift, Variant,
    tables::{
        Position,
        drawing::{self, Row},
        rules::{Entering, Landing, Rules, Scoring, Waiting, Way},
    },
};

/// The rules with this option.
pub(crate) const fn rules(shift: Shift) -> &'static Rules {
    static THROW: Rules = with(Shift::Throw);
    static DIE: Rules = with(Shift::Die);
    match shift {
        Shift::Throw => &THROW,
        Shift::Die => &DIE,
    }
}

const CELLS: [&str; 24] = [
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19",
    "20", "21", "22", "23", "24",
];

const MIDDLE: [&str; 12] = ["m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10", "m11", "m12"];

/// The cells of the first phase, which shelter blots (zeno 2, 3).
const FIRST_TABLE: u8 = 6;

const fn with(shift: Shift) -> Rules {
    Rules {
        variant: Variant::Zeno { shift },
        cells: &CELLS,
        way: Way::Same,
        dice: 3,
        triple: 12,
        opening_throw: false,
        entering: Entering::First { zone: FIRST_TABLE, shift },
        landing: Landing::HitOnceExposed { zone: FIRST_TABLE },
        waiting: Waiting::MiddleRow { cells: &MIDDLE },
        scoring: Scoring::Plain,
        drawing,
    }
}

/// The path runs counter-clockwise from the upper right corner, around the
/// middle row.
fn drawing(position: &Position) -> String {
    drawing::board(position, &[Row::leftward(0), Row::leftward(24), Row::rightward(12)])
}
