//! Values of positions, as the search finds them, on the wire.

use lusoria_protocol::Chances;
use lusoria_search::{Stakes, Value};

/// The chances of a side.
pub fn chances(value: &Value) -> Chances {
    let Value { win, win_double, lose_double, draw } = *value;
    Chances {
        win: rounded(win),
        win_double: rounded(win_double),
        lose_double: rounded(lose_double),
        draw: rounded(draw),
    }
}

/// The gain from one value to another: as a chance of winning, a draw counting half; in a series, in points.
pub fn gained(stakes: Stakes, from: &Value, to: &Value) -> f32 {
    rounded(of(stakes, to) - of(stakes, from))
}

fn of(stakes: Stakes, value: &Value) -> f32 {
    match stakes {
        Stakes::Game => value.score(),
        Stakes::Points => value.points(),
    }
}

/// The worth of a value, in the same unit.
pub fn worth(stakes: Stakes, chances: &Chances) -> f32 {
    let Chances { win, win_double, lose_double, draw } = *chances;
    of(stakes, &Value { win, win_double, lose_double, draw })
}

/// The loss of a turn against the best one, in the same unit.
pub fn lost(stakes: Stakes, best: &Value, turn: &Value) -> f32 {
    gained(stakes, turn, best).max(0.0)
}

/// Rounds to four digits; more would be noise.
pub fn rounded(chance: f32) -> f32 {
    (chance * 10_000.0).round() / 10_000.0
}
