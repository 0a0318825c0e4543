//! Input that arrives while the session waits for something.

use std::collections::VecDeque;

use crate::input::Typed;

/// How many lines can be typed ahead.
const LINES_MAX: usize = 16;

/// Input that arrived while the session waited for something.
#[derive(Default)]
pub(super) struct TypedAhead {
    pub(super) lines: VecDeque<Typed>,
    /// Whether the next line waits until there is something to do.
    pub(super) holds: bool,
}

impl TypedAhead {
    /// Whether nothing more can be typed ahead.
    pub(super) fn is_full(&self) -> bool {
        self.lines.len() >= LINES_MAX
    }

    /// The number of waiting lines, in words; none if there are none.
    pub(super) fn count(&self) -> Option<String> {
        let is_line = |typed: &&Typed| matches!(typed, Typed::Line(_) | Typed::TooLong);
        match self.lines.iter().filter(is_line).count() {
            0 => None,
            1 => Some("1 line".to_owned()),
            lines => Some(format!("{lines} lines")),
        }
    }
}
