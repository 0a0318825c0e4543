//! Tablut (rules/tablut.md): nine by nine, sixteen attackers, eight defenders and the king.

use super::{board::Board, kind::Description};

// A constant and no static, so that other crates' code has the board's numbers in it too.
pub(super) const TABLUT: Description = Description {
    board: Board::new(9),
    start: "3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3",
    attackers: 16,
    defenders: 8,
};
