//! Zeno's Tavli.

use lusoria_protocol::Geometry;
use lusoria_rules::Game;

use crate::catalogue::{
    entry::{About, Pace},
    options::words,
    threefold::{BOTTOM_Y, MIDDLE_Y, TOP_Y, cell, geometry},
};

pub(super) fn about() -> About {
    About {
        name: "Zeno's Tavli",
        description: "A race with three dice on three rows of twelve, in which both sides go the same \
                      way; the middle row holds the pieces that were hit. Reconstructed from the epigram \
                      on a ruinous throw of the emperor Zeno, Byzantium, 5th century.",
        source: "Rules by U. Schädler, ERC Locus Ludi, after Agathias (Greek Anthology IX.482)",
        options: vec![words(
            "shift",
            "When pieces that have entered may move inside cells 1–6 while others still wait",
            [
                ("throw", "only if no value of the throw can enter a piece"),
                ("die", "with each die that cannot enter one, whatever the others can do"),
            ],
        )],
        board: board(),
        pace: Pace { typical_turns: 75, clocks: [(5, 6), (12, 12), (25, 25)], days: &[1, 3] },
    }
}

/// Outer cells 1–24 counter-clockwise from the upper right, middle cell m between outer m
/// and 25 − m (rules/zeno.md).
fn board() -> Geometry {
    let mut cells = Vec::with_capacity(36);
    for number in 1..=24 {
        let (column, y) = if number <= 12 { (12 - number, TOP_Y) } else { (number - 13, BOTTOM_Y) };
        let table = ["I", "II", "III", "IV"][usize::from((number - 1) / 6)];
        cells.push(cell(number.to_string(), table, (column, y), Some(number)));
    }
    for number in 1..=12 {
        let table = if number <= 6 { "middle right" } else { "middle left" };
        cells.push(cell(format!("m{number}"), table, (12 - number, MIDDLE_Y), None));
    }
    geometry(Game::Zeno, cells, Vec::new())
}
