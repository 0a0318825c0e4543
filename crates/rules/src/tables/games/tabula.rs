//! Tabula (rules/tabula.md).

use crate::{
    Variant,
    tables::{
        Position,
        drawing::{self, Row},
        rules::{Entering, Landing, Rules, Scoring, Waiting, Way},
    },
};

/// The rules; there are no options.
pub(crate) const fn rules() -> &'static Rules {
    static RULES: Rules = Rules {
        variant: Variant::Tabula,
        cells: &CELLS,
        way: Way::Opposite,
        dice: 3,
        triple: 6,
        opening_throw: false,
        entering: Entering::Free,
        landing: Landing::Hit,
        waiting: Waiting::Bar,
        scoring: Scoring::Plain,
        drawing,
    };
    &RULES
}

const CELLS: [&str; 24] = [
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19",
    "20", "21", "22", "23", "24",
];

/// White enters at the upper right and bears off at the lower right.
fn drawing(position: &Position) -> String {
    drawing::board(position, &[Row::leftward(0), Row::rightward(12)])
}
