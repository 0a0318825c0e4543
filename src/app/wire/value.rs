//! What the computer finds positions worth, on the wire.

use lusoria_protocol::Chances;
use lusoria_search::Value;

/// What a side can hope for, on the wire.
pub fn chances(value: &Value) -> Chances {
    let Value { win, win_double, lose_double, draw } = *value;
    Chances {
        win: rounded(win),
        win_double: rounded(win_double),
        lose_double: rounded(lose_double),
        draw: rounded(draw),
    }
}

/// To four digits: more would be noise.
pub fn rounded(chance: f32) -> f32 {
    (chance * 10_000.0).round() / 10_000.0
}
