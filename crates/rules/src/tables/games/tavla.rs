//! Tavla, Mahbousseh (rules/tavla.md).

use crate::{
    Mother, Variant,
    tables::{
        Position,
        drawing::{self, Row},
        rules::{Entering, Landing, Rules, Scoring, Waiting, Way},
    },
};

/// The rules with this option.
pub(crate) const fn rules(mother: Mother) -> &'static Rules {
    static PLAY_ON: Rules = with(Mother::PlayOn);
    static DOUBLE_LOSS: Rules = with(Mother::DoubleLoss);
    match mother {
        Mother::PlayOn => &PLAY_ON,
        Mother::DoubleLoss => &DOUBLE_LOSS,
    }
}

const CELLS: [&str; 24] = [
    "24", "23", "22", "21", "20", "19", "18", "17", "16", "15", "14", "13", "12", "11", "10", "9", "8", "7",
    "6", "5", "4", "3", "2", "1",
];

const fn with(mother: Mother) -> Rules {
    Rules {
        variant: Variant::Tavla { mother },
        cells: &CELLS,
        way: Way::Opposite,
        dice: 2,
        triple: 0,
        opening_throw: true,
        entering: Entering::Placed,
        landing: Landing::Pin,
        waiting: Waiting::Nowhere,
        scoring: Scoring::Mars { mother },
        drawing,
    }
}

/// As on a backgammon board: White starts at the upper right and bears off at
/// the lower right.
fn drawing(position: &Position) -> String {
    drawing::board(position, &[Row::leftward(0), Row::rightward(12)])
}
