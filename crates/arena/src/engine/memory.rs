//! The history of a tafl game, as it is sent to outside engines, which need not keep it themselves.

use lusoria_rules::{Position, Setup};
use serde::Serialize;

/// The positions since the last capture: earlier ones cannot occur again (tafl 8). There are at most 200,
/// because then the game is drawn. A dice game has no history.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Memory {
    /// The moves, of both sides together, since the last capture or the start.
    moves_since_capture: usize,
    /// The boards, the oldest first, the last the present one. The sides were to move alternately.
    boards: Vec<String>,
}

impl Memory {
    pub(crate) fn start(position: &Position) -> Self {
        let mut memory = Self::default();
        memory.stand(position);
        memory
    }

    /// Adds the position after a turn, and whether the turn captured anything.
    pub(crate) fn record(&mut self, after: &Position, captured: bool) {
        if captured {
            self.boards.clear();
        }
        self.stand(after);
    }

    fn stand(&mut self, position: &Position) {
        if let Setup::Tafl { board, .. } = position.setup() {
            self.boards.push(board);
        }
        self.moves_since_capture = self.boards.len().saturating_sub(1);
    }
}
