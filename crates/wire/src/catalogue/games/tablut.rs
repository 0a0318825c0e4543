//! Tablut.

use lusoria_rules::Game;

use crate::catalogue::{
    entry::{About, Pace},
    options::words,
    squares::squares,
};

/// Where the attackers start (rules/tablut.md).
const CAMPS: [&str; 16] =
    ["d1", "e1", "f1", "e2", "d9", "e9", "f9", "e8", "a4", "a5", "a6", "b5", "i4", "i5", "i6", "h5"];

pub(super) fn about() -> About {
    About {
        name: "Tablut",
        description: "A hunt on nine by nine squares: the king and his eight defenders break out to the \
                      edge, sixteen attackers stop them. Recorded in Lapland by Linnaeus in 1732.",
        source: "Linnaeus, Iter Lapponicum (1732), as retranslated by Ashton and Cartier and published by Jocari",
        options: vec![words(
            "throne",
            "Who may stop on the throne or cross it",
            [("king", "the king, always"), ("closed", "nobody, once the king has left it")],
        )],
        board: squares(Game::Tablut, 9, &CAMPS),
        pace: Pace { typical_turns: 125, clocks: [(3, 3), (10, 8), (25, 20)], days: &[1, 3] },
    }
}
